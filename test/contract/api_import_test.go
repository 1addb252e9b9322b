package contract_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"daybook/test/harness"
)

// row is an invoice to be imported; more is added to it.
func (k clerk) row(name string, more object) object {
	r := object{"externalId": name, "customerId": k.customer, "lines": []object{line("10")}}
	for member, value := range more {
		if value == nil {
			delete(r, member)
		} else {
			r[member] = value
		}
	}
	return r
}

// many are so many drafts to be imported.
func (k clerk) many(name string, count int) []object {
	list := make([]object, count)
	for i := range list {
		list[i] = k.row(fmt.Sprintf("%s-%d", name, i), nil)
	}
	return list
}

// imported is the answer to an import.
type imported struct {
	ImportID string `json:"importId"`
	DryRun   bool   `json:"dryRun"`
	Mode     string `json:"mode"`
	Summary  struct {
		Received, Created, Skipped, Failed int
	} `json:"summary"`
	Results []importedRow `json:"results"`
}

type importedRow struct {
	Index      int     `json:"index"`
	ExternalID *string `json:"externalId"`
	Status     string  `json:"status"`
	InvoiceID  *string `json:"invoiceId"`
	Number     *string `json:"number"`
	Total      *int    `json:"total"`
	Error      *struct {
		Code    *string        `json:"code"`
		Message []string       `json:"message"`
		Params  map[string]any `json:"params"`
	} `json:"error"`
}

// statuses are what became of the rows, with the code of those that failed.
func (i imported) statuses() string { return rowStatuses(i.Results) }

func rowStatuses(list []importedRow) string {
	var all []string
	for _, r := range list {
		word := r.Status
		if r.Error != nil {
			word += " " + deref(r.Error.Code)
		}
		all = append(all, strings.TrimSpace(word))
	}
	return strings.Join(all, ", ")
}

