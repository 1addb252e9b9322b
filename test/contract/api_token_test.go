package contract_test

import (
	"context"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"daybook/test/harness"
)

// unauthenticated proves CALL-02: 401 in the standard shape, with the challenge of RFC 6750.
func unauthenticated(t *testing.T, a harness.Answer) {
	t.Helper()
	standard(t, a, http.StatusUnauthorized)
	if got := a.Header.Get("WWW-Authenticate"); got != "Bearer" && !strings.HasPrefix(got, "Bearer ") {
		t.Errorf("WWW-Authenticate is %q", got)
	}
	if got := a.Header.Get("RateLimit-Limit"); got != "" {
		t.Errorf("nobody has a limit, and yet it is %s", got)
	}
}

// limitHeaders proves RATE-03: the three headers are there and make sense together. The limit may be scaled.
func limitHeaders(t *testing.T, a harness.Answer) (limit, remaining, reset int) {
	t.Helper()
	for name, into := range map[string]*int{"RateLimit-Limit": &limit, "RateLimit-Remaining": &remaining, "RateLimit-Reset": &reset} {
		values := a.Header.Values(name)
		var err error
		if len(values) == 1 {
			*into, err = strconv.Atoi(values[0])
		}
		if len(values) != 1 || err != nil {
			t.Errorf("%d answer with %s %q", a.Status, name, values)
		}
	}
	if limit%300 != 0 || limit == 0 || remaining < 0 || remaining >= limit || reset < 0 || reset > 60 {
		t.Errorf("%d answer with RateLimit %d, %d, %d", a.Status, limit, remaining, reset)
	}
	return limit, remaining, reset
}

func same(a, b any) bool { return reflect.DeepEqual(a, b) }

func TestWhoCalls(t *testing.T) {
	eachAPI(t, func(t *testing.T, n *apiNode) {
		t.Run("which business", func(t *testing.T) { tokenNamesBusiness(t, n) })
		t.Run("scopes of a live token", func(t *testing.T) { scopesStay(t, n) })
		t.Run("foreign ids", func(t *testing.T) { foreignIDs(t, n) })
		t.Run("tokens that do not count", func(t *testing.T) { deadTokens(t, n) })
	})
}

// tokenNamesBusiness proves CALL-01.
func tokenNamesBusiness(t *testing.T, n *apiNode) {
	shop, store := n.by(t, fullApp, "olivia", "shop"), n.by(t, fullApp, "olivia", "store")
	for what, c := range map[string]struct {
		caller
		want string
	}{
		"the token of one business":                    {shop, "shop"},
		"the token of another business":                {store, "store"},
		"with a header that names another business":    {shop.and("X-Business-Id", n.ids["store"]), "shop"},
		"with another such header":                     {shop.and("Business-Id", n.ids["store"]).and("Daybook-Business", n.ids["store"]), "shop"},
		"with the scheme in another case":              {shop.as("bEaReR", ""), "shop"},
		"with the cookie of a person elsewhere beside": {shop.from(n.session(t, "olivia", "store").http), "shop"},
	} {
		t.Run("CALL-01 "+what, func(t *testing.T) {
			me := c.get(t, "/me")
			if got := me["business"].(object)["id"]; got != n.ids[c.want] {
				t.Errorf("the business is %v, want %s", got, n.ids[c.want])
			}
			if me["user"].(object)["id"] != n.ids["olivia"] || me["role"] != "OWNER" || me["installation"] == nil || me["token"] == nil {
				t.Error(me)
			}
		})
	}
	t.Run("CALL-01 no parameter and no member names a business", func(t *testing.T) {
		offends(t, shop.do(t, "GET", "/me?businessId="+n.ids["store"], nil), "businessId")
		offends(t, shop.do(t, "GET", "/invoices?businessId="+n.ids["store"], nil), "businessId")
		offends(t, shop.do(t, "POST", "/customers", object{"displayName": "Ada", "businessId": n.ids["store"]}), "businessId")
	})
	t.Run("CALL-01 what one token writes only its business sees", func(t *testing.T) {
		customer := n.id(shop.make(t, "/customers", object{"displayName": "Ada"}))
		shop.get(t, "/customers/"+customer)
		if got := len(store.listed(t, "/customers")); got != 0 {
			t.Errorf("the other business has %d customers", got)
		}
	})
	t.Run("CALL-01 a token in the address or the body is none", func(t *testing.T) {
		token := strings.TrimPrefix(shop.header.Get("Authorization"), "Bearer ")
		unauthenticated(t, n.nobody().do(t, "GET", "/me?access_token="+token, nil))
		unauthenticated(t, n.nobody().and("Content-Type", "application/x-www-form-urlencoded").do(t, "POST", "/customers", "access_token="+token))
	})
}

