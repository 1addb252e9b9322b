package apiversion_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"daybook/internal/base/fault"
	"daybook/internal/platform/apiversion"
)

const (
	first  = "2025-03-01"
	second = "2025-10-01"
	third  = "2026-06-01"
)

func decode(t testing.TB, text string) apiversion.Document {
	t.Helper()
	d, err := apiversion.Decode([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d
}

func encode(t testing.TB, d any) string {
	t.Helper()
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The newest shape of each resource, and how every version shows it. Members are sorted as the encoder sorts them.
var golden = []struct {
	name     string
	resource apiversion.Resource
	page     bool
	event    string
	shapes   map[string]string
}{
	{"an invoice", apiversion.Invoice, false, "", map[string]string{
		third:  `{"id":"inv_1","status":"OPEN","total":12345678901234567}`,
		second: `{"id":"inv_1","status":"SENT","total":12345678901234567}`,
		first:  `{"id":"inv_1","status":"SENT","total":12345678901234567}`,
	}},
	{"a paid invoice", apiversion.Invoice, false, "", map[string]string{
		third:  `{"id":"inv_1","status":"PARTIALLY_PAID"}`,
		second: `{"id":"inv_1","status":"PARTIALLY_PAID"}`,
		first:  `{"id":"inv_1","status":"PARTIALLY_PAID"}`,
	}},
	{"a payment", apiversion.Payment, false, "", map[string]string{
		third:  `{"allocations":[{"amount":5,"id":"alc_1","invoiceId":"inv_1"},{"amount":6,"id":"alc_2","invoiceId":"inv_2"}],"id":"pay_1"}`,
		second: `{"id":"pay_1","invoiceId":"inv_1"}`,
		first:  `{"id":"pay_1","invoiceId":"inv_1"}`,
	}},
	{"a payment without allocations", apiversion.Payment, false, "", map[string]string{
		third:  `{"allocations":[],"id":"pay_1"}`,
		second: `{"id":"pay_1","invoiceId":null}`,
	}},
	{"a customer", apiversion.Customer, false, "", map[string]string{
		third:  `{"id":"cus_1","paymentTermsDays":30}`,
		second: `{"id":"cus_1","paymentTerms":"NET_30"}`,
		first:  `{"id":"cus_1","paymentTerms":"NET_30"}`,
	}},
	{"a supplier without terms", apiversion.Supplier, false, "", map[string]string{
		third:  `{"id":"sup_1","paymentTermsDays":null}`,
		second: `{"id":"sup_1","paymentTerms":null}`,
		first:  `{"id":"sup_1","paymentTerms":null}`,
	}},
	{"a page of invoices", apiversion.Invoice, true, "", map[string]string{
		third:  `{"data":[{"status":"OPEN"},{"status":"PAID"}],"hasMore":true,"nextCursor":"abc"}`,
		second: `{"data":[{"status":"SENT"},{"status":"PAID"}],"hasMore":true,"nextCursor":"abc"}`,
		first:  `{"cursor":"abc","items":[{"status":"SENT"},{"status":"PAID"}]}`,
	}},
	{"the last page of accounts", apiversion.Plain, true, "", map[string]string{
		third:  `{"data":[{"id":"acc_1","status":"OPEN"}],"hasMore":false,"nextCursor":null}`,
		second: `{"data":[{"id":"acc_1","status":"OPEN"}],"hasMore":false,"nextCursor":null}`,
		first:  `{"cursor":null,"items":[{"id":"acc_1","status":"OPEN"}]}`,
	}},
	{"an account", apiversion.Plain, false, "", map[string]string{
		third: `{"allocations":[],"paymentTermsDays":3,"status":"OPEN"}`,
		first: `{"allocations":[],"paymentTermsDays":3,"status":"OPEN"}`,
	}},
	{"invoice.issued", "", false, "invoice.issued", map[string]string{
		third:  `{"invoiceId":"inv_1","status":"OPEN"}`,
		second: `{"invoiceId":"inv_1","status":"SENT"}`,
		first:  `{"invoiceId":"inv_1","status":"SENT"}`,
	}},
	{"invoice.reopened", "", false, "invoice.reopened", map[string]string{
		third:  `{"previousStatus":"OPEN","status":"PARTIALLY_PAID"}`,
		second: `{"previousStatus":"SENT","status":"PARTIALLY_PAID"}`,
	}},
	{"payment.received", "", false, "payment.received", map[string]string{
		third:  `{"allocations":[{"allocationId":"alc_1","amount":5,"invoiceId":"inv_1"}],"paymentId":"pay_1"}`,
		second: `{"invoiceId":"inv_1","paymentId":"pay_1"}`,
	}},
	{"payment.allocated", "", false, "payment.allocated", map[string]string{
		third:  `{"allocationId":"alc_2","allocations":[{"invoiceId":"inv_1"},{"invoiceId":"inv_2"}],"invoiceId":"inv_2"}`,
		second: `{"allocationId":"alc_2","invoiceId":"inv_2"}`,
	}},
	{"payment.deleted", "", false, "payment.deleted", map[string]string{
		third:  `{"invoiceIds":["inv_1"],"paymentId":"pay_1"}`,
		second: `{"invoiceIds":["inv_1"],"paymentId":"pay_1"}`,
	}},
	{"customer.updated", "", false, "customer.updated", map[string]string{
		third:  `{"changes":["email","paymentTermsDays"],"customerId":"cus_1"}`,
		second: `{"changes":["email","paymentTerms"],"customerId":"cus_1"}`,
	}},
	{"supplier.created", "", false, "supplier.created", map[string]string{
		third:  `{"status":"ACTIVE","supplierId":"sup_1"}`,
		second: `{"status":"ACTIVE","supplierId":"sup_1"}`,
	}},
	{"journal_entry.posted", "", false, "journal_entry.posted", map[string]string{
		third: `{"changes":["paymentTermsDays"],"status":"OPEN"}`,
		first: `{"changes":["paymentTermsDays"],"status":"OPEN"}`,
	}},
}

func TestHowEveryVersionShowsADocument(t *testing.T) {
	for _, c := range golden {
		for version, want := range c.shapes {
			t.Run(c.name+" in "+version, func(t *testing.T) {
				newest := decode(t, c.shapes[third])
				var got apiversion.Document
				var bytes []byte
				var err error
				switch {
				case c.event != "":
					got = apiversion.DownEvent(version, c.event, newest)
					bytes, err = apiversion.RewriteEvent(version, c.event, []byte(c.shapes[third]))
				case c.page:
					got = apiversion.DownPage(version, c.resource, newest)
					bytes, err = apiversion.RewritePage(version, c.resource, []byte(c.shapes[third]))
				default:
					got = apiversion.Down(version, c.resource, newest)
					bytes, err = apiversion.RewriteDown(version, c.resource, []byte(c.shapes[third]))
				}
				if encode(t, got) != want || err != nil || string(bytes) != want {
					t.Errorf("got  %s\nbytes %s (%v)\nwant %s", encode(t, got), bytes, err, want)
				}
				if encode(t, newest) != c.shapes[third] {
					t.Errorf("the document itself was changed: %s", encode(t, newest))
				}
			})
		}
	}
}

func TestTheNewestVersionIsNotEvenRead(t *testing.T) {
	broken := []byte("not JSON")
	for _, r := range []apiversion.Resource{apiversion.Invoice, apiversion.Payment, apiversion.Customer} {
		if got, err := apiversion.RewriteDown(third, r, broken); err != nil || &got[0] != &broken[0] {
			t.Errorf("%s: %v", r, err)
		}
		if got, err := apiversion.RewritePage(third, r, broken); err != nil || &got[0] != &broken[0] {
			t.Errorf("page of %s: %v", r, err)
		}
	}
	if got, err := apiversion.RewriteEvent(third, "invoice.paid", broken); err != nil || &got[0] != &broken[0] {
		t.Error(err)
	}
	if !apiversion.Newest(third) || apiversion.Newest(second) || apiversion.Newest(first) || !apiversion.Newest(apiversion.Latest().Name) {
		t.Error("which version is the newest is not known")
	}
	if apiversion.Changed(third, apiversion.Customer) || !apiversion.Changed(second, apiversion.Customer) || apiversion.Changed(first, apiversion.Plain) {
		t.Error("which requests look different is not known")
	}
}

func TestRequestsOfAnOlderShape(t *testing.T) {
	for _, c := range []struct {
		name, version string
		resource      apiversion.Resource
		body, want    string
		offences      string
	}{
		{"terms", second, apiversion.Customer, `{"paymentTerms":"NET_14"}`, `{"paymentTermsDays":14}`, ""},
		{"terms at once", first, apiversion.Supplier, `{"paymentTerms":"NET_0"}`, `{"paymentTermsDays":0}`, ""},
		{"the longest terms", second, apiversion.Customer, `{"paymentTerms":"NET_365"}`, `{"paymentTermsDays":365}`, ""},
		{"no terms", second, apiversion.Customer, `{"paymentTerms":null}`, `{"paymentTermsDays":null}`, ""},
		{"terms not mentioned", second, apiversion.Customer, `{"name":"A"}`, `{"name":"A"}`, ""},
		{"terms that are too long", second, apiversion.Customer, `{"paymentTerms":"NET_366"}`, `{}`, "paymentTerms must be NET_"},
		{"terms with a leading zero", second, apiversion.Customer, `{"paymentTerms":"NET_030"}`, `{}`, "paymentTerms must be NET_"},
		{"terms of another fashion", second, apiversion.Customer, `{"paymentTerms":"30 days"}`, `{}`, "paymentTerms must be NET_"},
		{"terms as a number", second, apiversion.Customer, `{"paymentTerms":30}`, `{}`, "paymentTerms must be NET_"},
		{"terms of the future", second, apiversion.Customer, `{"paymentTermsDays":30}`, `{}`, "paymentTermsDays is not a member of this request"},
		{"an invoice to pay", second, apiversion.Payment, `{"amount":5,"invoiceId":"inv_1"}`, `{"allocations":[{"invoiceId":"inv_1"}],"amount":5}`, ""},
		{"no invoice to pay", second, apiversion.Payment, `{"invoiceId":null}`, `{"allocations":[]}`, ""},
		{"an invoice that is a number", second, apiversion.Payment, `{"invoiceId":5}`, `{}`, "invoiceId must be a string or null"},
		{"allocations of the future", second, apiversion.Payment, `{"allocations":[]}`, `{}`, "allocations is not a member of this request"},
		{"a customer inside an import", second, apiversion.Import, `{"invoices":[{"customerId":"cus_1"},{"customer":{"paymentTerms":"NET_7"}}]}`,
			`{"invoices":[{"customerId":"cus_1"},{"customer":{"paymentTermsDays":7}}]}`, ""},
		{"a wrong customer inside an import", second, apiversion.Import, `{"invoices":[{"customer":{"paymentTerms":"soon"}}]}`,
			`{"invoices":[{"customer":{}}]}`, "invoices.0.customer.paymentTerms must be NET_"},
		{"an import that is none", second, apiversion.Import, `{"invoices":"many"}`, `{"invoices":"many"}`, ""},
		{"the newest", third, apiversion.Customer, `{"paymentTerms":"NET_14"}`, `{"paymentTerms":"NET_14"}`, ""},
		{"another resource", first, apiversion.Plain, `{"paymentTerms":"NET_14","invoiceId":"x"}`, `{"invoiceId":"x","paymentTerms":"NET_14"}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			old := decode(t, c.body)
			before := encode(t, old)
			got, err := apiversion.Up(c.version, c.resource, old)
			if encode(t, got) != c.want {
				t.Errorf("got %s, want %s", encode(t, got), c.want)
			}
			offences := ""
			if f := fault.From(err); f != nil {
				offences = f.Text()
			}
			if (c.offences == "") != (err == nil) || !strings.HasPrefix(offences, c.offences) {
				t.Errorf("offences: %v", err)
			}
			if encode(t, old) != before {
				t.Errorf("the document itself was changed: %s", encode(t, old))
			}
		})
	}
}

func TestTheStatusFilterOfAnOlderVersion(t *testing.T) {
	for _, c := range []struct{ version, status, want string }{
		{third, "OPEN", "OPEN"}, {third, "SENT", "SENT"}, // which the list refuses
		{second, "SENT", "OPEN"}, {first, "DRAFT,SENT,PAID", "DRAFT,OPEN,PAID"}, {second, "PAID", "PAID"},
		{second, "OPEN", ""}, {second, "SENT,OPEN", ""}, {second, "", ""},
	} {
		params := map[string][]string{"status": {c.status}, "limit": {"5"}}
		got, err := apiversion.UpParams(c.version, apiversion.Invoice, params)
		if strings.Join(got["status"], "|") != c.want || (err != nil) != (c.want == "") || got["limit"][0] != "5" {
			t.Errorf("%s in %s: %v, %v", c.status, c.version, got, err)
		}
		if params["status"][0] != c.status {
			t.Error("the parameters themselves were changed")
		}
	}
	if got, err := apiversion.UpParams(second, apiversion.Invoice, map[string][]string{}); err != nil || len(got) != 0 {
		t.Errorf("without a filter: %v, %v", got, err)
	}
}

// C.13, 10: what an older version could say comes back as it was said.
func TestDownUndoesUp(t *testing.T) {
	text := rapid.StringMatching(`[a-zA-Z_]{0,8}`)
	draw := map[apiversion.Resource]func(t *rapid.T) apiversion.Document{
		apiversion.Invoice: func(t *rapid.T) apiversion.Document {
			return apiversion.Document{"status": rapid.SampledFrom([]string{"DRAFT", "SENT", "PARTIALLY_PAID", "PAID", "VOID", "UNCOLLECTIBLE"}).Draw(t, "status")}
		},
		apiversion.Payment: func(t *rapid.T) apiversion.Document {
			d := apiversion.Document{}
			switch rapid.IntRange(0, 2).Draw(t, "invoice") {
			case 0:
				d["invoiceId"] = nil
			case 1:
				d["invoiceId"] = text.Draw(t, "invoiceId")
			}
			return d
		},
		apiversion.Customer: terms, apiversion.Supplier: terms,
	}
	for resource, old := range draw {
		for _, version := range []string{first, second} {
			t.Run(string(resource)+" in "+version, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					d := old(t)
					for name, value := range rapid.MapOfN(rapid.SampledFrom([]string{"id", "memo", "amount", "reference"}), text, 0, 4).Draw(t, "others") {
						d[name] = value
					}
					up, err := apiversion.Up(version, resource, d)
					if err != nil {
						t.Fatal(err)
					}
					// As it would travel: through bytes.
					text, err := json.Marshal(up)
					if err != nil {
						t.Fatal(err)
					}
					back, err := apiversion.RewriteDown(version, resource, text)
					if err != nil {
						t.Fatal(err)
					}
					got, err := apiversion.Decode(back)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(d, got); diff != "" {
						t.Fatalf("not as it was:\n%s", diff)
					}
				})
			})
		}
	}
}

func terms(t *rapid.T) apiversion.Document {
	d := apiversion.Document{}
	switch rapid.IntRange(0, 2).Draw(t, "terms") {
	case 0:
		d["paymentTerms"] = nil
	case 1:
		d["paymentTerms"] = "NET_" + rapid.StringMatching(`0|[1-9][0-9]?|[12][0-9][0-9]|3[0-5][0-9]|36[0-5]`).Draw(t, "days")
	}
	return d
}

func TestEveryChangeIsToldOnce(t *testing.T) {
	total := 0
	for _, v := range apiversion.All {
		list := apiversion.Changes(v.Name)
		if list == nil {
			t.Errorf("%s has null for an empty list", v.Name)
		}
		total += len(list)
	}
	if total != 4 || len(apiversion.Changes(third)) != 3 || len(apiversion.Changes(second)) != 1 || len(apiversion.Changes(first)) != 0 {
		t.Errorf("%d changes", total)
	}
}
