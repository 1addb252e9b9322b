package event_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/platform/event"
	"daybook/internal/platform/scope"
	"daybook/internal/schema/dbtest"
)

var ctx = context.Background()

// world is a log with readers.
type world struct {
	*dbtest.Store
	t    testing.TB
	feed *event.Feed
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		test(t, &world{s, t, &event.Feed{DB: s.DB, Log: &event.Log{IDs: s.IDs}, Clock: s.Clock}})
	})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) sql(statement string, args ...any) {
	w.t.Helper()
	must(w.t, w.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, statement, args...)
		return err
	}))
}

// business makes one.
func (w *world) business() string {
	b := w.IDs.New(id.Business)
	w.sql(`INSERT INTO businesses (id, name, country, currency, time_zone, plan, version, created_at, updated_at)
		VALUES ($1, 'Shop', 'NL', 'EUR', 'UTC', 'FREE', 1, $2, $2)`, b, w.Clock.Now())
	return b
}

// reader is a new app, installed in a business, that registered, was granted and holds the same scopes.
func (w *world) reader(business string, scopes ...scope.Scope) event.Reader {
	r := event.Reader{AppID: w.IDs.New(id.App), BusinessID: business, InstallationID: w.IDs.New(id.Installation), Scopes: scope.Of(scopes...)}
	w.sql(`INSERT INTO apps (id, origin, name, client_id, client_type, redirect_uris, scopes, review_status, version, created_at, updated_at)
		VALUES ($1, 'CONSOLE', 'App', $1, 'PUBLIC', '[]', $2, 'APPROVED', 1, $3, $3)`, r.AppID, r.Scopes.String(), w.Clock.Now())
	w.sql(`INSERT INTO installations (id, business_id, app_id, status, granted_scopes, installed_at, access_epoch, version, updated_at)
		VALUES ($1, $2, $3, 'ACTIVE', $4, $5, 0, 1, $5)`, r.InstallationID, business, r.AppID, r.Scopes.String(), w.Clock.Now())
	return r
}

// tell appends events, for an app if they are of that audience.
func (w *world) tell(business, appID string, types ...event.Type) {
	w.t.Helper()
	must(w.t, w.Write(ctx, func(tx *db.Tx) error { return w.append(tx, w.feed.Log, business, appID, types...) }))
}

func (w *world) append(tx *db.Tx, log *event.Log, business, appID string, types ...event.Type) error {
	var happened []event.Happening
	for _, t := range types {
		h := event.Happening{Type: t, Data: event.Sample(t)}
		if e, _ := event.Find(t); e.Audience == event.ForApp {
			h.AppID = appID
		}
		happened = append(happened, h)
	}
	return log.Append(ctx, tx, business, event.Actor{Type: event.System}, happened...)
}

func still(context.Context) error { return nil }

// read gives a page of all that a reader may see.
func (w *world) read(who event.Reader, q event.Query) (event.Page, error) {
	if q.Limit == 0 {
		q.Limit = event.MaxPage
	}
	if q.Types == 0 {
		q.Types = event.AllTypes
	}
	return w.feed.Read(ctx, who, q, still)
}

// numbers are those of a page that must be there.
func (w *world) numbers(who event.Reader, q event.Query) string {
	w.t.Helper()
	p, err := w.read(who, q)
	must(w.t, err)
	list := []int64{}
	for _, e := range p.Events {
		list = append(list, e.Number)
	}
	return fmt.Sprint(list, p.More)
}

// ids are those of all events of a business, in the order of their numbers.
func (w *world) ids(business string) []string {
	w.t.Helper()
	var list []string
	must(w.t, w.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = db.All(ctx, tx, db.Value[string], `SELECT id FROM events WHERE business_id = $1 ORDER BY number`, business)
		return err
	}))
	return list
}

