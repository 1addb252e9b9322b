package ledger_test

import (
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/books/ledger"
)

func TestWhatTheVerbsCost(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.sale("2026-11-01", 5)
		n.ExternalID = ptr("ext")
		e := w.post(t, n)
		n.ExternalID = nil
		draft := n
		draft.Draft = true
		d := w.post(t, draft)
		a := done(t, w, w.CreateAccount(w.by, vans()))
		cost := func(what string, most int64, run func() error) {
			t.Helper()
			before := w.Store.DB.Stats().Statements
			must(t, run())
			if got := w.Store.DB.Stats().Statements - before; got > most {
				t.Errorf("%s costs %d statements, at most %d are fine", what, got, most)
			}
		}
		cost("reading an account", 1, func() error { _, err := w.Account(ctx, w.by, a.ID); return err })
		cost("reading an entry", 1, func() error { _, err := w.Entry(ctx, w.by, e.ID); return err })
		cost("listing accounts", 1, func() error { _, err := w.ListAccounts(ctx, w.by, nil); return err })
		cost("listing entries", 2, func() error { _, err := w.ListEntries(ctx, w.by, nil); return err })
		cost("a page of a ledger", 2, func() error { _, err := w.Statement(ctx, w.by, w.id("1000"), nil); return err })
		cost("balances", 1, func() error { _, err := w.Balances(ctx, w.by, []string{a.ID, w.id("1000")}, "2026-11-10"); return err })
		cost("the lock date", 1, func() error { _, err := w.LockDate(ctx, w.by); return err })
		// books, accounts, lines, entry, months, numbers, counter of events, event
		cost("posting by hand", 8, func() error { _, err := do(w, w.CreateEntry(w.by, n)); return err })
		cost("posting a draft", 9, func() error { _, err := do(w, w.PostEntry(w.by, d.ID, nil)); return err })
		// books, entry, mark, accounts, lines, entry, months, numbers, counter of events, events
		cost("reversing", 10, func() error { _, err := do(w, w.ReverseEntry(w.by, e.ID, ledger.Reversal{}, nil)); return err })
		cost("creating an account", 4, func() error {
			n := vans()
			n.Code = "0101"
			_, err := do(w, w.CreateAccount(w.by, n))
			return err
		})
		cost("a patch that changes nothing", 2, func() error {
			_, err := do(w, w.UpdateAccount(w.by, a.ID, ledger.AccountPatch{Name: setting(a.Name)}, nil))
			return err
		})
		cost("what another feature posts with accounts it has read", 8, func() error {
			return w.books(func(b *ledger.Book) error {
				chart, err := b.Accounts(ctx, []ledger.Role{ledger.DefaultBank, ledger.DefaultSales})
				if err != nil {
					return err
				}
				_, err = b.Post(ctx, ledger.Posting{Date: "2026-11-01", Source: ledger.Source{Type: ledger.FromInvoice, ID: "inv_1", Action: "ISSUE"},
					Lines: []ledger.Line{{AccountID: chart.Role(ledger.DefaultBank).ID, Debit: 5}, {AccountID: chart.Role(ledger.DefaultSales).ID, Credit: 5}}})
				return err
			})
		})
		must(t, w.Read(ctx, func(tx *db.Tx) error {
			cost("a trial balance", 1, func() error { _, err := ledger.TrialBalance(ctx, tx, w.by.BusinessID, "2026-11-10"); return err })
			return nil
		}))
	})
}
