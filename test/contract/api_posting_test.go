package contract_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestTheBooksBalance(t *testing.T) {
	eachAPI(t, func(t *testing.T, n *apiNode) {
		t.Run("step by step", func(t *testing.T) { postings(t, n.clerk(t, n.by(t, fullApp, "olivia", "shop"))) })
		t.Run("any sequence", func(t *testing.T) { anySequence(t, n.clerk(t, n.by(t, fullApp, "olivia", "store"))) })
		t.Run("locked", func(t *testing.T) { lockedBooks(t, n) })
	})
}

// postings proves what each operation posts, and that the books balance after each.
func postings(t *testing.T, k clerk) {
	n := k.n
	is := func(t *testing.T, sourceID string, want ...string) {
		t.Helper()
		if got := k.posted(t, sourceID); !slices.Equal(got, want) {
			t.Errorf("posted\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	shows := func(t *testing.T, path, status string, due float64) {
		t.Helper()
		if i := k.get(t, path); i["status"] != status || i["amountDue"] != due {
			t.Errorf("the invoice is %v with %v due, want %s with %v", i["status"], i["amountDue"], status, due)
		}
	}
	three := []object{taxed(k.standard, "10.07"), taxed(k.standard, "10.07"), taxed(k.standard, "10.07")}
	var first, second, third, dollar string
	var part, rest object
	var bill string
	for _, step := range []struct {
		what string
		do   func(t *testing.T)
	}{
		{"an invoice, tax rounded by line", func(t *testing.T) {
			i := k.invoice(t, object{"taxMode": "EXCLUSIVE", "taxRounding": "LINE"}, three...)
			first = n.id(i)
			if i["total"] != 3654.0 || i["taxTotal"] != 633.0 || i["number"] != "INV-000001" || i["status"] != "OPEN" {
				t.Error(i)
			}
			is(t, first, "1100 D3654, 2100 C633, 4000 C3021")
		}},
		{"an invoice, tax rounded by document", func(t *testing.T) {
			i := k.invoice(t, object{"taxMode": "EXCLUSIVE", "taxRounding": "DOCUMENT"}, three...)
			second = n.id(i)
			if i["total"] != 3655.0 || i["number"] != "INV-000002" {
				t.Error(i)
			}
			is(t, second, "1100 D3655, 2100 C634, 4000 C3021")
		}},
		{"an invoice with tax included, and a line that takes away", func(t *testing.T) {
			minus := taxed(k.standard, "2.10")
			minus["quantity"] = "-1"
			i := k.invoice(t, object{"taxMode": "INCLUSIVE", "taxRounding": "LINE"}, taxed(k.standard, "121"), minus)
			third = n.id(i)
			is(t, third, "1100 D11890, 2100 C2064, 4000 C9826")
		}},
		{"a draft posts nothing", func(t *testing.T) {
			i := k.make(t, "/invoices", object{"customerId": k.customer, "lines": three})
			is(t, n.id(i))
			if i["number"] != nil || i["journalEntryId"] != nil || i["status"] != "DRAFT" {
				t.Error(i)
			}
			gone(t, k.do(t, "DELETE", "/invoices/"+n.id(i), nil))
		}},
		{"an invoice of nothing is paid and posts nothing", func(t *testing.T) {
			i := k.invoice(t, nil, line("0"))
			is(t, n.id(i))
			if i["status"] != "PAID" || i["journalEntryId"] != nil || i["number"] != "INV-000004" {
				t.Error(i)
			}
		}},
		{"a part is paid", func(t *testing.T) {
			part = k.receipt(t, 1000, nil, first)
			is(t, n.id(part), "1000 D1000, 1100 C1000")
			shows(t, "/invoices/"+first, "PARTIALLY_PAID", 2654)
		}},
		{"the rest is paid, and more", func(t *testing.T) {
			rest = k.receipt(t, 3154, nil, first)
			is(t, n.id(rest), "1000 D3154, 1100 C2654, 2150 C500")
			shows(t, "/invoices/"+first, "PAID", 0)
			if rest["allocatedAmount"] != 2654.0 || rest["unallocatedAmount"] != 500.0 || rest["refundedAmount"] != 0.0 {
				t.Error(rest)
			}
		}},
		{"some of it is given back", func(t *testing.T) {
			refund := k.make(t, "/payments/"+n.id(rest)+"/refund", object{"amount": 200, "date": today(n)})
			is(t, n.id(refund), "1000 C200, 2150 D200")
			if refund["kind"] != "REFUND" || refund["refundOfPaymentId"] != n.id(rest) {
				t.Error(refund)
			}
		}},
		{"what is left goes to another invoice", func(t *testing.T) {
			rest = k.act(t, "/payments/"+n.id(rest)+"/allocations", object{"allocations": []object{{"invoiceId": second}}})
			if rest["unallocatedAmount"] != 0.0 || rest["refundedAmount"] != 200.0 {
				t.Error(rest)
			}
			shows(t, "/invoices/"+second, "PARTIALLY_PAID", 3355)
			is(t, n.id(rest), "1000 D3154, 1100 C2654, 2150 C500", "1100 C300, 2150 D300")
		}},
		{"and is taken away again", func(t *testing.T) {
			allocation := rest["allocations"].([]any)[1].(object)["id"].(string)
			said(t, k.do(t, "DELETE", "/payments/"+n.id(rest)+"/allocations/"+allocation, nil), http.StatusOK)
			shows(t, "/invoices/"+second, "OPEN", 3655)
			is(t, n.id(rest), "1000 D3154, 1100 C2654, 2150 C500", "1100 C300, 2150 D300", "1100 D300, 2150 C300")
		}},
		{"an invoice is taken back", func(t *testing.T) {
			k.act(t, "/invoices/"+second+"/void", object{"reason": "A mistake"})
			shows(t, "/invoices/"+second, "VOID", 0)
			is(t, second, "1100 D3655, 2100 C634, 4000 C3021", "1100 C3655, 2100 D634, 4000 D3021")
		}},
		{"a payment is deleted", func(t *testing.T) {
			gone(t, k.do(t, "DELETE", "/payments/"+n.id(part), nil))
			refused(t, k.do(t, "GET", "/payments/"+n.id(part), nil), http.StatusNotFound, "NOT_FOUND")
			shows(t, "/invoices/"+first, "PARTIALLY_PAID", 1000)
			is(t, n.id(part), "1000 D1000, 1100 C1000", "1000 C1000, 1100 D1000")
		}},
		{"what is due is given up", func(t *testing.T) {
			k.act(t, "/invoices/"+first+"/write-off", nil)
			if i := k.get(t, "/invoices/"+first); i["status"] != "UNCOLLECTIBLE" || i["amountWrittenOff"] != 1000.0 || i["amountDue"] != 0.0 {
				t.Error(i)
			}
			is(t, first, "1100 D3654, 2100 C633, 4000 C3021", "1100 C1000, 6800 D1000")
		}},
		{"a supplier's bill, by the journal", func(t *testing.T) {
			e := k.make(t, "/journal-entries", object{"date": today(n), "memo": "Flour", "lines": []object{
				{"accountId": k.account["6000"], "debit": 1000}, {"accountId": k.account["1180"], "debit": 210},
				{"accountId": k.account["2000"], "credit": 1210, "supplierId": k.supplier},
			}})
			bill = n.id(e)
			if e["status"] != "POSTED" || k.get(t, "/suppliers/"+k.supplier)["balance"] != 1210.0 {
				t.Error(e)
			}
		}},
		{"and its payment", func(t *testing.T) {
			p := k.make(t, "/payments", object{"kind": "DISBURSEMENT", "date": today(n), "amount": 1210, "bankAccountId": k.bank, "supplierId": k.supplier})
			is(t, n.id(p), "1000 C1210, 2000 D1210")
			if got := k.get(t, "/suppliers/"+k.supplier)["balance"]; got != 0.0 {
				t.Errorf("the supplier's balance is %v", got)
			}
		}},
		{"an entry is reversed by its mirror", func(t *testing.T) {
			mirror := k.make(t, "/journal-entries/"+bill+"/reverse", nil)
			if e := k.get(t, "/journal-entries/"+bill); e["status"] != "REVERSED" || e["reversedById"] != n.id(mirror) || mirror["reversalOfId"] != bill || mirror["status"] != "POSTED" {
				t.Error(mirror)
			}
			refused(t, k.do(t, "POST", "/journal-entries/"+bill+"/reverse", nil), http.StatusConflict, "INVALID_STATE")
		}},
		{"a draft entry is posted", func(t *testing.T) {
			e := k.make(t, "/journal-entries", object{"date": today(n), "draft": true, "lines": []object{
				{"accountId": k.bank, "debit": 5000}, {"accountId": k.account["3000"], "credit": 5000},
			}})
			if e["number"] != nil || e["status"] != "DRAFT" {
				t.Error(e)
			}
			if e = k.act(t, "/journal-entries/"+n.id(e)+"/post", nil); e["number"] == nil || e["status"] != "POSTED" {
				t.Error(e)
			}
		}},
		{"an invoice in a foreign currency", func(t *testing.T) {
			i := k.invoice(t, object{"currency": "USD", "exchangeRate": "0.92"}, line("100"))
			dollar = n.id(i)
			is(t, dollar, "1100 D9200, 4000 C9200")
			if i["total"] != 10000.0 {
				t.Error(i)
			}
		}},
		{"paid when the currency is worth more", func(t *testing.T) {
			p := k.receipt(t, 10000, object{"currency": "USD", "exchangeRate": "0.95", "bankAccountId": k.dollars}, dollar)
			is(t, n.id(p), "1001 D9500, 1100 C9200, 6900 C300")
			shows(t, "/invoices/"+dollar, "PAID", 0)
		}},
	} {
		if !t.Run("INVO-04 "+step.what, func(t *testing.T) {
			step.do(t)
			balanced(t, k.caller)
		}) {
			t.FailNow()
		}
	}
}
