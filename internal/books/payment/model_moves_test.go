package payment_test

import (
	"slices"
	"strings"
	"time"

	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
)

// move is what came of one, and what the reference says should: done, fields, or a code.
type move struct {
	err  error
	want string
}

var moves = map[string]func(*play) move{
	"issue": (*play).issue, "receive": (*play).receive, "disburse": (*play).disburse, "allocate": (*play).allocate, "unallocate": (*play).unallocate,
	"refund": (*play).refund, "delete": (*play).remove, "void": (*play).void, "write off": (*play).writeOff, "wait": (*play).wait, "lock": (*play).lock,
}

// moveNames has the likelier ones several times.
var moveNames = strings.Split("issue,issue,issue,issue,receive,receive,receive,receive,allocate,allocate,allocate,unallocate,unallocate,refund,refund,delete,delete,"+
	"void,write off,disburse,wait,lock", ",")

// skipped is a move for which there was nothing to move.
var skipped = move{want: "nothing"}

var plain = move{want: "done"}

func (p *play) issue() move {
	n := invoice.New{CustomerID: among(p.T, "customer", p.customers), Issue: true, IssueDate: &p.today, Currency: pointer(among(p.T, "currency", p.currencies))}
	n.ExchangeRate = p.rate(*n.Currency)
	var total money.Amount
	for range evenly(p.T, "lines", 3) + 1 {
		net := p.amount("net")
		l := invoice.NewLine{Description: "Work", UnitPrice: major(net, *n.Currency), AccountID: pointer(p.accounts[among(p.T, "account", []string{"4000", "4900"})])}
		if total >= net && p.rarely("credit") {
			l.Quantity, net = pointer("-1"), -net
		}
		total += net
		n.Lines = append(n.Lines, l)
	}
	made, err := run(p.world, p.world.invoices.Create(p.by, n))
	if err != nil {
		return move{err, p.unlocked(p.today, "done")}
	}
	i := &refInvoice{id: made.ID, customer: n.CustomerID, currency: *n.Currency, status: invoice.Open, total: total}
	if total == 0 {
		i.status = invoice.Paid
	}
	p.invoices = append(p.invoices, i)
	return move{err, p.unlocked(p.today, "done")}
}

// unlocked is the outcome unless the books are locked at that date.
func (p *play) unlocked(date, outcome string) string {
	if date <= p.locked {
		return "PERIOD_LOCKED"
	}
	return outcome
}

func (p *play) receive() move {
	customer, currency := among(p.T, "customer", p.customers), among(p.T, "currency", p.currencies)
	amount := p.amount("amount")
	if i, ok := pick(p, "for", p.invoices); ok && evenly(p.T, "fitting", 2) == 1 {
		customer, currency, amount = i.customer, i.currency, p.part("amount", max(i.due(), 1))
	}
	list, made, outcome := p.wishes(amount, customer, currency, evenly(p.T, "allocations", 4))
	n := p.receipt(customer, amount, list...)
	n.Date, n.Currency, n.ExchangeRate = p.today, &currency, p.rate(currency)
	outcome = p.unlocked(p.today, outcome)
	got, err := run(p.world, p.world.payments.Create(p.by, n))
	if err == nil && outcome == "done" {
		ref := &refPayment{id: got.ID, kind: "RECEIPT", customer: customer, currency: currency, amount: amount}
		p.payments = append(p.payments, ref)
		ref.allocate(got, made)
	}
	return move{err, outcome}
}

// allocate notes allocations that the service made.
func (r *refPayment) allocate(got payment.Payment, made []refAllocation) {
	for n := range made {
		made[n].id = got.Allocations[len(r.allocations)].ID
		made[n].invoice.settle(made[n].amount)
		r.allocations = append(r.allocations, made[n])
	}
}

func (p *play) disburse() move {
	currency := among(p.T, "currency", p.currencies)
	n := payment.New{
		Kind: payment.Disbursement, Date: p.today, Amount: p.amount("amount"), Currency: &currency, ExchangeRate: p.rate(currency), BankAccountID: p.accounts["1000"],
		SupplierID: &p.supplierID,
	}
	got, err := run(p.world, p.world.payments.Create(p.by, n))
	if err == nil {
		p.payments = append(p.payments, &refPayment{id: got.ID, kind: "DISBURSEMENT", currency: currency, amount: n.Amount})
	}
	return move{err, p.unlocked(p.today, "done")}
}

