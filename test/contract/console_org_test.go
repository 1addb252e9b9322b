package contract_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestTheOrganization proves CONS-06 of an organization and its members.
func TestTheOrganization(t *testing.T) {
	eachHook(t, func(t *testing.T, n *apiNode) {
		t.Run("organization", func(t *testing.T) { organizationLife(t, n) })
		t.Run("members", func(t *testing.T) { memberLife(t, n) })
		t.Run("several", func(t *testing.T) { severalOrganizations(t, n) })
		t.Run("refusals", func(t *testing.T) { memberRefusals(t, n) })
	})
}

// has proves that an object has exactly those members.
func has(t *testing.T, o object, members string) {
	t.Helper()
	if got, want := slices.Sorted(maps.Keys(o)), slices.Sorted(slices.Values(strings.Fields(members))); !slices.Equal(got, want) {
		t.Errorf("members %q, want %q", got, want)
	}
}

const (
	theOrganization = "/developer/organization"
	theMembers      = "/developer/organization/members"
)

func organizationLife(t *testing.T, n *apiNode) {
	dan, sam, vera := n.console(t, "dan"), n.console(t, "sam"), n.console(t, "vera")
	t.Run("CONS-06 each member sees it, with their role", func(t *testing.T) {
		for role, who := range map[string]caller{"OWNER": dan, "DEVELOPER": sam, "VIEWER": vera} {
			o := tagged(t, who.do(t, "GET", theOrganization, nil), http.StatusOK, 1)
			if has(t, o, "id name role version createdAt updatedAt"); o["id"] != n.ids["acme"] || o["name"] != "Acme Apps" || o["role"] != role {
				t.Errorf("%v", o)
			}
		}
	})
	t.Run("CONS-06 an owner changes it", func(t *testing.T) {
		refused(t, dan.and("If-Match", `"2"`).do(t, "PATCH", theOrganization, object{"name": "Acme"}), http.StatusPreconditionFailed, "VERSION_CONFLICT")
		refused(t, dan.and("If-Match", `"2"`).do(t, "PATCH", theOrganization, object{}), http.StatusPreconditionFailed, "VERSION_CONFLICT")
		if o := tagged(t, dan.and("If-Match", `"1"`).do(t, "PATCH", theOrganization, object{"name": " Acme "}), http.StatusOK, 2); o["name"] != "Acme" {
			t.Errorf("%v", o)
		}
		tagged(t, dan.do(t, "PATCH", theOrganization, object{}), http.StatusOK, 2) // which says nothing
		for _, who := range []caller{sam, vera} {
			refused(t, who.do(t, "PATCH", theOrganization, object{"name": "Mine"}), http.StatusForbidden, "ORGANIZATION_ROLE_REQUIRED")
		}
	})
	t.Run("SERR-02 everything that is wrong is named at once", func(t *testing.T) {
		offends(t, dan.and("If-Match", "x").do(t, "PATCH", theOrganization+"?x=1", object{"name": "", "role": "OWNER"}), "If-Match", "x", "name", "role")
		offends(t, dan.do(t, "PATCH", theOrganization, object{"name": 5}), "name")
		offends(t, dan.do(t, "PATCH", theOrganization, object{"name": strings.Repeat("x", 101)}), "name")
	})
	t.Run("CONS-06 without an organization there is none", func(t *testing.T) {
		olivia := n.console(t, "olivia")
		for _, path := range []string{theOrganization, theMembers, "/developer/apps"} {
			refused(t, olivia.do(t, "GET", path, nil), http.StatusNotFound, "NOT_FOUND")
		}
		if list := rowsOf(olivia.get(t, "/developer/organizations")); len(list) != 0 {
			t.Errorf("%v", list)
		}
	})
}

