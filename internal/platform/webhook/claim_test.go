package webhook

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/schema/dbtest"
)

// backlog writes waiting deliveries of so many webhooks, all due.
func (w *world) backlog(t testing.TB, n, webhooks int) []string {
	t.Helper()
	ids := make([]string, webhooks)
	for i := range ids {
		ids[i] = "whk_" + strconv.Itoa(i)
	}
	now := w.Clock.Now()
	const together = 3200
	for done := 0; done < n; done += together {
		must(t, w.Write(ctx, func(tx *db.Tx) error {
			list := make([]Delivery, min(together, n-done))
			for i := range list {
				event := w.IDs.New("evt")
				list[i] = Delivery{
					ID: w.IDs.New("dlv"), WebhookID: ids[(done+i)%webhooks], AppID: w.app.ID, BusinessID: w.shop, EventID: &event, Type: "invoice.created",
					Body: `{"id":"` + strings.Repeat("x", 600) + `"}`, Status: Queued, DueAt: &now, CreatedAt: now,
				}
			}
			return insertDeliveries(ctx, tx, list)
		}))
	}
	return ids
}

// Of many who claim at once each delivery goes to one.
func TestADeliveryIsClaimedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ids := w.backlog(t, 500, 3)
		var mu sync.Mutex
		owned := map[string]string{}
		var wait sync.WaitGroup
		for i := range 16 {
			owner := fmt.Sprintf("nod_%d", i)
			wait.Go(func() {
				for idle := 0; idle < 3; {
					before := idle
					for _, id := range ids {
						err := w.Write(ctx, func(tx *db.Tx) error {
							got, err := claim(ctx, tx, id, owner, 7)
							if err != nil {
								return err
							}
							mu.Lock()
							defer mu.Unlock()
							for _, d := range got {
								if other := owned[d.ID]; other != "" && other != owner {
									t.Errorf("%s and %s have %s", other, owner, d.ID)
								}
								owned[d.ID] = owner
							}
							if len(got) == 0 {
								idle = before + 1
							}
							return nil
						})
						if err != nil {
							t.Error(err)
							return
						}
					}
				}
			})
		}
		wait.Wait()
		if n := w.count(t, `SELECT count(*) FROM deliveries WHERE owner IS NULL`); n != 0 || len(owned) != 500 {
			t.Errorf("%d were claimed, %d were not", len(owned), n)
		}
	})
}

// TestAClaimTakesWhatItAsksFor, and on PostgreSQL locks no more: the rest is another's at the same moment.
func TestAClaimTakesWhatItAsksFor(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.backlog(t, 250, 1)[0]
		take := func(tx *db.Tx, limit, want int) error {
			got, err := claim(ctx, tx, id, "nod_1", limit)
			if err == nil && len(got) != want {
				t.Errorf("%d of %d claimed", len(got), limit)
			}
			return err
		}
		for _, limit := range []int{1, 7, 8, 9, 64, 65} {
			must(t, w.Write(ctx, func(tx *db.Tx) error { return take(tx, limit, limit) }))
		}
		if w.Dialect() == db.Postgres {
			must(t, w.Write(ctx, func(first *db.Tx) error {
				return errors.Join(take(first, 1, 1), w.Write(ctx, func(second *db.Tx) error { return take(second, 90, 90) }))
			}))
			must(t, w.Write(ctx, func(tx *db.Tx) error { return take(tx, 128, 5) }))
			return
		}
		must(t, w.Write(ctx, func(tx *db.Tx) error { return take(tx, 128, 96) }))
	})
}

// A claim costs the same however much waits: DAYBOOK_WAITING=1000000 measures it, beside 1,000 in the same run. It asserts
// nothing, since machines are noisy.
func TestWhatAClaimCosts(t *testing.T) {
	most, err := strconv.Atoi(os.Getenv("DAYBOOK_WAITING"))
	if err != nil {
		t.Skip("DAYBOOK_WAITING is not set")
	}
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		w := newWorld(t, s)
		const webhooks = 20
		var first map[string]time.Duration
		for _, n := range []int{1_000, most} {
			w.exec(t, `DELETE FROM deliveries`)
			ids := w.backlog(t, n, webhooks)
			if w.Dialect() == db.Postgres { // what writing so much leaves behind for whoever reads first is no part of a claim
				w.exec(t, `ANALYZE deliveries`)
				w.count(t, `SELECT count(*) FROM deliveries WHERE body <> ''`)
				w.exec(t, `CHECKPOINT`)
			}
			cost := map[string]time.Duration{
				"claim of 8": w.cost(t, func(tx *db.Tx, i int) error {
					got, err := claim(ctx, tx, ids[i%webhooks], "nod_1", 8)
					if err == nil && len(got) != 8 {
						err = fmt.Errorf("%d claimed", len(got))
					}
					return err
				}),
				"sweep": w.cost(t, func(tx *db.Tx, _ int) error {
					_, err := dueWebhooks(ctx, tx, w.Clock.Now())
					return err
				}),
			}
			if first == nil {
				first = cost
			}
			for name, each := range cost {
				t.Logf("%7d waiting: a %s takes %v, %.2f times that with 1000", n, name, each, float64(each)/float64(first[name]))
			}
		}
	})
}

// cost is what the fastest tenth of many takes at most: the others tell of what else the machine did.
func (w *world) cost(t testing.TB, do func(*db.Tx, int) error) time.Duration {
	t.Helper()
	var spent []time.Duration
	for i := range 2000 {
		must(t, w.Write(ctx, func(tx *db.Tx) error {
			elapsed := clock.Stopwatch()
			if err := do(tx, i); err != nil {
				return err
			}
			spent = append(spent, elapsed())
			_, err := tx.Exec(ctx, `UPDATE deliveries SET owner = NULL WHERE owner = 'nod_1'`)
			return err
		}))
	}
	slices.Sort(spent)
	return spent[len(spent)/10]
}
