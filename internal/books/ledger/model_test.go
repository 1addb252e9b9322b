package ledger_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
)

// dates on both sides of the ends of months and years.
var dates = []string{"2025-12-31", "2026-01-01", "2026-01-02", "2026-01-31", "2026-02-01", "2026-02-15", "2026-02-28", "2026-03-01", "2026-11-14"}

// plain is the reference: the lines that count, in memory.
type plain struct {
	date, account, party string
	debit, credit        money.Amount
}

// journal is what the reference knows of an entry.
type journal struct {
	id     string
	status ledger.EntryStatus
	lines  []plain
	even   bool
}

func TestTheBooksFollowTheReference(t *testing.T) {
	each(t, func(t *testing.T, base *world) {
		rapid.Check(t, func(t *rapid.T) {
			w := base.another(t)
			customer, supplier := w.party(t, id.Customer), w.party(t, id.Supplier)
			codes := []string{"1000", "2000", "4000", "6000"}
			amount := rapid.OneOf(rapid.Int64Range(1, 5), rapid.Int64Range(1, 1_000_000))

			lines := func() []ledger.NewLine {
				var list []ledger.NewLine
				for range rapid.IntRange(1, 3).Draw(t, "pairs") {
					a := money.Amount(amount.Draw(t, "amount"))
					list = append(list, w.dr(rapid.SampledFrom(codes).Draw(t, "debit"), a), w.cr(rapid.SampledFrom(codes).Draw(t, "credit"), a))
				}
				for i := range list {
					switch {
					case list[i].AccountID == w.id("2000") || rapid.IntRange(0, 4).Draw(t, "party") == 0:
						list[i].SupplierID = &supplier
					case rapid.IntRange(0, 3).Draw(t, "party") == 0:
						list[i].CustomerID = &customer
					}
				}
				return list
			}
			remember := func(e ledger.Entry) (list []plain) {
				for _, l := range e.Lines {
					p := plain{date: e.Date, account: l.AccountID, debit: l.Debit, credit: l.Credit}
					if l.CustomerID != nil {
						p.party = *l.CustomerID
					}
					if l.SupplierID != nil {
						p.party = *l.SupplierID
					}
					list = append(list, p)
				}
				return list
			}
			var known []*journal
			var booked []plain
			lock := ""
			steps := rapid.SliceOfN(rapid.SampledFrom([]string{"post", "post", "draft", "reverse", "reverse", "post draft", "change draft", "delete draft", "lock"}), 1, 15).Draw(t, "steps")
			for _, step := range steps {
				date := rapid.SampledFrom(dates).Draw(t, "date")
				locked := date <= lock
				var some *journal
				if len(known) > 0 {
					some = rapid.SampledFrom(known).Draw(t, "entry")
				}
				var err error
				var refusal error // that the reference expects
				switch {
				case step == "post" || step == "draft":
					n := ledger.NewEntry{Date: date, Lines: lines(), Draft: step == "draft"}
					even := rapid.IntRange(0, 5).Draw(t, "even") > 0
					if !even {
						n.Lines[0].Debit++
					}
					if !n.Draft && !even {
						refusal = ledger.ErrUnbalanced
					}
					if !n.Draft && locked {
						refusal = ledger.ErrLocked
					}
					var e ledger.Entry
					if e, err = do(w, w.CreateEntry(w.by, n)); err == nil {
						j := &journal{id: e.ID, status: e.Status, lines: remember(e), even: even}
						known = append(known, j)
						if !n.Draft {
							booked = append(booked, j.lines...)
						}
					}
				case step == "lock":
					lock = rapid.SampledFrom(append([]string{"", "", ""}, dates...)).Draw(t, "lock")
					var to *string
					if lock != "" {
						to = &lock
					}
					_, err = do(w, w.SetLockDate(w.by, to))
				case some == nil:
					continue
				case step == "reverse":
					if locked {
						refusal = ledger.ErrLocked
					}
					if some.status != ledger.Posted {
						refusal = record.ErrState
					}
					var e ledger.Entry
					if e, err = do(w, w.ReverseEntry(w.by, some.id, ledger.Reversal{Date: &date}, nil)); err == nil {
						some.status = ledger.Reversed
						j := &journal{id: e.ID, status: ledger.Posted, lines: mirrored(some.lines, date), even: true}
						if fmt.Sprint(remember(e)) != fmt.Sprint(j.lines) {
							t.Fatalf("mirrored by %v, want %v", remember(e), j.lines)
						}
						known = append(known, j)
						booked = append(booked, j.lines...)
					}
				case step == "post draft":
					switch {
					case some.status != ledger.Draft:
						refusal = record.ErrState
					case some.lines[0].date <= lock:
						refusal = ledger.ErrLocked
					case !some.even:
						refusal = ledger.ErrUnbalanced
					}
					if _, err = do(w, w.PostEntry(w.by, some.id, nil)); err == nil {
						some.status = ledger.Posted
						booked = append(booked, some.lines...)
					}
				case step == "change draft":
					if some.status != ledger.Draft {
						refusal = record.ErrState
					}
					var e ledger.Entry
					if e, err = do(w, w.UpdateEntry(w.by, some.id, ledger.EntryPatch{Date: setting(date), Lines: setting(lines())}, nil)); err == nil {
						some.lines, some.even = remember(e), true
					}
				case step == "delete draft":
					if some.status != ledger.Draft {
						refusal = record.ErrState
					}
					if _, err = do(w, w.DeleteEntry(w.by, some.id, nil)); err == nil {
						known = without(known, some)
					}
				}
				if (refusal == nil) != (err == nil) || refusal != nil && !errors.Is(err, refusal) {
					t.Fatalf("%s: got %v, want %v", step, err, refusal)
				}
				agree(t, w)
				compare(t, w, booked)
			}
		})
	})
}