func memberLife(t *testing.T, n *apiNode) {
	dan, sam, vera := n.console(t, "dan"), n.console(t, "sam"), n.console(t, "vera")
	user := func(name string) string { return n.User(t, name).ID }
	roles := func(t *testing.T) map[any]any {
		t.Helper()
		out := map[any]any{}
		for _, m := range rowsOf(vera.get(t, theMembers)) {
			has(t, m, "userId displayName email role createdAt")
			out[m["userId"]] = m["role"]
		}
		return out
	}
	t.Run("CONS-06 a member is taken in, changes roles, and goes", func(t *testing.T) {
		made := dan.make(t, theMembers, object{"email": "OLIVIA@brandt.test", "role": "VIEWER"})
		if has(t, made, "userId displayName email role createdAt"); made["userId"] != user("olivia") || made["email"] != "olivia@brandt.test" || made["role"] != "VIEWER" || made["displayName"] != "Olivia Brandt" {
			t.Errorf("%v", made)
		}
		olivia, one := n.console(t, "olivia"), theMembers+"/"+user("olivia")
		if o := olivia.get(t, theOrganization); o["role"] != "VIEWER" {
			t.Errorf("%v", o)
		}
		refused(t, dan.do(t, "POST", theMembers, object{"email": "olivia@brandt.test", "role": "OWNER"}), http.StatusConflict, "ALREADY_MEMBER")
		if o := said(t, dan.do(t, "PATCH", one, object{"role": "OWNER"}), http.StatusOK); o["role"] != "OWNER" {
			t.Errorf("%v", o)
		}
		if got := roles(t); len(got) != 4 || got[user("olivia")] != "OWNER" {
			t.Errorf("%v", got)
		}
		gone(t, dan.do(t, "DELETE", one, nil))
		refused(t, olivia.do(t, "GET", theOrganization, nil), http.StatusNotFound, "NOT_FOUND")
		refused(t, olivia.do(t, "GET", "/developer/apps/"+n.ids["full"], nil), http.StatusNotFound, "NOT_FOUND")
		for _, method := range []string{"PATCH", "DELETE"} {
			refused(t, dan.do(t, method, one, map[string]any{"PATCH": object{"role": "VIEWER"}}[method]), http.StatusNotFound, "NOT_FOUND")
		}
	})
	t.Run("CONS-06 the last owner stays", func(t *testing.T) {
		own := theMembers + "/" + user("dan")
		refused(t, dan.do(t, "DELETE", own, nil), http.StatusConflict, "LAST_OWNER")
		refused(t, dan.do(t, "PATCH", own, object{"role": "VIEWER"}), http.StatusConflict, "LAST_OWNER")
		said(t, dan.do(t, "PATCH", own, object{"role": "OWNER"}), http.StatusOK)
		if got := roles(t); got[user("dan")] != "OWNER" {
			t.Errorf("%v", got)
		}
	})
	t.Run("CONS-06 only owners change members", func(t *testing.T) {
		for _, who := range []caller{sam, vera} {
			for _, call := range []struct {
				method, path string
				body         any
			}{
				{"POST", theMembers, object{"email": "olivia@brandt.test", "role": "OWNER"}}, {"PATCH", theMembers + "/" + user("sam"), object{"role": "OWNER"}},
				{"DELETE", theMembers + "/" + user("dan"), nil}, {"DELETE", theMembers + "/" + user("vera"), nil},
			} {
				refused(t, who.do(t, call.method, call.path, call.body), http.StatusForbidden, "ORGANIZATION_ROLE_REQUIRED")
			}
		}
	})
}

