package ledger_test

import (
	"strings"
	"testing"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

func entryData(e ledger.Entry, more event.Data) event.Data {
	d := event.Data{
		"journalEntryId": e.ID, "number": e.NumberText(), "date": e.Date, "sourceType": e.Source.Type, "sourceId": e.Source.ID,
		"debitTotal": e.DebitTotal, "currency": "EUR", "lineCount": len(e.Lines), "version": e.Version,
	}
	for k, v := range more {
		d[k] = v
	}
	return d
}

func TestPostingAnEntryByHand(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		customer, supplier := w.party(t, id.Customer), w.party(t, id.Supplier)
		n := ledger.NewEntry{Date: "2026-11-01", Memo: ptr(" Bill 7 "), ExternalID: ptr("ext"), Lines: []ledger.NewLine{
			{AccountID: w.id("6000"), Debit: 100, Description: ptr(" Paper "), CustomerID: &customer},
			{AccountID: w.id("1180"), Debit: 21},
			{AccountID: w.id("2000"), Credit: 121, SupplierID: &supplier},
		}}
		e := w.post(t, n)
		if e.NumberText() != "JE-000001" || *e.Memo != "Bill 7" || e.Status != ledger.Posted || e.DebitTotal != 121 || e.CreditTotal != 121 || e.Version != 1 ||
			e.Source != (ledger.Source{Type: ledger.FromManual, ID: e.ID, Action: "POST"}) || *e.ExternalID != "ext" || len(e.Lines) != 3 ||
			*e.Lines[0].Description != "Paper" || *e.Lines[0].CustomerID != customer || *e.Lines[2].SupplierID != supplier || e.MadeBy != w.by.Actor {
			t.Errorf("posted %s", asJSON(e))
		}
		for _, l := range e.Lines {
			if !id.Valid(id.JournalLine, l.ID) {
				t.Errorf("a line has the id %q", l.ID)
			}
		}
		read, err := w.Entry(ctx, w.by, e.ID)
		must(t, err)
		if asJSON(read) != asJSON(e) {
			t.Errorf("read\n%s\nof\n%s", asJSON(read), asJSON(e))
		}
		wantTold(t, w.told(t, 0), happening(event.EntryPosted, entryData(e, event.Data{"reversalOfId": nil})))
		_, err = w.Entry(ctx, w.another(t).by, e.ID)
		want(t, err, record.ErrNotFound)
		if second := w.post(t, w.sale("2026-01-01", 1)); second.NumberText() != "JE-000002" {
			t.Errorf("the second is %s", second.NumberText())
		}
	})
}

