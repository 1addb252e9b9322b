package invoice_test

import (
	"testing"

	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
)

func TestVoidingTakesTheEntryBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.plain("100")
		n.Currency, n.ExchangeRate = ptr("USD"), ptr("0.9")
		n.IssueDate = ptr("2026-11-01")
		i := w.issued(n)
		w.events()
		v := run(w, w.invoices.Void(w.by, i.ID, invoice.Voiding{Date: ptr("2026-11-10"), Reason: ptr(" wrong customer ")}, ptr(1)))
		if v.Status != invoice.Void || v.AmountDue != 0 || v.Total != 12100 || v.VoidedAt == nil || *v.VoidReason != "wrong customer" || v.Version != 2 ||
			v.Number != i.Number || *v.JournalEntryID != *i.JournalEntryID || text(w.get(i.ID)) != text(v) {
			t.Errorf("got %s", text(v))
		}
		if got := w.booked(i.ID, "void"); got != "1100 -10890 (USD -12100) customer, 4000 9000 (USD 10000), 2100 1890 (USD 2100)" {
			t.Errorf("booked %s", got)
		}
		original, err := w.ledger.Entry(ctx, w.by, *i.JournalEntryID)
		must(t, err)
		if original.Status != ledger.Reversed {
			t.Errorf("the original is %s", original.Status)
		}
		e := w.events()
		if len(e) != 3 || e[0].Type != "invoice.voided" || e[1].Type != "journal_entry.posted" || e[2].Type != "journal_entry.reversed" ||
			e[0].Data["voidDate"] != "2026-11-10" || e[0].Data["journalEntryId"] != *original.ReversedBy || e[1].Data["date"] != "2026-11-10" || e[0].Data["amountDue"] != 0.0 {
			t.Errorf("told %s", text(e))
		}
		want(t, refused(w, w.invoices.Void(w.by, i.ID, invoice.Voiding{}, nil)), record.ErrState, "VOID", "void")
		want(t, refused(w, w.invoices.Send(w.by, i.ID, invoice.Sending{Channel: invoice.ByLink}, nil)), record.ErrState, "VOID", "send")
	})
}

func TestTheDayOfTheEnd(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.plain("1")
		n.IssueDate = ptr("2026-11-05")
		i := w.issued(n)
		run(w, w.ledger.SetLockDate(w.by, ptr("2026-11-07")))
		for name, try := range map[string]func(date string) error{
			"void": func(date string) error {
				return refused(w, w.invoices.Void(w.by, i.ID, invoice.Voiding{Date: &date}, nil))
			},
			"write-off": func(date string) error { return refused(w, w.invoices.WriteOff(w.by, i.ID, &date, nil)) },
		} {
			if got := offences(try("2026-11-04")); got != "date" {
				t.Errorf("%s before the issue: %s", name, got)
			}
			if got := offences(try("yesterday")); got != "date" {
				t.Errorf("%s on no day: %s", name, got)
			}
			want(t, try("2026-11-07"), ledger.ErrLocked, "2026-11-07")
		}
		if got := offences(refused(w, w.invoices.Void(w.by, i.ID, invoice.Voiding{Reason: ptr(string(make([]byte, 501)))}, nil))); got == "" {
			t.Error("any reason will do")
		}
		tiny := w.bare("0.01") // books nothing
		tiny.Currency, tiny.ExchangeRate = ptr("USD"), ptr("0.01")
		old := w.issued(tiny)
		run(w, w.ledger.SetLockDate(w.by, ptr(today)))
		want(t, refused(w, w.invoices.Void(w.by, old.ID, invoice.Voiding{}, nil)), ledger.ErrLocked, today)
		run(w, w.ledger.SetLockDate(w.by, ptr("2026-11-07")))
		run(w, w.invoices.Void(w.by, i.ID, invoice.Voiding{}, nil))
		if date := one[string](w, `SELECT date FROM journal_entries WHERE business_id = $1 AND source_action = 'void'`, w.by.BusinessID); date != today {
			t.Errorf("voided on %s", date)
		}
		// An invoice that is issued for a later day ends on that day at the earliest.
		n.IssueDate = ptr("2026-12-24")
		i = w.issued(n)
		run(w, w.invoices.WriteOff(w.by, i.ID, nil, nil))
		if date := one[string](w, `SELECT date FROM journal_entries WHERE business_id = $1 AND source_action = 'write_off'`, w.by.BusinessID); date != "2026-12-24" {
			t.Errorf("written off on %s", date)
		}
	})
}

