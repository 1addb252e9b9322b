package contract_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/event"
	"daybook/test/harness"
	"daybook/test/shape"
)

// TestEventsAreAsTheirSchemasSay proves EVTS-06 on what really happens: every event that the product appends while all
// verbs are used has the shape that is documented, in every version.
func TestEventsAreAsTheirSchemasSay(t *testing.T) {
	eachAPI(t, func(t *testing.T, n *apiNode) {
		books := n.clerk(t, n.by(t, fullApp, "olivia", "shop"))
		pages := n.session(t, "olivia", "shop")
		for _, party := range []string{"/customers", "/suppliers"} {
			partyEvents(t, n, books.caller, pages, party)
		}
		invoiceEvents(t, books)
		paymentEvents(t, books)
		accountEvents(t, books)
		settingEvents(t, n, pages)
		planEvents(t, n)
		installationEvents(t, n)
		dataEvents(t, books)
		n.Advance(t, "50h") // overdue, and what follows an uninstall
		seen := fitting(t, n)
		for _, e := range event.Catalog {
			if seen[e.Type] == 0 {
				t.Errorf("EVTS-06 %s never happened", e.Type)
			}
		}
	})
}

// fitting holds all events of the store against their schemas.
func fitting(t *testing.T, n *apiNode) (seen map[event.Type]int) {
	t.Helper()
	type row struct{ kind, data string }
	var all []row
	ctx := context.Background()
	must(t, n.store(t).Read(ctx, func(tx *db.Tx) (err error) {
		all, err = db.All(ctx, tx, func(scan db.Scan) (r row, err error) {
			err = scan(&r.kind, &r.data)
			return r, err
		}, `SELECT type, data FROM events`)
		return err
	}))
	seen = map[event.Type]int{}
	for _, r := range all {
		seen[event.Type(r.kind)]++
		for _, v := range apiversion.All {
			text, err := apiversion.RewriteEvent(v.Name, r.kind, []byte(r.data))
			must(t, err)
			d, err := apiversion.Decode(text)
			must(t, err)
			if wrong := shape.Fits(event.Schema(v.Name, event.Type(r.kind)), d, "data"); len(wrong) > 0 {
				t.Errorf("EVTS-06 %s in %s: %s\n%s", r.kind, v.Name, strings.Join(wrong, "; "), text)
			}
		}
	}
	return seen
}

func partyEvents(t *testing.T, n *apiNode, c, pages caller, path string) {
	t.Helper()
	id := n.id(c.make(t, path, object{"displayName": "Eve", "paymentTermsDays": 14}))
	said(t, c.do(t, "PATCH", path+"/"+id, object{"notes": "x", "paymentTermsDays": 30}), http.StatusOK)
	c.act(t, path+"/"+id+"/archive", nil)
	c.act(t, path+"/"+id+"/restore", nil)
	gone(t, c.do(t, "DELETE", path+"/"+id, nil))
	id = n.id(c.make(t, path, object{"displayName": "Mallory", "type": "INDIVIDUAL"}))
	pages.act(t, path+"/"+id+"/redact", nil)
}

func invoiceEvents(t *testing.T, k clerk) {
	t.Helper()
	k.invoice(t, object{"dueDate": today(k.n)}, taxed(k.standard, "10.07")) // will be overdue
	k.invoice(t, nil, line("0"))                                            // nothing to pay
	draft := k.n.id(k.make(t, "/invoices", object{"customerId": k.customer, "lines": []object{line("5")}}))
	said(t, k.do(t, "PATCH", "/invoices/"+draft, object{"reference": "PO 1"}), http.StatusOK)
	gone(t, k.do(t, "DELETE", "/invoices/"+draft, nil))
	sent := k.n.id(k.invoice(t, object{"currency": "USD", "exchangeRate": "0.9"}, line("12")))
	k.act(t, "/invoices/"+sent+"/send", object{"channel": "LINK"})
	k.act(t, "/invoices/"+sent+"/void", object{"reason": "Wrong"})
	nothing := k.n.id(k.make(t, "/invoices", object{"customerId": k.customer, "lines": []object{line("8")}}))
	k.act(t, "/invoices/"+nothing+"/issue", nil)
	k.act(t, "/invoices/"+nothing+"/write-off", nil)
	said(t, k.do(t, "POST", "/invoices/bulk-import", object{"invoices": k.many("event", 2)}), http.StatusOK)
}

