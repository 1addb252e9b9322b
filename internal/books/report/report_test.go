package report_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/report"
)

// years books three years: 2024 with a loss that was never closed, 2025 with a profit that was, and 2026.
func (w *world) years() {
	w.post("2024-03-01", "1000", "3000", 1000)  // capital paid in
	w.post("2024-12-31", "6000", "1000", 300)   // a loss of 300
	w.post("2025-01-01", "1000", "4000", 900)   // revenue
	w.post("2025-12-31", "6000", "1000", 200)   // costs
	w.post("2025-12-31", "4000", "3100", 700)   // 700 are moved to retained earnings
	w.post("2026-01-01", "1000", "4000", 50)    // revenue of this year
	w.post("2026-02-10", "5000", "1000", 20)    // costs of this year
	w.post("2026-02-11", "1000", "4900", 7)     // other income
	w.post("2026-02-12", "4900", "1000", 7)     // that was given back
	w.post("2026-12-31", "6900", "1000", 10000) // later than any day asked for below, but one
}

func TestTheTrialBalance(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.years()
		other := newWorld(t, w.Store)
		other.post("2026-01-01", "1000", "4000", 77)
		for day, want := range map[string]string{
			"2024-02-29": " = 0 0",
			"2024-03-01": "1000 ASSET 1000/0, 3000 EQUITY 0/1000 = 1000 1000",
			"2024-12-31": "1000 ASSET 700/0, 3000 EQUITY 0/1000, 6000 EXPENSE 300/0 = 1000 1000",
			"2026-02-12": "1000 ASSET 1430/0, 3000 EQUITY 0/1000, 3100 EQUITY 0/700, 4000 REVENUE 0/250, 5000 EXPENSE 20/0, 6000 EXPENSE 500/0 = 1950 1950",
			"2199-12-31": "1000 ASSET 0/8570, 3000 EQUITY 0/1000, 3100 EQUITY 0/700, 4000 REVENUE 0/250, 5000 EXPENSE 20/0, 6000 EXPENSE 500/0, 6900 EXPENSE 10000/0 = 10520 10520",
		} {
			got, err := w.reports.TrialBalance(ctx, w.by, &day)
			must(t, err)
			var words []string
			for _, r := range got.Rows {
				words = append(words, fmt.Sprintf("%s %s %d/%d", r.Code, r.Type, r.Debit, r.Credit))
				if r.AccountID != w.accounts[r.Code] || r.Name == "" {
					t.Errorf("row %+v", r)
				}
			}
			if text := fmt.Sprintf("%s = %d %d", strings.Join(words, ", "), got.DebitTotal, got.CreditTotal); text != want || got.AsOf != day || got.Currency.Code() != "NZD" {
				t.Errorf("as of %s (%s, %s):\n%s\nwant\n%s", day, got.AsOf, got.Currency, text, want)
			}
			if got.Rows == nil {
				t.Error("no rows must be an empty list")
			}
		}
	})
}

func TestProfitAndLoss(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.years()
		for days, want := range map[string]string{
			"2024-01-01 2024-12-31": " = 0; 6000 300 = 300; -300",
			"2025-01-01 2025-12-30": "4000 900 = 900;  = 0; 900",
			"2025-01-01 2025-12-31": "4000 200 = 200; 6000 200 = 200; 0",
			"2026-01-01 2026-01-01": "4000 50 = 50;  = 0; 50",
			"2026-01-02 2026-02-10": " = 0; 5000 20 = 20; -20",
			"2026-02-11 2026-02-11": "4900 7 = 7;  = 0; 7",
			"2026-02-11 2026-02-12": " = 0;  = 0; 0",
			"2024-06-01 2026-06-01": "4000 250 = 250; 5000 20, 6000 500 = 520; -270",
		} {
			from, to, _ := strings.Cut(days, " ")
			got, err := w.reports.ProfitAndLoss(ctx, w.by, report.Period{From: &from, To: &to})
			must(t, err)
			text := fmt.Sprintf("%s; %s; %d", shown(got.Revenue), shown(got.Expenses), got.NetProfit)
			if text != want || got.From != from || got.To != to || got.Currency.Code() != "NZD" || got.Revenue.Rows == nil || got.Expenses.Rows == nil {
				t.Errorf("%s: %s, want %s\n%+v", days, text, want, got)
			}
		}
	})
}

