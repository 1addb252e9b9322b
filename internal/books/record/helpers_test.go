package record_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
	"daybook/internal/schema/dbtest"
)

var ctx = context.Background()

// call works on a business through an app.
var call = record.Call{BusinessID: "biz_1", Actor: event.Actor{Type: event.App, AppID: "app_1", UserID: "usr_1"}}

// people is a list with every sort of filter, over a table that has a column for each.
var people = record.List{
	Kind: record.Customer, IDs: id.Customer,
	Sorts: []record.Sort{
		{Name: "name", Column: "r.search"}, {Name: "createdAt", Column: "r.created_at", Number: true}, {Name: "updatedAt", Column: "r.updated_at", Number: true},
	},
	Filters: []record.Filter{
		{Name: "status", Column: "r.status", Values: []string{"ACTIVE", "ARCHIVED"}},
		{Name: "currency", Column: "r.currency"},
		{Name: "email", Column: "r.email_key", Match: record.LowerAny},
		{Name: "q", Column: "r.search lower(r.phone)", Match: record.Search},
		{Name: "termsFrom", Column: "r.payment_terms_days", Match: record.From, Form: record.Amount},
		{Name: "termsTo", Column: "r.payment_terms_days", Match: record.To, Form: record.Amount},
		{Name: "terms", Column: "r.payment_terms_days", Form: record.Amount},
		{Name: "dateFrom", Column: "r.notes", Match: record.From, Form: record.Date},
		{Name: "dateTo", Column: "r.notes", Match: record.To, Form: record.Date},
		{Name: "late", Match: record.Flag, True: "r.notes < $today", False: "r.notes >= $today"},
		{Name: "noted", Match: record.Flag, True: "r.notes IS NOT NULL"},
		{Name: "taxed", Condition: "(r.business_id = $1 AND r.tax_number IN ({}))"},
	},
}

var source = record.Source{Columns: "r.id, x.external_id", From: "parties r" + record.ExternalJoin, Where: "AND r.kind = 'CUSTOMER'", Today: "2026-05-04"}

// bare has no external ids, and so does not mention the calling app by itself.
var bare = record.List{Kind: record.TaxRate, IDs: id.Customer, NoExternalID: true, NoUpdated: true, Sorts: people.Sorts}

// row is what the statements of these tests read.
type row struct {
	id         string
	externalID *string
}

func scan(s db.Scan) (r row, err error) {
	err = s(&r.id, &r.externalID)
	return r, err
}

// someone is a customer to be; what is zero is null, or the same for all.
type someone struct {
	name, currency, status, email, phone, tax, date string
	terms                                           any
	created, updated                                int
}

// meet puts somebody into the store.
func meet(t dbtest.T, s *dbtest.Store, businessID string, p someone) string {
	t.Helper()
	customerID := s.IDs.New(id.Customer)
	null := func(text string) any {
		if text == "" {
			return nil
		}
		return text
	}
	must(t, s.Write(ctx, func(tx *db.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO businesses (id, name, country, currency, time_zone, plan, version, created_at, updated_at)
			VALUES ($1, 'Shop', 'NL', 'EUR', 'UTC', 'FREE', 1, 0, 0) ON CONFLICT DO NOTHING`, businessID); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO parties (id, business_id, kind, type, display_name, search, phone, tax_number, notes, email_key, currency, status,
			payment_terms_days, version, created_at, updated_at) VALUES ($1, $2, 'CUSTOMER', 'COMPANY', $3, $4, $5, $6, $7, $8, $9, $10, $11, 1, $12, $13)`,
			customerID, businessID, p.name, strings.ToLower(p.name), null(p.phone), null(p.tax), null(p.date), null(p.email),
			or(p.currency, "EUR"), or(p.status, "ACTIVE"), p.terms, p.created, p.updated)
		return err
	}))
	return customerID
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// fetch reads a page.
func fetch(s *dbtest.Store, by record.Call, list record.List, from record.Source, params map[string][]string) (record.Page[row], error) {
	q, err := list.Parse(by.BusinessID, params)
	if err != nil {
		return record.Page[row]{}, err
	}
	var page record.Page[row]
	err = s.Read(ctx, func(tx *db.Tx) (err error) {
		page, err = record.Fetch(ctx, tx, by, q, from, scan, func(r row) string { return r.id })
		return err
	})
	return page, err
}

// all reads every page.
func all(t dbtest.T, s *dbtest.Store, by record.Call, params map[string][]string) (ids []string) {
	t.Helper()
	for {
		page, err := fetch(s, by, people, source, params)
		must(t, err)
		for _, r := range page.Data {
			ids = append(ids, r.id)
		}
		if page.Next == nil {
			return ids
		}
		params["cursor"] = []string{*page.Next}
	}
}

// params reads the text of a query, in which nothing is escaped.
func params(query string) map[string][]string {
	m := map[string][]string{}
	for _, pair := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' }) {
		k, v, _ := strings.Cut(pair, "=")
		m[k] = append(m[k], v)
	}
	return m
}

func must(t dbtest.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func want(t *testing.T, err error, refusal *fault.Fault) {
	t.Helper()
	if !errors.Is(err, refusal) {
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

func ptr[T any](v T) *T { return &v }
