package partnerapi

import (
	"context"
	"net/http"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/record"
	"daybook/internal/books/tax"
	"daybook/internal/platform/idem"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

type taxRateDoc struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	Rate      decimal `json:"rate" doc:"Percent, a decimal string"`
	Kind      string  `json:"kind" enum:"SALES,PURCHASE,BOTH"`
	Category  string  `json:"category" enum:"STANDARD,REDUCED,ZERO,EXEMPT,REVERSE_CHARGE,OUT_OF_SCOPE"`
	AccountID string  `json:"accountId" doc:"Where the tax is booked"`
	Status    string  `json:"status" enum:"ACTIVE,ARCHIVED"`
	Version   int     `json:"version"`
	CreatedAt string  `json:"createdAt"`
	UpdatedAt string  `json:"updatedAt"`
}

func (d taxRateDoc) revision() int { return d.Version }

func newTaxRateDoc(r tax.Rate) taxRateDoc {
	return taxRateDoc{
		ID: r.ID, Name: r.Name, Rate: r.Rate, Kind: string(r.Kind), Category: string(r.Category), AccountID: r.AccountID, Status: string(r.Status),
		Version: r.Version, CreatedAt: instant(r.CreatedAt), UpdatedAt: instant(r.UpdatedAt),
	}
}

type newTaxRate struct {
	Name      string       `json:"name" maxLength:"100"`
	Rate      string       `json:"rate" doc:"Percent, a decimal string from 0 to 100"`
	Kind      tax.Kind     `json:"kind" enum:"SALES,PURCHASE,BOTH"`
	Category  tax.Category `json:"category" enum:"STANDARD,REDUCED,ZERO,EXEMPT,REVERSE_CHARGE,OUT_OF_SCOPE"`
	AccountID *string      `json:"accountId,omitempty"`
}

type taxRatePatch struct {
	Name record.Patch[string] `json:"name,omitempty" maxLength:"100"`
}

type taxRateSuccessor struct {
	Name      record.Patch[string]       `json:"name,omitempty" maxLength:"100"`
	Rate      record.Patch[string]       `json:"rate,omitempty"`
	Kind      record.Patch[tax.Kind]     `json:"kind,omitempty"`
	Category  record.Patch[tax.Category] `json:"category,omitempty"`
	AccountID record.Patch[string]       `json:"accountId,omitempty"`
}

// rateOf reads a percentage.
func rateOf(text string) (decimal, error) {
	f, err := money.ParseFactor(text)
	if err != nil {
		return f, fault.InvalidFields(`rate must be a decimal string such as "21"`)
	}
	return f, nil
}

func (a *API) taxRoutes() []Route {
	read := []scope.Scope{scope.TaxesRead}
	const view, manage = business.TaxesView, business.TaxesManage
	return []Route{
		{Method: "GET", Path: "/tax-rates", Scopes: read, Permission: view, Partner: true, Summary: "List tax rates",
			verb: page(&tax.Listing, func(ctx context.Context, c *call, params map[string][]string) (record.Page[tax.Rate], error) {
				return a.Taxes.List(ctx, c.by, params)
			}, newTaxRateDoc)},
		{Method: "GET", Path: "/tax-rates/{id}", Scopes: read, Permission: view, Partner: true, Summary: "Get a tax rate",
			verb: show(func(ctx context.Context, c *call) (taxRateDoc, error) {
				r, err := a.Taxes.Get(ctx, c.by, c.id())
				return newTaxRateDoc(r), err
			})},
		{Method: "POST", Path: "/tax-rates", Permission: manage, Summary: "Create a tax rate", verb: change(http.StatusCreated, a.createTaxRate, newTaxRateDoc)},
		{Method: "PATCH", Path: "/tax-rates/{id}", Permission: manage, Summary: "Rename a tax rate",
			verb: change(http.StatusOK, func(c *call, b taxRatePatch) (idem.Step[tax.Rate], error) {
				return a.Taxes.Update(c.by, c.id(), tax.Patch(b), c.seen), nil
			}, newTaxRateDoc)},
		{Method: "POST", Path: "/tax-rates/{id}/supersede", Permission: manage, Summary: "Archive a tax rate and create the one that takes its place",
			verb: change(http.StatusCreated, a.supersedeTaxRate, newTaxRateDoc)},
		{Method: "POST", Path: "/tax-rates/{id}/archive", Permission: manage, Summary: "Take a tax rate out of use",
			verb: act(http.StatusOK, func(c *call, _ nothing) (idem.Step[tax.Rate], error) {
				return a.Taxes.Archive(c.by, c.id(), c.seen), nil
			}, newTaxRateDoc)},
		{Method: "POST", Path: "/tax-rates/{id}/restore", Permission: manage, Summary: "Take a tax rate into use again",
			verb: act(http.StatusOK, func(c *call, _ nothing) (idem.Step[tax.Rate], error) {
				return a.Taxes.Restore(c.by, c.id(), c.seen), nil
			}, newTaxRateDoc)},
	}
}

func (a *API) createTaxRate(c *call, b newTaxRate) (idem.Step[tax.Rate], error) {
	rate, err := rateOf(b.Rate)
	if err != nil {
		return nil, err
	}
	return a.Taxes.Create(c.by, tax.New{Name: b.Name, Rate: rate, Kind: b.Kind, Category: b.Category, AccountID: b.AccountID}), nil
}

func (a *API) supersedeTaxRate(c *call, b taxRateSuccessor) (idem.Step[tax.Rate], error) {
	to := tax.Successor{Name: b.Name, Kind: b.Kind, Category: b.Category, AccountID: b.AccountID, Rate: record.Patch[decimal]{Set: b.Rate.Set, Null: b.Rate.Null}}
	if b.Rate.Set && !b.Rate.Null {
		rate, err := rateOf(b.Rate.Value)
		if err != nil {
			return nil, err
		}
		to.Rate.Value = rate
	}
	return a.Taxes.Supersede(c.by, c.id(), to, c.seen), nil
}
