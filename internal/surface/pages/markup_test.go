package pages

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	aTag      = regexp.MustCompile(`<!--.*?-->|<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:[^>"']|"[^"]*"|'[^']*')*)>`)
	attribute = regexp.MustCompile(`([^\s=]+)(?:="([^"]*)")?`)
	// void elements have no end tag (HTML, 13.1.2).
	void = []string{"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)

// faults is what is wrong with a page that we wrote: stricter than HTML, which forgives. Every element is closed, in
// order; attributes are quoted and there once; ids are used once; nothing acts or styles inline. Scripts are ours,
// in files of their own.
func faults(page string) (wrong []string) {
	note := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if !strings.HasPrefix(page, "<!doctype html>") {
		note("begins with %.20q", page)
	}
	var open, ids []string
	end := len("<!doctype html>")
	for _, m := range aTag.FindAllStringSubmatchIndex(page, -1) {
		if m[0] > end && strings.ContainsAny(page[end:m[0]], "<>") {
			note("a stray bracket in %q", page[end:m[0]])
		}
		end = m[1]
		if m[4] < 0 {
			continue // a comment
		}
		name := page[m[4]:m[5]]
		if page[m[2]:m[3]] == "/" {
			if len(open) == 0 || open[len(open)-1] != name {
				note("</%s> inside %v", name, open)
				return wrong
			}
			open = open[:len(open)-1]
			continue
		}
		attributes := page[m[6]:m[7]]
		ours := name == "script" && (attributes == ` src="`+script.path+`" defer` || attributes == ` src="`+embedding.path+`" defer`)
		if name == "script" && !ours || name == "style" {
			note("a %s", name)
		}
		var names []string
		for _, a := range attribute.FindAllStringSubmatch(page[m[6]:m[7]], -1) {
			if slices.Contains(names, a[1]) {
				note("%s twice in <%s>", a[1], name)
			}
			names = append(names, a[1])
			if a[1] == "style" || strings.HasPrefix(a[1], "on") || strings.ContainsAny(a[0], "'`<") {
				note("%s in <%s>", a[0], name)
			}
			if a[1] == "id" {
				if slices.Contains(ids, a[2]) {
					note("two elements with the id %s", a[2])
				}
				ids = append(ids, a[2])
			}
		}
		if !slices.Contains(void, name) {
			open = append(open, name)
		}
	}
	if len(open) > 0 {
		note("never closed: %v", open)
	}
	if strings.ContainsAny(page[end:], "<>") {
		note("a stray bracket in %q", page[end:])
	}
	return wrong
}
