package party_test

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
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
	"daybook/internal/books/tax"
	"daybook/internal/platform/event"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
)

var ctx = context.Background()

var kinds = []record.Kind{record.Customer, record.Supplier}

// world is two businesses with books. The first is worked on by a person and by two apps, the second by the first app.
type world struct {
	*dbtest.Store
	*party.Service
	kind                       record.Kind
	person, app, rival, abroad record.Call
	used                       map[string]bool // what Uses answers
}

// each runs the test on both stores.
func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		books := &ledger.Service{DB: s.DB, IDs: s.IDs, Events: &event.Log{IDs: s.IDs}}
		w := &world{Store: s, kind: record.Customer, used: map[string]bool{}}
		w.Service = &party.Service{DB: s.DB, Ledger: books, Taxes: &tax.Service{DB: s.DB, Ledger: books}}
		w.Uses = append(w.Uses, nothing, func(_ context.Context, _ *db.Tx, _, partyID string) (bool, error) { return w.used[partyID], nil })
		owner := s.Person(t)
		here, there := w.business(t, owner), w.business(t, owner)
		w.person = record.Call{BusinessID: here, Actor: event.Actor{Type: event.User, UserID: owner}}
		w.app = record.Call{BusinessID: here, Actor: event.Actor{Type: event.App, UserID: owner, AppID: "app_one"}}
		w.rival = record.Call{BusinessID: here, Actor: event.Actor{Type: event.App, UserID: owner, AppID: "app_two"}}
		w.abroad = record.Call{BusinessID: there, Actor: w.app.Actor}
		test(t, w)
	})
}

func nothing(context.Context, *db.Tx, string, string) (bool, error) { return false, nil }

// eachKind runs the test for customers and for suppliers, on both stores.
func eachKind(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	each(t, func(t *testing.T, w *world) {
		for _, kind := range kinds {
			t.Run(string(kind), func(t *testing.T) {
				fresh := *w
				fresh.kind = kind
				test(t, &fresh)
			})
		}
	})
}

func (w *world) business(t *testing.T, owner string) (businessID string) {
	t.Helper()
	b, err := (&business.Service{DB: w.Store.DB, IDs: w.IDs}).Create(ctx, business.New{Name: "Shop", Country: "NL", Currency: "EUR"}, owner)
	must(t, err)
	must(t, w.Write(ctx, func(tx *db.Tx) error { return w.Ledger.OpenBooks(ctx, tx, b.ID) }))
	return b.ID
}

// run gives a step its transaction.
func run[T any](w *world, step db.Step[T]) (T, error) { return db.Run(ctx, w.Store.DB, step) }

// make creates a party of the world's kind in the name of the first app.
func (w *world) make(t *testing.T, n party.New) party.Party {
	t.Helper()
	p, err := run(w, w.Create(w.app, w.kind, n))
	must(t, err)
	return p
}

// full is a party with everything that both kinds have.
func full() party.New {
	return party.New{
		Type: pointer(party.Individual), DisplayName: "Ada Lovelace", LegalName: pointer("Augusta Ada King"), FirstName: pointer("Ada"),
		LastName: pointer("Lovelace"), Email: pointer("Ada@Example.com"), Phone: pointer("+44 1815 1210"), TaxNumber: pointer("GB123"),
		Currency: pointer("GBP"), Address: &party.Address{Line1: pointer("12 St James's Square"), City: pointer("London"), Country: pointer("GB")},
		PaymentTermsDays: pointer(14), Notes: pointer("Engines\nonly"), ExternalID: pointer("crm-1815"),
	}
}

// place is an address with everything.
func place(line1, line2, city, region, postalCode, country *string) *party.Address {
	return &party.Address{Line1: line1, Line2: line2, City: city, Region: region, PostalCode: postalCode, Country: country}
}

// rate makes a tax rate in a business.
func (w *world) rate(t *testing.T, by record.Call) tax.Rate {
	t.Helper()
	r, err := run(w, w.Taxes.Create(by, tax.New{Name: "VAT", Rate: money.MustFactor("21"), Kind: tax.Both, Category: tax.Standard}))
	must(t, err)
	return r
}

// events are what was told of parties of the world's kind in the first business: type and data of each.
func (w *world) events(t *testing.T) []string {
	t.Helper()
	var list []string
	must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = db.All(ctx, tx, func(scan db.Scan) (string, error) {
			var kind, data string
			err := scan(&kind, &data)
			return kind + " " + data, err
		}, `SELECT type, data FROM events WHERE business_id = $1 ORDER BY number`, w.app.BusinessID)
		return err
	}))
	return slices.DeleteFunc(list, func(e string) bool { return !strings.HasPrefix(e, string(w.kind)+".") })
}

// told is one business event of a party as events lists it.
func (w *world) told(verb string, p party.Party, data event.Data) string {
	whole := event.Data{"actor": map[string]any{"type": "APP", "appId": "app_one"}, string(w.kind) + "Id": p.ID}
	for name, value := range data {
		whole[name] = value
	}
	text, err := json.Marshal(whole)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("%s.%s %s", w.kind, verb, text)
}

// row is everything the store holds of a party, as one text.
func (w *world) row(t *testing.T, partyID string) string {
	t.Helper()
	var row string
	must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
		row, err = db.One(ctx, tx, func(scan db.Scan) (string, error) {
			columns := make([]*string, 15)
			dest := make([]any, len(columns))
			for i := range columns {
				dest[i] = &columns[i]
			}
			err := scan(dest...)
			text, _ := json.Marshal(columns)
			return string(text), err
		}, `SELECT type, display_name, search, legal_name, first_name, last_name, email, email_key, phone, tax_number, currency, address, shipping_address,
			notes, status FROM parties WHERE id = $1`, partyID)
		return err
	}))
	return row
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

func show(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}