func TestWhatAnEntryMayNotBe(t *testing.T) {
	type e = ledger.NewEntry
	each(t, func(t *testing.T, w *world) {
		customer, supplier := w.party(t, id.Customer), w.party(t, id.Supplier)
		many := func(n int) []ledger.NewLine {
			var list []ledger.NewLine
			for range n - 1 {
				list = append(list, w.dr("6000", 1))
			}
			return append(list, w.cr("1000", money.Amount(n-1)))
		}
		for name, c := range map[string]struct {
			change func(n *e)
			want   string
		}{
			"without a date":               {func(n *e) { n.Date = "" }, "date"},
			"on no day of the calendar":    {func(n *e) { n.Date = "2026-02-29" }, "date"},
			"before the calendar":          {func(n *e) { n.Date = "1899-12-31" }, "date"},
			"with a memo of 501":           {func(n *e) { n.Memo = ptr(strings.Repeat("x", 501)) }, "memo"},
			"without lines":                {func(n *e) { n.Lines = nil }, "lines"},
			"with one line":                {func(n *e) { n.Lines = n.Lines[:1] }, "lines"},
			"with 501 lines":               {func(n *e) { n.Lines = many(501) }, "lines"},
			"without an account":           {func(n *e) { n.Lines[1].AccountID = "" }, "lines.1.accountId"},
			"with a negative debit":        {func(n *e) { n.Lines[0].Debit = -1 }, "lines.0.debit lines.0"},
			"with a negative credit":       {func(n *e) { n.Lines[0].Credit = -1 }, "lines.0.credit"},
			"with both sides":              {func(n *e) { n.Lines[0].Credit = 1 }, "lines.0"},
			"with neither side":            {func(n *e) { n.Lines[1].Credit = 0 }, "lines.1"},
			"with more than an amount":     {func(n *e) { n.Lines[0].Debit = money.Max + 1 }, "lines.0.debit"},
			"with a description of 201":    {func(n *e) { n.Lines[0].Description = ptr(strings.Repeat("x", 201)) }, "lines.0.description"},
			"with two parties in a line":   {func(n *e) { n.Lines[0].CustomerID, n.Lines[0].SupplierID = &customer, &supplier }, "lines.0"},
			"with an external id of 101":   {func(n *e) { n.ExternalID = ptr(strings.Repeat("x", 101)) }, "externalId"},
			"payable without a supplier":   {func(n *e) { n.Lines[1].AccountID = w.id("2000") }, "lines.1.supplierId"},
			"prepaid without a supplier":   {func(n *e) { n.Lines[0].AccountID = w.id("1150") }, "lines.0.supplierId"},
			"payable to a customer":        {func(n *e) { n.Lines[1].AccountID, n.Lines[1].CustomerID = w.id("2000"), &customer }, "lines.1.supplierId"},
			"wrong in many ways, all told": {func(n *e) { n.Date, n.Lines[0].Debit, n.Lines[1].AccountID = "x", 0, "" }, "date lines.0 lines.1.accountId"},
			"more in sum than an amount": {func(n *e) {
				n.Lines = []ledger.NewLine{w.dr("1000", money.Max), w.dr("1000", 1), w.cr("4000", money.Max), w.cr("4000", 1)}
			}, "lines"},
		} {
			for _, draft := range []bool{false, true} {
				n := w.sale("2026-11-01", 5)
				n.Draft = draft
				c.change(&n)
				_, err := do(w, w.CreateEntry(w.by, n))
				if got := offences(err); got != c.want {
					t.Errorf("%s (draft: %v): offences are %s", name, draft, got)
				}
			}
		}
		wantTold(t, w.told(t, 0))
		// The edges are fine.
		n := w.sale("2026-02-28", money.Max-money.Max>>4-1000)
		n.Memo, n.Lines[0].Description = ptr(strings.Repeat("é", 500)), ptr(strings.Repeat("é", 200))
		w.post(t, n)
		w.post(t, ledger.NewEntry{Date: "2199-12-31", Lines: many(500)})
	})
}

func TestReferencesOfAnEntryAreChecked(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other := w.another(t)
		customer, supplier := w.party(t, id.Customer), w.party(t, id.Supplier)
		strangers := other.party(t, id.Customer)
		for name, c := range map[string]struct {
			change func(n *ledger.NewEntry)
			want   *fault.Fault
			param  any
		}{
			"an unknown account":         {func(n *ledger.NewEntry) { n.Lines[1].AccountID = "acc_1" }, record.ErrReference, "lines.1.accountId"},
			"another business's account": {func(n *ledger.NewEntry) { n.Lines[0].AccountID = other.id("1000") }, record.ErrReference, "lines.0.accountId"},
			"an unknown customer":        {func(n *ledger.NewEntry) { n.Lines[0].CustomerID = ptr("cus_1") }, record.ErrReference, "lines.0.customerId"},
			"another business's":         {func(n *ledger.NewEntry) { n.Lines[0].CustomerID = &strangers }, record.ErrReference, "lines.0.customerId"},
			"a supplier as a customer":   {func(n *ledger.NewEntry) { n.Lines[1].CustomerID = &supplier }, record.ErrReference, "lines.1.customerId"},
			"a customer as a supplier":   {func(n *ledger.NewEntry) { n.Lines[1].SupplierID = &customer }, record.ErrReference, "lines.1.supplierId"},
			"receivables":                {func(n *ledger.NewEntry) { n.Lines[0].AccountID = w.id("1100") }, ledger.ErrControl, "1100"},
			"customer credit":            {func(n *ledger.NewEntry) { n.Lines[0].AccountID = w.id("2150") }, ledger.ErrControl, "2150"},
		} {
			t.Run(name, func(t *testing.T) {
				for _, draft := range []bool{false, true} {
					n := w.sale("2026-11-01", 5)
					n.Draft = draft
					c.change(&n)
					_, err := do(w, w.CreateEntry(w.by, n))
					want(t, err, c.want)
					if f := fault.From(err); f == nil || len(f.Params) == 0 || f.Params[0] != c.param {
						t.Errorf("p0 is not %v: %v", c.param, err)
					}
				}
			})
		}
		for name, party := range map[string]func(n *ledger.NewEntry){
			"a customer on revenue":  func(n *ledger.NewEntry) { n.Lines[1].CustomerID = &customer },
			"a supplier on the bank": func(n *ledger.NewEntry) { n.Lines[0].SupplierID = &supplier },
			"a prepaid supplier":     func(n *ledger.NewEntry) { n.Lines[0].AccountID, n.Lines[0].SupplierID = w.id("1150"), &supplier },
		} {
			n := w.sale("2026-11-01", 5)
			party(&n)
			_, err := do(w, w.CreateEntry(w.by, n))
			t.Run(name, func(t *testing.T) { want(t, err, nil) })
		}
	})
}

