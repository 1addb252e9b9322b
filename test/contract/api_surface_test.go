package contract_test

import (
	"slices"
	"strings"
)

// route is a row of the partner surface: what a token and a person need for it.
type route struct {
	method, path string
	scopes       []string
	permission   string
	appsOnly     string // the code with which a session is refused; empty: it is not
}

func (r route) String() string { return r.method + " " + r.path }

// address is the route with ids in it, of records that do not exist.
func (r route) address() string {
	kind := map[string]string{
		"invoices": "inv_", "customers": "cus_", "suppliers": "sup_", "payments": "pay_", "accounts": "acc_", "journal-entries": "jrn_", "tax-rates": "tax_",
		"events": "evt_",
	}[strings.Split(r.path, "/")[1]]
	return strings.NewReplacer("{id}", kind+nowhere, "{allocationId}", "alc_"+nowhere).Replace(r.path)
}

// nowhere is the end of an id that no record has.
const nowhere = "01jcq4z7000000000000000000"

// rows puts several calls behind the same scope and permission.
func rows(scope, permission string, calls ...string) []route {
	var list []route
	for _, call := range calls {
		method, path, _ := strings.Cut(call, " ")
		list = append(list, route{method: method, path: path, scopes: strings.Fields(scope), permission: permission})
	}
	return list
}

// appsOnly closes calls to sessions.
func appsOnly(code string, list []route) []route {
	for i := range list {
		list[i].appsOnly = code
	}
	return list
}

// surface is everything an app may call.
var surface = slices.Concat(
	rows("profile:read", "", "GET /me", "GET /business"),
	rows("invoices:read", "invoices.view", "GET /invoices", "GET /invoices/{id}", "GET /invoices/{id}/pdf"),
	rows("invoices:write", "invoices.manage", "POST /invoices", "PATCH /invoices/{id}", "DELETE /invoices/{id}", "POST /invoices/preview",
		"POST /invoices/{id}/issue", "POST /invoices/{id}/send", "POST /invoices/bulk-import"),
	rows("invoices:write", "invoices.void", "POST /invoices/{id}/void", "POST /invoices/{id}/write-off"),
	rows("customers:read", "customers.view", "GET /customers", "GET /customers/{id}"),
	rows("customers:write", "customers.manage", "POST /customers", "PATCH /customers/{id}", "DELETE /customers/{id}", "POST /customers/{id}/archive",
		"POST /customers/{id}/restore"),
	rows("suppliers:read", "suppliers.view", "GET /suppliers", "GET /suppliers/{id}"),
	rows("suppliers:write", "suppliers.manage", "POST /suppliers", "PATCH /suppliers/{id}", "DELETE /suppliers/{id}", "POST /suppliers/{id}/archive",
		"POST /suppliers/{id}/restore"),
	rows("payments:read", "payments.view", "GET /payments", "GET /payments/{id}"),
	rows("payments:write", "payments.record", "POST /payments", "PATCH /payments/{id}", "POST /payments/{id}/allocations",
		"DELETE /payments/{id}/allocations/{allocationId}"),
	rows("payments:write", "payments.refund", "POST /payments/{id}/refund"),
	rows("payments:write", "payments.delete", "DELETE /payments/{id}"),
	rows("accounts:read", "accounts.view", "GET /accounts", "GET /accounts/{id}"),
	rows("accounts:read journal:read", "journal.view", "GET /accounts/{id}/ledger"),
	rows("accounts:write", "accounts.manage", "POST /accounts", "PATCH /accounts/{id}", "DELETE /accounts/{id}", "POST /accounts/{id}/archive",
		"POST /accounts/{id}/restore"),
	rows("journal:read", "journal.view", "GET /journal-entries", "GET /journal-entries/{id}", "GET /books/lock"),
	rows("journal:write", "journal.post", "POST /journal-entries", "PATCH /journal-entries/{id}", "DELETE /journal-entries/{id}",
		"POST /journal-entries/{id}/post", "POST /journal-entries/{id}/reverse"),
	rows("taxes:read", "taxes.view", "GET /tax-rates", "GET /tax-rates/{id}"),
	rows("reports:read", "reports.view", "GET /reports/trial-balance", "GET /reports/profit-and-loss", "GET /reports/balance-sheet",
		"GET /reports/aged-receivables"),
	appsOnly("EVENT_LOG_AVAILABLE_CONNECTED_APPS_ONLY", rows("events:read", "", "GET /events", "GET /events/{id}")),
)

// ours is what only our own pages may call, and some that nobody may.
var ours = strings.Split(`PUT /books/lock
POST /tax-rates
PATCH /tax-rates/{id}
POST /tax-rates/{id}/archive
POST /tax-rates/{id}/restore
POST /tax-rates/{id}/supersede
POST /customers/{id}/redact
POST /suppliers/{id}/redact
PATCH /business
GET /plan
GET /members
POST /members
PATCH /members/usr_1
DELETE /members/usr_1
PUT /members/usr_1/permissions/invoices.view
GET /roles
PUT /roles/VIEWER/permissions/invoices.manage
GET /installations
DELETE /installations/ins_1
POST /installations/ins_1/revoke-access
POST /embedded/session-token
GET /developer/apps
GET /operator/apps
GET /marketplace/apps
GET /
GET /nothing
GET /invoice
GET /invoices/
GET /invoices//
GET /invoices/../members
GET /INVOICES
POST /me
PUT /invoices
DELETE /customers
PATCH /invoices
POST /invoices/{id}
PUT /invoices/{id}
GET /invoices/{id}/void
DELETE /books/lock
OPTIONS /invoices
TRACE /invoices
BREW /invoices`, "\n")

// without is every scope but some.
func without(scopes ...string) []string {
	return slices.DeleteFunc(slices.Clone(everyScope), func(s string) bool { return slices.Contains(scopes, s) })
}

// roles is who may do what by default.
var roles = map[string][]string{
	"invoices.view": {"OWNER", "ADMIN", "ACCOUNTANT", "STAFF", "VIEWER"}, "invoices.manage": {"OWNER", "ADMIN", "ACCOUNTANT", "STAFF"},
	"invoices.void":  {"OWNER", "ADMIN", "ACCOUNTANT"},
	"customers.view": {"OWNER", "ADMIN", "ACCOUNTANT", "STAFF", "VIEWER"}, "customers.manage": {"OWNER", "ADMIN", "ACCOUNTANT", "STAFF"},
	"suppliers.view": {"OWNER", "ADMIN", "ACCOUNTANT", "STAFF", "VIEWER"}, "suppliers.manage": {"OWNER", "ADMIN", "ACCOUNTANT"},
	"payments.view": {"OWNER", "ADMIN", "ACCOUNTANT", "STAFF", "VIEWER"}, "payments.record": {"OWNER", "ADMIN", "ACCOUNTANT", "STAFF"},
	"payments.refund": {"OWNER", "ADMIN", "ACCOUNTANT"}, "payments.delete": {"OWNER", "ADMIN"},
	"accounts.view": {"OWNER", "ADMIN", "ACCOUNTANT", "STAFF", "VIEWER"}, "accounts.manage": {"OWNER", "ADMIN"},
	"journal.view": {"OWNER", "ADMIN", "ACCOUNTANT", "VIEWER"}, "journal.post": {"OWNER", "ADMIN"},
	"taxes.view": {"OWNER", "ADMIN", "ACCOUNTANT", "STAFF", "VIEWER"}, "reports.view": {"OWNER", "ADMIN", "ACCOUNTANT", "VIEWER"},
}
