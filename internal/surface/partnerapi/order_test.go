package partnerapi

import (
	"net/http"
	"testing"
	"time"

	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

// A request that is wrong in every respect, and is put right one respect after the other: at each step the next refusal of
// the contract's order is the one that is told (C.4.1).
func TestTheFirstRefusalOfTheOrderWins(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		viewer, admin := w.member(business.Accountant), w.member(business.Admin)
		without := w.token(w.shop, viewer, scope.ProfileRead)
		powerless := w.token(w.shop, viewer, scope.JournalWrite)
		able := w.token(w.shop, admin, scope.JournalWrite, scope.CustomersWrite, scope.AccountsWrite)
		const bad, unknown = "/nowhere", "acc_00000000000000000000000000"
		wrongBody := object{"name": 5}

		w.call(bearer(able).with("Idempotency-Key", "used"), "POST", "/accounts", object{"code": "7000", "name": "Seven", "type": "EXPENSE"}).is(201, "")
		for range perBusiness.Max { // the limit of this app in this business is used up
			w.call(bearer(able), "GET", bad, nil)
		}
		wrong := header{"Daybook-Version", "1999-01-01", "Idempotency-Key", "used"}
		w.call(wrong.with(bearer("at_nonsense")...), "PATCH", bad, wrongBody).is(401, "INVALID_TOKEN")
		limited := w.call(wrong.with(bearer(able)...), "PATCH", bad, wrongBody).is(429, "APP_RATE_LIMITED")
		if limited.Header().Get("Retry-After") != "60" {
			t.Errorf("retry after %q", limited.Header().Get("Retry-After"))
		}
		w.Clock.Advance(time.Minute)
		w.call(wrong.with(bearer(able)...), "PATCH", bad, wrongBody).is(400, "UNSUPPORTED_API_VERSION")
		key := header{"Idempotency-Key", "used"}
		w.call(key.with(bearer(able)...), "PATCH", bad, wrongBody).is(403, "ENDPOINT_NOT_EXPOSED")
		w.call(key.with(bearer(without)...), "PATCH", "/accounts/"+unknown, wrongBody).is(403, "INSUFFICIENT_SCOPE")
		w.call(key.with(bearer(powerless)...), "POST", "/journal-entries", wrongBody).is(403, "PERMISSION_DENIED")
		w.call(key.with(bearer(able)...), "PATCH", "/accounts/"+unknown, wrongBody).is(422, "IDEMPOTENCY_KEY_REUSED")
		if got := w.call(bearer(able), "PATCH", "/accounts/"+unknown, wrongBody).offences(); len(got) != 1 || got[0] != "name must be a string" {
			t.Errorf("offences: %q", got)
		}
		w.call(bearer(able), "PATCH", "/accounts/"+unknown, object{"name": "Six"}).is(404, "NOT_FOUND")
	})
}

func TestWhatIsSaidWithoutAValidToken(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		token := w.all()
		const realm = `Bearer realm="Daybook", resource_metadata="https://api.example/.well-known/oauth-protected-resource"`
		for _, c := range []struct{ name, header, value, code, challenge string }{
			{"nobody", "X-Nothing", "", "UNAUTHENTICATED", realm},
			{"no token behind the word", "Authorization", "Bearer", "UNAUTHENTICATED", realm + `, error="invalid_token"`},
			{"a password", "Authorization", "Basic YTpi", "UNAUTHENTICATED", realm},
			{"a token without the word", "Authorization", token, "UNAUTHENTICATED", realm},
			{"garbage", "Authorization", "Bearer garbage", "INVALID_TOKEN", realm + `, error="invalid_token"`},
			{"a cookie that is none", "Cookie", "daybook_session=nonsense", "SIGN_IN_REQUIRED", realm},
		} {
			got := w.call(header{c.header, c.value}, "GET", "/me", nil).is(401, c.code)
			if h := got.Header(); h.Get("WWW-Authenticate") != c.challenge || h.Get("RateLimit-Limit") != "" || h.Get("Daybook-Version") != "" {
				t.Errorf("%s: %v", c.name, h)
			}
		}
		w.call(bearer(token), "GET", "/me?access_token="+token, nil).offences() // not a way to send one
		w.call(header{}, "GET", "/me?access_token="+token, nil).is(401, "UNAUTHENTICATED")
		w.call(header{"Authorization", "bearer  " + token}, "GET", "/me", nil).is(200, "")

		_, err := w.apps.Suspend(ctx, w.app.ID, "for a test")
		must(t, err)
		w.call(bearer(token), "GET", "/me", nil).is(401, "INVALID_TOKEN")
		_, err = w.apps.Unsuspend(ctx, w.app.ID)
		must(t, err)
		w.call(bearer(token), "GET", "/me", nil).is(200, "")
		w.Clock.Advance(time.Hour)
		w.call(bearer(token), "GET", "/me", nil).is(401, "INVALID_TOKEN")
	})
}

