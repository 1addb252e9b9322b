package partnerapi

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// requests are the examples of bodies, by the name of their type. Answers are put together from the examples of their
// members; a test holds all of them against the schemas.
var requests = map[string]string{
	"NewAccount":       `{"code":"4100","name":"Workshops","type":"REVENUE","subtype":"SALES"}`,
	"AccountPatch":     `{"name":"Workshops and tastings","description":"Evenings in the bakery"}`,
	"BusinessPatch":    `{"defaultTaxRounding":"DOCUMENT"}`,
	"Lock":             `{"lockDate":"2026-03-31"}`,
	"NewCustomer":      `{"displayName":"Café Zon","email":"orders@cafe-zon.example","externalId":"crm-1042","paymentTermsDays":14,"billingAddress":{"line1":"Lindelaan 4","postalCode":"1012 AB","city":"Amsterdam","country":"NL"}}`,
	"CustomerPatch":    `{"phone":"+31 20 555 0142","billingAddress":{"line1":"Lindelaan 6"}}`,
	"NewSupplier":      `{"displayName":"Molen De Hoop","email":"sales@molen-de-hoop.example"}`,
	"SupplierPatch":    `{"paymentTermsDays":30}`,
	"NewInvoice":       `{"customerId":"cus_01k9m4x2v7q3t8r5w1y6z0a2bc","externalId":"order-1001","issue":true,"expectedTotal":3655,"taxRounding":"DOCUMENT","lines":[{"description":"Sourdough loaves","quantity":"3","unitPrice":"10.07","taxRateId":"tax_01k9m4x2v7q3t8r5w1y6z0a2bd"}]}`,
	"InvoicePatch":     `{"dueDate":"2026-06-30","reference":"PO 7781"}`,
	"SendingBody":      `{"channel":"EXTERNAL"}`,
	"VoidingBody":      `{"date":"2026-05-20","reason":"Wrong customer"}`,
	"WriteOffBody":     `{"date":"2026-05-20"}`,
	"NewEntry":         `{"date":"2026-05-31","memo":"Rent May","lines":[{"accountId":"acc_01k9m4x2v7q3t8r5w1y6z0a2be","debit":125000},{"accountId":"acc_01k9m4x2v7q3t8r5w1y6z0a2bf","credit":125000}]}`,
	"EntryPatch":       `{"memo":"Rent May, corrected"}`,
	"ReversalBody":     `{"date":"2026-06-01"}`,
	"NewMember":        `{"email":"sam@brandt.example","role":"STAFF"}`,
	"MemberPatch":      `{"role":"ACCOUNTANT"}`,
	"OverrideBody":     `{"effect":"GRANT"}`,
	"NewPayment":       `{"kind":"RECEIPT","date":"2026-05-18","amount":3655,"bankAccountId":"acc_01k9m4x2v7q3t8r5w1y6z0a2bf","customerId":"cus_01k9m4x2v7q3t8r5w1y6z0a2bc","allocations":[{"invoiceId":"inv_01k9m4x2v7q3t8r5w1y6z0a2bg","amount":3655}]}`,
	"PaymentPatch":     `{"reference":"Statement 5, line 12"}`,
	"AllocatingBody":   `{"allocations":[{"invoiceId":"inv_01k9m4x2v7q3t8r5w1y6z0a2bg"}]}`,
	"RefundBody":       `{"amount":500,"date":"2026-05-25"}`,
	"NewTaxRate":       `{"name":"VAT 9 %","rate":"9","kind":"SALES","category":"REDUCED"}`,
	"TaxRatePatch":     `{"name":"VAT low"}`,
	"TaxRateSuccessor": `{"rate":"10"}`,
	"ImportBody":       `{"mode":"PARTIAL","onDuplicate":"SKIP","invoices":[{"externalId":"order-1001","customer":{"externalId":"crm-1042","displayName":"Café Zon"},"issue":true,"lines":[{"description":"Sourdough loaves","quantity":"3","unitPrice":"10.07"}]}]}`,
	"AppDataBody":      `{"values":[{"resourceType":"CUSTOMER","resourceId":"cus_01k9m4x2v7q3t8r5w1y6z0a2bc","key":"delivery_day","value":"THURSDAY"},{"resourceType":"CUSTOMER","resourceId":"cus_01k9m4x2v7q3t8r5w1y6z0a2bc","key":"credit_line","value":{"amount":50000,"currency":"EUR"}}]}`,
	"Nothing":          `{}`,
}

