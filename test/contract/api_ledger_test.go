package contract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// chart tells the codes of accounts by their ids.
func (c caller) chart(t testing.TB) (code map[string]string, id map[string]string) {
	t.Helper()
	code, id = map[string]string{}, map[string]string{}
	for _, a := range c.listed(t, "/accounts") {
		code[a["id"].(string)], id[a["code"].(string)] = a["code"].(string), a["id"].(string)
	}
	return code, id
}

// posted tells what one source posted, entry by entry in their order: "1100 D3654, 2100 C633, 4000 C3021".
func (c caller) posted(t testing.TB, sourceID string) []string {
	t.Helper()
	codes, _ := c.chart(t)
	var all []string
	for _, e := range c.listed(t, "/journal-entries?sort=number&sourceId="+sourceID) {
		var lines []string
		for _, one := range e["lines"].([]any) {
			l := one.(object)
			side, amount := "D", l["debit"].(float64)
			if amount == 0 {
				side, amount = "C", l["credit"].(float64)
			}
			lines = append(lines, fmt.Sprintf("%s %s%.0f", codes[l["accountId"].(string)], side, amount))
		}
		slices.Sort(lines)
		all = append(all, strings.Join(lines, ", "))
	}
	return all
}

// balanced proves INVO-04 on all that is in a business's books: every entry balances, numbers have no gap, accounts, the trial
// balance and the balances of customers and invoices all say what the entries say.
func balanced(t *testing.T, c caller) {
	t.Helper()
	codes, _ := c.chart(t)
	net := map[string]float64{} // debit less credit, by account
	for i, e := range c.listed(t, "/journal-entries?status=POSTED,REVERSED&sort=number") {
		var debit, credit float64
		for _, one := range e["lines"].([]any) {
			l := one.(object)
			d, k := l["debit"].(float64), l["credit"].(float64)
			if d < 0 || k < 0 || (d > 0) == (k > 0) {
				t.Errorf("%v has a line with debit %v and credit %v", e["number"], d, k)
			}
			debit, credit = debit+d, credit+k
			net[l["accountId"].(string)] += d - k
		}
		if debit != credit || debit == 0 || e["debitTotal"] != debit || e["creditTotal"] != credit {
			t.Errorf("%v does not balance: %v, %v; it says %v, %v", e["number"], debit, credit, e["debitTotal"], e["creditTotal"])
		}
		if want := fmt.Sprintf("JE-%06d", i+1); e["number"] != want {
			t.Errorf("after %d entries comes %v", i, e["number"])
		}
	}
	for _, a := range c.listed(t, "/accounts?include=balance") {
		want := net[a["id"].(string)]
		if a["normalBalance"] == "CREDIT" {
			want = -want
		}
		if a["balance"] != want {
			t.Errorf("account %v has the balance %v, its lines say %v", a["code"], a["balance"], want)
		}
	}
	trial := c.get(t, "/reports/trial-balance?asOf=2199-12-31")
	var debit, credit float64
	for _, one := range trial["rows"].([]any) {
		r := one.(object)
		debit, credit = debit+r["debit"].(float64), credit+r["credit"].(float64)
		if got := r["debit"].(float64) - r["credit"].(float64); got != net[r["accountId"].(string)] || codes[r["accountId"].(string)] != r["code"] {
			t.Errorf("the trial balance has %v, the lines say %v", r, net[r["accountId"].(string)])
		}
		delete(net, r["accountId"].(string))
	}
	for id, left := range net {
		if left != 0 {
			t.Errorf("account %s is not in the trial balance, with %v", codes[id], left)
		}
	}
	if debit != credit || trial["debitTotal"] != debit || trial["creditTotal"] != credit {
		t.Errorf("the trial balance is %v to %v, and says %v to %v", debit, credit, trial["debitTotal"], trial["creditTotal"])
	}
	for _, i := range c.listed(t, "/invoices") {
		total, paid, lost, due := i["total"].(float64), i["amountPaid"].(float64), i["amountWrittenOff"].(float64), i["amountDue"].(float64)
		want := total - paid - lost
		if i["status"] == "VOID" {
			want = 0
		}
		status := map[bool]string{true: "PAID", false: "OPEN"}[due == 0]
		if due > 0 && paid > 0 {
			status = "PARTIALLY_PAID"
		}
		if s := i["status"]; due != want || total != i["subtotal"].(float64)+i["taxTotal"].(float64) || s != "DRAFT" && s != "VOID" && s != "UNCOLLECTIBLE" && s != status {
			t.Errorf("an invoice that does not add up: %v", i)
		}
	}
}

// rate finds a tax rate on sales by its percentage.
func (c caller) rate(t testing.TB, percent string) string {
	t.Helper()
	for _, r := range c.listed(t, "/tax-rates?status=ACTIVE") {
		if r["rate"] == percent && r["kind"] != "PURCHASE" {
			return r["id"].(string)
		}
	}
	t.Fatalf("there is no rate of %s %%", percent)
	return ""
}

// clerk keeps the books of a business, to see what is posted.
type clerk struct {
	caller
	n                                           *apiNode
	customer, supplier, bank, dollars, standard string
	account                                     map[string]string // ids by code
}

func (n *apiNode) clerk(t *testing.T, c caller) clerk {
	t.Helper()
	k := clerk{caller: c, n: n, standard: c.rate(t, "21")}
	k.customer = n.id(c.make(t, "/customers", object{"displayName": "Ada"}))
	k.supplier = n.id(c.make(t, "/suppliers", object{"displayName": "Mill"}))
	k.dollars = n.id(c.make(t, "/accounts", object{"code": "1001", "name": "Dollars", "type": "ASSET", "subtype": "BANK", "currency": "USD"}))
	_, k.account = c.chart(t)
	k.bank = k.account["1000"]
	return k
}

// invoice issues one; more is added to it.
func (k clerk) invoice(t testing.TB, more object, lines ...object) object {
	t.Helper()
	body := object{"customerId": k.customer, "issue": true, "lines": lines}
	for name, value := range more {
		body[name] = value
	}
	return k.make(t, "/invoices", body)
}

// receipt records money from the customer.
func (k clerk) receipt(t testing.TB, amount int, more object, invoices ...string) object {
	t.Helper()
	list := []object{}
	for _, id := range invoices {
		list = append(list, object{"invoiceId": id})
	}
	body := object{"kind": "RECEIPT", "date": today(k.n), "amount": amount, "bankAccountId": k.bank, "customerId": k.customer, "allocations": list}
	for name, value := range more {
		body[name] = value
	}
	return k.make(t, "/payments", body)
}

func taxed(rate, price string) object {
	return object{"description": "Work", "unitPrice": price, "taxRateId": rate}
}
