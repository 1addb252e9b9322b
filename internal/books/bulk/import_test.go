package bulk_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/money"
	"daybook/internal/books/bulk"
	"daybook/internal/books/invoice"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

func TestAnImportHasOneTo200Rows(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, n := range []int{0, 201, 1000} {
			before := w.everything()
			_, err := w.bulk.Import(ctx, w.by, bulk.Request{Rows: w.rows("x", n)})
			if f := fault.From(err); f == nil || f.Kind != fault.Invalid || f.Code != "" || fmt.Sprint(f.Fields) != "[invoices must have 1 to 200 rows]" {
				t.Errorf("%d rows: %v", n, err)
			}
			same(t, fmt.Sprint(n, " rows leave"), w.everything(), before)
		}
		for _, n := range []int{1, 200} {
			r := w.all(w.rows(fmt.Sprint(n, " "), n)...)
			same(t, "summary", r.Summary, bulk.Summary{Received: n, Created: n})
			if len(r.Outcomes) != n || !id.Valid(id.Import, r.ImportID) || r.DryRun || r.Mode != bulk.Partial || r.PlanRefusal != nil {
				t.Errorf("%d rows: %+v", n, r)
			}
		}
	})
}

func TestModeAndOnDuplicateAreKnownWords(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, err := w.bulk.Import(ctx, w.by, bulk.Request{Mode: "SOME", OnDuplicate: "REPLACE"})
		same(t, "offences", code(err), "(mode,onDuplicate,invoices)")
		for i, mode := range []bulk.Mode{bulk.Partial, bulk.Atomic} {
			for j, way := range []bulk.OnDuplicate{bulk.Skip, bulk.Fail} {
				r := w.load(bulk.Request{Mode: mode, OnDuplicate: way, Rows: []bulk.Row{w.row(fmt.Sprint(i, j), "1")}})
				if r.Mode != mode || r.Summary.Created != 1 {
					t.Errorf("%s %s: %+v", mode, way, r)
				}
			}
		}
	})
}

func TestARowBecomesTheInvoiceItAsksFor(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		draft := with(w.row("draft", "20"), func(r *bulk.Row) { r.Invoice.Issue = false })
		numbered := with(w.row("numbered", "30"), func(r *bulk.Row) {
			r.Invoice.Number, r.Invoice.ExpectedTotal = ptr("2026-0001"), ptr(money.Amount(3630))
		})
		r := w.all(w.row("  plain ", "10.07"), draft, numbered)
		same(t, "outcomes", outcomes(r.Outcomes), "CREATED CREATED CREATED")
		for i, want := range []struct {
			name, number string
			status       invoice.Status
			total        money.Amount
		}{{"plain", "INV-000001", invoice.Open, 1218}, {"draft", "", invoice.Draft, 2420}, {"numbered", "2026-0001", invoice.Open, 3630}} {
			o := r.Outcomes[i]
			got, err := w.invoices.Get(ctx, w.by, *o.InvoiceID)
			must(t, err)
			if *got.ExternalID != want.name || got.Number != want.number || got.Status != want.status || got.Total != want.total || *o.Total != want.total {
				t.Errorf("%s is %+v, told as %+v", want.name, got, o)
			}
			if *o.ExternalID != want.name || (o.Number == nil) != (want.number == "") || o.Number != nil && *o.Number != want.number || o.Refusal != nil {
				t.Errorf("%s is told as %+v", want.name, o)
			}
			if got.Source.Type != invoice.ByImport || *got.Source.AppID != "app_one" || got.MadeBy != w.by.Actor {
				t.Errorf("%s comes from %+v, by %+v", want.name, got.Source, got.MadeBy)
			}
		}
	})
}

func TestEveryRowTellsTheUsualEvents(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.paid(forNew(w.row("one", "100"), "bea", "Bea"), 12100)
		r := w.all(first, w.row("none", "x"), w.row("two", "10"))
		same(t, "outcomes", outcomes(r.Outcomes), "CREATED (lines.0.unitPrice) CREATED")
		events := w.events()
		var types []string
		for _, e := range events {
			types = append(types, e.Type)
			if e.Type == "invoice.created" && e.Data["source"] != "IMPORT" {
				t.Errorf("the source is told as %v", e.Data["source"])
			}
			if actor := fmt.Sprint(e.Data["actor"]); actor != "map[appId:app_one type:APP]" {
				t.Errorf("the actor is told as %s", actor)
			}
		}
		same(t, "events", strings.Join(types, " "), "customer.created invoice.created invoice.issued payment.received invoice.paid "+
			"invoice.created invoice.issued journal_entry.posted journal_entry.posted journal_entry.posted")
		same(t, "the second invoice", events[5].Data["invoiceId"], *r.Outcomes[2].InvoiceID)
	})
}

