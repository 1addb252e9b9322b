package partnerapi

import (
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/platform/scope"
)

const older = "2025-10-01"

func TestWhichVersionACallSpeaks(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		token := w.token(w.shop, w.owner, scope.ProfileRead)
		pin := func(version *string) {
			must(t, w.Write(ctx, func(tx *db.Tx) error {
				_, err := tx.Exec(ctx, `UPDATE apps SET pinned_api_version = $2 WHERE id = $1`, w.app.ID, version)
				return err
			}))
		}
		text := func(s string) *string { return &s }
		for _, c := range []struct {
			name string
			pin  *string
			sent header
			want string // or the refusal
		}{
			{"nothing said", nil, nil, "2026-06-01"},
			{"by header", nil, header{"Daybook-Version", older}, older},
			{"the newest by header", nil, header{"daybook-version", "2026-06-01"}, "2026-06-01"},
			{"by pin", text(older), nil, older},
			{"the header before the pin", text(older), header{"Daybook-Version", "2026-06-01"}, "2026-06-01"},
			{"past its sunset", nil, header{"Daybook-Version", "2025-03-01"}, ""},
			{"a pin past its sunset", text("2025-03-01"), nil, ""},
			{"a header before a pin past its sunset", text("2025-03-01"), header{"Daybook-Version", older}, older},
			{"unknown", nil, header{"Daybook-Version", "2026-06-02"}, ""},
			{"malformed", nil, header{"Daybook-Version", "latest"}, ""},
			{"empty", text(older), header{"Daybook-Version", ""}, ""},
		} {
			t.Run(c.name, func(t *testing.T) {
				pin(c.pin)
				got := w.call(bearer(token).with(c.sent...), "GET", "/me", nil)
				if c.want == "" {
					got.is(400, "UNSUPPORTED_API_VERSION")
					if got.Header().Get("Daybook-Version") != "" {
						t.Errorf("a version is named: %v", got.Header())
					}
					return
				}
				got.is(200, "")
				if got.Header().Get("Daybook-Version") != c.want || got.text("apiVersion") != c.want {
					t.Errorf("%v %s", got.Header(), got.Body)
				}
				h := got.Header()
				warned := h.Get("Deprecation") + " | " + h.Get("Sunset") + " | " + h.Get("Link")
				want := " |  | "
				if c.want == older {
					want = `@1780272000 | Tue, 01 Jun 2027 00:00:00 GMT | <https://api.example/versions>; rel="deprecation"`
				}
				if warned != want {
					t.Errorf("warned with %s", warned)
				}
			})
		}
		pin(nil)
		w.call(header{"Cookie", w.cookie(w.owner), "Daybook-Version", older}, "GET", "/me", nil).is(200, "")
		w.call(header{"Cookie", w.cookie(w.owner), "Daybook-Version", "x"}, "GET", "/me", nil).is(400, "UNSUPPORTED_API_VERSION")
		w.api.Clock = w.Clock
	})
}

func TestTheServiceNameBeginsTheHeader(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		w.api.versionHeader = "Tally-Version"
		token := w.all()
		if got := w.call(bearer(token).with("Tally-Version", older), "GET", "/me", nil).is(200, ""); got.text("apiVersion") != older || got.Header().Get("Tally-Version") != older {
			t.Error(got.Header())
		}
	})
}

func TestAnOlderVersionOverHTTP(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		token := w.all()
		old := bearer(token).with("Daybook-Version", older)

		made := w.call(old, "POST", "/customers", object{"displayName": "Ada", "paymentTerms": "NET_14"}).is(201, "")
		if made.text("paymentTerms") != "NET_14" || has(made.object(), "paymentTermsDays") || made.Header().Get("ETag") != `"1"` {
			t.Errorf("created: %s", made.Body)
		}
		customer := made.text("id")
		if got := w.call(bearer(token), "GET", "/customers/"+customer, nil).object(); has(got, "paymentTerms") || got["paymentTermsDays"] == nil {
			t.Errorf("in the newest: %v", got)
		}
		if got := w.call(old, "PATCH", "/customers/"+customer, object{"paymentTerms": nil}).is(200, "").object(); got["paymentTerms"] != nil || !has(got, "paymentTerms") {
			t.Errorf("patched: %v", got)
		}
		got := w.call(old, "POST", "/customers", object{"paymentTerms": "soon", "paymentTermsDays": 3, "displayName": 5, "nickname": "A"}).offences()
		want := []string{
			"paymentTermsDays is not a member of this request", "paymentTerms must be NET_ and a number of days from 0 to 365, such as NET_30, or null",
			"displayName must be a string", "nickname is not a member of this request",
		}
		if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] || got[3] != want[3] {
			t.Errorf("offences: %q", got)
		}
		if got := w.call(old, "POST", "/customers", object{"paymentTerms": "soon", "displayName": "Well"}).offences(); len(got) != 1 {
			t.Errorf("offences: %q", got)
		}

		invoice := w.invoice(token, customer)
		if got := w.call(old, "GET", "/invoices/"+invoice, nil).is(200, ""); got.text("status") != "SENT" || got.Header().Get("ETag") != `"1"` {
			t.Errorf("an invoice: %s", got.Body)
		}
		page := w.call(old, "GET", "/invoices?status=SENT", nil).is(200, "").object()
		if list := page["data"].([]any); len(list) != 1 || list[0].(object)["status"] != "SENT" || page["hasMore"] != false {
			t.Errorf("a page: %v", page)
		}
		if got := w.call(old, "GET", "/invoices?status=OPEN", nil).offences(); got[0] != "status must be any of DRAFT, SENT, PARTIALLY_PAID, PAID, VOID, UNCOLLECTIBLE" {
			t.Errorf("offences: %q", got)
		}
		w.call(bearer(token), "GET", "/invoices?status=SENT", nil).offences()

		bank := w.account(token, "1000")
		paid := w.call(old, "POST", "/payments", object{
			"kind": "RECEIPT", "date": "2026-11-14", "amount": 1000, "bankAccountId": bank, "customerId": customer, "invoiceId": invoice,
		}).is(201, "")
		if paid.text("invoiceId") != invoice || has(paid.object(), "allocations") {
			t.Errorf("a payment: %s", paid.Body)
		}
		newest := w.call(bearer(token), "GET", "/payments/"+paid.text("id"), nil).is(200, "").object()
		if list := newest["allocations"].([]any); len(list) != 1 || list[0].(object)["invoiceId"] != invoice || has(newest, "invoiceId") {
			t.Errorf("in the newest: %v", newest)
		}
		if got := w.call(old, "PATCH", "/payments/"+paid.text("id"), object{"invoiceId": invoice}).offences(); got[0] != "invoiceId is not a member of this request" {
			t.Errorf("offences: %q", got)
		}
		// What does not differ between versions is the same bytes.
		if a, b := w.call(old, "GET", "/accounts/"+bank, nil).Body.String(), w.call(bearer(token), "GET", "/accounts/"+bank, nil).Body.String(); a != b {
			t.Errorf("%s\n%s", a, b)
		}
	})
}

func has(o object, member string) bool {
	_, ok := o[member]
	return ok
}
