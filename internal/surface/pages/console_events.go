package pages

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"

	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/event"
	"daybook/internal/platform/install"
	"daybook/internal/platform/webhook"
)

// eventWords says when each event happens.
var eventWords = map[event.Type]string{
	event.InvoiceCreated:       "An invoice was made, as a draft or issued at once.",
	event.InvoiceUpdated:       "Something in an invoice changed, but not its status.",
	event.InvoiceIssued:        "A draft became an invoice with a number, and was posted.",
	event.InvoiceSent:          "An invoice was mailed, or marked as sent.",
	event.InvoicePartiallyPaid: "A payment covered a part of an invoice.",
	event.InvoicePaid:          "Nothing is left to pay.",
	event.InvoiceOverdue:       "The due date has passed and something is left to pay. Once per invoice.",
	event.InvoiceReopened:      "A payment was taken away: the invoice is open again.",
	event.InvoiceVoided:        "An open invoice was cancelled.",
	event.InvoiceWrittenOff:    "The business gave up on the rest of an invoice.",
	event.InvoiceDeleted:       "A draft was deleted.",
	event.PaymentReceived:      "A customer's payment was recorded.",
	event.PaymentMade:          "A payment to a supplier was recorded.",
	event.PaymentRefunded:      "Money went back to a customer.",
	event.PaymentUpdated:       "Reference, memo or method of a payment changed.",
	event.PaymentAllocated:     "A payment was applied to an invoice later on.",
	event.PaymentUnallocated:   "A payment no longer counts for an invoice.",
	event.PaymentDeleted:       "A payment was deleted and reversed in the ledger.",
	event.CustomerCreated:      "A customer was added.",
	event.CustomerUpdated:      "Something about a customer changed.",
	event.CustomerArchived:     "A customer was put away, but not deleted.",
	event.CustomerDeleted:      "A customer who was never used was deleted.",
	event.SupplierCreated:      "A supplier was added.",
	event.SupplierUpdated:      "Something about a supplier changed.",
	event.SupplierArchived:     "A supplier was put away, but not deleted.",
	event.SupplierDeleted:      "A supplier who was never used was deleted.",
	event.AccountCreated:       "An account was added to the chart.",
	event.AccountUpdated:       "An account was changed.",
	event.AccountArchived:      "An account was put away.",
	event.AccountDeleted:       "An account that was never used was deleted.",
	event.EntryPosted:          "Anything was posted: by hand, by an invoice, by a payment.",
	event.EntryReversed:        "A posting got its reversal.",
	event.TaxRateCreated:       "A tax rate was added.",
	event.TaxRateUpdated:       "A tax rate was changed, put away or brought back.",
	event.BooksLocked:          "The books were closed up to a later date.",
	event.BooksUnlocked:        "The books were opened again.",
	event.BusinessUpdated:      "The business changed its settings.",
	event.PlanLimitReached:     "The business reached a ceiling of its plan.",
	event.AppInstalled:         "A business connected your app.",
	event.AppUninstalled:       "A business disconnected your app.",
	event.AppScopesUpdated:     "A business grants your app other scopes than before.",
	event.BusinessRedact:       "Erase what you keep of a business: it left 48 hours ago, or closed.",
	event.AppDataUpdated:       "Values of your app's fields on a record changed.",
	event.CustomerRedact:       "Erase what you keep about a customer.",
	event.SupplierRedact:       "Erase what you keep about a supplier.",
}

type consoleEventsView struct {
	Recent    []heardLine
	Business  string // the only one whose events are shown
	Here      string // all of them
	Installed bool   // somewhere
	Off       bool   // the app is switched off
	Sandboxes string
	Version   string
	Scopes    string // where they are registered
	Total     int
	Groups    []eventGroup
}

// heardLine is an event that the app may see.
type heardLine struct {
	ID, Type, Business, BusinessID, Data string
	Deliveries                           string // where they are listed; empty: no webhook hears of it
	At                                   moment
}

var consoleEventsPage = newPage[consoleEventsView]("console-events.html")

// consoleEvents is what happened lately as far as the app may see it, and the catalog: what there is to hear of, what the app would
// need, and what it would get.
func (s *Site) consoleEvents(w http.ResponseWriter, r *http.Request, in inApp) error {
	v := consoleEventsView{Version: text(in.app.PinnedAPIVersion), Scopes: in.path("/scopes"), Total: len(event.Catalog), Groups: in.eventGroups(nil)}
	if v.Version == "" {
		v.Version = apiversion.Latest().Name
	}
	for i := range v.Groups {
		for j := range v.Groups[i].Events {
			one := &v.Groups[i].Events[j]
			sample, err := sampleOf(event.Type(one.Type), v.Version)
			if err != nil {
				return err
			}
			one.Sample = sample
		}
	}
	if err := s.fillHeard(r, in, &v); err != nil {
		return err
	}
	consoleEventsPage.write(w, r, s, http.StatusOK, in.frame("Events", "Events"), v)
	return nil
}

// How many events the page shows, and of how many businesses: those that installed the app last, unless the address names one.
const (
	maxHeard      = 25
	maxHeardPlace = 25
)

// fillHeard adds what happened lately.
func (s *Site) fillHeard(r *http.Request, in inApp, v *consoleEventsView) error {
	l := install.Listing{Status: install.Active, Limit: maxHeardPlace}
	if chosen := r.URL.Query().Get("business"); searchable(chosen) {
		l.BusinessID = chosen
	}
	v.Here, v.Off, v.Sandboxes = in.path("/events"), !in.app.Running(), sandboxesPath
	connections, _, err := s.Installations.OfApp(r.Context(), in.app.ID, in.who.user.ID, l)
	v.Installed = len(connections) > 0
	if err != nil || v.Off {
		return err
	}
	names, places := map[string]string{}, []event.Place{}
	for _, c := range connections {
		names[c.BusinessID] = visible(c.BusinessName)
		places = append(places, event.Place{BusinessID: c.BusinessID, Granted: c.GrantedScopes})
	}
	v.Business = names[l.BusinessID]
	events, err := s.Events.Heard(r.Context(), in.app.ID, in.app.Scopes, places, maxHeard)
	if err != nil {
		return err
	}
	hooks, err := s.Webhooks.List(r.Context(), in.app.ID, in.who.user.ID)
	if err != nil {
		return err
	}
	for _, e := range events {
		data, err := apiversion.RewriteEvent(v.Version, string(e.Type), e.Data)
		if err != nil {
			return err
		}
		v.Recent = append(v.Recent, heardLine{
			ID: e.ID, Type: string(e.Type), Business: names[e.BusinessID], BusinessID: e.BusinessID, Data: pretty(string(data)), Deliveries: in.deliveriesOf(hooks, e), At: when(e.CreatedAt, in.now),
		})
	}
	return nil
}

// deliveriesOf leads to the deliveries of events like this one, to the first webhook that hears of them; empty without one.
func (in inApp) deliveriesOf(hooks []webhook.Webhook, e event.Event) string {
	for _, h := range hooks {
		if slices.Contains(h.Events, e.Type) {
			return in.path("/deliveries?%s", url.Values{"webhook": {h.ID}, "type": {string(e.Type)}, "business": {e.BusinessID}}.Encode())
		}
	}
	return ""
}

// sampleOf is what an event could carry, in the shape of a version.
func sampleOf(t event.Type, version string) (string, error) {
	data, err := json.Marshal(event.Sample(t))
	if err != nil {
		return "", err
	}
	if data, err = apiversion.RewriteEvent(version, string(t), data); err != nil {
		return "", err
	}
	return pretty(string(data)), nil
}
