package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/platform/reqlog"
)

// console measures pages of the developer console, one reader at a time: of an app that has hardly done anything, and then of one
// with as many deliveries and calls as DAYBOOK_BENCH_LOGS says, such as 1000000,10000000. That takes minutes, so it happens only
// when asked for (`make logs`).
func console(ctx context.Context, dir string) ([]figure, error) {
	databases, names, drop, err := both(ctx, dir, "console.db")
	if err != nil {
		return nil, err
	}
	defer drop()
	var figures []figure
	for _, name := range names {
		more, err := consoleOn(ctx, dir, name, databases[name])
		if err != nil {
			return nil, err
		}
		figures = append(figures, more...)
	}
	return figures, nil
}

// both are the stores to measure: SQLite, and PostgreSQL if there is a server.
func both(ctx context.Context, dir, file string) (databases map[string]string, names []string, drop func(), err error) {
	databases, names, drop = map[string]string{"SQLite": filepath.Join(dir, file)}, []string{"SQLite"}, func() {}
	if server := os.Getenv("DAYBOOK_TEST_POSTGRES"); server != "" {
		if databases["PostgreSQL"], drop, err = scratch(ctx, server); err != nil {
			return nil, nil, nil, err
		}
		names = append(names, "PostgreSQL")
	}
	return databases, names, drop, nil
}

// desk is a developer at work in the console of a shop's app.
type desk struct {
	*shop
	cookie                      string
	app, business, hook, sample string // the sample is a delivery
}

func consoleOn(ctx context.Context, dir, name, database string) ([]figure, error) {
	s, err := openShop(ctx, dir, database)
	if err != nil {
		return nil, err
	}
	defer s.close()
	d, err := s.sitDown(ctx)
	if err != nil {
		return nil, err
	}
	logs := []int{0, 0}
	stages := [][]int{{1000, 1000}} // deliveries, calls
	if _, err := fmt.Sscanf(os.Getenv("DAYBOOK_BENCH_LOGS"), "%d,%d", &logs[0], &logs[1]); err == nil {
		stages = append(stages, logs)
	}
	var figures []figure
	have := []int{0, 0}
	for _, want := range stages {
		if err := d.fill(ctx, want[0]-have[0], want[1]-have[1]); err != nil {
			return nil, err
		}
		have = want
		more, err := d.pages(fmt.Sprintf("%s, %d deliveries, %d calls: ", name, want[0], want[1]))
		if err != nil {
			return nil, err
		}
		figures = append(figures, more...)
	}
	return figures, nil
}

// sitDown signs the developer in and makes a webhook that hears of nothing by itself.
func (s *shop) sitDown(ctx context.Context) (*desk, error) {
	d := &desk{shop: s}
	var err error
	if d.cookie, err = signIn("http://"+s.pageHost, "olivia@example.test", "a few words"); err != nil {
		return nil, err
	}
	err = s.node.House.DB.Read(ctx, func(tx *db.Tx) (err error) {
		if d.app, err = db.One(ctx, tx, db.Value[string], `SELECT id FROM apps WHERE client_id = 'cli_bench'`); err != nil {
			return err
		}
		d.business, err = db.One(ctx, tx, db.Value[string], `SELECT id FROM businesses`)
		return err
	})
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, "POST", "http://"+s.pageHost+"/rest/developer/apps/"+d.app+"/webhooks", strings.NewReader(`{"url":"http://127.0.0.1:9/","events":["invoice.paid"]}`))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Cookie", d.cookie)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var made struct{ ID string }
	err = json.NewDecoder(answer.Body).Decode(&made)
	d.hook = made.ID
	return d, err
}

