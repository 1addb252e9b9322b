package reqlog_test

import (
	"context"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/reqlog"
	"daybook/internal/platform/scope"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/organization"
)

var ctx = context.Background()

// world is a log, an app and one of its developers.
type world struct {
	*dbtest.Store
	log       *reqlog.Log
	developer string
	app       string
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		w := &world{Store: s, log: &reqlog.Log{DB: s.DB, Clock: s.Clock}, developer: s.Person(t)}
		must(t, w.log.CleanUp(ctx))
		w.app = w.newApp(t)
		test(t, w)
	})
}

func (w *world) newApp(t *testing.T) string {
	t.Helper()
	o, err := (&organization.Service{DB: w.DB, IDs: w.IDs}).Create(ctx, "Acme", w.developer)
	must(t, err)
	a, err := (&app.Service{DB: w.DB, IDs: w.IDs, Keys: secret.RandomKeys()}).Create(ctx, o.ID, w.developer, app.New{
		Name: "Ledger", ClientType: app.Public, RedirectURIs: []string{"https://app.example/"}, Scopes: scope.Of(scope.InvoicesRead),
	})
	must(t, err)
	return a.ID
}

// call is an ordinary call, made now.
func (w *world) call() reqlog.Entry {
	return reqlog.Entry{
		AppID: w.app, RequestID: w.IDs.New(id.Request), Method: "GET", Route: "/invoices/{id}", Status: 200, Version: "2026-06-01",
		Duration: 3 * time.Millisecond, BusinessID: "biz_1", UserID: "usr_1",
	}
}

// note keeps calls and writes them.
func (w *world) note(t *testing.T, list ...reqlog.Entry) {
	t.Helper()
	for _, e := range list {
		w.log.Note(e)
	}
	must(t, w.log.Flush(ctx))
}

// all lists every entry that fits, page by page.
func (w *world) all(t *testing.T, f reqlog.Filter, limit int) (found []reqlog.Entry) {
	t.Helper()
	at := ""
	for range 10_000 {
		page, err := w.log.List(ctx, w.app, w.developer, f, at, limit)
		must(t, err)
		if len(page.Entries) > limit {
			t.Fatalf("a page of %d, with %d", limit, len(page.Entries))
		}
		if found = append(found, page.Entries...); page.Next == nil {
			return found
		}
		at = *page.Next
	}
	t.Fatal("the list has no end")
	return nil
}

func (w *world) count(t *testing.T, sql string) (n int) {
	t.Helper()
	must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
		n, err = db.One(ctx, tx, db.Value[int], sql)
		return err
	}))
	return n
}

// empty takes all blocks away.
func (w *world) empty(t dbtest.T) {
	t.Helper()
	must(t, w.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM request_blocks`)
		return err
	}))
}

// at is a call that came at another time.
func (w *world) at(t time.Time) reqlog.Entry {
	e := w.call()
	b := id.FirstBits(t)
	fresh, _ := id.BitsOf(id.Request, e.RequestID)
	copy(b[6:], fresh[6:])
	e.RequestID = b.ID(id.Request)
	return e
}

func must(t dbtest.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
