package consoleapi

import (
	"context"
	"net/http"

	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/sandbox"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/organization"
)

// SandboxDoc is a sandbox business.
type SandboxDoc struct {
	ID             string   `json:"id"`
	OrganizationID string   `json:"organizationId"`
	Name           string   `json:"name"`
	Country        string   `json:"country" doc:"ISO 3166-1 alpha-2"`
	Currency       string   `json:"currency" doc:"ISO 4217"`
	TimeZone       string   `json:"timeZone" doc:"IANA name"`
	Seed           string   `json:"seed" enum:"EMPTY,DEMO" doc:"What its books begin with, and what a reset brings back."`
	Status         string   `json:"status" enum:"READY,RESETTING" doc:"While it is being reset, nothing can be written to its books."`
	Plan           string   `json:"plan"`
	Usage          UsageDoc `json:"usage" doc:"Of the plan, in its present year."`
	Version        int      `json:"version"`
	CreatedAt      string   `json:"createdAt"`
	UpdatedAt      string   `json:"updatedAt"`
}

// UsageDoc is how much of a plan is used.
type UsageDoc struct {
	Invoices      int64  `json:"invoices"`
	InvoiceLimit  *int64 `json:"invoiceLimit"`
	Turnover      int64  `json:"turnover" doc:"Minor units."`
	TurnoverLimit *int64 `json:"turnoverLimit" doc:"Minor units; null for none."`
	PeriodStart   string `json:"periodStart"`
	PeriodEnd     string `json:"periodEnd"`
}

func (d SandboxDoc) revision() int { return d.Version }

func newSandboxDoc(v sandbox.View) SandboxDoc {
	u := v.Usage
	return SandboxDoc{
		ID: v.ID, OrganizationID: v.OrganizationID, Name: v.Name, Country: v.Country, Currency: v.Currency, TimeZone: v.TimeZone, Seed: string(v.Seed),
		Status: string(v.State), Plan: v.Plan, Usage: UsageDoc{
			Invoices: u.Invoices, InvoiceLimit: u.InvoiceLimit, Turnover: int64(u.Turnover), TurnoverLimit: (*int64)(u.TurnoverLimit), PeriodStart: u.Period.First, PeriodEnd: u.Period.Last,
		},
		Version: v.Version, CreatedAt: instant(v.CreatedAt), UpdatedAt: instant(v.UpdatedAt),
	}
}

type newSandbox struct {
	Name     string  `json:"name" minLength:"1" maxLength:"150"`
	Country  string  `json:"country" doc:"ISO 3166-1 alpha-2; decides its rates of tax and its time zone."`
	Currency string  `json:"currency" doc:"ISO 4217"`
	Seed     *string `json:"seed,omitempty" enum:"EMPTY,DEMO" doc:"EMPTY (a chart of accounts and rates of tax) by default, or DEMO: a year of believable books."`
}

func (n newSandbox) asked() sandbox.New {
	made := sandbox.New{Name: n.Name, Country: n.Country, Currency: n.Currency, Seed: business.EmptySeed}
	if n.Seed != nil {
		made.Seed = business.Seed(*n.Seed)
	}
	return made
}

func (n newSandbox) judge() error { return n.asked().Check() }

type sandboxPatch struct {
	Name  *string       `json:"name,omitempty" minLength:"1" maxLength:"150"`
	Plan  *string       `json:"plan,omitempty" doc:"Any plan on offer; it holds at once."`
	Usage *usedOfBudget `json:"usage,omitempty" doc:"Puts the counters of the plan's present year where a ceiling can be tried. No document is made: the next one is counted from there."`
}

type usedOfBudget struct {
	Invoices *int64 `json:"invoices,omitempty" minimum:"0" doc:"At or above the plan's limit, the next POST /invoices is refused."`
	Turnover *int64 `json:"turnover,omitempty" minimum:"0" doc:"Minor units of the business's currency."`
}

func (p sandboxPatch) asked() sandbox.Patch {
	patch := sandbox.Patch{Name: p.Name, Plan: p.Plan}
	if p.Usage != nil {
		patch.Used = invoice.Used{Invoices: p.Usage.Invoices, Turnover: (*money.Amount)(p.Usage.Turnover)}
	}
	return patch
}