// pages measures each page by itself: what one reader waits for.
func (d *desk) pages(prefix string) ([]figure, error) {
	app := "/developer/apps/" + d.app
	var figures []figure
	for _, p := range []struct{ name, path string }{
		{"overview", app},
		{"deliveries", app + "/deliveries"},
		{"deliveries, failed", app + "/deliveries?status=failed"},
		{"deliveries, of a business", app + "/deliveries?business=" + d.business},
		{"deliveries, a rare event", app + "/deliveries?type=customer.created"},
		{"delivery inspector", app + "/webhooks/" + d.hook + "/deliveries/" + d.sample},
		{"events", app + "/events"},
		{"requests", app + "/requests"},
		{"requests, a rare status", app + "/requests?status=503"},
		{"requests, two filters", app + "/requests?status=503&route=/payments"},
		{"requests, of an hour", app + "/requests?from=" + time.Now().UTC().Add(-25*time.Hour).Format("2006-01-02T15:04") + "&to=" + time.Now().UTC().Add(-24*time.Hour).Format("2006-01-02T15:04")},
		{"analytics, a month", app + "/analytics"},
		{"analytics, a week by route", app + "/analytics?period=week&group=route"},
		{"analytics, of a business", app + "/analytics?business=" + d.business},
		{"analytics, of a quiet business", app + "/analytics?business=biz_01k9m4x2v7q3t8r5w1y6z0a2bd"},
		{"versions", app + "/versions"},
		{"installations", app + "/installations"},
	} {
		rate, err := load{1, span / 2}.requests(d.pageHost, get(p.path, d.cookie))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.path, err)
		}
		figures = append(figures, figure{name: prefix + p.name, rate: rate, extra: fmt.Sprintf("%.1f ms a page", 1000/rate)})
	}
	return figures, nil
}

// together is how many rows a transaction writes.
const together = 10_000

// fill writes deliveries of the last 30 days and calls of the last 7, as a busy app leaves them behind, and what is counted of them.
func (d *desk) fill(ctx context.Context, deliveries, calls int) error {
	if err := d.spread(ctx, "deliveries", deliveries, 29*24*time.Hour, d.writeDeliveries); err != nil {
		return err
	}
	if err := d.spread(ctx, "calls", calls, 6*24*time.Hour, d.noteCalls); err != nil {
		return err
	}
	err := d.node.House.DB.Write(ctx, func(tx *db.Tx) error {
		if err := d.countCalls(ctx, tx); err != nil {
			return err
		}
		for _, sql := range []string{`DELETE FROM delivery_counts`, `UPDATE delivery_counting SET counted_until = 0`} { // its hours passed before there was anything
			if _, err := tx.Exec(ctx, sql); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := d.node.House.Tally.CountHours(ctx); err != nil || d.node.House.DB.Dialect() == db.SQLite {
		return err
	}
	return d.node.House.DB.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `ANALYZE`) // which PostgreSQL does by itself, later
		return err
	})
}

// spread has rows written over a time that ends now, so that they have ids of that time.
func (d *desk) spread(ctx context.Context, what string, rows int, over time.Duration, write func(ctx context.Context, ids *id.Source, at time.Time, n int) error) error {
	begin := time.Now().Add(-over)
	hand := clock.NewHand(begin)
	ids := id.NewSource(hand)
	for done := 0; done < rows; done += together {
		hand.Set(begin.Add(time.Duration(float64(over) * float64(done) / float64(rows))))
		n := min(together, rows-done)
		if err := write(ctx, ids, hand.Now(), n); err != nil {
			return err
		}
		if done%1_000_000 == 0 && done > 0 {
			fmt.Fprintf(os.Stderr, "%d %s are written\n", done, what)
		}
	}
	return nil
}

var (
	intoDeliveries = db.NewInsert("deliveries", "id, webhook_id, app_id, business_id, event_id, type, body, status, attempts, sent, response_code, last_error, created_at, delivered_at", "")
	intoAttempts   = db.NewInsert("delivery_attempts", "delivery_id, number, at, duration, signature, status, answer, error", "")
)

const deliveredBody = `{"id":"dlv_01k9m4x2v7q3t8r5w1y6z0a2bc","eventId":"evt_01k9m4x2v7q3t8r5w1y6z0a2bd","type":"invoice.paid","apiVersion":"2026-06-01","businessId":"biz_01k9m4x2v7q3t8r5w1y6z0a2bd",` +
	`"created":1794700000,"data":{"invoiceId":"inv_01k9m4x2v7q3t8r5w1y6z0a2bc","number":"INV-000123","status":"PAID","total":3655,"amountPaid":3655,"amountDue":0,"currency":"EUR","version":4}}`

