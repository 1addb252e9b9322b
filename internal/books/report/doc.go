// Package report tells how a business stands: trial balance, profit and loss, balance sheet, aged receivables.
//
// It owns no table: what it shows is worked out from the sums of the journal and, for receivables, from the invoices, each time
// it is asked, all on one state of the store. Amounts are in the base currency; the fiscal year is the calendar year. Accounts
// with nothing to show are left out.
//
// Invariants: the trial balance's sides are equal; assets = liabilities + equity on every day, because results that no entry has
// closed yet are shown as rows of equity; the net profit of a period is the change of those results.
package report