// as is the same token behind another scheme, with something added to it.
func (c caller) as(scheme, added string) caller {
	token := strings.TrimPrefix(c.header.Get("Authorization"), "Bearer ")
	c.header = c.header.Clone()
	c.header.Set("Authorization", scheme+" "+token+added)
	return c
}

// scopesStay proves CALL-09.
func scopesStay(t *testing.T, n *apiNode) {
	scopes := func(c caller) any { return c.get(t, "/me")["token"].(object)["scopes"] }
	narrow := n.issue(t, twinApp, "olivia", n.ids["shop"], "profile:read", "invoices:read")
	old := n.with(narrow.AccessToken)
	refused(t, old.do(t, "GET", "/customers", nil), http.StatusForbidden, "INSUFFICIENT_SCOPE")
	wide := n.by(t, twinApp, "olivia", "shop", "profile:read", "customers:read")
	t.Run("CALL-09 a later authorization gives a token with more", func(t *testing.T) {
		wide.get(t, "/customers")
		if got := scopes(wide); !same(got, []any{"customers:read", "profile:read"}) && !same(got, []any{"profile:read", "customers:read"}) {
			t.Errorf("scopes %v", got)
		}
		if got := wide.get(t, "/me")["installation"].(object)["grantedScopes"].([]any); len(got) != 3 {
			t.Errorf("the installation was granted %v", got)
		}
	})
	t.Run("CALL-09 the token from before keeps what it had", func(t *testing.T) {
		old.get(t, "/invoices")
		refused(t, old.do(t, "GET", "/customers", nil), http.StatusForbidden, "INSUFFICIENT_SCOPE")
		if got := scopes(old); len(got.([]any)) != 2 {
			t.Errorf("scopes %v", got)
		}
	})
	t.Run("CALL-09 neither does it gain by a refresh", func(t *testing.T) {
		fresh := n.with(tokens(t, n.refresh(t, twinApp, narrow.RefreshToken, "")).AccessToken)
		fresh.get(t, "/invoices")
		refused(t, fresh.do(t, "GET", "/customers", nil), http.StatusForbidden, "INSUFFICIENT_SCOPE")
		unauthenticated(t, old.do(t, "GET", "/invoices", nil))
	})
	t.Run("CALL-09 the new token does not have what only the old one has", func(t *testing.T) {
		refused(t, wide.do(t, "GET", "/invoices", nil), http.StatusForbidden, "INSUFFICIENT_SCOPE")
	})
}

