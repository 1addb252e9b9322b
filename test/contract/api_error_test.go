package contract_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestRefusalsOfTheAPI holds SERR-01 to SERR-03 on the business endpoints.
func TestRefusalsOfTheAPI(t *testing.T) {
	eachAPI(t, func(t *testing.T, n *apiNode) {
		c := n.by(t, fullApp, "olivia", "shop")
		l := n.fill(t, c)
		t.Run("offences", func(t *testing.T) { offences(t, n, c, l) })
		t.Run("unreadable", func(t *testing.T) { unreadable(t, n, c) })
		t.Run("codes", func(t *testing.T) { codes(t, n, c, l) })
	})
}

// offences proves SERR-02: every member that is wrong is named, of whatever sort its mistake is.
func offences(t *testing.T, n *apiNode, c caller, l library) {
	long := func(size int) string { return strings.Repeat("x", size) }
	invoice := func(more object) object {
		body := object{"customerId": l.customer, "lines": []any{line("1")}}
		for name, value := range more {
			body[name] = value
		}
		return body
	}
	lines := func(list ...any) object { return invoice(object{"lines": list}) }
	for _, o := range []struct {
		what, call string
		body       any
		members    []string
	}{
		{"a member that is missing", "POST /customers", object{}, []string{"displayName"}},
		{"a member of the wrong type", "POST /customers", object{"displayName": 5}, []string{"displayName"}},
		{"a member that does not exist", "POST /customers", object{"displayName": "Ada", "nickname": "A"}, []string{"nickname"}},
		{"a text that is empty", "POST /customers", object{"displayName": "  "}, []string{"displayName"}},
		{"a text with a control character", "POST /customers", object{"displayName": "A\u0007"}, []string{"displayName"}},
		{"a text that is too long", "POST /customers", object{"displayName": long(201)}, []string{"displayName"}},
		{"a word that is none of the list", "POST /customers", object{"displayName": "Ada", "type": "PERSON"}, []string{"type"}},
		{"several texts that are too long", "POST /customers", object{"displayName": long(201), "legalName": long(201), "firstName": long(101), "notes": long(2001)},
			[]string{"displayName", "legalName", "firstName", "notes"}},
		{"mistakes of several sorts", "POST /customers", object{"displayName": 5, "email": "nobody", "currency": "XXQ", "paymentTermsDays": 366, "nickname": "A", "billingAddress": object{"country": "Atlantis"}},
			[]string{"displayName", "email", "currency", "paymentTermsDays", "nickname", "billingAddress.country"}},
		{"mistakes of several sorts, of a supplier", "PATCH /suppliers/" + l.supplier, object{"displayName": nil, "email": "nobody", "taxNumber": long(41), "x": 1},
			[]string{"displayName", "email", "taxNumber", "x"}},
		{"the body is no object", "POST /customers", []any{}, []string{"body"}},
		{"the body is null", "POST /customers", "null", []string{"body"}},
		{"a member that is read-only", "POST /invoices", invoice(object{"total": 5, "status": "PAID"}), []string{"total", "status"}},
		{"a number for a decimal text", "POST /invoices", lines(object{"description": "x", "unitPrice": 5}), []string{"lines.0.unitPrice"}},
		{"mistakes in several lines", "POST /invoices", lines(line("1"), object{"description": "", "unitPrice": "1e5"}, object{"unitPrice": "1", "quantity": "0"}),
			[]string{"lines.1.description", "lines.1.unitPrice", "lines.2.description", "lines.2.quantity"}},
		{"a line that takes off twice", "POST /invoices", lines(object{"description": "x", "unitPrice": "1", "discountPercent": "5", "discountAmount": 5}), []string{"lines.0.discountAmount"}},
		{"a percentage beyond 100", "POST /invoices", lines(object{"description": "x", "unitPrice": "1", "discountPercent": "100.0001"}), []string{"lines.0.discountPercent"}},
		{"201 lines", "POST /invoices", invoice(object{"lines": repeat(line("1"), 201)}), []string{"lines"}},
		{"a day that does not exist", "POST /invoices", invoice(object{"issueDate": "2026-02-29"}), []string{"issueDate"}},
		{"due before it is issued", "POST /invoices", invoice(object{"issueDate": "2026-05-02", "dueDate": "2026-05-01"}), []string{"dueDate"}},
		{"a payment of nothing", "POST /payments", object{"kind": "RECEIPT", "date": "2026-01-01", "amount": 0, "bankAccountId": l.bank, "customerId": l.customer}, []string{"amount"}},
		{"a payment of a broken number", "POST /payments", object{"kind": "RECEIPT", "date": "2026-01-01", "amount": 1.5, "bankAccountId": l.bank, "customerId": l.customer}, []string{"amount"}},
		{"a payment that is wrong in everything", "POST /payments", object{"kind": "GIFT", "date": "someday", "amount": -1, "method": "GOLD", "bankAccountId": 5},
			[]string{"kind", "date", "amount", "method", "bankAccountId"}},
		{"101 allocations", "POST /payments", object{"kind": "RECEIPT", "date": "2026-01-01", "amount": 1, "bankAccountId": l.bank, "customerId": l.customer,
			"allocations": invoicesOfNobody(101)}, []string{"allocations"}},
		{"an account that is wrong in everything", "POST /accounts", object{"code": "a b", "name": "", "type": "WISH", "currency": "EURO"}, []string{"code", "name", "type", "currency"}},
		{"an entry of one line", "POST /journal-entries", object{"date": today(n), "lines": []object{{"accountId": l.bank, "debit": 1}}}, []string{"lines"}},
		{"an entry of 501 lines", "POST /journal-entries", object{"date": today(n), "lines": repeat(object{"accountId": l.bank, "debit": 1}, 501)}, []string{"lines"}},
		{"lines with both sides, or none", "POST /journal-entries", object{"date": today(n), "lines": []object{{"accountId": l.bank, "debit": 1, "credit": 1}, {"accountId": l.bank}}},
			[]string{"lines.0", "lines.1"}},
		{"unknown parameters", "GET /customers?colour=red&size=5", nil, []string{"colour", "size"}},
		{"unknown parameters where there are none at all", "GET /me?a=1&b=2", nil, []string{"a", "b"}},
		{"a limit of 0", "GET /customers?limit=0", nil, []string{"limit"}},
		{"a limit of 101", "GET /customers?limit=101", nil, []string{"limit"}},
		{"a limit that is no number", "GET /customers?limit=ten", nil, []string{"limit"}},
		{"an order that is none", "GET /customers?sort=shoeSize", nil, []string{"sort"}},
		{"one letter to look for", "GET /customers?q=a", nil, []string{"q"}},
		{"51 ids", "GET /customers?ids=" + strings.Join(repeat("cus_"+nowhere, 51), ","), nil, []string{"ids"}},
		{"several parameters", "GET /invoices?limit=0&sort=x&status=GONE&issueDateFrom=x&overdue=maybe&totalFrom=much&y=1", nil,
			[]string{"limit", "sort", "status", "issueDateFrom", "overdue", "totalFrom", "y"}},
		{"a parameter and a member", "PATCH /customers/" + l.customer + "?x=1", object{"displayName": 5, "email": "nobody"}, []string{"x", "displayName", "email"}},
		{"a version that is none, and a member", "PATCH /customers/" + l.customer + "#If-Match", object{"displayName": 5}, []string{"If-Match", "displayName"}},
	} {
		t.Run("SERR-02 "+o.what, func(t *testing.T) {
			method, path, _ := strings.Cut(o.call, " ")
			path, header, _ := strings.Cut(path, "#")
			sender := c
			if header != "" {
				sender = c.and(header, "first")
			}
			offends(t, sender.do(t, method, path, o.body), o.members...)
		})
	}
	for _, edge := range []struct {
		what string
		a    func() int
	}{
		{"a name of 200 characters, each of two bytes", func() int {
			return c.do(t, "POST", "/customers", object{"displayName": strings.Repeat("ä", 200)}).Status
		}},
		{"200 lines", func() int {
			return c.do(t, "POST", "/invoices", invoice(object{"lines": repeat(line("1"), 200)})).Status
		}},
	} {
		t.Run("SERR-02 not at the edge: "+edge.what, func(t *testing.T) {
			if status := edge.a(); status != http.StatusCreated {
				t.Errorf("%d", status)
			}
		})
	}
	t.Run("SERR-02 not at the edge: limits of 1 and 100, two letters, 50 ids", func(t *testing.T) {
		for _, query := range []string{"limit=1", "limit=100", "q=ad", "ids=" + strings.Join(repeat("cus_"+nowhere, 50), ",")} {
			c.get(t, "/customers?"+query)
		}
	})
}