func paymentEvents(t *testing.T, k clerk) {
	t.Helper()
	due := k.n.id(k.invoice(t, nil, line("100")))
	part := k.receipt(t, 4000, nil, due)
	id := k.n.id(part)
	k.receipt(t, 6000, nil, due) // paid
	allocation := part["allocations"].([]any)[0].(object)["id"].(string)
	said(t, k.do(t, "DELETE", "/payments/"+id+"/allocations/"+allocation, nil), http.StatusOK) // reopened
	k.act(t, "/payments/"+id+"/allocations", object{"allocations": []object{{"invoiceId": due, "amount": 100}}})
	said(t, k.do(t, "PATCH", "/payments/"+id, object{"memo": "Thanks", "method": "CASH"}), http.StatusOK)
	k.make(t, "/payments/"+id+"/refund", object{"amount": 50, "date": today(k.n)})
	gone(t, k.do(t, "DELETE", "/payments/"+k.n.id(k.receipt(t, 70, nil, due)), nil))
	gone(t, k.do(t, "DELETE", "/payments/"+k.n.id(k.receipt(t, 70, nil)), nil))
	k.make(t, "/payments", object{"kind": "DISBURSEMENT", "date": today(k.n), "amount": 700, "bankAccountId": k.bank, "supplierId": k.supplier})
}

func accountEvents(t *testing.T, k clerk) {
	t.Helper()
	plain := k.n.id(k.make(t, "/accounts", object{"code": "4800", "name": "Cake", "type": "REVENUE"}))
	said(t, k.do(t, "PATCH", "/accounts/"+plain, object{"name": "Cakes"}), http.StatusOK)
	k.act(t, "/accounts/"+plain+"/archive", nil)
	k.act(t, "/accounts/"+plain+"/restore", nil)
	gone(t, k.do(t, "DELETE", "/accounts/"+plain, nil))
	entry := k.n.id(k.make(t, "/journal-entries", object{"date": today(k.n), "lines": []object{
		{"accountId": k.bank, "debit": 100}, {"accountId": k.account["3000"], "credit": 100},
	}}))
	k.make(t, "/journal-entries/"+entry+"/reverse", object{"date": today(k.n)})
}

func settingEvents(t *testing.T, n *apiNode, pages caller) {
	t.Helper()
	rate := n.id(pages.make(t, "/tax-rates", object{"name": "Odd", "rate": "7.5", "kind": "SALES", "category": "REDUCED"}))
	said(t, pages.do(t, "PATCH", "/tax-rates/"+rate, object{"name": "Even"}), http.StatusOK)
	pages.act(t, "/tax-rates/"+rate+"/archive", nil)
	pages.act(t, "/tax-rates/"+rate+"/restore", nil)
	pages.make(t, "/tax-rates/"+rate+"/supersede", object{"rate": "8"})
	for _, date := range []any{"2020-12-31", "2021-12-31", "2020-12-31", nil} {
		said(t, pages.do(t, "PUT", "/books/lock", object{"lockDate": date}), http.StatusOK)
	}
	said(t, pages.do(t, "PATCH", "/business", object{"name": "Corner", "defaultTaxRounding": "DOCUMENT"}), http.StatusOK)
}

// planEvents fills the free plan of the stall.
func planEvents(t *testing.T, n *apiNode) {
	t.Helper()
	k := n.clerk(t, n.by(t, fullApp, "olivia", "stall"))
	k.invoice(t, nil, line("50000"))
	standard(t, k.do(t, "POST", "/invoices", object{"customerId": k.customer, "lines": []object{line("1")}}), http.StatusForbidden)
}

