package contract_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
)

// anySequence does one thing after another, as chance has it: whatever is refused, nothing is ever out of balance.
func anySequence(t *testing.T, k clerk) {
	const steps = 120
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	dice := rand.New(rand.NewPCG(seed, 0))
	var invoices, payments, entries []string
	one := func(list []string) string {
		if len(list) == 0 {
			return "x_" + nowhere
		}
		return list[dice.IntN(len(list))]
	}
	price := func() string { return fmt.Sprintf("%d.%04d", dice.IntN(200), dice.IntN(10000)) }
	refusals := 0
	try := func(method, path string, body any) object {
		t.Helper()
		a := k.do(t, method, path, body)
		switch {
		case a.Status >= 500 || a.Status == http.StatusForbidden || a.Status == http.StatusUnauthorized:
			t.Fatalf("%s %s %v: %d %s", method, path, body, a.Status, a.Body)
		case a.Status >= 400:
			refusals++
			return nil
		case a.Status == http.StatusNoContent:
			return nil
		}
		return a.JSON(t)
	}
	kept := func(list *[]string, made object) {
		if made != nil {
			*list = append(*list, k.n.id(made))
		}
	}
	for step := range steps {
		switch dice.IntN(12) {
		case 0, 1, 2:
			lines := []object{}
			for range 1 + dice.IntN(4) {
				l := taxed(k.standard, price())
				if dice.IntN(3) == 0 {
					l["discountPercent"] = "12.5"
				}
				if dice.IntN(4) == 0 {
					l["taxRateId"] = nil
				}
				lines = append(lines, l)
			}
			kept(&invoices, try("POST", "/invoices", object{
				"customerId": k.customer, "issue": dice.IntN(4) > 0, "lines": lines, "taxMode": []string{"EXCLUSIVE", "INCLUSIVE", "NONE"}[dice.IntN(3)],
				"taxRounding": []string{"LINE", "DOCUMENT"}[dice.IntN(2)],
			}))
		case 3, 4:
			allocations := []object{}
			for range dice.IntN(3) {
				allocations = append(allocations, object{"invoiceId": one(invoices)})
			}
			kept(&payments, try("POST", "/payments", object{
				"kind": "RECEIPT", "date": today(k.n), "amount": 1 + dice.IntN(40000), "bankAccountId": k.bank, "customerId": k.customer, "allocations": allocations,
			}))
		case 5:
			try("POST", "/payments/"+one(payments)+"/allocations", object{"allocations": []object{{"invoiceId": one(invoices)}}})
		case 6:
			if payment := one(payments); len(payments) > 0 {
				if p := try("GET", "/payments/"+payment, nil); p != nil && len(p["allocations"].([]any)) > 0 {
					try("DELETE", "/payments/"+payment+"/allocations/"+p["allocations"].([]any)[0].(object)["id"].(string), nil)
				}
			}
		case 7:
			kept(&payments, try("POST", "/payments/"+one(payments)+"/refund", object{"amount": 1 + dice.IntN(2000), "date": today(k.n)}))
		case 8:
			try("DELETE", "/payments/"+one(payments), nil)
		case 9:
			try("POST", "/invoices/"+one(invoices)+[]string{"/void", "/write-off", "/issue"}[dice.IntN(3)], nil)
		case 10:
			amount := 1 + dice.IntN(9000)
			kept(&entries, try("POST", "/journal-entries", object{"date": today(k.n), "draft": dice.IntN(3) == 0, "lines": []object{
				{"accountId": k.bank, "debit": amount}, {"accountId": k.account["4900"], "credit": amount - dice.IntN(2)*dice.IntN(2)},
				{"accountId": k.account["6000"], "credit": dice.IntN(2)},
			}}))
		case 11:
			try("POST", "/journal-entries/"+one(entries)+[]string{"/post", "/reverse"}[dice.IntN(2)], nil)
		}
		if step%30 == 29 && !t.Run(fmt.Sprintf("INVO-04 after %d things, seed %d", step+1, seed), func(t *testing.T) { balanced(t, k.caller) }) {
			t.FailNow()
		}
	}
	if len(invoices) == 0 || len(payments) == 0 || refusals == 0 || refusals > steps*3/4 {
		t.Errorf("%d invoices, %d payments and %d refusals: the sequence shows little", len(invoices), len(payments), refusals)
	}
}