func TestAnEntryBalances(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.sale("2026-11-01", 5)
		n.Lines[1].Credit = 4
		_, err := do(w, w.CreateEntry(w.by, n))
		want(t, err, ledger.ErrUnbalanced)
		if f := fault.From(err); f == nil || f.Params[0] != money.Amount(5) || f.Params[1] != money.Amount(4) {
			t.Errorf("the totals are missing: %v", err)
		}
		// Two sums of zero cannot come from outside; another feature's are refused like any that differ.
		_, err = do(w, postLines(w, ledger.Line{AccountID: w.id("1000"), Debit: 5}))
		want(t, err, ledger.ErrUnbalanced)
		_, err = do(w, postLines(w, ledger.Line{AccountID: w.id("1000"), Debit: 5}, ledger.Line{AccountID: w.id("1000"), Debit: -5}))
		want(t, err, ledger.ErrUnbalanced)
		e, err := do(w, postLines(w, ledger.Line{AccountID: w.id("1000")}, ledger.Line{AccountID: w.id("4000")}))
		if e != nil || err != nil {
			t.Errorf("zero lines alone are nothing to post: %v, %v", e, err)
		}
		e, err = do(w, postLines(w, ledger.Line{AccountID: w.id("1000")}.Amount(7), ledger.Line{AccountID: "nowhere"}, ledger.Line{AccountID: w.id("4000")}.Amount(-7)))
		must(t, err)
		if len(e.Lines) != 2 || e.Lines[0].Debit != 7 || e.Lines[1].Credit != 7 || *e.Number != 1 {
			t.Errorf("posted %s", asJSON(e))
		}
	})
}

func TestPostingsOfOtherFeaturesNameAccountsOfTheBusiness(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for name, account := range map[string]string{"none": "", "unknown": "acc_1", "another business's": w.another(t).id("1000")} {
			_, err := do(w, postLines(w, ledger.Line{AccountID: account, Debit: 5}, ledger.Line{AccountID: w.id("4000"), Credit: 5}))
			if err == nil || fault.From(err) != nil {
				t.Errorf("%s: got %v, want a malfunction", name, err)
			}
		}
	})
}

func TestTheBooksNeverHoldMoreThanAnAmount(t *testing.T) {
	const most = money.Max - money.Max>>24<<20 // the rest is for small entries
	each(t, func(t *testing.T, w *world) {
		w.post(t, w.sale("2026-11-01", most-10))
		_, err := do(w, w.CreateEntry(w.by, w.sale("2025-01-01", money.Max/2)))
		want(t, err, ledger.ErrFull)
		w.post(t, w.sale("2026-11-01", 10))
		balances, err := w.Balances(ctx, w.by, []string{w.id("1000")}, "")
		must(t, err)
		if balances[w.id("1000")] != most {
			t.Errorf("the balance is %d", balances[w.id("1000")])
		}
	})
}

