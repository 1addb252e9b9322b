package invoice_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
)

// small plans, so that ceilings are near.
func small() *business.Plans {
	return &business.Plans{
		List: []business.Plan{
			{Key: "FREE", InvoicesPerYear: 3, TurnoverPerYear: map[string]int64{"EUR": 10_000}},
			{Key: "GOLD", InvoicesPerYear: 5},
		},
		Year: "CALENDAR", Basis: "NET",
	}
}

// eachPlan gives the test a business with a plan of those.
func eachPlan(t *testing.T, plans *business.Plans, plan string, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		h := newHouse(s)
		h.invoices.Plans = plans
		w := h.worldOf(t, business.New{Name: "Shop", Country: "NL", Currency: "EUR"})
		w.exec(`UPDATE businesses SET plan = $2 WHERE id = $1`, w.by.BusinessID, plan)
		test(t, w)
	})
}

func (w *world) usage() invoice.Usage {
	w.t.Helper()
	u, err := w.invoices.Usage(ctx, w.by)
	must(w.t, err)
	return u
}

// allowed asks whether one more may be created, as a bulk import does before its first row.
func (w *world) allowed() error {
	_, err := db.Run(ctx, w.DB, ledger.Do(w.ledger, w.by, func(ctx context.Context, b *ledger.Book) (struct{}, error) {
		return struct{}{}, w.invoices.Allowed(ctx, b)
	}))
	return err
}

func TestTheCountOfInvoicesHasACeiling(t *testing.T) {
	eachPlan(t, small(), "GOLD", func(t *testing.T, w *world) {
		if u := w.usage(); u.Invoices != 0 || u.Turnover != 0 {
			t.Errorf("at first %s", text(u))
		}
		must(t, w.allowed())
		first := w.draft(w.plain("1"))
		for range 3 {
			w.draft(w.plain("1"))
		}
		w.issued(w.plain("1"))
		w.events()
		err := refused(w, w.invoices.Create(w.by, w.plain("1")))
		want(t, err, invoice.ErrPlanInvoices, "GOLD", 5)
		want(t, w.allowed(), invoice.ErrPlanInvoices, "GOLD", 5)
		if got := w.happened(); got != "" {
			t.Errorf("a refusal told %s", got)
		}
		run(w, w.invoices.Preview(w.by, w.plain("1"))) // only new invoices are blocked
		run(w, w.invoices.Issue(w.by, first.ID, nil))
		run(w, w.invoices.Void(w.by, first.ID, invoice.Voiding{}, nil))
		want(t, refused(w, w.invoices.Create(w.by, w.plain("1"))), invoice.ErrPlanInvoices) // a voided one is not given back
		if u := w.usage(); u.Plan != "GOLD" || u.Invoices != 5 || *u.InvoiceLimit != 5 || u.TurnoverLimit != nil || u.Turnover != 100 || u.Currency != "EUR" ||
			u.TurnoverBasis != "NET" || u.Period != (invoice.Period{First: "2026-01-01", Last: "2026-12-31"}) {
			t.Errorf("used %s", text(u))
		}
		// Another year, another count; and another plan at once.
		w.Clock.Advance(365 * 24 * time.Hour / 6)
		w.draft(w.plain("1"))
		if u := w.usage(); u.Invoices != 1 || u.Period.First != "2027-01-01" {
			t.Errorf("used %s", text(u))
		}
		w.exec(`UPDATE businesses SET plan = 'FREE' WHERE id = $1`, w.by.BusinessID)
		w.draft(w.plain("1"))
		w.draft(w.plain("1"))
		want(t, refused(w, w.invoices.Create(w.by, w.plain("1"))), invoice.ErrPlanInvoices, "FREE", 3)
		w.exec(`UPDATE businesses SET plan = 'LEGACY' WHERE id = $1`, w.by.BusinessID) // no longer on offer
		w.draft(w.plain("1"))
		if u := w.usage(); u.InvoiceLimit != nil || u.TurnoverLimit != nil {
			t.Errorf("limits are %s", text(u))
		}
	})
}

func TestADeletedDraftIsGivenBackToItsYear(t *testing.T) {
	eachPlan(t, small(), "GOLD", func(t *testing.T, w *world) {
		i := w.draft(w.plain("1"))
		w.Clock.Advance(365 * 24 * time.Hour / 6)
		w.draft(w.plain("1"))
		run(w, w.invoices.Delete(w.by, i.ID, nil))
		if got := one[int](w, `SELECT invoices FROM plan_usage WHERE business_id = $1 AND year = '2026-01-01'`, w.by.BusinessID); got != 0 {
			t.Errorf("the old year has %d", got)
		}
		if u := w.usage(); u.Invoices != 1 {
			t.Errorf("the new year has %d", u.Invoices)
		}
	})
}

