package generated_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daybook/test/harness"
)

// businesses are worked on side by side, each by one worker, so that what a worker knows of its business is right.
const businesses = 4

// world has, beside the demo world, businesses with empty books and three apps: one that may do everything, one that may do
// little, and one that was made for an older version of the API.
func world() string {
	var users, list strings.Builder
	for i := range businesses {
		fmt.Fprintf(&users, "  - {key: owner%d, email: %s, password: owns-a-business, name: Owner %d}\n", i, owner(i), i)
		fmt.Fprintf(&list, "  - {key: business%d, name: Business %d, country: NL, currency: EUR, timeZone: UTC, plan: STARTER, books: EMPTY,\n"+
			"     members: [{user: owner%d, role: OWNER}, {user: guest, role: STAFF}]}\n", i, i, i)
	}
	return "users:\n" + users.String() + `
  - {key: guest, email: guest@generated.test, password: looks-around, name: Guest}
organizations:
  - {key: maker, name: Maker, members: [{user: owner0, role: OWNER}]}
businesses:
` + list.String() + `
apps:
  - {key: full, organization: maker, name: Full, clientType: CONFIDENTIAL, clientId: cli_full, clientSecret: cs_full, review: APPROVED,
     redirectUris: ["http://127.0.0.1:3000/callback"], scopes: &every [profile:read, invoices:read, invoices:write, customers:read, customers:write,
       suppliers:read, suppliers:write, payments:read, payments:write, accounts:read, accounts:write, journal:read, journal:write, taxes:read,
       reports:read, events:read]}
  - {key: slim, organization: maker, name: Slim, clientType: CONFIDENTIAL, clientId: cli_slim, clientSecret: cs_slim, review: APPROVED,
     redirectUris: ["http://127.0.0.1:3000/callback"], scopes: [profile:read, invoices:read, customers:read]}
  - {key: older, organization: maker, name: Older, clientType: CONFIDENTIAL, clientId: cli_older, clientSecret: cs_older, review: APPROVED,
     redirectUris: ["http://127.0.0.1:3000/callback"], scopes: *every, pinnedApiVersion: "` + pinned + `"}
`
}

// pinned is the version of the older app.
const pinned = "2025-10-01"

func owner(i int) string { return fmt.Sprintf("owner%d@generated.test", i) }

// startNode starts a node whose limits are out of the way, and loads the world behind its back.
func startNode(t *testing.T, database, clock string) *harness.Node {
	t.Helper()
	data := t.TempDir()
	n := harness.Dev(t, harness.Options{
		Data: data, Database: database, Env: []string{"DAYBOOK_LIMIT_SCALE=100000"}, Args: []string{"--clock", clock},
	})
	file := filepath.Join(data, "world.yaml")
	must(t, os.WriteFile(file, []byte(world()), 0o600))
	status, _, stderr := harness.Run(t, "", nil, "", "fixture", "load", file, "--database", database, "--key-file", filepath.Join(data, "daybook.key"))
	if status != 0 {
		t.Fatalf("loading the world: %d\n%s", status, stderr)
	}
	declareFields(t, n)
	return n
}

// sorts are the sorts of records that an app can keep values on.
var sorts = []struct{ word, prefix string }{
	{"INVOICE", "inv"}, {"CUSTOMER", "cus"}, {"SUPPLIER", "sup"}, {"PAYMENT", "pay"}, {"ACCOUNT", "acc"}, {"JOURNAL_ENTRY", "jrn"},
}

// declareFields gives each app a field on every sort of record, as its developer does in the console.
func declareFields(t *testing.T, n *harness.Node) {
	t.Helper()
	for _, clientID := range []string{"cli_full", "cli_slim", "cli_older"} {
		token(t, n, grant{clientID, owner(0), ""}) // which installs it
	}
	maker := harness.Browser(t)
	n.SignIn(t, maker, harness.User{Email: owner(0), Password: "owns-a-business"})
	for _, app := range harness.Get(t, maker, n.BaseURL+"/installations").JSON(t)["data"].([]any) {
		for _, sort := range sorts {
			path := n.BaseURL + "/developer/apps/" + app.(object)["appId"].(string) + "/fields"
			a := harness.PostJSON(t, maker, path, `{"resourceType":"`+sort.word+`","key":"note","label":"Note","type":"TEXT","rules":{"maxLength":2000}}`)
			if a.Status != http.StatusCreated {
				t.Fatalf("declaring a field: %d %s", a.Status, a.Body)
			}
		}
	}
}

// grant is an app that acts for a person in a business; without one, in the person's first.
type grant struct{ clientID, email, businessID string }

func token(t testing.TB, n *harness.Node, g grant) string {
	t.Helper()
	body, err := json.Marshal(object{"clientId": g.clientID, "userEmail": g.email, "businessId": g.businessID})
	must(t, err)
	a := harness.PostJSON(t, http.DefaultClient, n.BaseURL+"/dev/tokens", string(body))
	if a.Status != http.StatusOK {
		t.Fatalf("a token for %v: %d %s", g, a.Status, a.Body)
	}
	return a.JSON(t)["access_token"].(string)
}

// caller is a holder of a token.
type caller struct {
	name  string
	token string
	// counts: the token is good, so that the limits are told.
	counts bool
	pin    string // the version it speaks unless it says otherwise; empty for the newest
}

// callers of a business, the first of which may do everything.
func callers(t *testing.T, n *harness.Node, i int) []caller {
	t.Helper()
	full := caller{"full", token(t, n, grant{"cli_full", owner(i), ""}), true, ""}
	a := harness.Send(t, http.DefaultClient, "GET", n.BaseURL+"/business", http.Header{"Authorization": {"Bearer " + full.token}}, "")
	id, ok := a.JSON(t)["id"].(string)
	if !ok {
		t.Fatalf("the business of %s: %d %s", owner(i), a.Status, a.Body)
	}
	return []caller{
		full,
		{"slim", token(t, n, grant{"cli_slim", owner(i), id}), true, ""},
		{"guest", token(t, n, grant{"cli_full", "guest@generated.test", id}), true, ""},
		{"older", token(t, n, grant{"cli_older", owner(i), id}), true, pinned},
		{"forged", "at_" + strings.Repeat("A", 43), false, ""},
		{"nonsense", "!", false, ""},
	}
}
