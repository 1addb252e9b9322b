package consoleapi

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
	"daybook/internal/platform/webhook"
	"daybook/internal/tenancy/organization"
)

// webhookRoutes are an app's webhooks.
func (a *API) webhookRoutes() []Route {
	const all, one, build = "/developer/apps/{appId}/webhooks", "/developer/apps/{appId}/webhooks/{webhookId}", organization.Build
	return []Route{
		{Method: "GET", Path: all, Summary: "List an app's webhooks", verb: list(a.webhooks, newWebhookDoc)},
		{Method: "POST", Path: all, Needs: build, Summary: "Create a webhook", About: "Answers its secret, this once.", verb: reads(http.StatusCreated, a.createWebhook)},
		{Method: "GET", Path: one, Summary: "Show a webhook", verb: show(a.showWebhook)},
		{Method: "PATCH", Path: one, Needs: build, Versioned: true, Summary: "Change a webhook", verb: reads(http.StatusOK, a.changeWebhook)},
		{Method: "DELETE", Path: one, Needs: build, Versioned: true, Summary: "Delete a webhook", verb: remove(a.deleteWebhook)},
		{Method: "POST", Path: one + "/rotate-secret", Needs: build, Versioned: true, Summary: "Give a webhook a new secret",
			About: "The secret before it goes on signing for 24 hours.", verb: act(http.StatusOK, a.rotateSecret)},
	}
}

// WebhookDoc is a webhook without its secret.
type WebhookDoc struct {
	ID                      string       `json:"id"`
	URL                     string       `json:"url"`
	Description             *string      `json:"description"`
	Events                  []event.Type `json:"events" nullable:"false"`
	Enabled                 bool         `json:"enabled"`
	PreviousSecretExpiresAt *string      `json:"previousSecretExpiresAt"`
	Version                 int          `json:"version"`
	CreatedAt               string       `json:"createdAt"`
	UpdatedAt               string       `json:"updatedAt"`
}

func (d WebhookDoc) revision() int { return d.Version }

func newWebhookDoc(w webhook.Webhook) WebhookDoc {
	return WebhookDoc{
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

func (a *API) webhooks(ctx context.Context, c *call) ([]webhook.Webhook, error) {
	return a.Webhooks.List(ctx, c.app.ID, c.by())
}

type newWebhook struct {
	URL         *string    `json:"url" nullable:"false"`
	Description *string    `json:"description,omitempty"`
	Events      eventNames `json:"events,omitempty"`
	Enabled     *bool      `json:"enabled,omitempty"`
}

// eventNames are names of events, read one by one.
type eventNames []json.RawMessage

type createdWebhookDoc struct {
	WebhookDoc
	Secret string `json:"secret" doc:"Shown this once."` // CONS-07
}

func (a *API) createWebhook(ctx context.Context, c *call, body newWebhook) (createdWebhookDoc, error) {
	var wrong fault.Check
	wrong.Require(body.URL != nil, "url", "is required")
	n := webhook.New{Description: body.Description, Events: eventTypes(&wrong, "events", body.Events), Enabled: body.Enabled == nil || *body.Enabled}
	if err := wrong.Err(); err != nil {
		return createdWebhookDoc{}, err
	}
	n.URL = *body.URL
	made, err := a.Webhooks.Create(ctx, c.app.ID, c.by(), n)
	if err != nil {
		return createdWebhookDoc{}, err
	}
	return createdWebhookDoc{newWebhookDoc(made.Webhook), made.Secret.Reveal()}, nil
}

// eventTypes reads a list of names; whether there are such events the feature decides.
func eventTypes(c *fault.Check, at string, list eventNames) []event.Type {
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

func (a *API) showWebhook(ctx context.Context, c *call) (WebhookDoc, error) {
	return webhookAnswer(a.Webhooks.Get(ctx, c.app.ID, c.by(), c.at("webhookId")))
}

type webhookPatch struct {
	URL         record.Patch[string]     `json:"url,omitempty"`
	Description record.Patch[string]     `json:"description,omitempty"`
	Events      record.Patch[eventNames] `json:"events,omitempty"`
	Enabled     record.Patch[bool]       `json:"enabled,omitempty"`
}

func (a *API) changeWebhook(ctx context.Context, c *call, body webhookPatch) (WebhookDoc, error) {
	var wrong fault.Check
	wrong.Require(!body.URL.Null, "url", "must not be null")
	wrong.Require(!body.Events.Null, "events", "must not be null")
	wrong.Require(!body.Enabled.Null, "enabled", "must not be null")
	patch := webhook.Patch{URL: given(body.URL), Enabled: given(body.Enabled), Description: nullable(body.Description)}
	if body.Events.Set {
		events := eventTypes(&wrong, "events", body.Events.Value)
		patch.Events = &events
	}
	if err := wrong.Err(); err != nil {
		return WebhookDoc{}, err
	}
	return webhookAnswer(a.Webhooks.Change(ctx, c.app.ID, c.by(), c.at("webhookId"), c.seen, patch))
}

func (a *API) deleteWebhook(ctx context.Context, c *call) error {
	return a.Webhooks.Delete(ctx, c.app.ID, c.by(), c.at("webhookId"), c.seen)
}

type rotatedDoc struct {
	Secret                  string `json:"secret" doc:"Shown this once."` // CONS-07
	PreviousSecretExpiresAt string `json:"previousSecretExpiresAt"`
}

func (a *API) rotateSecret(ctx context.Context, c *call) (rotatedDoc, error) {
	rotated, err := a.Webhooks.Rotate(ctx, c.app.ID, c.by(), c.at("webhookId"), c.seen)
	if err != nil {
		return rotatedDoc{}, err
	}
	return rotatedDoc{rotated.Secret.Reveal(), instant(rotated.PreviousUntil)}, nil
}

func webhookAnswer(one webhook.Webhook, err error) (WebhookDoc, error) {
	if err != nil {
		return WebhookDoc{}, err
	}
	return newWebhookDoc(one), nil
}
