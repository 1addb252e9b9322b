package bulk_test

import (
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/books/bulk"
	"daybook/internal/books/record"
)

func TestADryRunTellsWhatWouldBeAndWritesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		there := *w.all(w.row("there", "1")).Outcomes[0].InvoiceID
		w.events()
		before := w.everything()
		rows := []bulk.Row{
			w.row("one", "10"), with(w.row("two", "10"), func(r *bulk.Row) { r.Invoice.Number = ptr(" N-1 ") }), w.row("there", "1"),
			w.paid(forNew(w.row("three", "10"), "bea", "Bea"), -1),
			with(w.paid(forNew(w.row("four", "10"), "bea", "Bea"), 10), func(r *bulk.Row) { r.Payment.ExternalID = ptr("pay-1") }), w.row("two", "1"),
			with(w.row("five", "10"), func(r *bulk.Row) { r.Invoice.Number = ptr("N-1") }),
		}
		for _, mode := range []bulk.Mode{bulk.Partial, bulk.Atomic} {
			tried := rows
			if mode == bulk.Atomic {
				tried = []bulk.Row{rows[0], rows[1], rows[2], rows[4], rows[5]}
			}
			r := w.load(bulk.Request{Mode: mode, DryRun: true, Rows: tried})
			if mode == bulk.Partial {
				same(t, "outcomes", outcomes(r.Outcomes), "CREATED CREATED SKIPPED (payment.amount) CREATED SKIPPED DUPLICATE_NUMBER")
				same(t, "summary", r.Summary, bulk.Summary{Received: 7, Created: 3, Skipped: 2, Failed: 2})
			} else {
				same(t, "outcomes", outcomes(r.Outcomes), "CREATED CREATED SKIPPED CREATED SKIPPED")
			}
			if !r.DryRun || r.Mode != mode || r.ImportID == "" {
				t.Errorf("told as %+v", r)
			}
			first, chosen, skipped, again := r.Outcomes[0], r.Outcomes[1], r.Outcomes[2], r.Outcomes[len(tried)-1]
			if mode == bulk.Partial {
				again = r.Outcomes[5]
			}
			if first.InvoiceID != nil || first.Number != nil || *first.Total != 1210 {
				t.Errorf("what would be created is told as %+v", first)
			}
			if chosen.InvoiceID != nil || *chosen.Number != "N-1" || again.InvoiceID != nil || *again.Number != "N-1" || *again.Total != 1210 {
				t.Errorf("what has its number is told as %+v, and its repetition as %+v", chosen, again)
			}
			if *skipped.InvoiceID != there || *skipped.Number != "INV-000001" || *skipped.Total != 121 {
				t.Errorf("what is there is told as %+v", skipped)
			}
			same(t, "left behind", w.everything(), before)
			same(t, "events", w.happened(), "")
		}
		// What was told then happens.
		r := w.all(rows...)
		same(t, "outcomes", outcomes(r.Outcomes), "CREATED CREATED SKIPPED (payment.amount) CREATED SKIPPED DUPLICATE_NUMBER")
	})
}

func TestADryRunOfAllOrNoneIsRejectedAsTheImportWouldBe(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		before := w.everything()
		r := w.rejected(bulk.Request{Mode: bulk.Atomic, DryRun: true, Rows: []bulk.Row{w.row("one", "10"), w.row("two", "x")}})
		same(t, "outcomes", outcomes(r.Outcomes), "NOT_ATTEMPTED (lines.0.unitPrice)")
		same(t, "left behind", w.everything(), before)
	})
}

func TestADryRunNamesNoInvoiceThatWillNotBe(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		r := w.load(bulk.Request{DryRun: true, OnDuplicate: bulk.Fail, Rows: []bulk.Row{w.row("one", "10"), w.row("one", "10")}})
		same(t, "outcomes", outcomes(r.Outcomes), "CREATED DUPLICATE_EXTERNAL_ID")
		want(t, r.Outcomes[1].Refusal, record.ErrExternalID, "invoices.0")
	})
}

func TestAStepLeavesRoomForWhatElseItsTransactionKeeps(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, dry := range []bool{false, true} {
			step := w.bulk.Step(w.by, bulk.Request{DryRun: dry, Rows: []bulk.Row{w.row("one", "10"), w.paid(w.row("two", "10"), -1), w.row("three", "10")}})
			name := map[bool]string{false: "kept", true: "kept too"}[dry]
			must(t, w.Write(ctx, func(tx *db.Tx) error {
				if _, err := step(ctx, tx); err != nil {
					return err
				}
				_, err := tx.Exec(ctx, `INSERT INTO event_counters (business_id, last) VALUES ($1, 1)`, name)
				return err
			}))
			same(t, "kept", one[int](w, `SELECT count(*) FROM event_counters WHERE business_id = $1`, name), 1)
			same(t, "invoices", one[int](w, `SELECT count(*) FROM invoices`), 2)
		}
	})
}
