package generated_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// got is an answer that has been read.
type got struct {
	status int
	header http.Header
	body   []byte
	json   any // when it is JSON
}

const jsonMedia = "application/json; charset=utf-8"

var requestIDForm = regexp.MustCompile(`^req_[0-9a-z]{26}$`)

// check says what is wrong with an answer.
func (w *worker) check(r request, a *got) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	described := r.op.answers[a.status]
	switch {
	case a.status >= 500:
		say("it failed")
		return wrong
	case described == nil:
		say("the document does not know status %d here", a.status)
		return wrong
	case !r.op.partner && !r.op.public && a.status != http.StatusForbidden && r.who.counts && r.version != "":
		say("an app got through to what is not open to apps")
	}
	if id := a.header.Get("Request-Id"); !requestIDForm.MatchString(id) {
		say("Request-Id is %q", id)
	}
	if r.who.counts && !r.op.public {
		for _, name := range []string{"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} {
			if n, err := strconv.Atoi(a.header.Get(name)); err != nil || n < 0 {
				say("%s is %q", name, a.header.Get(name))
			}
		}
		if got := a.header.Get("Daybook-Version"); got != r.version {
			say("Daybook-Version is %q, want %q", got, r.version)
		}
	}
	wrong = append(wrong, w.checkBody(r, a, described)...)
	if a.status < 300 {
		wrong = append(wrong, w.checkSuccess(r, a)...)
	} else {
		wrong = append(wrong, checkRefusal(r, a)...)
	}
	return wrong
}

// checkBody holds the body against what the document says of the status.
func (w *worker) checkBody(r request, a *got, described *answer) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	media := a.header.Get("Content-Type")
	switch described.media {
	case "":
		if len(a.body) > 0 || media != "" {
			say("has a body of type %q, which the document does not know", media)
		}
		return wrong
	case "application/json":
		if media != jsonMedia {
			say("Content-Type is %q", media)
		}
	default:
		if media != described.media || len(a.body) == 0 {
			say("Content-Type is %q, the body has %d bytes", media, len(a.body))
		}
		return wrong
	}
	var err error
	if a.json, err = decode(a.body); err != nil {
		say("the body is no JSON: %v", err)
		return wrong
	}
	if a.status < 300 && r.version != w.document.version && !r.op.public {
		if r.op.pages() {
			wrong = append(wrong, checkOldPage(r.version, a.json)...)
		}
		return wrong // the document describes the newest version
	}
	return append(wrong, w.document.schemas.offences(described.schema, a.json)...)
}

// envelopes are the members that a page has in older versions.
var envelopes = map[string][]string{"2025-03-01": {"cursor", "items"}, "2025-10-01": {"data", "hasMore", "nextCursor"}}

func checkOldPage(version string, page any) []string {
	members := envelopes[version]
	o, _ := page.(object)
	_, list := o[members[slices.IndexFunc(members, func(m string) bool { return m == "items" || m == "data" })]].([]any)
	if !list || len(o) != len(members) || slices.ContainsFunc(members, func(m string) bool { _, there := o[m]; return !there }) {
		return []string{fmt.Sprintf("a page of %s has not the members %v: %s", version, members, short(page))}
	}
	return nil
}

// checkSuccess says what no request should have achieved.
func (w *worker) checkSuccess(r request, a *got) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if !r.op.public {
		switch {
		case !r.who.counts:
			say("a token that does not count was let in")
		case r.version == "":
			say("a version that there is not was answered")
		}
	}
	if r.body != nil && r.version == w.document.version {
		if v, err := decode([]byte(*r.body)); err != nil {
			say("a body that is no JSON was taken: %v", err)
		} else if found := w.document.schemas.offences(r.op.body, withoutNulls(v)); len(found) > 0 {
			say("a body that is not as the document says was taken: %s", strings.Join(found, "; "))
		} else {
			wrong = append(wrong, w.checkRows(r, v, a)...)
		}
	}
	if o, ok := a.json.(object); ok && o["id"] != nil {
		if version := o["version"]; version != nil && a.header.Get("ETag") != `"`+short(version)+`"` {
			say("ETag is %s at version %s", a.header.Get("ETag"), short(version))
		}
	}
	return wrong
}

