package partnerapi

import (
	"context"
	"net/http"

	"daybook/internal/books/invoice"
	"daybook/internal/books/record"
	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/idem"
	"daybook/internal/platform/scope"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/business"
)

// InvoiceFields are what an invoice and the preview of one have in common.
type InvoiceFields struct {
	ExternalID       *string          `json:"externalId"`
	Number           *string          `json:"number"`
	Status           string           `json:"status" enum:"DRAFT,OPEN,PARTIALLY_PAID,PAID,VOID,UNCOLLECTIBLE"`
	Overdue          bool             `json:"overdue"`
	CustomerID       string           `json:"customerId"`
	BillTo           *billToDoc       `json:"billTo" doc:"The customer as the invoice was issued to; null for a draft"`
	IssueDate        string           `json:"issueDate"`
	DueDate          string           `json:"dueDate"`
	Currency         string           `json:"currency"`
	ExchangeRate     *decimal         `json:"exchangeRate" doc:"Base currency per unit; null in the base currency"`
	TaxMode          string           `json:"taxMode" enum:"EXCLUSIVE,INCLUSIVE,NONE"`
	TaxRounding      string           `json:"taxRounding" enum:"LINE,DOCUMENT"`
	Lines            []invoiceLineDoc `json:"lines" nullable:"false"`
	Reference        *string          `json:"reference"`
	Notes            *string          `json:"notes"`
	Subtotal         amount           `json:"subtotal"`
	DiscountTotal    amount           `json:"discountTotal"`
	TaxTotal         amount           `json:"taxTotal"`
	Total            amount           `json:"total"`
	TaxSummary       []taxSumDoc      `json:"taxSummary" nullable:"false"`
	AmountPaid       amount           `json:"amountPaid"`
	AmountWrittenOff amount           `json:"amountWrittenOff"`
	AmountDue        amount           `json:"amountDue"`
	IssuedAt         *string          `json:"issuedAt"`
	SentAt           *string          `json:"sentAt"`
	PaidAt           *string          `json:"paidAt"`
	VoidedAt         *string          `json:"voidedAt"`
	VoidReason       *string          `json:"voidReason"`
	JournalEntryID   *string          `json:"journalEntryId"`
	Source           originDoc        `json:"source"`
	Version          int              `json:"version"`
	CreatedAt        string           `json:"createdAt"`
	UpdatedAt        string           `json:"updatedAt"`
}

type invoiceDoc struct {
	ID string `json:"id"`
	InvoiceFields
}

func (d invoiceDoc) revision() int { return d.Version }

// previewDoc is an invoice that does not exist.
type previewDoc struct {
	ID *string `json:"id" doc:"Always null"`
	InvoiceFields
}

type invoiceLineDoc struct {
	ID              *string  `json:"id" doc:"Null in a preview"`
	Description     string   `json:"description"`
	Quantity        decimal  `json:"quantity"`
	UnitPrice       decimal  `json:"unitPrice" doc:"Major units"`
	DiscountPercent *decimal `json:"discountPercent"`
	DiscountAmount  *amount  `json:"discountAmount"`
	AccountID       string   `json:"accountId"`
	TaxRateID       *string  `json:"taxRateId"`
	ItemCode        *string  `json:"itemCode"`
	LineAmount      amount   `json:"lineAmount"`
	NetAmount       amount   `json:"netAmount"`
	TaxAmount       amount   `json:"taxAmount"`
}

type taxSumDoc struct {
	TaxRateID     string  `json:"taxRateId"`
	Name          string  `json:"name"`
	Rate          decimal `json:"rate"`
	TaxableAmount amount  `json:"taxableAmount"`
	TaxAmount     amount  `json:"taxAmount"`
}

type billToDoc struct {
	Name      string      `json:"name"`
	TaxNumber *string     `json:"taxNumber"`
	Address   *addressDoc `json:"address"`
}

// originDoc is how an invoice came in.
type originDoc struct {
	Type  string  `json:"type" enum:"API,UI,IMPORT"`
	AppID *string `json:"appId"`
}

