package partnerapi

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/platform/event"
	"daybook/internal/tenancy/business"
)

// walk does something on every route that apps have, with success, and gives each answer to look at.
func walk(w *world, token string, look func(route string, a answer)) {
	w.t.Helper()
	do := func(status int, method, route, path string, body any) answer {
		w.t.Helper()
		a := w.call(bearer(token), method, path, body).is(status, "")
		look(method+" "+route, a)
		return a
	}
	do(200, "GET", "/me", "/me", nil)
	do(200, "GET", "/business", "/business", nil)
	do(200, "GET", "/books/lock", "/books/lock", nil)

	rates := do(200, "GET", "/tax-rates", "/tax-rates", nil).object()["data"].([]any)
	rate := rates[0].(object)["id"].(string)
	do(200, "GET", "/tax-rates/{id}", "/tax-rates/"+rate, nil)

	account := do(201, "POST", "/accounts", "/accounts", object{"code": "4100", "name": "Bread", "type": "REVENUE", "subtype": "SALES", "externalId": "a1"}).text("id")
	do(200, "GET", "/accounts", "/accounts?include=balance&asOf=2026-12-31&limit=100", nil)
	do(200, "GET", "/accounts/{id}", "/accounts/"+account+"?include=balance", nil)
	do(200, "PATCH", "/accounts/{id}", "/accounts/"+account, object{"description": "Loaves"})
	do(200, "POST", "/accounts/{id}/archive", "/accounts/"+account+"/archive", nil)
	do(200, "POST", "/accounts/{id}/restore", "/accounts/"+account+"/restore", nil)
	bank, capital := w.account(token, "1000"), w.account(token, "3000")

	entry := object{"date": "2026-11-01", "draft": true, "lines": []object{{"accountId": bank, "debit": 5000}, {"accountId": capital, "credit": 5000}}}
	draft := do(201, "POST", "/journal-entries", "/journal-entries", entry).text("id")
	do(200, "PATCH", "/journal-entries/{id}", "/journal-entries/"+draft, object{"memo": "Start"})
	do(200, "POST", "/journal-entries/{id}/post", "/journal-entries/"+draft+"/post", nil)
	do(201, "POST", "/journal-entries/{id}/reverse", "/journal-entries/"+draft+"/reverse", object{"date": "2026-11-02", "memo": "Back"})
	do(200, "GET", "/journal-entries/{id}", "/journal-entries/"+draft, nil)
	second := do(201, "POST", "/journal-entries", "/journal-entries", entry).text("id")
	do(204, "DELETE", "/journal-entries/{id}", "/journal-entries/"+second, nil)
	do(200, "GET", "/journal-entries", "/journal-entries?status=REVERSED", nil)
	do(200, "GET", "/accounts/{id}/ledger", "/accounts/"+bank+"/ledger?dateFrom=2026-01-01", nil)

	var parties []string
	for _, p := range []struct{ path, address string }{{"/customers", "billingAddress"}, {"/suppliers", "address"}} {
		id := do(201, "POST", p.path, p.path, object{"displayName": "Ada", "externalId": "e1", p.address: object{"city": "Utrecht", "country": "NL"}}).text("id")
		parties = append(parties, id)
		changed := do(200, "PATCH", p.path+"/{id}", p.path+"/"+id, object{p.address: object{"line1": "Oudegracht 1"}, "notes": "x"}).object()
		if a := changed[p.address].(object); a["city"] != "Utrecht" || a["line1"] != "Oudegracht 1" || a["region"] != nil {
			w.t.Errorf("the address: %v", a)
		}
		do(200, "POST", p.path+"/{id}/archive", p.path+"/"+id+"/archive", nil)
		do(200, "POST", p.path+"/{id}/restore", p.path+"/"+id+"/restore", nil)
		do(200, "GET", p.path+"/{id}", p.path+"/"+id, nil)
		if list := do(200, "GET", p.path, p.path+"?externalId=e1&q=ad", nil).object()["data"].([]any); len(list) != 1 {
			w.t.Errorf("%s: %d found", p.path, len(list))
		}
		spare := do(201, "POST", p.path, p.path, object{"displayName": "Spare"}).text("id")
		do(204, "DELETE", p.path+"/{id}", p.path+"/"+spare, nil)
	}
	customer, supplier := parties[0], parties[1]

	wanted := object{"customerId": customer, "lines": []object{{"description": "Bread", "quantity": "3", "unitPrice": "10.07", "accountId": account, "taxRateId": rate}}}
	preview := do(200, "POST", "/invoices/preview", "/invoices/preview", wanted)
	if preview.object()["id"] != nil || preview.Header().Get("ETag") != "" {
		w.t.Errorf("a preview with a name: %s", preview.Body)
	}
	var invoices []string
	for range 4 {
		id := do(201, "POST", "/invoices", "/invoices", wanted).text("id")
		invoices = append(invoices, id)
		do(200, "PATCH", "/invoices/{id}", "/invoices/"+id, object{"reference": "PO-1"})
	}
	for _, id := range invoices[:3] {
		do(200, "POST", "/invoices/{id}/issue", "/invoices/"+id+"/issue", nil)
	}
	do(200, "GET", "/invoices/{id}", "/invoices/"+invoices[0], nil)
	do(200, "POST", "/invoices/{id}/send", "/invoices/"+invoices[0]+"/send", object{"channel": "LINK"})
	do(200, "POST", "/invoices/{id}/void", "/invoices/"+invoices[1]+"/void", object{"reason": "Wrong"})
	do(200, "POST", "/invoices/{id}/write-off", "/invoices/"+invoices[2]+"/write-off", nil)
	do(204, "DELETE", "/invoices/{id}", "/invoices/"+invoices[3], nil)
	do(200, "GET", "/invoices", "/invoices?sort=-total&limit=2", nil)

	paid := do(201, "POST", "/payments", "/payments", object{
		"kind": "RECEIPT", "date": "2026-11-14", "amount": 5000, "bankAccountId": bank, "customerId": customer, "allocations": []object{{"invoiceId": invoices[0], "amount": 1000}},
	})
	id := paid.text("id")
	allocation := paid.object()["allocations"].([]any)[0].(object)["id"].(string)
	do(200, "DELETE", "/payments/{id}/allocations/{allocationId}", "/payments/"+id+"/allocations/"+allocation, nil)
	do(200, "POST", "/payments/{id}/allocations", "/payments/"+id+"/allocations", object{"allocations": []object{{"invoiceId": invoices[0]}}})
	do(200, "PATCH", "/payments/{id}", "/payments/"+id, object{"memo": "Thanks"})
	refund := do(201, "POST", "/payments/{id}/refund", "/payments/"+id+"/refund", object{"amount": 10, "date": "2026-11-14"}).text("id")
	do(200, "GET", "/payments/{id}", "/payments/"+id, nil)
	do(200, "GET", "/payments", "/payments?invoiceId="+invoices[0], nil)
	do(204, "DELETE", "/payments/{id}", "/payments/"+refund+"?reversalDate=2026-11-14", nil)
	do(201, "POST", "/payments", "/payments", object{"kind": "DISBURSEMENT", "date": "2026-11-14", "amount": 700, "bankAccountId": bank, "supplierId": supplier})

	unused := do(201, "POST", "/accounts", "/accounts", object{"code": "4200", "name": "Cake", "type": "REVENUE"}).text("id")
	do(204, "DELETE", "/accounts/{id}", "/accounts/"+unused, nil)
	do(200, "GET", "/versions", "/versions", nil)

	imported := do(200, "POST", "/invoices/bulk-import", "/invoices/bulk-import", object{"invoices": []object{
		{"externalId": "i1", "customer": object{"externalId": "c9", "displayName": "Eve"}, "issue": true, "lines": []object{{"description": "Cake", "unitPrice": "5"}},
			"payment": object{"date": "2026-11-14", "amount": 500, "bankAccountId": bank}},
		{"externalId": "i2", "customerId": customer, "surprise": true},
	}}).object()
	if got := fmt.Sprint(imported["summary"]); got != "map[created:1 failed:1 received:2 skipped:0]" {
		w.t.Errorf("the import: %v", imported)
	}
	for _, report := range []string{"trial-balance?asOf=2026-12-31", "profit-and-loss?from=2026-01-01&to=2026-12-31", "balance-sheet", "aged-receivables"} {
		name, _, _ := strings.Cut(report, "?")
		do(200, "GET", "/reports/"+name, "/reports/"+report, nil)
	}
	if pdf := do(200, "GET", "/invoices/{id}/pdf", "/invoices/"+invoices[0]+"/pdf", nil); !strings.HasPrefix(pdf.Body.String(), "%PDF-") {
		w.t.Errorf("no PDF: %.20q", pdf.Body)
	}
	kept := do(200, "PUT", "/app-data", "/app-data", w.values(customer)).object()["data"].([]any)[0].(object)["id"].(string)
	do(200, "GET", "/app-data", "/app-data?resourceIds="+customer+"&keys=note", nil)
	do(204, "DELETE", "/app-data/{id}", "/app-data/"+kept, nil)
	told := do(200, "GET", "/events", "/events?limit=1", nil).text("nextCursor")
	do(200, "GET", "/events/{id}", "/events/"+told, nil)
}

