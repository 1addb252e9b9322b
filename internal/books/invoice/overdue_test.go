package invoice_test

import (
	"sync"
	"testing"
	"time"

	"daybook/internal/books/invoice"
	"daybook/internal/books/record"
)

func TestAnOverdueInvoiceIsToldOfOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		bill := func(due string) invoice.Invoice {
			n := w.bare("10")
			n.IssueDate, n.DueDate = ptr("2026-10-01"), &due
			return w.issued(n)
		}
		late, part, paid, void, off, soon := bill("2026-11-12"), bill("2026-11-13"), bill("2026-11-01"), bill("2026-11-01"), bill("2026-11-01"), bill(today)
		n := w.bare("10")
		n.IssueDate, n.DueDate = ptr("2026-10-01"), ptr("2026-10-02")
		w.draft(n)
		w.pay(part.ID, 1, today)
		w.pay(paid.ID, 1000, today)
		run(w, w.invoices.Void(w.by, void.ID, invoice.Voiding{}, nil))
		run(w, w.invoices.WriteOff(w.by, off.ID, nil, nil))
		w.events()
		var wait sync.WaitGroup
		for range 6 { // nodes
			wait.Go(func() {
				if err := w.invoices.NoteOverdue(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		e := w.events()
		if len(e) != 2 || e[0].Type != "invoice.overdue" || e[0].Data["invoiceId"] != late.ID || e[0].Data["daysOverdue"] != 2.0 || e[1].Data["invoiceId"] != part.ID ||
			e[1].Data["daysOverdue"] != 1.0 || text(e[0].Data["actor"]) != `{"appId":null,"type":"SYSTEM"}` || e[0].Data["version"] != 1.0 {
			t.Fatalf("told %s", text(e))
		}
		if got := w.get(late.ID); got.Version != 1 || !got.Overdue {
			t.Errorf("telling changed it: %s", text(got))
		}
		// Midnight in Amsterdam comes an hour before UTC's.
		w.Clock.Advance(10*time.Hour + 59*time.Minute)
		must(t, w.invoices.NoteOverdue(ctx))
		if got := w.happened(); got != "" {
			t.Errorf("before midnight told %s", got)
		}
		w.Clock.Advance(time.Minute)
		must(t, w.invoices.NoteOverdue(ctx))
		if e := w.events(); len(e) != 1 || e[0].Data["invoiceId"] != soon.ID || e[0].Data["daysOverdue"] != 1.0 {
			t.Errorf("told %s", text(e))
		}
		run(w, w.invoices.Update(w.by, late.ID, invoice.Patch{DueDate: record.Setting("2026-11-14")}, nil))
		w.events()
		must(t, w.invoices.NoteOverdue(ctx))
		if got := w.happened(); got != "" {
			t.Errorf("again told %s", got)
		}
	})
}

func TestOverdueInvoicesOfManyBusinesses(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		worlds := []*world{w}
		for range 3 {
			worlds = append(worlds, w.house.world(t, "EUR"))
		}
		for n, w := range worlds {
			i := w.issued(w.bare("10"))
			w.exec(`UPDATE businesses SET time_zone = $2 WHERE id = $1`, w.by.BusinessID, []string{"Europe/Amsterdam", "Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"}[n])
			w.exec(`UPDATE invoices SET due_date = $2 WHERE id = $1`, i.ID, "2026-11-14")
			w.events()
		}
		must(t, w.invoices.NoteOverdue(ctx))
		for n, want := range []string{"", "invoice.overdue", "", ""} { // only on Kiritimati it is tomorrow
			if got := worlds[n].happened(); got != want {
				t.Errorf("business %d: told %q", n, got)
			}
		}
		w.Clock.Advance(12 * time.Hour)
		must(t, w.invoices.NoteOverdue(ctx))
		for n, want := range []string{"invoice.overdue", "", "", "invoice.overdue"} {
			if got := worlds[n].happened(); got != want {
				t.Errorf("later, business %d: told %q", n, got)
			}
		}
	})
}

func TestMoreOverdueInvoicesThanOneTransactionTells(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		i := w.issued(w.bare("10"))
		w.exec(`UPDATE invoices SET due_date = '2026-11-01' WHERE id = $1`, i.ID)
		// 250 more like it, without their entries.
		for n := range 250 {
			w.exec(`INSERT INTO invoices SELECT id || $2, business_id, number || $2, status, customer_id, bill_to, issue_date, due_date, currency, exchange_rate, tax_mode,
				tax_rounding, lines, tax_summary, reference, notes, subtotal, discount_total, tax_total, total, amount_paid, amount_written_off, amount_due, 0, 0, 0,
				issued_at, sent_at, paid_at, voided_at, void_reason, journal_entry_id, source_type, source_app_id, plan_year, overdue_noted_at, made_by, changed_by,
				version, created_at, updated_at FROM invoices WHERE id = $1`, i.ID, string(rune('A'+n/26))+string(rune('a'+n%26)))
		}
		w.events()
		must(t, w.invoices.NoteOverdue(ctx))
		if got := len(w.events()); got != 251 {
			t.Errorf("told of %d", got)
		}
	})
}
