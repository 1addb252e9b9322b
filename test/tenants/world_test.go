package tenants_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daybook/test/harness"
)

// The tenants, each with an owner of its own. Sasha works in the first two: who may look into both still sees one at a time.
var tenants = []string{"amber", "birch", "cedar", "delta", "ember"}

const shared = "sasha"

var sharedIn = []string{"amber", "birch"}

var (
	everything = []string{
		"profile:read", "invoices:read", "invoices:write", "customers:read", "customers:write", "suppliers:read", "suppliers:write", "payments:read",
		"payments:write", "accounts:read", "accounts:write", "journal:read", "journal:write", "taxes:read", "reports:read",
	}
	reading = slices.DeleteFunc(slices.Clone(everything), func(s string) bool { return strings.HasSuffix(s, ":write") })
	selling = []string{
		"profile:read", "invoices:read", "invoices:write", "customers:read", "customers:write", "payments:read", "payments:write", "accounts:read",
	}
)

// app is a partner's, with the scopes it registered, and the tenants that it is installed in.
type app struct {
	name   string
	scopes []string
	in     []string
}

var apps = []app{
	{"full", everything, tenants},
	{"twin", everything, []string{"amber", "birch", "cedar"}},
	{"reader", reading, []string{"birch", "cedar", "delta", "ember"}},
	{"seller", selling, []string{"amber", "delta"}},
}

// world is the fixture.
func world() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("users:")
	for _, name := range append([]string{shared, "maker"}, tenants...) {
		line("  - {key: %s, email: %s, password: a-few-words, name: %s}", name, email(name), name)
	}
	line("organizations:\n  - {key: makers, name: Makers, members: [{user: maker, role: OWNER}]}\nbusinesses:")
	for _, name := range tenants {
		member := ""
		if slices.Contains(sharedIn, name) {
			member = ", {user: " + shared + ", role: ADMIN}"
		}
		line("  - {key: %s, name: Business %s, legalName: %s, taxNumber: %s, country: NL, currency: EUR, timeZone: UTC, plan: STARTER, books: EMPTY,\n"+
			"     members: [{user: %s, role: OWNER}%s]}", name, canary(name), canary(name), canary(name), name, member)
	}
	line("apps:")
	for _, a := range apps {
		line("  - {key: %s, organization: makers, name: App %s, clientType: CONFIDENTIAL, clientId: cli_%s, clientSecret: cs_%s, review: APPROVED,\n"+
			`     redirectUris: ["http://127.0.0.1:3000/callback"], scopes: [%s]}`, a.name, a.name, a.name, a.name, strings.Join(a.scopes, ", "))
	}
	return b.String()
}

func email(name string) string { return name + "@tenants.test" }

// canary is a word that only a tenant's records have; mark is one that only an app's names for them have.
func canary(tenant string) string { return "canary0" + tenant }

func mark(app, tenant string) string { return "mark0" + app + "0" + tenant }

// seat is an app that works for a person in a tenant.
type seat struct {
	app, tenant, token string
	scopes             []string
}

func (s seat) String() string { return s.app + " in " + s.tenant }

func (s seat) may(scope string) bool { return slices.Contains(s.scopes, scope) }

// house is a node with the world in it.
type house struct {
	*harness.Node
	businessID map[string]string // by tenant
	members    map[string][]string
	seats      map[string][]seat // by tenant; the first may do everything
}

// open starts a node with the world in it, whose limits are out of the way.
func open(t *testing.T, database string) *house {
	t.Helper()
	data := t.TempDir()
	h := &house{
		Node:       harness.Dev(t, harness.Options{Data: data, Database: database, Env: []string{"DAYBOOK_LIMIT_SCALE=1000000"}}),
		businessID: map[string]string{}, members: map[string][]string{}, seats: map[string][]seat{},
	}
	file := filepath.Join(data, "world.yaml")
	must(t, os.WriteFile(file, []byte(world()), 0o600))
	status, _, stderr := harness.Run(t, "", nil, "", "fixture", "load", file, "--database", database, "--key-file", filepath.Join(data, "daybook.key"))
	if status != 0 {
		t.Fatalf("loading the world: %d\n%s", status, stderr)
	}
	for _, tenant := range tenants {
		h.settle(t, tenant)
	}
	return h
}

// settle takes the seats of a tenant, and finds out who is who there.
func (h *house) settle(t *testing.T, tenant string) {
	t.Helper()
	for _, a := range apps {
		if !slices.Contains(a.in, tenant) {
			continue
		}
		s := h.sit(t, a, tenant, tenant, "")
		me := h.me(t, s)
		business, user := me["business"].(object)["id"].(string), me["user"].(object)["id"].(string)
		h.businessID[tenant] = business
		h.members[tenant] = append(h.members[tenant], user)
		h.seats[tenant] = append(h.seats[tenant], s)
	}
	if slices.Contains(sharedIn, tenant) {
		s := h.sit(t, apps[0], tenant, shared, h.businessID[tenant])
		h.members[tenant] = append(h.members[tenant], h.me(t, s)["user"].(object)["id"].(string))
		h.seats[tenant] = append(h.seats[tenant], s)
	}
	few := h.sit(t, app{"full", []string{"profile:read", "invoices:read", "customers:write"}, nil}, tenant, tenant, h.businessID[tenant])
	h.seats[tenant] = append(h.seats[tenant], few)
}

func (h *house) sit(t *testing.T, a app, tenant, person, businessID string) seat {
	t.Helper()
	body, err := json.Marshal(object{"clientId": "cli_" + a.name, "userEmail": email(person), "businessId": businessID, "scopes": a.scopes})
	must(t, err)
	answer := harness.PostJSON(t, http.DefaultClient, h.BaseURL+"/dev/tokens", string(body))
	if answer.Status != http.StatusOK {
		t.Fatalf("a token for %s in %s: %d %s", a.name, tenant, answer.Status, answer.Body)
	}
	return seat{a.name, tenant, answer.JSON(t)["access_token"].(string), a.scopes}
}

func (h *house) me(t *testing.T, s seat) object {
	t.Helper()
	a := harness.Send(t, http.DefaultClient, "GET", h.BaseURL+"/me", http.Header{"Authorization": {"Bearer " + s.token}}, "")
	if a.Status != http.StatusOK {
		t.Fatalf("%s: %d %s", s, a.Status, a.Body)
	}
	return a.JSON(t)
}
