package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Check gives a sentence for everything that does not fit: a rule of a finished area that no test names, a test that
// names a rule that does not exist, an id given twice, a finished area that the contract does not have.
func Check(rules []Rule, mentions []Mention, finished []string) []string {
	var wrong []string
	lines, areas := map[string]int{}, map[string]bool{}
	for _, r := range rules {
		if first, twice := lines[r.ID]; twice {
			wrong = append(wrong, fmt.Sprintf("contract line %d: %s is already on line %d", r.Line, r.ID, first))
			continue
		}
		lines[r.ID], areas[r.Area()] = r.Line, true
	}
	for _, a := range finished {
		if !areas[a] {
			wrong = append(wrong, fmt.Sprintf("finished area %s has no rule in the contract", a))
		}
	}
	named := map[string]bool{}
	for _, m := range mentions {
		named[m.ID] = true
		// Words of other areas (SHA-256) are no rule ids at all.
		if areas[area(m.ID)] && lines[m.ID] == 0 {
			wrong = append(wrong, fmt.Sprintf("%s: %s is not in the contract", m.Pos, m.ID))
		}
	}
	for _, r := range rules {
		if slices.Contains(finished, r.Area()) && !named[r.ID] && lines[r.ID] == r.Line {
			wrong = append(wrong, fmt.Sprintf("contract line %d: no test names %s", r.Line, r.ID))
		}
	}
	return wrong
}

// Table shows for every rule the tests that name it.
func Table(rules []Rule, mentions []Mention) string {
	tests := map[string]map[string]bool{}
	for _, m := range mentions {
		if tests[m.ID] == nil {
			tests[m.ID] = map[string]bool{}
		}
		tests[m.ID][m.Where] = true
	}
	var b strings.Builder
	for _, r := range rules {
		names := slices.Sorted(maps.Keys(tests[r.ID]))
		if len(names) == 0 {
			names = []string{"(no test yet)"}
		}
		fmt.Fprintf(&b, "%-9s %s\n", r.ID, strings.Join(names, "\n          "))
	}
	return b.String()
}
