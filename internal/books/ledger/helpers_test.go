package ledger_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
	"daybook/internal/schema/dbtest"
)

var ctx = context.Background()

// world is a store with the books of one business in Amsterdam, and somebody who works on them through an app.
type world struct {
	*dbtest.Store
	*ledger.Service
	by record.Call
	// accounts by code
	accounts map[string]ledger.Account
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		service := &ledger.Service{DB: s.DB, IDs: s.IDs, Events: &event.Log{IDs: s.IDs}}
		test(t, newWorld(t, s, service))
	})
}

func newWorld(t dbtest.T, s *dbtest.Store, service *ledger.Service) *world {
	t.Helper()
	w := &world{Store: s, Service: service, accounts: map[string]ledger.Account{}}
	w.by = record.Call{BusinessID: w.business(t), Actor: event.Actor{Type: event.App, AppID: "app_1", UserID: "usr_1"}}
	must(t, s.Write(ctx, func(tx *db.Tx) error { return service.OpenBooks(ctx, tx, w.by.BusinessID) }))
	page, err := service.ListAccounts(ctx, w.by, nil)
	must(t, err)
	for _, a := range page.Data {
		w.accounts[a.Code] = a
	}
	return w
}

// another is a second business in the same store.
func (w *world) another(t dbtest.T) *world { t.Helper(); return newWorld(t, w.Store, w.Service) }

// business writes the row itself: who belongs to it does not matter here.
func (w *world) business(t dbtest.T) string {
	t.Helper()
	businessID := w.Store.IDs.New(id.Business)
	w.exec(t, `INSERT INTO businesses (id, name, country, currency, time_zone, plan, version, created_at, updated_at)
		VALUES ($1, 'Shop', 'NL', 'EUR', 'Europe/Amsterdam', 'FREE', 1, 0, 0)`, businessID)
	return businessID
}

// party writes the row itself: the package that owns it stands above this one.
func (w *world) party(t dbtest.T, prefix id.Prefix) string {
	t.Helper()
	kind := map[id.Prefix]string{id.Customer: "CUSTOMER", id.Supplier: "SUPPLIER"}[prefix]
	partyID := w.Store.IDs.New(prefix)
	w.exec(t, `INSERT INTO parties (id, business_id, kind, type, display_name, search, currency, status, version, created_at, updated_at)
		VALUES ($1, $2, $3, 'COMPANY', 'Somebody', 'somebody', 'EUR', 'ACTIVE', 1, 0, 0)`, partyID, w.by.BusinessID, kind)
	return partyID
}

func (w *world) taxRate(t dbtest.T, accountID string) string {
	t.Helper()
	rateID := w.Store.IDs.New(id.TaxRate)
	w.exec(t, `INSERT INTO tax_rates (id, business_id, name, rate, kind, category, account_id, status, version, created_at, updated_at)
		VALUES ($1, $2, 'High', '21', 'SALES', 'STANDARD', $3, 'ACTIVE', 1, 0, 0)`, rateID, w.by.BusinessID, accountID)
	return rateID
}

func (w *world) exec(t dbtest.T, sql string, args ...any) {
	t.Helper()
	must(t, w.try(sql, args...))
}

// try runs a statement behind the package's back.
func (w *world) try(sql string, args ...any) error {
	return w.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	})
}

// do runs a step in a transaction of its own.
func do[T any](w *world, step db.Step[T]) (T, error) { return db.Run(ctx, w.Store.DB, step) }

// done is do for a step that must succeed.
func done[T any](t dbtest.T, w *world, step db.Step[T]) T {
	t.Helper()
	v, err := do(w, step)
	must(t, err)
	return v
}

// id of the account with that code.
func (w *world) id(code string) string { return w.accounts[code].ID }

// dr and cr are lines made by hand.
func (w *world) dr(code string, amount money.Amount) ledger.NewLine {
	return ledger.NewLine{AccountID: w.id(code), Debit: amount}
}

func (w *world) cr(code string, amount money.Amount) ledger.NewLine {
	return ledger.NewLine{AccountID: w.id(code), Credit: amount}
}

// sale is the simplest entry: money in the bank against revenue.
func (w *world) sale(date string, amount money.Amount) ledger.NewEntry {
	return ledger.NewEntry{Date: date, Lines: []ledger.NewLine{w.dr("1000", amount), w.cr("4000", amount)}}
}

func (w *world) post(t dbtest.T, n ledger.NewEntry) ledger.Entry {
	t.Helper()
	return done(t, w, w.CreateEntry(w.by, n))
}

// books opens the books for what only other features do with them.
func (w *world) books(do func(b *ledger.Book) error) error {
	_, err := db.Run(ctx, w.Store.DB, ledger.Do(w.Service, w.by, func(_ context.Context, b *ledger.Book) (struct{}, error) { return struct{}{}, do(b) }))
	return err
}

// told are the events of the business from a number on, each as its type and data without the actor.
func (w *world) told(t dbtest.T, after int) []string {
	t.Helper()
	var list []string
	must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = db.All(ctx, tx, func(scan db.Scan) (string, error) {
			var kind string
			data := map[string]any{}
			if err := scan(&kind, db.JSON(&data)); err != nil {
				return "", err
			}
			if actor := fmt.Sprint(data["actor"]); actor != "map[appId:app_1 type:APP]" {
				return "", fmt.Errorf("the actor is %s", actor)
			}
			delete(data, "actor")
			return kind + " " + asJSON(data), nil
		}, `SELECT type, data FROM events WHERE business_id = $1 AND number > $2 ORDER BY number`, w.by.BusinessID, after)
		return err
	}))
	return list
}

// happening is what told shows of an event.
func happening(kind event.Type, data event.Data) string {
	var plain map[string]any // as it comes back from the store
	_ = json.Unmarshal([]byte(asJSON(data)), &plain)
	return string(kind) + " " + asJSON(plain)
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func wantTold(t *testing.T, got []string, wanted ...string) {
	t.Helper()
	if !slices.Equal(got, wanted) {
		t.Errorf("told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(wanted, "\n"))
	}
}

func must(t dbtest.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// want checks for a refusal; a nil one means that there must be none.
func want(t *testing.T, err error, refusal *fault.Fault) {
	t.Helper()
	switch {
	case refusal == nil && err != nil:
		t.Errorf("refused: %v", err)
	case refusal != nil && !errors.Is(err, refusal):
		t.Errorf("got %v, want %v", err, refusal)
	}
}

// offences are the members that a validation failure names, in its order.
func offences(err error) string {
	f := fault.From(err)
	if f == nil || f.Kind != fault.Invalid || f.Code != "" {
		return fmt.Sprintf("no validation failure: %v", err)
	}
	var paths []string
	for _, sentence := range f.Fields {
		path, _, _ := strings.Cut(sentence, " ")
		paths = append(paths, path)
	}
	return strings.Join(paths, " ")
}

// params makes parameters of a list: name, value, name, value…
func params(pairs ...string) map[string][]string {
	m := map[string][]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = append(m[pairs[i]], pairs[i+1])
	}
	return m
}

func ptr[T any](v T) *T { return &v }

// postLines posts what another feature would.
func postLines(w *world, lines ...ledger.Line) db.Step[*ledger.Entry] {
	return ledger.Do(w.Service, w.by, func(ctx context.Context, b *ledger.Book) (*ledger.Entry, error) {
		return b.Post(ctx, ledger.Posting{Date: "2026-11-01", Source: ledger.Source{Type: ledger.FromSystem, ID: b.NewID("x"), Action: "TEST"}, Lines: lines})
	})
}
