package generated_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// drawer makes up values that the schemas describe and that make sense: the schema says that customerId is a text, the
// drawer knows which customers there are.
type drawer struct {
	*rand.Rand
	schemas schemas
	words   map[string][]any // what the enums anywhere allow, by the name of the member
	corpus  *corpus
	today   time.Time
	subject object // the record that the path names, if it is known
	count   int    // for names that must be unique
}

func newDrawer(r *rand.Rand, all schemas, today time.Time) *drawer {
	d := &drawer{Rand: r, schemas: all, words: map[string][]any{}, corpus: newCorpus(), today: today}
	for _, component := range slices.Sorted(maps.Keys(all)) {
		for name, member := range all[component].properties {
			for _, word := range member.enum {
				if !slices.Contains(d.words[name], word) {
					d.words[name] = append(d.words[name], word)
				}
			}
		}
	}
	return d
}

func (d *drawer) chance(percent int) bool { return d.IntN(100) < percent }

func one[T any](d *drawer, list ...T) T { return list[d.IntN(len(list))] }

// value draws what a schema allows.
func (d *drawer) value(name string, s *schema) any {
	component := s.ref
	s = d.schemas.resolve(s)
	if len(s.choices) > 0 {
		if d.chance(85) {
			return d.value(name, s.choices[0])
		}
		return d.value(name, one(d, s.choices...))
	}
	if s.may("null") && (len(s.types) == 1 || d.chance(12)) {
		return nil
	}
	if len(s.enum) > 0 {
		return one(d, s.enum...)
	}
	switch {
	case s.may("object"):
		o := d.object(s)
		if sense := senses[component]; sense != nil {
			sense(d, o)
		}
		return o
	case s.may("array"):
		list := make([]any, 1+d.IntN(3))
		for i := range list {
			list[i] = d.value(name, s.items)
		}
		return list
	case s.may("integer"), s.may("number"):
		return d.integer(s)
	case s.may("boolean"):
		return d.chance(50)
	}
	return d.text(name, s)
}

func (d *drawer) object(s *schema) object {
	o := object{}
	for _, name := range s.names {
		if slices.Contains(s.required, name) || d.chance(35) {
			o[name] = d.value(name, s.properties[name])
		}
	}
	return o
}

func (d *drawer) integer(s *schema) int {
	least, most := 1, 60_000
	if s.minimum != nil {
		least = int(*s.minimum)
	}
	if s.maximum != nil {
		most = int(*s.maximum)
	}
	switch {
	case d.chance(5):
		return one(d, least, most)
	case d.chance(1) && s.maximum == nil:
		return largest
	}
	return least + d.IntN(most-least+1)
}

// kinds says which records a member names.
var kinds = map[string]string{
	"customerId": "cus", "supplierId": "sup", "invoiceId": "inv", "accountId": "acc", "bankAccountId": "acc", "taxRateId": "tax",
	"defaultTaxRateId": "tax", "journalEntryId": "jrn", "sourceId": "inv", "customers": "cus", "suppliers": "sup", "invoices": "inv",
	"payments": "pay", "accounts": "acc", "journal-entries": "jrn", "tax-rates": "tax", "allocationId": "alc", "events": "evt", "after": "evt",
	"app-data": "adv",
}

// useful says which of those records are wanted.
var useful = map[string]func(object) bool{
	"bankAccountId": has("subtype", "BANK", "CASH"),
	"customerId":    has("status", "ACTIVE"),
	"supplierId":    has("status", "ACTIVE"),
	"invoiceId":     has("status", "OPEN", "PARTIALLY_PAID"),
}

// id names a record of the business; when there is none yet, one that nobody has.
func (d *drawer) id(name string) string {
	id := d.corpus.pick(d.Rand, kinds[name], useful[name])
	if id == "" {
		id = d.corpus.pick(d.Rand, kinds[name], nil)
	}
	if id == "" {
		return d.madeUp(kinds[name])
	}
	return id
}

const crockford = "0123456789abcdefghjkmnpqrstvwxyz"

// madeUp has the form of an id of that kind.
func (d *drawer) madeUp(prefix string) string {
	b := []byte(prefix + "_01")
	for range 24 {
		b = append(b, crockford[d.IntN(len(crockford))])
	}
	return string(b)
}

// day is a date near today, or seldom far from it.
func (d *drawer) day() string {
	if d.chance(4) {
		return one(d, "1900-01-01", "2199-12-31", "2024-02-29", "2000-02-29", "2025-12-31", "2027-01-01")
	}
	return d.today.AddDate(0, 0, d.IntN(120)-80).Format(time.DateOnly)
}

// forms are the texts that have a form which the schema does not tell.
var forms = map[string]func(d *drawer) string{
	"currency":     func(d *drawer) string { return one(d, "EUR", "EUR", "EUR", "USD", "JPY", "KWD") },
	"country":      func(d *drawer) string { return one(d, "NL", "DE", "US", "JP") },
	"exchangeRate": func(d *drawer) string { return one(d, "1", "0.92", "1.0837", "0.000001", "151.2", "12345.678901") },
	"quantity":     func(d *drawer) string { return one(d, "1", "2", "0.5", "3.333333", "1000", "-1") },
	"unitPrice": func(d *drawer) string {
		if d.chance(1) {
			return "90000000000000"
		}
		return one(d, "10", "10.07", "0.01", "99.999", "0", "1234.5678", "33.33")
	},
	"discountPercent": func(d *drawer) string { return one(d, "0", "5", "33.3333", "100") },
	"rate":            func(d *drawer) string { return one(d, "21", "9", "0") },
	"email":           func(d *drawer) string { return d.unique("ada") + "@example.test" },
	"to":              func(d *drawer) string { return d.unique("ada") + "@example.test" },
	"code":            func(d *drawer) string { return fmt.Sprintf("G%d.%d", d.IntN(1000), d.next()) },
	"number":          func(d *drawer) string { return d.unique("N") },
	"externalId":      func(d *drawer) string { return d.unique("ext") },
	"phone":           func(d *drawer) string { return "+31 20 555 01 42" },
	"subtype": func(d *drawer) string {
		return one(d, "BANK", "CASH", "CURRENT", "SALES", "OTHER", "OPERATING", "DIRECT", "CAPITAL")
	},
}

func (d *drawer) next() int { d.count++; return d.count }

func (d *drawer) unique(word string) string {
	return fmt.Sprintf("%s-%d-%d", word, d.IntN(1000), d.next())
}

var phrases = []string{
	"Sourdough", "Café Zon", "Zażółć gęślą jaźń", "株式会社ひまわり", "مخبز الشمس", "👩‍👩‍👧‍👦 family", "O'Brien & Sons <b>", `"quoted"; DROP TABLE invoices;--`, "a", "%_\\",
	"ﬁne print", "Ångström", "two  spaces",
}

// text draws a text that fits its length.
func (d *drawer) text(name string, s *schema) string {
	form := forms[name]
	var text string
	switch {
	case kinds[name] != "":
		text = d.id(name)
	case form != nil:
		text = form(d)
	case name == "date" || strings.HasSuffix(name, "Date"):
		text = d.day()
	case len(d.words[name]) > 0:
		text = one(d, d.words[name]...).(string)
	default:
		text = one(d, phrases...)
		if s.maxLength != nil && d.chance(6) {
			return strings.Repeat("é", *s.maxLength)
		}
	}
	for s.maxLength != nil && utf8.RuneCountInString(text) > *s.maxLength {
		_, last := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-last]
	}
	return text
}
