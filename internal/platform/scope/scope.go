// Package scope is the catalog of OAuth scopes, as data: what each grants, how the consent page says it, and how
// carefully it is handed out. It decides nothing and stores nothing.
package scope

import (
	"slices"
	"strings"
)

// Scope is a name such as invoices:read. write does not imply read.
type Scope string

// Class says how carefully a scope is handed out.
type Class string

// The classes. RESTRICTED scopes need a written reason when an app is listed, PERSONAL_DATA ones the matching privacy
// events; INTERNAL ones are for first-party programs and never offered to partner apps.
const (
	Basic        Class = "BASIC"
	Standard     Class = "STANDARD"
	PersonalData Class = "PERSONAL_DATA"
	Restricted   Class = "RESTRICTED"
	Internal     Class = "INTERNAL"
)

// Entry is one row of the catalog.
type Entry struct {
	Scope Scope
	// Sentence is what the consent page says.
	Sentence string
	Class    Class
}

// Writes reports whether the scope lets an app change something.
func (e Entry) Writes() bool { return strings.HasSuffix(string(e.Scope), ":write") }

// The scopes.
const (
	ProfileRead    Scope = "profile:read"
	InvoicesRead   Scope = "invoices:read"
	InvoicesWrite  Scope = "invoices:write"
	CustomersRead  Scope = "customers:read"
	CustomersWrite Scope = "customers:write"
	SuppliersRead  Scope = "suppliers:read"
	SuppliersWrite Scope = "suppliers:write"
	PaymentsRead   Scope = "payments:read"
	PaymentsWrite  Scope = "payments:write"
	AccountsRead   Scope = "accounts:read"
	AccountsWrite  Scope = "accounts:write"
	JournalRead    Scope = "journal:read"
	JournalWrite   Scope = "journal:write"
	TaxesRead      Scope = "taxes:read"
	ReportsRead    Scope = "reports:read"
	EventsRead     Scope = "events:read"
	ConsoleManage  Scope = "console:manage"
	BusinessManage Scope = "business:manage"
	PlatformReview Scope = "platform:review"
)

// Catalog is every scope the server knows, in the order in which people read them.
var Catalog = []Entry{
	{ProfileRead, "See your name and basic facts about the business", Basic},
	{InvoicesRead, "See invoices", Standard},
	{InvoicesWrite, "Create and change invoices", Standard},
	{CustomersRead, "See customers and their contact data", PersonalData},
	{CustomersWrite, "Create and change customers", PersonalData},
	{SuppliersRead, "See suppliers and their contact data", PersonalData},
	{SuppliersWrite, "Create and change suppliers", PersonalData},
	{PaymentsRead, "See payments", Standard},
	{PaymentsWrite, "Record and change payments", Standard},
	{AccountsRead, "See the chart of accounts", Standard},
	{AccountsWrite, "Change the chart of accounts", Restricted},
	{JournalRead, "See the journal", Standard},
	{JournalWrite, "Post journal entries", Restricted},
	{TaxesRead, "See tax rates", Standard},
	{ReportsRead, "See financial reports", Standard},
	{EventsRead, "Receive a history of changes", Standard},
	{ConsoleManage, "Manage apps in the developer console", Internal},
	{BusinessManage, "Manage the business's settings", Internal},
	{PlatformReview, "Review apps for this service", Internal},
}

var order = func() map[Scope]int {
	m := map[Scope]int{}
	for i, e := range Catalog {
		m[e.Scope] = i
	}
	return m
}()

// Find looks a scope up.
func Find(s Scope) (Entry, bool) {
	i, ok := order[s]
	if !ok {
		return Entry{}, false
	}
	return Catalog[i], true
}

// Partner reports whether a partner app may register the scope.
func Partner(s Scope) bool {
	e, ok := Find(s)
	return ok && e.Class != Internal
}

// Set is a set of scopes without repeats, in catalog order; names outside the catalog come last, sorted. Two equal
// sets have equal text.
type Set []Scope

// Of makes a set.
func Of(scopes ...Scope) Set {
	set := make(Set, 0, len(scopes))
	seen := make(map[Scope]bool, len(scopes)) // lists come from outside and may be long
	for _, s := range scopes {
		if s != "" && !seen[s] {
			seen[s] = true
			set = append(set, s)
		}
	}
	slices.SortFunc(set, func(a, b Scope) int {
		i, known := order[a]
		j, other := order[b]
		switch {
		case known && other:
			return i - j
		case known:
			return -1
		case other:
			return 1
		}
		return strings.Compare(string(a), string(b))
	})
	return set
}

// Parse reads the space-separated form of OAuth and of the store.
func Parse(text string) Set {
	var list []Scope
	for _, word := range strings.Fields(text) {
		list = append(list, Scope(word))
	}
	return Of(list...)
}

// String is the space-separated form.
func (s Set) String() string {
	words := make([]string, len(s))
	for i, one := range s {
		words[i] = string(one)
	}
	return strings.Join(words, " ")
}

// Has reports whether the set holds that scope.
func (s Set) Has(one Scope) bool { return slices.Contains(s, one) }

// Within reports whether every scope of s is in other.
func (s Set) Within(other Set) bool { return len(s.Minus(other)) == 0 }

// Union is what is in either.
func (s Set) Union(other Set) Set { return Of(append(slices.Clone(s), other...)...) }

// Minus is what is in s and not in other.
func (s Set) Minus(other Set) Set {
	in := make(map[Scope]bool, len(other))
	for _, one := range other {
		in[one] = true
	}
	return slices.DeleteFunc(slices.Clone(s), func(one Scope) bool { return in[one] })
}

// Careful are those that are handed out only after a review: restricted ones, and those that give personal data.
func (s Set) Careful() Set {
	return slices.DeleteFunc(slices.Clone(s), func(one Scope) bool {
		e, _ := Find(one)
		return e.Class != Restricted && e.Class != PersonalData
	})
}

// Equal reports whether both hold the same scopes.
func (s Set) Equal(other Set) bool { return s.Within(other) && other.Within(s) }

// Entries are the catalog rows of the set; names outside the catalog are left out.
func (s Set) Entries() []Entry {
	list := make([]Entry, 0, len(s))
	for _, one := range s {
		if e, ok := Find(one); ok {
			list = append(list, e)
		}
	}
	return list
}
