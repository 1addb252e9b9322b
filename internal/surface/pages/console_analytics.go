package pages

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"daybook/internal/base/id"
	"daybook/internal/platform/usage"
)

type consoleAnalyticsView struct {
	Periods, Grains, Groups []choiceLink
	Business                string // whose calls alone are shown; empty for all
	All                     string // where those of all are shown
	Tiles                   []tile
	Charts                  []chartView
	Grouped                 string // what the rows are told apart by; empty for times
	Grain                   string // hour or day
	Rows                    []figuresRow
	Open                    bool // the table is short enough to be open at once
	Deliveries, Installs    []tile
	Shares                  *chartView // of the deliveries
	DeliveriesPath          string
	Requests                string
}

// choiceLink is a choice that is made by following a link.
type choiceLink struct {
	Name, Path string
	Chosen     bool
}

// figuresRow is a row of the table beneath the charts.
type figuresRow struct {
	Name                       string
	Calls, Errors, RateLimited string
	P50, P95                   string
}

var consoleAnalyticsPage = newPage[consoleAnalyticsView]("console-analytics.html")

// period is a time up to now, and how finely it can be looked at.
type period struct {
	Key, Name string
	Length    time.Duration
	Grains    []usage.Granularity // the usual one first
}

const aDay = 24 * time.Hour

var periods = []period{
	{"day", "24 hours", aDay, []usage.Granularity{usage.Hour}},
	{"week", "7 days", 7 * aDay, []usage.Granularity{usage.Hour, usage.Day}},
	{"month", "30 days", 30 * aDay, []usage.Granularity{usage.Day, usage.Hour}},
	{"year", "12 months", 365 * aDay, []usage.Granularity{usage.Day}},
}

var grainWords = map[usage.Granularity]string{usage.Hour: "hour", usage.Day: "day"}

var groupings = []struct {
	Group usage.Group
	Name  string
}{{"", "all calls"}, {usage.ByRoute, "each route"}, {usage.ByStatus, "each status"}, {usage.ByVersion, "each version"}}

// analyticsAsk is what the address of the page asks for. What does not exist is forgotten.
type analyticsAsk struct {
	period   period
	grain    usage.Granularity
	group    usage.Group
	business string
}

func readAnalytics(q url.Values) analyticsAsk {
	ask := analyticsAsk{period: periods[2]}
	for _, p := range periods {
		if p.Key == q.Get("period") {
			ask.period = p
		}
	}
	ask.grain = ask.period.Grains[0]
	for _, g := range ask.period.Grains {
		if grainWords[g] == q.Get("by") {
			ask.grain = g
		}
	}
	for _, g := range groupings {
		if string(g.Group) == q.Get("group") {
			ask.group = g.Group
		}
	}
	if b := q.Get("business"); id.Valid(id.Business, b) {
		ask.business = b
	}
	return ask
}

// query is the address of the page that shows it.
func (a analyticsAsk) query() string {
	q := url.Values{"period": {a.period.Key}, "by": {grainWords[a.grain]}}
	if a.group != "" {
		q.Set("group", string(a.group))
	}
	if a.business != "" {
		q.Set("business", a.business)
	}
	return "?" + q.Encode()
}

// asked is the question to the meter. The first hour or day counts whole.
func (a analyticsAsk) asked(now time.Time) usage.Query {
	q := usage.Query{From: now.Add(-a.period.Length).Truncate(lengths[a.grain]), To: now, Granularity: a.grain, GroupBy: a.group}
	if a.business != "" {
		q.BusinessID = &a.business
	}
	return q
}

var lengths = map[usage.Granularity]time.Duration{usage.Hour: time.Hour, usage.Day: aDay}

func (s *Site) consoleAnalytics(w http.ResponseWriter, r *http.Request, in inApp) error {
	ask := readAnalytics(r.URL.Query())
	q := ask.asked(in.now)
	series, err := s.Usage.Series(r.Context(), in.app.ID, q)
	if err != nil {
		return err
	}
	hooks, err := s.Tally.Of(r.Context(), in.app.ID, in.who.user.ID, ask.business, q.From, q.To)
	if err != nil {
		return err
	}
	installs, err := s.Installations.CountOfApp(r.Context(), in.app.ID, in.who.user.ID, ask.business, q.From, q.To)
	if err != nil {
		return err
	}
	v := in.analyticsView(ask, series)
	v.Deliveries = []tile{{grouped(hooks.Delivered), "delivered"}, {grouped(hooks.Retrying), "retrying"}, {grouped(hooks.Failed), "failed"}}
	if hooks.MedianMs != nil {
		v.Deliveries = append(v.Deliveries, tile{grouped(*hooks.MedianMs) + " ms", "median until accepted"})
	}
	v.Shares = shares(hooks.Delivered, hooks.Retrying, hooks.Failed)
	v.Installs = []tile{{grouped(installs.Active), "active now"}, {grouped(installs.Installed), "installed"}, {grouped(installs.Uninstalled), "uninstalled"}}
	consoleAnalyticsPage.write(w, r, s, http.StatusOK, in.frame("Analytics", "Analytics"), v)
	return nil
}

