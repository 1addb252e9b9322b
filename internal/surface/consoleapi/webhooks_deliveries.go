package consoleapi

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/platform/event"
	"daybook/internal/platform/webhook"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/identity"
)

type deliveryBody struct {
	ID            string         `json:"id"`
	EventID       *string        `json:"eventId"`
	Type          event.Type     `json:"type"`
	BusinessID    string         `json:"businessId"`
	Status        webhook.Status `json:"status"`
	Attempts      int            `json:"attempts"`
	ResponseCode  *int           `json:"responseCode"`
	LastError     *string        `json:"lastError"`
	CreatedAt     string         `json:"createdAt"`
	NextAttemptAt *string        `json:"nextAttemptAt"`
	DeliveredAt   *string        `json:"deliveredAt"`
}

func newDeliveryBody(d webhook.Delivery) deliveryBody {
	return deliveryBody{
		ID: d.ID, EventID: d.EventID, Type: d.Type, BusinessID: d.BusinessID, Status: d.Status, Attempts: d.Attempts, ResponseCode: d.ResponseCode,
		LastError: d.LastError, CreatedAt: instant(d.CreatedAt), NextAttemptAt: optionalInstant(d.DueAt), DeliveredAt: optionalInstant(d.DeliveredAt),
	}
}

type requestBody struct {
	Headers map[string]string `json:"headers"` // those of every attempt; each has a signature of its own
	Body    string            `json:"body"`
}

func newRequestBody(d webhook.Delivery) requestBody {
	b := requestBody{Headers: map[string]string{}, Body: d.Body}
	for name, values := range d.Header() {
		b.Headers[name] = values[0]
	}
	return b
}

type attemptBody struct {
	Number       int     `json:"number"` // counts on after a redelivery
	At           string  `json:"at"`
	DurationMS   int64   `json:"durationMs"`
	Signature    string  `json:"signature"`
	ResponseCode *int    `json:"responseCode"`
	Answer       *string `json:"answer"`
	Error        *string `json:"error"`
}

func newAttemptBody(a webhook.Attempt) attemptBody {
	return attemptBody{
		Number: a.Number, At: instant(a.At), DurationMS: a.Duration.Milliseconds(), Signature: a.Signature, ResponseCode: a.Status, Answer: a.Answer, Error: a.Error,
	}
}

// testWebhook sends a sample (TDEL-01).
func (a *API) testWebhook(w http.ResponseWriter, r *http.Request, by identity.User) error {
	var body struct {
		Type *event.Type `json:"type"`
	}
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	if err := readOptional(r, &body); err != nil {
		return err
	}
	var kind event.Type
	if body.Type != nil {
		if kind = *body.Type; kind == "" {
			return fault.InvalidFields("type must not be empty")
		}
	}
	d, err := a.Webhooks.Test(r.Context(), r.PathValue("appId"), by.ID, r.PathValue("webhookId"), kind)
	return writeDelivery(w, http.StatusCreated, d, err)
}

func writeDelivery(w http.ResponseWriter, status int, d webhook.Delivery, err error) error {
	if err != nil {
		return err
	}
	wire.WriteJSON(w, status, newDeliveryBody(d))
	return nil
}

// listDeliveries shows the 100 most recent ones, newest first (DLIV-05).
func (a *API) listDeliveries(w http.ResponseWriter, r *http.Request, by identity.User) error {
	f, err := deliveryFilter(r)
	if err != nil {
		return err
	}
	list, err := a.Webhooks.Deliveries(r.Context(), r.PathValue("appId"), by.ID, r.PathValue("webhookId"), f)
	if err != nil {
		return err
	}
	wire.WriteJSON(w, http.StatusOK, newListBody(list, newDeliveryBody))
	return nil
}

// statuses that can be asked for.
var statuses = []webhook.Status{webhook.Queued, webhook.Retrying, webhook.Delivered, webhook.Failed}

func deliveryFilter(r *http.Request) (webhook.Filter, error) {
	var f webhook.Filter
	if err := wire.CheckQuery(r, "status", "type", "businessId"); err != nil {
		return f, err
	}
	params := r.URL.Query()
	var c fault.Check
	if params.Has("status") {
		f.Status = webhook.Status(params.Get("status"))
		c.Require(slices.Contains(statuses, f.Status), "status", "must be one of queued, retrying, delivered, failed")
	}
	if params.Has("type") {
		f.Type = event.Type(params.Get("type"))
		_, known := event.Find(f.Type)
		c.Require(known, "type", "must be an event of the catalog, such as invoice.created")
	}
	if params.Has("businessId") {
		f.BusinessID = params.Get("businessId")
		c.Require(f.BusinessID == webhook.TestBusiness || id.Valid(id.Business, f.BusinessID), "businessId", "must be the id of a business, or %s", webhook.TestBusiness)
	}
	return f, c.Err()
}

func (a *API) showDelivery(w http.ResponseWriter, r *http.Request, by identity.User) error {
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	d, attempts, err := a.Webhooks.Delivery(r.Context(), r.PathValue("appId"), by.ID, r.PathValue("webhookId"), r.PathValue("deliveryId"))
	if err != nil {
		return err
	}
	log := make([]attemptBody, len(attempts))
	for i, one := range attempts {
		log[i] = newAttemptBody(one)
	}
	wire.WriteJSON(w, http.StatusOK, struct {
		deliveryBody
		Request    requestBody   `json:"request"`
		AttemptLog []attemptBody `json:"attemptLog"`
	}{newDeliveryBody(d), newRequestBody(d), log})
	return nil
}

func (a *API) redeliver(w http.ResponseWriter, r *http.Request, by identity.User) error {
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	if err := readOptional(r, &struct{}{}); err != nil {
		return err
	}
	d, err := a.Webhooks.Redeliver(r.Context(), r.PathValue("appId"), by.ID, r.PathValue("webhookId"), r.PathValue("deliveryId"))
	return writeDelivery(w, http.StatusOK, d, err)
}

func (a *API) redeliverFailed(w http.ResponseWriter, r *http.Request, by identity.User) error {
	var body struct {
		Since *string           `json:"since"`
		Until *string           `json:"until"`
		Types []json.RawMessage `json:"types"`
	}
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	if err := wire.ReadJSON(r, &body); err != nil {
		return err
	}
	var c fault.Check
	span := webhook.Span{Since: readInstant(&c, "since", body.Since), Until: readInstant(&c, "until", body.Until), Types: eventTypes(&c, "types", body.Types)}
	c.Require(body.Types == nil || len(body.Types) > 0, "types", "must name an event, or be left out")
	if !span.Since.IsZero() && !span.Until.IsZero() {
		c.Require(span.Until.After(span.Since), "until", "must be later than since")
	}
	if err := c.Err(); err != nil {
		return err
	}
	done, err := a.Webhooks.RedeliverFailed(r.Context(), r.PathValue("appId"), by.ID, r.PathValue("webhookId"), span)
	if err != nil {
		return err
	}
	wire.WriteJSON(w, http.StatusOK, struct {
		Queued  int `json:"queued"`
		Refused int `json:"refused"`
	}{done.Queued, done.Refused})
	return nil
}

// readInstant reads a member that must be there; the zero instant when it is wrong.
func readInstant(c *fault.Check, at string, text *string) time.Time {
	if text == nil {
		c.Add(at, "is required")
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, *text)
	c.Require(err == nil, at, "must be an instant such as 2026-12-31T23:59:00Z")
	return t
}