// checkRows looks at items that are judged one by one: a bad one must not have become anything.
func (w *worker) checkRows(r request, body any, a *got) (wrong []string) {
	o, _ := body.(object)
	answered, _ := a.json.(object)
	results, _ := answered["results"].([]any)
	for name, member := range w.document.schemas.resolve(r.op.body).properties {
		rows, _ := o[name].([]any)
		if !member.apart || len(rows) != len(results) {
			continue
		}
		for i, row := range rows {
			row := withoutNulls(row)
			if o, ok := row.(object); ok {
				delete(o, "customer") // of one that is found by its externalId nothing else counts
			}
			found := w.document.schemas.offences(member.items, row)
			if len(found) > 0 && results[i].(object)["status"] == "CREATED" {
				wrong = append(wrong, fmt.Sprintf("row %d is not as the document says, and yet was created: %s", i, strings.Join(found, "; ")))
			}
		}
	}
	return wrong
}

// withoutNulls leaves out members that are null: in a request they are as good as absent, or are taken for what they are
// where the document says so.
func withoutNulls(v any) any {
	switch v := v.(type) {
	case object:
		out := object{}
		for name, member := range v {
			if member != nil {
				out[name] = withoutNulls(member)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = withoutNulls(item)
		}
		return out
	}
	return v
}

// checkRefusal holds a refusal against the rules of the contract (SERR-01, SERR-02) and of the document.
func checkRefusal(r request, a *got) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	o, _ := a.json.(object)
	code, _ := o["code"].(string)
	if short(o["statusCode"]) != strconv.Itoa(a.status) || o["error"] != http.StatusText(a.status) {
		say("it says %s %s", short(o["statusCode"]), short(o["error"]))
	}
	switch message := o["message"].(type) {
	case string:
		if message == "" || code == "" {
			say("a refusal without a sentence or without a code")
		}
	case []any:
		if len(message) == 0 || code != "" || a.status != http.StatusBadRequest {
			say("a validation failure must have status 400, sentences and no code")
		}
		for _, m := range message {
			if sentence, ok := m.(string); !ok || !r.names(sentence) {
				say("no part of the request is named by %s", short(m))
			}
		}
	default:
		say("the message is no text and no list of texts")
	}
	params, _ := o["params"].(object)
	p0, _ := params["p0"].(string)
	switch {
	case code == "PERMISSION_DENIED" && p0 != r.op.permission && !slices.Contains(r.op.oneOf, p0):
		say("the person lacks %s, the document says %q", p0, r.op.permission)
	case code == "INSUFFICIENT_SCOPE" && !slices.Contains(r.op.scopes, strings.Split(p0, ", ")[0]):
		say("the token lacks %s, the document says %q", p0, r.op.scopes)
	case a.status == http.StatusTooManyRequests:
		say("the limits were to be out of the way")
	case (a.status == http.StatusUnauthorized) == r.who.counts && !r.op.public:
		say("%d for the token of %s", a.status, r.who.name)
	}
	return wrong
}

// names reports whether a sentence begins with a part of the request: a member of the body, by its path, a parameter or a
// header; or with a member of the record that it is about.
func (r request) names(sentence string) bool {
	path, rest, _ := strings.Cut(sentence, " ")
	switch path {
	case "If-Match", "Idempotency-Key", "query":
		return true
	case "body":
		return !strings.HasPrefix(rest, "must be right") // which part of it?
	}
	first, _, _ := strings.Cut(path, ".")
	first = strings.TrimSuffix(first, "…") // long names are cut
	if slices.ContainsFunc(r.op.query, func(p param) bool { return p.Name == first }) || strings.Contains(r.target, url.QueryEscape(first)) {
		return true
	}
	if _, ok := r.subject[first]; ok || slices.Contains(r.members, first) {
		return true
	}
	quoted, err := json.Marshal(first)
	return err == nil && r.body != nil && strings.Contains(*r.body, strings.Trim(string(quoted), `"`))
}