func TestDraftsAreKeptOutOfTheBooks(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		supplier := w.party(t, id.Supplier)
		n := ledger.NewEntry{Date: "2026-11-01", Memo: ptr("Later"), Draft: true, ExternalID: ptr("ext"), Lines: []ledger.NewLine{
			w.dr("6000", 100), {AccountID: w.id("2000"), Credit: 90, SupplierID: &supplier, Description: ptr("Paper")},
		}}
		e := w.post(t, n)
		if e.Number != nil || e.NumberText() != "" || e.Status != ledger.Draft || e.DebitTotal != 100 || e.CreditTotal != 90 || e.Version != 1 {
			t.Errorf("drafted %s", asJSON(e))
		}
		read, err := w.Entry(ctx, w.by, e.ID)
		must(t, err)
		if asJSON(read) != asJSON(e) {
			t.Errorf("read\n%s\nof\n%s", asJSON(read), asJSON(e))
		}
		_, err = do(w, w.PostEntry(w.by, e.ID, nil))
		want(t, err, ledger.ErrUnbalanced)
		_, err = do(w, w.ReverseEntry(w.by, e.ID, ledger.Reversal{}, nil))
		want(t, err, record.ErrState)

		w.Clock.Advance(time.Second)
		lines := []ledger.NewLine{w.dr("6000", 90), n.Lines[1]}
		changed := done(t, w, w.UpdateEntry(w.by, e.ID, ledger.EntryPatch{
			Date: setting("2026-11-02"), Memo: record.Clearing[string](), Lines: setting(lines), ExternalID: setting("ext2"),
		}, ptr(1)))
		if changed.Date != "2026-11-02" || changed.Memo != nil || changed.DebitTotal != 90 || changed.Version != 2 || *changed.ExternalID != "ext2" ||
			!changed.UpdatedAt.Equal(w.Clock.Now()) {
			t.Errorf("changed to %s", asJSON(changed))
		}
		wantTold(t, w.told(t, 0)) // nothing so far

		w.Clock.Advance(time.Second)
		_, err = do(w, w.PostEntry(w.by, e.ID, ptr(1)))
		want(t, err, record.ErrStale)
		posted := done(t, w, w.PostEntry(w.by, e.ID, ptr(2)))
		if posted.NumberText() != "JE-000001" || posted.Status != ledger.Posted || posted.Version != 3 || !posted.UpdatedAt.Equal(w.Clock.Now()) ||
			posted.Lines[1].ID != changed.Lines[1].ID {
			t.Errorf("posted %s", asJSON(posted))
		}
		read, err = w.Entry(ctx, w.by, e.ID)
		must(t, err)
		if asJSON(read) != asJSON(posted) {
			t.Errorf("read\n%s\nof\n%s", asJSON(read), asJSON(posted))
		}
		wantTold(t, w.told(t, 0), happening(event.EntryPosted, entryData(posted, event.Data{"reversalOfId": nil})))
	})
}

func TestWhatBecameOfADraftIsJudgedWhenItIsPosted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.accounts["0100"] = done(t, w, w.CreateAccount(w.by, vans()))
		n := ledger.NewEntry{Date: "2026-11-01", Draft: true, Lines: []ledger.NewLine{w.dr("0100", 5), w.cr("3000", 5)}}
		e := w.post(t, n)
		done(t, w, w.ArchiveAccount(w.by, w.id("0100"), nil))
		_, err := do(w, w.PostEntry(w.by, e.ID, nil))
		want(t, err, record.ErrArchived)
		done(t, w, w.DeleteAccount(w.by, w.id("0100"), nil)) // a draft does not hold it
		_, err = do(w, w.PostEntry(w.by, e.ID, nil))
		want(t, err, record.ErrReference)
		done(t, w, w.UpdateEntry(w.by, e.ID, ledger.EntryPatch{Memo: setting("also such a draft can be changed")}, nil))
		_, err = do(w, w.UpdateEntry(w.by, e.ID, ledger.EntryPatch{Lines: setting([]ledger.NewLine{w.dr("1100", 5), w.cr("3000", 5)})}, nil))
		want(t, err, ledger.ErrControl)
	})
}

func TestAPatchOfADraftThatChangesNothingWritesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.sale("2026-11-01", 5)
		n.Draft, n.Memo = true, ptr("m")
		e := w.post(t, n)
		for name, p := range map[string]ledger.EntryPatch{
			"empty":       {},
			"same values": {Date: setting(e.Date), Memo: setting(" m "), Lines: setting(n.Lines)},
		} {
			got := done(t, w, w.UpdateEntry(w.by, e.ID, p, nil))
			if got.Version != 1 || got.Lines[0].ID != e.Lines[0].ID {
				t.Errorf("%s: %s", name, asJSON(got))
			}
		}
		got := done(t, w, w.UpdateEntry(w.by, e.ID, ledger.EntryPatch{Date: setting("2026-11-02"), Lines: setting(n.Lines)}, nil))
		if got.Version != 2 || got.Lines[0].ID != e.Lines[0].ID {
			t.Errorf("lines that say the same are the same lines: %s", asJSON(got))
		}
	})
}

