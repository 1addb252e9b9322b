package consoleapi

import (
	"context"

	"daybook/internal/base/id"
	"daybook/internal/platform/reqlog"
	"daybook/internal/tenancy/organization"
)

// logRoutes are the calls that an app made.
func (a *API) logRoutes() []Route {
	return []Route{{
		Method: "GET", Path: "/developer/apps/{appId}/logs", Of: App, Needs: organization.Look, Summary: "Requests that the app made",
		About: "The calls of the last 7 days, newest first; a call shows up within a second. A page may have fewer entries than asked for and yet a next one.",
		Params: []Param{
			{"requestId", "The Request-Id that the call was answered with."}, {"status", "The HTTP status, such as 429."},
			{"code", "The code of the refusal, such as APP_RATE_LIMITED."}, {"route", "The route as the list shows it, such as /invoices/{id}."},
			{"businessId", "The business that the call was about."}, {"from", "An instant; calls that came before it are left out."},
			{"to", "An instant; calls that came at it or later are left out."}, limitParam, cursorParam,
		},
		verb: page(a.listLogs, newLogDoc),
	}}
}

// The parameters of a list with pages.
var (
	limitParam  = Param{"limit", "How many to show: 1 to 100, 50 by default."}
	cursorParam = Param{"cursor", "Where to go on: nextCursor of the page before."}
)

type logDoc struct {
	RequestID  string  `json:"requestId" doc:"The Request-Id of the answer"`
	At         string  `json:"at" doc:"When the call came"`
	Method     string  `json:"method"`
	Route      *string `json:"route" doc:"The pattern of the path; null for what is not in the table of routes"`
	Status     int     `json:"status"`
	Code       *string `json:"code" doc:"The code of the refusal"`
	Version    *string `json:"version" doc:"The API version that was used; null when the call was refused before"`
	MS         int64   `json:"ms" doc:"How long it took, in milliseconds"`
	BusinessID *string `json:"businessId"`
	UserID     *string `json:"userId" doc:"In whose name"`
}

func newLogDoc(e reqlog.Entry) logDoc {
	return logDoc{
		RequestID: e.RequestID, At: instant(e.At()), Method: e.Method, Route: orNull(e.Route), Status: e.Status, Code: orNull(e.Code), Version: orNull(e.Version),
		MS: e.Duration.Milliseconds(), BusinessID: orNull(e.BusinessID), UserID: orNull(e.UserID),
	}
}

// orNull is how a word that may be missing is shown.
func orNull(word string) *string {
	if word == "" {
		return nil
	}
	return &word
}

func (a *API) listLogs(ctx context.Context, c *call) ([]reqlog.Entry, *string, error) {
	q := query{of: c.param}
	f := reqlog.Filter{
		RequestID: q.id("requestId", id.Request), Status: q.number("status", 0, 100, 599), Code: q.word("code"), Route: q.word("route"),
		BusinessID: q.id("businessId", id.Business),
	}
	f.From, f.To = q.span()
	limit, at := q.number("limit", defaultPage, 1, reqlog.MaxPage), q.word("cursor")
	if err := q.wrong.Err(); err != nil || c.wrong.Err() != nil {
		return nil, nil, err
	}
	found, err := a.Requests.List(ctx, c.at("appId"), c.by(), f, at, limit)
	return found.Entries, found.Next, err
}

// defaultPage is how many a page shows when nobody says.
const defaultPage = 50