func mirrored(lines []plain, date string) []plain {
	var list []plain
	for _, l := range lines {
		l.date, l.debit, l.credit = date, l.credit, l.debit
		list = append(list, l)
	}
	return list
}

func without(list []*journal, gone *journal) []*journal {
	var kept []*journal
	for _, j := range list {
		if j != gone {
			kept = append(kept, j)
		}
	}
	return kept
}

// compare asks for sums of random periods and compares them with those of the reference.
func compare(t *rapid.T, w *world, booked []plain) {
	from, to := rapid.SampledFrom(dates).Draw(t, "from"), rapid.SampledFrom(dates).Draw(t, "to")
	must(t, w.Read(ctx, func(tx *db.Tx) error {
		moved, err := ledger.Movements(ctx, tx, w.by.BusinessID, from, to)
		if err != nil {
			return err
		}
		trial, err := ledger.TrialBalance(ctx, tx, w.by.BusinessID, to)
		if err != nil {
			return err
		}
		wanted := func(inside func(date string) bool) map[string][2]money.Amount {
			sums := map[string][2]money.Amount{}
			for _, l := range booked {
				if inside(l.date) {
					s := sums[l.account]
					sums[l.account] = [2]money.Amount{s[0] + l.debit, s[1] + l.credit}
				}
			}
			return sums
		}
		got := func(list []ledger.Sum) map[string][2]money.Amount {
			sums := map[string][2]money.Amount{}
			for _, s := range list {
				sums[s.Account.ID] = [2]money.Amount{s.Debit, s.Credit}
			}
			return sums
		}
		if got, wanted := got(moved), wanted(func(date string) bool { return from <= date && date <= to }); fmt.Sprint(got) != fmt.Sprint(wanted) {
			t.Fatalf("from %s to %s: %v, want %v", from, to, got, wanted)
		}
		if got, wanted := got(trial), wanted(func(date string) bool { return date <= to }); fmt.Sprint(got) != fmt.Sprint(wanted) {
			t.Fatalf("as of %s: %v, want %v", to, got, wanted)
		}
		var balance money.Amount
		for _, s := range trial {
			balance += s.Balance()
		}
		if balance != 0 {
			t.Fatalf("the trial balance as of %s is off by %d", to, balance)
		}
		return nil
	}))
	balances, err := w.Balances(ctx, w.by, []string{w.id("1000"), w.id("4000")}, to)
	must(t, err)
	for _, code := range []string{"1000", "4000"} {
		var wanted money.Amount
		for _, l := range booked {
			if l.account == w.id(code) && l.date <= to {
				wanted += l.debit - l.credit
			}
		}
		if wanted = w.accounts[code].Normal(wanted); balances[w.id(code)] != wanted {
			t.Fatalf("%s as of %s: %d, want %d", code, to, balances[w.id(code)], wanted)
		}
	}
	walk(t, w, booked)
}

// walk reads the ledger of an account by small pages: every line once, in order, each balance the sum so far.
func walk(t *rapid.T, w *world, booked []plain) {
	account := w.id("1000")
	count := 0
	for _, l := range booked {
		if l.account == account {
			count++
		}
	}
	seen := map[string]bool{}
	var balance money.Amount
	last := ""
	p := params("limit", fmt.Sprint(rapid.IntRange(1, 4).Draw(t, "limit")))
	for {
		page, err := w.Statement(ctx, w.by, account, p)
		must(t, err)
		for _, l := range page.Data {
			balance += l.Debit - l.Credit
			if seen[l.ID] || l.Date < last || l.Balance != balance {
				t.Fatalf("line %s of %s after %s has the balance %d, want %d", l.ID, l.Date, last, l.Balance, balance)
			}
			seen[l.ID], last = true, l.Date
		}
		if page.Next == nil {
			break
		}
		p["cursor"] = []string{*page.Next}
	}
	if len(seen) != count {
		t.Fatalf("%d of %d lines", len(seen), count)
	}
}