// members are examples by the name of a member, for answers.
var members = map[string]any{
	"id": "inv_01k9m4x2v7q3t8r5w1y6z0a2bg", "externalId": "order-1001", "number": "INV-000123", "customerId": "cus_01k9m4x2v7q3t8r5w1y6z0a2bc",
	"accountId": "acc_01k9m4x2v7q3t8r5w1y6z0a2be", "bankAccountId": "acc_01k9m4x2v7q3t8r5w1y6z0a2bf", "taxRateId": "tax_01k9m4x2v7q3t8r5w1y6z0a2bd",
	"invoiceId": "inv_01k9m4x2v7q3t8r5w1y6z0a2bg", "journalEntryId": "jrn_01k9m4x2v7q3t8r5w1y6z0a2bh", "userId": "usr_01k9m4x2v7q3t8r5w1y6z0a2bj",
	"appId": "app_01k9m4x2v7q3t8r5w1y6z0a2bk", "importId": "imp_01k9m4x2v7q3t8r5w1y6z0a2bn",
	"displayName": "Café Zon", "name": "Sales", "code": "4000", "email": "orders@cafe-zon.example", "locale": "en", "legalName": "Zon Horeca B.V.",
	"currency": "EUR", "country": "NL", "timeZone": "Europe/Amsterdam", "line1": "Lindelaan 4", "city": "Amsterdam", "postalCode": "1012 AB",
	"description": "Sourdough loaves", "quantity": "3", "unitPrice": "10.07", "rate": "21", "memo": "Invoice INV-000123", "reference": "PO 7781",
	"issueDate": "2026-05-04", "dueDate": "2026-06-03", "date": "2026-05-18", "lockDate": "2026-03-31", "asOf": "2026-05-31", "from": "2026-01-01", "to": "2026-05-31",
	"createdAt": "2026-05-04T09:30:00.000Z", "updatedAt": "2026-05-04T09:30:00.000Z", "issuedAt": "2026-05-04T09:30:00.000Z",
	"installedAt": "2026-04-01T08:00:00.000Z", "expiresAt": "2026-05-04T10:30:00.000Z", "joinedAt": "2026-04-01T08:00:00.000Z",
	"lineAmount": 3021, "netAmount": 3021, "taxAmount": 634, "subtotal": 3021, "taxTotal": 634, "total": 3655, "amountDue": 3655, "taxableAmount": 3021,
	"amount": 3655, "allocatedAmount": 3655, "balance": 3655, "debit": 3655, "debitTotal": 3655, "creditTotal": 3655, "version": 1,
	"plan": "STARTER", "apiVersion": "2026-06-01", "current": "2026-06-01", "releasedAt": "2026-06-01T00:00:00.000Z", "hasMore": false,
	"resourceId": "inv_01k9m4x2v7q3t8r5w1y6z0a2bg", "key": "delivery_day", "paymentTermsDays": 14, "limit": 5000, "used": 212, "year": "2026-01-01",
}

// illustrate gives every operation an example of its body and of its answer.
func illustrate(o *huma.OpenAPI) {
	for _, path := range o.Paths {
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Put, path.Patch, path.Delete} {
			if op == nil {
				continue
			}
			if op.RequestBody != nil {
				for _, m := range op.RequestBody.Content {
					m.Example = requestExample(m.Schema)
				}
			}
			for status, r := range op.Responses {
				for media, m := range r.Content {
					if strings.HasPrefix(status, "2") && media == "application/json" {
						m.Example = example(o.Components.Schemas, m.Schema, "")
					}
				}
			}
		}
	}
}

func requestExample(s *huma.Schema) any {
	name := s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
	if text, ok := requests[name]; ok {
		return json.RawMessage(text)
	}
	return nil
}

// example puts one together. A member that may be null, and is not in the table, is.
func example(all huma.Registry, s *huma.Schema, name string) any {
	if s.Ref != "" {
		s = all.SchemaFromRef(s.Ref)
	}
	for _, choice := range append(s.AnyOf, s.OneOf...) {
		return example(all, choice, name)
	}
	if len(s.Examples) > 0 {
		return s.Examples[0]
	}
	if len(s.Enum) > 0 {
		return s.Enum[0]
	}
	if known, ok := members[name]; ok && fits(known, s.Type) {
		return known
	}
	if s.Nullable && s.Type != "array" {
		return nil
	}
	switch s.Type {
	case "object":
		doc := map[string]any{}
		for _, member := range slices.Sorted(maps.Keys(s.Properties)) {
			doc[member] = example(all, s.Properties[member], member)
		}
		return doc
	case "array":
		if s.Items == nil {
			return []any{}
		}
		return []any{example(all, s.Items, name)}
	case "integer", "number":
		return 0
	case "boolean":
		return false
	}
	return "text"
}

func fits(value any, kind string) bool {
	switch value.(type) {
	case string:
		return kind == "string"
	case int:
		return kind == "integer" || kind == "number"
	case bool:
		return kind == "boolean"
	}
	return false
}

// Document is the OpenAPI document, as it is served.
func (a *API) Document() []byte { return a.document() }