// deadTokens proves CALL-02.
func deadTokens(t *testing.T, n *apiNode) {
	live := n.by(t, fullApp, "olivia", "shop")
	token := strings.TrimPrefix(live.header.Get("Authorization"), "Bearer ")
	for what, header := range map[string][]string{
		"no header":                   nil,
		"an empty header":             {""},
		"a scheme alone":              {"Bearer"},
		"a scheme and a blank":        {"Bearer "},
		"a token alone":               {token},
		"another scheme":              {"Basic " + token},
		"a token that never was":      {"Bearer at_" + strings.Repeat("A", 43)},
		"a token of another sort":     {"Bearer rt_" + token[3:]},
		"a token with one letter too": {"Bearer " + token + "A"},
		"a token without its last":    {"Bearer " + token[:len(token)-1]},
		"a token in small letters":    {"Bearer " + strings.ToLower(token) + "x"},
		"two tokens in one header":    {"Bearer " + token + " " + token},
		"two headers":                 {"Bearer " + token, "Bearer " + token},
		"SQL":                         {"Bearer ' OR 1=1 --"},
		"a very long token":           {"Bearer at_" + strings.Repeat("A", 20_000)},
		"the refresh token":           {"Bearer " + n.issue(t, fullApp, "olivia", n.ids["shop"]).RefreshToken},
	} {
		t.Run("CALL-02 "+what, func(t *testing.T) {
			c := n.nobody()
			if header != nil {
				c.header = http.Header{"Authorization": header}
			}
			unauthenticated(t, c.do(t, "GET", "/me", nil))
			unauthenticated(t, c.do(t, "POST", "/customers", object{"displayName": "Nobody's"}))
		})
	}
	live.get(t, "/me")

	for _, suspend := range []bool{true, false} {
		what := map[bool]string{true: "suspended", false: "deactivated"}[suspend]
		t.Run("CALL-02 the app is "+what+", and works again when that is over", func(t *testing.T) {
			undo := n.stop(t, fullApp, suspend)
			unauthenticated(t, live.do(t, "GET", "/me", nil))
			undo()
			live.get(t, "/me")
		})
	}
	people := n.people(t)
	t.Run("CALL-02 the person is suspended, or under a restriction, and back", func(t *testing.T) {
		sam := n.by(t, fullApp, "sam", "shop")
		sam.get(t, "/me")
		for _, state := range []struct {
			begin, end func(context.Context, string) error
		}{{people.Suspend, people.Unsuspend}, {people.Restrict, people.Unrestrict}} {
			must(t, state.begin(context.Background(), n.ids["sam"]))
			unauthenticated(t, sam.do(t, "GET", "/me", nil))
			live.get(t, "/me") // nobody else is
			must(t, state.end(context.Background(), n.ids["sam"]))
			sam.get(t, "/me")
		}
	})
	t.Run("CALL-02 after 3600 seconds, and not a second before", func(t *testing.T) {
		atEdge(t, n.oauthNode, 3600e9, func() caller { return n.by(t, fullApp, "olivia", "shop") },
			func(c caller) { c.get(t, "/me") }, func(c caller) { unauthenticated(t, c.do(t, "GET", "/me", nil)) })
	})
	t.Run("CALL-02 revoked by the app", func(t *testing.T) {
		c := n.by(t, fullApp, "olivia", "shop")
		n.post(t, "/oauth/revoke", basic(fullApp, "cs_full"), map[string][]string{"token": {strings.TrimPrefix(c.header.Get("Authorization"), "Bearer ")}})
		unauthenticated(t, c.do(t, "GET", "/me", nil))
	})
	owner := n.session(t, "olivia", "shop").http
	t.Run("CALL-02 access revoked by the business", func(t *testing.T) {
		c, elsewhere := n.by(t, fullApp, "olivia", "shop"), n.by(t, fullApp, "olivia", "store")
		n.revokeAccess(t, owner, fullApp)
		unauthenticated(t, c.do(t, "GET", "/me", nil))
		elsewhere.get(t, "/me")
		n.by(t, fullApp, "olivia", "shop").get(t, "/me")
	})
	t.Run("CALL-02 uninstalled", func(t *testing.T) {
		c, elsewhere := n.by(t, fullApp, "olivia", "shop"), n.by(t, fullApp, "olivia", "store")
		n.uninstall(t, owner, fullApp)
		unauthenticated(t, c.do(t, "GET", "/me", nil))
		elsewhere.get(t, "/me")
		n.by(t, fullApp, "olivia", "shop").get(t, "/me")
		unauthenticated(t, c.do(t, "GET", "/me", nil)) // a new installation revives no token
	})
}
