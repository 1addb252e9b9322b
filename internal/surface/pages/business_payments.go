package pages

import (
	"cmp"
	"context"
	"net/http"

	"daybook/internal/books/payment"
	"daybook/internal/books/record"
	"daybook/internal/platform/appdata"
	"daybook/internal/tenancy/business"
)

type paymentsView struct {
	Kinds    []option
	Party    *partyFilter
	Open     bool // only those that are not used up
	Rows     []paymentRow
	Pager    pager
	Filtered bool
}

type partyFilter struct{ Key, ID, Name string }

type paymentRow struct {
	Path, Date, Kind, Party, Method, Reference string
	Amount                                     sum
	Left                                       *sum // not yet applied to an invoice
}

var paymentsPage = newPage[paymentsView]("business-payments.html")

func (s *Site) businessPayments(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	ctx := r.Context()
	q := newQuery(r, "kind", "customer", "supplier", "open")
	v := paymentsView{Open: q.get("open") == "yes"}
	v.Kinds = options(q.get("kind"), "", "Any direction", "RECEIPT", "Received", "DISBURSEMENT", "Paid out", "REFUND", "Refunded")
	q.set("kind", among(q.get("kind"), v.Kinds))
	q.set("customerId", q.get("customer"))
	q.set("supplierId", q.get("supplier"))
	if v.Open {
		q.set("unallocated", "true")
	}
	q.set("sort", "-date")
	v.Filtered = v.Open || q.get("kind") != "" || q.get("customer") != "" || q.get("supplier") != ""
	page, err := s.Payments.List(ctx, d.by, q.params)
	if err != nil {
		return err
	}
	for key, kind := range map[string]record.Kind{"customer": record.Customer, "supplier": record.Supplier} {
		if id := q.get(key); id != "" {
			known, err := d.partyNames(ctx, kind, []string{id})
			if err != nil {
				return err
			}
			v.Party = &partyFilter{key, id, cmp.Or(known[id], id)}
		}
	}
	known, err := d.payers(ctx, page.Data)
	if err != nil {
		return err
	}
	for _, p := range page.Data {
		row := paymentRow{
			Path: "/payments/" + p.ID, Date: day(p.Date), Kind: paymentKinds[p.Kind], Party: known[payer(p)], Method: paymentMethods[p.Method],
			Reference: text(p.Reference), Amount: sumOf(p.Amount, p.Currency),
		}
		if p.Unallocated != 0 {
			row.Left = new(sumOf(p.Unallocated, p.Currency))
		}
		v.Rows = append(v.Rows, row)
	}
	v.Pager = q.pager(page.Next)
	paymentsPage.write(w, r, s, http.StatusOK, d.frame("Payments", "Payments"), v)
	return nil
}

// payer is the other side of a payment.
func payer(p payment.Payment) string { return cmp.Or(text(p.CustomerID), text(p.SupplierID)) }

// payers are the names of the other sides of payments.
func (d *atDesk) payers(ctx context.Context, list []payment.Payment) (map[string]string, error) {
	var from, to []string
	for _, p := range list {
		from, to = append(from, text(p.CustomerID)), append(to, text(p.SupplierID))
	}
	known, err := d.partyNames(ctx, record.Customer, from)
	if err != nil {
		return nil, err
	}
	more, err := d.partyNames(ctx, record.Supplier, to)
	for id, name := range more {
		known[id] = name
	}
	return known, err
}

type paymentView struct {
	Title, Kind, Party, PartyPath, PartyNoun string
	Amount                                   sum
	Facts                                    []fact
	Account, AccountPath                     string
	Memo                                     string
	RefundOf                                 string
	Allocations                              []allocationRow
	Receipt                                  bool
	Allocated, Left                          sum
	Refunded                                 *sum // nil: nothing
	EntriesPath, ID                          string
	Made                                     madeView
	Apps                                     []appFields
	Guests                                   guests
}

type allocationRow struct {
	Path, Title, Date string
	Amount            sum
}

var paymentPage = newPage[paymentView]("business-payment.html")

func (s *Site) businessPayment(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	return s.showPayment(w, r, http.StatusOK, d, nil)
}

