package payment_test

import (
	"fmt"
	"maps"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/books/invoice"
)

// check holds the books against the documents, and both against the reference.
func (p *play) check() {
	p.Helper()
	p.balanced()
	p.receivable()
	p.customerCredit()
	p.payable()
	p.documents()
}

// pairs reads words and numbers.
func (p *play) pairs(sql string, args ...any) map[string]int64 {
	p.Helper()
	sums := map[string]int64{}
	query(p.T, p.Store, func(scan db.Scan) (struct{}, error) {
		var name string
		var n int64
		err := scan(&name, &n)
		sums[name] = n
		return struct{}{}, err
	}, sql, append([]any{p.by.BusinessID}, args...)...)
	return sums
}

// agree compares sums; what is absent is zero.
func (p *play) agree(what string, got, want map[string]int64) {
	p.Helper()
	zero := func(_ string, n int64) bool { return n == 0 }
	maps.DeleteFunc(got, zero)
	maps.DeleteFunc(want, zero)
	if !maps.Equal(got, want) {
		p.Fatalf("%s: %v, not %v", what, got, want)
	}
}

// balanced: every entry balances, the trial balance is zero, and the sums that reports read are those of the lines.
func (p *play) balanced() {
	p.Helper()
	p.agree("entries out of balance", p.pairs(`SELECT entry_id, cast(sum(debit) - sum(credit) AS BIGINT) FROM journal_lines WHERE business_id = $1 GROUP BY entry_id`), nil)
	lines := p.pairs(`SELECT account_id, cast(sum(debit) - sum(credit) AS BIGINT) FROM journal_lines WHERE business_id = $1 GROUP BY account_id`)
	var sum int64
	for n := range maps.Values(lines) {
		sum += n
	}
	if sum != 0 {
		p.Fatalf("the trial balance is %d: %v", sum, lines)
	}
	p.agree("sums of months", p.pairs(`SELECT account_id, cast(sum(debit) - sum(credit) AS BIGINT) FROM account_months WHERE business_id = $1 GROUP BY account_id`), lines)
}

// partyLines is what the journal says of the parties on an account.
func (p *play) partyLines(code string) map[string]int64 {
	p.Helper()
	lines := p.pairs(`SELECT coalesce(customer_id, supplier_id, ''), cast(sum(debit) - sum(credit) AS BIGINT) FROM journal_lines WHERE business_id = $1 AND account_id = $2
		GROUP BY coalesce(customer_id, supplier_id, '')`, p.accounts[code])
	p.agree("balances of parties on "+code, p.pairs(`SELECT party_id, balance FROM party_balances WHERE business_id = $1 AND account_id = $2`, p.accounts[code]), maps.Clone(lines))
	return lines
}

// receivable: what a customer owes by the ledger is what their open invoices carry, and in the base currency what is due.
func (p *play) receivable() {
	p.Helper()
	p.agree("receivable", p.partyLines("1100"), p.pairs(`SELECT customer_id, cast(sum(base_total - base_settled) AS BIGINT) FROM invoices
		WHERE business_id = $1 AND status IN ('OPEN', 'PARTIALLY_PAID') GROUP BY customer_id`))
	p.agree("value that settled invoices carry", p.pairs(`SELECT id, base_total - base_settled FROM invoices
		WHERE business_id = $1 AND (amount_due = 0 OR currency = $2 AND base_total - base_settled <> amount_due)`, p.base), nil)
	p.agree("relief of invoices", p.pairs(`SELECT i.id, i.base_settled FROM invoices i WHERE i.business_id = $1 AND i.status IN ('OPEN', 'PARTIALLY_PAID', 'PAID')`),
		p.pairs(`SELECT invoice_id, cast(sum(relief) AS BIGINT) FROM payment_allocations WHERE business_id = $1 AND invoice_id IN
			(SELECT id FROM invoices WHERE business_id = $1 AND status IN ('OPEN', 'PARTIALLY_PAID', 'PAID')) GROUP BY invoice_id`))
}

// customerCredit: what we owe a customer by the ledger is what their receipts still carry, and in the base currency what
// is unallocated of them; no value was lost on the way.
func (p *play) customerCredit() {
	p.Helper()
	p.agree("customer credit", p.partyLines("2150"),
		p.pairs(`SELECT customer_id, cast(-sum(base_credit) AS BIGINT) FROM payments WHERE business_id = $1 AND customer_id IS NOT NULL GROUP BY customer_id`))
	p.agree("credit below zero, or without an amount, or other than the amount in the base currency", p.pairs(`SELECT id, 1 FROM payments WHERE business_id = $1
		AND (base_credit < 0 OR unallocated = 0 AND base_credit <> 0 OR currency = $2 AND base_credit <> unallocated)`, p.base), nil)
	p.agree("value of payments", p.pairs(`SELECT id, base_amount - base_credit FROM payments WHERE business_id = $1 AND kind = 'RECEIPT' AND refunded = 0`),
		p.pairs(`SELECT payment_id, cast(sum(credit) AS BIGINT) FROM payment_allocations WHERE business_id = $1
			AND payment_id IN (SELECT id FROM payments WHERE business_id = $1 AND refunded = 0) GROUP BY payment_id`))
}

// payable: suppliers were paid what their payments are worth.
func (p *play) payable() {
	p.Helper()
	p.agree("payable", p.partyLines("2000"),
		p.pairs(`SELECT supplier_id, cast(sum(base_amount) AS BIGINT) FROM payments WHERE business_id = $1 AND supplier_id IS NOT NULL GROUP BY supplier_id`))
}

// documents: amounts and statuses are those of the reference.
func (p *play) documents() {
	p.Helper()
	var got, want []string
	got = query(p.T, p.Store, func(scan db.Scan) (string, error) {
		var id, status string
		var paid, off, due int64
		err := scan(&id, &status, &paid, &off, &due)
		return fmt.Sprint(id, " ", status, " ", paid, " ", off, " ", due), err
	}, `SELECT id, status, amount_paid, amount_written_off, amount_due FROM invoices WHERE business_id = $1`, p.by.BusinessID)
	for _, i := range p.invoices {
		want = append(want, fmt.Sprint(i.id, " ", i.status, " ", int64(i.paid), " ", int64(i.off), " ", int64(i.due())))
		if s := i.status; s == invoice.PartiallyPaid && (i.paid == 0 || i.due() == 0) || s == invoice.Open && (i.paid != 0 || i.due() == 0) || s == invoice.Paid && i.due() != 0 {
			p.Fatalf("the reference itself is wrong: %+v", *i)
		}
	}
	p.list("invoices", got, want)
	got = query(p.T, p.Store, func(scan db.Scan) (string, error) {
		var id string
		var allocated, unallocated, refunded, parts int64
		err := scan(&id, &allocated, &unallocated, &refunded, &parts)
		return fmt.Sprint(id, " ", allocated, " ", unallocated, " ", refunded, " ", parts), err
	}, `SELECT id, allocated, unallocated, refunded, (SELECT count(*) FROM payment_allocations a WHERE a.payment_id = r.id)
		FROM payments r WHERE business_id = $1`, p.by.BusinessID)
	want = nil
	for _, r := range p.payments {
		want = append(want, fmt.Sprint(r.id, " ", int64(r.allocated()), " ", int64(r.left()), " ", int64(r.refunded), " ", len(r.allocations)))
	}
	p.list("payments", got, want)
}

func (p *play) list(what string, got, want []string) {
	p.Helper()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		p.Fatalf("%s:\n%v, not\n%v", what, got, want)
	}
}
