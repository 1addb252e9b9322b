package boot

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/books/bulk"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/payment"
	"daybook/internal/books/report"
	"daybook/internal/books/tax"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/event"
	"daybook/internal/platform/extension"
	"daybook/internal/platform/function"
	"daybook/internal/platform/idem"
	"daybook/internal/platform/install"
	"daybook/internal/platform/reqlog"
	"daybook/internal/platform/scope"
	"daybook/internal/platform/usage"
	"daybook/internal/surface/partnerapi"
	"daybook/internal/tenancy/business"
)

// makeBooks adds the accounting features to a house, and fills in what lower floors need of them.
func (h *House) makeBooks(plans *business.Plans) {
	h.Events = &event.Log{IDs: h.IDs}
	h.makeWebhooks()
	h.Feed = &event.Feed{DB: h.DB, Log: h.Events, Clock: h.Clock}
	h.Ledger = &ledger.Service{DB: h.DB, IDs: h.IDs, Events: h.Events}
	h.Taxes = &tax.Service{DB: h.DB, Ledger: h.Ledger}
	h.Parties = &party.Service{DB: h.DB, Ledger: h.Ledger, Taxes: h.Taxes}
	h.Invoices = &invoice.Service{DB: h.DB, Ledger: h.Ledger, Parties: h.Parties, Taxes: h.Taxes, Plans: plans}
	h.Payments = &payment.Service{DB: h.DB, Ledger: h.Ledger, Parties: h.Parties, Invoices: h.Invoices}
	h.Parties.Uses = []func(context.Context, *db.Tx, string, string) (bool, error){h.Invoices.Uses, h.Payments.UsedParty, ledger.UsedParty}
	h.Imports = &bulk.Service{DB: h.DB, Ledger: h.Ledger, Parties: h.Parties, Invoices: h.Invoices, Payments: h.Payments}
	h.Reports = &report.Service{DB: h.DB, Invoices: h.Invoices}
	h.Idem = &idem.Service{DB: h.DB, Refusal: partnerapi.Refusal}
	h.Usage = &usage.Meter{DB: h.DB}
	h.makeLogs()
	h.Businesses.Books = newBooks{h}
	h.Installations.Log = installationLog{h.Events}
	h.AppData = &appdata.Service{DB: h.DB, IDs: h.IDs, Events: h.Events, Records: records{}, Trail: h.Audit}
	h.Extensions = &extension.Service{DB: h.DB, IDs: h.IDs, Records: records{}, Trail: h.Audit}
	h.Functions = &function.Service{DB: h.DB, IDs: h.IDs, Keys: h.Keys, Clock: h.Clock, Webhooks: h.Webhooks, Trail: h.Audit}
	h.Ledger.Forget = h.AppData.Forget
	h.makeSandboxes()
	h.makeMarket()
}

// newBooks gives a new business its chart of accounts and rates of tax.
type newBooks struct{ h *House }

// OpenBooks implements business.Books.
func (n newBooks) OpenBooks(ctx context.Context, tx *db.Tx, b business.Business) error {
	if err := n.h.Ledger.OpenBooks(ctx, tx, b.ID); err != nil {
		return err
	}
	return n.h.Taxes.OpenRates(ctx, tx, b.ID, b.Country)
}

// installationLog tells apps of their installations through the event log.
type installationLog struct{ events *event.Log }

// Record implements install.Log.
func (l installationLog) Record(ctx context.Context, tx *db.Tx, h install.Happening) error {
	i := h.Installation
	data := event.Data{"installationId": i.ID}
	var kind event.Type
	switch h.Kind {
	case install.KindInstalled:
		b, err := business.Find(ctx, tx, i.BusinessID)
		if err != nil {
			return err
		}
		kind = event.AppInstalled
		data["scopes"], data["sandbox"], data["installedAt"] = words(i.GrantedScopes), b.Sandbox(), event.Instant(i.InstalledAt)
	case install.KindScopesUpdated:
		kind = event.AppScopesUpdated
		data["scopes"], data["added"], data["removed"] = words(i.GrantedScopes), words(h.Added), []string{}
	case install.KindUninstalled:
		kind = event.AppUninstalled
		data["uninstalledAt"], data["redactAt"] = event.Instant(*i.UninstalledAt), event.Instant(*i.RedactAt)
	case install.KindRedacted:
		kind = event.BusinessRedact
		data = event.Data{"requestId": h.RequestID, "reason": h.Reason, "dueBy": event.Instant(h.DueBy)}
	}
	return l.events.Append(ctx, tx, i.BusinessID, event.Actor{Type: event.User}, event.Happening{Type: kind, AppID: i.AppID, Data: data})
}

func words(s scope.Set) []string {
	list := []string{}
	for _, one := range s {
		list = append(list, string(one))
	}
	return list
}

// meter counts the calls of apps, and keeps them for their developers to look up.
type meter struct {
	usage    *usage.Meter
	requests *reqlog.Log
}

// Count implements partnerapi.Meter.
func (m meter) Count(c partnerapi.Call) {
	m.requests.Note(reqlog.Entry{
		AppID: c.AppID, RequestID: c.RequestID, Method: c.Method, Route: c.Route, Status: c.Status, Code: c.Code, Version: c.Version,
		Duration: c.Duration, BusinessID: c.BusinessID, UserID: c.UserID, Ended: c.Ended,
	})
	if c.Ended { // whoever holds a dead token does not use the app
		return
	}
	m.usage.Count(usage.Call{
		AppID: c.AppID, BusinessID: c.BusinessID, Method: c.Method, Route: c.Route, Status: c.Status, Version: c.Version,
		RateLimited: c.RateLimited, Duration: c.Duration, At: c.At,
	})
}