// severalOrganizations: who belongs to several means the one joined first, unless they say.
func severalOrganizations(t *testing.T, n *apiNode) {
	dan, rosa := n.console(t, "dan"), n.console(t, "rosa")
	rosa.make(t, theMembers, object{"email": "dan@acme.test", "role": "DEVELOPER"})
	t.Cleanup(func() { gone(t, rosa.do(t, "DELETE", theMembers+"/"+n.User(t, "dan").ID, nil)) })
	list := rowsOf(dan.get(t, "/developer/organizations"))
	if len(list) != 2 || list[0]["id"] != n.ids["acme"] || list[0]["role"] != "OWNER" || list[1]["id"] != n.ids["rival"] || list[1]["role"] != "DEVELOPER" {
		t.Errorf("%v", list)
	}
	if o := dan.get(t, theOrganization); o["id"] != n.ids["acme"] {
		t.Errorf("%v", o)
	}
	chosen := "?organizationId=" + n.ids["rival"]
	if o := dan.get(t, theOrganization+chosen); o["id"] != n.ids["rival"] || o["role"] != "DEVELOPER" {
		t.Errorf("%v", o)
	}
	if apps := rowsOf(dan.get(t, "/developer/apps"+chosen)); len(apps) != 1 || apps[0]["id"] != n.ids["other"] {
		t.Errorf("%v", apps)
	}
	refused(t, dan.do(t, "PATCH", theOrganization+chosen, object{"name": "Mine"}), http.StatusForbidden, "ORGANIZATION_ROLE_REQUIRED")
	t.Run("CONS-06 one of others is none", func(t *testing.T) {
		for _, id := range []string{n.ids["rival"], "org_" + nowhere, "x", "%00", "%ff"} {
			for _, path := range []string{theOrganization, theMembers, "/developer/apps"} {
				refused(t, n.console(t, "sam").do(t, "GET", path+"?organizationId="+id, nil), http.StatusNotFound, "NOT_FOUND")
			}
		}
	})
}

func memberRefusals(t *testing.T, n *apiNode) {
	dan := n.console(t, "dan")
	one := theMembers + "/" + n.User(t, "sam").ID
	t.Run("SERR-02 members of a request", func(t *testing.T) {
		offends(t, dan.do(t, "POST", theMembers, object{}), "email", "role")
		offends(t, dan.do(t, "POST", theMembers, object{"email": "nobody@nowhere.test", "role": "ADMIN"}), "email", "role")
		offends(t, dan.do(t, "POST", theMembers, object{"email": 5, "role": "ADMIN", "name": "x"}), "email", "role", "name")
		offends(t, dan.do(t, "PATCH", one, object{"role": nil}), "role")
		offends(t, dan.do(t, "PATCH", one, object{"role": "OWNER", "email": "x"}), "email")
	})
	t.Run("SERR-03 bodies that cannot be read", func(t *testing.T) {
		standard(t, dan.do(t, "POST", theMembers, nil), http.StatusUnsupportedMediaType)
		refused(t, dan.do(t, "POST", theMembers, `{"email":`), http.StatusBadRequest, "BODY_UNREADABLE")
		refused(t, dan.do(t, "POST", theMembers, strings.Repeat(" ", 1<<20)+"{}"), http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE")
		refused(t, dan.do(t, "PUT", theMembers, object{}), http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
	})
	t.Run("CONS-06 names that are none", func(t *testing.T) {
		for _, odd := range []string{"x", "%00", "%ff", "usr_" + nowhere, n.User(t, "olivia").ID} {
			refused(t, dan.do(t, "DELETE", theMembers+"/"+odd, nil), http.StatusNotFound, "NOT_FOUND")
			refused(t, dan.do(t, "PATCH", theMembers+"/"+odd, object{"role": "OWNER"}), http.StatusNotFound, "NOT_FOUND")
		}
	})
	t.Run("CALL-08 nobody, another site, and an app", func(t *testing.T) {
		standard(t, n.nobody().do(t, "GET", theOrganization, nil), http.StatusUnauthorized)
		standard(t, dan.and("Origin", "https://evil.example").do(t, "PATCH", theOrganization, object{"name": "Evil"}), http.StatusForbidden)
		refused(t, n.by(t, fullApp, "olivia", "shop").do(t, "GET", theOrganization, nil), http.StatusForbidden, "ENDPOINT_NOT_EXPOSED")
	})
}