func newInvoiceDoc(i invoice.Invoice) invoiceDoc { return invoiceDoc{i.ID, invoiceFields(i)} }

func newPreviewDoc(i invoice.Invoice) previewDoc { return previewDoc{nil, invoiceFields(i)} }

func invoiceFields(i invoice.Invoice) InvoiceFields {
	f := InvoiceFields{
		ExternalID: i.ExternalID, Status: string(i.Status), Overdue: i.Overdue, CustomerID: i.CustomerID, IssueDate: i.IssueDate, DueDate: i.DueDate,
		Currency: i.Currency, ExchangeRate: i.ExchangeRate, TaxMode: string(i.TaxMode), TaxRounding: string(i.TaxRounding),
		Lines: each(i.Lines, newInvoiceLineDoc), Reference: i.Reference, Notes: i.Notes, Subtotal: i.Subtotal, DiscountTotal: i.DiscountTotal,
		TaxTotal: i.TaxTotal, Total: i.Total, TaxSummary: each(i.TaxSummary, func(s invoice.TaxSum) taxSumDoc { return taxSumDoc(s) }),
		AmountPaid: i.AmountPaid, AmountWrittenOff: i.AmountWrittenOff, AmountDue: i.AmountDue, IssuedAt: instantOrNull(i.IssuedAt),
		SentAt: instantOrNull(i.SentAt), PaidAt: instantOrNull(i.PaidAt), VoidedAt: instantOrNull(i.VoidedAt), VoidReason: i.VoidReason,
		JournalEntryID: i.JournalEntryID, Source: originDoc{string(i.Source.Type), i.Source.AppID}, Version: i.Version,
		CreatedAt: instant(i.CreatedAt), UpdatedAt: instant(i.UpdatedAt),
	}
	if i.Number != "" {
		f.Number = &i.Number
	}
	if i.BillTo != nil {
		f.BillTo = &billToDoc{i.BillTo.Name, i.BillTo.TaxNumber, newAddressDoc(i.BillTo.Address)}
	}
	return f
}

func newInvoiceLineDoc(l invoice.Line) invoiceLineDoc {
	d := invoiceLineDoc{
		Description: l.Description, Quantity: l.Quantity, UnitPrice: l.UnitPrice, DiscountPercent: l.DiscountPercent, DiscountAmount: l.DiscountAmount,
		AccountID: l.AccountID, TaxRateID: l.TaxRateID, ItemCode: l.ItemCode, LineAmount: l.LineAmount, NetAmount: l.NetAmount, TaxAmount: l.TaxAmount,
	}
	if l.ID != "" {
		d.ID = &l.ID
	}
	return d
}

type newInvoice struct {
	CustomerID    string           `json:"customerId"`
	Number        *string          `json:"number,omitempty" maxLength:"30" doc:"By default the next of the series, given at the issue"`
	IssueDate     *string          `json:"issueDate,omitempty" doc:"By default today"`
	DueDate       *string          `json:"dueDate,omitempty" doc:"By default after the customer's payment terms"`
	Currency      *string          `json:"currency,omitempty" doc:"By default the customer's"`
	ExchangeRate  *string          `json:"exchangeRate,omitempty" doc:"Base currency per unit, a decimal string; required in a foreign currency"`
	TaxMode       *string          `json:"taxMode,omitempty" enum:"EXCLUSIVE,INCLUSIVE,NONE"`
	TaxRounding   *string          `json:"taxRounding,omitempty" enum:"LINE,DOCUMENT"`
	Lines         []newInvoiceLine `json:"lines,omitempty" maxItems:"200" doc:"A draft may have none"`
	Reference     *string          `json:"reference,omitempty" maxLength:"100"`
	Notes         *string          `json:"notes,omitempty" maxLength:"2000"`
	ExternalID    *string          `json:"externalId,omitempty" maxLength:"100"`
	ExpectedTotal *amount          `json:"expectedTotal,omitempty" doc:"Refuses the invoice when another total is computed"`
	Issue         bool             `json:"issue,omitempty" doc:"Create and issue at once"`
}

