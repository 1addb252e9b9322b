package consoleapi

import (
	"context"
	"time"

	"daybook/internal/base/id"
	"daybook/internal/platform/install"
	"daybook/internal/platform/tally"
	"daybook/internal/platform/usage"
	"daybook/internal/surface/wire"
)

type analyticsDoc struct {
	From        string     `json:"from" doc:"The beginning of the first hour or day."`
	To          string     `json:"to"`
	Granularity string     `json:"granularity" enum:"HOUR,DAY"`
	Series      []pointDoc `json:"series" nullable:"false" doc:"In the order of time, then of groups. Hours and days without a call have no point."`
	Totals      SumsDoc    `json:"totals"`
	Webhooks    hooksDoc   `json:"webhooks"`
	Installs    installDoc `json:"installs"`
}

type pointDoc struct {
	At    string  `json:"at" doc:"When the hour or day begins."`
	Group *string `json:"group" doc:"The route (GET /invoices), status or version; null without groupBy."`
	SumsDoc
}

// SumsDoc adds calls up.
type SumsDoc struct {
	Calls       int64   `json:"calls"`
	Errors      int64   `json:"errors" doc:"Answers of status 400 and above, refusals by a limit among them."`
	RateLimited int64   `json:"rateLimited"`
	P50Ms       float64 `json:"p50Ms"`
	P95Ms       float64 `json:"p95Ms"`
}

type hooksDoc struct {
	Delivered int64  `json:"delivered"`
	Failed    int64  `json:"failed"`
	Retrying  int64  `json:"retrying"`
	MedianMs  *int64 `json:"medianMs" doc:"How long receivers took to accept a delivery, of the newest 1000 of each webhook; null when there is none."`
}

type installDoc struct {
	Active      int64 `json:"active" doc:"At the end of the time."`
	Installed   int64 `json:"installed"`
	Uninstalled int64 `json:"uninstalled"`
}

func newSumsDoc(s usage.Sums) SumsDoc {
	return SumsDoc{s.Calls, s.Errors, s.RateLimited, s.P50Ms, s.P95Ms}
}

func (a *API) analyticsRoutes() []Route {
	return []Route{
		{Method: "GET", Path: "/developer/apps/{appId}/analytics", Summary: "Show how often an app calls, and what becomes of its deliveries and installations",
			About: "Calls are known by hours for 30 days and by days for 13 months, deliveries for 30 days. Calls of the last few seconds may be missing.",
			verb:  show(a.analytics),
			Params: []Param{
				{"from", "An instant such as 2026-12-01T00:00:00Z; by default a day before to for HOUR, 30 days for DAY."},
				{"to", "An instant; by default now."},
				{"granularity", "HOUR or DAY, which is the default."},
				{"groupBy", "route, status or version."},
				{"businessId", "Only this business."},
			}},
	}
}

// The longest time that one answer covers: so many points are enough for any screen.
var longest = map[usage.Granularity]int{usage.Hour: 31, usage.Day: 400} // days

// spans of the points.
var spans = map[usage.Granularity]time.Duration{usage.Hour: time.Hour, usage.Day: 24 * time.Hour}

func (a *API) analytics(ctx context.Context, c *call) (analyticsDoc, error) {
	q, err := a.analyticsQuery(c)
	if err != nil || c.wrong.Err() != nil {
		return analyticsDoc{}, err
	}
	series, err := a.Usage.Series(ctx, c.app.ID, q)
	if err != nil {
		return analyticsDoc{}, err
	}
	var business string
	if q.BusinessID != nil {
		business = *q.BusinessID
	}
	from, to := series.From.Truncate(spans[series.Granularity]), series.To // the first hour or day counts whole
	hooks, err := a.Tally.Of(ctx, c.app.ID, c.by(), business, from, to)
	if err != nil {
		return analyticsDoc{}, err
	}
	installs, err := a.Installations.CountOfApp(ctx, c.app.ID, c.by(), business, from, to)
	if err != nil {
		return analyticsDoc{}, err
	}
	return newAnalyticsDoc(series, from, hooks, installs), nil
}

func newAnalyticsDoc(s usage.Series, from time.Time, hooks tally.Stats, installs install.Counts) analyticsDoc {
	doc := analyticsDoc{
		From: instant(from), To: instant(s.To), Granularity: string(s.Granularity), Series: make([]pointDoc, len(s.Points)), Totals: newSumsDoc(s.Totals),
		Webhooks: hooksDoc{hooks.Delivered, hooks.Failed, hooks.Retrying, hooks.MedianMs}, Installs: installDoc{installs.Active, installs.Installed, installs.Uninstalled},
	}
	for i, p := range s.Points {
		doc.Series[i] = pointDoc{At: instant(p.At), SumsDoc: newSumsDoc(p.Sums)}
		if s.GroupBy != "" {
			doc.Series[i].Group = &p.Group
		}
	}
	return doc
}

// analyticsQuery reads what is asked for, and says everything that is wrong with it.
func (a *API) analyticsQuery(c *call) (usage.Query, error) {
	q := query{of: c.param}
	u := usage.Query{From: q.instant("from"), To: q.instant("to"), Granularity: usage.Granularity(q.word("granularity")), GroupBy: usage.Group(q.word("groupBy"))}
	if b := q.id("businessId", id.Business); b != "" {
		u.BusinessID = &b
	}
	now := a.Clock.Now()
	to, granularity := u.To, u.Granularity
	if to.IsZero() {
		to = now
	}
	if granularity == "" {
		granularity = usage.Day
	}
	if days := longest[granularity]; days > 0 && !u.From.IsZero() {
		q.wrong.Require(to.Sub(u.From) <= time.Duration(days)*24*time.Hour, "from", "must be at most %d days before to when granularity is %s", days, granularity)
	}
	return u, wire.Merge(q.wrong.Err(), u.Check(now))
}
