package bulk_test

import (
	"errors"
	"fmt"
	"testing"

	"daybook/internal/books/bulk"
	"daybook/internal/books/invoice"
	"daybook/internal/tenancy/business"
)

// small is an offer of few invoices, or of little turnover.
func small(invoices int, turnover int64) *business.Plans {
	plan := business.Plan{Key: "SMALL", InvoicesPerYear: invoices}
	if turnover > 0 {
		plan.TurnoverPerYear = map[string]int64{"EUR": turnover}
	}
	return &business.Plans{List: []business.Plan{plan}, Year: "CALENDAR", Basis: "NET"}
}

// eachSmall gives the test a business on such a plan.
func eachSmall(t *testing.T, plans *business.Plans, test func(t *testing.T, w *world)) {
	t.Helper()
	each(t, func(t *testing.T, w *world) {
		w.exec(`UPDATE businesses SET plan = 'SMALL' WHERE id = $1`, w.by.BusinessID)
		w.invoices.Plans = plans
		test(t, w)
	})
}

func TestACeilingReachedBeforeTheFirstRowRefusesTheCall(t *testing.T) {
	eachSmall(t, small(3, 0), func(t *testing.T, w *world) {
		w.all(w.rows("x", 3)...)
		w.events()
		before := w.everything()
		for i, r := range []bulk.Request{
			{Rows: w.rows("y", 1)}, {Rows: w.rows("x", 3)}, {Rows: []bulk.Row{w.row("bad", "x")}}, {Mode: bulk.Atomic, Rows: w.rows("y", 2)}, {DryRun: true, Rows: w.rows("y", 2)},
		} {
			_, err := w.bulk.Import(ctx, w.by, r)
			want(t, err, invoice.ErrPlanInvoices, "SMALL", 3)
			if i == 0 {
				same(t, "told once", w.happened(), "business.plan_limit_reached")
				before = w.everything()
			}
		}
		same(t, "left behind", w.everything(), before)
		// What is wrong with the request comes first.
		_, err := w.bulk.Import(ctx, w.by, bulk.Request{})
		same(t, "offences", code(err), "(invoices)")
	})
}

func TestACeilingReachedOnTheWayRefusesTheRest(t *testing.T) {
	eachSmall(t, small(3, 0), func(t *testing.T, w *world) {
		r := w.all(
			w.row("one", "1"), w.row("bad", "x"), w.paid(forNew(w.row("two", "1"), "bea", "Bea"), 10), w.row("three", "1"),
			w.row("one", "1"), w.row("also bad", "x"), // neither would be created
			w.paid(forNew(w.row("four", "1"), "cleo", "Cleo"), 10),
			w.row("two", "1"), w.row("worse", "x"), with(w.row("unread", "1"), func(r *bulk.Row) { r.Problem = errScope }), w.row("five", "1"),
		)
		const no = " PLAN_INVOICE_LIMIT_REACHED"
		same(t, "outcomes", outcomes(r.Outcomes), "CREATED (lines.0.unitPrice) CREATED CREATED SKIPPED (lines.0.unitPrice)"+no+no+no+no+no)
		want(t, r.Outcomes[10].Refusal, invoice.ErrPlanInvoices, "SMALL", 3)
		same(t, "summary", r.Summary, bulk.Summary{Received: 11, Created: 3, Skipped: 1, Failed: 7})
		if !errors.Is(r.PlanRefusal, invoice.ErrPlanInvoices) {
			t.Errorf("the plan's refusal is told as %v", r.PlanRefusal)
		}
		same(t, "customers", one[int](w, `SELECT count(*) FROM parties`), 2)
		same(t, "told of the ceiling", one[int](w, `SELECT count(*) FROM events WHERE type = 'business.plan_limit_reached'`), 1)
	})
}

func TestTheLastAllowedInvoiceIsNoRefusal(t *testing.T) {
	eachSmall(t, small(3, 0), func(t *testing.T, w *world) {
		r := w.all(w.rows("x", 3)...)
		if r.Summary.Created != 3 || r.PlanRefusal != nil {
			t.Errorf("became %+v", r)
		}
		same(t, "told of the ceiling", one[int](w, `SELECT count(*) FROM events WHERE type = 'business.plan_limit_reached'`), 0)
	})
}

func TestACeilingOfTurnoverRefusesTheRest(t *testing.T) {
	eachSmall(t, small(100, 3000), func(t *testing.T, w *world) {
		r := w.all(w.row("one", "10"), w.row("two", "30"), w.row("three", "10"), with(w.row("four", "10"), func(r *bulk.Row) { r.Invoice.Issue = false }))
		same(t, "outcomes", outcomes(r.Outcomes), "CREATED CREATED PLAN_TURNOVER_LIMIT_REACHED PLAN_TURNOVER_LIMIT_REACHED")
		_, err := w.bulk.Import(ctx, w.by, bulk.Request{Rows: w.rows("y", 1)})
		want(t, err, invoice.ErrPlanTurnover)
	})
}

func TestACeilingRejectsAnImportOfAllOrNone(t *testing.T) {
	eachSmall(t, small(3, 0), func(t *testing.T, w *world) {
		before := w.everything()
		r := w.rejected(bulk.Request{Mode: bulk.Atomic, Rows: w.rows("x", 5)})
		same(t, "outcomes", outcomes(r.Outcomes), "NOT_ATTEMPTED NOT_ATTEMPTED NOT_ATTEMPTED PLAN_INVOICE_LIMIT_REACHED PLAN_INVOICE_LIMIT_REACHED")
		same(t, "left behind", w.everything(), before) // the ceiling is not reached, so nobody is told that it is
		same(t, "three of them", outcomes(w.load(bulk.Request{Mode: bulk.Atomic, Rows: w.rows("x", 3)}).Outcomes), "CREATED CREATED CREATED")
	})
}

func TestADryRunMeetsTheCeilingToo(t *testing.T) {
	eachSmall(t, small(3, 0), func(t *testing.T, w *world) {
		before := w.everything()
		r := w.load(bulk.Request{DryRun: true, Rows: w.rows("x", 4)})
		same(t, "outcomes", outcomes(r.Outcomes), "CREATED CREATED CREATED PLAN_INVOICE_LIMIT_REACHED")
		same(t, "left behind", w.everything(), before)
	})
}

func TestTheCeilingHoldsHoweverManyImportAtOnce(t *testing.T) {
	eachSmall(t, small(50, 0), func(t *testing.T, w *world) {
		ended := make(chan error)
		for n := range 4 {
			go func() {
				_, err := w.bulk.Import(ctx, w.by, bulk.Request{Rows: w.rows(fmt.Sprint(n, " "), 20)})
				ended <- err
			}()
		}
		for range 4 {
			if err := <-ended; err != nil && !errors.Is(err, invoice.ErrPlanInvoices) {
				t.Error(err)
			}
		}
		same(t, "invoices", one[int](w, `SELECT count(*) FROM invoices`), 50)
	})
}
