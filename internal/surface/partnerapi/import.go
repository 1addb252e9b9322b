package partnerapi

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"daybook/internal/base/fault"
	"daybook/internal/books/bulk"
	"daybook/internal/books/payment"
	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/idem"
	"daybook/internal/platform/scope"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/business"
)

type importBody struct {
	Mode        *string    `json:"mode,omitempty" enum:"PARTIAL,ATOMIC" doc:"PARTIAL, the default: each row by itself. ATOMIC: all or none."`
	OnDuplicate *string    `json:"onDuplicate,omitempty" enum:"SKIP,FAIL" doc:"What becomes of a row whose externalId the app has used before: SKIP, the default, or FAIL."`
	DryRun      bool       `json:"dryRun,omitempty" doc:"Tell what would be, and write nothing"`
	Invoices    importRows `json:"invoices" nullable:"false"`
}

// importRows are judged one by one: a bad one is its own problem.
type importRows []json.RawMessage

// Schema implements huma.SchemaProvider.
func (importRows) Schema(r huma.Registry) *huma.Schema {
	least, most := 1, bulk.MaxRows
	return &huma.Schema{
		Type: huma.TypeArray, MinItems: &least, MaxItems: &most, Items: r.Schema(typeOf[importRow](), true, ""), Extensions: map[string]any{wire.ByItself: true},
	}
}

type importRow struct {
	ExternalID    string           `json:"externalId" maxLength:"100"`
	CustomerID    *string          `json:"customerId,omitempty" doc:"This or customer"`
	Customer      *newCustomer     `json:"customer,omitempty" doc:"Found by its externalId, or created"`
	Number        *string          `json:"number,omitempty" maxLength:"30"`
	IssueDate     *string          `json:"issueDate,omitempty"`
	DueDate       *string          `json:"dueDate,omitempty"`
	Currency      *string          `json:"currency,omitempty"`
	ExchangeRate  *string          `json:"exchangeRate,omitempty"`
	TaxMode       *string          `json:"taxMode,omitempty" enum:"EXCLUSIVE,INCLUSIVE,NONE"`
	TaxRounding   *string          `json:"taxRounding,omitempty" enum:"LINE,DOCUMENT"`
	Lines         []newInvoiceLine `json:"lines,omitempty" maxItems:"200"`
	Reference     *string          `json:"reference,omitempty" maxLength:"100"`
	Notes         *string          `json:"notes,omitempty" maxLength:"2000"`
	ExpectedTotal *amount          `json:"expectedTotal,omitempty"`
	Issue         bool             `json:"issue,omitempty"`
	Payment       *importPayment   `json:"payment,omitempty" doc:"Only with issue: true"`
}

type importPayment struct {
	Date          string          `json:"date"`
	Amount        amount          `json:"amount" minimum:"1"`
	BankAccountID string          `json:"bankAccountId"`
	Currency      *string         `json:"currency,omitempty"`
	ExchangeRate  *string         `json:"exchangeRate,omitempty"`
	Method        *payment.Method `json:"method,omitempty" enum:"BANK_TRANSFER,CARD,CASH,CHECK,DIRECT_DEBIT,OTHER"`
	Reference     *string         `json:"reference,omitempty" maxLength:"100"`
	Memo          *string         `json:"memo,omitempty" maxLength:"500"`
	ExternalID    *string         `json:"externalId,omitempty" maxLength:"100"`
}

func (r importRow) made() bulk.Row {
	n := newInvoice{
		Number: r.Number, IssueDate: r.IssueDate, DueDate: r.DueDate, Currency: r.Currency, ExchangeRate: r.ExchangeRate, TaxMode: r.TaxMode,
		TaxRounding: r.TaxRounding, Lines: r.Lines, Reference: r.Reference, Notes: r.Notes, ExternalID: &r.ExternalID, ExpectedTotal: r.ExpectedTotal, Issue: r.Issue,
	}
	if r.CustomerID != nil {
		n.CustomerID = *r.CustomerID
	}
	row := bulk.Row{Invoice: n.made()}
	if r.Customer != nil {
		customer := r.Customer.made()
		row.Customer = &customer
	}
	if p := r.Payment; p != nil {
		row.Payment = &payment.New{
			Date: p.Date, Amount: p.Amount, BankAccountID: p.BankAccountID, Currency: p.Currency, ExchangeRate: p.ExchangeRate, Method: p.Method,
			Reference: p.Reference, Memo: p.Memo, ExternalID: p.ExternalID,
		}
	}
	return row
}

