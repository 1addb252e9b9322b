// Package rules ties docs/contract.md to the tests: a test names the rules it proves, in a string or a comment
// ("CODE-03 at ten minutes"), and this package's own test fails when a rule of a finished area is named nowhere.
package rules

import (
	"regexp"
	"strings"
)

// Rule is one line of the contract.
type Rule struct {
	ID   string
	Line int
}

// Area is the word before the number.
func (r Rule) Area() string { return area(r.ID) }

func area(id string) string { return id[:strings.IndexByte(id, '-')] }

var ruleLine = regexp.MustCompile(`^- ([A-Z]+-\d+) `)

// ReadContract finds the rules, in the order of the document, repeated ids included.
func ReadContract(text string) []Rule {
	var rules []Rule
	for i, line := range strings.Split(text, "\n") {
		if m := ruleLine.FindStringSubmatch(line); m != nil {
			rules = append(rules, Rule{ID: m[1], Line: i + 1})
		}
	}
	return rules
}
