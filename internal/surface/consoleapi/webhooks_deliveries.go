package consoleapi

import (
	"context"
	"net/http"
	"slices"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/platform/event"
	"daybook/internal/platform/webhook"
	"daybook/internal/tenancy/organization"
)

// deliveryRoutes are the deliveries of a webhook.
func (a *API) deliveryRoutes() []Route {
	const one, build = "/developer/apps/{appId}/webhooks/{webhookId}", organization.Build
	const all = one + "/deliveries"
	return []Route{
		{Method: "POST", Path: one + "/test", Needs: build, Summary: "Send a test delivery", About: "Of the first event that the webhook hears of, or of the one named.",
			verb: mayRead(http.StatusCreated, a.testWebhook)},
		{Method: "GET", Path: all, Summary: "List the 100 most recent deliveries of a webhook", verb: page(a.deliveries, newDeliveryDoc),
			About:  "With filters, a call looks at the 20,000 newest at least. nextCursor is where to go on looking, and null once everything was seen or 100 were found.",
			Params: []Param{{"status", "queued, retrying, delivered or failed."}, {"type", "The event, such as invoice.created."}, {"businessId", "Only those of this business, or test."}, {"cursor", "The nextCursor of the call before, with the same filters."}}},
		{Method: "GET", Path: all + "/{deliveryId}", Summary: "Show a delivery with its request and its attempts", verb: show(a.showDelivery)},
		{Method: "POST", Path: all + "/{deliveryId}/redeliver", Needs: build, Summary: "Queue a failed delivery again", verb: act(http.StatusOK, a.redeliver)},
		{Method: "POST", Path: one + "/redeliver-failed", Needs: build, Summary: "Queue failed deliveries again", About: "Up to 1000, the oldest first.",
			verb: reads(http.StatusOK, a.redeliverFailed)},
	}
}