// invoicesOfNobody are so many allocations, each to another invoice.
func invoicesOfNobody(count int) []object {
	list := make([]object, count)
	for i := range list {
		list[i] = object{"invoiceId": fmt.Sprintf("inv_%026d", i)}
	}
	return list
}

func repeat[T any](one T, times int) []T {
	list := make([]T, times)
	for i := range list {
		list[i] = one
	}
	return list
}

// unreadable proves SERR-03.
func unreadable(t *testing.T, n *apiNode, c caller) {
	wide := func(size int) string {
		const body = `{"displayName":"Wide"}`
		return body + strings.Repeat(" ", size-len(body))
	}
	for _, u := range []struct {
		what, method, path, contentType, body string
		status                                int
		code                                  string
	}{
		{"no body", "POST", "/customers", "application/json", "", 400, "BODY_REQUIRED"},
		{"half an object", "POST", "/customers", "application/json", `{"displayName":"Ad`, 400, "BODY_UNREADABLE"},
		{"no JSON", "POST", "/customers", "application/json", `displayName=Ada`, 400, "BODY_UNREADABLE"},
		{"two objects", "POST", "/customers", "application/json", `{"displayName":"Ada"}{}`, 400, "BODY_UNREADABLE"},
		{"letters that are none", "POST", "/customers", "application/json", "{\"displayName\":\"A\xff\"}", 400, ""},
		{"a byte more than a mebibyte", "POST", "/customers", "application/json", wide(mebibyte + 1), 413, "BODY_TOO_LARGE"},
		{"a mebibyte", "POST", "/customers", "application/json", wide(mebibyte), 201, ""},
		{"an import of more than five mebibytes", "POST", "/invoices/bulk-import", "application/json", wide(5*mebibyte + 1), 413, "BODY_TOO_LARGE"},
		{"an import of five mebibytes is read, and judged", "POST", "/invoices/bulk-import", "application/json", wide(5 * mebibyte), 400, ""},
		{"a form", "POST", "/customers", "application/x-www-form-urlencoded", "displayName=Ada", 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"text", "PATCH", "/customers/cus_" + nowhere, "text/plain", "{}", 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"JSON with a character set", "POST", "/customers", "application/json; charset=utf-8", `{"displayName":"Ada"}`, 201, ""},
	} {
		t.Run("SERR-03 "+u.what, func(t *testing.T) {
			a := c.and("Content-Type", u.contentType).do(t, u.method, u.path, u.body)
			if u.status < 300 {
				if a.Status != u.status {
					t.Errorf("%d %s", a.Status, a.Body)
				}
				return
			}
			if u.code != "" {
				refused(t, a, u.status, u.code)
			} else {
				standard(t, a, u.status)
			}
		})
	}
	t.Run("SERR-03 a body where there is none to be is refused, an empty object is not", func(t *testing.T) {
		customer := n.id(c.make(t, "/customers", object{"displayName": "Ada"}))
		offends(t, c.do(t, "POST", "/customers/"+customer+"/archive", object{"x": 1}), "x")
		c.act(t, "/customers/"+customer+"/archive", object{})
		gone(t, c.do(t, "DELETE", "/customers/"+customer, nil))
	})
	t.Run("SERR-03 SERR-01 a path and a method that are not there, for an app and for our pages", func(t *testing.T) {
		pages := n.session(t, "olivia", "shop")
		for _, path := range []string{"/invoices/x/y", "/Invoices", "/invoices/"} {
			standard(t, c.do(t, "GET", path, nil), http.StatusForbidden)
			standard(t, pages.do(t, "GET", path, nil), http.StatusNotFound)
		}
		standard(t, c.do(t, "PUT", "/invoices", nil), http.StatusForbidden)
		if a := pages.do(t, "PUT", "/invoices", nil); !strings.Contains(a.Header.Get("Allow"), "POST") {
			t.Errorf("Allow is %q", a.Header.Get("Allow"))
		} else {
			standard(t, a, http.StatusMethodNotAllowed)
		}
	})
}

