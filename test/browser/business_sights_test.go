package browser

import (
	"strings"
	"testing"
)

// businessSights are the pages of a business with a year of books. Olivia owns the bakery, Sam is staff there, Dan owns a
// sandbox without any books.
var businessSights = []sight{
	{"business home", "Home · Bakery Brandt", 200, at("olivia", "/")},
	{"business home of staff", "Home · Bakery Brandt", 200, at("sam", "/")},
	{"business home of a new business", "Home · Acme Lab", 200, at("dan", "/")},
	{"business invoices", "Invoices · Bakery Brandt", 200, at("olivia", "/invoices")},
	{"business invoices overdue", "Invoices · Bakery Brandt", 200, at("olivia", "/invoices?status=OVERDUE")},
	{"business invoices not found", "Invoices · Bakery Brandt", 200, at("olivia", "/invoices?text=zzzz")},
	{"business no invoices", "Invoices · Acme Lab", 200, at("dan", "/invoices")},
	{"business invoice paid", "{h1} · Bakery Brandt", 200, firstOf("/invoices?status=PAID")},
	{"business invoice partly paid", "{h1} · Bakery Brandt", 200, firstOf("/invoices?status=PARTIALLY_PAID")},
	{"business invoice draft", "{h1} · Bakery Brandt", 200, firstOf("/invoices?status=DRAFT")},
	{"business invoice written off", "{h1} · Bakery Brandt", 200, firstOf("/invoices?status=UNCOLLECTIBLE")},
	{"business invoice with app data refused", "{h1} · Bakery Brandt", 400, func(w *window) int {
		firstOf("/invoices?status=OPEN,PARTIALLY_PAID")(w)
		w.fill("value.deposit", "-5.00")
		return w.click("Save")
	}},
	{"business customers", "Customers · Bakery Brandt", 200, at("olivia", "/customers")},
	{"business customer", "{h1} · Bakery Brandt", 200, firstOf("/customers")},
	{"business no customers", "Customers · Acme Lab", 200, at("dan", "/customers")},
	{"business suppliers", "Suppliers · Bakery Brandt", 200, at("olivia", "/suppliers")},
	{"business supplier", "{h1} · Bakery Brandt", 200, firstOf("/suppliers")},
	{"business payments", "Payments · Bakery Brandt", 200, at("olivia", "/payments")},
	{"business payment", "{h1} · Bakery Brandt", 200, firstOf("/payments?kind=RECEIPT")},
	{"business payment out", "{h1} · Bakery Brandt", 200, firstOf("/payments?kind=DISBURSEMENT")},
	{"business accounts", "Accounts · Bakery Brandt", 200, at("olivia", "/accounts")},
	{"business account", "{h1} · Bakery Brandt", 200, firstOf("/accounts")},
	{"business journal", "Journal · Bakery Brandt", 200, at("olivia", "/journal")},
	{"business journal entry", "{h1} · Bakery Brandt", 200, func(w *window) int {
		at("olivia", "/journal")(w)
		return w.followFirst("caption h2 a")
	}},
	{"business no journal", "Journal · Acme Lab", 200, at("dan", "/journal")},
	{"business reports", "Reports · Bakery Brandt", 200, at("olivia", "/reports")},
	{"business profit and loss", "Profit and loss · Bakery Brandt", 200, at("olivia", "/reports/profit-and-loss")},
	{"business balance sheet", "Balance sheet · Bakery Brandt", 200, at("olivia", "/reports/balance-sheet")},
	{"business aged receivables", "Aged receivables · Bakery Brandt", 200, at("olivia", "/reports/aged-receivables")},
	{"business trial balance", "Trial balance · Bakery Brandt", 200, at("olivia", "/reports/trial-balance")},
	{"business trial balance of nothing", "Trial balance · Acme Lab", 200, at("dan", "/reports/trial-balance")},
	{"business members", "Members · Bakery Brandt", 200, at("olivia", "/members")},
	{"business members seen by a viewer", "Members · Bakery Brandt", 200, at("vera", "/members")},
	{"business member not found", "Members · Bakery Brandt", 400, func(w *window) int {
		at("olivia", "/members")(w)
		w.fill("email", "nobody@example.test")
		return w.click("Add")
	}},
	{"business member", "{h1} · Bakery Brandt", 200, func(w *window) int {
		w.begin("olivia")
		return w.visit("/members/" + w.node.User(w.t, "sam").ID)
	}},
	{"business last owner", "{h1} · Bakery Brandt", 409, func(w *window) int {
		w.begin("olivia")
		w.visit("/members/" + w.node.User(w.t, "olivia").ID)
		return w.click("Leave the business")
	}},
	{"business role", "Accountant · Bakery Brandt", 200, at("olivia", "/roles/accountant")},
	{"business settings", "Settings · Bakery Brandt", 200, at("olivia", "/settings")},
	{"business settings of staff", "Settings · Bakery Brandt", 200, at("sam", "/settings")},
	{"business apps", "Connected apps · Bakery Brandt", 200, at("olivia", "/apps")},
	{"marketplace of the demo world", "Marketplace", 200, func(w *window) int { return w.visit("/marketplace") }},
	{"marketplace of the demo world at a desk", "Marketplace · Bakery Brandt", 200, at("olivia", "/marketplace")},
	{"listing of the demo world", "Ledger Sync", 200, func(w *window) int { return w.visit("/marketplace/ledger-sync") }},
	{"business journal refused", "Not allowed", 403, at("sam", "/journal")},
	{"business with hostile names", "Home · " + hostileName, 200, func(w *window) int { return w.signInAs(hostileEmail, hostilePassword) }},
}

// TestBusinessEveryPage asks of each page of a business what every page must be.
func TestBusinessEveryPage(t *testing.T) {
	holdChromium(t)
	n := startBusiness(t)
	loadHostile(t, n)
	w := openOn(t, n)
	firstOf("/invoices?status=PAID")(w)
	id := strings.TrimPrefix(w.path(), "/invoices/")
	n.keep(t, "INVOICE", id, "delivery_day", `"2026-11-20"`)
	n.keep(t, "INVOICE", id, "route", `"North <b>and</b> east"`)
	n.keep(t, "INVOICE", id, "tracking", `"https://tracking.example/a/very/long/address/that/does/not/fit/on/a/phone?number=1234567890"`)
	t.Run("nothing moves on a slow line", func(t *testing.T) { standsStillOnASlowLine(t, n) })
	for i, s := range businessSights {
		lookAt(t, n, s, short(i))
	}
}
