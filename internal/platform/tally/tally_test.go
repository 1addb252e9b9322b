package tally

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
	"daybook/internal/platform/webhook"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/organization"
)

var ctx = context.Background()

// world is an app on a store, without any delivery, and somebody of its organization.
type world struct {
	*dbtest.Store
	tally     *Service
	developer string
	appID     string
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		w := &world{Store: s, tally: &Service{DB: s.DB}, developer: s.Person(t)}
		o, err := (&organization.Service{DB: s.DB, IDs: s.IDs}).Create(ctx, "Acme", w.developer)
		must(t, err)
		made, err := (&app.Service{DB: s.DB, IDs: s.IDs, Keys: secret.RandomKeys()}).Create(ctx, o.ID, w.developer, app.New{
			Name: "Ledger", ClientType: app.Public, RedirectURIs: []string{"https://app.example/"}, Scopes: scope.Of(scope.InvoicesRead),
		})
		must(t, err)
		w.appID = made.App.ID
		test(t, w)
	})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) exec(t testing.TB, sql string, args ...any) {
	t.Helper()
	must(t, w.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	}))
}

func (w *world) count(t testing.TB, sql string, args ...any) (n int) {
	t.Helper()
	must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
		n, err = db.One(ctx, tx, db.Value[int], sql, args...)
		return err
	}))
	return n
}

// hook is a webhook of the app; a function's, if it is of one.
func (w *world) hook(t testing.TB, functionID *string) string {
	t.Helper()
	hookID := w.IDs.New("whk")
	w.exec(t, `INSERT INTO webhooks (id, app_id, url, events, enabled, secret, function_id, version, created_at, updated_at) VALUES ($1, $2, '', '', 1, $3, $4, 1, 0, 0)`,
		hookID, w.appID, []byte{1}, functionID)
	return hookID
}

func (w *world) stats(t testing.TB, businessID string, from, to time.Time) Stats {
	t.Helper()
	st, err := w.tally.Of(ctx, w.appID, w.developer, businessID, from, to)
	must(t, err)
	return st
}

const shop = "biz_shop"

// made writes a delivery of now as a node leaves it behind.
func (w *world) made(t testing.TB, webhookID, businessID string, status webhook.Status) string {
	t.Helper()
	return w.took(t, webhookID, businessID, status, 7)
}

// took writes one whose second and last attempt took so many milliseconds.
func (w *world) took(t testing.TB, webhookID, businessID string, status webhook.Status, ms int) string {
	t.Helper()
	now, deliveryID := w.Clock.Now(), w.IDs.New("dlv")
	var due, owner any
	switch status {
	case webhook.Queued:
		due, owner = now, "nod_1" // in hand
	case webhook.Retrying:
		due = now.Add(time.Minute)
	}
	must(t, w.Write(ctx, func(tx *db.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO deliveries (id, webhook_id, app_id, business_id, type, body, status, attempts, sent, due_at, owner, created_at)
			VALUES ($1, $2, $3, $4, 'x', '', $5, 2, 2, $6, $7, $8)`, deliveryID, webhookID, w.appID, businessID, status, due, owner, now); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO delivery_attempts (delivery_id, number, at, duration, signature) VALUES ($1, 1, $2, 99999, ''), ($1, 2, $2, $3, '')`, deliveryID, now, ms)
		return err
	}))
	return deliveryID
}

