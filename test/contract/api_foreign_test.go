package contract_test

import (
	"net/http"
	"strings"
	"testing"

	"daybook/test/harness"
)

// library is one record of each kind in a business's books.
type library struct {
	customer, supplier, draft, invoice, payment, allocation, account, entry, rate, bank string
}

// fill makes a library with an owner's token.
func (n *apiNode) fill(t testing.TB, c caller) library {
	t.Helper()
	l := library{bank: c.account(t, "1000")}
	l.customer = n.id(c.make(t, "/customers", object{"displayName": "Ada"}))
	l.supplier = n.id(c.make(t, "/suppliers", object{"displayName": "Mill"}))
	l.draft = n.id(c.make(t, "/invoices", object{"customerId": l.customer, "lines": []object{line("5")}}))
	l.invoice = n.id(c.make(t, "/invoices", object{"customerId": l.customer, "lines": []object{line("10")}, "issue": true}))
	paid := c.make(t, "/payments", object{
		"kind": "RECEIPT", "date": today(n), "amount": 400, "bankAccountId": l.bank, "customerId": l.customer, "allocations": []object{{"invoiceId": l.invoice}},
	})
	l.payment, l.allocation = n.id(paid), paid["allocations"].([]any)[0].(object)["id"].(string)
	l.account = n.id(c.make(t, "/accounts", object{"code": "1010", "name": "Till", "type": "ASSET", "subtype": "CASH"}))
	l.entry = n.id(c.make(t, "/journal-entries", object{"date": today(n), "draft": true, "lines": []object{
		{"accountId": l.bank, "debit": 100}, {"accountId": l.account, "credit": 100},
	}}))
	l.rate = c.listed(t, "/tax-rates")[0]["id"].(string)
	return l
}

// today is the day on which the node was started. The businesses of the API's world live in UTC.
func today(n *apiNode) string { return n.Now.UTC().Format("2006-01-02") }

// records reads all of a library, to see later whether it was touched.
func (l library) records(t testing.TB, c caller) string {
	t.Helper()
	var b strings.Builder
	for _, path := range []string{
		"/customers/" + l.customer, "/suppliers/" + l.supplier, "/invoices/" + l.draft, "/invoices/" + l.invoice, "/payments/" + l.payment,
		"/accounts/" + l.account, "/journal-entries/" + l.entry, "/tax-rates/" + l.rate,
	} {
		a := c.do(t, "GET", path, nil)
		if a.Status != http.StatusOK {
			t.Errorf("%s: %d %s", path, a.Status, a.Body)
		}
		b.WriteString(a.Body)
	}
	return b.String()
}

// missing is an id of the same kind that nobody has.
func missing(id string) string { return id[:strings.Index(id, "_")+1] + nowhere }

