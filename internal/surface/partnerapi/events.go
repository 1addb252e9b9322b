package partnerapi

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"daybook/internal/base/clock"
	"daybook/internal/base/fault"
	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/event"
	"daybook/internal/platform/scope"
	"daybook/internal/surface/wire"
)

var errEventsForApps = fault.New(fault.Forbidden, "EVENT_LOG_AVAILABLE_CONNECTED_APPS_ONLY", "The event log is open to connected apps only: call it with an access token.")

type eventDoc struct {
	ID         string    `json:"id" doc:"The eventId of webhook deliveries." example:"evt_01k9m4x2v7q3t8r5w1y6z0a2bq"`
	Type       string    `json:"type" example:"invoice.paid"`
	APIVersion string    `json:"apiVersion" doc:"The version in whose shape data is."`
	BusinessID string    `json:"businessId" example:"biz_01k9m4x2v7q3t8r5w1y6z0a2br"`
	Created    int64     `json:"created" doc:"Unix seconds." example:"1779096600"`
	Data       eventData `json:"data" doc:"What happened; the section webhooks has the schema of each type."`
}

// eventData is a payload, which is JSON already.
type eventData json.RawMessage

// MarshalJSON implements json.Marshaler.
func (d eventData) MarshalJSON() ([]byte, error) { return d, nil }

// Schema implements huma.SchemaProvider.
func (eventData) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true, Examples: []any{event.Sample(event.InvoicePaid)}}
}

func (a *API) eventRoutes() []Route {
	read := []scope.Scope{scope.EventsRead}
	return []Route{
		{Method: "GET", Path: "/events", Scopes: read, Partner: true, AppsOnly: errEventsForApps, Summary: "List events, the oldest first", verb: a.eventsVerb(), Params: []Param{
			{"after", "The id of an event of this business: only what came after it. By default from the oldest, at most 30 days back."},
			{"types", "Names of events, at most 45, separated by commas or in several parameters. By default all that the app may see."},
			{"limit", "How many events a page has: 1 to 100, by default 100."},
			{"wait", "How many seconds to wait for an event if there is none: 0 to 30, by default 0. The answer may come earlier, and be empty."},
		}},
		{Method: "GET", Path: "/events/{id}", Scopes: read, Partner: true, AppsOnly: errEventsForApps, Summary: "Get an event", verb: show(a.event)},
	}
}

// reader is the app that calls.
func (c *call) reader() event.Reader {
	return event.Reader{AppID: c.app.AppID, BusinessID: c.app.BusinessID, InstallationID: c.app.InstallationID, Scopes: c.app.Scopes}
}

func (a *API) event(ctx context.Context, c *call) (eventDoc, error) {
	e, err := a.Events.Get(ctx, c.reader(), c.id())
	if err != nil {
		return eventDoc{}, err
	}
	return c.newEventDoc(e)
}

func (a *API) eventsVerb() verb {
	return verb{status: http.StatusOK, doc: typeOf[pageDoc[eventDoc]](), feed: true, register: handle(func(ctx context.Context, c *call, _ *none) error {
		params, err := wire.Query(c.request)
		if err != nil {
			return err
		}
		q, err := event.ParseQuery(params)
		if err != nil {
			return err
		}
		c.stay(q.Wait)
		page, err := a.Events.Read(ctx, c.reader(), q, c.authenticateAgain)
		c.waited = page.Waited
		if err != nil {
			return err
		}
		doc := pageDoc[eventDoc]{Data: make([]eventDoc, len(page.Events)), HasMore: page.More, NextCursor: page.Next}
		for i, e := range page.Events {
			if doc.Data[i], err = c.newEventDoc(e); err != nil {
				return err
			}
		}
		c.answer, err = c.render(http.StatusOK, doc)
		return err
	})}
}

// newEventDoc shows an event as the caller's version does.
func (c *call) newEventDoc(e event.Event) (eventDoc, error) {
	data, err := apiversion.RewriteEvent(c.version, string(e.Type), e.Data)
	return eventDoc{e.ID, string(e.Type), c.version, e.BusinessID, e.CreatedAt.Unix(), data}, err
}

// authenticateAgain asks whether a caller who waited may still be answered. A token's scopes never change (CALL-09), but
// whether it counts does. One that does not is told nothing of what was found out about it before.
func (c *call) authenticateAgain(ctx context.Context) error {
	_, err := c.api.OAuth.Authenticate(ctx, wire.Bearer(c.request))
	if err != nil {
		for _, name := range []string{"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", c.api.versionHeader, "Deprecation", "Sunset", "Link"} {
			c.writer.Header().Del(name)
		}
	}
	return err
}

// stay keeps the connection open for a caller who waits: one that has sent nothing for a while would be taken for one that
// left. The rest of the usual time remains for what else it may send.
func (c *call) stay(wait time.Duration) {
	const usual = 30 * time.Second
	if wait > 0 {
		// Where it cannot be set, as in tests, there is none.
		_ = http.NewResponseController(c.writer).SetReadDeadline(clock.System{}.Now().Add(wait + usual))
	}
}
