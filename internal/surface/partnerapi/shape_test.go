package partnerapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestEveryOffenceOfAShapeIsNamed(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		token := w.all()
		// bare is what is wrong with a payment that has nothing but an amount.
		bare := func(offence string) []string {
			return []string{offence, "kind must be RECEIPT or DISBURSEMENT", "date must be a date such as 2026-05-04", "bankAccountId must be the id of an account"}
		}
		for _, c := range []struct {
			name, method, path string
			body               any
			want               []string
		}{
			{"wrong types", "POST", "/invoices", object{"customerId": 5, "issue": "yes", "lines": []any{object{"description": 1, "unitPrice": 2.5, "quantity": 3}, "line"}},
				[]string{"customerId must be a string", "issue must be true or false", "lines.0.description must be a string", "lines.0.quantity must be a string",
					"lines.0.unitPrice must be a string", "lines.1 must be an object"}},
			{"unknown members", "POST", "/invoices", object{"customer": "x", "lines": []any{object{"price": "1", "qty": "2"}}},
				[]string{"customer is not a member of this request", "lines.0.price is not a member of this request", "lines.0.qty is not a member of this request",
					"lines.0.description must not be empty", `lines.0.unitPrice must be a decimal string such as "12.50"`, "customerId must be the id of a customer"}},
			{"members in another case", "POST", "/customers", object{"DisplayName": "Ada"}, []string{"DisplayName is not a member of this request", "displayName must not be empty"}},
			{"read-only members", "PATCH", "/customers/x", object{"status": "ARCHIVED", "id": "y"}, []string{"id is not a member of this request", "status is not a member of this request"}},
			{"fractions", "POST", "/payments", `{"amount": 10.0}`, bare("amount must be a whole number")},
			{"exponents", "POST", "/payments", `{"amount": 1e3}`, bare("amount must be a whole number")},
			{"more than any number", "POST", "/payments", `{"amount": 123456789012345678901234567890}`, bare("amount must be a whole number")},
			{"a number as text", "POST", "/payments", `{"amount": "10"}`, bare("amount must be a whole number")},
			{"an array", "POST", "/customers", `[]`, []string{"body must be an object"}},
			{"null", "POST", "/customers", `null`, []string{"body must be an object"}},
			{"a text", "POST", "/customers", `"Ada"`, []string{"body must be an object"}},
			{"null for an object", "POST", "/invoices", `{"lines":[null]}`, []string{"lines.0 must be an object", "customerId must be the id of a customer"}},
			{"a body where there is none", "POST", "/customers/x/archive", object{"reason": "old"}, []string{"reason is not a member of this request"}},
			{"values, all of them by the feature", "POST", "/customers", object{"displayName": "", "email": "nobody", "currency": "XXX", "paymentTermsDays": 400},
				[]string{"displayName must not be empty", "email must be an e-mail address such as ada@example.com", "currency must be an ISO 4217 code such as EUR", "paymentTermsDays must be a whole number from 0 to 365"}},
			{"parameters", "POST", "/customers?a=1&b=2", object{"displayName": 5}, []string{"a is not a parameter of this request", "b is not a parameter of this request", "displayName must be a string"}},
			{"parameters of one record", "GET", "/customers/x?fields=id", nil, []string{"fields is not a parameter of this request"}},
			{"parameters of a list", "GET", "/customers?page=2&limit=0&status=GONE", nil, []string{"page is not a parameter of this list", "limit must be a whole number from 1 to 100", "status must be any of ACTIVE, ARCHIVED, REDACTED"}},
			{"parameters of accounts", "GET", "/accounts?include=all&asOf=never", nil, []string{"include must be balance", "asOf must be a date such as 2026-05-04"}},
			{"a date without its question", "GET", "/accounts/x?asOf=2026-01-01", nil, []string{"asOf must come with include=balance"}},
			{"a parameter twice", "DELETE", "/payments/x?reversalDate=2026-01-01&reversalDate=2026-01-02", nil, []string{"reversalDate must be given once"}},
			{"parameters that cannot be read", "GET", "/customers?limit=%zz", nil, []string{"query must be well-formed: name=value, joined by &, in percent-encoding"}},
			{"and of one record", "GET", "/customers/x?a=1;b=2", nil, []string{"query must be well-formed: name=value, joined by &, in percent-encoding"}},
			{"parameters of a deletion", "DELETE", "/payments/x?reversalDate=now&force=1", nil, []string{"force is not a parameter of this request"}},
		} {
			t.Run(c.name, func(t *testing.T) {
				got := w.call(bearer(token), c.method, c.path, c.body).offences()
				if !slices.Equal(got, c.want) {
					t.Errorf("got  %q\nwant %q", got, c.want)
				}
			})
		}
		many := object{}
		for i := range 1000 {
			many[fmt.Sprint("x", i)] = i
		}
		if got := w.call(bearer(token), "POST", "/customers", many).offences(); len(got) != 51 || got[50] != "body has 950 more offences" {
			t.Errorf("%d offences, the last one %q", len(got), got[len(got)-1])
		}
	})
}

