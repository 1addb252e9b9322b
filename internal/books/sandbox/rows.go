package sandbox

// table says which rows of a table are a business's, and what names one of them.
type table struct {
	name  string
	key   string
	which string // $1 is the business
	// few says that removing a row makes the database look through others for what refers to it.
	few bool
}

const (
	own       = `business_id = $1`
	installed = `installation_id IN (SELECT id FROM installations WHERE business_id = $1)`
)

// books are the rows of a business's books and of what is kept on them, in the order in which they can be removed: what refers to
// others goes first.
var books = []table{
	{name: "payment_allocations", key: "id", which: own},
	{name: "payments", key: "id", which: own + ` AND refund_of IS NOT NULL`},
	{name: "payments", key: "id", which: own},
	{name: "invoices", key: "id", which: own},
	{name: "journal_lines", key: "entry_id, position", which: own},
	{name: "journal_entries", key: "id", which: own},
	{name: "account_months", key: "business_id, account_id, month", which: own},
	{name: "party_balances", key: "business_id, party_id, account_id", which: own},
	{name: "parties", key: "id", which: own, few: true},
	{name: "tax_rates", key: "id", which: own},
	{name: "accounts", key: "id", which: own, few: true},
	{name: "plan_usage", key: "business_id, year", which: own},
	{name: "external_ids", key: "business_id, app_id, kind, external_id", which: own},
	{name: "idempotency_keys", key: "business_id, caller, key", which: own},
	{name: "app_data", key: "id", which: own}, // once the records are gone, nobody writes another
}

// rest are the other rows of a business. Deliveries are apart: see deliveries.go.
var rest = []table{
	{name: "events", key: "id", which: own},
	{name: "event_counters", key: "business_id", which: own},
	{name: "token_families", key: "id", which: installed}, // refresh_tokens go along
	{name: "authorization_codes", key: "hash", which: installed},
	{name: "device_codes", key: "hash", which: installed},
	{name: "consents", key: "id", which: installed},
	{name: "installations", key: "id", which: own},
	{name: "function_runs", key: "id", which: own},
	{name: "books", key: "business_id", which: own},
}

// elsewhere are the tables that name businesses and are not in the lists above, each with its reason. A test compares all three
// with the schema: whoever adds a table decides here what becomes of its rows.
var elsewhere = map[string]string{
	"businesses":       "tenancy/business removes it last",
	"business_members": "tenancy/business takes them out when the sandbox begins to close",
	"role_overrides":   "tenancy/business",
	"member_overrides": "go with their member",
	"sandboxes":        "tenancy/business",
	"deliveries":       "removed by deliveries.go, with their attempts",
	"delivery_counts":  "platform/tally, as deliveries go",
	"sessions":         "whether somebody belongs to the current business is asked at each use",
	"usage_counts":     "what was counted stays true when a business goes",
	"usage_totals":     "nothing in it is of one business",
	"request_blocks":   "the app's own log: 7 days",
	"audit_log":        "stays, that is what it is for",
}
