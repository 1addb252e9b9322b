package pages

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
	"daybook/internal/platform/appdata"
	"daybook/internal/tenancy/business"
)

type invoicesView struct {
	Text     string
	Statuses []option
	Customer *customerFilter
	Rows     []invoiceRow
	Pager    pager
	Filtered bool
}

type customerFilter struct{ ID, Name string }

type invoiceRow struct {
	Path, Title, Customer, Issued, Due string
	Status                             state
	Total                              sum
	Open                               *sum // nil: nothing
}

var invoicesPage = newPage[invoicesView]("business-invoices.html")

func (s *Site) businessInvoices(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	q := newQuery(r, "status", "customer", "text")
	v := invoicesView{Text: q.get("text")}
	v.Statuses = options(q.get("status"), "", "Any status", "DRAFT", "Draft", "OPEN,PARTIALLY_PAID", "To be paid", "OVERDUE", "Overdue", "PARTIALLY_PAID", "Partly paid",
		"PAID", "Paid", "VOID", "Void", "UNCOLLECTIBLE", "Written off")
	if status := among(q.get("status"), v.Statuses); status == "OVERDUE" {
		q.set("overdue", "true")
		q.set("sort", "dueDate")
	} else {
		q.set("status", status)
	}
	q.set("customerId", q.get("customer"))
	v.Filtered = q.get("status") != "" || v.Text != "" || q.get("customer") != ""
	list := s.Invoices.List
	if v.Text != "" {
		list = func(ctx context.Context, by record.Call, params map[string][]string) (record.Page[invoice.Invoice], error) {
			return s.Invoices.Search(ctx, by, v.Text, params)
		}
	}
	page, err := list(r.Context(), d.by, q.params)
	if err != nil {
		return err
	}
	if v.Rows, err = d.invoiceRows(r.Context(), page.Data); err != nil {
		return err
	}
	if id := q.get("customer"); id != "" {
		known, err := d.partyNames(r.Context(), record.Customer, []string{id})
		if err != nil {
			return err
		}
		v.Customer = &customerFilter{id, cmp.Or(known[id], id)}
	}
	v.Pager = q.pager(page.Next)
	invoicesPage.write(w, r, s, http.StatusOK, d.frame("Invoices", "Invoices"), v)
	return nil
}

// invoiceRows are invoices as lists show them.
func (d *atDesk) invoiceRows(ctx context.Context, list []invoice.Invoice) ([]invoiceRow, error) {
	var unnamed []string
	for _, i := range list {
		if i.BillTo == nil {
			unnamed = append(unnamed, i.CustomerID)
		}
	}
	known, err := d.partyNames(ctx, record.Customer, unnamed)
	if err != nil {
		return nil, err
	}
	var rows []invoiceRow
	for _, i := range list {
		row := invoiceRow{
			Path: "/invoices/" + i.ID, Title: cmp.Or(i.Number, "Draft"), Customer: known[i.CustomerID], Issued: day(i.IssueDate), Due: day(i.DueDate),
			Status: invoiceState(i), Total: sumOf(i.Total, i.Currency),
		}
		if i.AmountDue != 0 && i.Status != invoice.Draft {
			row.Open = new(sumOf(i.AmountDue, i.Currency))
		}
		if i.BillTo != nil {
			row.Customer = i.BillTo.Name
		}
		rows = append(rows, row)
	}
	return rows, nil
}

type invoiceView struct {
	Title, Number            string
	Status                   state
	Customer, CustomerPath   string
	Address                  []string
	TaxNumber                string
	Issued, Due, Reference   string
	Rate                     string // of exchange; empty in the currency of the books
	TaxWords                 string
	Currency                 string
	Lines                    []invoiceLine
	Subtotal, Discount       string
	Taxes                    []taxRow
	Total, Paid, Lost, Owed  string
	HasPaid, HasLost         bool
	Notes, VoidReason        string
	Payments                 []invoicePayment
	MayPayments              bool
	History                  []happening
	EntryPath, PDF, ID, Base string
	Made                     madeView
	Apps                     []appFields
	Guests                   guests
}

type invoiceLine struct {
	Description, Code, Account, Quantity, Price, Discount, Tax, Amount string
}

type taxRow struct{ Name, Rate, Taxable, Amount string }

type invoicePayment struct {
	Path, Date, Method, Reference string
	Amount                        sum
}

