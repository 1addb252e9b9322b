package partnerapi

import (
	"context"
	"net/http"

	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/idem"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

type entryDoc struct {
	ID           string         `json:"id"`
	ExternalID   *string        `json:"externalId"`
	Number       *string        `json:"number" doc:"Null for a draft"`
	Date         string         `json:"date"`
	Memo         *string        `json:"memo"`
	Status       string         `json:"status" enum:"DRAFT,POSTED,REVERSED"`
	Lines        []entryLineDoc `json:"lines" nullable:"false"`
	Source       sourceDoc      `json:"source"`
	ReversalOfID *string        `json:"reversalOfId"`
	ReversedByID *string        `json:"reversedById"`
	DebitTotal   amount         `json:"debitTotal"`
	CreditTotal  amount         `json:"creditTotal"`
	Version      int            `json:"version"`
	CreatedAt    string         `json:"createdAt"`
	UpdatedAt    string         `json:"updatedAt"`
}

func (d entryDoc) revision() int { return d.Version }

type entryLineDoc struct {
	ID            string  `json:"id"`
	AccountID     string  `json:"accountId"`
	Debit         amount  `json:"debit"`
	Credit        amount  `json:"credit"`
	Description   *string `json:"description"`
	CustomerID    *string `json:"customerId"`
	SupplierID    *string `json:"supplierId"`
	Currency      *string `json:"currency" doc:"Of the document, where it is not the base currency"`
	ForeignAmount *amount `json:"foreignAmount"`
}

// sourceDoc is what an entry follows from.
type sourceDoc struct {
	Type   string `json:"type" enum:"MANUAL,INVOICE,PAYMENT,SYSTEM"`
	ID     string `json:"id"`
	Action string `json:"action"`
}

func newSourceDoc(s ledger.Source) sourceDoc { return sourceDoc{string(s.Type), s.ID, s.Action} }

func newEntryDoc(e ledger.Entry) entryDoc {
	d := entryDoc{
		ID: e.ID, ExternalID: e.ExternalID, Date: e.Date, Memo: e.Memo, Status: string(e.Status), Source: newSourceDoc(e.Source), ReversalOfID: e.ReversalOf,
		ReversedByID: e.ReversedBy, DebitTotal: e.DebitTotal, CreditTotal: e.CreditTotal, Version: e.Version, CreatedAt: instant(e.CreatedAt),
		UpdatedAt: instant(e.UpdatedAt), Lines: each(e.Lines, newEntryLineDoc),
	}
	if e.Number != nil {
		number := e.NumberText()
		d.Number = &number
	}
	return d
}

func newEntryLineDoc(l ledger.Line) entryLineDoc {
	return entryLineDoc{
		ID: l.ID, AccountID: l.AccountID, Debit: l.Debit, Credit: l.Credit, Description: l.Description, CustomerID: l.CustomerID, SupplierID: l.SupplierID,
		Currency: l.Currency, ForeignAmount: l.ForeignAmount,
	}
}

type newEntry struct {
	Date       string         `json:"date" doc:"After the lock date"`
	Memo       *string        `json:"memo,omitempty" maxLength:"500"`
	Draft      bool           `json:"draft,omitempty" doc:"By default it is posted at once"`
	Lines      []newEntryLine `json:"lines" nullable:"false" minItems:"2" maxItems:"500"`
	ExternalID *string        `json:"externalId,omitempty" maxLength:"100"`
}

func (b newEntry) made() ledger.NewEntry {
	return ledger.NewEntry{Date: b.Date, Memo: b.Memo, Draft: b.Draft, Lines: entryLines(b.Lines), ExternalID: b.ExternalID}
}

type newEntryLine struct {
	AccountID   string  `json:"accountId"`
	Debit       amount  `json:"debit,omitempty" minimum:"0" doc:"Of debit and credit one is above zero"`
	Credit      amount  `json:"credit,omitempty" minimum:"0"`
	Description *string `json:"description,omitempty" maxLength:"200"`
	CustomerID  *string `json:"customerId,omitempty"`
	SupplierID  *string `json:"supplierId,omitempty"`
}

func entryLines(list []newEntryLine) []ledger.NewLine {
	return each(list, func(l newEntryLine) ledger.NewLine { return ledger.NewLine(l) })
}

type entryPatch struct {
	Date       record.Patch[string]         `json:"date,omitempty"`
	Memo       record.Patch[string]         `json:"memo,omitempty" maxLength:"500"`
	Lines      record.Patch[[]newEntryLine] `json:"lines,omitempty" doc:"All of them: they are replaced whole"`
	ExternalID record.Patch[string]         `json:"externalId,omitempty" maxLength:"100"`
}

func (b entryPatch) made() ledger.EntryPatch {
	return ledger.EntryPatch{
		Date: b.Date, Memo: b.Memo, ExternalID: b.ExternalID,
		Lines: record.Patch[[]ledger.NewLine]{Set: b.Lines.Set, Null: b.Lines.Null, Value: entryLines(b.Lines.Value)},
	}
}

type reversalBody struct {
	Date *string `json:"date,omitempty" doc:"By default today"`
	Memo *string `json:"memo,omitempty" maxLength:"500"`
}

type lockDoc struct {
	LockDate *string `json:"lockDate" doc:"Nothing is posted on or before it; null while the books are open"`
}

func (a *API) journalRoutes() []Route {
	read, write := []scope.Scope{scope.JournalRead}, []scope.Scope{scope.JournalWrite}
	const view, post = business.JournalView, business.JournalPost
	return []Route{
		{Method: "GET", Path: "/journal-entries", Scopes: read, Permission: view, Partner: true, Summary: "List journal entries",
			verb: page(&ledger.EntryListing, func(ctx context.Context, c *call, params map[string][]string) (record.Page[ledger.Entry], error) {
				return a.Ledger.ListEntries(ctx, c.by, params)
			}, newEntryDoc)},
		{Method: "POST", Path: "/journal-entries", Scopes: write, Permission: post, Partner: true, Summary: "Post a journal entry, or draft one",
			verb: change(http.StatusCreated, func(c *call, b newEntry) (idem.Step[ledger.Entry], error) {
				return a.Ledger.CreateEntry(c.by, b.made()), nil
			}, newEntryDoc)},
		{Method: "GET", Path: "/journal-entries/{id}", Scopes: read, Permission: view, Partner: true, Summary: "Get a journal entry",
			verb: show(func(ctx context.Context, c *call) (entryDoc, error) {
				e, err := a.Ledger.Entry(ctx, c.by, c.id())
				return newEntryDoc(e), err
			})},
		{Method: "PATCH", Path: "/journal-entries/{id}", Scopes: write, Permission: post, Partner: true, Summary: "Change a draft",
			verb: change(http.StatusOK, func(c *call, b entryPatch) (idem.Step[ledger.Entry], error) {
				return a.Ledger.UpdateEntry(c.by, c.id(), b.made(), c.seen), nil
			}, newEntryDoc)},
		{Method: "DELETE", Path: "/journal-entries/{id}", Scopes: write, Permission: post, Partner: true, Summary: "Delete a draft",
			verb: remove(func(c *call) idem.Step[struct{}] { return a.Ledger.DeleteEntry(c.by, c.id(), c.seen) })},
		{Method: "POST", Path: "/journal-entries/{id}/post", Scopes: write, Permission: post, Partner: true, Summary: "Post a draft",
			verb: act(http.StatusOK, func(c *call, _ nothing) (idem.Step[ledger.Entry], error) {
				return a.Ledger.PostEntry(c.by, c.id(), c.seen), nil
			}, newEntryDoc)},
		{Method: "POST", Path: "/journal-entries/{id}/reverse", Scopes: write, Permission: post, Partner: true, Summary: "Take a manual entry back by its mirror, which is answered",
			verb: act(http.StatusCreated, func(c *call, b reversalBody) (idem.Step[ledger.Entry], error) {
				return a.Ledger.ReverseEntry(c.by, c.id(), ledger.Reversal(b), c.seen), nil
			}, newEntryDoc)},
		{Method: "GET", Path: "/books/lock", Scopes: read, Permission: view, Partner: true, Summary: "Get the lock date",
			verb: show(func(ctx context.Context, c *call) (lockDoc, error) {
				date, err := a.Ledger.LockDate(ctx, c.by)
				return lockDoc{date}, err
			})},
		{Method: "PUT", Path: "/books/lock", Permission: business.BooksLock, Summary: "Lock the books up to and including a date, or open them",
			verb: change(http.StatusOK, func(c *call, b lockDoc) (idem.Step[*string], error) {
				return a.Ledger.SetLockDate(c.by, b.LockDate), nil
			}, func(date *string) lockDoc { return lockDoc{date} })},
	}
}
