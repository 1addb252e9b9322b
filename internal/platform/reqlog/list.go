package reqlog

import (
	"context"
	"time"

	"daybook/internal/base/cursor"
	"daybook/internal/base/db"
	"daybook/internal/base/id"
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
		where, err := f.span(tx.Now(), upTo)
		if err != nil {
			return err
		}
		s := newSearch(tx, appID, f, where, limit)
		if err := s.run(ctx); err != nil {
			return err
		}
		page = Page{Entries: s.entries()}
		if s.next != nil {
			written := cursor.Write(s.next.ID(id.Request), "requests", appID, f)
			page.Next = &written
		}
		return nil
	})
	return page, err
}

// span is a range of request ids, to excluded.
type span struct{ from, to id.Bits }

func (s span) empty() bool { return compare(s.from, s.to) >= 0 }

// span is where the filter looks: never at what is older than Retention, nor at or behind where the page before ended.
func (f Filter) span(now time.Time, upTo string) (span, error) {
	s := span{from: id.FirstBits(now.Add(-Retention)), to: endOfTime}
	if !f.From.IsZero() {
		s.from = later(s.from, id.FirstBits(f.From))
	}
	if !f.To.IsZero() {
		s.to = earlier(s.to, id.FirstBits(f.To))
	}
	if f.RequestID != "" {
		only, ok := id.BitsOf(id.Request, f.RequestID)
		if !ok {
			return span{}, nil // nothing has such an id
		}
		s = span{later(s.from, only), earlier(s.to, only.Next())}
	}
	if upTo != "" {
		end, ok := id.BitsOf(id.Request, upTo)
		if !ok {
			return span{}, cursor.ErrInvalid
		}
		s.to = earlier(s.to, end)
	}
	return s, nil
}

// endOfTime is behind every request id.
var endOfTime = id.Bits{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}

func earlier(a, b id.Bits) id.Bits {
	if compare(a, b) < 0 {
		return a
	}
	return b
}

func later(a, b id.Bits) id.Bits {
	if compare(a, b) > 0 {
		return a
	}
	return b
}
