package demobooks

import (
	"context"
	"fmt"
	"strconv"

	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
)

// invoice issues what was ordered, or keeps it as a draft.
func (p *player) invoice(ctx context.Context, o *order) error {
	if o.dropped {
		return nil
	}
	c, by := o.customer, p.by
	n := invoice.New{CustomerID: c.id, IssueDate: ptr(o.on.String()), Issue: !o.draft, Lines: p.lines(o)}
	if c.rounding != "" {
		n.TaxRounding = &c.rounding
	}
	switch c.kind {
	case companies:
		n.Reference = ptr(fmt.Sprintf("PO-%d", 2000+int(o.on)%1000+17*o.number))
	case people: // see prices with tax in them
		n.TaxMode = ptr(string(money.Inclusive))
		n.Notes = ptr("Thank you for your order.")
	case abroad:
		n.ExchangeRate = ptr(exchangeRate(p.base, c.currency, o.on))
	}
	if c.story == byApp && p.app != nil {
		by = *p.app
	}
	b, err := p.open(ctx, by)
	if err != nil {
		return err
	}
	made, err := p.books.Invoices.CreateIn(ctx, b, n)
	o.id, o.total, o.due = made.ID, made.Total, made.AmountDue
	// Who pays at the counter takes it along. Of older ones nobody knows how they were sent: it would seem to be today.
	if err != nil || o.draft || c.method != "" || record.DaysBetween(o.on.String(), b.Today()) > 30 {
		return err
	}
	channel := invoice.ByLink
	if c.story == byApp || c.story == together {
		channel = invoice.ByOtherMeans
	}
	_, err = do(ctx, p, p.books.Invoices.Send(by, o.id, invoice.Sending{Channel: channel}, nil))
	return err
}

func (p *player) lines(o *order) []invoice.NewLine {
	c := o.customer
	var list []invoice.NewLine
	for i, l := range o.lines {
		quantity := strconv.Itoa(l.halves / 2)
		if l.halves%2 == 1 {
			quantity += ".5"
		}
		line := invoice.NewLine{
			Description: l.name, ItemCode: &l.code, Quantity: &quantity, UnitPrice: money.Plain(price(c.currency, l.price), c.currency),
			AccountID: ptr(p.accounts[l.account]), TaxRateID: record.Clearing[string](),
		}
		class := l.tax
		if c.kind == abroad {
			class = zero
		}
		if id := p.rates.id(class); id != nil {
			line.TaxRateID = record.Setting(*id)
		}
		switch {
		case c.discount > 0:
			line.DiscountPercent = ptr(strconv.Itoa(c.discount))
		case o.off > 0 && i == 0:
			line.DiscountAmount = ptr(price(c.currency, o.off))
		}
		list = append(list, line)
	}
	return list
}

// receive books a payment of a part, in percent, of what is due on orders, and what is paid too much.
func (p *player) receive(ctx context.Context, on day, part int, extra cents, orders ...*order) error {
	c := orders[0].customer
	n := p.payment(c, on)
	paid := map[string]*order{}
	for _, o := range orders {
		if o.id == "" || o.due == 0 {
			continue
		}
		amount := max(o.due*money.Amount(part)/100, 1)
		n.Amount += amount
		n.Allocations = append(n.Allocations, payment.Wanted{InvoiceID: o.id, Amount: &amount})
		paid[o.id] = o
	}
	if len(paid) == 0 {
		return nil
	}
	if extra > 0 {
		n.Amount += price(c.currency, extra)
	}
	done, err := p.pay(ctx, n)
	for _, a := range done.Allocations {
		paid[a.InvoiceID].due -= a.Amount
	}
	if extra > 0 {
		c.credit = done.ID
	}
	return err
}

// payment of a customer, but for the amount.
func (p *player) payment(c *customer, on day) payment.New {
	n := payment.New{Kind: payment.Receipt, Date: on.String(), CustomerID: &c.id, BankAccountID: p.accounts[bank], Currency: ptr(c.currency.Code())}
	if c.method != "" {
		n.Method = ptr(payment.Method(c.method))
	}
	if c.kind == abroad {
		n.ExchangeRate = ptr(exchangeRate(p.base, c.currency, on))
	}
	return n
}

func (p *player) pay(ctx context.Context, n payment.New) (payment.Payment, error) {
	b, err := p.open(ctx, p.by)
	if err != nil {
		return payment.Payment{}, err
	}
	return p.books.Payments.CreateIn(ctx, b, n)
}

// prepay books a payment that no invoice asked for: the customer has it to spare.
func (p *player) prepay(ctx context.Context, c *customer, on day, amount money.Amount, memo string) error {
	if amount == 0 {
		return nil
	}
	n := p.payment(c, on)
	n.Amount, n.Memo = amount, &memo
	done, err := p.pay(ctx, n)
	c.credit = done.ID
	return err
}

// useCredit settles an order with what the customer has to spare.
func (p *player) useCredit(ctx context.Context, o *order, on day) error {
	if o.id == "" || o.customer.credit == "" {
		return nil
	}
	done, err := do(ctx, p, p.books.Payments.Allocate(p.by, o.customer.credit, payment.Allocating{
		Date: ptr(on.String()), Allocations: []payment.Wanted{{InvoiceID: o.id}},
	}, nil))
	for _, a := range done.Allocations {
		o.due -= a.Amount
	}
	return err
}

// refund gives back what the customer has to spare.
func (p *player) refund(ctx context.Context, c *customer, on day) error {
	if c.credit == "" {
		return nil
	}
	_, err := do(ctx, p, p.books.Payments.Refund(p.by, c.credit, payment.Refunding{
		Amount: price(c.currency, tooMuch), Date: on.String(), Memo: ptr("Paid too much"),
	}, nil))
	return err
}

// void takes an invoice back.
func (p *player) void(ctx context.Context, o *order, on day) error {
	if o.id == "" {
		return nil
	}
	_, err := do(ctx, p, p.books.Invoices.Void(p.by, o.id, invoice.Voiding{Date: ptr(on.String()), Reason: ptr("Wrong quantities; issued anew.")}, nil))
	return err
}

// giveUp writes off what a customer still owes, and closes the file.
func (p *player) giveUp(ctx context.Context, c *customer, on day, orders ...*order) error {
	for _, o := range orders {
		if o.id == "" {
			continue
		}
		if _, err := do(ctx, p, p.books.Invoices.WriteOff(p.by, o.id, ptr(on.String()), nil)); err != nil {
			return err
		}
	}
	_, err := do(ctx, p, p.books.Parties.Archive(p.by, record.Customer, c.id, nil))
	return err
}
