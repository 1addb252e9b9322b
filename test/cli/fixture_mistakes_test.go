package cli_test

import (
	"slices"
	"strings"
	"testing"
)

// with puts a line into a section of the documented world.
func with(section, line string) string {
	return strings.Replace(documentedWorld, section+":\n", section+":\n  - "+line+"\n", 1)
}

func TestAFixtureWithAMistakeChangesNothing(t *testing.T) {
	const owner = "members: [{user: olivia, role: OWNER}]"
	eachInstallation(t, func(t *testing.T, i installation) {
		// The people are there already, so that no case has to hash their passwords.
		if status, _, stderr := i.run(t, "", "fixture", "load", write(t, i.dir, "world.yaml", documentedWorld)); status != 0 {
			t.Fatal(stderr)
		}
		before := rows(t, i.database)
		for _, c := range []struct{ name, text, says string }{
			{"an unknown member", with("users", "{key: ada, email: ada@example.test, password: x, nickname: A}"), "nickname"},
			{"an unknown section", documentedWorld + "invoices: []\n", "invoices"},
			{"a user that nobody knows", with("organizations", "{key: b, name: B, members: [{user: nobody, role: OWNER}]}"), `"nobody"`},
			{"an organization that nobody knows", with("apps", "{key: a, organization: nobody, name: A, clientType: PUBLIC}"), `"nobody"`},
			{"an app that nobody knows", with("installations", "{app: nobody, business: bakery, user: olivia, scopes: []}"), `"nobody"`},
			{"a currency that is none", with("businesses", "{key: b, name: B, country: NL, currency: EURO, "+owner+"}"), "currency"},
			{"a currency that is none beside a person who is new", strings.Replace(with("businesses", "{key: b, name: B, country: NL, currency: EURO, "+owner+"}"),
				"organizations:", "  - {key: ada, email: ada@example.test, password: x}\norganizations:", 1), "currency"},
			{"a country that is none", with("businesses", "{key: b, name: B, country: Netherlands, currency: EUR, "+owner+"}"), "country"},
			{"a plan that is none", with("businesses", "{key: b, name: B, country: NL, currency: EUR, plan: GOLD, "+owner+"}"), "plan"},
			{"books that are none", with("businesses", "{key: b, name: B, country: NL, currency: EUR, books: SOME, "+owner+"}"), "books"},
			{"a business without an owner", with("businesses", "{key: b, name: B, country: NL, currency: EUR, members: [{user: olivia, role: STAFF}]}"), "OWNER"},
			{"an organization without anybody", with("organizations", "{key: b, name: B}"), "OWNER"},
			{"a role that is none", with("businesses", "{key: b, name: B, country: NL, currency: EUR, members: [{user: olivia, role: OWNER}, {user: dan, role: KING}]}"), "role must be"},
			{"a key that is used twice", with("users", "{key: olivia, email: ada@example.test, password: x}"), `"olivia"`},
			{"a key that is missing", with("users", "{email: ada@example.test, password: x}"), "key"},
			{"an address that is used twice", with("users", "{key: ada, email: OLIVIA@example.test, password: x}"), "OLIVIA@example.test"},
			{"an address that is none", with("users", "{key: ada, email: ada, password: x}"), "email"},
			{"a password that is missing", with("users", "{key: ada, email: ada@example.test}"), "password"},
			{"a client id that is used twice", with("apps", "{key: b, organization: acme, name: B, clientType: PUBLIC, clientId: cli_sync, redirectUris: ['https://b.test/'], scopes: [invoices:read]}"), "cli_sync"},
			{"a client type that is none", with("apps", "{key: b, organization: acme, name: B, clientType: SECRET, redirectUris: ['https://b.test/'], scopes: [invoices:read]}"), "clientType"},
			{"a scope that is none", with("apps", "{key: b, organization: acme, name: B, clientType: PUBLIC, redirectUris: ['https://b.test/'], scopes: [everything]}"), "everything"},
			{"a redirect URI that is none", with("apps", "{key: b, organization: acme, name: B, clientType: PUBLIC, redirectUris: ['http://b.test/'], scopes: [invoices:read]}"), "redirectUris"},
			{"a review status that is none", with("apps", "{key: b, organization: acme, name: B, clientType: PUBLIC, review: FINE, redirectUris: ['https://b.test/'], scopes: [invoices:read]}"), "reviewStatus"},
			{"a scope that the app does not have", with("installations", "{app: sync, business: lab, user: dan, scopes: [journal:write]}"), "journal:write"},
			{"a user who is no member of the business", with("installations", "{app: sync, business: bakery, user: dan, scopes: [invoices:read]}"), "installations"},
			{"a text where a list is expected", strings.Replace(documentedWorld, "users:\n", "users: all\nx:\n", 1), "line "},
			{"something that is no YAML", "users: [", "line "},
			{"two documents", documentedWorld + "---\nusers: []\n", "document"},
		} {
			t.Run(c.name, func(t *testing.T) {
				file := write(t, i.dir, "world.yaml", c.text)
				status, stdout, stderr := i.run(t, "", "fixture", "load", file)
				if status != 1 {
					t.Errorf("exit status %d", status)
				}
				lines := complaints(t, stdout, stderr)
				if !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, c.says) }) {
					t.Errorf("no line says %q:\n%s", c.says, stderr)
				}
				if after := rows(t, i.database); !slices.Equal(before, after) {
					t.Errorf("%d rows became %d, or others", len(before), len(after))
				}
			})
		}
	})
}

