package bulk_test

import (
	"testing"

	"daybook/internal/base/fault"
	"daybook/internal/books/bulk"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
)

var errScope = fault.New(fault.Forbidden, "INSUFFICIENT_SCOPE", "Insufficient scope: {0}.")

func (w *world) customerOf(o bulk.Outcome) party.Party {
	w.t.Helper()
	i, err := w.invoices.Get(ctx, w.by, *o.InvoiceID)
	must(w.t, err)
	c, err := w.parties.Get(ctx, w.by, record.Customer, i.CustomerID)
	must(w.t, err)
	return c
}

func TestACustomerIsFoundByItsNameOrCreated(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		bea := with(forNew(w.row("two", "10"), " bea ", "Bea"), func(r *bulk.Row) { r.Customer.PaymentTermsDays, r.Customer.Email = ptr(7), ptr("bea@example.com") })
		r := w.all(forNew(w.row("one", "10"), "ada", "Another"), bea, forNew(w.row("three", "10"), "bea", "Beatrix"))
		same(t, "outcomes", outcomes(r.Outcomes), "CREATED CREATED CREATED")
		if c := w.customerOf(r.Outcomes[0]); c.ID != w.customer.ID || c.DisplayName != "Ada" || c.Version != 1 {
			t.Errorf("the customer that was there is %+v", c)
		}
		made := w.customerOf(r.Outcomes[1])
		if made.DisplayName != "Bea" || *made.ExternalID != "bea" || *made.PaymentTermsDays != 7 || *made.Email != "bea@example.com" {
			t.Errorf("the new customer is %+v", made)
		}
		if w.customerOf(r.Outcomes[2]).ID != made.ID {
			t.Error("a customer was created twice")
		}
		i, err := w.invoices.Get(ctx, w.by, *r.Outcomes[1].InvoiceID)
		must(t, err)
		same(t, "due by the customer's terms", i.DueDate, "2026-11-21")
		same(t, "found by a later import", w.customerOf(w.all(forNew(w.row("four", "10"), "bea", "")).Outcomes[0]).ID, made.ID)
	})
}

func TestOnlyACreatedCustomerNeedsLeave(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		refusal := errScope.With("customers:write")
		w.all(w.row("there", "1"))
		r := w.load(bulk.Request{CustomersRefusal: refusal, Rows: []bulk.Row{
			w.row("one", "10"), forNew(w.row("two", "10"), "ada", "Ada"), forNew(w.row("three", "10"), "bea", "Bea"), forNew(w.row("there", "10"), "bea", "Bea"), w.row("four", "1"),
		}})
		same(t, "outcomes", outcomes(r.Outcomes), "CREATED CREATED INSUFFICIENT_SCOPE SKIPPED CREATED")
		want(t, r.Outcomes[2].Refusal, errScope, "customers:write")
		same(t, "customers", one[int](w, `SELECT count(*) FROM parties`), 1)
	})
}

func TestTheCustomerOfARefusedRowGoesWithIt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		r := w.all(
			forNew(w.row("one", "x"), "bea", "Bea"),                                            // refused with the customer written
			forNew(w.row("two", "10"), "bea", "Beatrix"),                                       // creates it
			w.paid(forNew(w.row("three", "10"), "cleo", "Cleo"), -1),                           // refused, and the row before is done again
			forNew(w.row("four", "10"), "bea", "Nobody"),                                       // finds it
			forNew(w.row("five", "10"), "cleo", "Cleopatra"),                                   // creates that one
			with(w.row("six", "10"), func(r *bulk.Row) { r.Payment = w.paid(*r, -1).Payment }), // and is done again
			forNew(w.row("seven", "10"), "cleo", "Nobody"),
		)
		same(t, "outcomes", outcomes(r.Outcomes), "(lines.0.unitPrice) CREATED (payment.amount) CREATED CREATED (payment.amount) CREATED")
		for i, name := range map[int]string{1: "Beatrix", 3: "Beatrix", 4: "Cleopatra", 6: "Cleopatra"} {
			same(t, "customer", w.customerOf(r.Outcomes[i]).DisplayName, name)
		}
		same(t, "customers", one[int](w, `SELECT count(*) FROM parties`), 3)
		same(t, "told of", one[int](w, `SELECT count(*) FROM events WHERE type = 'customer.created'`), 3)
	})
}

func TestTheRefusalOfACustomerNamesItsPlace(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		before := w.everything()
		r := w.all(
			forNew(w.row("one", "10"), "bea", ""),
			with(forNew(w.row("two", "10"), "bea", "Bea"), func(r *bulk.Row) { r.Customer.Currency, r.Customer.Email = ptr("euro"), ptr("bea") }),
			with(forNew(w.row("three", "10"), "bea", "Bea"), func(r *bulk.Row) { r.Customer.DefaultTaxRateID = ptr("tax_none") }),
		)
		same(t, "outcomes", outcomes(r.Outcomes), "(customer.displayName) (customer.email,customer.currency) REFERENCE_NOT_FOUND")
		want(t, r.Outcomes[2].Refusal, record.ErrReference, "customer.defaultTaxRateId")
		same(t, "left behind", w.everything(), before)
	})
}

func TestAnArchivedCustomerGetsNoInvoice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		done(w, w.parties.Archive(w.by, record.Customer, w.customer.ID, nil))
		r := w.all(w.row("one", "10"), forNew(w.row("two", "10"), "ada", "Ada"), forNew(w.row("three", "10"), "bea", "Bea"))
		same(t, "outcomes", outcomes(r.Outcomes), "RECORD_ARCHIVED RECORD_ARCHIVED CREATED")
	})
}