// foreignIDs proves CALL-06: what another business has looks exactly like what nobody has.
func foreignIDs(t *testing.T, n *apiNode) {
	here, there := n.by(t, fullApp, "olivia", "store"), n.by(t, fullApp, "olivia", "stall") // the same app and person in both
	own, foreign := n.fill(t, here), n.fill(t, there)
	before := foreign.records(t, there)

	// alike makes a call with another business's id, and with nobody's, and compares all that is answered.
	alike := func(t *testing.T, method, path, id string, body object, status int) harness.Answer {
		t.Helper()
		answer := func(id string) harness.Answer {
			filled := object{}
			for name, value := range body {
				filled[name] = fillIn(value, id)
			}
			var sent any
			if body != nil {
				sent = filled
			}
			return here.do(t, method, strings.ReplaceAll(path, "{}", id), sent)
		}
		a, b := answer(id), answer(missing(id))
		if a.Status != status {
			t.Errorf("%s %s: want %d, got %d %.300q", method, path, status, a.Status, a.Body)
		}
		if a.Status != b.Status || strings.ReplaceAll(a.Body, id, "…") != strings.ReplaceAll(b.Body, missing(id), "…") {
			t.Errorf("%s %s tells them apart:\n%d %.300q\n%d %.300q", method, path, a.Status, a.Body, b.Status, b.Body)
		}
		first, second := a.Header.Clone(), b.Header.Clone()
		for _, name := range []string{"Request-Id", "Date", "RateLimit-Remaining", "RateLimit-Reset"} {
			first.Del(name)
			second.Del(name)
		}
		if !same(first, second) {
			t.Errorf("%s %s: headers tell them apart:\n%v\n%v", method, path, first, second)
		}
		return a
	}
	send := object{"channel": "EXTERNAL"}
	refund := object{"amount": 1, "date": today(n)}
	for _, c := range []struct {
		call, id string
		body     object
	}{
		{"GET /customers/{}", foreign.customer, nil}, {"PATCH /customers/{}", foreign.customer, object{"displayName": "Mine"}},
		{"DELETE /customers/{}", foreign.customer, nil}, {"POST /customers/{}/archive", foreign.customer, nil},
		{"POST /customers/{}/restore", foreign.customer, nil},
		{"GET /suppliers/{}", foreign.supplier, nil}, {"PATCH /suppliers/{}", foreign.supplier, object{"displayName": "Mine"}},
		{"DELETE /suppliers/{}", foreign.supplier, nil}, {"POST /suppliers/{}/archive", foreign.supplier, nil},
		{"POST /suppliers/{}/restore", foreign.supplier, nil},
		{"GET /invoices/{}", foreign.draft, nil}, {"GET /invoices/{}", foreign.invoice, nil}, {"GET /invoices/{}/pdf", foreign.invoice, nil},
		{"PATCH /invoices/{}", foreign.draft, object{"notes": "Mine"}}, {"PATCH /invoices/{}", foreign.invoice, object{"notes": "Mine"}},
		{"DELETE /invoices/{}", foreign.draft, nil}, {"DELETE /invoices/{}", foreign.invoice, nil}, {"POST /invoices/{}/issue", foreign.draft, nil},
		{"POST /invoices/{}/send", foreign.invoice, send}, {"POST /invoices/{}/void", foreign.invoice, nil}, {"POST /invoices/{}/void", foreign.draft, nil},
		{"POST /invoices/{}/write-off", foreign.invoice, nil},
		{"GET /payments/{}", foreign.payment, nil}, {"PATCH /payments/{}", foreign.payment, object{"memo": "Mine"}}, {"DELETE /payments/{}", foreign.payment, nil},
		{"POST /payments/{}/refund", foreign.payment, refund},
		{"POST /payments/{}/allocations", foreign.payment, object{"allocations": []object{{"invoiceId": own.invoice}}}},
		{"DELETE /payments/{}/allocations/" + foreign.allocation, foreign.payment, nil},
		{"DELETE /payments/" + own.payment + "/allocations/{}", foreign.allocation, nil},
		{"GET /accounts/{}", foreign.account, nil}, {"GET /accounts/{}?include=balance", foreign.account, nil}, {"GET /accounts/{}/ledger", foreign.bank, nil},
		{"PATCH /accounts/{}", foreign.account, object{"name": "Mine"}}, {"DELETE /accounts/{}", foreign.account, nil},
		{"POST /accounts/{}/archive", foreign.account, nil}, {"POST /accounts/{}/restore", foreign.account, nil},
		{"GET /journal-entries/{}", foreign.entry, nil}, {"PATCH /journal-entries/{}", foreign.entry, object{"memo": "Mine"}},
		{"DELETE /journal-entries/{}", foreign.entry, nil}, {"POST /journal-entries/{}/post", foreign.entry, nil},
		{"POST /journal-entries/{}/reverse", foreign.entry, nil},
		{"GET /tax-rates/{}", foreign.rate, nil},
	} {
		t.Run("CALL-06 "+c.call, func(t *testing.T) {
			method, path, _ := strings.Cut(c.call, " ")
			refused(t, alike(t, method, path, c.id, c.body, http.StatusNotFound), http.StatusNotFound, "NOT_FOUND")
		})
	}
	receipt := func(customer, bank, invoice any) object {
		return object{"kind": "RECEIPT", "date": today(n), "amount": 100, "customerId": customer, "bankAccountId": bank, "allocations": []any{object{"invoiceId": invoice}}}
	}
	entry := func(account any, more object) object {
		first := object{"accountId": account, "debit": 1}
		for name, value := range more {
			first[name] = value
		}
		return object{"date": today(n), "lines": []any{first, object{"accountId": own.bank, "credit": 1}}}
	}
	lines := []any{line("1")}
	for _, c := range []struct {
		what, call, id string
		body           object
	}{
		{"the customer of an invoice", "POST /invoices", foreign.customer, object{"customerId": "{}", "lines": lines}},
		{"the customer of a preview", "POST /invoices/preview", foreign.customer, object{"customerId": "{}", "lines": lines}},
		{"the new customer of a draft", "PATCH /invoices/" + own.draft, foreign.customer, object{"customerId": "{}"}},
		{"the account of a line", "POST /invoices", foreign.account, object{"customerId": own.customer, "lines": []any{object{"description": "x", "unitPrice": "1", "accountId": "{}"}}}},
		{"the tax rate of a line", "POST /invoices", foreign.rate, object{"customerId": own.customer, "lines": []any{object{"description": "x", "unitPrice": "1", "taxRateId": "{}"}}}},
		{"the tax rate of a customer", "POST /customers", foreign.rate, object{"displayName": "Ada", "defaultTaxRateId": "{}"}},
		{"the tax rate of an account", "PATCH /accounts/" + own.account, foreign.rate, object{"defaultTaxRateId": "{}"}},
		{"the customer of a payment", "POST /payments", foreign.customer, receipt("{}", own.bank, own.invoice)},
		{"the bank account of a payment", "POST /payments", foreign.bank, receipt(own.customer, "{}", own.invoice)},
		{"the invoice of a payment", "POST /payments", foreign.invoice, receipt(own.customer, own.bank, "{}")},
		{"the supplier of a payment", "POST /payments", foreign.supplier, object{"kind": "DISBURSEMENT", "date": today(n), "amount": 1, "supplierId": "{}", "bankAccountId": own.bank}},
		{"the account of an entry", "POST /journal-entries", foreign.account, entry("{}", nil)},
		{"the supplier of an entry", "POST /journal-entries", foreign.supplier, entry(own.account, object{"supplierId": "{}"})},
		{"the customer of an entry", "POST /journal-entries", foreign.customer, entry(own.account, object{"customerId": "{}"})},
		{"the account of a draft entry", "PATCH /journal-entries/" + own.entry, foreign.account, object{"lines": entry("{}", nil)["lines"]}},
	} {
		t.Run("CALL-06 in a body: "+c.what, func(t *testing.T) {
			method, path, _ := strings.Cut(c.call, " ")
			refused(t, alike(t, method, path, c.id, c.body, http.StatusBadRequest), http.StatusBadRequest, "REFERENCE_NOT_FOUND")
		})
	}
	for path, id := range map[string]string{
		"/invoices?customerId={}": foreign.customer, "/invoices?ids={}": foreign.invoice, "/payments?customerId={}": foreign.customer,
		"/payments?invoiceId={}": foreign.invoice, "/payments?bankAccountId={}": foreign.bank, "/payments?ids={}": foreign.payment,
		"/customers?ids={}": foreign.customer, "/suppliers?ids={}": foreign.supplier, "/accounts?ids={}": foreign.account,
		"/journal-entries?ids={}": foreign.entry, "/journal-entries?accountId={}": foreign.bank, "/journal-entries?customerId={}": foreign.customer,
		"/journal-entries?sourceId={}": foreign.invoice, "/tax-rates?ids={}": foreign.rate,
	} {
		t.Run("CALL-06 in a filter: "+path, func(t *testing.T) {
			if list := alike(t, "GET", path, id, nil, http.StatusOK).JSON(t)["data"].([]any); len(list) != 0 {
				t.Errorf("found %v", list)
			}
		})
	}
	t.Run("CALL-06 a cursor of another business", func(t *testing.T) {
		next := there.get(t, "/invoices?limit=1")["nextCursor"].(string)
		here.get(t, "/invoices?limit=1&cursor="+here.get(t, "/invoices?limit=1")["nextCursor"].(string))
		refused(t, here.do(t, "GET", "/invoices?limit=1&cursor="+next, nil), http.StatusBadRequest, "INVALID_CURSOR")
	})
	t.Run("CALL-06 an id of another kind is nobody's", func(t *testing.T) {
		refused(t, here.do(t, "GET", "/customers/"+own.supplier, nil), http.StatusNotFound, "NOT_FOUND")
		refused(t, here.do(t, "GET", "/invoices/"+own.payment, nil), http.StatusNotFound, "NOT_FOUND")
	})
	t.Run("CALL-06 our own pages get the same", func(t *testing.T) {
		pages := n.session(t, "olivia", "store")
		refused(t, pages.do(t, "GET", "/invoices/"+foreign.invoice, nil), http.StatusNotFound, "NOT_FOUND")
		refused(t, pages.do(t, "DELETE", "/members/"+n.ids["vera"], nil), http.StatusNotFound, "NOT_FOUND")
	})
	t.Run("CALL-06 nothing of all that touched the other business", func(t *testing.T) {
		if after := foreign.records(t, there); after != before {
			t.Errorf("before\n%s\nafter\n%s", before, after)
		}
	})
}

// fillIn puts an id where {} stands.
func fillIn(value any, id string) any {
	switch v := value.(type) {
	case string:
		return strings.ReplaceAll(v, "{}", id)
	case []any:
		list := make([]any, len(v))
		for i, one := range v {
			list[i] = fillIn(one, id)
		}
		return list
	case object:
		filled := object{}
		for name, one := range v {
			filled[name] = fillIn(one, id)
		}
		return filled
	}
	return value
}