func (b newInvoice) made() invoice.New {
	return invoice.New{
		CustomerID: b.CustomerID, Number: b.Number, IssueDate: b.IssueDate, DueDate: b.DueDate, Currency: b.Currency, ExchangeRate: b.ExchangeRate,
		TaxMode: b.TaxMode, TaxRounding: b.TaxRounding, Lines: invoiceLines(b.Lines), Reference: b.Reference, Notes: b.Notes, ExternalID: b.ExternalID,
		ExpectedTotal: b.ExpectedTotal, Issue: b.Issue,
	}
}

// newInvoiceLine has the members of invoice.NewLine, in its order.
type newInvoiceLine struct {
	Description     string               `json:"description" maxLength:"1000"`
	Quantity        *string              `json:"quantity,omitempty" doc:"A decimal string, by default 1"`
	UnitPrice       string               `json:"unitPrice" doc:"Major units, a decimal string"`
	DiscountPercent *string              `json:"discountPercent,omitempty" doc:"A decimal string from 0 to 100"`
	DiscountAmount  *amount              `json:"discountAmount,omitempty" minimum:"0"`
	AccountID       *string              `json:"accountId,omitempty" doc:"A revenue account; by default the business's account for sales"`
	TaxRateID       record.Patch[string] `json:"taxRateId,omitempty" doc:"Null for no tax; by default the account's, else the customer's"`
	ItemCode        *string              `json:"itemCode,omitempty" maxLength:"50"`
}

func invoiceLines(list []newInvoiceLine) []invoice.NewLine {
	return each(list, func(l newInvoiceLine) invoice.NewLine { return invoice.NewLine(l) })
}

type invoicePatch struct {
	CustomerID    record.Patch[string]           `json:"customerId,omitempty"`
	Number        record.Patch[string]           `json:"number,omitempty" maxLength:"30"`
	IssueDate     record.Patch[string]           `json:"issueDate,omitempty"`
	DueDate       record.Patch[string]           `json:"dueDate,omitempty"`
	Currency      record.Patch[string]           `json:"currency,omitempty"`
	ExchangeRate  record.Patch[string]           `json:"exchangeRate,omitempty"`
	TaxMode       record.Patch[string]           `json:"taxMode,omitempty"`
	TaxRounding   record.Patch[string]           `json:"taxRounding,omitempty"`
	Lines         record.Patch[[]newInvoiceLine] `json:"lines,omitempty" doc:"All of them: they are replaced whole"`
	Reference     record.Patch[string]           `json:"reference,omitempty" maxLength:"100"`
	Notes         record.Patch[string]           `json:"notes,omitempty" maxLength:"2000"`
	ExternalID    record.Patch[string]           `json:"externalId,omitempty" maxLength:"100"`
	ExpectedTotal *amount                        `json:"expectedTotal,omitempty"`
}

func (b invoicePatch) made() invoice.Patch {
	return invoice.Patch{
		CustomerID: b.CustomerID, Number: b.Number, IssueDate: b.IssueDate, DueDate: b.DueDate, Currency: b.Currency, ExchangeRate: b.ExchangeRate,
		TaxMode: b.TaxMode, TaxRounding: b.TaxRounding, Reference: b.Reference, Notes: b.Notes, ExternalID: b.ExternalID, ExpectedTotal: b.ExpectedTotal,
		Lines: record.Patch[[]invoice.NewLine]{Set: b.Lines.Set, Null: b.Lines.Null, Value: invoiceLines(b.Lines.Value)},
	}
}

type sendingBody struct {
	Channel invoice.Channel `json:"channel" enum:"EMAIL,LINK,EXTERNAL"`
	To      *string         `json:"to,omitempty" maxLength:"254"`
}

type voidingBody struct {
	Date   *string `json:"date,omitempty" doc:"By default today"`
	Reason *string `json:"reason,omitempty" maxLength:"500"`
}

type writeOffBody struct {
	Date *string `json:"date,omitempty" doc:"By default today"`
}

