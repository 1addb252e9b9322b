package payment

import (
	"context"
	"slices"

	"daybook/internal/base/id"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
)

// plan decides on allocations and moves their amounts from the payment's credit to them. It returns the invoices.
func (s *Service) plan(ctx context.Context, b *ledger.Book, p *Payment, list wishes, date string) (map[string]*invoice.Invoice, error) {
	if len(list) == 0 {
		return nil, nil
	}
	invoices, err := s.Invoices.Load(ctx, b, list.invoiceIDs())
	if err != nil {
		return nil, err
	}
	amounts, err := list.judge(p, invoices)
	if err != nil {
		return nil, err
	}
	rest := p.credit()
	for i, amount := range amounts {
		value, err := rest.take(amount)
		if err != nil {
			return nil, err
		}
		p.Allocated += amount
		p.Allocations = append(p.Allocations, Allocation{
			ID: b.NewID(id.Allocation), InvoiceID: list[i].InvoiceID, Amount: amount, Date: date, CreatedAt: b.Tx.Now(), credit: value,
		})
	}
	p.setCredit(rest)
	return invoices, nil
}

// settle tells the invoices of allocations, and notes by how much each relieved the receivable.
func (s *Service) settle(ctx context.Context, b *ledger.Book, p *Payment, invoices map[string]*invoice.Invoice, made []Allocation) (err error) {
	for i := range made {
		a := &made[i]
		if a.relief, err = s.Invoices.Settle(ctx, b, invoices[a.InvoiceID], a.Amount, p.ID); err != nil {
			return err
		}
	}
	return nil
}

// unsettle tells invoices that allocations are gone, each invoice once.
func (s *Service) unsettle(ctx context.Context, b *ledger.Book, p *Payment, gone []Allocation) error {
	sums := map[string]Allocation{}
	for _, a := range gone {
		sum := sums[a.InvoiceID]
		sum.Amount += a.Amount
		sum.relief += a.relief
		sums[a.InvoiceID] = sum
	}
	ids := invoicesOf(gone)
	if len(ids) == 0 {
		return nil
	}
	invoices, err := s.Invoices.Load(ctx, b, ids)
	if err != nil {
		return err
	}
	for _, invoiceID := range ids {
		if err := s.Invoices.Unsettle(ctx, b, invoices[invoiceID], sums[invoiceID].Amount, sums[invoiceID].relief, p.ID); err != nil {
			return err
		}
	}
	return nil
}

// invoicesOf lists the invoices that allocations settle, each once.
func invoicesOf(list []Allocation) []string {
	ids := []string{}
	for _, a := range list {
		if !slices.Contains(ids, a.InvoiceID) {
			ids = append(ids, a.InvoiceID)
		}
	}
	return ids
}