// request reads every row by itself.
func (b importBody) request(c *call) bulk.Request {
	r := bulk.Request{DryRun: b.DryRun, Rows: make([]bulk.Row, len(b.Invoices))}
	if b.Mode != nil {
		r.Mode = bulk.Mode(named(*b.Mode))
	}
	if b.OnDuplicate != nil {
		r.OnDuplicate = bulk.OnDuplicate(named(*b.OnDuplicate))
	}
	for i, text := range b.Invoices {
		var row importRow
		if err := wire.JudgePart(c.api.schemas, text, &row); err != nil {
			r.Rows[i] = unreadRow(text, err)
			continue
		}
		r.Rows[i] = row.made()
	}
	r.CustomersRefusal = c.refusedFor(scope.CustomersWrite, business.CustomersManage)
	r.PaymentsRefusal = c.refusedFor(scope.PaymentsWrite, business.PaymentsRecord)
	return r
}

// named is a word that was given: an empty one is none of the words, not the default.
func named(word string) string {
	if word == "" {
		return `""`
	}
	return word
}

// unreadRow is a row of the wrong shape: refused, but named by its externalId where that can be read.
func unreadRow(text json.RawMessage, problem error) bulk.Row {
	row := bulk.Row{Problem: problem}
	var name struct {
		ExternalID *string `json:"externalId"`
	}
	if json.Unmarshal(text, &name) == nil {
		row.Invoice.ExternalID = name.ExternalID
	}
	return row
}

// refusedFor is what the caller is refused with who lacks a scope or permission beyond those of the route; nil for none.
func (c *call) refusedFor(s scope.Scope, p business.Permission) error {
	if c.app != nil && !c.app.Scopes.Has(s) {
		return errScope.With(string(s))
	}
	if !c.access.May(p) {
		return business.ErrPermission.With(p)
	}
	return nil
}

type importDoc struct {
	ImportID string           `json:"importId"`
	DryRun   bool             `json:"dryRun"`
	Mode     string           `json:"mode" enum:"PARTIAL,ATOMIC"`
	Summary  importSummaryDoc `json:"summary"`
	Results  []importedDoc    `json:"results" nullable:"false"`
}

type importSummaryDoc struct {
	Received int `json:"received"`
	Created  int `json:"created"`
	Skipped  int `json:"skipped"`
	Failed   int `json:"failed"`
}

type importedDoc struct {
	Index      int         `json:"index"`
	ExternalID *string     `json:"externalId"`
	Status     string      `json:"status" enum:"CREATED,SKIPPED,FAILED,NOT_ATTEMPTED"`
	InvoiceID  *string     `json:"invoiceId"`
	Number     *string     `json:"number"`
	Total      *amount     `json:"total"`
	Error      *rowProblem `json:"error"`
}

type rowProblem struct {
	Code    *string        `json:"code" doc:"Null for validation failures"`
	Message []string       `json:"message" nullable:"false"`
	Params  map[string]any `json:"params"`
}

func newImportDoc(r bulk.Result) importDoc {
	return importDoc{r.ImportID, r.DryRun, string(r.Mode), importSummaryDoc(r.Summary), importedDocs(r)}
}

func importedDocs(r bulk.Result) []importedDoc {
	docs := make([]importedDoc, len(r.Outcomes))
	for i, o := range r.Outcomes {
		docs[i] = importedDoc{Index: i, ExternalID: o.ExternalID, Status: string(o.Status), InvoiceID: o.InvoiceID, Number: o.Number, Total: o.Total, Error: newRowProblem(o.Refusal)}
	}
	return docs
}

func newRowProblem(err error) *rowProblem {
	f := fault.From(err)
	if f == nil {
		return nil
	}
	p := &rowProblem{Message: f.Fields, Params: wire.Params(f)}
	if len(f.Fields) == 0 {
		p.Message = []string{f.Text()}
	}
	if f.Code != "" {
		p.Code = &f.Code
	}
	if p.Params == nil {
		p.Params = map[string]any{}
	}
	return p
}

func (a *API) importRoutes() []Route {
	return []Route{{
		Method: "POST", Path: "/invoices/bulk-import", Scopes: []scope.Scope{scope.InvoicesWrite}, Permission: business.InvoicesManage,
		Request: apiversion.Import, Partner: true, Summary: "Import up to 200 invoices, with customers and payments", MaxBody: importBytes, refused: a.noteRefusal,
		verb: change(http.StatusOK, func(c *call, b importBody) (idem.Step[bulk.Result], error) {
			return idem.Then(a.Imports.Step(c.by, b.request(c)), c.imported), nil
		}, newImportDoc),
	}}
}

// imported keeps the refusal of the plan, to be made known afterwards, and gives a rejection the results of its rows.
func (c *call) imported(r bulk.Result, err error) (bulk.Result, error) {
	var rejected *bulk.Rejection
	if errors.As(err, &rejected) {
		c.planRefusal = rejected.Result.PlanRefusal
		return r, fault.From(err).WithResults(importedDocs(rejected.Result))
	}
	c.planRefusal = r.PlanRefusal
	return r, err
}
