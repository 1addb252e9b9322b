package pages

import (
	"encoding/json"
	"net/http"

	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/event"
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
	Version string
	Scopes  string // where they are registered
	Total   int
	Groups  []eventGroup
}

var consoleEventsPage = newPage[consoleEventsView]("console-events.html")

// consoleEvents is the catalog: what there is to hear of, what the app would need, and what it would get.
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
	consoleEventsPage.write(w, r, s, http.StatusOK, in.frame("Events", "Events"), v)
	return nil
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
