package sandbox

import (
	"context"
	"strings"

	"daybook/internal/base/db"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/organization"
)

// Record is what a trigger worked on.
type Record struct{ Type, ID string }

// Outcome is what came of a trigger: the record, and every event, in the order in which they happened. The one that was asked for
// is among them.
type Outcome struct {
	Type   event.Type
	Record Record
	Events []event.Event
}

// hand is somebody at work on one trigger.
type hand struct {
	*Service
	one  business.Sandbox
	user string      // who asked for it
	by   record.Call // in whose name it is done: an owner's
	want Want
}

// act is what is behind one event.
type act struct {
	takes []string // overrides
	do    func(ctx context.Context, h *hand) (Record, error)
}

// acts is how each event of the catalog is made to happen. A test holds it against the catalog.
var acts map[event.Type]act

func init() { // what is in the table refers to the table
	acts = map[event.Type]act{
		event.InvoiceCreated:       atDesk(createDraft, "customerId", "amount"),
		event.InvoiceUpdated:       atDesk(updateInvoice, "invoiceId", "customerId"),
		event.InvoiceIssued:        atDesk(issueInvoice, "invoiceId", "customerId", "amount"),
		event.InvoiceSent:          atDesk(sendInvoice, "invoiceId", "customerId", "amount"),
		event.InvoicePartiallyPaid: atDesk(payHalf, "invoiceId", "customerId", "amount"),
		event.InvoicePaid:          atDesk(payWhole, "invoiceId", "customerId", "amount"),
		event.InvoiceOverdue:       {[]string{"customerId", "amount"}, passDueDate},
		event.InvoiceReopened:      atDesk(reopenInvoice, "customerId", "amount"),
		event.InvoiceVoided:        atDesk(voidInvoice, "invoiceId", "customerId", "amount"),
		event.InvoiceWrittenOff:    atDesk(writeOff, "invoiceId", "customerId", "amount"),
		event.InvoiceDeleted:       atDesk(deleteDraft, "invoiceId", "customerId"),

		event.PaymentReceived:    atDesk(receive, "customerId", "amount"),
		event.PaymentMade:        atDesk(disburse, "supplierId", "amount"),
		event.PaymentRefunded:    atDesk(refund, "paymentId", "customerId", "amount"),
		event.PaymentUpdated:     atDesk(updatePayment, "paymentId", "customerId"),
		event.PaymentAllocated:   atDesk(allocate, "customerId", "amount"),
		event.PaymentUnallocated: atDesk(unallocate, "customerId", "amount"),
		event.PaymentDeleted:     atDesk(deletePayment, "paymentId", "customerId", "amount"),

		event.CustomerCreated:  atDesk(createParty(record.Customer)),
		event.CustomerUpdated:  atDesk(updateParty(record.Customer), "customerId"),
		event.CustomerArchived: atDesk(archiveParty(record.Customer), "customerId"),
		event.CustomerDeleted:  atDesk(deleteParty(record.Customer), "customerId"),
		event.CustomerRedact:   atDesk(redactParty(record.Customer), "customerId"),
		event.SupplierCreated:  atDesk(createParty(record.Supplier)),
		event.SupplierUpdated:  atDesk(updateParty(record.Supplier), "supplierId"),
		event.SupplierArchived: atDesk(archiveParty(record.Supplier), "supplierId"),
		event.SupplierDeleted:  atDesk(deleteParty(record.Supplier), "supplierId"),
		event.SupplierRedact:   atDesk(redactParty(record.Supplier), "supplierId"),

		event.AccountCreated:  atDesk(createAccount),
		event.AccountUpdated:  atDesk(updateAccount, "accountId"),
		event.AccountArchived: atDesk(archiveAccount, "accountId"),
		event.AccountDeleted:  atDesk(deleteAccount, "accountId"),
		event.EntryPosted:     atDesk(postEntry, "amount"),
		event.EntryReversed:   atDesk(reverseEntry, "journalEntryId", "amount"),
		event.TaxRateCreated:  atDesk(createRate),
		event.TaxRateUpdated:  atDesk(updateRate, "taxRateId"),
		event.BooksLocked:     atDesk(lockBooks),
		event.BooksUnlocked:   atDesk(unlockBooks),
		event.BusinessUpdated: atDesk(changeSettings),

		event.PlanLimitReached: {[]string{"customerId"}, reachCeiling},
		event.AppInstalled:     {[]string{"appId", "scopes"}, installApp},
		event.AppUninstalled:   {[]string{"appId"}, uninstallApp},
		event.AppScopesUpdated: {[]string{"appId", "scopes"}, widenScopes},
		event.BusinessRedact:   {[]string{"appId"}, redactForApp},
		event.AppDataUpdated:   {[]string{"appId"}, writeAppData},
	}
}

// Trigger has an event of the catalog happen in a sandbox, by doing what is behind it. What refuses that refuses this.
func (s *Service) Trigger(ctx context.Context, businessID, by string, w Want) (Outcome, error) {
	h := &hand{Service: s, user: by, want: w}
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		h.one, err = business.FindSandbox(ctx, tx, businessID, by, organization.Build)
		return err
	})
	if err != nil {
		return Outcome{}, err
	}
	if err := w.Check(); err != nil {
		return Outcome{}, err
	}
	if h.by, err = s.act(ctx, businessID, by); err != nil {
		return Outcome{}, err
	}
	ctx, noted := event.Note(ctx)
	worked, err := acts[w.Type].do(ctx, h)
	if err != nil {
		return Outcome{}, err
	}
	return Outcome{w.Type, worked, noted.Events()}, nil
}

// mark is a text that no other trigger has used.
func (h *hand) mark() string {
	made := h.IDs.New("trg")
	return strings.ToUpper(made[len(made)-10:])
}
