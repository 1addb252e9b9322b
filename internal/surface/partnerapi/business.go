package partnerapi

import (
	"context"
	"net/http"

	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
	"daybook/internal/platform/idem"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

type businessDoc struct {
	ID                 string  `json:"id"`
	Name               string  `json:"name"`
	LegalName          *string `json:"legalName"`
	Country            string  `json:"country" doc:"ISO 3166-1 alpha-2"`
	Currency           string  `json:"currency" doc:"ISO 4217; the books are kept in it"`
	TimeZone           string  `json:"timeZone" doc:"IANA name; decides what today is"`
	TaxNumber          *string `json:"taxNumber"`
	DefaultTaxMode     string  `json:"defaultTaxMode" enum:"EXCLUSIVE,INCLUSIVE,NONE"`
	DefaultTaxRounding string  `json:"defaultTaxRounding" enum:"LINE,DOCUMENT"`
	PaymentTermsDays   int     `json:"paymentTermsDays"`
	Plan               string  `json:"plan"`
	Sandbox            bool    `json:"sandbox"`
	LockDate           *string `json:"lockDate" doc:"Nothing is posted on or before it"`
	Version            int     `json:"version"`
	CreatedAt          string  `json:"createdAt"`
	UpdatedAt          string  `json:"updatedAt"`
}

func (d businessDoc) revision() int { return d.Version }

func newBusinessDoc(b business.Business, f ledger.Facts) businessDoc {
	return businessDoc{
		ID: b.ID, Name: b.Name, LegalName: b.LegalName, Country: b.Country, Currency: b.Currency, TimeZone: b.TimeZone, TaxNumber: b.TaxNumber,
		DefaultTaxMode: string(f.Defaults.TaxMode), DefaultTaxRounding: f.Defaults.TaxRounding, PaymentTermsDays: f.Defaults.PaymentTermsDays,
		Plan: b.Plan, Sandbox: b.Sandbox(), LockDate: f.LockDate, Version: b.Version, CreatedAt: instant(b.CreatedAt), UpdatedAt: instant(b.UpdatedAt),
	}
}

type businessPatch struct {
	Name               record.Patch[string] `json:"name,omitempty" maxLength:"150"`
	LegalName          record.Patch[string] `json:"legalName,omitempty" maxLength:"200"`
	Country            record.Patch[string] `json:"country,omitempty"`
	TimeZone           record.Patch[string] `json:"timeZone,omitempty"`
	TaxNumber          record.Patch[string] `json:"taxNumber,omitempty" maxLength:"40"`
	DefaultTaxMode     record.Patch[string] `json:"defaultTaxMode,omitempty"`
	DefaultTaxRounding record.Patch[string] `json:"defaultTaxRounding,omitempty"`
	PaymentTermsDays   record.Patch[int]    `json:"paymentTermsDays,omitempty" minimum:"0" maximum:"365"`
}

type planDoc struct {
	Plan          string  `json:"plan"`
	PeriodStart   string  `json:"periodStart"`
	PeriodEnd     string  `json:"periodEnd"`
	Invoices      int64   `json:"invoices" doc:"Created in the period"`
	InvoiceLimit  *int64  `json:"invoiceLimit"`
	Currency      string  `json:"currency"`
	Turnover      amount  `json:"turnover"`
	TurnoverLimit *amount `json:"turnoverLimit"`
	TurnoverBasis string  `json:"turnoverBasis" enum:"NET,GROSS"`
}

func (a *API) businessRoutes() []Route {
	return []Route{
		{Method: "GET", Path: "/business", Scopes: []scope.Scope{scope.ProfileRead}, Partner: true, Summary: "Get the business", verb: show(a.showBusiness)},
		{Method: "PATCH", Path: "/business", Permission: business.SettingsManage, Summary: "Change the business's settings",
			verb: change(http.StatusOK, a.changeBusiness, func(d businessDoc) businessDoc { return d })},
		{Method: "GET", Path: "/plan", Summary: "Get the plan and how much of it is used", verb: show(a.plan)},
	}
}

func (a *API) showBusiness(ctx context.Context, c *call) (businessDoc, error) {
	b, facts, err := a.businessOf(ctx, c)
	return newBusinessDoc(b, facts), err
}

// changeBusiness changes what the business is and what its books go by, in one transaction, and tells of both at once.
func (a *API) changeBusiness(c *call, p businessPatch) (idem.Step[businessDoc], error) {
	edits := business.Edits{
		Name: edited(p.Name), LegalName: edited(p.LegalName), Country: edited(p.Country), TimeZone: edited(p.TimeZone), TaxNumber: edited(p.TaxNumber),
	}
	defaults := ledger.DefaultsPatch{
		TaxMode:     record.Patch[money.TaxMode]{Set: p.DefaultTaxMode.Set, Null: p.DefaultTaxMode.Null, Value: money.TaxMode(p.DefaultTaxMode.Value)},
		TaxRounding: p.DefaultTaxRounding, PaymentTermsDays: p.PaymentTermsDays,
	}
	return ledger.Do(a.Ledger, c.by, func(ctx context.Context, book *ledger.Book) (businessDoc, error) {
		settings, err := book.SetDefaults(ctx, defaults)
		if err != nil {
			return businessDoc{}, err
		}
		b, members, err := business.Update(ctx, book.Tx, c.by.BusinessID, edits, len(settings) > 0, c.seen)
		if err != nil {
			return businessDoc{}, err
		}
		if changed := sorted(append(members, settings...)); len(changed) > 0 {
			book.Tell(event.BusinessUpdated, event.Data{
				"changes": changed, "currency": b.Currency, "country": b.Country, "timeZone": b.TimeZone, "version": b.Version,
			})
		}
		return newBusinessDoc(b, book.Facts), nil
	}), nil
}

func edited(p record.Patch[string]) business.Edit[string] {
	e := business.Edit[string]{Given: p.Set}
	if p.Set && !p.Null {
		e.Value = &p.Value
	}
	return e
}

func (a *API) plan(ctx context.Context, c *call) (planDoc, error) {
	u, err := a.Invoices.Usage(ctx, c.by)
	return newPlanDoc(u), err
}

func newPlanDoc(u invoice.Usage) planDoc {
	return planDoc{
		Plan: u.Plan, PeriodStart: u.Period.First, PeriodEnd: u.Period.Last, Invoices: u.Invoices, InvoiceLimit: u.InvoiceLimit, Currency: u.Currency,
		Turnover: u.Turnover, TurnoverLimit: u.TurnoverLimit, TurnoverBasis: u.TurnoverBasis,
	}
}