func TestTurnoverHasACeiling(t *testing.T) {
	eachPlan(t, small(), "FREE", func(t *testing.T, w *world) {
		big := w.draft(w.plain("100")) // a draft is no turnover
		if u := w.usage(); u.Turnover != 0 || *u.TurnoverLimit != 10_000 {
			t.Errorf("used %s", text(u))
		}
		run(w, w.invoices.Issue(w.by, big.ID, nil))
		if u := w.usage(); u.Turnover != 10_000 {
			t.Errorf("used %s", text(u))
		}
		err := refused(w, w.invoices.Create(w.by, w.plain("1")))
		want(t, err, invoice.ErrPlanTurnover, "FREE", 10_000, "EUR")
		run(w, w.invoices.Void(w.by, big.ID, invoice.Voiding{}, nil))
		if u := w.usage(); u.Turnover != 0 || u.Invoices != 1 {
			t.Errorf("used %s", text(u))
		}
		n := w.plain("99.99")
		n.Currency, n.ExchangeRate = ptr("USD"), ptr("2")
		w.issued(n)
		if u := w.usage(); u.Turnover != 19_998 {
			t.Errorf("used %s", text(u))
		}
		// Given back to the year in which it was issued.
		late := one[string](w, `SELECT id FROM invoices WHERE business_id = $1 AND status = 'OPEN'`, w.by.BusinessID)
		w.Clock.Advance(365 * 24 * time.Hour / 6)
		run(w, w.invoices.Void(w.by, late, invoice.Voiding{}, nil))
		if got := one[int](w, `SELECT turnover FROM plan_usage WHERE business_id = $1 AND year = '2026-01-01'`, w.by.BusinessID); got != 0 {
			t.Errorf("the old year has %d", got)
		}
	})
}

func TestTurnoverMayCountTax(t *testing.T) {
	plans := small()
	plans.Basis, plans.Year = "GROSS", "ANNIVERSARY"
	eachPlan(t, plans, "GOLD", func(t *testing.T, w *world) {
		i := w.issued(w.plain("100"))
		if u := w.usage(); u.Turnover != 12_100 || u.TurnoverBasis != "GROSS" || u.Period != (invoice.Period{First: today, Last: "2027-11-13"}) {
			t.Errorf("used %s", text(u))
		}
		run(w, w.invoices.Void(w.by, i.ID, invoice.Voiding{}, nil))
		if u := w.usage(); u.Turnover != 0 {
			t.Errorf("used %s", text(u))
		}
	})
}

func TestARefusalIsToldOncePerLimitAndYear(t *testing.T) {
	eachPlan(t, small(), "FREE", func(t *testing.T, w *world) {
		note := func(err error) {
			t.Helper()
			var wait sync.WaitGroup
			for range 8 {
				wait.Go(func() {
					if err := w.invoices.NoteRefusal(ctx, w.by, err); err != nil {
						t.Error(err)
					}
				})
			}
			wait.Wait()
		}
		try := func() error { return refused(w, w.invoices.Create(w.by, w.plain("1"))) }
		w.issued(w.plain("150"))
		note(nil)
		note(refused(w, w.invoices.Issue(w.by, "inv_nothing", nil)))
		note(invoice.ErrPlanInvoices.With("FREE", 3)) // an old refusal: no ceiling is reached now
		w.events()
		err := try()
		want(t, err, invoice.ErrPlanTurnover)
		note(err)
		e := w.events()
		if len(e) != 1 || e[0].Type != "business.plan_limit_reached" {
			t.Fatalf("told %s", text(e))
		}
		delete(e[0].Data, "actor")
		if got := text(e[0].Data); got != `{"limit":"TURNOVER","limitValue":10000,"periodEnd":"2026-12-31","plan":"FREE","used":15000}` {
			t.Errorf("told %s", got)
		}
		w.exec(`UPDATE plan_usage SET turnover = 0, invoices = 3`)
		err = try()
		want(t, err, invoice.ErrPlanInvoices)
		note(err)
		note(try())
		if e = w.events(); len(e) != 1 || e[0].Data["limit"] != "INVOICE_COUNT" || e[0].Data["used"] != 3.0 || e[0].Data["limitValue"] != 3.0 {
			t.Errorf("told %s", text(e))
		}
		w.Clock.Advance(365 * 24 * time.Hour / 6)
		w.exec(`INSERT INTO plan_usage (business_id, year, invoices, turnover) VALUES ($1, '2027-01-01', 3, 0)`, w.by.BusinessID)
		note(try())
		if got := w.happened(); got != "business.plan_limit_reached" {
			t.Errorf("in the next year told %q", got)
		}
	})
}

func TestNoCeilingIsPassedByManyAtOnce(t *testing.T) {
	plans := small()
	plans.List[0].InvoicesPerYear, plans.List[1].InvoicesPerYear = 1000, 20
	for plan, c := range map[string]struct {
		made     int
		turnover money.Amount
	}{"GOLD": {20, 20 * 1_000}, "FREE": {10, 10_000}} {
		t.Run(plan, func(t *testing.T) {
			eachPlan(t, plans, plan, func(t *testing.T, w *world) {
				var wait sync.WaitGroup
				for range 32 {
					wait.Go(func() {
						n := w.bare("10")
						n.Issue = true
						_, err := db.Run(ctx, w.DB, w.invoices.Create(w.by, n))
						if err != nil && plan == "GOLD" {
							want(t, err, invoice.ErrPlanInvoices)
						} else if err != nil {
							want(t, err, invoice.ErrPlanTurnover)
						}
					})
				}
				wait.Wait()
				u := w.usage()
				made := one[int](w, `SELECT count(*) FROM invoices WHERE business_id = $1`, w.by.BusinessID)
				if made != c.made || u.Invoices != int64(c.made) || u.Turnover != c.turnover {
					t.Errorf("made %d, counted %s", made, text(u))
				}
			})
		})
	}
}