func TestWhatAPatchOfADraftMayNotSay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.sale("2026-11-01", 5)
		n.Draft = true
		e := w.post(t, n)
		for name, c := range map[string]struct {
			patch ledger.EntryPatch
			want  string
		}{
			"nulls":      {ledger.EntryPatch{Date: record.Clearing[string](), Lines: record.Clearing[[]ledger.NewLine]()}, "date lines"},
			"bad values": {ledger.EntryPatch{Date: setting("x"), Memo: setting(strings.Repeat("x", 501)), Lines: setting(n.Lines[:1])}, "date lines memo"},
		} {
			_, err := do(w, w.UpdateEntry(w.by, e.ID, c.patch, nil))
			if got := offences(err); got != c.want {
				t.Errorf("%s: offences are %s", name, got)
			}
		}
		_, err := do(w, w.UpdateEntry(w.by, e.ID, ledger.EntryPatch{}, ptr(2)))
		want(t, err, record.ErrStale)
		_, err = do(w, w.UpdateEntry(w.another(t).by, e.ID, ledger.EntryPatch{}, nil))
		want(t, err, record.ErrNotFound)
	})
}

func TestDeletingADraft(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.sale("2026-11-01", 5)
		n.Draft, n.ExternalID = true, ptr("ext")
		e := w.post(t, n)
		_, err := do(w, w.DeleteEntry(w.by, e.ID, ptr(2)))
		want(t, err, record.ErrStale)
		_, err = do(w, w.DeleteEntry(w.another(t).by, e.ID, nil))
		want(t, err, record.ErrNotFound)
		done(t, w, w.DeleteEntry(w.by, e.ID, ptr(1)))
		_, err = w.Entry(ctx, w.by, e.ID)
		want(t, err, record.ErrNotFound)
		w.post(t, n) // the external id is free again
		wantTold(t, w.told(t, 0))
	})
}

func TestAPostedEntryStaysAsItIs(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e := w.post(t, w.sale("2026-11-01", 5))
		for name, p := range map[string]ledger.EntryPatch{
			"date": {Date: setting("2026-11-02")}, "memo": {Memo: setting("x")}, "lines": {Lines: setting(w.sale("", 6).Lines)},
		} {
			_, err := do(w, w.UpdateEntry(w.by, e.ID, p, nil))
			t.Run(name, func(t *testing.T) { want(t, err, record.ErrState) })
		}
		_, err := do(w, w.DeleteEntry(w.by, e.ID, nil))
		want(t, err, record.ErrState)
		_, err = do(w, w.PostEntry(w.by, e.ID, nil))
		want(t, err, record.ErrState)
		if got := done(t, w, w.UpdateEntry(w.by, e.ID, ledger.EntryPatch{ExternalID: setting("ext")}, nil)); *got.ExternalID != "ext" || got.Version != 2 {
			t.Errorf("the app's own name for it is %s", asJSON(got))
		}
	})
}

func TestReversingAnEntry(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		supplier := w.party(t, id.Supplier)
		e := w.post(t, ledger.NewEntry{Date: "2026-11-01", Lines: []ledger.NewLine{
			{AccountID: w.id("6000"), Debit: 100, Description: ptr("Paper")}, {AccountID: w.id("2000"), Credit: 100, SupplierID: &supplier},
		}})
		// Half past midnight in Amsterdam is still yesterday in UTC.
		w.Clock.Set(time.Date(2026, 12, 31, 23, 30, 0, 0, time.UTC))
		_, err := do(w, w.ReverseEntry(w.by, e.ID, ledger.Reversal{}, ptr(2)))
		want(t, err, record.ErrStale)
		_, err = do(w, w.ReverseEntry(w.by, e.ID, ledger.Reversal{Date: ptr("soon"), Memo: ptr(strings.Repeat("x", 501))}, nil))
		if got := offences(err); got != "date memo" {
			t.Errorf("offences are %s", got)
		}
		_, err = do(w, w.ReverseEntry(w.another(t).by, e.ID, ledger.Reversal{}, nil))
		want(t, err, record.ErrNotFound)

		mirror := done(t, w, w.ReverseEntry(w.by, e.ID, ledger.Reversal{Memo: ptr(" Oops ")}, ptr(1)))
		if mirror.NumberText() != "JE-000002" || mirror.Date != "2027-01-01" || *mirror.Memo != "Oops" || mirror.Status != ledger.Posted || *mirror.ReversalOf != e.ID ||
			mirror.Source != (ledger.Source{Type: ledger.FromManual, ID: e.ID, Action: "REVERSE"}) ||
			mirror.Lines[0].Credit != 100 || *mirror.Lines[0].Description != "Paper" || mirror.Lines[1].Debit != 100 || *mirror.Lines[1].SupplierID != supplier ||
			mirror.Lines[0].ID == e.Lines[0].ID {
			t.Errorf("mirrored by %s", asJSON(mirror))
		}
		original, err := w.Entry(ctx, w.by, e.ID)
		must(t, err)
		if original.Status != ledger.Reversed || *original.ReversedBy != mirror.ID || original.Version != 2 || !original.UpdatedAt.Equal(w.Clock.Now()) {
			t.Errorf("the original is %s", asJSON(original))
		}
		wantTold(t, w.told(t, 1),
			happening(event.EntryPosted, entryData(mirror, event.Data{"reversalOfId": e.ID})),
			happening(event.EntryReversed, entryData(original, event.Data{"reversedById": mirror.ID, "reversalDate": "2027-01-01"})))

		_, err = do(w, w.ReverseEntry(w.by, e.ID, ledger.Reversal{}, nil))
		want(t, err, record.ErrState)
		again := done(t, w, w.ReverseEntry(w.by, mirror.ID, ledger.Reversal{Date: ptr("2026-10-01")}, nil)) // before either: allowed
		if again.Lines[0].Debit != 100 || *again.ReversalOf != mirror.ID {
			t.Errorf("mirrored again by %s", asJSON(again))
		}
	})
}

