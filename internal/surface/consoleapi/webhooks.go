package consoleapi

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
	"daybook/internal/platform/webhook"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/identity"
)

// registerWebhooks adds the routes of an app's webhooks and their deliveries.
func (a *API) registerWebhooks(mux *http.ServeMux) {
	const all = "/developer/apps/{appId}/webhooks"
	const one = all + "/{webhookId}"
	mux.Handle("GET "+all, a.asDeveloper(a.listWebhooks))
	mux.Handle("POST "+all, a.asDeveloper(a.createWebhook))
	mux.Handle("GET "+one, a.asDeveloper(a.showWebhook))
	mux.Handle("PATCH "+one, a.asDeveloper(a.changeWebhook))
	mux.Handle("DELETE "+one, a.asDeveloper(a.deleteWebhook))
	mux.Handle("POST "+one+"/rotate-secret", a.asDeveloper(a.rotateSecret))
	mux.Handle("POST "+one+"/test", a.asDeveloper(a.testWebhook))
	mux.Handle("GET "+one+"/deliveries", a.asDeveloper(a.listDeliveries))
	mux.Handle("GET "+one+"/deliveries/{deliveryId}", a.asDeveloper(a.showDelivery))
	mux.Handle("POST "+one+"/deliveries/{deliveryId}/redeliver", a.asDeveloper(a.redeliver))
	mux.Handle("POST "+one+"/redeliver-failed", a.asDeveloper(a.redeliverFailed))
}

type webhookBody struct {
	ID                      string       `json:"id"`
	URL                     string       `json:"url"`
	Description             *string      `json:"description"`
	Events                  []event.Type `json:"events"`
	Enabled                 bool         `json:"enabled"`
	PreviousSecretExpiresAt *string      `json:"previousSecretExpiresAt"`
	Version                 int          `json:"version"`
	CreatedAt               string       `json:"createdAt"`
	UpdatedAt               string       `json:"updatedAt"`
}

func newWebhookBody(w webhook.Webhook) webhookBody {
	return webhookBody{
		ID: w.ID, URL: w.URL, Description: w.Description, Events: w.Events, Enabled: w.Enabled, PreviousSecretExpiresAt: optionalInstant(w.PreviousUntil),
		Version: w.Version, CreatedAt: instant(w.CreatedAt), UpdatedAt: instant(w.UpdatedAt),
	}
}

func optionalInstant(t *time.Time) *string {
	if t == nil {
		return nil
	}
	text := instant(*t)
	return &text
}

// listBody is a list that is shown whole: it has the members of every list, and never more.
type listBody[T any] struct {
	Data       []T     `json:"data"`
	HasMore    bool    `json:"hasMore"`
	NextCursor *string `json:"nextCursor"`
}

func newListBody[T, B any](list []T, body func(T) B) listBody[B] {
	out := listBody[B]{Data: make([]B, len(list))}
	for i, one := range list {
		out.Data[i] = body(one)
	}
	return out
}

func (a *API) listWebhooks(w http.ResponseWriter, r *http.Request, by identity.User) error {
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	list, err := a.Webhooks.List(r.Context(), r.PathValue("appId"), by.ID)
	if err != nil {
		return err
	}
	wire.WriteJSON(w, http.StatusOK, newListBody(list, newWebhookBody))
	return nil
}

func (a *API) createWebhook(w http.ResponseWriter, r *http.Request, by identity.User) error {
	var body struct {
		URL         *string           `json:"url"`
		Description *string           `json:"description"`
		Events      []json.RawMessage `json:"events"`
		Enabled     *bool             `json:"enabled"`
	}
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	if err := wire.ReadJSON(r, &body); err != nil {
		return err
	}
	var c fault.Check
	c.Require(body.URL != nil, "url", "is required")
	n := webhook.New{Description: body.Description, Events: eventTypes(&c, "events", body.Events), Enabled: body.Enabled == nil || *body.Enabled}
	if err := c.Err(); err != nil {
		return err
	}
	n.URL = *body.URL
	made, err := a.Webhooks.Create(r.Context(), r.PathValue("appId"), by.ID, n)
	if err != nil {
		return err
	}
	setVersion(w, made.Version)
	wire.WriteJSON(w, http.StatusCreated, struct {
		webhookBody
		Secret string `json:"secret"` // shown this once (CONS-07)
	}{newWebhookBody(made.Webhook), made.Secret.Reveal()})
	return nil
}

