package webhook

import (
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/app"
	"daybook/internal/platform/event"
	"daybook/internal/platform/scope"
)

func (w *world) stats(t *testing.T, businessID string, from, to time.Time) Stats {
	t.Helper()
	st, err := w.hooks.Stats(ctx, w.app.ID, w.developer, businessID, from, to)
	must(t, err)
	return st
}

func TestStatsTellWhatBecameOfDeliveries(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.start(t)
		begun := w.Clock.Now()
		good, bad := newInbox(t), newInbox(t)
		bad.says(500)
		other := w.newBusiness(t)
		w.install(t, other, w.app.ID, scope.InvoicesRead, scope.CustomersRead)
		w.hook(t, good.URL, event.InvoiceCreated)
		failing := w.hook(t, bad.URL, event.CustomerCreated)
		w.happen(t, w.shop, event.InvoiceCreated, event.InvoiceCreated, event.CustomerCreated)
		w.happen(t, other, event.InvoiceCreated)
		w.settle(t, 0)
		end := begun.Add(time.Minute)
		if st := w.stats(t, "", begun, end); st.Delivered != 3 || st.Failed != 0 || st.Retrying != 1 || st.MedianMs == nil || *st.MedianMs < 0 {
			t.Errorf("%+v", st)
		}
		if st := w.stats(t, other, begun, end); st.Delivered != 1 || st.Failed+st.Retrying != 0 || st.MedianMs == nil {
			t.Errorf("of one business: %+v", st)
		}
		if st := w.stats(t, "", begun.Add(-time.Hour), begun); st != (Stats{}) {
			t.Errorf("before anything: %+v", st)
		}
		for range 5 {
			w.settle(t, 6*time.Hour)
		}
		if st := w.stats(t, "", begun, end); st.Delivered != 3 || st.Failed != 1 || st.Retrying != 0 {
			t.Errorf("when all attempts failed: %+v", st)
		}
		must(t, w.hooks.Delete(ctx, w.app.ID, w.developer, failing.ID, 0))
		if st := w.stats(t, "", begun, end); st.Failed != 1 {
			t.Errorf("of a webhook that is gone: %+v", st)
		}
		_, err := w.hooks.Stats(ctx, w.app.ID, w.owner, "", begun, end)
		want(t, err, app.ErrNotFound)
	})
}

func TestTheMedianIsHalfWay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.hook(t, "http://127.0.0.1:9/", event.InvoiceCreated)
		begun := w.Clock.Now()
		deliver := func(ms int, status Status) {
			w.Clock.Advance(time.Second)
			deliveryID := w.IDs.New("dlv")
			w.exec(t, `INSERT INTO deliveries (id, webhook_id, app_id, business_id, type, body, status, attempts, sent, created_at) VALUES ($1, $2, $3, $4, 'x', '', $5, 1, 2, $6)`,
				deliveryID, made.ID, w.app.ID, w.shop, status, w.Clock.Now())
			w.exec(t, `INSERT INTO delivery_attempts (delivery_id, number, at, duration, signature) VALUES ($1, 1, $2, 99999, '')`, deliveryID, w.Clock.Now())
			w.exec(t, `INSERT INTO delivery_attempts (delivery_id, number, at, duration, signature) VALUES ($1, 2, $2, $3, '')`, deliveryID, w.Clock.Now(), ms)
		}
		deliver(5000, Failed)
		for _, step := range []struct {
			ms   int
			want int64
		}{{10, 10}, {21, 16}, {11, 11}, {1, 11}, {2, 10}} {
			deliver(step.ms, Delivered)
			if st := w.stats(t, "", begun, w.Clock.Now().Add(time.Second)); st.MedianMs == nil || *st.MedianMs != step.want {
				t.Errorf("after %d ms: %+v, want %d", step.ms, st, step.want)
			}
		}
	})
}

// What indexes say is what the rows say, whatever there is.
func TestStatsAgreeWithTheRows(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		box := newInbox(t)
		box.set(func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader([]int{204, 500}[rand.IntN(2)]) })
		for range 3 {
			w.hook(t, box.URL, event.InvoiceCreated, event.CustomerCreated)
		}
		begun := w.Clock.Now()
		w.happen(t, w.shop, event.InvoiceCreated) // waits for a node
		w.start(t)
		for range 20 {
			w.happen(t, w.shop, event.InvoiceCreated, event.CustomerCreated)
			w.settle(t, time.Duration(rand.IntN(90))*time.Minute)
			rows := map[Status]int64{}
			must(t, w.Read(ctx, func(tx *db.Tx) error {
				_, err := db.All(ctx, tx, func(scan db.Scan) (struct{}, error) {
					var s Status
					var n int64
					err := scan(&s, &n)
					rows[s] = n
					return struct{}{}, err
				}, `SELECT status, count(*) FROM deliveries GROUP BY status`)
				return err
			}))
			st := w.stats(t, "", begun, w.Clock.Now().Add(time.Hour))
			if st.Delivered != rows[Delivered] || st.Failed != rows[Failed] || st.Retrying != rows[Retrying] {
				t.Fatalf("%+v, and the rows are %v", st, rows)
			}
		}
	})
}
