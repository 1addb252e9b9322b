package tax_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/books/tax"
	"daybook/internal/platform/event"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
)

var ctx = context.Background()

// world is two businesses with books, one of which is worked on.
type world struct {
	*dbtest.Store
	*tax.Service
	by, other       record.Call
	output, input   string // tax accounts of the first business
	foreign         string // output tax account of the other
	bank            string
	ledger          *ledger.Service
	businessService *business.Service
	owner           string
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		w := &world{Store: s, ledger: &ledger.Service{DB: s.DB, IDs: s.IDs, Events: &event.Log{IDs: s.IDs}}, owner: s.Person(t)}
		w.Service = &tax.Service{DB: s.DB, Ledger: w.ledger}
		w.businessService = &business.Service{DB: s.DB, IDs: s.IDs}
		w.by, w.other = w.books(t), w.books(t)
		w.output, w.input, w.bank = w.role(t, w.by, ledger.OutputTax), w.role(t, w.by, ledger.InputTax), w.role(t, w.by, ledger.DefaultBank)
		w.foreign = w.role(t, w.other, ledger.OutputTax)
		test(t, w)
	})
}

// books is a business with its default chart, but no rates.
func (w *world) books(t *testing.T) record.Call {
	t.Helper()
	b, err := w.businessService.Create(ctx, business.New{Name: "Shop", Country: "NL", Currency: "EUR"}, w.owner)
	must(t, err)
	must(t, w.Write(ctx, func(tx *db.Tx) error { return w.ledger.OpenBooks(ctx, tx, b.ID) }))
	return record.Call{BusinessID: b.ID, Actor: event.Actor{Type: event.User, UserID: w.owner}}
}

// role is the account that the system uses for that.
func (w *world) role(t *testing.T, by record.Call, r ledger.Role) (accountID string) {
	t.Helper()
	must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
		accountID, err = db.One(ctx, tx, db.Value[string], `SELECT id FROM accounts WHERE business_id = $1 AND system_role = $2`, by.BusinessID, r)
		return err
	}))
	return accountID
}

// account is one more liability, which the system does not use.
func (w *world) account(t *testing.T, code string, subtype any) string {
	t.Helper()
	accountID := w.IDs.New(id.Account)
	w.exec(t, `INSERT INTO accounts (id, business_id, code, name, search, type, subtype, status, version, created_at, updated_at)
		VALUES ($1, $2, $3, $3, $3, 'LIABILITY', $4, 'ACTIVE', 1, 0, 0)`, accountID, w.by.BusinessID, code, subtype)
	return accountID
}

func (w *world) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	must(t, w.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	}))
}

// run gives a step its transaction.
func run[T any](w *world, step db.Step[T]) (T, error) { return db.Run(ctx, w.Store.DB, step) }

// standard is an ordinary rate.
var standard = tax.New{Name: "VAT 21%", Rate: money.MustFactor("21"), Kind: tax.Sales, Category: tax.Standard}

func (w *world) rate(t *testing.T, n tax.New) tax.Rate {
	t.Helper()
	r, err := run(w, w.Create(w.by, n))
	must(t, err)
	return r
}

// events are what was told of the business since its beginning: type and data of each.
func (w *world) events(t *testing.T, by record.Call) []string {
	t.Helper()
	var list []string
	must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = db.All(ctx, tx, func(scan db.Scan) (string, error) {
			var kind, data string
			err := scan(&kind, &data)
			return kind + " " + data, err
		}, `SELECT type, data FROM events WHERE business_id = $1 ORDER BY number`, by.BusinessID)
		return err
	}))
	return list
}

// told is one event as events lists it.
func told(kind event.Type, data event.Data) string {
	data["actor"] = map[string]any{"type": "USER", "appId": nil}
	text, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("%s %s", kind, text)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// want checks for a refusal with its values; a nil one means that there must be none.
func want(t *testing.T, err error, refusal *fault.Fault) {
	t.Helper()
	switch {
	case refusal == nil && err != nil:
		t.Errorf("refused: %v", err)
	case refusal != nil && (!errors.Is(err, refusal) || fault.From(err).Text() != refusal.Text()):
		t.Errorf("got %v, want %v", err, refusal)
	}
}

// offences are the members that a validation failure names, in its order; empty for no error.
func offences(err error) string {
	if err == nil {
		return ""
	}
	f := fault.From(err)
	if f == nil || f.Kind != fault.Invalid || len(f.Fields) == 0 {
		return "no validation failure: " + err.Error()
	}
	var paths []string
	for _, sentence := range f.Fields {
		path, _, _ := strings.Cut(sentence, " ")
		paths = append(paths, path)
	}
	return strings.Join(paths, " ")
}

func pointer[T any](v T) *T { return &v }