func TestTheBalanceSheet(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.years()
		for day, want := range map[string]string{
			"2023-12-31": " = 0;  = 0;  = 0",
			"2024-03-01": "1000 1000 = 1000;  = 0; 3000 1000 = 1000",
			"2024-12-31": "1000 700 = 700;  = 0; 3000 1000, Result of the year -300 = 700",
			"2025-01-01": "1000 1600 = 1600;  = 0; 3000 1000, Results of earlier years -300, Result of the year 900 = 1600",
			"2025-12-31": "1000 1400 = 1400;  = 0; 3000 1000, 3100 700, Results of earlier years -300 = 1400",
			"2026-02-28": "1000 1430 = 1430;  = 0; 3000 1000, 3100 700, Results of earlier years -300, Result of the year 30 = 1430",
			"2027-01-01": "1000 -8570 = -8570;  = 0; 3000 1000, 3100 700, Results of earlier years -10270 = -8570",
		} {
			got, err := w.reports.BalanceSheet(ctx, w.by, &day)
			must(t, err)
			if text := shown(got.Assets) + "; " + shown(got.Liabilities) + "; " + shown(got.Equity); text != want || got.AsOf != day || got.Currency.Code() != "NZD" {
				t.Errorf("as of %s: %s\nwant %s", day, text, want)
			}
			if got.Assets.Rows == nil || got.Liabilities.Rows == nil || got.Equity.Rows == nil {
				t.Error("no rows must be an empty list")
			}
		}
	})
}

func TestReceivablesByAge(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada, bob := w.customer(), w.customer()
		w.invoice(ada, "2026-07-01", "2026-08-01", "1") // 105 days late on 2026-11-14
		w.invoice(ada, "2026-08-01", "2026-09-01", "2") // 74
		part := w.invoice(ada, "2026-09-01", "2026-10-01", "4")
		w.invoice(bob, "2026-10-01", "2026-10-31", "8")   // 14
		w.invoice(bob, "2026-11-01", "2026-12-01", "16")  // not yet due
		w.invoice(bob, "2026-11-15", "2026-12-15", "256") // not yet issued on that day
		paid := w.invoice(bob, "2026-10-01", "2026-10-31", "32")
		void := w.invoice(bob, "2026-10-01", "2026-10-31", "64")
		lost := w.invoice(bob, "2026-10-01", "2026-10-31", "128")
		w.pay(part, "2026-10-10", 150)
		w.pay(paid, "2026-11-10", 3200)
		run(w, w.invoices.Void(w.by, void.ID, invoice.Voiding{Date: new("2026-11-11")}, nil))
		run(w, w.invoices.WriteOff(w.by, lost.ID, new("2026-11-12"), nil))
		for day, want := range map[string]string{
			"2026-06-30": "; {0 0 0 0 0 0}",
			"2026-11-09": "ada {0 0 250 200 100 550}, bob {1600 23200 0 0 0 24800}; {1600 23200 250 200 100 25350}",
			"2026-11-10": "ada {0 0 250 200 100 550}, bob {1600 20000 0 0 0 21600}; {1600 20000 250 200 100 22150}",
			"2026-11-11": "ada {0 0 250 200 100 550}, bob {1600 13600 0 0 0 15200}; {1600 13600 250 200 100 15750}",
			"2026-11-14": "ada {0 0 250 200 100 550}, bob {1600 800 0 0 0 2400}; {1600 800 250 200 100 2950}",
			"2027-11-14": "ada {0 0 0 0 550 550}, bob {0 0 0 0 28000 28000}; {0 0 0 0 28550 28550}",
		} {
			got, err := w.reports.AgedReceivables(ctx, w.by, &day)
			must(t, err)
			var words []string
			for _, r := range got.Rows {
				name := map[string]string{ada: "ada", bob: "bob"}[r.CustomerID]
				words = append(words, fmt.Sprintf("%s %v", name, r.Ages))
			}
			if text := fmt.Sprintf("%s; %v", strings.Join(words, ", "), got.Totals); text != want || got.AsOf != day || got.Currency.Code() != "NZD" || got.Rows == nil {
				t.Errorf("as of %s: %s\nwant %s", day, text, want)
			}
			// Nothing was taken back later, so on every day it is what the receivable account holds.
			trial, err := w.reports.TrialBalance(ctx, w.by, &day)
			must(t, err)
			held := money.Amount(0)
			for _, r := range trial.Rows {
				if r.Code == "1100" {
					held = r.Debit - r.Credit
				}
			}
			if held != got.Totals.Total {
				t.Errorf("as of %s: the account holds %d, the invoices %d", day, held, got.Totals.Total)
			}
		}
	})
}