func (a *API) sandboxRoutes() []Route {
	const all, one, build = "/developer/sandbox-businesses", "/developer/sandbox-businesses/{businessId}", organization.Build
	return []Route{
		{Method: "GET", Path: all, Of: Organization, Summary: "List the organization's sandbox businesses", verb: list(a.sandboxes, newSandboxDoc)},
		{Method: "POST", Path: all, Of: Organization, Needs: build, Summary: "Create a sandbox business",
			About: "At most ten. Who makes it owns it.", verb: change(http.StatusCreated, newSandbox.judge, a.createSandbox)},
		{Method: "GET", Path: one, Of: Sandbox, Summary: "Show a sandbox business", verb: show(a.showSandbox)},
		{Method: "PATCH", Path: one, Of: Sandbox, Needs: build, Versioned: true, Summary: "Rename a sandbox business, or try the ceilings of plans in it",
			verb: change(http.StatusOK, func(p sandboxPatch) error { return a.Sandboxes.Judge(p.asked()) }, a.changeSandbox)},
		{Method: "DELETE", Path: one, Of: Sandbox, Needs: build, Versioned: true, Summary: "Delete a sandbox business",
			About: "Its apps are uninstalled and told to erase what they keep of it (app.uninstalled, business.redact); then everything in it goes.",
			verb:  remove(a.deleteSandbox)},
		{Method: "POST", Path: one + "/reset", Of: Sandbox, Needs: build, Summary: "Bring the books back to their seed",
			About: "Records are new ones with other ids. Events go on from the number they were at; installations, members, name and plan stay.",
			verb:  act(http.StatusOK, a.resetSandbox)},
		{Method: "POST", Path: one + "/trigger", Of: Sandbox, Needs: build, Summary: "Have an event happen",
			About: "Does the real thing that leads to the event, by the verbs that the API uses and in the name of an owner of the sandbox. What it needs it finds or makes, unless overrides name it. The answer names the record and every event that came of it.",
			verb:  change(http.StatusOK, triggerBody.judge, a.trigger)},
		{Method: "GET", Path: one + "/members", Of: Sandbox, Summary: "List who belongs to a sandbox business", verb: list(a.sandboxMembers, newSandboxMemberDoc)},
		{Method: "POST", Path: one + "/members", Of: Sandbox, Needs: build, Summary: "Add a test user, or a colleague, with a role",
			About: "So that it can be tried what a role may not do. A test user is made if there is none with that address; such an address must be one that nobody can own.",
			verb:  change(http.StatusCreated, newSandboxMember.judge, a.addSandboxMember)},
		{Method: "DELETE", Path: one + "/members/{userId}", Of: Sandbox, Needs: build, Summary: "Let a member of a sandbox business go",
			About: "An owner must stay. A test user keeps the account, and can be added again.", verb: remove(a.removeSandboxMember)},
	}
}

func (a *API) sandboxes(ctx context.Context, c *call) ([]sandbox.View, error) {
	return a.Sandboxes.List(ctx, c.membership.ID, c.by())
}

func (a *API) createSandbox(ctx context.Context, c *call, body newSandbox) (SandboxDoc, error) {
	return sandboxAnswer(a.Sandboxes.Create(ctx, c.membership.ID, c.by(), body.asked()))
}

func sandboxAnswer(v sandbox.View, err error) (SandboxDoc, error) {
	if err != nil {
		return SandboxDoc{}, err
	}
	return newSandboxDoc(v), nil
}

func (a *API) showSandbox(ctx context.Context, c *call) (SandboxDoc, error) {
	return sandboxAnswer(a.Sandboxes.Get(ctx, c.sandboxID(), c.by()))
}

func (a *API) changeSandbox(ctx context.Context, c *call, body sandboxPatch) (SandboxDoc, error) {
	return sandboxAnswer(a.Sandboxes.Change(ctx, c.sandboxID(), c.by(), c.seen, body.asked()))
}

func (a *API) deleteSandbox(ctx context.Context, c *call) error {
	return a.Sandboxes.Delete(ctx, c.sandboxID(), c.by(), c.seen)
}

func (a *API) resetSandbox(ctx context.Context, c *call) (SandboxDoc, error) {
	return sandboxAnswer(a.Sandboxes.Reset(ctx, c.sandboxID(), c.by()))
}

// sandboxID is the sandbox that the route is about.
func (c *call) sandboxID() string { return c.at("businessId") }
