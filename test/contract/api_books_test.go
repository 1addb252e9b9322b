package contract_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/test/harness"
)

// resource is a sort of record with the calls that every sort has.
type resource struct {
	path, prefix string
	body         object // to create one
	patch        object // to change it
	states       bool   // it can be archived and restored
	members      string // that are always there
}

// resources are what an app keeps in a business's books.
func (n *apiNode) resources(l library) []resource {
	return []resource{
		{"/customers", "cus_", object{"displayName": " Ada  ", "email": "ada@example.test", "billingAddress": object{"city": "Delft", "country": "NL"}, "externalId": "c"},
			object{"displayName": "Ada Byron", "billingAddress": object{"city": nil, "line1": "Oude Delft 1"}}, true,
			"type displayName legalName firstName lastName email phone taxNumber currency billingAddress shippingAddress paymentTermsDays defaultTaxRateId notes status balance"},
		{"/suppliers", "sup_", object{"displayName": "Mill", "address": object{"city": "Delft"}, "externalId": "s"}, object{"notes": "Closed on Mondays"}, true,
			"type displayName legalName firstName lastName email phone taxNumber currency address paymentTermsDays defaultTaxRateId notes status balance"},
		{"/accounts", "acc_", object{"code": "4100", "name": "Bread", "type": "REVENUE", "subtype": "SALES", "externalId": "a"}, object{"name": "Bread and cake"}, true,
			"code name type subtype normalBalance currency description defaultTaxRateId systemRole status balance"},
		{"/journal-entries", "jrn_", object{"date": today(n), "draft": true, "externalId": "j", "lines": []object{{"accountId": l.bank, "debit": 7}, {"accountId": l.account, "credit": 7}}},
			object{"memo": "From bank to till"}, false, "number date memo status lines source reversalOfId reversedById debitTotal creditTotal"},
		{"/invoices", "inv_", object{"customerId": l.customer, "externalId": "i", "lines": []object{line("3.50")}}, object{"notes": "Thank you"}, false,
			"number status overdue customerId billTo issueDate dueDate currency exchangeRate taxMode taxRounding lines reference notes subtotal discountTotal taxTotal total " +
				"taxSummary amountPaid amountWrittenOff amountDue issuedAt sentAt paidAt voidedAt voidReason journalEntryId source"},
		{"/payments", "pay_", object{"kind": "RECEIPT", "date": today(n), "amount": 99, "bankAccountId": l.bank, "customerId": l.customer, "externalId": "p"},
			object{"memo": "In coins"}, false,
			"kind date amount currency exchangeRate method bankAccountId customerId supplierId allocations reference memo allocatedAmount unallocatedAmount refundedAmount " +
				"refundOfPaymentId status"},
	}
}

var (
	ulid    = regexp.MustCompile(`^[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}$`)
	instant = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)
)

// TestWhatAnAppKeeps proves BUSI-01: each sort of record has a whole life behind its scopes.
func TestWhatAnAppKeeps(t *testing.T) {
	eachAPI(t, func(t *testing.T, n *apiNode) {
		l := n.fill(t, n.by(t, fullApp, "olivia", "shop"))
		for _, r := range n.resources(l) {
			t.Run("BUSI-01 "+r.path, func(t *testing.T) { life(t, n, r) })
		}
		t.Run("lists", func(t *testing.T) { lists(t, n) })
		t.Run("read only", func(t *testing.T) { readOnly(t, n, l) })
	})
}

// tagged proves that an answer shows a record in a version, and gives it.
func tagged(t *testing.T, a harness.Answer, status int, version float64) object {
	t.Helper()
	o := said(t, a, status)
	if o["version"] != version || a.Header.Get("ETag") != `"`+shown(version)+`"` {
		t.Errorf("want version %v, got %v with ETag %s", version, o["version"], a.Header.Get("ETag"))
	}
	if at, _ := o["updatedAt"].(string); !instant.MatchString(at) || !instant.MatchString(o["createdAt"].(string)) {
		t.Errorf("createdAt %v, updatedAt %v", o["createdAt"], o["updatedAt"])
	}
	return o
}