// codes proves SERR-01 on the refusals of the books: the code, and the values that the sentence shows.
func codes(t *testing.T, n *apiNode, c caller, l library) {
	k := clerk{caller: c, n: n, customer: l.customer, supplier: l.supplier, bank: l.bank}
	_, k.account = c.chart(t)
	foreign := n.id(c.make(t, "/accounts", object{"code": "1002", "name": "Dollars", "type": "ASSET", "subtype": "BANK", "currency": "USD"}))
	archived := n.id(c.make(t, "/customers", object{"displayName": "Gone"}))
	c.act(t, "/customers/"+archived+"/archive", nil)
	shelved := n.id(c.make(t, "/accounts", object{"code": "4950", "name": "Old", "type": "REVENUE"}))
	c.act(t, "/accounts/"+shelved+"/archive", nil)
	named := n.id(c.make(t, "/customers", object{"displayName": "Named", "externalId": "ext-1"}))
	numbered := k.invoice(t, object{"number": "A-1"}, line("10"))
	pay := func(more object) object {
		body := object{"kind": "RECEIPT", "date": today(n), "amount": 500, "bankAccountId": l.bank, "customerId": l.customer}
		for name, value := range more {
			body[name] = value
		}
		return body
	}
	invoice := func(more object) object {
		body := object{"customerId": l.customer, "lines": []object{line("1")}}
		for name, value := range more {
			body[name] = value
		}
		return body
	}
	entry := func(lines ...object) object { return object{"date": today(n), "lines": lines} }
	for _, r := range []struct {
		what, call string
		body       any
		status     int
		code       string
		params     []any // of those that are given
	}{
		{"a cursor that is none", "GET /invoices?cursor=abc", nil, 400, "INVALID_CURSOR", nil},
		{"another total", "POST /invoices", invoice(object{"expectedTotal": 121}), 400, "TOTAL_MISMATCH", []any{121.0, 100.0}},
		{"an entry out of balance", "POST /journal-entries", entry(object{"accountId": l.bank, "debit": 5}, object{"accountId": l.account, "credit": 4}), 400, "UNBALANCED_ENTRY", []any{5.0, 4.0}},
		{"an allocation beyond the payment", "POST /payments", pay(object{"allocations": []object{{"invoiceId": n.id(numbered), "amount": 501}}}), 400, "ALLOCATION_EXCEEDS_AMOUNT", nil},
		{"an allocation beyond what is due", "POST /payments", pay(object{"amount": 5000, "allocations": []object{{"invoiceId": n.id(numbered), "amount": 1001}}}), 400, "ALLOCATION_EXCEEDS_DUE", nil},
		{"a bank account of another currency", "POST /payments", pay(object{"bankAccountId": foreign, "currency": "EUR"}), 400, "CURRENCY_MISMATCH", nil},
		{"a foreign currency without a rate", "POST /invoices", invoice(object{"currency": "USD"}), 400, "EXCHANGE_RATE_REQUIRED", nil},
		{"an account of another type", "POST /invoices", invoice(object{"lines": []object{{"description": "x", "unitPrice": "1", "accountId": l.bank}}}), 400, "ACCOUNT_TYPE_INVALID", nil},
		{"an account that follows from documents", "POST /journal-entries", entry(object{"accountId": k.account["1100"], "debit": 5}, object{"accountId": l.bank, "credit": 5}), 400, "CONTROL_ACCOUNT", nil},
		{"mail without a relay", "POST /invoices/" + l.invoice + "/send", object{"channel": "EMAIL", "to": "ada@example.test"}, 400, "MAIL_NOT_CONFIGURED", nil},
		{"an id in a body that is nobody's", "POST /invoices", invoice(object{"customerId": "cus_" + nowhere}), 400, "REFERENCE_NOT_FOUND", []any{"customerId"}},
		{"an id in a path that is nobody's", "GET /invoices/inv_" + nowhere, nil, 404, "NOT_FOUND", nil},
		{"what was issued is not deleted", "DELETE /invoices/" + l.invoice, nil, 409, "INVALID_STATE", nil},
		{"what was issued is not issued again", "POST /invoices/" + l.invoice + "/issue", nil, 409, "INVALID_STATE", nil},
		{"what was paid in part is not taken back", "POST /invoices/" + l.invoice + "/void", nil, 409, "INVALID_STATE", nil},
		{"a customer in use is not deleted", "DELETE /customers/" + l.customer, nil, 409, "RECORD_IN_USE", nil},
		{"an account in use is not deleted", "DELETE /accounts/" + l.bank, nil, 409, "RECORD_IN_USE", nil},
		{"a customer who is archived gets no invoice", "POST /invoices", invoice(object{"customerId": archived}), 409, "RECORD_ARCHIVED", nil},
		{"an account that is archived gets no posting", "POST /journal-entries", entry(object{"accountId": shelved, "debit": 5}, object{"accountId": l.bank, "credit": 5}), 409, "RECORD_ARCHIVED", nil},
		{"a number that is taken", "POST /invoices", invoice(object{"number": "A-1"}), 409, "DUPLICATE_NUMBER", nil},
		{"a code that is taken", "POST /accounts", object{"code": "1000", "name": "Again", "type": "ASSET"}, 409, "DUPLICATE_CODE", nil},
		{"an externalId that is taken", "POST /customers", object{"displayName": "x", "externalId": "ext-1"}, 409, "DUPLICATE_EXTERNAL_ID", []any{named}},
	} {
		t.Run("SERR-01 "+r.what, func(t *testing.T) {
			method, path, _ := strings.Cut(r.call, " ")
			got := refused(t, c.do(t, method, path, r.body), r.status, r.code)
			for i, want := range r.params {
				if value := got.Params["p"+string(rune('0'+i))]; value != want {
					t.Errorf("p%d is %v, want %v", i, value, want)
				}
			}
		})
	}
	t.Run("SERR-01 another version of the record", func(t *testing.T) {
		for _, call := range []string{"PATCH /customers/" + named, "DELETE /customers/" + named, "POST /customers/" + named + "/archive"} {
			method, path, _ := strings.Cut(call, " ")
			var body any
			if method == "PATCH" {
				body = object{"notes": "x"}
			}
			refused(t, c.and("If-Match", `"9"`).do(t, method, path, body), http.StatusPreconditionFailed, "VERSION_CONFLICT")
		}
		a := c.and("If-Match", `"1"`).do(t, "PATCH", "/customers/"+named, object{"notes": "x"})
		if said(t, a, http.StatusOK)["version"] != 2.0 || a.Header.Get("ETag") != `"2"` {
			t.Errorf("%s %v", a.Body, a.Header)
		}
	})
	t.Run("SERR-01 an externalId is the app's own", func(t *testing.T) {
		twin := n.by(t, twinApp, "olivia", "shop")
		twin.make(t, "/customers", object{"displayName": "x", "externalId": "ext-1"})
		if got := twin.get(t, "/customers/"+named)["externalId"]; got != nil {
			t.Errorf("another app's customer is called %v", got)
		}
		if found := twin.listed(t, "/customers?externalId=ext-1"); len(found) != 1 || n.id(found[0]) == named {
			t.Errorf("found %v", found)
		}
	})
}