func TestAWriteOffIsABadDebt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		i := w.issued(w.plain("100"))
		w.pay(i.ID, 2100, today)
		w.events()
		off := run(w, w.invoices.WriteOff(w.by, i.ID, ptr("2026-11-20"), ptr(2)))
		if off.Status != invoice.Uncollectible || off.AmountWrittenOff != 10000 || off.AmountDue != 0 || off.AmountPaid != 2100 || off.Version != 3 || text(w.get(i.ID)) != text(off) {
			t.Errorf("got %s", text(off))
		}
		if got := w.booked(i.ID, "write_off"); got != "6800 10000, 1100 -10000 customer" {
			t.Errorf("booked %s", got)
		}
		e := w.events()
		if len(e) != 2 || e[0].Type != "invoice.written_off" || e[1].Type != "journal_entry.posted" || e[0].Data["amountWrittenOff"] != 10000.0 ||
			e[0].Data["journalEntryId"] != e[1].Data["journalEntryId"] || e[1].Data["date"] != "2026-11-20" {
			t.Errorf("told %s", text(e))
		}
		want(t, refused(w, w.invoices.WriteOff(w.by, i.ID, nil, nil)), record.ErrState, "UNCOLLECTIBLE", "write-off")
		want(t, w.unpay(i.ID, 2100, 2100), record.ErrState, "UNCOLLECTIBLE", "unallocate")
		run(w, w.invoices.Send(w.by, i.ID, invoice.Sending{Channel: invoice.ByLink}, nil))
	})
}

func TestAForeignWriteOffTakesWhatIsStillCarried(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.bare("100")
		n.Currency, n.ExchangeRate = ptr("USD"), ptr("0.333")
		i := w.issued(n)
		w.pay(i.ID, 5000, today) // half of 33.30
		run(w, w.invoices.WriteOff(w.by, i.ID, nil, nil))
		if got := w.booked(i.ID, "write_off"); got != "6800 1665 (USD 5000), 1100 -1665 (USD -5000) customer" {
			t.Errorf("booked %s", got)
		}
	})
}

func TestWhatEachStateRefuses(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		paid, part, draft := w.issued(w.plain("1")), w.issued(w.plain("1")), w.draft(w.plain("1"))
		w.pay(paid.ID, 121, today)
		w.pay(part.ID, 21, today)
		void := func(id string) error { return refused(w, w.invoices.Void(w.by, id, invoice.Voiding{}, nil)) }
		off := func(id string) error { return refused(w, w.invoices.WriteOff(w.by, id, nil, nil)) }
		want(t, void(draft.ID), record.ErrState, "DRAFT", "void")
		want(t, void(part.ID), record.ErrState, "PARTIALLY_PAID", "void")
		want(t, void(paid.ID), record.ErrState, "PAID", "void")
		want(t, off(draft.ID), record.ErrState, "DRAFT", "write-off")
		want(t, off(paid.ID), record.ErrState, "PAID", "write-off")
		want(t, refused(w, w.invoices.Issue(w.by, paid.ID, nil)), record.ErrState, "PAID", "issue")
		want(t, refused(w, w.invoices.Void(w.by, part.ID, invoice.Voiding{}, ptr(9))), record.ErrStale, 2, 9)
		want(t, refused(w, w.invoices.WriteOff(w.by, part.ID, nil, ptr(9))), record.ErrStale, 2, 9)
	})
}