// Permissions and scopes, row by row of the table (CALL-03, CALL-04, CALL-05).
func TestEveryRouteAsksForWhatItsRowSays(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		w.api.Limits = generous{}
		some, others := w.token(w.shop, w.owner, scope.ProfileRead), w.token(w.shop, w.owner, scope.TaxesRead)
		owner := w.all()
		once := w.member(business.Staff)
		viewer := w.token(w.shop, once, everything...)
		must(t, w.api.Businesses.ChangeRole(ctx, w.shop, w.owner, once, business.Viewer)) // permissions are asked at each call
		for _, r := range w.api.Routes() {
			path := placeholders.ReplaceAllString(r.Path, "x")
			name := r.pattern()
			w.call(header{}, "OPTIONS", path, nil) // never panics
			if r.Public {
				w.call(header{}, r.Method, path, nil).is(200, "")
				continue
			}
			w.call(header{}, r.Method, path, nil).is(401, "UNAUTHENTICATED")
			if !r.Partner {
				w.call(bearer(owner), r.Method, path, nil).is(403, "ENDPOINT_NOT_EXPOSED")
				continue
			}
			if len(r.OneOf) > 0 { // the record decides: see TestAppDataAsksForTheSortOfRecord
				continue
			}
			less := some
			if scope.Of(r.Scopes...).Has(scope.ProfileRead) {
				less = others
			}
			refused := w.call(bearer(less), r.Method, path, nil).is(403, "INSUFFICIENT_SCOPE")
			want := "Insufficient scope: this call needs " + join(words(r.Scopes)) + ","
			if got := refused.text("message"); len(got) < len(want) || got[:len(want)] != want {
				t.Errorf("%s: %s", name, got)
			}
			if p := refused.object()["params"].(object); p["p0"] != join(words(r.Scopes)) {
				t.Errorf("%s: %v", name, p)
			}
			if h := refused.Header().Get("WWW-Authenticate"); h != `Bearer error="insufficient_scope", scope="`+scope.Of(r.Scopes...).String()+`"` {
				t.Errorf("%s: %s", name, h)
			}
			if got := w.call(bearer(w.token(w.shop, w.owner, r.Scopes...)), r.Method, path, object{}); got.Code == 403 || got.Code == 401 || got.Code >= 500 {
				t.Errorf("%s with its scopes: %d %s", name, got.Code, got.Body)
			}
			if r.Permission == "" || business.Access.May(business.Access{Permissions: business.Defaults(business.Viewer)}, r.Permission) {
				continue
			}
			refused = w.call(bearer(viewer), r.Method, path, object{}).is(403, "PERMISSION_DENIED")
			if p := refused.object()["params"].(object); p["p0"] != string(r.Permission) {
				t.Errorf("%s: %v", name, p)
			}
		}
	})
}

func join(words []string) string {
	out := ""
	for i, w := range words {
		if i > 0 {
			out += ", "
		}
		out += w
	}
	return out
}

// Deny by default (CALL-04): with a token there is nothing but the table.
func TestNothingOutsideOfTheTableIsThereForApps(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		token, cookie := w.all(), header{"Cookie", w.cookie(w.owner)}
		for _, c := range []struct {
			method, path string
			session      int
		}{
			{"GET", "/nowhere", 404},
			{"GET", "/installations", 200}, // another surface's
			{"DELETE", "/me", 405},         // a known path, another method
			{"POST", "/invoices/x/issue/", 404},
			{"GET", "/invoices//x", 404},
			{"GET", "/..", 404},
			{"GET", "/developer/apps", 404},
			{"GET", "/oauth/nothing", 404},
		} {
			w.call(bearer(token), c.method, c.path, nil).is(403, "ENDPOINT_NOT_EXPOSED")
			w.call(bearer("at_nonsense"), c.method, c.path, nil).is(401, "INVALID_TOKEN")
			if got := w.call(cookie, c.method, c.path, nil); got.Code != c.session {
				t.Errorf("%s %s with a session: %d", c.method, c.path, got.Code)
			}
		}
		if got := w.call(bearer(token), "GET", "/openapi.json", nil); got.Code != http.StatusOK {
			t.Errorf("the document: %d", got.Code)
		}
		w.call(bearer(token), "GET", "/versions", nil).is(200, "")
	})
}
