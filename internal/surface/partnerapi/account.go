package partnerapi

import (
	"context"
	"net/http"

	"daybook/internal/base/fault"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/idem"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

type accountDoc struct {
	ID               string  `json:"id"`
	ExternalID       *string `json:"externalId"`
	Code             string  `json:"code"`
	Name             string  `json:"name"`
	Type             string  `json:"type" enum:"ASSET,LIABILITY,EQUITY,REVENUE,EXPENSE"`
	Subtype          *string `json:"subtype"`
	NormalBalance    string  `json:"normalBalance" enum:"DEBIT,CREDIT"`
	Currency         *string `json:"currency" doc:"Of a bank or cash account in a foreign currency"`
	Description      *string `json:"description"`
	DefaultTaxRateID *string `json:"defaultTaxRateId"`
	SystemRole       *string `json:"systemRole" doc:"What the system itself uses the account for"`
	Status           string  `json:"status" enum:"ACTIVE,ARCHIVED"`
	Balance          *amount `json:"balance" doc:"Base currency; only with include=balance"`
	Version          int     `json:"version"`
	CreatedAt        string  `json:"createdAt"`
	UpdatedAt        string  `json:"updatedAt"`
}

func (d accountDoc) revision() int { return d.Version }

func newAccountDoc(a ledger.Account) accountDoc {
	d := accountDoc{
		ID: a.ID, ExternalID: a.ExternalID, Code: a.Code, Name: a.Name, Type: string(a.Type), Subtype: (*string)(a.Subtype), NormalBalance: "CREDIT",
		Currency: a.Currency, Description: a.Description, DefaultTaxRateID: a.DefaultTaxRateID, SystemRole: (*string)(a.Role), Status: string(a.Status),
		Version: a.Version, CreatedAt: instant(a.CreatedAt), UpdatedAt: instant(a.UpdatedAt),
	}
	if a.DebitNormal() {
		d.NormalBalance = "DEBIT"
	}
	return d
}

// newAccount and accountPatch have the members of the feature's own types, in their order.
type newAccount struct {
	Code             string             `json:"code" maxLength:"20" doc:"Letters, digits, points and hyphens; unique in the business"`
	Name             string             `json:"name" maxLength:"150"`
	Type             ledger.AccountType `json:"type" enum:"ASSET,LIABILITY,EQUITY,REVENUE,EXPENSE"`
	Subtype          *ledger.Subtype    `json:"subtype,omitempty"`
	Currency         *string            `json:"currency,omitempty"`
	Description      *string            `json:"description,omitempty" maxLength:"500"`
	DefaultTaxRateID *string            `json:"defaultTaxRateId,omitempty"`
	ExternalID       *string            `json:"externalId,omitempty" maxLength:"100"`
}

type accountPatch struct {
	Code             record.Patch[string]             `json:"code,omitempty" maxLength:"20"`
	Name             record.Patch[string]             `json:"name,omitempty" maxLength:"150"`
	Type             record.Patch[ledger.AccountType] `json:"type,omitempty"`
	Subtype          record.Patch[ledger.Subtype]     `json:"subtype,omitempty"`
	Currency         record.Patch[string]             `json:"currency,omitempty"`
	Description      record.Patch[string]             `json:"description,omitempty" maxLength:"500"`
	DefaultTaxRateID record.Patch[string]             `json:"defaultTaxRateId,omitempty"`
	ExternalID       record.Patch[string]             `json:"externalId,omitempty" maxLength:"100"`
}

type statementDoc struct {
	ID            string    `json:"id"`
	Date          string    `json:"date"`
	EntryID       string    `json:"journalEntryId"`
	EntryNumber   string    `json:"journalEntryNumber"`
	Source        sourceDoc `json:"source"`
	Memo          *string   `json:"memo"`
	Description   *string   `json:"description"`
	CustomerID    *string   `json:"customerId"`
	SupplierID    *string   `json:"supplierId"`
	Debit         amount    `json:"debit"`
	Credit        amount    `json:"credit"`
	Currency      *string   `json:"currency"`
	ForeignAmount *amount   `json:"foreignAmount"`
	Balance       amount    `json:"balance" doc:"Of the account after this line, on the side on which it grows"`
}

func newStatementDoc(l ledger.StatementLine) statementDoc {
	return statementDoc{
		ID: l.ID, Date: l.Date, EntryID: l.EntryID, EntryNumber: ledger.EntryNumber(l.EntryNumber), Source: newSourceDoc(l.Source), Memo: l.Memo,
		Description: l.Description, CustomerID: l.CustomerID, SupplierID: l.SupplierID, Debit: l.Debit, Credit: l.Credit, Currency: l.Currency,
		ForeignAmount: l.Foreign, Balance: l.Balance,
	}
}

// balanceParams ask for the balance of accounts.
var balanceParams = []Param{
	{"include", "balance adds the balance."},
	{"asOf", "The day at whose end the balance is meant; by default with everything posted."},
}

func (a *API) accountRoutes() []Route {
	read, write := []scope.Scope{scope.AccountsRead}, []scope.Scope{scope.AccountsWrite}
	const view, manage = business.AccountsView, business.AccountsManage
	return []Route{
		{Method: "GET", Path: "/accounts", Scopes: read, Permission: view, Partner: true, Summary: "List accounts", Params: balanceParams,
			verb: page(&ledger.AccountListing, a.listAccounts, func(d accountDoc) accountDoc { return d })},
		{Method: "POST", Path: "/accounts", Scopes: write, Permission: manage, Partner: true, Summary: "Create an account",
			verb: change(http.StatusCreated, func(c *call, b newAccount) (idem.Step[ledger.Account], error) {
				return a.Ledger.CreateAccount(c.by, ledger.NewAccount(b)), nil
			}, newAccountDoc)},
		{Method: "GET", Path: "/accounts/{id}", Scopes: read, Permission: view, Partner: true, Summary: "Get an account", Params: balanceParams, verb: show(a.showAccount)},
		{Method: "PATCH", Path: "/accounts/{id}", Scopes: write, Permission: manage, Partner: true, Summary: "Change an account",
			verb: change(http.StatusOK, func(c *call, b accountPatch) (idem.Step[ledger.Account], error) {
				return a.Ledger.UpdateAccount(c.by, c.id(), ledger.AccountPatch(b), c.seen), nil
			}, newAccountDoc)},
		{Method: "DELETE", Path: "/accounts/{id}", Scopes: write, Permission: manage, Partner: true, Summary: "Delete an account that was never used",
			verb: remove(func(c *call) idem.Step[struct{}] { return a.Ledger.DeleteAccount(c.by, c.id(), c.seen) })},
		{Method: "POST", Path: "/accounts/{id}/archive", Scopes: write, Permission: manage, Partner: true, Summary: "Close an account to new postings",
			verb: act(http.StatusOK, func(c *call, _ nothing) (idem.Step[ledger.Account], error) {
				return a.Ledger.ArchiveAccount(c.by, c.id(), c.seen), nil
			}, newAccountDoc)},
		{Method: "POST", Path: "/accounts/{id}/restore", Scopes: write, Permission: manage, Partner: true, Summary: "Open an archived account again",
			verb: act(http.StatusOK, func(c *call, _ nothing) (idem.Step[ledger.Account], error) {
				return a.Ledger.RestoreAccount(c.by, c.id(), c.seen), nil
			}, newAccountDoc)},
		{Method: "GET", Path: "/accounts/{id}/ledger", Scopes: []scope.Scope{scope.AccountsRead, scope.JournalRead}, Permission: business.JournalView, Partner: true,
			Summary: "List what was posted to an account", verb: page(&ledger.StatementListing, a.statement, newStatementDoc)},
	}
}

func (a *API) statement(ctx context.Context, c *call, params map[string][]string) (record.Page[ledger.StatementLine], error) {
	return a.Ledger.Statement(ctx, c.by, c.id(), params)
}

// withBalance reads whether, and as of which day, balances are asked for.
func withBalance(params map[string][]string) (asked bool, asOf string, err error) {
	var check fault.Check
	for _, name := range []string{"include", "asOf"} {
		check.Require(len(params[name]) <= 1, name, "must be given once")
	}
	if given := params["include"]; len(given) > 0 {
		check.Require(given[0] == "balance", "include", "must be balance")
		asked = true
	}
	if given := params["asOf"]; len(given) > 0 {
		record.CheckDate(&check, "asOf", given[0])
		check.Require(asked, "asOf", "must come with include=balance")
		asOf = given[0]
	}
	return asked, asOf, check.Err()
}

func (a *API) showAccount(ctx context.Context, c *call) (accountDoc, error) {
	asked, asOf, err := withBalance(c.request.URL.Query())
	if err != nil {
		return accountDoc{}, err
	}
	account, err := a.Ledger.Account(ctx, c.by, c.id())
	if err != nil {
		return accountDoc{}, err
	}
	docs := []accountDoc{newAccountDoc(account)}
	if asked {
		err = a.addBalances(ctx, c, docs, asOf)
	}
	return docs[0], err
}

func (a *API) listAccounts(ctx context.Context, c *call, params map[string][]string) (record.Page[accountDoc], error) {
	asked, asOf, err := withBalance(params)
	if err != nil {
		return record.Page[accountDoc]{}, err
	}
	for _, p := range balanceParams {
		delete(params, p.Name)
	}
	found, err := a.Ledger.ListAccounts(ctx, c.by, params)
	if err != nil {
		return record.Page[accountDoc]{}, err
	}
	docs := record.Page[accountDoc]{Data: each(found.Data, newAccountDoc), Next: found.Next}
	if asked {
		err = a.addBalances(ctx, c, docs.Data, asOf)
	}
	return docs, err
}

func (a *API) addBalances(ctx context.Context, c *call, docs []accountDoc, asOf string) error {
	ids := make([]string, len(docs))
	for i, d := range docs {
		ids[i] = d.ID
	}
	balances, err := a.Ledger.Balances(ctx, c.by, ids, asOf)
	for i := range docs {
		balance := balances[docs[i].ID] // 0 where nothing was posted
		docs[i].Balance = &balance
	}
	return err
}
