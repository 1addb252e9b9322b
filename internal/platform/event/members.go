package event

import (
	"slices"

	"daybook/internal/base/id"
)

// member is a member of a payload.
type member struct {
	name string
	form
}

// payload is what an event tells besides its actor, and how its example differs from the examples of its members.
type payload struct {
	members []member
	like    map[string]any
}

// The statuses of invoices; before 2026-06-01 the second was called SENT.
var invoiceStatuses = []string{"DRAFT", "OPEN", "PARTIALLY_PAID", "PAID", "VOID", "UNCOLLECTIBLE"}

// Members that several payloads share.
var (
	version    = member{"version", form{map[string]any{"type": "integer", "minimum": 1}, 1}}
	currency   = member{"currency", matching("^[A-Z]{3}$", "EUR")}
	changes    = member{"changes", list(words("dueDate"))}
	entryID    = member{"journalEntryId", named(id.JournalEntry)}
	noEntryID  = member{"journalEntryId", orNull(named(id.JournalEntry))} // what is worth nothing is not booked
	paymentID  = member{"paymentId", named(id.Payment)}
	invoiceID  = member{"invoiceId", named(id.Invoice)}
	allocation = member{"allocationId", named(id.Allocation)}
	method     = member{"method", word("BANK_TRANSFER", "CARD", "CASH", "CHECK", "DIRECT_DEBIT", "OTHER")}
	request    = member{"requestId", named(id.Redaction)}
	dueBy      = member{"dueBy", moment("2026-06-17T09:30:00.000Z")}
	use        = member{"status", word("ACTIVE", "ARCHIVED")}
	install    = member{"installationId", named(id.Installation)}
	locks      = []member{{"lockDate", orNull(date("2026-03-31"))}, {"previousLockDate", orNull(date("2025-12-31"))}}
)

// The groups: what each sort of record tells of itself.
var (
	invoice = []member{
		invoiceID, {"number", orNull(words("INV-000123"))}, {"status", word(invoiceStatuses...)}, {"customerId", named(id.Customer)}, currency,
		{"total", amount(3655)}, {"amountPaid", amount(0)}, {"amountDue", amount(3655)}, {"issueDate", date("2026-05-04")}, {"dueDate", date("2026-06-03")},
		version,
	}
	payment = []member{
		paymentID, {"kind", word("RECEIPT", "DISBURSEMENT", "REFUND")}, {"date", date("2026-05-18")}, {"amount", amount(3655)}, currency,
		{"customerId", orNull(named(id.Customer))}, {"supplierId", orNull(named(id.Supplier))}, {"bankAccountId", named(id.Account)},
		{"allocatedAmount", amount(3655)}, {"unallocatedAmount", amount(0)},
		{"allocations", list(object(allocation, invoiceID, member{"amount", amount(3655)}))}, version,
	}
	customer = party(member{"customerId", named(id.Customer)})
	supplier = party(member{"supplierId", named(id.Supplier)})
	account  = []member{
		{"accountId", named(id.Account)}, {"code", words("4100")}, {"type", word("REVENUE", "EXPENSE", "ASSET", "LIABILITY", "EQUITY")},
		{"subtype", orNull(word("SALES", "OTHER", "BANK", "CASH", "RECEIVABLE", "CURRENT", "FIXED", "INPUT_TAX", "PAYABLE", "OUTPUT_TAX", "CUSTOMER_CREDIT",
			"LONG_TERM", "CAPITAL", "RETAINED", "DIRECT", "OPERATING", "FINANCE"))}, use, version,
	}
	entry = []member{
		entryID, {"number", matching(`^JE-\d{6,}$`, "JE-000042")}, {"date", date("2026-05-04")}, {"sourceType", word("INVOICE", "PAYMENT", "MANUAL", "SYSTEM")},
		{"sourceId", words("inv_01k9m4x2v7q3t8r5w1y6z0a2bc")}, {"debitTotal", amount(3655)}, currency, {"lineCount", count(3)}, version,
	}
	taxRate = []member{
		{"taxRateId", named(id.TaxRate)}, {"rate", matching(`^\d{1,12}(\.\d{1,10})?$`, "21")}, {"kind", word("SALES", "PURCHASE", "BOTH")}, use, version,
	}
)