// analyticsView is what is shown of a series.
func (in inApp) analyticsView(ask analyticsAsk, series usage.Series) consoleAnalyticsView {
	here := in.path("/analytics")
	v := consoleAnalyticsView{Business: ask.business, Grain: grainWords[ask.grain], Grouped: string(ask.group), DeliveriesPath: in.path("/deliveries"), Requests: in.path("/requests")}
	for _, p := range periods {
		to := analyticsAsk{p, p.Grains[0], ask.group, ask.business}
		v.Periods = append(v.Periods, choiceLink{p.Name, here + to.query(), p.Key == ask.period.Key})
	}
	for _, g := range ask.period.Grains {
		to := analyticsAsk{ask.period, g, ask.group, ask.business}
		v.Grains = append(v.Grains, choiceLink{grainWords[g], here + to.query(), g == ask.grain})
	}
	for _, g := range groupings {
		to := analyticsAsk{ask.period, ask.grain, g.Group, ask.business}
		v.Groups = append(v.Groups, choiceLink{g.Name, here + to.query(), g.Group == ask.group})
	}
	v.All = here + analyticsAsk{ask.period, ask.grain, ask.group, ""}.query()
	if len(series.Points) == 0 {
		return v
	}
	t := series.Totals
	v.Tiles = []tile{{grouped(t.Calls), "calls"}, {grouped(t.Errors), "errors"}, {grouped(t.RateLimited), "rate-limited"}, {ms(t.P50Ms), "p50"}, {ms(t.P95Ms), "p95"}}
	if ask.group == "" {
		v.Charts, v.Rows = seriesCharts(series), timeRows(series)
	} else {
		v.Charts, v.Rows = groupCharts(series), groupRows(series)
	}
	const short = 31
	v.Open = len(v.Rows) <= short
	return v
}

// timeRows are the hours or days of a series, the newest first.
func timeRows(series usage.Series) []figuresRow {
	var rows []figuresRow
	for _, p := range slices.Backward(series.Points) {
		row := rowOf(p.Sums)
		row.Name = momentName(p.At, series.Granularity)
		rows = append(rows, row)
	}
	return rows
}

// groupRows add up the points of each group, the most called first. How long calls took cannot be added up: the slowest hour or day
// stands for them.
func groupRows(series usage.Series) []figuresRow {
	var rows []figuresRow
	for _, g := range groupsOf(series) {
		row := rowOf(g.sums)
		row.Name = visible(g.name)
		rows = append(rows, row)
	}
	return rows
}

func rowOf(s usage.Sums) figuresRow {
	return figuresRow{Calls: grouped(s.Calls), Errors: grouped(s.Errors), RateLimited: grouped(s.RateLimited), P50: ms(s.P50Ms), P95: ms(s.P95Ms)}
}

// groupOfCalls is a group of a series with its points.
type groupOfCalls struct {
	name   string
	sums   usage.Sums
	points []usage.Point
}

func groupsOf(series usage.Series) []groupOfCalls {
	at := map[string]int{}
	var list []groupOfCalls
	for _, p := range series.Points {
		i, known := at[p.Group]
		if !known {
			i = len(list)
			at[p.Group] = i
			list = append(list, groupOfCalls{name: cmp.Or(p.Group, "none")})
		}
		g := &list[i]
		g.points = append(g.points, p)
		g.sums.Calls += p.Calls
		g.sums.Errors += p.Errors
		g.sums.RateLimited += p.RateLimited
		g.sums.P50Ms, g.sums.P95Ms = max(g.sums.P50Ms, p.P50Ms), max(g.sums.P95Ms, p.P95Ms)
	}
	slices.SortStableFunc(list, func(a, b groupOfCalls) int { return cmp.Compare(b.sums.Calls, a.sums.Calls) })
	return list
}

// momentName is an hour or a day as a table has it.
func momentName(t time.Time, g usage.Granularity) string {
	if g == usage.Hour {
		return t.UTC().Format("2 Jan, 15:04")
	}
	return t.UTC().Format("2 Jan 2006")
}

// grouped is a number with its thousands apart.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "\u202f" + digits[i:]
	}
	return digits
}

// ms is a length of time in milliseconds.
func ms(n float64) string {
	if n > 0 && n < 10 {
		return strconv.FormatFloat(n, 'f', 1, 64) + " ms"
	}
	return grouped(int64(n+0.5)) + " ms"
}