func life(t *testing.T, n *apiNode, r resource) {
	// With the scope to write alone one creates and changes, with that to read one reads: neither implies the other.
	scope := map[string]string{"/journal-entries": "journal"}[r.path]
	if scope == "" {
		scope = r.path[1:]
	}
	writer, reader := n.by(t, fullApp, "olivia", "shop", scope+":write"), n.by(t, fullApp, "olivia", "shop", scope+":read")
	made := writer.do(t, "POST", r.path, r.body)
	first := tagged(t, made, http.StatusCreated, 1)
	id := n.id(first)
	one := r.path + "/" + id
	if !ulid.MatchString(id) || !strings.HasPrefix(id, r.prefix) || first["externalId"] != r.body["externalId"] {
		t.Errorf("made %v", first)
	}
	members(t, r.path, first, r.members, "")
	if want := len(strings.Fields(r.members)) + 5; len(first) != want {
		t.Errorf("%d members, documented are %d: %v", len(first), want, first)
	}
	refused(t, reader.do(t, "POST", r.path, r.body), http.StatusForbidden, "INSUFFICIENT_SCOPE")
	refused(t, writer.do(t, "GET", one, nil), http.StatusForbidden, "INSUFFICIENT_SCOPE")
	if shown := reader.do(t, "GET", one, nil); shown.Body != made.Body {
		t.Errorf("made\n%s\nshown\n%s", made.Body, shown.Body)
	}
	for _, query := range []string{"externalId=" + r.body["externalId"].(string), "ids=" + id, "limit=1", "updatedSince=" + first["updatedAt"].(string)} {
		found := reader.get(t, r.path+"?"+query)["data"].([]any)
		if len(found) == 0 || !slices.ContainsFunc(found, func(f any) bool { return same(f, first) }) {
			t.Errorf("?%s finds %v", query, found)
		}
	}
	if found := reader.listed(t, r.path+"?updatedSince="+n.time(t).Add(time.Hour).Format(time.RFC3339)); len(found) != 0 {
		t.Errorf("changed in an hour's time: %v", found)
	}

	refused(t, writer.and("If-Match", `"2"`).do(t, "PATCH", one, r.patch), http.StatusPreconditionFailed, "VERSION_CONFLICT")
	second := tagged(t, writer.and("If-Match", `"1"`).do(t, "PATCH", one, r.patch), http.StatusOK, 2)
	for name, value := range r.patch {
		if o, ok := value.(object); ok {
			if first, second := first[name].(object), second[name].(object); second["line1"] != o["line1"] || second["city"] != nil || second["country"] != first["country"] {
				t.Errorf("merged into %v", second)
			}
		} else if second[name] != value {
			t.Errorf("%s is %v, want %v", name, second[name], value)
		}
	}
	tagged(t, writer.do(t, "PATCH", one, r.patch), http.StatusOK, 2) // nothing changes, so it stays what it is
	tagged(t, writer.do(t, "PATCH", one, object{}), http.StatusOK, 2)
	version := 2.0
	if r.states {
		if o := tagged(t, writer.do(t, "POST", one+"/archive", nil), http.StatusOK, 3); o["status"] != "ARCHIVED" {
			t.Error(o)
		}
		if o := tagged(t, writer.do(t, "POST", one+"/restore", nil), http.StatusOK, 4); o["status"] != "ACTIVE" {
			t.Error(o)
		}
		version = 4
	}
	if o := tagged(t, reader.do(t, "GET", one, nil), http.StatusOK, version); o["createdAt"] != first["createdAt"] {
		t.Error(o)
	}
	t.Run("BUSI-01 another externalId is a change too", func(t *testing.T) {
		if o := tagged(t, writer.do(t, "PATCH", one, object{"externalId": nil}), http.StatusOK, version+1); o["externalId"] != nil {
			t.Error(o)
		}
	})
	gone(t, writer.do(t, "DELETE", one, nil))
	refused(t, reader.do(t, "GET", one, nil), http.StatusNotFound, "NOT_FOUND")
	refused(t, writer.do(t, "DELETE", one, nil), http.StatusNotFound, "NOT_FOUND")
	refused(t, writer.do(t, "PATCH", one, r.patch), http.StatusNotFound, "NOT_FOUND")
	if found := reader.listed(t, r.path+"?ids="+id); len(found) != 0 {
		t.Errorf("deleted, and listed: %v", found)
	}
}