// writeDeliveries writes deliveries of which one of a hundred failed.
func (d *desk) writeDeliveries(ctx context.Context, ids *id.Source, at time.Time, n int) error {
	rows, attempts := intoDeliveries.Rows(n), intoAttempts.Rows(n)
	for i := range n {
		delivery, status, tries, code, wrong, answer := ids.New(id.Delivery), "delivered", 1, 200, (*string)(nil), "thank you"
		if i%100 == 99 {
			status, tries, code, wrong, answer = "failed", 6, 500, new("answered 500"), "no"
		}
		rows = append(rows, delivery, d.hook, d.app, d.business, ids.New(id.Event), "invoice.paid", deliveredBody, status, tries, tries, code, wrong, at, at)
		for try := range tries {
			attempts = append(attempts, delivery, try+1, at, 12, "t=1794700000,v1=75e7", code, answer, wrong)
		}
		d.sample = delivery
	}
	return d.node.House.DB.Write(ctx, func(tx *db.Tx) error {
		if err := intoDeliveries.Exec(ctx, tx, rows); err != nil {
			return err
		}
		return intoAttempts.Exec(ctx, tx, attempts)
	})
}

var calledRoutes = []string{"/invoices", "/invoices/{id}", "/customers", "/customers/{id}", "/payments"}

// noteCalls has calls written of which one of a hundred was refused by a limit, and one of ten thousand failed.
func (d *desk) noteCalls(ctx context.Context, ids *id.Source, _ time.Time, n int) error {
	for i := range n {
		status, code := 200, ""
		switch {
		case i%together == together/2:
			status = 503
		case i%100 == 99:
			status, code = 429, "RATE_LIMITED"
		}
		d.node.House.Requests.Note(reqlog.Entry{
			AppID: d.app, RequestID: ids.New(id.Request), Method: "GET", Route: calledRoutes[i%len(calledRoutes)], Status: status, Code: code, Version: "2026-06-01",
			Duration: time.Duration(i%40) * time.Millisecond, BusinessID: d.business, UserID: "usr_01k9m4x2v7q3t8r5w1y6z0a2bd",
		})
	}
	return d.node.House.Requests.Flush(ctx)
}

// countCalls writes what is counted of a month: a row for each hour, route, status and business, one for all businesses, and the same for days.
func (d *desk) countCalls(ctx context.Context, tx *db.Tx) error {
	const businesses = 10
	const columns = "app_id, begins_at, span, business_id, method, route, status, version, calls, rate_limited, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15"
	now := time.Now().UTC()
	for table, of := range map[string]int{"usage_counts": businesses, "usage_totals": 1} {
		if _, err := tx.Exec(ctx, `DELETE FROM `+table); err != nil {
			return err
		}
		var rows []any
		for _, span := range []time.Duration{time.Hour, 24 * time.Hour} {
			many := int(span/time.Hour) * businesses / of
			for at := now.Truncate(span).Add(-29 * 24 * time.Hour); at.Before(now.Add(-2 * time.Hour)); at = at.Add(span) {
				for i := range len(calledRoutes) * 2 * of {
					status, business := 200+229*(i/len(calledRoutes)%2), ""
					if of > 1 {
						business = fmt.Sprintf("biz_%d", i/len(calledRoutes)/2)
					}
					if business == "biz_1" {
						business = d.business
					}
					rows = append(rows, d.app, at, span.Milliseconds(), business, "GET", calledRoutes[i%len(calledRoutes)], status, "2026-06-01", 100*many, 0)
					for bucket := range 16 {
						rows = append(rows, 100/(bucket+1)*many)
					}
				}
			}
		}
		if err := db.NewInsert(table, columns, "").Exec(ctx, tx, rows); err != nil {
			return err
		}
	}
	return nil
}