// What documents book goes into the reports, and those agree with one another.
func TestReportsAgreeAfterDocuments(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.customer()
		w.pay(w.invoice(ada, "2025-12-01", "2025-12-31", "100"), "2026-01-05", 10000)
		w.invoice(ada, "2026-03-01", "2026-03-31", "40")
		for _, day := range []string{"2025-12-31", "2026-01-05", "2026-11-14"} {
			sheet, err := w.reports.BalanceSheet(ctx, w.by, &day)
			must(t, err)
			trial, err := w.reports.TrialBalance(ctx, w.by, &day)
			must(t, err)
			profit, err := w.reports.ProfitAndLoss(ctx, w.by, report.Period{From: new("1900-01-01"), To: &day})
			must(t, err)
			if sheet.Assets.Total != sheet.Liabilities.Total+sheet.Equity.Total || trial.DebitTotal != trial.CreditTotal || trial.DebitTotal == 0 ||
				sheet.Equity.Total != profit.NetProfit {
				t.Errorf("as of %s: %+v\n%+v\n%+v", day, sheet, trial, profit)
			}
		}
	})
}

// The clock stands at noon of 14 November 2026 in UTC: in Auckland it is the 15th.
func TestADayLeftOutIsTodayWhereTheBusinessIs(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const today = "2026-11-15"
		trial, err := w.reports.TrialBalance(ctx, w.by, nil)
		must(t, err)
		sheet, err := w.reports.BalanceSheet(ctx, w.by, nil)
		must(t, err)
		aged, err := w.reports.AgedReceivables(ctx, w.by, nil)
		must(t, err)
		if trial.AsOf != today || sheet.AsOf != today || aged.AsOf != today {
			t.Errorf("%s, %s, %s", trial.AsOf, sheet.AsOf, aged.AsOf)
		}
		for _, c := range []struct{ from, to, wantFrom, wantTo string }{
			{"", "", "2026-01-01", today},
			{"2025-05-05", "", "2025-05-05", today},
			{"", "2024-02-29", "2024-01-01", "2024-02-29"},
			{"2024-02-29", "2024-02-29", "2024-02-29", "2024-02-29"},
			{today, "", today, today},
		} {
			p := report.Period{}
			if c.from != "" {
				p.From = &c.from
			}
			if c.to != "" {
				p.To = &c.to
			}
			got, err := w.reports.ProfitAndLoss(ctx, w.by, p)
			must(t, err)
			if got.From != c.wantFrom || got.To != c.wantTo {
				t.Errorf("from %q to %q: got %s to %s", c.from, c.to, got.From, got.To)
			}
		}
		w.Clock.Set(time.Date(2026, 12, 31, 11, 30, 0, 0, time.UTC)) // past midnight in Auckland
		if got, err := w.reports.ProfitAndLoss(ctx, w.by, report.Period{}); err != nil || got.From != "2027-01-01" || got.To != "2027-01-01" {
			t.Errorf("on New Year: %+v, %v", got, err)
		}
	})
}

func TestWhatIsNoDateIsNamed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, day := range []string{"", "2026-02-30", "tomorrow", "2026-1-1", "1899-12-31", "2200-01-01", "2026-11-14T00:00:00Z"} {
			_, trial := w.reports.TrialBalance(ctx, w.by, &day)
			_, sheet := w.reports.BalanceSheet(ctx, w.by, &day)
			_, aged := w.reports.AgedReceivables(ctx, w.by, &day)
			_, profit := w.reports.ProfitAndLoss(ctx, w.by, report.Period{From: &day, To: &day})
			if got := offences(trial) + offences(sheet) + offences(aged) + offences(profit); got != "asOfasOfasOffrom to" {
				t.Errorf("%q: %s", day, got)
			}
		}
		_, err := w.reports.ProfitAndLoss(ctx, w.by, report.Period{From: new("2026-11-16")})
		if offences(err) != "from" || !strings.Contains(err.Error(), "2026-11-15") {
			t.Errorf("a period that begins tomorrow: %v", err)
		}
		_, err = w.reports.ProfitAndLoss(ctx, w.by, report.Period{From: new("2026-01-02"), To: new("2026-01-01")})
		if offences(err) != "from" {
			t.Errorf("a period that ends before it begins: %v", err)
		}
	})
}

func TestReportsTakeFewStatements(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.years()
		counted, n := db.Counting(ctx)
		cost := func(name string, want int64, err error) {
			t.Helper()
			must(t, err)
			if got := n.Swap(0); got != want {
				t.Errorf("%s takes %d statements, want %d", name, got, want)
			}
		}
		_, err := w.reports.TrialBalance(counted, w.by, nil)
		cost("a trial balance", 2, err)
		_, err = w.reports.ProfitAndLoss(counted, w.by, report.Period{})
		cost("profit and loss", 2, err)
		_, err = w.reports.BalanceSheet(counted, w.by, nil)
		cost("a balance sheet", 3, err)
		_, err = w.reports.AgedReceivables(counted, w.by, nil)
		cost("aged receivables", 2, err)
	})
}
