package usage

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
)

// Granularity is the length of time that a point of a series stands for.
type Granularity string

// The granularities. Hours are known for the last 30 days, days for the last 13 months.
const (
	Hour Granularity = "HOUR"
	Day  Granularity = "DAY"
)

var spans = map[Granularity]time.Duration{Hour: hour, Day: day}

// Group is what the points of a series are told apart by.
type Group string

// The groups; empty for none.
const (
	ByRoute   Group = "route"
	ByStatus  Group = "status"
	ByVersion Group = "version"
)

// Query asks for a series.
type Query struct {
	// From and To are instants: points are those of every hour or day that has a part in between, To excluded. Without To it is
	// now, without From a day before for hours and 30 days before for days.
	From, To    time.Time
	Granularity Granularity // default: Day
	BusinessID  *string     // nil: of all businesses
	GroupBy     Group
}

// Series is how often an app called, in the order of time and then of groups. Hours and days without a call have no point.
type Series struct {
	Query  // as it was understood
	Points []Point
	Totals Sums
}

// Point is one hour or day, of one group.
type Point struct {
	At    time.Time // when it begins
	Group string    // the route ("GET /invoices"), the status ("404") or the version; empty without groups
	Sums
}

// Sums add calls up.
type Sums struct {
	Calls       int64
	Errors      int64 // answers of status 400 and above, refusals by a limit among them
	RateLimited int64
	P50Ms       float64
	P95Ms       float64
}

// Series tells how often an app called and how long it took. What it shows is late by what nodes have not flushed yet.
func (m *Meter) Series(ctx context.Context, appID string, q Query) (Series, error) {
	var rows []sumRow
	err := m.DB.Read(ctx, func(tx *db.Tx) (err error) {
		if q, err = q.settle(tx.Now()); err != nil {
			return err
		}
		rows, err = findSums(ctx, tx, appID, q)
		return err
	})
	if err != nil {
		return Series{}, err
	}
	slices.SortFunc(rows, func(a, b sumRow) int { return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.group, b.group)) })
	s := Series{Query: q, Points: make([]Point, len(rows))}
	var all sumRow
	for i, r := range rows {
		s.Points[i] = Point{At: time.UnixMilli(r.at).UTC(), Group: r.group, Sums: r.sums()}
		all.calls, all.errors, all.limited = all.calls+r.calls, all.errors+r.errors, all.limited+r.limited
		all.took.add(r.took)
	}
	s.Totals = all.sums()
	return s, nil
}

// sumRow is a point as the store adds it up.
type sumRow struct {
	at                     int64
	group                  string
	calls, errors, limited int64
	took                   histogram
}

func (r *sumRow) sums() Sums {
	return Sums{Calls: r.calls, Errors: r.errors, RateLimited: r.limited, P50Ms: r.took.percentile(50), P95Ms: r.took.percentile(95)}
}

// Check says what is wrong with a query at an instant.
func (q Query) Check(now time.Time) error {
	_, err := q.settle(now)
	return err
}

// settle fills in what was left open and checks the rest.
func (q Query) settle(now time.Time) (Query, error) {
	var c fault.Check
	if q.Granularity == "" {
		q.Granularity = Day
	}
	_, known := spans[q.Granularity]
	c.Require(known, "granularity", "must be HOUR or DAY")
	if q.To.IsZero() {
		q.To = now
	}
	if q.From.IsZero() {
		q.From = q.To.Add(-30 * day)
		if q.Granularity == Hour {
			q.From = q.To.Add(-day)
		}
	}
	c.Require(q.From.Before(q.To), "from", "must be before to")
	switch q.GroupBy {
	case "", ByRoute, ByStatus, ByVersion:
	default:
		c.Add("groupBy", "must be route, status or version")
	}
	return q, c.Err()
}
