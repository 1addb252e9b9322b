package browser

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// links are the pages of the list beside the page.
func (w *window) links() []string {
	w.t.Helper()
	return eval[[]string](w, `[...document.querySelectorAll(".side a")].map(a => a.innerText)`)
}

func TestBusinessOwnerWalksThroughAllPages(t *testing.T) {
	holdChromium(t)
	w := openOn(t, startBusiness(t))
	// Everything can be read and done without scripts.
	ask(w, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	olivia := w.node.User(t, "olivia")
	w.signInAs(olivia.Email, olivia.Password)
	w.wantPath("/")
	w.wantWords("Bakery Brandt", "Customers owe you", "Turnover this month", "Lately", "Overdue the longest", "Ledger Sync", "Starter plan")
	if got := w.links(); !slices.Equal(got, []string{"Home", "Invoices", "Payments", "Customers", "Suppliers", "Accounts", "Journal", "Reports", "Members", "Apps", "Marketplace", "Settings"}) {
		t.Errorf("the list has %v", got)
	}
	elsewhere := w.another()
	elsewhere.begin("olivia")
	for _, page := range eval[[]string](w, `[...document.querySelectorAll(".side a, main a")].map(a => a.getAttribute("href"))`) {
		if status := elsewhere.visit(page); status != 200 {
			t.Errorf("a dead link on the home page: %s, %d", page, status)
		}
	}
	t.Run("lists lead to records and further", func(t *testing.T) {
		w := w.in(t)
		w.visit("/invoices")
		first := w.text("tbody th a")
		w.followFirst("a[rel=next]")
		if second := w.text("tbody th a"); second == first || second == "" {
			t.Errorf("the next page begins with %q", second)
		}
		w.followFirst(`nav[aria-label="More of the list"] a`)
		if again := w.text("tbody th a"); again != first {
			t.Errorf("back at the first there is %q", again)
		}
		w.visit("/invoices?status=PAID")
		w.followFirst("tbody th a")
		w.wantWords("Lines", "Totals", "Total EUR", "Still open", "Payments", "History", "Created", "Olivia Brandt")
		invoice := w.text("h1")
		w.followFirst(".facts a[href^='/customers/']")
		w.wantWords("Owes you", "Who they are", "Latest invoices", "Made")
		w.followFirst("p.foot a")
		w.wantWords(strings.TrimPrefix(invoice, "Invoice "))
		w.visit("/payments?kind=RECEIPT")
		w.followFirst("tbody th a")
		w.wantWords("What it settles", "by Olivia Brandt")
		w.followFirst(".facts a[href^='/journal']")
		w.wantWords("Only entries of one document", "1000 Bank")
		w.followFirst("caption h2 a")
		w.wantWords("Debit", "Credit", "Follows from", "Payment")
	})
	t.Run("invoices are found by number, customer and status", func(t *testing.T) {
		w := w.in(t)
		w.visit("/invoices?status=PAID")
		number, customer := w.text("tbody th a"), w.text("tbody th .hint")
		w.fill("text", number)
		w.click("Show")
		if got := eval[int](w, `document.querySelectorAll("tbody tr").length`); got != 1 || w.text("tbody th a") != number {
			t.Errorf("by number: %d rows, %s", got, w.text("tbody"))
		}
		w.fill("text", customer[:4])
		w.click("Show")
		w.wantWords(customer)
		w.visit("/invoices?status=OVERDUE")
		if body := w.text("tbody"); !strings.Contains(strings.ToLower(body), "overdue") || strings.Contains(body, "Draft") {
			t.Errorf("overdue: %s", body)
		}
	})
	t.Run("reports add up", func(t *testing.T) {
		w := w.in(t)
		w.visit("/reports/trial-balance")
		if got := eval[[]string](w, `[...document.querySelectorAll(".total td")].map(e => e.innerText)`); len(got) != 2 || got[0] != got[1] || got[0] == "0.00" {
			t.Errorf("debit and credit: %v", got)
		}
		w.visit("/reports/balance-sheet")
		if got := eval[[]string](w, `[...document.querySelectorAll(".total td")].map(e => e.innerText)`); len(got) != 4 || got[0] != got[3] {
			t.Errorf("assets, liabilities, equity, both: %v", got)
		}
		w.visit("/reports/profit-and-loss?from=2026-13-01")
		w.wantWords("must be a date")
	})
	t.Run("another business is a form away, from everywhere", func(t *testing.T) {
		w := w.in(t)
		w.visit("/reports/balance-sheet")
		run(w, chooses("business", olivia.Businesses[1].ID))
		w.click("Switch")
		w.wantPath("/")
		w.wantWords("Brandt Catering", "GBP")
		run(w, chooses("business", olivia.Businesses[0].ID))
		w.click("Switch")
		w.wantWords("Bakery Brandt")
	})
	t.Run("an id of another business is no page", func(t *testing.T) {
		w := w.in(t)
		w.visit("/customers")
		w.followFirst("tbody th a")
		here := w.path()
		dan := w.another()
		dan.begin("dan")
		if status := dan.visit(here); status != 404 {
			t.Errorf("status %d", status)
		}
	})
}

func TestBusinessStaffSeesOnlyWhatItMay(t *testing.T) {
	holdChromium(t)
	n := startBusiness(t)
	boss, w := openOn(t, n), openOn(t, n)
	sam := n.User(t, "sam")
	w.begin("sam")
	w.visit("/")
	if got := w.links(); !slices.Equal(got, []string{"Home", "Invoices", "Payments", "Customers", "Suppliers", "Accounts", "Members", "Apps", "Marketplace", "Settings"}) {
		t.Errorf("staff sees %v", got)
	}
	for _, words := range []string{"Customers owe you", "Turnover this month"} {
		if strings.Contains(w.text("main"), words) {
			t.Errorf("staff reads %q", words)
		}
	}
	for _, path := range []string{"/journal", "/reports", "/reports/trial-balance", "/journal/jrn_01jd6v3q9x4m8r2t7w5y0z1a2b"} {
		if status := w.visit(path); status != 403 || !strings.Contains(w.text("main"), "Not allowed") {
			t.Errorf("%s: %d", path, status)
		}
	}
	w.visit("/members")
	if eval[bool](w, `!!document.querySelector("main form")`) {
		t.Error("staff is offered to manage members")
	}
	w.visit("/accounts")
	w.followFirst("tbody th a")
	if strings.Contains(w.text("main"), "Ledger\n") {
		t.Error("staff reads the ledger of an account")
	}
	t.Run("a denial acts at once", func(t *testing.T) {
		boss, w := boss.in(t), w.in(t)
		boss.begin("olivia")
		boss.visit("/members/" + sam.ID)
		run(boss, chooses("invoices.view", "DENY"))
		boss.click("Save permissions")
		boss.wantPath("/members/" + sam.ID + "?done=permissions")
		boss.visit("/members")
		boss.wantWords("may not See invoices")
		if status := w.visit("/invoices"); status != 403 {
			t.Errorf("status %d", status)
		}
		w.visit("/")
		if page := w.text("main"); strings.Contains(page, "Overdue the longest") || strings.Contains(page, "INV-") {
			t.Errorf("without invoices.view the home page says\n%s", page)
		}
		w.visit("/payments?kind=RECEIPT")
		w.followFirst("tbody th a")
		if strings.Contains(w.text("main"), "INV-") {
			t.Error("a payment tells the numbers of invoices")
		}
	})
}

func TestBusinessMembersAreManaged(t *testing.T) {
	holdChromium(t)
	w := openOn(t, startBusiness(t))
	olivia, dan := w.node.User(t, "olivia"), w.node.User(t, "dan")
	w.begin("olivia")
	w.visit("/members")
	w.fill("email", dan.Email)
	run(w, chooses("role", "ACCOUNTANT"))
	w.click("Add")
	w.wantPath("/members?done=added")
	w.wantWords("Dan Okafor", "Accountant")
	w.fill("email", dan.Email)
	if status := w.click("Add"); status != 409 || w.text("[role=alert]") != "This user is already a member of the business." {
		t.Errorf("twice: %d %s", status, w.text("[role=alert]"))
	}
	w.visit("/members/" + dan.ID)
	run(w, chooses("role", "VIEWER"))
	w.click("Change role")
	w.wantWords("The role is changed.", "Looks and changes nothing.")
	w.click("Remove from the business")
	w.wantPath("/members?done=removed")
	if strings.Contains(w.text("main"), "Dan Okafor") {
		t.Error("he is still there")
	}
	w.visit("/members/" + olivia.ID)
	run(w, chooses("role", "VIEWER"))
	if status := w.click("Change role"); status != 409 || !strings.Contains(w.text("[role=alert]"), "A business needs an owner") {
		t.Errorf("the last owner: %d %s", status, w.text("[role=alert]"))
	}
	t.Run("a role gets an exception, and loses it", func(t *testing.T) {
		w := w.in(t)
		w.visit("/roles/accountant")
		run(w, chooses("journal.post", "GRANT"))
		w.click("Save permissions")
		w.visit("/members")
		w.wantWords("may Post journal entries by hand")
		w.visit("/roles/accountant")
		run(w, chooses("journal.post", ""))
		w.click("Save permissions")
		w.visit("/members")
		if strings.Contains(w.text("main"), "Post journal entries by hand") {
			t.Errorf("the exception is still there:\n%s", w.text("main"))
		}
	})
	t.Run("the books are locked and opened", func(t *testing.T) {
		w := w.in(t)
		w.visit("/settings")
		run(w, sets("lockDate", "2026-09-30"))
		w.click("Set the lock date")
		w.wantPath("/settings?done=locked")
		w.wantWords("locked up to and including 30 Sep 2026")
		w.visit("/")
		w.wantWords("The books were locked up to 30 Sep 2026")
		w.visit("/settings")
		run(w, sets("lockDate", ""))
		w.click("Set the lock date")
		w.wantWords("The books are open")
	})
}

func TestBusinessAppDataIsEdited(t *testing.T) {
	holdChromium(t)
	w := openOn(t, startBusiness(t))
	firstOf("/invoices?status=PAID")(w)
	id := strings.TrimPrefix(w.path(), "/invoices/")
	w.node.keep(t, "INVOICE", id, "route", `"north <i>east</i>"`)
	w.node.keep(t, "INVOICE", id, "note", `"ring\ntwice"`)
	w.node.keep(t, "INVOICE", id, "inner", `"nobody reads this"`)
	w.visit("/invoices/" + id)
	w.wantWords("Ledger Sync", "north <i>east</i>", "Set by Ledger Sync")
	if strings.Contains(w.text("body"), "nobody reads this") || strings.Contains(w.text("body"), "Inner working") {
		t.Error("a hidden field is shown")
	}
	run(w, chooses("value.mood", "Glad"))
	run(w, sets("value.delivery_day", "2026-12-01"))
	w.fill("value.deposit", "12.50")
	w.click("Save")
	w.wantPath("/invoices/" + id + "?done=" + w.node.app(t, "Ledger Sync") + "#apps")
	w.wantWords("Saved.", "Set by Olivia Brandt")
	if got := eval[string](w, `["deposit", "delivery_day", "mood", "note"].map(k => document.getElementsByName("value." + k)[0].value).join("|")`); got != "12.50|2026-12-01|Glad|ring\ntwice" {
		t.Errorf("the page holds %q", got)
	}
	told := w.node.events(t, "app_data.updated")
	last := told[len(told)-1]
	if keys, _ := last["keys"].([]any); last["origin"] != "USER" || last["deleted"] != false || len(keys) != 3 || last["resourceId"] != id {
		t.Errorf("the app hears %v", last)
	}
	w.fill("value.deposit", "a lot")
	if status := w.click("Save"); status != 400 {
		t.Errorf("status %d", status)
	}
	w.wantWords("Nothing was saved", "This is not in the form that the field takes.")
	w.visit("/")
	w.wantWords("Data of Ledger Sync was changed on an invoice")
}

func TestBusinessStoredMarkupIsText(t *testing.T) {
	holdChromium(t)
	n := startBusiness(t)
	loadHostile(t, n)
	w := openOn(t, n)
	n.hostileRecords(t)
	w.signInAs(hostileEmail, hostilePassword)
	for _, path := range []string{"/", "/invoices", "/customers", "/members", "/settings", "/apps", "/reports/aged-receivables"} {
		if status := w.visit(path); status != 200 {
			t.Fatalf("%s: %d", path, status)
		}
		if eval[bool](w, `!!document.querySelector("main script, main i, main s, main u, [onerror]") || document.title == "owned"`) {
			t.Errorf("%s: stored markup acts:\n%s", path, w.text("main"))
		}
		if strings.ContainsAny(w.text("body"), "\u202e\x1b") {
			t.Errorf("%s: characters that hide or turn text are in the page", path)
		}
	}
	w.visit("/customers")
	w.wantWords("<img src=x onerror=alert(1)> \ufffdtxt.exe\ufffd")
	w.followFirst("tbody th a")
	w.wantWords("<img src=x onerror=alert(1)>", "<s>App</s> for <i>Mallory</i>")
}