// Whatever is delivered, counted and cleaned up in whatever order, and however often counting is stopped, the figures of any time are
// what a plain list of the deliveries shows.
func TestCountedHoursAgreeWithTheirDeliveries(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		hooks := []string{w.hook(t, nil), w.hook(t, nil)}
		unseen := w.hook(t, new("fun_1"))
		businesses := []string{"biz_1", "biz_2", webhook.TestBusiness}
		type one struct {
			business string
			status   webhook.Status
			at       time.Time
		}
		var list []one
		begun := w.Clock.Now()
		rapid.Check(t, func(r *rapid.T) {
			r.Repeat(map[string]func(*rapid.T){
				"deliver": func(r *rapid.T) {
					for range rapid.IntRange(1, 3).Draw(r, "number") {
						d := one{rapid.SampledFrom(businesses).Draw(r, "business"), rapid.SampledFrom([]webhook.Status{webhook.Delivered, webhook.Delivered, webhook.Failed, webhook.Retrying, webhook.Queued}).Draw(r, "status"), w.Clock.Now()}
						w.made(t, rapid.SampledFrom(hooks).Draw(r, "hook"), d.business, d.status)
						list = append(list, d)
					}
				},
				"count": func(r *rapid.T) { must(t, w.tally.CountHours(ctx)) },
				"count an hour, and no more": func(r *rapid.T) {
					_, err := w.tally.countHour(ctx)
					must(t, err)
				},
				"clean up":              func(r *rapid.T) { must(t, (&webhook.Service{DB: w.DB, Clock: w.Clock}).CleanUp(ctx)) },
				"deliver to a function": func(r *rapid.T) { w.made(t, unseen, businesses[0], webhook.Failed) }, // which is not among an app's deliveries
				"time": func(r *rapid.T) {
					most := rapid.SampledFrom([]int{10, 60, 180, 60 * 24 * 8}).Draw(r, "most")
					w.Clock.Advance(time.Duration(rapid.IntRange(1, most).Draw(r, "minutes")) * time.Minute)
				},
				"look": func(r *rapid.T) {
					now := w.Clock.Now()
					list = slices.DeleteFunc(list, func(d one) bool { return d.at.Before(kept(now)) })
					back := time.Duration(rapid.IntRange(0, 60*24*31).Draw(r, "from")) * time.Minute
					from := now.Add(-back)
					if rapid.Bool().Draw(r, "from a full hour") {
						from = from.Truncate(time.Hour)
					}
					to := now.Add(time.Minute - time.Duration(rapid.IntRange(0, 60*24).Draw(r, "to"))*time.Minute)
					if rapid.Bool().Draw(r, "all of it") {
						from, to = begun, now.Add(time.Minute)
					}
					business := rapid.SampledFrom(append([]string{""}, businesses...)).Draw(r, "whose")
					var want Stats
					for _, d := range list {
						if business != "" && d.business != business || d.at.Before(from) || !d.at.Before(to) {
							continue
						}
						switch d.status {
						case webhook.Delivered:
							want.Delivered++
						case webhook.Failed:
							want.Failed++
						case webhook.Retrying:
							want.Retrying++
						}
					}
					got := w.stats(t, business, from, to)
					if got.MedianMs != nil && (want.Delivered == 0 || *got.MedianMs != 7) { // which is how long all of them took
						r.Fatalf("%q from %v to %v: a median of %d ms, with %d delivered", business, from, to, *got.MedianMs, want.Delivered)
					}
					if got.MedianMs = nil; got != want {
						r.Fatalf("%q from %v to %v at %v: %+v, want %+v", business, from, to, now, got, want)
					}
				},
			})
		})
	})
}

func TestOnlyTheOrganizationIsTold(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		now := w.Clock.Now()
		if _, err := w.tally.Of(ctx, w.appID, w.Person(t), "", now.Add(-time.Hour), now); !errors.Is(err, app.ErrNotFound) {
			t.Errorf("a stranger is told %v", err)
		}
	})
}

func TestTheMedianIsHalfWay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		hook, begun := w.hook(t, nil), w.Clock.Now()
		w.took(t, hook, shop, webhook.Failed, 5000)
		for _, step := range []struct {
			ms   int
			want int64
		}{{10, 10}, {21, 16}, {11, 11}, {1, 11}, {2, 10}} {
			w.Clock.Advance(time.Second)
			w.took(t, hook, shop, webhook.Delivered, step.ms)
			for _, business := range []string{"", shop} {
				if st := w.stats(t, business, begun, w.Clock.Now().Add(time.Second)); st.MedianMs == nil || *st.MedianMs != step.want {
					t.Errorf("of %q after %d ms: %+v, want %d", business, step.ms, st, step.want)
				}
			}
		}
	})
}