func TestARowIsRefusedForWhatMakesItARow(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		before := w.everything()
		long := strings.Repeat("x", 101)
		r := w.all(
			with(w.row("", "1"), func(r *bulk.Row) { r.Invoice.ExternalID = nil }),
			w.row("", "1"),
			w.row(" ", "1"),
			w.row(long, "1"),
			w.row("a\nb", "1"),
			with(w.row("nobody", "1"), func(r *bulk.Row) { r.Invoice.CustomerID = "" }),
			with(forNew(w.row("both", "1"), "bea", "Bea"), func(r *bulk.Row) { r.Invoice.CustomerID = w.customer.ID }),
			forNew(w.row("unnamed", "1"), "", "Bea"),
			with(forNew(w.row("nameless", "1"), "", "Bea"), func(r *bulk.Row) { r.Customer.ExternalID = nil }),
			with(w.paid(w.row("draft", "1"), 121), func(r *bulk.Row) { r.Invoice.Issue = false }),
			with(w.paid(forNew(w.row("", "1"), long, "Bea"), 121), func(r *bulk.Row) { r.Invoice.Issue = false }),
		)
		same(t, "outcomes", outcomes(r.Outcomes), "(externalId) (externalId) (externalId) (externalId) (externalId) (customerId) (customer) (customer.externalId) "+
			"(customer.externalId) (payment) (externalId,customer.externalId,payment)")
		same(t, "summary", r.Summary, bulk.Summary{Received: 11, Failed: 11})
		if r.Outcomes[0].ExternalID != nil || *r.Outcomes[3].ExternalID != long {
			t.Error("an external id that cannot be kept is not told as it was given")
		}
		for i, o := range r.Outcomes {
			if o.Status != bulk.Failed || o.InvoiceID != nil || o.Number != nil || o.Total != nil {
				t.Errorf("row %d failed, and is told as %+v", i, o)
			}
		}
		same(t, "left behind", w.everything(), before)
	})
}

func TestARowThatCouldNotBeReadFailsWithItsProblem(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		unread := with(w.row("unread", "1"), func(r *bulk.Row) { r.Problem = fault.InvalidFields("lines.0.quantity must be a string") })
		empty := bulk.Row{Problem: fault.InvalidFields("invoices.1 must be an object")}
		r := w.all(unread, empty, w.row("unread", "1"))
		same(t, "outcomes", outcomes(r.Outcomes), "(lines.0.quantity) (invoices.1) CREATED")
		same(t, "name", *r.Outcomes[0].ExternalID, "unread")
	})
}

func TestAMalfunctionIsNobodysOutcome(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		before := w.everything()
		broken := with(w.row("broken", "1"), func(r *bulk.Row) { r.Problem = fmt.Errorf("disk") })
		if _, err := w.bulk.Import(ctx, w.by, bulk.Request{Rows: []bulk.Row{w.row("good", "1"), broken}}); err == nil || fault.From(err) != nil {
			t.Errorf("got %v", err)
		}
		same(t, "left behind", w.everything(), before)
	})
}

func TestAPersonImportsWithoutNamesBeingKept(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.by.Actor = event.Actor{Type: event.User, UserID: w.by.Actor.UserID}
		named := one[int](w, `SELECT count(*) FROM external_ids`)
		for range 2 { // nobody remembers the names, so nothing is there already
			r := w.all(forNew(w.row("one", "1"), "bea", "Bea"), forNew(w.row("two", "1"), "bea", "Bea"), w.row("one", "1"))
			same(t, "outcomes", outcomes(r.Outcomes), "CREATED CREATED SKIPPED")
			one, err := w.invoices.Get(ctx, w.by, *r.Outcomes[0].InvoiceID)
			must(t, err)
			two, err := w.invoices.Get(ctx, w.by, *r.Outcomes[1].InvoiceID)
			must(t, err)
			if one.CustomerID != two.CustomerID || one.ExternalID != nil || one.Source.Type != invoice.ByImport {
				t.Errorf("made %+v and %+v", one, two)
			}
		}
		same(t, "names", one[int](w, `SELECT count(*) FROM external_ids`), named)
		same(t, "customers", one[int](w, `SELECT count(*) FROM parties WHERE display_name = 'Bea'`), 2)
	})
}

func TestRowsNameOnlyWhatTheBusinessHas(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other := w.world(t, "SCALE")
		r := w.all(
			with(w.row("customer", "1"), func(r *bulk.Row) { r.Invoice.CustomerID = other.customer.ID }),
			with(w.row("rate", "1"), func(r *bulk.Row) { r.Invoice.Lines[0].TaxRateID = record.Setting(other.rate.ID) }),
			with(w.row("account", "1"), func(r *bulk.Row) { r.Invoice.Lines[0].AccountID = ptr(other.accounts["4000"]) }),
			with(w.paid(w.row("bank", "1"), 121), func(r *bulk.Row) { r.Payment.BankAccountID = other.accounts["1000"] }),
		)
		same(t, "outcomes", outcomes(r.Outcomes), "REFERENCE_NOT_FOUND REFERENCE_NOT_FOUND REFERENCE_NOT_FOUND REFERENCE_NOT_FOUND")
		for i, path := range []string{"customerId", "lines.0.taxRateId", "lines.0.accountId", "payment.bankAccountId"} {
			same(t, "path", fault.From(r.Outcomes[i].Refusal).Params[0], path)
		}
		// The names of one business are not those of another.
		w.all(w.row("same", "1"))
		same(t, "elsewhere", outcomes(other.all(other.row("same", "1"), forNew(other.row("ada's", "1"), "ada", "Ada")).Outcomes), "CREATED CREATED")
		other.agrees(t)
	})
}