// eventTypes reads a list of names; whether there are such events the feature decides.
func eventTypes(c *fault.Check, at string, list []json.RawMessage) []event.Type {
	var out []event.Type
	for i, raw := range list {
		var name *string
		if err := json.Unmarshal(raw, &name); err != nil || name == nil {
			c.Add(at+"."+strconv.Itoa(i), "must be a string")
			break // an answer must not outgrow what it answers
		}
		out = append(out, event.Type(*name))
	}
	return out
}

func (a *API) showWebhook(w http.ResponseWriter, r *http.Request, by identity.User) error {
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	one, err := a.Webhooks.Get(r.Context(), r.PathValue("appId"), by.ID, r.PathValue("webhookId"))
	return writeWebhook(w, one, err)
}

func (a *API) changeWebhook(w http.ResponseWriter, r *http.Request, by identity.User) error {
	var body struct {
		URL         record.Patch[string]            `json:"url"`
		Description record.Patch[string]            `json:"description"`
		Events      record.Patch[[]json.RawMessage] `json:"events"`
		Enabled     record.Patch[bool]              `json:"enabled"`
	}
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	seen, err := seenVersion(r)
	if err != nil {
		return err
	}
	if err := wire.ReadJSON(r, &body); err != nil {
		return err
	}
	var c fault.Check
	c.Require(!body.URL.Null, "url", "must not be null")
	c.Require(!body.Events.Null, "events", "must not be null")
	c.Require(!body.Enabled.Null, "enabled", "must not be null")
	patch := webhook.Patch{URL: given(body.URL), Enabled: given(body.Enabled)}
	if body.Description.Set {
		description := body.Description.Optional(nil)
		patch.Description = &description
	}
	if body.Events.Set {
		events := eventTypes(&c, "events", body.Events.Value)
		patch.Events = &events
	}
	if err := c.Err(); err != nil {
		return err
	}
	one, err := a.Webhooks.Change(r.Context(), r.PathValue("appId"), by.ID, r.PathValue("webhookId"), seen, patch)
	return writeWebhook(w, one, err)
}

func (a *API) deleteWebhook(w http.ResponseWriter, r *http.Request, by identity.User) error {
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	seen, err := seenVersion(r)
	if err != nil {
		return err
	}
	if err := a.Webhooks.Delete(r.Context(), r.PathValue("appId"), by.ID, r.PathValue("webhookId"), seen); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (a *API) rotateSecret(w http.ResponseWriter, r *http.Request, by identity.User) error {
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	seen, err := seenVersion(r)
	if err != nil {
		return err
	}
	if err := readOptional(r, &struct{}{}); err != nil {
		return err
	}
	rotated, err := a.Webhooks.Rotate(r.Context(), r.PathValue("appId"), by.ID, r.PathValue("webhookId"), seen)
	if err != nil {
		return err
	}
	wire.WriteJSON(w, http.StatusOK, struct {
		Secret                  string `json:"secret"` // shown this once (CONS-07)
		PreviousSecretExpiresAt string `json:"previousSecretExpiresAt"`
	}{rotated.Secret.Reveal(), instant(rotated.PreviousUntil)})
	return nil
}

// readOptional reads a body that may be left out.
func readOptional(r *http.Request, v any) error {
	if r.ContentLength == 0 {
		return nil
	}
	return wire.ReadJSON(r, v)
}

func writeWebhook(w http.ResponseWriter, one webhook.Webhook, err error) error {
	if err != nil {
		return err
	}
	setVersion(w, one.Version)
	wire.WriteJSON(w, http.StatusOK, newWebhookBody(one))
	return nil
}

func setVersion(w http.ResponseWriter, version int) {
	w.Header().Set("ETag", `"`+strconv.Itoa(version)+`"`)
}