// DeliveryDoc is a line of the log of deliveries.
type DeliveryDoc struct {
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

func newDeliveryDoc(d webhook.Delivery) DeliveryDoc {
	return DeliveryDoc{
		ID: d.ID, EventID: d.EventID, Type: d.Type, BusinessID: d.BusinessID, Status: d.Status, Attempts: d.Attempts, ResponseCode: d.ResponseCode,
		LastError: d.LastError, CreatedAt: instant(d.CreatedAt), NextAttemptAt: optionalInstant(d.DueAt), DeliveredAt: optionalInstant(d.DeliveredAt),
	}
}

type requestDoc struct {
	Headers map[string]string `json:"headers"` // those of every attempt; each has a signature of its own
	Body    string            `json:"body"`
}

func newRequestDoc(d webhook.Delivery) requestDoc {
	b := requestDoc{Headers: map[string]string{}, Body: d.Body}
	for name, values := range d.Header() {
		b.Headers[name] = values[0]
	}
	return b
}

type attemptDoc struct {
	Number       int     `json:"number"` // counts on after a redelivery
	At           string  `json:"at"`
	DurationMS   int64   `json:"durationMs"`
	Signature    string  `json:"signature"`
	ResponseCode *int    `json:"responseCode"`
	Answer       *string `json:"answer"`
	Error        *string `json:"error"`
}

func newAttemptDoc(a webhook.Attempt) attemptDoc {
	return attemptDoc{
		Number: a.Number, At: instant(a.At), DurationMS: a.Duration.Milliseconds(), Signature: a.Signature, ResponseCode: a.Status, Answer: a.Answer, Error: a.Error,
	}
}

type testBody struct {
	Type *event.Type `json:"type,omitempty"`
}

// testWebhook sends a sample (TDEL-01).
func (a *API) testWebhook(ctx context.Context, c *call, body testBody) (DeliveryDoc, error) {
	var kind event.Type
	if body.Type != nil {
		if kind = *body.Type; kind == "" {
			return DeliveryDoc{}, fault.InvalidFields("type must not be empty")
		}
	}
	return deliveryAnswer(a.Webhooks.Test(ctx, c.app.ID, c.by(), c.at("webhookId"), kind))
}

func deliveryAnswer(d webhook.Delivery, err error) (DeliveryDoc, error) {
	if err != nil {
		return DeliveryDoc{}, err
	}
	return newDeliveryDoc(d), nil
}

// deliveries are the 100 most recent ones, newest first (DLIV-05).
func (a *API) deliveries(ctx context.Context, c *call) ([]webhook.Delivery, *string, error) {
	if c.wrong.Err() != nil {
		return nil, nil, nil // perform tells it
	}
	f, err := deliveryFilter(c)
	if err != nil {
		return nil, nil, err
	}
	at := ""
	if p := c.param("cursor"); p != nil {
		at = *p
	}
	found, err := a.Webhooks.Search(ctx, c.app.ID, c.by(), c.at("webhookId"), f, at)
	return found.Deliveries, found.Next, err
}

// statuses that can be asked for.
var statuses = []webhook.Status{webhook.Queued, webhook.Retrying, webhook.Delivered, webhook.Failed}

func deliveryFilter(c *call) (webhook.Filter, error) {
	var f webhook.Filter
	var wrong fault.Check
	if p := c.param("status"); p != nil {
		f.Status = webhook.Status(*p)
		wrong.Require(slices.Contains(statuses, f.Status), "status", "must be one of queued, retrying, delivered, failed")
	}
	if p := c.param("type"); p != nil {
		f.Type = event.Type(*p)
		_, known := event.Find(f.Type)
		wrong.Require(known, "type", "must be an event of the catalog, such as invoice.created")
	}
	if p := c.param("businessId"); p != nil {
		f.BusinessID = *p
		wrong.Require(f.BusinessID == webhook.TestBusiness || id.Valid(id.Business, f.BusinessID), "businessId", "must be the id of a business, or %s", webhook.TestBusiness)
	}
	return f, wrong.Err()
}

type deliveryDetailDoc struct {
	DeliveryDoc
	Request    requestDoc   `json:"request"`
	AttemptLog []attemptDoc `json:"attemptLog" nullable:"false"`
}

func (a *API) showDelivery(ctx context.Context, c *call) (deliveryDetailDoc, error) {
	d, attempts, err := a.Webhooks.Delivery(ctx, c.app.ID, c.by(), c.at("webhookId"), c.at("deliveryId"))
	if err != nil {
		return deliveryDetailDoc{}, err
	}
	return deliveryDetailDoc{newDeliveryDoc(d), newRequestDoc(d), each(attempts, newAttemptDoc)}, nil
}

func (a *API) redeliver(ctx context.Context, c *call) (DeliveryDoc, error) {
	return deliveryAnswer(a.Webhooks.Redeliver(ctx, c.app.ID, c.by(), c.at("webhookId"), c.at("deliveryId")))
}

type redeliveryBody struct {
	Since *string    `json:"since" nullable:"false"`
	Until *string    `json:"until" nullable:"false"`
	Types eventNames `json:"types,omitempty"`
}

type redeliveredDoc struct {
	Queued  int `json:"queued"`
	Refused int `json:"refused"`
}

// span is which deliveries are meant.
func (body redeliveryBody) span() (webhook.Span, error) {
	var wrong fault.Check
	span := webhook.Span{Since: readInstant(&wrong, "since", body.Since), Until: readInstant(&wrong, "until", body.Until), Types: eventTypes(&wrong, "types", body.Types)}
	wrong.Require(body.Types == nil || len(body.Types) > 0, "types", "must name an event, or be left out")
	if !span.Since.IsZero() && !span.Until.IsZero() {
		wrong.Require(span.Until.After(span.Since), "until", "must be later than since")
	}
	return span, wrong.Err()
}

func (a *API) redeliverFailed(ctx context.Context, c *call, body redeliveryBody) (redeliveredDoc, error) {
	span, err := body.span()
	if err != nil {
		return redeliveredDoc{}, err
	}
	done, err := a.Webhooks.RedeliverFailed(ctx, c.app.ID, c.by(), c.at("webhookId"), span)
	return redeliveredDoc{done.Queued, done.Refused}, err
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