// happening is something that happened to a record.
type happening struct {
	What, Path, Who string
	Amount          string
	Times           int // that it happened in a row; 0 for once
	Tone            string
	When            stamp
	At              time.Time
}

var invoicePage = newPage[invoiceView]("business-invoice.html")

func (s *Site) businessInvoice(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	return s.showInvoice(w, r, http.StatusOK, d, nil)
}

func (s *Site) showInvoice(w http.ResponseWriter, r *http.Request, status int, d *atDesk, attempt *fieldAttempt) error {
	ctx := r.Context()
	i, err := s.Invoices.Get(ctx, d.by, r.PathValue("id"))
	if err != nil {
		return err
	}
	v := invoiceView{
		Title: invoiceTitle(i.Number), Number: i.Number, Status: invoiceState(i), Issued: day(i.IssueDate), Due: day(i.DueDate), Reference: text(i.Reference),
		Currency: i.Currency, TaxWords: taxWords[i.TaxMode], Notes: text(i.Notes), VoidReason: text(i.VoidReason), ID: i.ID,
		PDF: s.APIOrigin + "/invoices/" + i.ID + "/pdf", MayPayments: d.access.May(business.PaymentsView),
	}
	amount := func(a money.Amount) string { return sumOf(a, i.Currency).Figure }
	v.Subtotal, v.Total, v.Paid, v.Lost, v.Owed = amount(i.Subtotal), amount(i.Total), amount(-i.AmountPaid), amount(-i.AmountWrittenOff), amount(i.AmountDue)
	v.HasPaid, v.HasLost = i.AmountPaid != 0, i.AmountWrittenOff != 0
	if i.DiscountTotal != 0 {
		v.Discount = amount(i.DiscountTotal)
	}
	if i.ExchangeRate != nil {
		v.Rate, v.Base = i.ExchangeRate.String(), d.facts.Currency.Code()
	}
	for _, t := range i.TaxSummary {
		v.Taxes = append(v.Taxes, taxRow{t.Name, t.Rate.String() + " %", amount(t.TaxableAmount), amount(t.TaxAmount)})
	}
	if err := d.billTo(ctx, i, &v); err != nil {
		return err
	}
	if v.Lines, err = d.invoiceLines(ctx, i, amount); err != nil {
		return err
	}
	var received []payment.Payment
	if v.MayPayments {
		page, err := s.Payments.List(ctx, d.by, map[string][]string{"invoiceId": {i.ID}, "sort": {"date"}, "limit": {"100"}})
		if err != nil {
			return err
		}
		received = page.Data
	}
	for _, p := range received {
		for _, a := range p.Allocations {
			if a.InvoiceID == i.ID {
				v.Payments = append(v.Payments, invoicePayment{"/payments/" + p.ID, day(a.Date), paymentMethods[p.Method], text(p.Reference), sumOf(a.Amount, p.Currency)})
			}
		}
	}
	if d.access.May(business.JournalView) && i.JournalEntryID != nil {
		v.EntryPath = "/journal/" + *i.JournalEntryID
	}
	if v.Made, err = d.made(ctx, i.MadeBy, i.ChangedBy, i.CreatedAt, i.UpdatedAt, i.Version); err != nil {
		return err
	}
	if v.History, err = d.invoiceHistory(ctx, i, received); err != nil {
		return err
	}
	if v.Apps, err = d.fields(r, appdata.Invoice, "invoices", i.ID, attempt); err != nil {
		return err
	}
	if v.Guests, err = d.guests(r, appdata.Invoice, "invoices", i.ID); err != nil {
		return err
	}
	invoicePage.write(w, r, s, status, d.frame("Invoices", v.Title, crumb{"Invoices", "/invoices"}, crumb{v.Title, ""}), v)
	return nil
}

var taxWords = map[money.TaxMode]string{
	money.Exclusive: "Prices are before tax.", money.Inclusive: "Prices include tax.", money.Untaxed: "There is no tax on this invoice.",
}

// billTo is to whom the invoice goes: as it was issued, or as the customer is now.
func (d *atDesk) billTo(ctx context.Context, i invoice.Invoice, v *invoiceView) error {
	if d.access.May(business.CustomersView) {
		v.CustomerPath = "/customers/" + i.CustomerID
	}
	if i.BillTo != nil {
		v.Customer, v.Address, v.TaxNumber = i.BillTo.Name, addressLines(i.BillTo.Address), text(i.BillTo.TaxNumber)
		return nil
	}
	known, err := d.partyNames(ctx, record.Customer, []string{i.CustomerID})
	v.Customer = cmp.Or(known[i.CustomerID], i.CustomerID)
	return err
}

