package bulk_test

import (
	"fmt"
	"testing"

	"daybook/internal/base/money"
	"daybook/internal/books/bulk"
	"daybook/internal/books/invoice"
	"daybook/internal/books/record"
)

func TestWhatIsThereAlreadyIsSkipped(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.all(w.row("one", "10"), with(w.row("draft", "20"), func(r *bulk.Row) { r.Invoice.Issue = false }))
		single := done(w, w.invoices.Create(w.by, w.row("single", "30").Invoice))
		w.events()
		before := w.everything()
		// Whatever else the rows say: an invoice that is there is not looked at again.
		again := w.all(
			w.row(" one ", "99"), with(w.row("draft", "not a number"), func(r *bulk.Row) { r.Invoice.CustomerID = "cus_none" }), w.paid(w.row("single", "30"), -1))
		same(t, "outcomes", outcomes(again.Outcomes), "SKIPPED SKIPPED SKIPPED")
		same(t, "summary", again.Summary, bulk.Summary{Received: 3, Skipped: 3})
		for i, want := range []struct {
			id     string
			number string
			total  money.Amount
		}{{*first.Outcomes[0].InvoiceID, "INV-000001", 1210}, {*first.Outcomes[1].InvoiceID, "", 2420}, {single.ID, "INV-000002", 3630}} {
			o := again.Outcomes[i]
			if *o.InvoiceID != want.id || *o.Total != want.total || (o.Number == nil) != (want.number == "") || o.Number != nil && *o.Number != want.number {
				t.Errorf("row %d is told as %+v", i, o)
			}
		}
		same(t, "afterwards", w.everything(), before)
	})
}

func TestWhatIsThereAlreadyFailsIfWanted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		there := *w.all(w.row("one", "10")).Outcomes[0].InvoiceID
		r := w.load(bulk.Request{OnDuplicate: bulk.Fail, Rows: []bulk.Row{w.row("zero", "1"), w.row("one", "1"), w.row("two", "1")}})
		same(t, "outcomes", outcomes(r.Outcomes), "CREATED DUPLICATE_EXTERNAL_ID CREATED")
		want(t, r.Outcomes[1].Refusal, record.ErrExternalID, there)
		if o := r.Outcomes[1]; o.InvoiceID != nil || o.Number != nil || o.Total != nil {
			t.Errorf("the row failed, and is told as %+v", o)
		}
		same(t, "summary", r.Summary, bulk.Summary{Received: 3, Created: 2, Failed: 1})
	})
}

func TestANameTwiceInAnImportIsADuplicate(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		r := w.all(w.row("one", "10"), w.row("two", "1"), w.row("one", "99"), w.row(" one", "99"))
		same(t, "outcomes", outcomes(r.Outcomes), "CREATED CREATED SKIPPED SKIPPED")
		for _, i := range []int{2, 3} {
			o := r.Outcomes[i]
			if *o.InvoiceID != *r.Outcomes[0].InvoiceID || *o.Number != "INV-000001" || *o.Total != 1210 {
				t.Errorf("row %d is told as %+v", i, o)
			}
		}
		r = w.load(bulk.Request{OnDuplicate: bulk.Fail, Rows: []bulk.Row{w.row("three", "10"), w.row("three", "10")}})
		same(t, "outcomes", outcomes(r.Outcomes), "CREATED DUPLICATE_EXTERNAL_ID")
		want(t, r.Outcomes[1].Refusal, record.ErrExternalID, *r.Outcomes[0].InvoiceID)
	})
}

func TestARepeatedRowIsToldOfTheInvoiceThatStays(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, way := range []bulk.OnDuplicate{bulk.Skip, bulk.Fail} {
			// The late refusal has the first row done again, under another id.
			name := string(way)
			r := w.load(bulk.Request{OnDuplicate: way, Rows: []bulk.Row{w.row(name, "10"), w.row(name, "10"), w.paid(w.row(name+" late", "10"), -1), w.row(name, "10")}})
			stays := one[string](w, `SELECT record_id FROM external_ids WHERE external_id = $1`, name)
			same(t, "created", *r.Outcomes[0].InvoiceID, stays)
			for _, i := range []int{1, 3} {
				if way == bulk.Skip {
					same(t, "skipped", *r.Outcomes[i].InvoiceID, stays)
				} else {
					want(t, r.Outcomes[i].Refusal, record.ErrExternalID, stays)
				}
			}
		}
	})
}

func TestARefusedRowTakesNoName(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i, bad := range []bulk.Row{w.row("", "x"), w.paid(w.row("", "10"), -1), with(w.row("", "10"), func(r *bulk.Row) { r.Invoice.CustomerID = "cus_none" })} {
			name := fmt.Sprint("name ", i)
			bad.Invoice.ExternalID = &name
			for _, way := range []bulk.OnDuplicate{bulk.Skip, bulk.Fail} {
				name := name + string(way)
				bad.Invoice.ExternalID = &name
				r := w.load(bulk.Request{OnDuplicate: way, Rows: []bulk.Row{bad, w.row(name, "10")}})
				if r.Outcomes[0].Status != bulk.Failed || r.Outcomes[1].Status != bulk.Created {
					t.Errorf("case %d, %s: %s", i, way, outcomes(r.Outcomes))
				}
			}
		}
	})
}

func TestNamesAreTheAppsOwn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.all(w.row("one", "10"))
		other := w.another("app_two")
		r := other.all(other.row("one", "10"), forNew(other.row("two", "10"), "ada", "Ada II"))
		same(t, "outcomes", outcomes(r.Outcomes), "CREATED CREATED")
		same(t, "customers", one[int](w, `SELECT count(*) FROM parties`), 2)
		// A customer by that name is no invoice by that name, nor the other way round.
		r = w.all(w.row("ada", "10"), forNew(w.row("three", "10"), "one", "Bea"))
		same(t, "another kind", outcomes(r.Outcomes), "CREATED CREATED")
		same(t, "customer", w.customerOf(r.Outcomes[1]).DisplayName, "Bea")
	})
}

func TestANameThatWasGivenUpIsFreeAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		r := w.all(with(w.row("one", "10"), func(r *bulk.Row) { r.Invoice.Issue = false }))
		done(w, w.invoices.Update(w.by, *r.Outcomes[0].InvoiceID, invoice.Patch{ExternalID: record.Setting("another")}, nil))
		same(t, "outcomes", outcomes(w.all(w.row("one", "10")).Outcomes), "CREATED")
	})
}
