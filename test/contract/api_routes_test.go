package contract_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// admitted proves that a call got through to the request itself, whatever was wrong with that.
func admitted(t *testing.T, what string, status int, body string) {
	t.Helper()
	switch status {
	case http.StatusOK, http.StatusBadRequest, http.StatusNotFound, http.StatusUnsupportedMediaType:
	default:
		t.Errorf("%s is not let through: %d %s", what, status, body)
	}
}

func TestWhoMayCallWhat(t *testing.T) {
	eachAPI(t, func(t *testing.T, n *apiNode) {
		t.Run("scopes", func(t *testing.T) { scopesOfRoutes(t, n) })
		t.Run("what is not open to apps", func(t *testing.T) { notExposed(t, n) })
		t.Run("roles", func(t *testing.T) { rolesOfRoutes(t, n) })
		t.Run("permissions", func(t *testing.T) { permissionsOfRoutes(t, n) })
	})
}

func scopesOfRoutes(t *testing.T, n *apiNode) {
	holders := map[string]caller{} // of all scopes but one
	for _, scope := range everyScope {
		holders[scope] = n.by(t, fullApp, "olivia", "shop", without(scope)...)
	}
	all := n.by(t, fullApp, "olivia", "shop")
	for _, r := range surface {
		t.Run("CALL-03 "+r.String(), func(t *testing.T) {
			for _, scope := range r.scopes {
				a := holders[scope].do(t, r.method, r.address(), nil)
				got := refused(t, a, http.StatusForbidden, "INSUFFICIENT_SCOPE")
				if !strings.HasPrefix(got.text, "Insufficient scope") || got.Params["p0"] != scope {
					t.Errorf("without %s: %s", scope, a.Body)
				}
			}
			for _, scope := range everyScope { // no other scope than its own is needed
				if !slices.Contains(r.scopes, scope) {
					a := holders[scope].do(t, r.method, r.address(), nil)
					admitted(t, "without "+scope, a.Status, a.Body)
				}
			}
			a := all.do(t, r.method, r.address(), nil)
			admitted(t, "with all scopes", a.Status, a.Body)
		})
	}
	t.Run("CALL-03 a token without a single scope of the route is told all that are missing", func(t *testing.T) {
		a := n.by(t, fullApp, "olivia", "shop", "profile:read").do(t, "GET", "/accounts/acc_"+nowhere+"/ledger", nil)
		got := refused(t, a, http.StatusForbidden, "INSUFFICIENT_SCOPE")
		if !strings.HasPrefix(got.text, "Insufficient scope") || !strings.Contains(got.text, "accounts:read") || !strings.Contains(got.text, "journal:read") {
			t.Error(a.Body)
		}
	})
	t.Run("INVO-01 reading invoices needs the read scope; writing them does not give it", func(t *testing.T) {
		refused(t, n.by(t, fullApp, "olivia", "shop", "invoices:write").do(t, "GET", "/invoices", nil), http.StatusForbidden, "INSUFFICIENT_SCOPE")
		if page := n.by(t, fullApp, "olivia", "shop", "invoices:read").get(t, "/invoices"); page["hasMore"] != false || page["nextCursor"] != nil || len(page["data"].([]any)) != 0 {
			t.Error(page)
		}
	})
	t.Run("CALL-03 what the description of the API shows to apps is exactly this surface", func(t *testing.T) {
		var document struct {
			Paths map[string]map[string]struct {
				Security []map[string][]string `json:"security"`
			} `json:"paths"`
		}
		must(t, json.Unmarshal([]byte(n.nobody().do(t, "GET", "/openapi.json", nil).Body), &document))
		described := map[string][]string{}
		for path, methods := range document.Paths {
			for method, operation := range methods {
				for _, way := range operation.Security {
					for _, scopes := range way {
						described[strings.ToUpper(method)+" "+path] = append(described[strings.ToUpper(method)+" "+path], scopes...)
					}
				}
			}
		}
		for _, r := range slices.Concat(surface, byRecord) {
			got := described[r.String()]
			delete(described, r.String())
			slices.Sort(got)
			if want := slices.Sorted(slices.Values(r.scopes)); !slices.Equal(got, want) {
				t.Errorf("%s is described with %q, want %q", r, got, want)
			}
		}
		for call, scopes := range described {
			if len(scopes) > 0 {
				t.Errorf("%s is described for apps with %q", call, scopes)
			}
		}
	})
}

