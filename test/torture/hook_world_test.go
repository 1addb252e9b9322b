package torture_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daybook/test/harness"
)

// hookApp is an app of a world with its webhooks.
type hookApp struct {
	key    string
	scopes string
	// in are the businesses that it is installed in by the fixture, by their number.
	in    []int
	hooks []hookSpec
}

// hookSpec is a webhook: where it listens and what it hears.
type hookSpec struct {
	path   string
	events string // space separated
}

// hookScopes is what an app must hold to hear of an event, for the events that happen here.
var hookScopes = map[string]string{
	"invoice.created": "invoices:read", "invoice.issued": "invoices:read", "journal_entry.posted": "journal:read", "customer.created": "customers:read",
}

// hookWorld is some businesses and apps, and who must be told of what.
type hookWorld struct {
	businesses int
	apps       []hookApp
	// told are the paths that must hear of an event of a business, by business number and type.
	told map[int]map[string][]string
}

// hookClient is the app in whose name the writers write.
const hookClient, hookClientSecret, hookPassword = "cli_writer", "cs_writer", "a few words"

func newHookWorld(businesses int, apps ...hookApp) *hookWorld {
	w := &hookWorld{businesses: businesses, apps: apps, told: map[int]map[string][]string{}}
	for b := range businesses {
		w.told[b] = map[string][]string{}
		for _, a := range apps {
			if !has(a.in, b) {
				continue
			}
			for _, h := range a.hooks {
				for _, e := range strings.Fields(h.events) {
					if has(strings.Fields(a.scopes), hookScopes[e]) {
						w.told[b][e] = append(w.told[b][e], h.path)
					}
				}
			}
		}
	}
	return w
}

func has[T comparable](list []T, one T) bool {
	for _, x := range list {
		if x == one {
			return true
		}
	}
	return false
}

func everywhere(businesses int) []int {
	list := make([]int, businesses)
	for i := range list {
		list[i] = i
	}
	return list
}

// hookSecret is the secret of the webhook at a path.
func hookSecret(path string) string { return "whsec_" + strings.Trim(path, "/") }

func hookBusiness(n int) string { return fmt.Sprintf("Shop %d", n) }

// load brings the world into a database, with the paths at the addresses that at tells.
func (w *hookWorld) load(t testing.TB, dir, database, key string, at func(path string) string) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "users: [{key: hana, email: hana@example.test, password: %q, name: Hana}]\n", hookPassword)
	b.WriteString("organizations: [{key: hooks, name: Hooks, members: [{user: hana, role: OWNER}]}]\nbusinesses:\n")
	for n := range w.businesses {
		fmt.Fprintf(&b, "  - {key: shop%d, name: %s, country: NL, currency: EUR, plan: SCALE, books: EMPTY, members: [{user: hana, role: OWNER}]}\n", n, hookBusiness(n))
	}
	b.WriteString("apps:\n")
	for _, a := range w.apps {
		fmt.Fprintf(&b, "  - {key: %s, organization: hooks, name: %s, clientType: CONFIDENTIAL, clientId: cli_%s, clientSecret: cs_%s, redirectUris: [%q], review: APPROVED,\n     scopes: [%s], webhooks: [",
			a.key, a.key, a.key, a.key, pairCallback, strings.Join(strings.Fields(a.scopes), ", "))
		for i, h := range a.hooks {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "{url: %q, secret: %s, events: [%s]}", at(h.path), hookSecret(h.path), strings.Join(strings.Fields(h.events), ", "))
		}
		b.WriteString("]}\n")
	}
	b.WriteString("installations:\n")
	for _, a := range w.apps {
		for _, n := range a.in {
			fmt.Fprintf(&b, "  - {app: %s, business: shop%d, user: hana, scopes: [%s]}\n", a.key, n, strings.Join(strings.Fields(a.scopes), ", "))
		}
	}
	file := filepath.Join(dir, "hooks.yaml")
	must(t, os.WriteFile(file, []byte(b.String()), 0o600))
	if status, _, stderr := harness.Run(t, dir, nil, "", "fixture", "load", file, "--database", database, "--key-file", key); status != 0 {
		t.Fatalf("fixture load: %d\n%s", status, stderr)
	}
}

// secrets of all webhooks by path.
func (w *hookWorld) secrets() map[string]string {
	m := map[string]string{}
	for _, a := range w.apps {
		for _, h := range a.hooks {
			m[h.path] = hookSecret(h.path)
		}
	}
	return m
}
