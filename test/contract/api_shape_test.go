package contract_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// members proves which members an object has, of some that may be there.
func members(t *testing.T, what string, o object, has, lacks string) {
	t.Helper()
	for _, name := range strings.Fields(has) {
		if _, ok := o[name]; !ok {
			t.Errorf("%s has no %s: %v", what, name, o)
		}
	}
	for _, name := range strings.Fields(lacks) {
		if _, ok := o[name]; ok {
			t.Errorf("%s has %s: %v", what, name, o)
		}
	}
}

// listShapes proves the change of 2025-10-01, on every list.
func listShapes(t *testing.T, n *apiNode) {
	app := n.by(t, fullApp, "olivia", "shop")
	l := n.fill(t, app)
	for _, path := range []string{
		"/invoices", "/customers", "/suppliers", "/payments", "/accounts", "/accounts/" + l.bank + "/ledger", "/journal-entries", "/tax-rates",
	} {
		t.Run("VERS-01 "+path, func(t *testing.T) {
			for _, version := range []string{older, newest} {
				page := app.speaking(version).get(t, path+"?limit=1")
				members(t, version, page, "data hasMore nextCursor", "items cursor")
			}
			page := app.speaking(oldest).get(t, path+"?limit=1")
			members(t, oldest, page, "items cursor", "data hasMore nextCursor")
			if len(page["items"].([]any)) != 1 {
				t.Error(page)
			}
		})
	}
	t.Run("VERS-01 a cursor of one version leads on in another", func(t *testing.T) {
		var old, fresh []string
		for cursor, first := "", true; first || cursor != ""; first = false {
			page := app.speaking(oldest).get(t, "/accounts?limit=7"+cursor)
			cursor = ""
			if next, ok := page["cursor"].(string); ok {
				cursor = "&cursor=" + next
			}
			for _, a := range page["items"].([]any) {
				old = append(old, a.(object)["id"].(string))
			}
		}
		for _, a := range app.listed(t, "/accounts") {
			fresh = append(fresh, a["id"].(string))
		}
		if !slices.Equal(old, fresh) || len(old) < 15 {
			t.Errorf("%d accounts in the oldest shape, %d in the newest", len(old), len(fresh))
		}
	})
}

// termShapes proves paymentTerms and paymentTermsDays, both ways.
func termShapes(t *testing.T, n *apiNode) {
	app := n.by(t, fullApp, "olivia", "shop")
	for _, path := range []string{"/customers", "/suppliers"} {
		for _, version := range []string{oldest, older} {
			old := app.speaking(version)
			t.Run("VERS-01 "+path+" in "+version, func(t *testing.T) {
				made := old.make(t, path, object{"displayName": "Terms", "paymentTerms": "NET_14"})
				one := path + "/" + n.id(made)
				is := func(o object, terms any, days any) {
					t.Helper()
					members(t, "the older", o, "paymentTerms", "paymentTermsDays")
					fresh := app.get(t, one)
					members(t, "the current", fresh, "paymentTermsDays", "paymentTerms")
					if o["paymentTerms"] != terms || fresh["paymentTermsDays"] != days {
						t.Errorf("%v and %v, want %v and %v", o["paymentTerms"], fresh["paymentTermsDays"], terms, days)
					}
				}
				is(made, "NET_14", 14.0)
				is(old.get(t, one), "NET_14", 14.0)
				patch := func(value any) object {
					t.Helper()
					return said(t, old.do(t, "PATCH", one, object{"paymentTerms": value}), http.StatusOK)
				}
				is(patch("NET_0"), "NET_0", 0.0)
				is(patch("NET_365"), "NET_365", 365.0)
				is(patch(nil), nil, nil)
				said(t, app.do(t, "PATCH", one, object{"paymentTermsDays": 30}), http.StatusOK)
				is(old.get(t, one), "NET_30", 30.0)
				is(said(t, old.do(t, "PATCH", one, object{"notes": "x"}), http.StatusOK), "NET_30", 30.0)
				is(old.act(t, one+"/archive", nil), "NET_30", 30.0)
				for _, page := range []object{old.get(t, path+"?ids="+n.id(made))} {
					list, _ := page["data"].([]any)
					if version == oldest {
						list, _ = page["items"].([]any)
					}
					is(list[0].(object), "NET_30", 30.0)
				}
				for _, wrong := range []any{"NET_366", "NET_-1", "NET_030", "net_30", "30", 30, "NET_", "NET_3.5", true} {
					offends(t, old.do(t, "PATCH", one, object{"paymentTerms": wrong}), "paymentTerms")
				}
				offends(t, old.do(t, "POST", path, object{"displayName": "x", "paymentTermsDays": 3}), "paymentTermsDays")
				offends(t, old.do(t, "POST", path, object{"displayName": 5, "paymentTerms": "soon", "x": 1}), "displayName", "paymentTerms", "x")
			})
		}
		t.Run("VERS-01 "+path+" in "+newest, func(t *testing.T) {
			offends(t, app.do(t, "POST", path, object{"displayName": "x", "paymentTerms": "NET_30"}), "paymentTerms")
		})
	}
}