// notExposed proves CALL-04: for an app nothing exists beside the surface.
func notExposed(t *testing.T, n *apiNode) {
	all, owner := n.by(t, fullApp, "olivia", "shop"), n.session(t, "olivia", "shop")
	members := owner.get(t, "/members")
	for _, call := range ours {
		t.Run("CALL-04 "+call, func(t *testing.T) {
			method, path, _ := strings.Cut(call, " ")
			a := all.do(t, method, route{path: path}.address(), nil)
			if method == "TRACE" && a.Status == http.StatusMethodNotAllowed {
				return
			}
			got := refused(t, a, http.StatusForbidden, "ENDPOINT_NOT_EXPOSED")
			if strings.HasPrefix(got.text, "Insufficient scope") {
				t.Error(got.text)
			}
			limitHeaders(t, a)
		})
	}
	t.Run("CALL-04 with a token that does not count it is 401 as everywhere", func(t *testing.T) {
		for _, path := range []string{"/members", "/nothing", "/invoices/"} {
			unauthenticated(t, n.with("at_"+strings.Repeat("A", 43)).do(t, "GET", path, nil))
		}
	})
	t.Run("CALL-04 for our own pages an unknown path is 404 and a wrong method 405", func(t *testing.T) {
		refused(t, owner.do(t, "GET", "/nothing", nil), http.StatusNotFound, "NOT_FOUND")
		refused(t, owner.do(t, "PUT", "/invoices", nil), http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
	})
	t.Run("CALL-04 nothing happened meanwhile", func(t *testing.T) {
		if lock := all.get(t, "/books/lock"); lock["lockDate"] != nil {
			t.Error(lock)
		}
		if now := owner.get(t, "/members"); !same(now, members) {
			t.Errorf("members were %v, are %v", members, now)
		}
	})
}

// rolesOfRoutes holds every route against every role, by the pages of its member (CALL-05, CALL-08).
func rolesOfRoutes(t *testing.T, n *apiNode) {
	for role, user := range map[string]string{"OWNER": "olivia", "ADMIN": "dan", "ACCOUNTANT": "sam", "STAFF": "rosa", "VIEWER": "vera"} {
		t.Run("CALL-05 by default, "+role, func(t *testing.T) {
			pages := n.session(t, user, "shop")
			me := pages.get(t, "/me")
			if me["role"] != role {
				t.Fatalf("%s is %v", user, me["role"])
			}
			for _, r := range surface {
				a := pages.do(t, r.method, r.address(), nil)
				if r.appsOnly != "" {
					refused(t, a, http.StatusForbidden, r.appsOnly)
					continue
				}
				if r.permission == "" || slices.Contains(roles[r.permission], role) {
					admitted(t, r.String(), a.Status, a.Body)
					continue
				}
				got := refused(t, a, http.StatusForbidden, "PERMISSION_DENIED")
				if got.Params["p0"] != r.permission || strings.HasPrefix(got.text, "Insufficient scope") {
					t.Errorf("%s: %s", r, a.Body)
				}
			}
			for permission, holders := range roles {
				if got := slices.Contains(me["permissions"].([]any), any(permission)); got != slices.Contains(holders, role) {
					t.Errorf("GET /me says %v of %s", got, permission)
				}
			}
		})
	}
}

// permissionsOfRoutes proves that a permission is asked for at each call, for apps too, and per business (CALL-05).
func permissionsOfRoutes(t *testing.T, n *apiNode) {
	owner := n.session(t, "olivia", "shop")
	override := func(t *testing.T, target, permission string, effect any) {
		t.Helper()
		said(t, owner.do(t, "PUT", target+"/permissions/"+permission, object{"effect": effect}), http.StatusOK)
	}
	staff, member := n.by(t, fullApp, "rosa", "shop"), "/members/"+n.ids["rosa"]
	for permission := range roles {
		override(t, member, permission, "DENY")
	}
	for _, r := range surface {
		t.Run("CALL-05 denied, "+r.String(), func(t *testing.T) {
			a := staff.do(t, r.method, r.address(), nil)
			if r.permission == "" {
				admitted(t, "what needs no permission", a.Status, a.Body)
				return
			}
			got := refused(t, a, http.StatusForbidden, "PERMISSION_DENIED")
			if got.Params["p0"] != r.permission || strings.HasPrefix(got.text, "Insufficient scope") {
				t.Errorf("%s: %s", r, a.Body)
			}
		})
	}
	t.Run("CALL-05 who lacks scope and permission hears of the scope", func(t *testing.T) {
		refused(t, n.by(t, fullApp, "rosa", "shop", "profile:read").do(t, "GET", "/invoices", nil), http.StatusForbidden, "INSUFFICIENT_SCOPE")
	})
	for permission := range roles {
		override(t, member, permission, "GRANT")
	}
	t.Run("CALL-05 granted, with the token from before", func(t *testing.T) {
		for _, r := range surface {
			a := staff.do(t, r.method, r.address(), nil)
			admitted(t, r.String(), a.Status, a.Body)
		}
	})
	t.Run("CALL-05 a member's override goes before the role's, and no override before the default", func(t *testing.T) {
		path := "/customers"
		override(t, "/roles/STAFF", "customers.view", "DENY")
		admitted(t, "granted to the member", staff.do(t, "GET", path, nil).Status, "")
		override(t, member, "customers.view", nil)
		refused(t, staff.do(t, "GET", path, nil), http.StatusForbidden, "PERMISSION_DENIED")
		override(t, "/roles/STAFF", "customers.view", nil)
		admitted(t, "by default", staff.do(t, "GET", path, nil).Status, "")
	})
	entry := object{"date": "2026-11-14", "lines": []object{}}
	t.Run("CALL-05 the one call succeeds in one business and is refused in another, for the same person", func(t *testing.T) {
		offends(t, n.by(t, fullApp, "sam", "store").do(t, "POST", "/journal-entries", entry), "lines")
		refused(t, n.by(t, fullApp, "sam", "shop").do(t, "POST", "/journal-entries", entry), http.StatusForbidden, "PERMISSION_DENIED")
		override(t, "/roles/ACCOUNTANT", "journal.post", "GRANT")
		offends(t, n.by(t, fullApp, "sam", "shop").do(t, "POST", "/journal-entries", entry), "lines")
		override(t, "/roles/ACCOUNTANT", "journal.post", nil)
	})
	t.Run("CALL-05 nobody takes a permission from an owner", func(t *testing.T) {
		for _, target := range []string{"/members/" + n.ids["olivia"], "/roles/OWNER"} {
			a := owner.do(t, "PUT", target+"/permissions/invoices.view", object{"effect": "DENY"})
			if a.Status < 400 || a.Status > 499 {
				t.Errorf("%s: %d %s", target, a.Status, a.Body)
			}
		}
		admitted(t, "the owner", owner.do(t, "GET", "/invoices", nil).Status, "")
	})
	t.Run("CALL-02 the token of a member who is let go counts no more", func(t *testing.T) {
		staff.get(t, "/me")
		gone(t, owner.do(t, "DELETE", member, nil))
		unauthenticated(t, staff.do(t, "GET", "/me", nil))
		unauthenticated(t, staff.do(t, "GET", "/nothing", nil))
	})
}