func (a *API) invoiceRoutes() []Route {
	read, write := []scope.Scope{scope.InvoicesRead}, []scope.Scope{scope.InvoicesWrite}
	const view, manage, void = business.InvoicesView, business.InvoicesManage, business.InvoicesVoid
	const kind = apiversion.Invoice
	type step = idem.Step[invoice.Invoice]
	return []Route{
		{Method: "GET", Path: "/invoices", Scopes: read, Permission: view, Resource: kind, Partner: true, Summary: "List invoices",
			verb: a.invoicesVerb()},
		{Method: "POST", Path: "/invoices", Scopes: write, Permission: manage, Resource: kind, Partner: true, Summary: "Create an invoice, and issue it if asked to",
			together: true, refused: a.noteRefusal, verb: change(http.StatusCreated, func(c *call, b newInvoice) (step, error) { return a.Invoices.Create(c.by, b.made()), nil }, newInvoiceDoc)},
		{Method: "POST", Path: "/invoices/preview", Scopes: write, Permission: manage, Resource: kind, Partner: true, Summary: "Compute an invoice without creating it",
			verb: change(http.StatusOK, func(c *call, b newInvoice) (step, error) { return a.Invoices.Preview(c.by, b.made()), nil }, newPreviewDoc)},
		{Method: "GET", Path: "/invoices/{id}", Scopes: read, Permission: view, Resource: kind, Partner: true, Summary: "Get an invoice",
			verb: a.invoiceVerb()},
		{Method: "PATCH", Path: "/invoices/{id}", Scopes: write, Permission: manage, Resource: kind, Partner: true,
			Summary: "Change a draft, or the due date, reference, notes and externalId of an issued invoice",
			verb: change(http.StatusOK, func(c *call, b invoicePatch) (step, error) {
				return a.Invoices.Update(c.by, c.id(), b.made(), c.seen), nil
			}, newInvoiceDoc)},
		{Method: "DELETE", Path: "/invoices/{id}", Scopes: write, Permission: manage, Partner: true, Summary: "Delete a draft",
			verb: remove(func(c *call) idem.Step[struct{}] { return a.Invoices.Delete(c.by, c.id(), c.seen) })},
		{Method: "POST", Path: "/invoices/{id}/issue", Scopes: write, Permission: manage, Resource: kind, Partner: true, Summary: "Issue a draft",
			verb: act(http.StatusOK, func(c *call, _ nothing) (step, error) { return a.Invoices.Issue(c.by, c.id(), c.seen), nil }, newInvoiceDoc)},
		{Method: "POST", Path: "/invoices/{id}/send", Scopes: write, Permission: manage, Resource: kind, Partner: true, Summary: "Mark an invoice as sent",
			verb: change(http.StatusOK, func(c *call, b sendingBody) (step, error) {
				return a.Invoices.Send(c.by, c.id(), invoice.Sending(b), c.seen), nil
			}, newInvoiceDoc)},
		{Method: "POST", Path: "/invoices/{id}/void", Scopes: write, Permission: void, Resource: kind, Partner: true, Summary: "Take an open invoice back",
			verb: act(http.StatusOK, func(c *call, b voidingBody) (step, error) {
				return a.Invoices.Void(c.by, c.id(), invoice.Voiding(b), c.seen), nil
			}, newInvoiceDoc)},
		{Method: "POST", Path: "/invoices/{id}/write-off", Scopes: write, Permission: void, Resource: kind, Partner: true, Summary: "Give up what is still due",
			verb: act(http.StatusOK, func(c *call, b writeOffBody) (step, error) {
				return a.Invoices.WriteOff(c.by, c.id(), b.Date, c.seen), nil
			}, newInvoiceDoc)},
	}
}

// noteRefusal has the feature tell, once a year, that the plan allows no more. The caller is refused either way.
func (a *API) noteRefusal(ctx context.Context, c *call, refused error) {
	if err := a.Invoices.NoteRefusal(ctx, c.by, refused); err != nil {
		wire.LogFailure(c.request, err)
	}
}