// BUSI-01: everything that the table offers to apps works.
func TestEveryPartnerRouteWorks(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		walked := map[string]bool{}
		walk(w, w.all(), func(route string, a answer) {
			walked[route] = true
			if strings.HasSuffix(route, "/pdf") {
				return
			}
			versioned := a.Code != 204 && a.object()["version"] != nil
			if etag := a.Header().Get("ETag"); versioned != (etag != "") && !strings.HasSuffix(route, "/preview") || versioned && etag != "" && etag != fmt.Sprintf(`"%v"`, a.object()["version"]) {
				t.Errorf("%s has ETag %q: %s", route, etag, a.Body)
			}
		})
		for _, r := range w.api.Routes() {
			if r.Partner && !walked[r.pattern()] {
				t.Errorf("%s was not tried", r.pattern())
			}
		}
		// Double entry holds whatever was done (INVO-04).
		var debits, credits int
		must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
			debits, err = db.One(ctx, tx, db.Value[int], `SELECT CAST(sum(debit) AS BIGINT) FROM journal_lines`)
			if err != nil {
				return err
			}
			credits, err = db.One(ctx, tx, db.Value[int], `SELECT CAST(sum(credit) AS BIGINT) FROM journal_lines`)
			return err
		}))
		if debits != credits || debits == 0 {
			t.Errorf("debits %d, credits %d", debits, credits)
		}
	})
}