// importing proves that an import was carried out, and reads its answer strictly.
func importing(t *testing.T, a harness.Answer) imported {
	t.Helper()
	var i imported
	decoder := json.NewDecoder(strings.NewReader(a.Body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&i); err != nil || a.Status != http.StatusOK {
		t.Fatalf("want the results of an import (%v), got %d %.2000s", err, a.Status, a.Body)
	}
	count := map[string]int{}
	for at, r := range i.Results {
		count[r.Status]++
		if r.Index != at || (r.Status == "FAILED") != (r.Error != nil) {
			t.Errorf("row %d: %+v", at, r)
		}
	}
	if s := i.Summary; !strings.HasPrefix(i.ImportID, "imp_") || s.Received != len(i.Results) || s.Created != count["CREATED"] || s.Skipped != count["SKIPPED"] || s.Failed != count["FAILED"] {
		t.Errorf("%s: the summary is %+v of %v", i.ImportID, s, count)
	}
	return i
}

// TestManyInvoicesAtOnce proves INVO-03.
func TestManyInvoicesAtOnce(t *testing.T) {
	const path = "/invoices/bulk-import"
	eachAPI(t, func(t *testing.T, n *apiNode) {
		k := n.clerk(t, n.by(t, fullApp, "olivia", "shop"))
		count := func() int { return len(k.listed(t, "/invoices")) }
		t.Run("INVO-03 200 invoices in one call", func(t *testing.T) {
			a := k.once("two hundred").do(t, "POST", path, object{"invoices": k.many("a", 200)})
			if i := importing(t, a); i.Summary.Created != 200 || i.Mode != "PARTIAL" || i.DryRun {
				t.Errorf("%+v", i.Summary)
			}
			if got := count(); got != 200 {
				t.Errorf("there are %d invoices", got)
			}
			again(t, a, k.once("two hundred").do(t, "POST", path, object{"invoices": k.many("a", 200)}))
			_, before, _ := limitHeaders(t, a)
			if _, after, _ := limitHeaders(t, k.do(t, "GET", "/me", nil)); before-after > 6 {
				t.Errorf("200 invoices count as %d calls", before-after)
			}
		})
		for what, invoices := range map[string]any{
			"201 invoices": k.many("b", 201), "no invoice": []object{}, "no list": nil, "something else": "all of them",
		} {
			t.Run("INVO-03 "+what+" is a validation failure", func(t *testing.T) {
				offends(t, k.do(t, "POST", path, object{"invoices": invoices}), "invoices")
				if got := count(); got != 200 {
					t.Errorf("there are %d invoices", got)
				}
			})
		}
		t.Run("INVO-03 the rest of the request is judged too", func(t *testing.T) {
			offends(t, k.do(t, "POST", path, object{"mode": "SOME", "onDuplicate": "HIDE", "invoices": k.many("b", 1)}), "mode", "onDuplicate")
			offends(t, k.do(t, "POST", path, object{"invoices": k.many("b", 1), "x": 1}), "x")
			offends(t, k.do(t, "POST", path, object{}), "invoices")
		})
		good, paidRow := k.row("c-0", object{"issue": true, "number": "C-1", "expectedTotal": 1000}), k.row("c-1", object{
			"issue": true, "payment": object{"date": today(n), "amount": 1000, "bankAccountId": k.bank},
		})
		mixed := []object{
			good, paidRow,
			k.row("a-0", nil),                           // there already
			k.row("c-2", object{"expectedTotal": 100}),  // another total
			k.row("c-3", object{"lines": []object{{}}}), // wrong in itself
			k.row("c-4", object{"number": "C-1"}),       // its number is taken
			k.row("c-0", nil),                           // twice in the request
			k.row("c-5", object{"externalId": nil}),     // without a name
			k.row("c-6", object{"customerId": "cus_" + nowhere}),
			k.row("c-7", object{"payment": object{"date": today(n), "amount": 1, "bankAccountId": k.bank}}), // paid, and not issued
			k.row("c-8", object{"customerId": nil, "customer": object{"externalId": "ada", "displayName": "Ada"}}),
			k.row("c-9", object{"customerId": nil, "customer": object{"externalId": "ada", "displayName": "Ada again"}}),
		}
		const outcome = "CREATED, CREATED, SKIPPED, FAILED TOTAL_MISMATCH, FAILED, FAILED DUPLICATE_NUMBER, SKIPPED, FAILED, FAILED REFERENCE_NOT_FOUND, FAILED, CREATED, CREATED"
		t.Run("INVO-03 a dry run tells what would be and writes nothing", func(t *testing.T) {
			before, customers := count(), len(k.listed(t, "/customers"))
			i := importing(t, k.do(t, "POST", path, object{"dryRun": true, "invoices": mixed}))
			if got := i.statuses(); got != outcome || !i.DryRun {
				t.Errorf("%s", got)
			}
			if count() != before || len(k.listed(t, "/customers")) != customers {
				t.Error("something was written")
			}
		})
		t.Run("INVO-03 all or none: one refusal takes everything back", func(t *testing.T) {
			before, entries := count(), len(k.listed(t, "/journal-entries"))
			a := k.do(t, "POST", path, object{"mode": "ATOMIC", "invoices": mixed})
			var body struct {
				StatusCode int
				Code       string
				Results    []importedRow
			}
			must(t, json.Unmarshal([]byte(a.Body), &body))
			want := strings.ReplaceAll(outcome, "CREATED", "NOT_ATTEMPTED")
			if got := rowStatuses(body.Results); a.Status != 400 || body.StatusCode != 400 || body.Code != "IMPORT_REJECTED" || strings.ReplaceAll(got, "SKIPPED", "NOT_ATTEMPTED") != strings.ReplaceAll(want, "SKIPPED", "NOT_ATTEMPTED") {
				t.Errorf("%d %s: %s", a.Status, body.Code, got)
			}
			if count() != before || len(k.listed(t, "/journal-entries")) != entries {
				t.Error("something was written")
			}
		})
		t.Run("INVO-03 each row by itself", func(t *testing.T) {
			before := count()
			i := importing(t, k.do(t, "POST", path, object{"invoices": mixed}))
			if got := i.statuses(); got != outcome {
				t.Errorf("%s", got)
			}
			if got := count(); got != before+4 {
				t.Errorf("%d invoices became %d", before, got)
			}
			first := k.get(t, "/invoices/"+deref(i.Results[0].InvoiceID))
			if first["number"] != "C-1" || first["status"] != "OPEN" || first["externalId"] != "c-0" || !same(first["source"], object{"type": "IMPORT", "appId": n.ids["full"]}) {
				t.Error(first)
			}
			if paid := k.get(t, "/invoices/"+deref(i.Results[1].InvoiceID)); paid["status"] != "PAID" || paid["amountDue"] != 0.0 {
				t.Error(paid)
			}
			if deref(i.Results[2].InvoiceID) == "" || deref(i.Results[2].ExternalID) != "a-0" {
				t.Errorf("a skipped row does not say which invoice is there: %+v", i.Results[2])
			}
			if one, two := k.get(t, "/invoices/"+deref(i.Results[10].InvoiceID)), k.get(t, "/invoices/"+deref(i.Results[11].InvoiceID)); one["customerId"] != two["customerId"] {
				t.Errorf("one customer became two: %v, %v", one["customerId"], two["customerId"])
			}
			if p := i.Results[3].Error; !slices.Equal([]any{p.Params["p0"], p.Params["p1"]}, []any{100.0, 1000.0}) {
				t.Errorf("%+v", p)
			}
			balanced(t, k.caller)
		})
		t.Run("INVO-03 sent again without a key, everything is there already", func(t *testing.T) {
			before := count()
			i := importing(t, k.do(t, "POST", path, object{"invoices": []object{good, paidRow}}))
			if got := i.statuses(); got != "SKIPPED, SKIPPED" || count() != before {
				t.Errorf("%s", got)
			}
			i = importing(t, k.do(t, "POST", path, object{"onDuplicate": "FAIL", "invoices": []object{good, k.row("d-0", nil), k.row("d-0", nil)}}))
			if got := i.statuses(); got != "FAILED DUPLICATE_EXTERNAL_ID, CREATED, FAILED DUPLICATE_EXTERNAL_ID" {
				t.Errorf("%s", got)
			}
		})
		t.Run("INVO-03 a new customer needs customers:write, a payment payments:write, in their rows only", func(t *testing.T) {
			narrow := n.by(t, fullApp, "olivia", "shop", "invoices:write")
			i := importing(t, narrow.do(t, "POST", path, object{"invoices": []object{
				k.row("e-0", object{"customerId": nil, "customer": object{"externalId": "new", "displayName": "New"}}),
				k.row("e-1", object{"issue": true, "payment": object{"date": today(n), "amount": 1000, "bankAccountId": k.bank}}),
				k.row("e-2", nil),
			}}))
			if got := i.statuses(); got != "FAILED INSUFFICIENT_SCOPE, FAILED INSUFFICIENT_SCOPE, CREATED" {
				t.Errorf("%s", got)
			}
		})
		t.Run("INVO-03 names are the app's own", func(t *testing.T) {
			i := importing(t, n.by(t, twinApp, "olivia", "shop").do(t, "POST", path, object{"invoices": []object{k.row("a-0", nil)}}))
			if got := i.statuses(); got != "CREATED" {
				t.Errorf("%s", got)
			}
		})
		t.Run("INVO-03 the same import many times at once happens once", func(t *testing.T) {
			before := count()
			answers := atOnce(8, func() harness.Answer { return k.do(t, "POST", path, object{"invoices": k.many("f", 20)}) })
			created := 0
			for _, a := range answers {
				created += importing(t, a).Summary.Created
			}
			if got := count(); got != before+20 || created != 20 {
				t.Errorf("%d invoices became %d, and %d were said to be created", before, got, created)
			}
		})
	})
}
