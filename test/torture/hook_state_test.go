package torture_test

import (
	"context"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
)

// hookState is everything that the store says about a world's invoices, events and deliveries.
type hookState struct {
	businesses map[string]string // names by id
	paths      map[string]string // of webhooks, by id
	invoices   map[string]invoiceRow
	events     map[string]eventRow
	deliveries map[string]deliveryRow
	attempts   map[string][]attemptRow // by delivery, in their order
	nodes      []string
}

type invoiceRow struct{ business, status, reference string }

type eventRow struct {
	business, kind string
	subject        string // the invoice that it tells of, directly or by its entry
}

type deliveryRow struct {
	event, webhook, status string
	attempts, sent         int
	due                    *time.Time
	owner                  *string
}

type attemptRow struct {
	number int
	at     time.Time
	ms     int64
	status *int
}

// openAfterKill opens the store of a process that is dead as it left it. An SQLite file is copied with its log, so that it is
// the next process that recovers the original. PostgreSQL may still be busy with what the dead process asked for last.
func openAfterKill(t testing.TB, database string) *db.DB {
	t.Helper()
	if db.IsPostgres(database) {
		waitForBackends(t, database)
		return openStore(t, database)
	}
	to := filepath.Join(t.TempDir(), "copy.db")
	for _, tail := range []string{"", "-wal"} {
		if err := copyFile(to+tail, database+tail); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	return openStore(t, to)
}

func openStore(t testing.TB, database string) *db.DB {
	t.Helper()
	d, err := db.Open(context.Background(), db.Options{Database: database, Clock: clock.System{}})
	must(t, err)
	return d
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer out.Close()
	_, err = io.Copy(out, in)
	return err
}

func waitForBackends(t testing.TB, database string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, database)
	must(t, err)
	defer conn.Close(ctx)
	soon(t, "PostgreSQL is done with a dead process", func() bool {
		var others int
		must(t, conn.QueryRow(ctx, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`).Scan(&others))
		return others == 0
	})
}

func readHooks(t testing.TB, d *db.DB) *hookState {
	t.Helper()
	ctx := context.Background()
	s := &hookState{
		businesses: map[string]string{}, paths: map[string]string{}, invoices: map[string]invoiceRow{}, events: map[string]eventRow{},
		deliveries: map[string]deliveryRow{}, attempts: map[string][]attemptRow{},
	}
	must(t, d.Snapshot(ctx, func(tx *db.Tx) (err error) {
		each := func(sql string, row func(db.Scan) error) {
			if err == nil {
				_, err = db.All(ctx, tx, func(scan db.Scan) (none struct{}, err error) { return none, row(scan) }, sql)
			}
		}
		each(`SELECT id, name FROM businesses WHERE name LIKE 'Shop %'`, func(scan db.Scan) error {
			var id, name string
			err := scan(&id, &name)
			s.businesses[id] = name
			return err
		})
		each(`SELECT id, url FROM webhooks`, func(scan db.Scan) error {
			var id, address string
			err := scan(&id, &address)
			if u, wrong := url.Parse(address); wrong == nil {
				s.paths[id] = u.Path
			}
			return err
		})
		each(`SELECT id, business_id, status, reference FROM invoices WHERE reference IS NOT NULL`, func(scan db.Scan) error {
			var id string
			var r invoiceRow
			err := scan(&id, &r.business, &r.status, &r.reference)
			s.invoices[id] = r
			return err
		})
		each(`SELECT id, business_id, type, data FROM events`, s.readEvent)
		each(`SELECT id, event_id, webhook_id, status, attempts, sent, due_at, owner FROM deliveries`, func(scan db.Scan) error {
			var id string
			var r deliveryRow
			err := scan(&id, &r.event, &r.webhook, &r.status, &r.attempts, &r.sent, &r.due, &r.owner)
			s.deliveries[id] = r
			return err
		})
		each(`SELECT delivery_id, number, at, duration, status FROM delivery_attempts ORDER BY delivery_id, number`, func(scan db.Scan) error {
			var id string
			var r attemptRow
			err := scan(&id, &r.number, &r.at, &r.ms, &r.status)
			s.attempts[id] = append(s.attempts[id], r)
			return err
		})
		each(`SELECT id FROM nodes`, func(scan db.Scan) error {
			var id string
			err := scan(&id)
			s.nodes = append(s.nodes, id)
			return err
		})
		return err
	}))
	return s
}

func (s *hookState) readEvent(scan db.Scan) error {
	var id string
	var r eventRow
	var data string
	if err := scan(&id, &r.business, &r.kind, &data); err != nil {
		return err
	}
	if _, ours := s.businesses[r.business]; !ours || hookScopes[r.kind] == "" {
		return nil
	}
	var about struct{ InvoiceID, SourceID, CustomerID string }
	err := json.Unmarshal([]byte(data), &about)
	switch r.kind {
	case "journal_entry.posted":
		r.subject = about.SourceID
	case "customer.created":
		r.subject = about.CustomerID
	default:
		r.subject = about.InvoiceID
	}
	s.events[id] = r
	return err
}

// pending are the deliveries that were due by then and not yet written down as tried.
func (s *hookState) pending(by time.Time) map[string]bool {
	list := map[string]bool{}
	for id, d := range s.deliveries {
		if d.due != nil && !d.due.After(by) {
			list[id] = true
		}
	}
	return list
}

// waiting is how many deliveries are in somebody's hand or have not been tried.
func waiting(t testing.TB, d *db.DB) (n int) {
	t.Helper()
	ctx := context.Background()
	must(t, d.Read(ctx, func(tx *db.Tx) (err error) {
		n, err = db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM deliveries WHERE owner IS NOT NULL OR status = 'queued'`)
		return err
	}))
	return n
}
