package bulk_test

import (
	"errors"
	"testing"

	"daybook/internal/base/fault"
	"daybook/internal/books/bulk"
	"daybook/internal/books/record"
)

// rejected is the rejection of an import.
func (w *world) rejected(r bulk.Request) bulk.Result {
	w.t.Helper()
	result, err := w.bulk.Import(ctx, w.by, r)
	var rejection *bulk.Rejection
	if !errors.As(err, &rejection) || !errors.Is(err, bulk.ErrRejected) || result.ImportID != "" || result.Outcomes != nil {
		w.t.Fatal("not rejected: ", result, err)
	}
	return rejection.Result
}

func TestAllRowsOrNone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.all(w.row("there", "1"))
		w.events()
		before := w.everything()
		bad := []bulk.Row{
			w.row("one", "10"), w.row("two", "x"), w.row("there", "1"), w.paid(forNew(w.row("three", "10"), "bea", "Bea"), -1),
			w.paid(forNew(w.row("four", "10"), "bea", "Bea"), 10), w.row("one", "1"),
		}
		r := w.rejected(bulk.Request{Mode: bulk.Atomic, Rows: bad})
		same(t, "outcomes", outcomes(r.Outcomes), "NOT_ATTEMPTED (lines.0.unitPrice) NOT_ATTEMPTED (payment.amount) NOT_ATTEMPTED NOT_ATTEMPTED")
		for i, o := range r.Outcomes {
			if o.InvoiceID != nil || o.Number != nil || o.Total != nil || *o.ExternalID != *bad[i].Invoice.ExternalID {
				t.Errorf("row %d is told as %+v", i, o)
			}
		}
		same(t, "left behind", w.everything(), before)
		same(t, "events", w.happened(), "")

		good := []bulk.Row{bad[0], bad[2], bad[4], bad[5]}
		r = w.load(bulk.Request{Mode: bulk.Atomic, Rows: good})
		same(t, "outcomes", outcomes(r.Outcomes), "CREATED SKIPPED CREATED SKIPPED")
		same(t, "repeated", *r.Outcomes[3].InvoiceID, *r.Outcomes[0].InvoiceID)
		same(t, "number", *r.Outcomes[2].Number, "INV-000003")
	})
}

func TestARejectionIsABadRequestThatCounts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, err := w.bulk.Import(ctx, w.by, bulk.Request{Mode: bulk.Atomic, Rows: []bulk.Row{w.row("one", "10"), w.row("two", "x"), w.row("three", "x")}})
		f := fault.From(err)
		if f == nil || f.Kind != fault.Invalid || f.Code != "IMPORT_REJECTED" {
			t.Fatalf("got %v", err)
		}
		want(t, err, bulk.ErrRejected, 2, 3)
	})
}

func TestADuplicateRejectsAnImportOfAllOrNoneIfWanted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		there := *w.all(w.row("there", "1")).Outcomes[0].InvoiceID
		before := w.everything()
		r := w.rejected(bulk.Request{Mode: bulk.Atomic, OnDuplicate: bulk.Fail, Rows: []bulk.Row{w.row("one", "1"), w.row("there", "1"), w.row("one", "1")}})
		same(t, "outcomes", outcomes(r.Outcomes), "NOT_ATTEMPTED DUPLICATE_EXTERNAL_ID DUPLICATE_EXTERNAL_ID")
		want(t, r.Outcomes[1].Refusal, record.ErrExternalID, there)
		want(t, r.Outcomes[2].Refusal, record.ErrExternalID, "invoices.0")
		same(t, "left behind", w.everything(), before)
	})
}
