package cli_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daybook/test/harness"
)

// documentedWorld is the file of the documentation, to the letter, with the developer it speaks of.
const documentedWorld = `users:
  - {key: olivia, email: olivia@example.test, password: "…", name: Olivia}
  - {key: rosa, email: rosa@example.test, password: "…", operator: true}
  - {key: dan, email: dan@example.test, password: "…"}
organizations:
  - {key: acme, name: Acme Apps, members: [{user: dan, role: OWNER}]}
businesses:
  - {key: bakery, name: Bakery, country: NL, currency: EUR, plan: FREE, books: DEMO, members: [{user: olivia, role: OWNER}]}
  - {key: lab, name: Lab, country: NL, currency: EUR, sandboxOf: acme, books: EMPTY, members: [{user: dan, role: OWNER}]}
apps:
  - {key: sync, organization: acme, name: Sync, clientType: CONFIDENTIAL, clientId: cli_sync, clientSecret: cs_…,
     redirectUris: ["http://127.0.0.1:3000/callback"], scopes: [invoices:read, events:read], review: APPROVED,
     pinnedApiVersion: null, webhooks: [{url: "https://hooks.sync.test/daybook", events: [invoice.paid], secret: whsec_…}]}
installations:
  - {app: sync, business: bakery, user: olivia, scopes: [invoices:read]}
`

func TestTheDocumentedWorldLoads(t *testing.T) {
	eachEmpty(t, func(t *testing.T, database string) {
		dir := t.TempDir()
		file, key := write(t, dir, "world.yaml", documentedWorld), filepath.Join(dir, "daybook.key")
		load := func(file string) string {
			t.Helper()
			status, stdout, stderr := harness.Run(t, dir, nil, "", "fixture", "load", file, "--database", database, "--key-file", key)
			if status != 0 {
				t.Fatalf("exit status %d\n%s", status, stderr)
			}
			return stdout
		}
		if got := load(file); got != "8 records created\n" {
			t.Errorf("the first load says %q", got)
		}
		before := rows(t, database)
		for table, want := range map[string]int{
			"users": 3, "organizations": 1, "organization_members": 1, "businesses": 2, "business_members": 2, "apps": 1, "app_secrets": 1, "installations": 1, "consents": 1, "webhooks": 1, "deliveries": 0,
		} {
			if got := countRows(before, table); got != want {
				t.Errorf("%d rows in %s, want %d", got, table, want)
			}
		}
		for range 2 {
			if got := load(file); got != "0 records created\n" {
				t.Errorf("a later load says %q", got)
			}
			if after := rows(t, database); !slices.Equal(before, after) {
				t.Fatalf("loading it again changed %d rows to %d, or others", len(before), len(after))
			}
		}
		t.Run("a file with one more person adds only that person", func(t *testing.T) {
			more := strings.Replace(documentedWorld, "organizations:", "  - {key: vera, email: vera@example.test, password: x}\norganizations:", 1)
			if got := load(write(t, dir, "more.yaml", more)); got != "1 records created\n" {
				t.Errorf("it says %q", got)
			}
			after := rows(t, database)
			for _, row := range before {
				if !slices.Contains(after, row) {
					t.Errorf("a row is gone: %s", row)
				}
			}
			if len(after) != len(before)+2 { // the person and what her key has become
				t.Errorf("%d rows became %d", len(before), len(after))
			}
		})
		t.Run("its people can sign in", func(t *testing.T) {
			n := harness.Serve(t, harness.ServeOptions{Dir: dir, Args: []string{"--database", database, "--key-file", key}})
			n.SignIn(t, harness.Browser(t), harness.User{Email: "olivia@example.test", Password: "…"})
		})
	})
}

func countRows(all []string, table string) (n int) {
	for _, row := range all {
		n += count(strings.HasPrefix(row, table+": "))
	}
	return n
}

func TestTheDemoWorldIsAFixtureThatLoadsOnce(t *testing.T) {
	dir := t.TempDir()
	n := harness.Dev(t, harness.Options{Data: dir})
	database := filepath.Join(dir, "daybook.db")
	file := write(t, dir, "small.yaml", "users:\n  - {key: olivia, email: other@example.test, password: x}\n")
	before := rows(t, database)
	status, stdout, stderr := harness.Run(t, dir, nil, "", "fixture", "load", file, "--database", database, "--key-file", filepath.Join(dir, "daybook.key"))
	if status != 0 || stdout != "0 records created\n" {
		t.Errorf("beside a running node: %d %q %s", status, stdout, stderr)
	}
	if after := rows(t, database); !slices.Equal(before, after) {
		t.Error("a key that is known was loaded again")
	}
	n.SignIn(t, harness.Browser(t), n.User(t, "olivia"))
}