// CALL-06: an id of another business is an id of nothing.
func TestARecordOfAnotherBusinessIsNotThere(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		w.api.Limits = generous{}
		mine := w.all()
		customer := w.customer(mine)
		invoice, bank := w.invoice(mine, customer), w.account(mine, "1000")
		supplier := w.call(bearer(mine), "POST", "/suppliers", object{"displayName": "Bob"}).text("id")
		paid := w.call(bearer(mine), "POST", "/payments", object{"kind": "RECEIPT", "date": "2026-11-14", "amount": 5, "bankAccountId": bank, "customerId": customer,
			"allocations": []object{{"invoiceId": invoice}}}).is(201, "")
		entries := w.call(bearer(mine), "GET", "/journal-entries", nil).object()["data"].([]any)
		rates := w.call(bearer(mine), "GET", "/tax-rates", nil).object()["data"].([]any)
		ids := map[string]string{
			"customers": customer, "suppliers": supplier, "invoices": invoice, "payments": paid.text("id"), "accounts": bank,
			"journal-entries": entries[0].(object)["id"].(string), "tax-rates": rates[0].(object)["id"].(string),
			"app-data": w.call(bearer(mine), "PUT", "/app-data", w.values(customer)).is(200, "").object()["data"].([]any)[0].(object)["id"].(string),
			"events":   w.call(bearer(mine), "GET", "/events?limit=1", nil).is(200, "").text("nextCursor"),
		}
		stranger := w.Person(t)
		theirs := w.token(w.newShop(business.New{Name: "Other", Country: "NL", Currency: "EUR"}, stranger), stranger, everything...)
		tried := 0
		for _, r := range w.api.Routes() {
			if !r.Partner || !strings.Contains(r.Path, "{id}") {
				continue
			}
			resource := strings.Split(r.Path, "/")[1]
			path := strings.NewReplacer("{id}", ids[resource], "{allocationId}", "alc_x").Replace(r.Path)
			unknown := strings.NewReplacer("{id}", "x", "{allocationId}", "alc_x").Replace(r.Path)
			body := bodyFor(r.pattern(), invoice)
			foreign, absent := w.call(bearer(theirs), r.Method, path, body), w.call(bearer(theirs), r.Method, unknown, body)
			foreign.is(404, cmp.Or(map[string]string{"events": "EVENT_NOT_FOUND", "app-data": "APP_DATA_VALUE_NOT_FOUND"}[resource], "NOT_FOUND"))
			if foreign.Body.String() != absent.Body.String() {
				t.Errorf("%s tells them apart: %s and %s", r.pattern(), foreign.Body, absent.Body)
			}
			tried++
		}
		if tried < 30 {
			t.Errorf("only %d routes were tried", tried)
		}
		for _, list := range []string{"/customers", "/invoices", "/payments", "/suppliers"} {
			if got := w.call(bearer(theirs), "GET", list+"?ids="+ids[list[1:]], nil).is(200, "").object()["data"].([]any); len(got) != 0 {
				t.Errorf("%s shows another business's: %v", list, got)
			}
		}
		w.call(bearer(theirs), "POST", "/invoices", object{"customerId": customer, "lines": []object{{"description": "x", "unitPrice": "1"}}}).is(400, "REFERENCE_NOT_FOUND")
	})
}