func (s *Site) showPayment(w http.ResponseWriter, r *http.Request, status int, d *atDesk, attempt *fieldAttempt) error {
	ctx := r.Context()
	p, err := s.Payments.Get(ctx, d.by, r.PathValue("id"))
	if err != nil {
		return err
	}
	v := paymentView{
		Title: paymentKinds[p.Kind] + " on " + day(p.Date), Kind: paymentKinds[p.Kind], Amount: sumOf(p.Amount, p.Currency), Memo: text(p.Memo), ID: p.ID,
		Receipt: p.Kind == payment.Receipt, Allocated: sumOf(p.Allocated, p.Currency), Left: sumOf(p.Unallocated, p.Currency),
	}
	if p.Refunded != 0 {
		v.Refunded = new(sumOf(p.Refunded, p.Currency))
	}
	rate := ""
	if p.ExchangeRate != nil {
		rate = p.ExchangeRate.String() + " " + d.facts.Currency.Code() + " per " + p.Currency
	}
	v.Facts = facts("Date", day(p.Date), "Method", paymentMethods[p.Method], "Reference", text(p.Reference), "Exchange rate", rate)
	if err := d.otherSide(ctx, p, &v); err != nil {
		return err
	}
	if p.RefundOf != nil {
		v.RefundOf = "/payments/" + *p.RefundOf
	}
	if v.Allocations, err = d.allocations(ctx, p); err != nil {
		return err
	}
	if d.access.May(business.JournalView) {
		v.EntriesPath = "/journal?source=" + p.ID
	}
	if v.Made, err = d.made(ctx, p.MadeBy, p.ChangedBy, p.CreatedAt, p.UpdatedAt, p.Version); err != nil {
		return err
	}
	if v.Apps, err = d.fields(r, appdata.Payment, "payments", p.ID, attempt); err != nil {
		return err
	}
	if v.Guests, err = d.guests(r, appdata.Payment, "payments", p.ID); err != nil {
		return err
	}
	paymentPage.write(w, r, s, status, d.frame("Payments", v.Title, crumb{"Payments", "/payments"}, crumb{v.Title, ""}), v)
	return nil
}

// otherSide names whom a payment came from or went to, and the account it went through.
func (d *atDesk) otherSide(ctx context.Context, p payment.Payment, v *paymentView) error {
	known, err := d.payers(ctx, []payment.Payment{p})
	if err != nil {
		return err
	}
	id := payer(p)
	v.Party, v.PartyNoun = cmp.Or(known[id], id), "Customer"
	sort := customers
	if p.SupplierID != nil {
		v.PartyNoun, sort = "Supplier", suppliers
	}
	if known[id] != "" {
		v.PartyPath = "/" + sort.path + "/" + id
	}
	accounts, err := d.accounts(ctx, []string{p.BankAccountID})
	v.Account = p.BankAccountID
	if a, ok := accounts[p.BankAccountID]; ok {
		v.Account, v.AccountPath = a.Code+" "+a.Name, "/accounts/"+a.ID
	}
	return err
}

// allocations are what a receipt settles.
func (d *atDesk) allocations(ctx context.Context, p payment.Payment) ([]allocationRow, error) {
	numbers := map[string]string{}
	if d.access.May(business.InvoicesView) && len(p.Allocations) > 0 {
		var ids []string
		for _, a := range p.Allocations {
			ids = append(ids, a.InvoiceID)
		}
		found, err := d.names.site.Invoices.GetMany(ctx, d.by, ids)
		if err != nil {
			return nil, err
		}
		for _, i := range found {
			numbers[i.ID] = invoiceTitle(i.Number)
		}
	}
	var rows []allocationRow
	for _, a := range p.Allocations {
		row := allocationRow{Title: a.InvoiceID, Date: day(a.Date), Amount: sumOf(a.Amount, p.Currency)}
		if title, ok := numbers[a.InvoiceID]; ok {
			row.Title, row.Path = title, "/invoices/"+a.InvoiceID
		}
		rows = append(rows, row)
	}
	return rows, nil
}
