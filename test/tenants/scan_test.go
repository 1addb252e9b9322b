package tenants_test

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	songs    = regexp.MustCompile(`(?:canary|mark)0[a-z0-9]+`)
	cursorIn = regexp.MustCompile(`"(?:nextCursor|cursor)":"([A-Za-z0-9_-]+)"`)
)

// scan says what an answer tells that is none of the caller's business: a word or an id of another tenant, or another
// app's name for a record, unless the request itself contained it.
func (w *worker) scan(s seat, request, answer string) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	for _, m := range cursorIn.FindAllStringSubmatch(answer, -1) {
		if text, err := base64.RawURLEncoding.DecodeString(m[1]); err == nil {
			answer += string(text)
		}
	}
	answer, request = strings.ToLower(answer), strings.ToLower(request)
	for _, word := range songs.FindAllString(answer, -1) {
		if w.hums(s, word) || strings.Contains(request, word) {
			continue
		}
		say("the answer tells %q", word)
	}
	for _, id := range idForm.FindAllString(answer, -1) {
		switch id[:3] {
		case "req": // of the request itself
		case "usr":
			if !slices.Contains(w.house.members[s.tenant], id) && !strings.Contains(request, id) {
				say("the answer tells of %s, who is no member", id)
			}
		case "app":
			if owner := w.apps[id]; owner != "" && !installed(owner, s.tenant) && !strings.Contains(request, id) {
				say("the answer tells of %s, which is not installed", id)
			}
		default:
			if strings.Contains(request, id) {
				continue
			}
			if owner := w.registry.claim(id, s.tenant); owner != s.tenant {
				say("the answer tells of %s, which is a record of %s", id, owner)
			}
		}
	}
	return wrong
}

// hums reports whether a word is the tenant's own, or the app's own there.
func (w *worker) hums(s seat, word string) bool {
	if strings.HasPrefix(word, "canary") {
		return strings.HasPrefix(word, canary(s.tenant))
	}
	return strings.HasPrefix(word, mark(s.app, s.tenant))
}

func installed(name, tenant string) bool {
	return slices.ContainsFunc(apps, func(a app) bool { return a.name == name && slices.Contains(a.in, tenant) })
}