// statusShapes proves OPEN and SENT, in answers and in the filter.
func statusShapes(t *testing.T, n *apiNode) {
	app := n.by(t, fullApp, "olivia", "store")
	k := n.clerk(t, app)
	open := n.id(k.invoice(t, object{"issueDate": "2026-09-30"}, line("10")))
	draft := n.id(k.make(t, "/invoices", object{"customerId": k.customer, "lines": []object{line("10")}}))
	paid := n.id(k.invoice(t, object{"issueDate": "2026-09-30"}, line("10")))
	k.receipt(t, 1000, object{"date": "2026-09-30"}, paid)
	for _, version := range []string{oldest, older} {
		old := app.speaking(version)
		t.Run("VERS-01 in "+version, func(t *testing.T) {
			for id, want := range map[string]string{open: "SENT", draft: "DRAFT", paid: "PAID"} {
				if got := old.get(t, "/invoices/"+id)["status"]; got != want {
					t.Errorf("status %v, want %s", got, want)
				}
			}
			fresh := clerk{caller: old, n: n, customer: k.customer}
			if made := fresh.invoice(t, nil, line("1")); made["status"] != "SENT" {
				t.Error(made)
			}
			ids := func(query string) []string {
				var list []string
				page := old.get(t, "/invoices?"+query)
				items, _ := page["data"].([]any)
				if version == oldest {
					items, _ = page["items"].([]any)
				}
				for _, one := range items {
					if s := one.(object)["status"]; s == "OPEN" {
						t.Errorf("a list with %v", s)
					}
					list = append(list, one.(object)["id"].(string))
				}
				return list
			}
			if got := ids("status=SENT"); !slices.Contains(got, open) || slices.Contains(got, paid) || slices.Contains(got, draft) {
				t.Errorf("status=SENT finds %v", got)
			}
			if got := ids("status=PAID,SENT"); !slices.Contains(got, open) || !slices.Contains(got, paid) || slices.Contains(got, draft) {
				t.Errorf("status=PAID,SENT finds %v", got)
			}
			offends(t, old.do(t, "GET", "/invoices?status=OPEN", nil), "status")
		})
		t.Run("SERR-02 in "+version+" too, every parameter that is wrong is named", func(t *testing.T) {
			offends(t, old.do(t, "GET", "/invoices?status=PAID,OPEN&limit=0", nil), "status", "limit")
		})
	}
	t.Run("VERS-01 in "+newest, func(t *testing.T) {
		if got := app.get(t, "/invoices/"+open)["status"]; got != "OPEN" {
			t.Errorf("status %v", got)
		}
		offends(t, app.do(t, "GET", "/invoices?status=SENT", nil), "status")
	})
}

// allocationShapes proves invoiceId and allocations, both ways.
func allocationShapes(t *testing.T, n *apiNode) {
	app := n.by(t, fullApp, "olivia", "stall")
	k := n.clerk(t, app)
	day := object{"date": "2026-09-30"}
	for _, version := range []string{oldest, older} {
		old := app.speaking(version)
		pay := func(more object) object {
			body := object{"kind": "RECEIPT", "date": "2026-09-30", "amount": 1500, "bankAccountId": k.bank, "customerId": k.customer}
			for name, value := range more {
				body[name] = value
			}
			return body
		}
		t.Run("VERS-01 in "+version, func(t *testing.T) {
			first, second := n.id(k.invoice(t, nil, line("10"))), n.id(k.invoice(t, nil, line("20")))
			shaped := func(o object, invoice any, allocated float64) string { // the older has no allocations, the newest no invoiceId
				t.Helper()
				members(t, "the older", o, "invoiceId", "allocations")
				if o["invoiceId"] != invoice || o["allocatedAmount"] != allocated {
					t.Errorf("%v with %v, want %v with %v", o["invoiceId"], o["allocatedAmount"], invoice, allocated)
				}
				members(t, "the current", app.get(t, "/payments/"+n.id(o)), "allocations", "invoiceId")
				return n.id(o)
			}
			paid := shaped(old.make(t, "/payments", pay(object{"invoiceId": first})), first, 1000)
			if list := app.get(t, "/payments/"+paid)["allocations"].([]any); len(list) != 1 || list[0].(object)["amount"] != 1000.0 {
				t.Errorf("allocations %v", list)
			}
			shaped(said(t, old.do(t, "POST", "/payments/"+paid+"/allocations", object{"invoiceId": second}), http.StatusOK), first, 1500)
			shaped(old.get(t, "/payments/"+paid), first, 1500)
			shaped(said(t, old.do(t, "PATCH", "/payments/"+paid, object{"memo": "x"}), http.StatusOK), first, 1500)
			shaped(old.make(t, "/payments", pay(object{"invoiceId": nil})), nil, 0)
			shaped(old.make(t, "/payments", pay(nil)), nil, 0)
			two := n.id(k.receipt(t, 50, day, second))
			shaped(old.get(t, "/payments/"+two), second, 50)
			offends(t, old.do(t, "POST", "/payments", pay(object{"allocations": []object{{"invoiceId": first}}})), "allocations")
			offends(t, old.do(t, "POST", "/payments", pay(object{"invoiceId": 5})), "invoiceId")
			refused(t, old.do(t, "POST", "/payments", pay(object{"invoiceId": "inv_" + nowhere})), http.StatusBadRequest, "REFERENCE_NOT_FOUND")
			page := old.get(t, "/payments?ids="+paid)
			items, _ := page["data"].([]any)
			if version == oldest {
				items, _ = page["items"].([]any)
			}
			shaped(items[0].(object), first, 1500)
			refund := old.make(t, "/payments", pay(nil))
			shaped(old.make(t, "/payments/"+n.id(refund)+"/refund", object{"amount": 1, "date": "2026-09-30"}), nil, 0)
		})
		t.Run("SERR-02 in "+version+" too, every member that is wrong is named", func(t *testing.T) {
			offends(t, old.do(t, "POST", "/payments", pay(object{"invoiceId": 5, "amount": 0})), "invoiceId", "amount")
		})
	}
	t.Run("VERS-01 in "+newest, func(t *testing.T) {
		body := object{"kind": "RECEIPT", "date": "2026-09-30", "amount": 1, "bankAccountId": k.bank, "customerId": k.customer, "invoiceId": nil}
		offends(t, app.do(t, "POST", "/payments", body), "invoiceId")
	})
}