func party(name member) []member {
	return []member{name, {"type", word("COMPANY", "INDIVIDUAL")}, {"status", word("ACTIVE", "ARCHIVED", "REDACTED")}, currency, version}
}

// of is a group and what one event adds to it.
func of(group []member, more ...member) payload { return payload{members: slices.Concat(group, more)} }

// as says how the example of one event differs.
func (p payload) as(like map[string]any) payload {
	p.like = like
	return p
}

// payloads is every event's payload, in the newest shape.
var payloads = map[Type]payload{
	InvoiceCreated: of(invoice, member{"source", word("API", "UI", "IMPORT")}).as(Data{"status": "DRAFT", "number": nil}),
	InvoiceUpdated: of(invoice, changes).as(Data{"status": "OPEN", "version": 3}),
	InvoiceIssued:  of(invoice, member{"taxTotal", amount(634)}, noEntryID).as(Data{"status": "OPEN", "version": 2}),
	InvoiceSent: of(invoice, member{"sentAt", moment("2026-05-04T09:30:00.000Z")}, member{"channel", word("EMAIL", "LINK", "EXTERNAL")}).
		as(Data{"status": "OPEN", "version": 3}),
	InvoicePartiallyPaid: of(invoice, paymentID, member{"allocatedAmount", amount(1000)}).
		as(Data{"status": "PARTIALLY_PAID", "amountPaid": 1000, "amountDue": 2655, "version": 4}),
	InvoicePaid: of(invoice, member{"paymentId", orNull(named(id.Payment))}, member{"paidAt", moment("2026-05-18T09:30:00.000Z")}).
		as(Data{"status": "PAID", "amountPaid": 3655, "amountDue": 0, "version": 4}),
	InvoiceOverdue: of(invoice, member{"daysOverdue", count(1)}).as(Data{"status": "OPEN", "version": 3}),
	InvoiceReopened: of(invoice, member{"previousStatus", word("PAID", "DRAFT", "OPEN", "PARTIALLY_PAID", "VOID", "UNCOLLECTIBLE")}, paymentID).
		as(Data{"status": "OPEN", "version": 5}),
	InvoiceVoided: of(invoice, member{"voidDate", date("2026-05-20")}, noEntryID).as(Data{"status": "VOID", "amountDue": 0, "version": 3}),
	InvoiceWrittenOff: of(invoice, member{"amountWrittenOff", amount(3655)}, noEntryID).
		as(Data{"status": "UNCOLLECTIBLE", "amountDue": 0, "version": 3}),
	InvoiceDeleted: of([]member{invoiceID, {"status", word(invoiceStatuses...)}, version}).as(Data{"version": 2}),

	PaymentReceived: of(payment, method).as(Data{"supplierId": nil}),
	PaymentMade: of(payment, method).
		as(Data{"kind": "DISBURSEMENT", "customerId": nil, "allocations": []any{}, "allocatedAmount": 0, "unallocatedAmount": 3655}),
	PaymentRefunded: of(payment, member{"refundOfPaymentId", named(id.Payment)}).
		as(Data{"kind": "REFUND", "supplierId": nil, "amount": 500, "allocations": []any{}, "allocatedAmount": 0}),
	PaymentUpdated:   of(payment, changes).as(Data{"supplierId": nil, "changes": []any{"reference"}, "version": 2}),
	PaymentAllocated: of(payment, allocation, invoiceID, member{"allocationAmount", amount(3655)}).as(Data{"supplierId": nil, "version": 2}),
	PaymentUnallocated: of(payment, allocation, invoiceID, member{"allocationAmount", amount(3655)}).
		as(Data{"supplierId": nil, "allocations": []any{}, "allocatedAmount": 0, "unallocatedAmount": 3655, "version": 3}),
	PaymentDeleted: of([]member{
		paymentID, {"kind", word("RECEIPT", "DISBURSEMENT", "REFUND")}, {"amount", amount(3655)}, currency, {"invoiceIds", list(named(id.Invoice))}, noEntryID, version,
	}).as(Data{"version": 2}),

	CustomerCreated:  of(customer),
	CustomerUpdated:  of(customer, changes).as(Data{"changes": []any{"email", "paymentTermsDays"}, "version": 2}),
	CustomerArchived: of(customer).as(Data{"status": "ARCHIVED", "version": 2}),
	CustomerDeleted:  of([]member{{"customerId", named(id.Customer)}, version}).as(Data{"version": 2}),
	SupplierCreated:  of(supplier),
	SupplierUpdated:  of(supplier, changes).as(Data{"changes": []any{"email", "paymentTermsDays"}, "version": 2}),
	SupplierArchived: of(supplier).as(Data{"status": "ARCHIVED", "version": 2}),
	SupplierDeleted:  of([]member{{"supplierId", named(id.Supplier)}, version}).as(Data{"version": 2}),

	AccountCreated:  of(account),
	AccountUpdated:  of(account, changes).as(Data{"changes": []any{"name"}, "version": 2}),
	AccountArchived: of(account).as(Data{"status": "ARCHIVED", "version": 2}),
	AccountDeleted:  of([]member{{"accountId", named(id.Account)}, {"code", words("4100")}, version}).as(Data{"version": 2}),

	EntryPosted: of(entry, member{"reversalOfId", orNull(named(id.JournalEntry))}).as(Data{"reversalOfId": nil}),
	EntryReversed: of(entry, member{"reversedById", named(id.JournalEntry)}, member{"reversalDate", date("2026-05-20")}).
		as(Data{"reversedById": "jrn_01k9m4x2v7q3t8r5w1y6z0a2bd", "version": 2}),

	TaxRateCreated: of(taxRate),
	TaxRateUpdated: of(taxRate, changes).as(Data{"changes": []any{"status"}, "status": "ARCHIVED", "version": 2}),
	BooksLocked:    of(locks),
	BooksUnlocked:  of(locks).as(Data{"lockDate": nil, "previousLockDate": "2026-03-31"}),

	BusinessUpdated: of([]member{
		changes, currency, {"country", matching("^[A-Z]{2}$", "NL")}, {"timeZone", words("Europe/Amsterdam")}, version,
	}).as(Data{"changes": []any{"defaultTaxRounding"}, "version": 2}),
	PlanLimitReached: of([]member{
		{"plan", words("FREE")}, {"limit", word("INVOICE_COUNT", "TURNOVER")}, {"limitValue", amount(100)}, {"used", amount(100)}, {"periodEnd", date("2026-12-31")},
	}),

	AppInstalled: of([]member{
		install, {"scopes", list(words("invoices:read"))}, {"sandbox", flag(false)}, {"installedAt", moment("2026-05-04T09:30:00.000Z")},
	}).as(Data{"scopes": []any{"events:read", "invoices:read"}}),
	AppUninstalled: of([]member{
		install, {"uninstalledAt", moment("2026-05-18T09:30:00.000Z")}, {"redactAt", moment("2026-05-20T09:30:00.000Z")},
	}),
	AppScopesUpdated: of([]member{
		install, {"scopes", list(words("invoices:read"))}, {"added", list(words("payments:read"))}, {"removed", list(words("customers:read"))},
	}).as(Data{"scopes": []any{"events:read", "invoices:read", "payments:read"}, "removed": []any{}}),
	BusinessRedact: of([]member{request, {"reason", word("UNINSTALLED", "BUSINESS_CLOSED")}, dueBy}),
	AppDataUpdated: of([]member{
		{"resourceType", word("INVOICE", "CUSTOMER", "SUPPLIER", "PAYMENT", "ACCOUNT", "JOURNAL_ENTRY")}, {"resourceId", words("inv_01k9m4x2v7q3t8r5w1y6z0a2bc")},
		{"keys", list(matching("^[a-z][a-z0-9_]{0,39}$", "delivery_day"))}, {"origin", word("APP", "USER")}, {"deleted", flag(false)},
	}),
	CustomerRedact: of([]member{{"customerId", named(id.Customer)}, request, dueBy}),
	SupplierRedact: of([]member{{"supplierId", named(id.Supplier)}, request, dueBy}),
}