func (p *play) allocate() move {
	r, ok := p.some(true)
	if !ok {
		return skipped
	}
	list, made, outcome := p.wishes(r.left(), r.customer, r.currency, evenly(p.T, "allocations", 3)+1)
	if len(list) == 0 {
		return skipped
	}
	if outcome = p.unlocked(p.today, outcome); r.kind != "RECEIPT" {
		outcome = "INVALID_STATE"
	}
	got, err := run(p.world, p.world.payments.Allocate(p.by, r.id, payment.Allocating{Allocations: list}, nil))
	if err == nil && outcome == "done" {
		r.allocate(got, made)
	}
	return move{err, outcome}
}

func (p *play) unallocate() move {
	r, ok := pick(p, "payment", slices.DeleteFunc(slices.Clone(p.payments), func(r *refPayment) bool { return len(r.allocations) == 0 }))
	if !ok {
		return skipped
	}
	n := evenly(p.T, "allocation", len(r.allocations))
	a := r.allocations[n]
	_, err := run(p.world, p.world.payments.Unallocate(p.by, r.id, a.id, nil))
	if a.invoice.status == invoice.Uncollectible {
		return move{err, "INVALID_STATE"}
	}
	if err == nil {
		r.allocations = slices.Delete(r.allocations, n, n+1)
		a.invoice.settle(-a.amount)
	}
	return move{err, p.unlocked(p.today, "done")}
}

func (p *play) refund() move {
	r, ok := p.some(false)
	if !ok {
		return skipped
	}
	give := payment.Refunding{Amount: p.part("amount", r.left()), Date: p.today}
	if evenly(p.T, "own rate", 2) == 1 {
		give.ExchangeRate = p.rate(r.currency)
	}
	outcome := "done"
	switch {
	case r.kind != "RECEIPT":
		outcome = "INVALID_STATE"
	case p.today <= p.locked:
		outcome = "PERIOD_LOCKED"
	case give.Amount > r.left():
		outcome = "fields"
	}
	got, err := run(p.world, p.world.payments.Refund(p.by, r.id, give, nil))
	if err == nil && outcome == "done" {
		r.refunded += give.Amount
		p.payments = append(p.payments, &refPayment{id: got.ID, kind: "REFUND", customer: r.customer, currency: r.currency, amount: give.Amount, of: r})
	}
	return move{err, outcome}
}

func (p *play) remove() move {
	r, ok := pick(p, "payment", p.payments)
	if !ok {
		return skipped
	}
	outcome := p.unlocked(p.today, "done")
	for _, a := range r.allocations {
		if a.invoice.status == invoice.Uncollectible && outcome == "done" {
			outcome = "INVALID_STATE"
		}
	}
	if r.refunded > 0 {
		outcome = "RECORD_IN_USE"
	}
	_, err := run(p.world, p.world.payments.Delete(p.by, r.id, &p.today, nil))
	if err == nil && outcome == "done" {
		for _, a := range r.allocations {
			a.invoice.settle(-a.amount)
		}
		if r.of != nil {
			r.of.refunded -= r.amount
		}
		p.payments = slices.DeleteFunc(p.payments, func(o *refPayment) bool { return o == r })
	}
	return move{err, outcome}
}

func (p *play) void() move {
	i, ok := pick(p, "invoice", p.invoices)
	if !ok {
		return skipped
	}
	_, err := run(p.world, p.world.invoices.Void(p.by, i.id, invoice.Voiding{}, nil))
	if i.status != invoice.Open {
		return move{err, "INVALID_STATE"}
	}
	if err == nil {
		i.status = invoice.Void
	}
	return move{err, p.unlocked(p.today, "done")}
}

func (p *play) writeOff() move {
	i, ok := pick(p, "invoice", p.invoices)
	if !ok {
		return skipped
	}
	_, err := run(p.world, p.world.invoices.WriteOff(p.by, i.id, nil, nil))
	if !i.payable() {
		return move{err, "INVALID_STATE"}
	}
	if err == nil {
		i.off, i.status = i.due(), invoice.Uncollectible
	}
	return move{err, p.unlocked(p.today, "done")}
}

// wait is for another day.
func (p *play) wait() move {
	p.Clock.Advance(24 * time.Hour)
	p.today = p.Clock.Now().Format(time.DateOnly)
	return plain
}

// lock closes the books up to yesterday, now and then up to today.
func (p *play) lock() move {
	p.locked = record.AddDays(p.today, -1)
	if p.rarely("up to today") {
		p.locked = p.today
	}
	p.exec(p.T, `UPDATE books SET lock_date = $2 WHERE business_id = $1`, p.by.BusinessID, p.locked)
	return plain
}