// bodyFor is a body that is right by itself.
func bodyFor(route, invoice string) any {
	switch {
	case strings.HasSuffix(route, "/send"):
		return object{"channel": "LINK"}
	case strings.HasSuffix(route, "/refund"):
		return object{"amount": 1, "date": "2026-11-14"}
	case strings.HasSuffix(route, "/allocations"):
		return object{"allocations": []object{{"invoiceId": invoice}}}
	case strings.HasPrefix(route, "PATCH"):
		return object{}
	}
	return nil
}

func TestPagesOfAList(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		token := w.all()
		for i := range 5 {
			w.call(bearer(token), "POST", "/customers", object{"displayName": fmt.Sprint("Customer ", i)}).is(201, "")
		}
		var names []string
		path := "/customers?limit=2&sort=displayName"
		for range 4 {
			page := w.call(bearer(token), "GET", path, nil).is(200, "").object()
			for _, one := range page["data"].([]any) {
				names = append(names, one.(object)["displayName"].(string))
			}
			if (page["nextCursor"] != nil) != (page["hasMore"] == true) {
				t.Fatalf("%v", page)
			}
			if page["hasMore"] != true {
				break
			}
			path = "/customers?limit=2&sort=displayName&cursor=" + page["nextCursor"].(string)
		}
		if got := strings.Join(names, ","); got != "Customer 0,Customer 1,Customer 2,Customer 3,Customer 4" {
			t.Error(got)
		}
		w.call(bearer(token), "GET", path+"&status=ACTIVE", nil).is(400, "INVALID_CURSOR")
		if got := w.call(bearer(token), "GET", "/suppliers", nil).Body.String(); got != `{"data":[],"hasMore":false,"nextCursor":null}` {
			t.Errorf("an empty list: %s", got)
		}
	})
}

// INVO-02: the refusal names the plan and its limit, and is told once.
func TestThePlansCeiling(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		w.api.Invoices.Plans = &business.Plans{List: []business.Plan{{Key: "SCALE", InvoicesPerYear: 1}}, Year: "CALENDAR", Basis: "NET"}
		token := w.all()
		customer := w.customer(token)
		draft := object{"customerId": customer, "lines": []object{{"description": "x", "unitPrice": "1"}}}
		id := w.call(bearer(token), "POST", "/invoices", draft).is(201, "").text("id")
		for i := range 2 {
			got := w.call(keyed(token, "refused"), "POST", "/invoices", draft).is(403, "PLAN_INVOICE_LIMIT_REACHED")
			if p := got.object()["params"].(object); p["p0"] != "SCALE" || fmt.Sprint(p["p1"]) != "1" || strings.HasPrefix(got.text("message"), "Insufficient") {
				t.Errorf("%s", got.Body)
			}
			if kept := got.Header().Get("Idempotent-Replayed") == "true"; kept != (i == 1) {
				t.Errorf("time %d: replayed %v", i, kept)
			}
		}
		w.call(bearer(token), "POST", "/invoices", draft).is(403, "PLAN_INVOICE_LIMIT_REACHED")
		if n := w.events(event.PlanLimitReached); n != 1 {
			t.Errorf("told %d times", n)
		}
		w.call(bearer(token), "POST", "/invoices/"+id+"/issue", nil).is(200, "") // only new ones are blocked
		plan := w.call(header{"Cookie", w.cookie(w.owner)}, "GET", "/plan", nil).is(200, "").object()
		if plan["plan"] != "SCALE" || fmt.Sprint(plan["invoices"], plan["invoiceLimit"]) != "11" || plan["periodEnd"] != "2026-12-31" {
			t.Errorf("%v", plan)
		}
	})
}