// EVTS-01: what an app sees hangs on the token, the app and the installation, each time it reads.
func TestEveryGateIsAsked(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.business()
		all := []scope.Scope{scope.InvoicesRead, scope.CustomersRead, scope.EventsRead}
		r, other := w.reader(b, all...), w.reader(b, all...)
		w.tell(b, r.AppID, event.InvoiceCreated, event.CustomerCreated, event.AppInstalled, event.PaymentReceived, event.CustomerRedact)
		w.tell(b, other.AppID, event.AppInstalled)
		w.tell(w.business(), "", event.InvoiceCreated)
		is := func(what string, who event.Reader, want string) {
			t.Helper()
			if got := w.numbers(who, event.Query{}); got != want {
				t.Errorf("%s: %s, want %s", what, got, want)
			}
		}
		is("all", r, "[1 2 3 5] false")
		is("the other app", other, "[1 2 5 6] false")
		narrow := r
		narrow.Scopes = scope.Of(scope.EventsRead, scope.CustomersRead)
		is("a narrow token", narrow, "[2 3 5] false")
		w.sql(`UPDATE apps SET scopes = 'events:read invoices:read' WHERE id = $1`, r.AppID)
		is("no longer registered", r, "[1 3] false")
		w.sql(`UPDATE installations SET granted_scopes = 'customers:read events:read' WHERE id = $1`, r.InstallationID)
		is("one registered, the other granted", r, "[3] false")
		w.sql(`UPDATE apps SET scopes = $2 WHERE id = $1`, r.AppID, r.Scopes.String())
		is("no longer granted", r, "[2 3 5] false")
		w.sql(`UPDATE installations SET status = 'UNINSTALLED' WHERE id = $1`, r.InstallationID)
		is("uninstalled", r, "[] false")
		w.sql(`UPDATE installations SET status = 'ACTIVE', granted_scopes = $2 WHERE id = $1`, r.InstallationID, r.Scopes.String())
		is("as before", r, "[1 2 3 5] false")
		w.sql(`UPDATE apps SET suspended_at = 1 WHERE id = $1`, r.AppID)
		is("suspended", r, "[] false")

		// One by one, the same events are there (EVTS-04).
		for i, eventID := range w.ids(b) {
			_, err := w.feed.Get(ctx, other, eventID)
			if want := i != 2 && i != 3; (err == nil) != want || err != nil && !errors.Is(err, event.ErrNotFound) {
				t.Errorf("event %d: %v", i+1, err)
			}
		}
	})
}

// EVTS-02: an event can be read and be a cursor for 30 days, to the millisecond.
func TestAnEventLivesThirtyDays(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.business()
		r := w.reader(b, scope.CustomersRead)
		w.tell(b, "", event.CustomerCreated)
		w.Clock.Advance(time.Millisecond)
		w.tell(b, "", event.CustomerCreated)
		old := w.ids(b)[0]
		w.Clock.Advance(event.Life - time.Millisecond)
		there := func(want bool) {
			t.Helper()
			_, err := w.read(r, event.Query{After: &old})
			_, getting := w.feed.Get(ctx, r, old)
			if (err == nil) != want || (getting == nil) != want || err != nil && (!errors.Is(err, event.ErrCursor) || !errors.Is(getting, event.ErrNotFound)) {
				t.Errorf("want %v: %v, %v", want, err, getting)
			}
		}
		must(t, w.feed.CleanUp(ctx))
		there(true)
		if got := w.numbers(r, event.Query{}); got != "[1 2] false" {
			t.Error(got)
		}
		w.Clock.Advance(time.Millisecond)
		there(false) // although it was not cleaned up yet
		if got := w.numbers(r, event.Query{}); got != "[2] false" {
			t.Error(got)
		}
		must(t, w.feed.CleanUp(ctx))
		there(false)
		if n := len(w.ids(b)); n != 1 {
			t.Errorf("%d are left", n)
		}
		w.Clock.Advance(time.Hour)
		must(t, w.feed.CleanUp(ctx))
		if got := w.numbers(r, event.Query{}); got != "[] false" || len(w.ids(b)) != 0 {
			t.Error(got)
		}
		w.tell(b, "", event.CustomerCreated) // the count goes on
		if got := w.numbers(r, event.Query{}); got != "[3] false" {
			t.Error(got)
		}
	})
}