func TestEntriesOfDocumentsFollowTheirDocument(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		foreign := ledger.Line{AccountID: w.id("1000"), Debit: 92, Currency: ptr("USD"), ForeignAmount: ptr(money.Amount(100))}
		e := done(t, w, postLines(w, foreign, ledger.Line{AccountID: w.id("4000"), Credit: 92}))
		_, err := do(w, w.ReverseEntry(w.by, e.ID, ledger.Reversal{}, nil))
		want(t, err, ledger.ErrFollows)

		must(t, w.books(func(b *ledger.Book) error {
			list, err := b.EntriesOf(ctx, ledger.FromSystem, e.Source.ID)
			if err != nil {
				return err
			}
			if len(list) != 1 || asJSON(list[0]) != asJSON(e) {
				t.Errorf("found %s", asJSON(list))
			}
			mirror, err := b.Reverse(ctx, list[0], "2026-11-03", "UNDO", nil)
			if err != nil {
				return err
			}
			if mirror.Source != (ledger.Source{Type: ledger.FromSystem, ID: e.Source.ID, Action: "UNDO"}) || *mirror.Lines[0].ForeignAmount != -100 {
				t.Errorf("mirrored by %s", asJSON(mirror))
			}
			both, err := b.EntriesOf(ctx, ledger.FromSystem, e.Source.ID)
			if len(both) != 2 || both[0].ID != e.ID || both[1].ID != mirror.ID || len(both[1].Lines) != 2 {
				t.Errorf("found %s", asJSON(both))
			}
			return err
		}))
		err = w.books(func(b *ledger.Book) error {
			_, err := b.Reverse(ctx, *e, "2026-11-03", "UNDO AGAIN", nil)
			return err
		})
		want(t, err, record.ErrState)
	})
}

func TestAReversalIsAPosting(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.accounts["0100"] = done(t, w, w.CreateAccount(w.by, vans()))
		e := w.post(t, ledger.NewEntry{Date: "2026-11-01", Lines: []ledger.NewLine{w.dr("0100", 5), w.cr("3000", 5)}})
		done(t, w, w.ArchiveAccount(w.by, w.id("0100"), nil))
		_, err := do(w, w.ReverseEntry(w.by, e.ID, ledger.Reversal{}, nil))
		want(t, err, record.ErrArchived)
		if read, err := w.Entry(ctx, w.by, e.ID); err != nil || read.Status != ledger.Posted {
			t.Errorf("a refused reversal left %s, %v", asJSON(read), err)
		}
	})
}

func TestEventsOfTheJournalComeLast(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		must(t, w.books(func(b *ledger.Book) error {
			_, err := b.Post(ctx, ledger.Posting{Date: "2026-11-01", Source: ledger.Source{Type: ledger.FromInvoice, ID: "inv_1", Action: "ISSUE"},
				Lines: []ledger.Line{{AccountID: w.id("1000"), Debit: 5}, {AccountID: w.id("4000"), Credit: 5}}})
			b.Tell(event.InvoiceIssued, event.Data{"a": 1})
			b.Tell(event.InvoicePaid, event.Data{"a": 2})
			return err
		}))
		var kinds []string
		for _, e := range w.told(t, 0) {
			kind, _, _ := strings.Cut(e, " ")
			kinds = append(kinds, kind)
		}
		if got := strings.Join(kinds, " "); got != "invoice.issued invoice.paid journal_entry.posted" {
			t.Errorf("told %s", got)
		}
	})
}