func (d *atDesk) invoiceLines(ctx context.Context, i invoice.Invoice, amount func(money.Amount) string) ([]invoiceLine, error) {
	var ids []string
	for _, l := range i.Lines {
		ids = append(ids, l.AccountID)
	}
	known, err := d.accounts(ctx, ids)
	if err != nil {
		return nil, err
	}
	rates := map[string]string{}
	for _, t := range i.TaxSummary {
		rates[t.TaxRateID] = t.Rate.String() + " %"
	}
	var lines []invoiceLine
	for _, l := range i.Lines {
		line := invoiceLine{Description: l.Description, Code: text(l.ItemCode), Quantity: l.Quantity.String(), Price: price(l.UnitPrice, i.Currency), Amount: amount(l.LineAmount)}
		if a, ok := known[l.AccountID]; ok {
			line.Account = a.Code + " " + a.Name
		}
		if l.TaxRateID != nil {
			line.Tax = rates[*l.TaxRateID]
		}
		switch {
		case l.DiscountPercent != nil:
			line.Discount = l.DiscountPercent.String() + " %"
		case l.DiscountAmount != nil:
			line.Discount = amount(*l.DiscountAmount)
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// invoiceHistory is what the records themselves tell of an invoice's life, the newest first. The event log forgets after 30
// days; they do not.
func (d *atDesk) invoiceHistory(ctx context.Context, i invoice.Invoice, received []payment.Payment) ([]happening, error) {
	var list []happening
	add := func(at *time.Time, what, tone, path, who string) {
		if at != nil {
			list = append(list, happening{What: what, Tone: tone, Path: path, Who: who, When: d.stamp(*at), At: *at})
		}
	}
	maker, err := d.author(ctx, i.MadeBy)
	if err != nil {
		return nil, err
	}
	add(&i.CreatedAt, map[invoice.Origin]string{invoice.ByAPI: "Created by an app", invoice.ByUI: "Created", invoice.ByImport: "Imported"}[i.Source.Type], "", "", maker)
	add(i.IssuedAt, "Issued as "+i.Number, "good", "", "")
	add(i.SentAt, "Sent", "wait", "", "")
	for _, p := range received {
		who, err := d.author(ctx, p.MadeBy)
		if err != nil {
			return nil, err
		}
		for _, a := range p.Allocations {
			if a.InvoiceID == i.ID {
				add(&a.CreatedAt, "Received "+sumOf(a.Amount, p.Currency).String(), "good", "/payments/"+p.ID, who)
			}
		}
	}
	add(i.PaidAt, "Paid in full", "good", "", "")
	changer, err := d.author(ctx, i.ChangedBy)
	if err != nil {
		return nil, err
	}
	add(i.VoidedAt, "Voided", "bad", "", changer)
	if err := d.writtenOff(ctx, i, add); err != nil {
		return nil, err
	}
	if i.Version > 1 && !slices.ContainsFunc(list, func(h happening) bool { return h.At.Equal(i.UpdatedAt) }) {
		add(&i.UpdatedAt, "Last changed", "", "", changer)
	}
	slices.Reverse(list) // of what happened at one instant, the last comes first
	slices.SortStableFunc(list, func(a, b happening) int { return b.At.Compare(a.At) })
	return list, nil
}

// writtenOff adds the day on which the rest of an invoice was given up, from the journal.
func (d *atDesk) writtenOff(ctx context.Context, i invoice.Invoice, add func(at *time.Time, what, tone, path, who string)) error {
	if i.Status != invoice.Uncollectible || !d.access.May(business.JournalView) {
		return nil
	}
	page, err := d.names.site.Ledger.ListEntries(ctx, d.by, map[string][]string{"sourceType": {string(ledger.FromInvoice)}, "sourceId": {i.ID}})
	if err != nil {
		return err
	}
	for _, e := range page.Data {
		if e.Source.Action != "write_off" {
			continue
		}
		who, err := d.author(ctx, e.MadeBy)
		if err != nil {
			return err
		}
		add(&e.CreatedAt, "Written off "+sumOf(i.AmountWrittenOff, i.Currency).String(), "bad", "/journal/"+e.ID, who)
	}
	return nil
}
