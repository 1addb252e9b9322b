package scope_test

import (
	"slices"
	"strings"
	"testing"

	"daybook/internal/platform/scope"
)

// catalog is the scopes once more, written out: name, class, and the sentence of the consent page.
const catalog = `
profile:read    | BASIC         | See your name and basic facts about the business
invoices:read   | STANDARD      | See invoices
invoices:write  | STANDARD      | Create and change invoices
customers:read  | PERSONAL_DATA | See customers and their contact data
customers:write | PERSONAL_DATA | Create and change customers
suppliers:read  | PERSONAL_DATA | See suppliers and their contact data
suppliers:write | PERSONAL_DATA | Create and change suppliers
payments:read   | STANDARD      | See payments
payments:write  | STANDARD      | Record and change payments
accounts:read   | STANDARD      | See the chart of accounts
accounts:write  | RESTRICTED    | Change the chart of accounts
journal:read    | STANDARD      | See the journal
journal:write   | RESTRICTED    | Post journal entries
taxes:read      | STANDARD      | See tax rates
reports:read    | STANDARD      | See financial reports
events:read     | STANDARD      | Receive a history of changes
console:manage  | INTERNAL      |
business:manage | INTERNAL      |
platform:review | INTERNAL      |
`

func TestTheCatalogIsTheOneOfTheDocumentation(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(catalog), "\n")
	partner, internal := 0, 0
	for i, line := range lines {
		cells := strings.Split(line, "|")
		name, class, sentence := strings.TrimSpace(cells[0]), strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])
		e, ok := scope.Find(scope.Scope(name))
		if !ok || string(e.Scope) != name || string(e.Class) != class || e.Sentence == "" || sentence != "" && e.Sentence != sentence {
			t.Errorf("%s: %+v", name, e)
		}
		if i >= len(scope.Catalog) || scope.Catalog[i] != e {
			t.Errorf("%s is not at its place in the catalog", name)
		}
		if scope.Partner(e.Scope) == (class == "INTERNAL") {
			t.Errorf("%s offered to partners: %v", name, scope.Partner(e.Scope))
		}
		if e.Writes() != strings.HasSuffix(name, "write") {
			t.Errorf("%s changes something: %v", name, e.Writes())
		}
		if scope.Partner(e.Scope) {
			partner++
		} else {
			internal++
		}
	}
	if partner != 16 || internal != 3 || len(scope.Catalog) != 19 {
		t.Errorf("%d for partners, %d internal, %d in all", partner, internal, len(scope.Catalog))
	}
}

func TestWhatIsNotInTheCatalogIsNoScope(t *testing.T) {
	for _, name := range []scope.Scope{"", "invoices", "invoices:", ":read", "Invoices:read", "invoices:read ", "invoices:delete", "invoices:read invoices:write", "*"} {
		if _, ok := scope.Find(name); ok || scope.Partner(name) {
			t.Errorf("%q is known", name)
		}
	}
}

func TestASetReadsInCatalogOrder(t *testing.T) {
	for _, c := range []struct{ name, given, want string }{
		{"nothing", "", ""},
		{"spaces", "  \t\n ", ""},
		{"one", "taxes:read", "taxes:read"},
		{"in another order", "events:read invoices:write profile:read invoices:read", "profile:read invoices:read invoices:write events:read"},
		{"repeats", "taxes:read taxes:read  taxes:read", "taxes:read"},
		{"unknown ones come last, sorted", "zebra:read taxes:read ape:read", "taxes:read ape:read zebra:read"},
		{"internal ones are known", "console:manage zebra:read events:read", "events:read console:manage zebra:read"},
		{"case matters", "TAXES:READ taxes:read", "taxes:read TAXES:READ"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := scope.Parse(c.given).String(); got != c.want {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestEntriesLeaveOutWhatIsUnknown(t *testing.T) {
	got := scope.Parse("zebra:read taxes:read profile:read").Entries()
	if len(got) != 2 || got[0].Scope != scope.ProfileRead || got[1].Scope != scope.TaxesRead {
		t.Errorf("got %v", got)
	}
}

func TestWhatASetIsMadeFromStaysAsItWas(t *testing.T) {
	given := []scope.Scope{"taxes:read", "profile:read", "taxes:read"}
	a, b := scope.Of(given...), scope.Of("taxes:read")
	a.Union(b)
	a.Minus(b)
	if !slices.Equal(given, []scope.Scope{"taxes:read", "profile:read", "taxes:read"}) || a.String() != "profile:read taxes:read" || b.String() != "taxes:read" {
		t.Errorf("given %v, a %v, b %v", given, a, b)
	}
}