func TestBodiesThatCannotBeRead(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		token := w.all()
		for _, c := range []struct {
			name, media string
			body        any
			status      int
			code, words string
		}{
			{"broken", "application/json", `{"displayName":`, 400, "BODY_UNREADABLE", "ends before it is complete"},
			{"garbage", "application/json", `{"displayName":x}`, 400, "BODY_UNREADABLE", "at byte"},
			{"two values", "application/json", `{"displayName":"Ada"}{}`, 400, "BODY_UNREADABLE", "something behind"},
			{"nothing", "application/json", nil, 400, "BODY_REQUIRED", "required"},
			{"a form", "application/x-www-form-urlencoded", "displayName=Ada", 415, "UNSUPPORTED_MEDIA_TYPE", "application/json"},
			{"a patch where none is", "application/merge-patch+json", `{"displayName":"Ada"}`, 415, "UNSUPPORTED_MEDIA_TYPE", "application/json"},
			{"without a type", "", `{"displayName":"Ada"}`, 415, "UNSUPPORTED_MEDIA_TYPE", "application/json"},
			{"too large", "application/json", `{"notes":"` + strings.Repeat("x", 1<<20) + `"}`, 413, "BODY_TOO_LARGE", "1048576"},
		} {
			got := w.call(bearer(token).with("Content-Type", c.media), "POST", "/customers", c.body).is(c.status, c.code)
			if !strings.Contains(got.text("message"), c.words) {
				t.Errorf("%s: %s", c.name, got.Body)
			}
		}
		w.call(bearer(token).with("Content-Type", "application/json; charset=utf-8"), "POST", "/customers", `{"displayName":"Ada"}`).is(201, "")
		id := w.customer(token)
		w.call(bearer(token).with("Content-Type", "application/merge-patch+json"), "PATCH", "/customers/"+id, `{"notes":"x"}`).is(200, "")
		w.call(bearer(token), "POST", "/customers/"+id+"/archive", `{}`).is(200, "")
		w.call(bearer(token), "POST", "/customers/"+id+"/restore", nil).is(200, "")
	})
}

func TestIfMatch(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		token := w.all()
		id := w.customer(token)
		patch := func(match, notes string) answer {
			return w.call(bearer(token).with("If-Match", match), "PATCH", "/customers/"+id, object{"notes": notes})
		}
		if got := patch(`"1"`, "a").is(200, ""); got.Header().Get("ETag") != `"2"` {
			t.Errorf("ETag %s", got.Header().Get("ETag"))
		}
		stale := patch(`"1"`, "b").is(412, "VERSION_CONFLICT")
		if p := stale.object()["params"].(object); p["p0"] != json.Number("2") || p["p1"] != json.Number("1") {
			t.Errorf("%v", p)
		}
		patch("*", "c").is(200, "")
		if got := w.call(bearer(token), "GET", "/customers/"+id, nil); got.Header().Get("ETag") != `"3"` {
			t.Errorf("ETag %s", got.Header().Get("ETag"))
		}
		for _, wrong := range []string{"3", `"x"`, `W/"3"`, `"3", "4"`, `"03"`, `"-1"`, `"0"`, `""`, `"`, ""} {
			if got := patch(wrong, "d").offences(); len(got) != 1 || !strings.HasPrefix(got[0], "If-Match must be") {
				t.Errorf("%q: %q", wrong, got)
			}
		}
		w.call(bearer(token).with("If-Match", `"2"`), "DELETE", "/customers/"+id, nil).is(412, "VERSION_CONFLICT")
		gone := w.call(bearer(token).with("If-Match", `"3"`), "DELETE", "/customers/"+id, nil).is(204, "")
		if gone.Body.Len() > 0 || gone.Header().Get("Content-Type") != "" {
			t.Errorf("204 with %q, %v", gone.Body, gone.Header())
		}
	})
}

func TestBrowsersOfOtherOriginsMayCallWithAToken(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		token := w.all()
		pre := w.call(header{"Origin", "https://elsewhere.example", "Access-Control-Request-Method", "PATCH"}, "OPTIONS", "/customers/x", nil)
		h := pre.Header()
		if pre.Code != http.StatusNoContent || h.Get("Access-Control-Allow-Origin") != "*" || h.Get("Access-Control-Allow-Methods") != "GET, PATCH, DELETE" ||
			!strings.Contains(h.Get("Access-Control-Allow-Headers"), "Idempotency-Key, If-Match, Daybook-Version") || h.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%d %v", pre.Code, h)
		}
		cross := header{"Origin", "https://elsewhere.example", "Sec-Fetch-Site", "cross-site"}
		made := w.call(cross.with(bearer(token)...), "POST", "/customers", object{"displayName": "Ada"}).is(201, "")
		if h := made.Header(); h.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(h.Get("Access-Control-Expose-Headers"), "RateLimit-Remaining") {
			t.Errorf("%v", h)
		}
		cookie := cross.with("Cookie", w.cookie(w.owner))
		if got := w.call(cookie, "GET", "/me", nil).is(200, ""); got.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Error("a cookie-authenticated answer is readable by other origins")
		}
		w.call(cookie, "POST", "/customers", object{"displayName": "Ada"}).is(403, "CROSS_ORIGIN")
		if got := w.call(header{}, "OPTIONS", "/members", nil); got.Header().Get("Access-Control-Allow-Origin") != "" || got.Code == http.StatusNoContent {
			t.Errorf("a first-party route: %d %v", got.Code, got.Header())
		}
	})
}
