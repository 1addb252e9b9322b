package contract_test

import (
	"net/http"
	"testing"
)

// lockedBooks proves that nothing is posted on or before the lock date, and everything after it.
func lockedBooks(t *testing.T, n *apiNode) {
	owner := n.session(t, "olivia", "stall")
	k := n.clerk(t, n.by(t, fullApp, "olivia", "stall"))
	const locked, opened = "2026-03-31", "2026-04-01"
	entry := func(date string) object {
		return object{"date": date, "lines": []object{{"accountId": k.bank, "debit": 1}, {"accountId": k.account["3000"], "credit": 1}}}
	}
	early := n.id(k.receipt(t, 100, object{"date": locked}))
	posted := n.id(k.make(t, "/journal-entries", entry(opened)))
	standing := n.id(k.invoice(t, object{"issueDate": locked}, line("1")))
	draft := n.id(k.make(t, "/invoices", object{"customerId": k.customer, "issueDate": locked, "lines": []object{line("1")}}))
	said(t, owner.do(t, "PUT", "/books/lock", object{"lockDate": locked}), http.StatusOK)
	if got := k.get(t, "/books/lock")["lockDate"]; got != locked {
		t.Fatalf("the lock date is %v", got)
	}
	before := len(k.listed(t, "/journal-entries"))
	type request struct {
		method, path string
		body         any
	}
	for what, on := range map[string]func(date string) request{
		"a journal entry": func(date string) request { return request{"POST", "/journal-entries", entry(date)} },
		"the reversal of an entry": func(date string) request {
			return request{"POST", "/journal-entries/" + posted + "/reverse", object{"date": date}}
		},
		"an issued invoice": func(date string) request {
			return request{"POST", "/invoices", object{"customerId": k.customer, "issue": true, "issueDate": date, "lines": []object{line("1")}}}
		},
		"the voiding of an invoice": func(date string) request {
			return request{"POST", "/invoices/" + standing + "/void", object{"date": date}}
		},
		"a receipt": func(date string) request {
			return request{"POST", "/payments", object{"kind": "RECEIPT", "date": date, "amount": 1, "bankAccountId": k.bank, "customerId": k.customer}}
		},
		"the deletion of a payment": func(date string) request {
			return request{"DELETE", "/payments/" + early + "?reversalDate=" + date, nil}
		},
	} {
		t.Run("INVO-04 "+what+" on the lock date, and the day after", func(t *testing.T) {
			r := on(locked)
			if got := refused(t, k.do(t, r.method, r.path, r.body), http.StatusBadRequest, "PERIOD_LOCKED"); got.Params["p0"] != locked {
				t.Errorf("params %v", got.Params)
			}
			r = on(opened)
			if a := k.do(t, r.method, r.path, r.body); a.Status > 299 {
				t.Errorf("the day after: %d %s", a.Status, a.Body)
			}
		})
	}
	t.Run("INVO-04 a draft of the locked period cannot be issued as it is, and a payment not be deleted on its own day", func(t *testing.T) {
		refused(t, k.do(t, "POST", "/invoices/"+draft+"/issue", nil), http.StatusBadRequest, "PERIOD_LOCKED")
		if i := k.get(t, "/invoices/"+draft); i["status"] != "DRAFT" || i["number"] != nil {
			t.Error(i)
		}
		second := n.id(k.receipt(t, 100, object{"date": opened}))
		said(t, owner.do(t, "PUT", "/books/lock", object{"lockDate": opened}), http.StatusOK)
		refused(t, k.do(t, "DELETE", "/payments/"+second, nil), http.StatusBadRequest, "PERIOD_LOCKED")
	})
	if after := len(k.listed(t, "/journal-entries")); after != before+7 {
		t.Errorf("%d entries, then %d; want six of the day after, and one receipt", before, after)
	}
	balanced(t, k.caller)
}