// Of many nodes that count at once, each hour is counted by one.
func TestAnHourIsCountedByOneNode(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		hook := w.hook(t, nil)
		const hours, each = 20, 3
		for range hours {
			for range each {
				w.made(t, hook, shop, webhook.Delivered)
			}
			w.Clock.Advance(time.Hour)
		}
		w.Clock.Advance(settled)
		var wait sync.WaitGroup
		for range 8 {
			d, err := db.Open(ctx, db.Options{Database: w.Database, Clock: w.Clock})
			must(t, err)
			t.Cleanup(d.Close)
			node := &Service{DB: d}
			wait.Go(func() {
				if err := node.CountHours(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		for _, business := range []string{"", shop} {
			if n := w.count(t, `SELECT count(*) FROM delivery_counts WHERE business_id = $1 AND made = $2`, business, each); n != hours {
				t.Errorf("%d hours of %q, want %d", n, business, hours)
			}
		}
	})
}

// What is not over for an hour yet may still be growing.
func TestAnHourIsCountedOnceItIsSettled(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		hook := w.hook(t, nil)
		w.made(t, hook, shop, webhook.Delivered)
		w.Clock.Advance(time.Hour + settled - time.Millisecond)
		must(t, w.tally.CountHours(ctx))
		if n := w.count(t, `SELECT count(*) FROM delivery_counts`); n != 0 {
			t.Fatalf("%d rows before it is settled", n)
		}
		w.Clock.Advance(time.Millisecond)
		must(t, w.tally.CountHours(ctx))
		if n := w.count(t, `SELECT count(*) FROM delivery_counts WHERE made = 1`); n != 2 {
			t.Fatalf("%d rows when it is", n)
		}
		w.Clock.Advance(webhook.Retention)
		must(t, w.tally.CountHours(ctx))
		if n := w.count(t, `SELECT count(*) FROM delivery_counts`); n != 0 {
			t.Fatalf("%d rows when the deliveries are gone", n)
		}
	})
}

// A delivery that is removed while its hour is being counted is not counted: what was read before does not count.
func TestWhatIsRemovedMeanwhileIsNotCounted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		hook := w.hook(t, nil)
		w.made(t, hook, shop, webhook.Delivered)
		w.Clock.Advance(time.Hour + settled)
		var was counting
		must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
			was, err = findCounting(ctx, tx)
			return err
		}))
		w.exec(t, `UPDATE delivery_counting SET removals = removals + 1`)
		must(t, w.Write(ctx, func(tx *db.Tx) error {
			mine, err := advance(ctx, tx, was, w.Clock.Now())
			if mine {
				err = fmt.Errorf("what was read before a removal counts")
			}
			return err
		}))
	})
}

// The median of a business with few deliveries among very many is found without looking through all of them.
func TestTheMedianOfOneBusinessIsFoundInItsHours(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		hook := w.hook(t, nil)
		begun := w.Clock.Now()
		w.made(t, hook, "biz_rare", webhook.Delivered)
		for range 40 {
			w.Clock.Advance(time.Hour)
			w.made(t, hook, shop, webhook.Delivered)
		}
		w.Clock.Advance(3 * time.Hour)
		must(t, w.tally.CountHours(ctx))
		p := partsOf(begun, w.Clock.Now(), w.Clock.Now().Add(-settled).Truncate(time.Hour))
		for business, want := range map[string]int{"biz_rare": 1, shop: sampleHours, "biz_none": 0} {
			must(t, w.Read(ctx, func(tx *db.Tx) error {
				places, err := whereToLook(ctx, tx, hook, business, p)
				if len(places) != want+2 { // the two ends, besides
					t.Errorf("%s: %d places, want %d", business, len(places), want+2)
				}
				return err
			}))
		}
		if st := w.stats(t, "biz_rare", begun, w.Clock.Now()); st.Delivered != 1 || st.MedianMs == nil || *st.MedianMs != 7 {
			t.Errorf("%+v", st)
		}
	})
}

func TestATimeIsDividedAtCountedHours(t *testing.T) {
	at := func(hour, minute int) time.Time { return time.Date(2026, 11, 14, hour, minute, 0, 0, time.UTC) }
	for _, c := range []struct {
		name                        string
		from, to, until, begin, end time.Time
	}{
		{"nothing is counted", at(1, 30), at(9, 10), time.UnixMilli(0).UTC(), at(1, 30), at(1, 30)},
		{"all is counted", at(1, 30), at(9, 10), at(12, 0), at(2, 0), at(9, 0)},
		{"full hours", at(1, 0), at(9, 0), at(9, 0), at(1, 0), at(9, 0)},
		{"a part is counted", at(1, 0), at(9, 10), at(7, 0), at(1, 0), at(7, 0)},
		{"within an hour", at(1, 10), at(1, 50), at(7, 0), at(1, 10), at(1, 10)},
		{"over one border", at(1, 10), at(2, 50), at(7, 0), at(1, 10), at(1, 10)},
		{"over two borders", at(1, 10), at(3, 50), at(7, 0), at(2, 0), at(3, 0)},
		{"counted up to before it", at(5, 10), at(9, 50), at(3, 0), at(5, 10), at(5, 10)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, want := partsOf(c.from, c.to, c.until), (parts{c.from, c.begin, c.end, c.to}); got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}
