package reqlog

import (
	"context"
	"time"

	"daybook/internal/base/cursor"
	"daybook/internal/base/db"
	"daybook/internal/platform/app"
	"daybook/internal/tenancy/organization"
)

// MaxPage is how many entries a page has at most.
const MaxPage = 100

// Filter narrows a list; an empty member does not.
type Filter struct {
	RequestID  string
	Status     int
	Code       string
	Route      string
	BusinessID string
	From, To   time.Time // To excluded
}

// Page is a part of a list.
type Page struct {
	Entries []Entry
	// Next is the cursor of the page that follows; nil at the end. A page may have less than was asked for, and even nothing, and
	// yet a next one: the search goes on there.
	Next *string
}

// List shows the calls of an app to a member of its organization, newest first. limit is at most MaxPage.
func (l *Log) List(ctx context.Context, appID, by string, f Filter, at string, limit int) (Page, error) {
	var page Page
	err := l.DB.Snapshot(ctx, func(tx *db.Tx) error {
		if _, err := app.Authorize(ctx, tx, appID, by, organization.Look); err != nil {
			return err
		}
		upTo, err := cursor.Read(at, "requests", appID, f)
		if err != nil {
			return err
		}
		found, next, err := f.search(ctx, tx, appID, f.span(tx.Now(), upTo), limit)
		page = Page{Entries: found}
		if next != "" {
			written := cursor.Write(next, "requests", appID, f)
			page.Next = &written
		}
		return err
	})
	return page, err
}

// span is a range of request ids, to excluded.
type span struct{ from, to string }

// lastID is behind every request id.
const lastID = "req_~"

// span is where the filter looks: never at what is older than Retention, nor at or behind where the page before ended.
func (f Filter) span(now time.Time, upTo string) span {
	s := span{firstID(now.Add(-Retention)), lastID}
	if !f.From.IsZero() {
		s.from = max(s.from, firstID(f.From))
	}
	if !f.To.IsZero() {
		s.to = min(s.to, firstID(f.To))
	}
	if upTo != "" {
		s.to = min(s.to, upTo)
	}
	return s
}

// condition is that a column has a value.
type condition struct {
	column string
	value  any
}

// conditions of a filter, besides time and id.
func (f Filter) conditions() []condition {
	var list []condition
	for _, c := range []condition{{"code", f.Code}, {"status", f.Status}, {"business_id", f.BusinessID}, {"route", f.Route}} {
		if c.value != "" && c.value != 0 {
			list = append(list, c)
		}
	}
	return list
}

// stride is how many entries that meet one of several conditions are looked at in one go, and strides how many goes one page has: a
// search that finds next to nothing answers in time, and the next page goes on with it.
var stride = 4000

const strides = 5

// search finds up to limit entries, and where the next page begins; empty at the end.
func (f Filter) search(ctx context.Context, tx *db.Tx, appID string, s span, limit int) (found []Entry, next string, err error) {
	if f.RequestID != "" {
		s = span{max(s.from, f.RequestID), min(s.to, f.RequestID+"0")}
	}
	conditions := f.conditions()
	for range strides {
		lead, part, last, err := choose(ctx, tx, appID, conditions, s)
		if err != nil {
			return nil, "", err
		}
		more, err := find(ctx, tx, appID, lead, conditions, part, limit-len(found)+1)
		if err != nil {
			return nil, "", err
		}
		if found = append(found, more...); len(found) > limit {
			return found[:limit], found[limit-1].RequestID, nil
		}
		if last {
			return found, "", nil
		}
		s.to = part.from
	}
	return found, s.to, nil
}

// choose picks the condition by which a search gets ahead the furthest, and how far. One alone finds nothing in vain, so it may go
// all the way.
func choose(ctx context.Context, tx *db.Tx, appID string, conditions []condition, s span) (lead *condition, part span, last bool, err error) {
	if len(conditions) == 0 {
		return nil, s, true, nil
	}
	lead, part, last = &conditions[0], s, true
	if len(conditions) == 1 {
		return lead, part, last, nil
	}
	for i := range conditions {
		from, ends, err := strideFrom(ctx, tx, appID, conditions[i], s, stride)
		if err != nil {
			return nil, s, false, err
		}
		if i == 0 || from < part.from {
			lead, part.from, last = &conditions[i], from, ends
		}
		if ends {
			break
		}
	}
	return lead, part, last, nil
}
