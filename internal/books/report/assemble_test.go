package report

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
)

// ledgers draws entries that balance, over accounts of every type, some of them of the present year, and sums them.
func ledgers(r *rapid.T) (all, year []ledger.Sum) {
	types := []ledger.AccountType{ledger.Asset, ledger.Liability, ledger.Equity, ledger.Revenue, ledger.Expense}
	n := rapid.IntRange(2, 12).Draw(r, "accounts")
	both := [2][]ledger.Sum{}
	for i := range n {
		a := ledger.Account{ID: fmt.Sprintf("acc_%d", i), Code: fmt.Sprint(1000 + i), Name: fmt.Sprintf("Account %d", i), Type: rapid.SampledFrom(types).Draw(r, "type")}
		for side := range both {
			both[side] = append(both[side], ledger.Sum{Account: a})
		}
	}
	post := func(account int, amount money.Amount, present bool) {
		for side := range both {
			if side == 1 && !present {
				continue
			}
			if s := &both[side][account]; amount > 0 {
				s.Debit += amount
			} else {
				s.Credit -= amount
			}
		}
	}
	for range rapid.IntRange(0, 20).Draw(r, "entries") {
		amount := money.Amount(rapid.IntRange(1, 1000).Draw(r, "amount"))
		present := rapid.Bool().Draw(r, "present")
		post(rapid.IntRange(0, n-1).Draw(r, "debit"), amount, present)
		post(rapid.IntRange(0, n-1).Draw(r, "credit"), -amount, present)
	}
	untouched := func(s ledger.Sum) bool { return s.Debit == 0 && s.Credit == 0 } // as the ledger leaves them out
	return slices.DeleteFunc(both[0], untouched), slices.DeleteFunc(both[1], untouched)
}

func TestATrialBalanceIsZero(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		all, _ := ledgers(r)
		got := trialOf(all)
		if got.DebitTotal != got.CreditTotal {
			r.Fatalf("%d and %d", got.DebitTotal, got.CreditTotal)
		}
		var debits, credits money.Amount
		shown := map[string]money.Amount{}
		for _, row := range got.Rows {
			debits, credits = debits+row.Debit, credits+row.Credit
			if (row.Debit > 0) == (row.Credit > 0) || row.Debit < 0 || row.Credit < 0 {
				r.Fatalf("a row shows %+v", row)
			}
			shown[row.AccountID] = row.Debit - row.Credit
		}
		for _, s := range all {
			if shown[s.Account.ID] != s.Balance() {
				r.Fatalf("%s shows %d, has %d", s.Account.Code, shown[s.Account.ID], s.Balance())
			}
		}
		if debits != got.DebitTotal || credits != got.CreditTotal {
			r.Fatal("the rows do not add up to the totals")
		}
	})
}

func TestABalanceSheetBalances(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		all, year := ledgers(r)
		got, total, present := sheetOf(all, year), profitOf(all), profitOf(year)
		if got.Assets.Total != got.Liabilities.Total+got.Equity.Total {
			r.Fatalf("assets %d, liabilities %d, equity %d", got.Assets.Total, got.Liabilities.Total, got.Equity.Total)
		}
		results := map[string]money.Amount{}
		for _, section := range []Section{got.Assets, got.Liabilities, got.Equity, total.Revenue, total.Expenses, present.Revenue, present.Expenses} {
			var sum money.Amount
			for _, row := range section.Rows {
				if sum += row.Amount; row.Amount == 0 {
					r.Fatalf("%s shows nothing", row.Name)
				}
				if row.AccountID == "" {
					results[row.Name] = row.Amount
				}
			}
			if sum != section.Total {
				r.Fatalf("rows add up to %d, not to %d", sum, section.Total)
			}
		}
		if results[ResultOfYear] != present.NetProfit || results[ResultsOfEarlierYears] != total.NetProfit-present.NetProfit {
			r.Fatalf("results are %v; in all %d, in this year %d", results, total.NetProfit, present.NetProfit)
		}
		if present.NetProfit != present.Revenue.Total-present.Expenses.Total {
			r.Fatal("net profit is not revenue less expenses")
		}
	})
}

func TestAgesAddUp(t *testing.T) {
	const day = "2026-11-14"
	rapid.Check(t, func(r *rapid.T) {
		var items []invoice.OpenItem
		var total money.Amount
		customers := map[string]bool{}
		for customer := range rapid.IntRange(0, 4).Draw(r, "customers") {
			for range rapid.IntRange(1, 6).Draw(r, "items") {
				item := invoice.OpenItem{
					CustomerID: fmt.Sprintf("cus_%d", customer), Due: money.Amount(rapid.IntRange(-50, 500).Draw(r, "due")),
					DueDate: record.AddDays(day, rapid.IntRange(-200, 100).Draw(r, "days")),
				}
				items, total, customers[item.CustomerID] = append(items, item), total+item.Due, true
			}
		}
		got := agedOf(items, day)
		var rows Ages
		for _, row := range got.Rows {
			if row.Total != row.Current+row.Days1to30+row.Days31to60+row.Days61to90+row.Over90 {
				r.Fatalf("%+v", row)
			}
			rows = Ages{
				rows.Current + row.Current, rows.Days1to30 + row.Days1to30, rows.Days31to60 + row.Days31to60, rows.Days61to90 + row.Days61to90,
				rows.Over90 + row.Over90, rows.Total + row.Total,
			}
		}
		if rows != got.Totals || got.Totals.Total != total || len(got.Rows) != len(customers) {
			r.Fatalf("%d customers with %d: %+v", len(customers), total, got)
		}
	})
}

func TestAnInvoiceGrowsOld(t *testing.T) {
	for days, want := range map[int]Ages{
		-1: {Current: 5, Total: 5}, 0: {Current: 5, Total: 5}, 1: {Days1to30: 5, Total: 5}, 30: {Days1to30: 5, Total: 5}, 31: {Days31to60: 5, Total: 5},
		60: {Days31to60: 5, Total: 5}, 61: {Days61to90: 5, Total: 5}, 90: {Days61to90: 5, Total: 5}, 91: {Over90: 5, Total: 5}, 5000: {Over90: 5, Total: 5},
	} {
		got := agedOf([]invoice.OpenItem{{CustomerID: "cus_1", DueDate: "2026-11-14", Due: 5}}, record.AddDays("2026-11-14", days))
		if got.Totals != want || got.Rows[0].Ages != want {
			t.Errorf("after %d days: %+v", days, got)
		}
	}
}