func TestTheCleanUpWorksInBatches(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.business()
		many := make([]event.Type, 401)
		for i := range many {
			many[i] = event.CustomerCreated
		}
		for range 3 {
			w.tell(b, "", many...)
		}
		w.Clock.Advance(event.Life + time.Millisecond)
		w.tell(b, "", event.CustomerCreated)
		must(t, w.feed.CleanUp(ctx))
		if n := len(w.ids(b)); n != 1 {
			t.Errorf("%d are left", n)
		}
	})
}

// A reader of something rare does not read everything in between again and again, and yet misses nothing.
func TestQuietStretchesAreSkipped(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.business()
		r := w.reader(b, scope.InvoicesRead, scope.CustomersRead)
		many := make([]event.Type, 600)
		for i := range many {
			many[i] = event.InvoiceUpdated
		}
		rare := event.Query{}
		var err error
		rare, err = event.ParseQuery(map[string][]string{"types": {"customer.deleted,customer.created"}})
		must(t, err)
		w.tell(b, "", event.CustomerCreated)
		w.tell(b, "", many...)
		for range 3 {
			if got := w.numbers(r, rare); got != "[1] false" {
				t.Fatal(got)
			}
		}
		rare.After = &w.ids(b)[0]
		for range 3 {
			if got := w.numbers(r, rare); got != "[] false" {
				t.Fatal(got)
			}
		}
		w.tell(b, "", event.CustomerDeleted)
		if got := w.numbers(r, rare); got != "[602] false" {
			t.Error(got)
		}
		if got := w.numbers(r, event.Query{After: rare.After, Limit: 2}); got != "[2 3] true" { // another set of types
			t.Error(got)
		}
		other := r
		other.Scopes = scope.Of(scope.CustomersRead)
		if got := w.numbers(other, event.Query{}); got != "[1 602] false" {
			t.Error(got)
		}
	})
}

// Two statements: how the reader stands, and the events.
func TestStatementsOfAPage(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.business()
		r := w.reader(b, scope.CustomersRead)
		w.tell(b, "", event.CustomerCreated, event.CustomerArchived)
		ids := w.ids(b)
		for after, most := range map[string]int64{"": 2, ids[0]: 2, ids[1]: 1} {
			q := event.Query{Types: event.AllTypes, Limit: 100}
			if after != "" {
				q.After = &after
			}
			counting, n := db.Counting(ctx)
			if _, err := w.feed.Read(counting, r, q, still); err != nil || n.Load() > most {
				t.Errorf("after %q: %d statements, %v", after, n.Load(), err)
			}
		}
	})
}

func TestPeopleReadTheNewestFirst(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		shop, other := w.business(), w.business()
		app := w.reader(shop, "invoices:read")
		w.tell(shop, app.AppID, event.InvoiceCreated, event.AppInstalled, event.InvoicePaid)
		w.tell(other, "", event.CustomerCreated)
		for most, want := range map[int]string{10: "[invoice.paid app.installed invoice.created]", 2: "[invoice.paid app.installed]"} {
			list, err := w.feed.Recent(ctx, shop, most)
			must(t, err)
			var types []event.Type
			for _, e := range list {
				types = append(types, e.Type)
			}
			if got := fmt.Sprint(types); got != want {
				t.Errorf("%d: %s", most, got)
			}
		}
		w.Clock.Advance(event.Life + time.Second)
		if list, err := w.feed.Recent(ctx, shop, 10); err != nil || len(list) > 0 {
			t.Errorf("after 30 days: %v, %v", list, err)
		}
	})
}
