package partnerapi

import (
	"bytes"
	"context"
	"strings"

	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/party"
	"daybook/internal/books/print"
	"daybook/internal/books/record"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

func (a *API) printRoutes() []Route {
	return []Route{{
		Method: "GET", Path: "/invoices/{id}/pdf", Scopes: []scope.Scope{scope.InvoicesRead}, Permission: business.InvoicesView, Partner: true,
		Summary: "Get an invoice as a PDF", verb: file("application/pdf", a.printInvoice),
	}}
}

func (a *API) printInvoice(ctx context.Context, c *call) (name string, content []byte, err error) {
	i, err := a.Invoices.Get(ctx, c.by, c.id())
	if err != nil {
		return "", nil, err
	}
	b, err := a.Businesses.Get(ctx, c.by.BusinessID)
	if err != nil {
		return "", nil, err
	}
	if i.BillTo == nil { // a draft goes to the customer as it is now
		customer, err := a.Parties.Get(ctx, c.by, record.Customer, i.CustomerID)
		if err != nil {
			return "", nil, err
		}
		i.BillTo = &invoice.BillTo{Name: customer.DisplayName, TaxNumber: customer.TaxNumber, Address: customer.Address}
	}
	var out bytes.Buffer
	if err := print.Invoice(&out, printed(i, b)); err != nil {
		return "", nil, err
	}
	name = "draft.pdf"
	if i.Number != "" {
		name = i.Number + ".pdf"
	}
	return name, out.Bytes(), nil
}

// printed is an invoice as the customer sees it.
func printed(i invoice.Invoice, b business.Business) print.Document {
	currency, _ := money.ParseCurrency(i.Currency) // it was checked when it was stored
	d := print.Document{
		Business: print.Business{Name: b.Name, LegalName: orEmpty(b.LegalName), TaxNumber: orEmpty(b.TaxNumber), Country: b.Country},
		BillTo:   print.Party{Name: i.BillTo.Name, TaxNumber: orEmpty(i.BillTo.TaxNumber), Address: addressLines(i.BillTo.Address)},
		Number:   i.Number, IssueDate: i.IssueDate, DueDate: i.DueDate, Reference: orEmpty(i.Reference), Currency: currency,
		TaxIncluded: i.TaxMode == money.Inclusive, Subtotal: i.Subtotal, Total: i.Total, Paid: i.AmountPaid, WrittenOff: i.AmountWrittenOff, Due: i.AmountDue,
		Notes: orEmpty(i.Notes), Stamp: stamps[i.Status],
	}
	rates := map[string]string{}
	for _, t := range i.TaxSummary {
		rates[t.TaxRateID] = t.Rate.String()
		d.Taxes = append(d.Taxes, print.Tax{Name: t.Name, Rate: t.Rate.String(), Taxable: t.TaxableAmount, Amount: t.TaxAmount})
	}
	for _, l := range i.Lines {
		line := print.Line{Description: l.Description, Code: orEmpty(l.ItemCode), Quantity: l.Quantity.String(), UnitPrice: l.UnitPrice.String(), Amount: l.LineAmount}
		if l.TaxRateID != nil {
			line.TaxRate = rates[*l.TaxRateID]
		}
		if l.DiscountPercent != nil {
			line.Discount.Percent = l.DiscountPercent.String()
		}
		if l.DiscountAmount != nil {
			line.Discount.Amount = *l.DiscountAmount
		}
		d.Lines = append(d.Lines, line)
	}
	return d
}

var stamps = map[invoice.Status]print.Stamp{invoice.Draft: print.Draft, invoice.Void: print.Void, invoice.Paid: print.Paid}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// addressLines is an address as it stands on a letter.
func addressLines(a *party.Address) []string {
	if a == nil {
		return nil
	}
	var lines []string
	for _, line := range []string{orEmpty(a.Line1), orEmpty(a.Line2), strings.TrimSpace(orEmpty(a.PostalCode) + " " + orEmpty(a.City)), orEmpty(a.Region), orEmpty(a.Country)} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
