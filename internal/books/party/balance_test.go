package party_test

import (
	"context"
	"fmt"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
)

// post books an amount on the account of a role against the bank, in the name of a party: a debit when above zero.
func (w *world) post(t *testing.T, by record.Call, p party.Party, role ledger.Role, amount money.Amount) {
	t.Helper()
	_, err := run(w, ledger.Do(w.Ledger, by, func(ctx context.Context, b *ledger.Book) (struct{}, error) {
		chart, err := b.Accounts(ctx, []ledger.Role{role, ledger.DefaultBank})
		if err != nil {
			return struct{}{}, err
		}
		line := ledger.Line{AccountID: chart.Role(role).ID}
		if p.Kind == record.Customer {
			line.CustomerID = &p.ID
		} else {
			line.SupplierID = &p.ID
		}
		_, err = b.Post(ctx, ledger.Posting{
			Date: "2026-11-14", Source: ledger.Source{Type: ledger.FromSystem, ID: p.ID, Action: fmt.Sprint(w.IDs.New("x"))},
			Lines: []ledger.Line{line.Amount(amount), ledger.Line{AccountID: chart.Role(ledger.DefaultBank).ID}.Amount(-amount)},
		})
		return struct{}{}, err
	}))
	must(t, err)
}

func TestTheBalanceIsTheLedgers(t *testing.T) {
	type posting struct {
		role   ledger.Role
		amount money.Amount // debit above zero
		want   money.Amount // the balance then
	}
	postings := map[record.Kind][]posting{
		record.Customer: {
			{ledger.Receivable, 12_100, 12_100},  // an invoice
			{ledger.Receivable, -2_100, 10_000},  // paid in part
			{ledger.CustomerCredit, -500, 9_500}, // paid without an invoice
			{ledger.CustomerCredit, 200, 9_700},  // some of it refunded
			{ledger.CustomerCredit, -20_000, -10_300},
			{ledger.DefaultSales, -777, -10_300}, // a tag on an account that says nothing of debts
			{ledger.Payable, -777, -10_300},      // and on the other kind's
			{ledger.SupplierPrepayment, 777, -10_300},
		},
		record.Supplier: {
			{ledger.Payable, -12_100, 12_100}, // a bill
			{ledger.Payable, 2_100, 10_000},   // paid in part
			{ledger.SupplierPrepayment, 500, 9_500},
			{ledger.SupplierPrepayment, -200, 9_700},
			{ledger.SupplierPrepayment, 20_000, -10_300},
			{ledger.BadDebt, 777, -10_300},
			{ledger.Receivable, 777, -10_300},
			{ledger.CustomerCredit, -777, -10_300},
		},
	}
	eachKind(t, func(t *testing.T, w *world) {
		p, bystander := w.make(t, party.New{DisplayName: "x"}), w.make(t, party.New{DisplayName: "y"})
		if p.Balance != 0 {
			t.Errorf("begins with %d", p.Balance)
		}
		for i, posting := range postings[w.kind] {
			w.post(t, w.app, p, posting.role, posting.amount)
			read, err := w.Get(ctx, w.app, w.kind, p.ID)
			must(t, err)
			if read.Balance != posting.want {
				t.Errorf("after posting %d the balance is %d, want %d", i, read.Balance, posting.want)
			}
		}
		page, err := w.List(ctx, w.app, w.kind, map[string][]string{"sort": {"displayName"}})
		must(t, err)
		if len(page.Data) != 2 || page.Data[0].Balance != -10_300 || page.Data[1].ID != bystander.ID || page.Data[1].Balance != 0 {
			t.Errorf("listed %s", show(page.Data))
		}
		patched, err := run(w, w.Update(w.app, w.kind, p.ID, party.Patch{Phone: record.Setting("1")}, nil))
		must(t, err)
		if patched.Balance != -10_300 {
			t.Errorf("a patch answers the balance %d", patched.Balance)
		}
	})
}

func TestStatementsOfParties(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		p, gone := w.make(t, party.New{DisplayName: "x"}), w.make(t, party.New{DisplayName: "x"})
		for _, c := range []struct {
			name string
			want int64
			do   func(ctx context.Context) error
		}{
			{"get", 1, func(ctx context.Context) error { _, err := w.Get(ctx, w.app, w.kind, p.ID); return err }},
			{"list", 1, func(ctx context.Context) error { _, err := w.List(ctx, w.app, w.kind, nil); return err }},
			// books, insert, event counter, event
			{"create", 4, func(ctx context.Context) error {
				_, err := db.Run(ctx, w.Store.DB, w.Create(w.app, w.kind, party.New{DisplayName: "x"}))
				return err
			}},
			// and the name
			{"create with a name", 5, func(ctx context.Context) error {
				_, err := db.Run(ctx, w.Store.DB, w.Create(w.app, w.kind, full()))
				return err
			}},
			// books, party, update, event counter, event
			{"update", 5, func(ctx context.Context) error {
				_, err := db.Run(ctx, w.Store.DB, w.Update(w.app, w.kind, p.ID, party.Patch{Phone: record.Setting("1")}, nil))
				return err
			}},
			// books, party
			{"update of nothing", 2, func(ctx context.Context) error {
				_, err := db.Run(ctx, w.Store.DB, w.Update(w.app, w.kind, p.ID, party.Patch{}, nil))
				return err
			}},
			// books, party, names, delete, event counter, event
			{"delete", 6, func(ctx context.Context) error {
				_, err := db.Run(ctx, w.Store.DB, w.Delete(w.app, w.kind, gone.ID, nil))
				return err
			}},
		} {
			counted, statements := db.Counting(ctx)
			must(t, c.do(counted))
			if statements.Load() != c.want {
				t.Errorf("%s takes %d statements, want %d", c.name, statements.Load(), c.want)
			}
		}
	})
}