// lists proves how pages lead on.
func lists(t *testing.T, n *apiNode) {
	app := n.by(t, fullApp, "olivia", "store")
	var made []string
	for _, name := range []string{"Eve", "ada", "Bob", "Dan", "Bob", "Cy", "Ada"} {
		made = append(made, n.id(app.make(t, "/customers", object{"displayName": name})))
	}
	read := func(query string) (ids, names []string) {
		cursor := ""
		for {
			page := app.get(t, "/customers?limit=2&"+query+cursor)
			list := page["data"].([]any)
			for _, one := range list {
				ids, names = append(ids, one.(object)["id"].(string)), append(names, one.(object)["displayName"].(string))
			}
			if page["hasMore"] == false {
				if page["nextCursor"] != nil || len(list) == 0 {
					t.Errorf("the last page: %v", page)
				}
				return ids, names
			}
			if len(list) != 2 {
				t.Errorf("a page of %d", len(list))
			}
			cursor = "&cursor=" + page["nextCursor"].(string)
		}
	}
	t.Run("BUSI-01 page by page, each record once: the last made first", func(t *testing.T) {
		backwards := slices.Clone(made)
		slices.Reverse(backwards)
		if got, _ := read(""); !slices.Equal(got, backwards) {
			t.Errorf("%q, want %q", got, backwards)
		}
		if got, _ := read("sort=createdAt"); !slices.Equal(got, made) {
			t.Errorf("%q, want %q", got, made)
		}
	})
	t.Run("BUSI-01 in another order, the id deciding between equals", func(t *testing.T) {
		ids, up := read("sort=displayName")
		_, down := read("sort=-displayName")
		slices.Reverse(down)
		if !slices.Equal(up, down) || len(up) != 7 || len(slices.Compact(slices.Sorted(slices.Values(ids)))) != 7 {
			t.Errorf("up %q, down %q", up, down)
		}
	})
	t.Run("BUSI-01 what is made meanwhile does not disturb a reader", func(t *testing.T) {
		page := app.get(t, "/customers?limit=3")
		app.make(t, "/customers", object{"displayName": "Late"})
		rest := app.get(t, "/customers?limit=100&cursor="+page["nextCursor"].(string))["data"].([]any)
		if len(rest) != 4 {
			t.Errorf("%d are left of 7 after 3", len(rest))
		}
	})
	t.Run("BUSI-01 a cursor leads on in its own list only", func(t *testing.T) {
		next := app.get(t, "/customers?limit=2&status=ACTIVE")["nextCursor"].(string)
		app.get(t, "/customers?limit=5&status=ACTIVE&cursor="+next)
		for _, other := range []string{"/customers?status=ARCHIVED&cursor=", "/customers?cursor=", "/customers?status=ACTIVE&sort=displayName&cursor=", "/suppliers?status=ACTIVE&cursor="} {
			refused(t, app.do(t, "GET", other+next, nil), http.StatusBadRequest, "INVALID_CURSOR")
		}
	})
	t.Run("BUSI-01 looked for by the beginning of the name", func(t *testing.T) {
		if _, names := read("q=ad"); !slices.Equal(slices.Sorted(slices.Values(names)), []string{"Ada", "ada"}) {
			t.Errorf("found %q", names)
		}
	})
}

// readOnly proves the resources that an app only reads.
func readOnly(t *testing.T, n *apiNode, l library) {
	app := n.by(t, fullApp, "olivia", "shop")
	t.Run("BUSI-01 the chart of accounts is there from the start", func(t *testing.T) {
		want := map[string]any{
			"1000": "DEFAULT_BANK", "1100": "RECEIVABLE", "1150": "SUPPLIER_PREPAYMENT", "1180": "INPUT_TAX", "2000": "PAYABLE", "2100": "OUTPUT_TAX",
			"2150": "CUSTOMER_CREDIT", "3000": nil, "3100": "RETAINED_EARNINGS", "3900": "OPENING_BALANCE", "4000": "DEFAULT_SALES", "4900": nil, "5000": nil,
			"6000": nil, "6800": "BAD_DEBT", "6900": "FX_GAIN_LOSS", "6950": "ROUNDING",
		}
		found := 0
		for _, a := range app.listed(t, "/accounts") {
			if role, ok := want[a["code"].(string)]; ok {
				found++
				if a["systemRole"] != role {
					t.Errorf("%v has the role %v, want %v", a["code"], a["systemRole"], role)
				}
			}
		}
		if found != len(want) {
			t.Errorf("%d of %d accounts", found, len(want))
		}
	})
	t.Run("BUSI-01 what was posted to an account, with its balance after each line", func(t *testing.T) {
		balance := 0.0
		for _, one := range app.listed(t, "/accounts/"+l.bank+"/ledger") {
			balance += one["debit"].(float64) - one["credit"].(float64)
			if one["balance"] != balance {
				t.Errorf("after %v the balance is %v", one, balance)
			}
		}
		if got := app.get(t, "/accounts/"+l.bank+"?include=balance")["balance"]; got != balance || balance != 400 {
			t.Errorf("the balance is %v, its lines say %v", got, balance)
		}
	})
	t.Run("BUSI-01 reports agree with the books", func(t *testing.T) {
		profit, sheet, aged := app.get(t, "/reports/profit-and-loss"), app.get(t, "/reports/balance-sheet"), app.get(t, "/reports/aged-receivables")
		total := func(section string) float64 { return sheet[section].(object)["total"].(float64) }
		if profit["revenueTotal"] != 1000.0 || profit["netProfit"] != 1000.0 || total("assets") != total("liabilities")+total("equity") || total("assets") != 1000 {
			t.Errorf("%v\n%v", profit, sheet)
		}
		if got := aged["totals"].(object)["total"]; got != 600.0 {
			t.Errorf("customers owe %v", got)
		}
	})
	t.Run("BUSI-01 an invoice as a PDF", func(t *testing.T) {
		a := app.do(t, "GET", "/invoices/"+l.invoice+"/pdf", nil)
		if a.Status != http.StatusOK || a.Header.Get("Content-Type") != "application/pdf" || !strings.HasPrefix(a.Body, "%PDF-") {
			t.Errorf("%d %s %.20q", a.Status, a.Header.Get("Content-Type"), a.Body)
		}
		limitHeaders(t, a)
	})
	t.Run("BUSI-01 the rates of tax of the country", func(t *testing.T) {
		app.rate(t, "21")
		app.rate(t, "9")
	})
}