func TestAFixtureSaysEveryMistake(t *testing.T) {
	const owner = "members: [{user: olivia, role: OWNER}]"
	for _, c := range []struct {
		name string
		text string
		says []string
	}{
		{
			"names that stand for nothing, keys used twice, owners that are missing",
			"users:\n  - {key: olivia, email: o@example.test, password: x}\n  - {key: olivia, email: p@example.test, password: x}\n" +
				"organizations:\n  - {key: acme, name: Acme, members: [{user: nobody, role: OWNER}]}\n" +
				"businesses:\n  - {key: b, name: B, country: NL, currency: EUR, books: SOME, sandboxOf: nowhere, members: []}\n" +
				"apps:\n  - {organization: other, name: A}\n" +
				"installations:\n  - {app: none, business: b, user: ghost, scopes: []}\n",
			[]string{`"olivia" is used twice`, `"nobody"`, "books", `"nowhere"`, "businesses.0.members must have an OWNER", "apps.0.key", `"other"`, `"none"`, `"ghost"`},
		},
		{
			"two unknown members",
			"users:\n  - {key: a, email: a@example.test, password: x, nickname: A, age: 7}\n",
			[]string{"nickname", "age"},
		},
		{
			"two businesses whose currency is none",
			with("businesses", "{key: b, name: B, country: NL, currency: EURO, "+owner+"}\n  - {key: c, name: C, country: NL, currency: GULDEN, "+owner+"}"),
			[]string{`"b"`, `"c"`},
		},
		{
			"an unknown member, an unknown user, a missing owner, a key used twice, a bad currency and a client id used twice",
			"users:\n  - {key: olivia, email: o@example.test, password: x, nickname: A}\n  - {key: olivia, email: p@example.test, password: x}\n" +
				"organizations:\n  - {key: acme, name: Acme, members: [{user: olivia, role: OWNER}]}\n" +
				"businesses:\n  - {key: b, name: B, country: NL, currency: EURO, " + owner + "}\n  - {key: c, name: C, country: NL, currency: EUR, members: [{user: nobody, role: STAFF}]}\n" +
				"apps:\n  - {key: a, organization: acme, name: A, clientType: PUBLIC, clientId: cli_a, redirectUris: ['https://b.test/'], scopes: [invoices:read]}\n" +
				"  - {key: b, organization: acme, name: B, clientType: PUBLIC, clientId: cli_a, redirectUris: ['https://b.test/'], scopes: [invoices:read]}\n",
			[]string{"nickname", `"nobody"`, "businesses.1.members must have an OWNER", `"olivia" is used twice`, "currency", "cli_a"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			i := installation{dir: dir, database: dir + "/daybook.db", key: dir + "/daybook.key"}
			i.run(t, "", "migrate", "up")
			status, stdout, stderr := i.run(t, "", "fixture", "load", write(t, dir, "world.yaml", c.text))
			if status != 1 {
				t.Errorf("exit status %d", status)
			}
			complaints(t, stdout, stderr)
			for _, word := range c.says {
				if !strings.Contains(stderr, word) {
					t.Errorf("nothing is said about %s:\n%s", word, stderr)
				}
			}
		})
	}
}
