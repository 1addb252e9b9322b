package usage_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/usage"
	"daybook/internal/schema/dbtest"
)

var ctx = context.Background()

// each gives the test an empty store and a meter on it.
func each(t *testing.T, test func(t *testing.T, s *dbtest.Store, m *usage.Meter)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) { test(t, s, &usage.Meter{DB: s.DB}) })
}

// call is an ordinary call, made now.
func call(s *dbtest.Store) usage.Call {
	return usage.Call{
		AppID: "app_1", BusinessID: "biz_1", Method: "GET", Route: "/invoices", Status: 200, Version: "2026-06-01",
		Duration: 3 * time.Millisecond, At: s.Clock.Now(),
	}
}

func must(t dbtest.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// series asks for an app's calls of the last two years: all there are.
func series(t dbtest.T, s *dbtest.Store, m *usage.Meter, appID string, q usage.Query) usage.Series {
	t.Helper()
	if q.From.IsZero() {
		q.From, q.To = s.Clock.Now().AddDate(-2, 0, 0), s.Clock.Now().Add(time.Hour)
	}
	got, err := m.Series(ctx, appID, q)
	must(t, err)
	return got
}

// calls of an app in all.
func calls(t dbtest.T, s *dbtest.Store, m *usage.Meter, appID string) int64 {
	t.Helper()
	return series(t, s, m, appID, usage.Query{}).Totals.Calls
}

// number reads one number from the store.
func number(t *testing.T, s *dbtest.Store, sql string, args ...any) (n int) {
	t.Helper()
	must(t, s.Read(ctx, func(tx *db.Tx) (err error) {
		n, err = db.One(ctx, tx, db.Value[int], sql, args...)
		return err
	}))
	return n
}

// fading is a context that ends after it was asked so many times, which stores do between statements: a crash at every place.
type fading struct {
	context.Context
	end  context.CancelFunc
	left atomic.Int64
}

func fadeAfter(asked int) *fading {
	inner, end := context.WithCancel(ctx)
	f := &fading{Context: inner, end: end}
	f.left.Store(int64(asked))
	return f
}

func (f *fading) Err() error {
	if f.left.Add(-1) < 0 {
		f.end()
	}
	return f.Context.Err()
}