// installationEvents installs an app with few scopes, then with more, and takes it away.
func installationEvents(t *testing.T, n *apiNode) {
	t.Helper()
	n.by(t, twinApp, "olivia", "store", "profile:read")
	n.by(t, twinApp, "olivia", "store", "profile:read", "invoices:read")
	n.uninstall(t, n.session(t, "olivia", "store").http, twinApp)
}

// dataEvents keeps a value on a customer and takes it away. The field is declared behind the node's back.
func dataEvents(t *testing.T, k clerk) {
	t.Helper()
	k.n.sql(t, `INSERT INTO app_fields (id, app_id, resource_type, key, label, type, rules, visibility, version, created_at, updated_at)
		VALUES ('fld_' || $2, $1, 'CUSTOMER', 'colour', 'Colour', 'TEXT', '{}', 'HIDDEN', 1, 1, 1)`, k.n.ids["full"], nowhere)
	kept := said(t, k.do(t, "PUT", "/app-data", object{"values": []object{{"resourceType": "CUSTOMER", "resourceId": k.customer, "key": "colour", "value": "red"}}}), http.StatusOK)
	gone(t, k.do(t, "DELETE", "/app-data/"+k.n.id(kept["data"].([]any)[0].(object)), nil))
}

// TestTheCatalogIsDocumented proves EVTS-06 on the document that is served: 45 webhooks, each with a schema of its data, the
// scope it needs and an example that fits.
func TestTheCatalogIsDocumented(t *testing.T) {
	n := newAPINode(t, harness.Options{})
	var document struct {
		Webhooks map[string]struct {
			Post struct {
				Description string
				RequestBody struct {
					Content map[string]struct {
						Schema  struct{ AllOf []map[string]any }
						Example json.RawMessage
					}
				}
			}
		}
		Components struct{ Schemas map[string]json.RawMessage }
	}
	must(t, json.Unmarshal([]byte(n.nobody().do(t, "GET", "/openapi.json", nil).Body), &document))
	if len(document.Webhooks) != 45 {
		t.Fatalf("EVTS-06 %d webhooks", len(document.Webhooks))
	}
	for _, e := range event.Catalog {
		w := document.Webhooks[string(e.Type)].Post
		if !strings.Contains(w.Description, string(e.Scope)) {
			t.Errorf("EVTS-06 %s: %s", e.Type, w.Description)
		}
		body := w.RequestBody.Content["application/json"]
		example, err := apiversion.Decode(body.Example)
		must(t, err)
		ref, _ := body.Schema.AllOf[1]["properties"].(object)["data"].(object)["$ref"].(string)
		var schema, own any
		must(t, json.Unmarshal(document.Components.Schemas[ref[strings.LastIndexByte(ref, '/')+1:]], &schema))
		text, err := json.Marshal(event.Schema(newest, e.Type))
		must(t, err)
		must(t, json.Unmarshal(text, &own))
		delete(own.(object), "additionalProperties") // receivers bear with new ones
		if wrong := shape.Fits(event.Schema(newest, e.Type), example["data"], "data"); len(wrong) > 0 {
			t.Errorf("EVTS-06 %s: %v", e.Type, wrong)
		}
		alikeSchemas(t, string(e.Type), schema, own)
	}
}

// alikeSchemas compares schemas; the order of lists does not matter.
func alikeSchemas(t *testing.T, path string, documented, own any) {
	t.Helper()
	switch a := documented.(type) {
	case object:
		b, _ := own.(object)
		if len(a) != len(b) {
			t.Errorf("EVTS-06 %s: %v, want %v", path, documented, own)
		}
		for name, value := range a {
			alikeSchemas(t, path+"."+name, value, b[name])
		}
	case []any:
		b, _ := own.([]any)
		if len(a) != len(b) {
			t.Errorf("EVTS-06 %s: %v, want %v", path, documented, own)
		}
		for _, value := range a {
			found := false
			for _, other := range b {
				found = found || value == other
			}
			if !found {
				t.Errorf("EVTS-06 %s: no %v in %v", path, value, own)
			}
		}
	default:
		if documented != own {
			t.Errorf("EVTS-06 %s: %v, want %v", path, documented, own)
		}
	}
}
