package tenants_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// call is a request that a worker makes up.
type call struct {
	seat    seat
	method  string
	path    string
	query   url.Values
	body    object // nil for none
	key     string // Idempotency-Key
	seen    string // If-Match
	version string
	// strangers are what it contains of others, each with something of the same form that nobody has.
	strangers []stranger
}

type stranger struct{ text, nobodys string }

func (c *call) target() string {
	if len(c.query) == 0 {
		return c.path
	}
	return c.path + "?" + c.query.Encode()
}

func (c *call) text() string {
	if c.body == nil {
		return ""
	}
	text, err := json.Marshal(c.body)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// whole is everything that the request tells, for scanning.
func (c *call) whole() string {
	query, err := url.QueryUnescape(c.query.Encode())
	if err != nil {
		query = ""
	}
	return strings.Join([]string{c.method, c.target(), query, c.text(), c.key}, "\n")
}

// twin is the same call with nobody's instead of others'.
func (c *call) twin() *call {
	t := *c
	swap := func(s string) string {
		for _, s2 := range c.strangers {
			s = strings.ReplaceAll(s, s2.text, s2.nobodys)
		}
		return s
	}
	t.path = swap(c.path)
	t.query = url.Values{}
	for name, values := range c.query {
		for _, v := range values {
			t.query.Add(name, swap(v))
		}
	}
	if c.body != nil {
		t.body = nil
		if err := json.Unmarshal([]byte(swap(c.text())), &t.body); err != nil {
			panic(err)
		}
	}
	return &t
}

// answer is a response that has been read.
type answer struct {
	status int
	header http.Header
	body   string
}

func (a answer) code() string {
	var refusal struct{ Code string }
	_ = json.Unmarshal([]byte(a.body), &refusal)
	return refusal.Code
}

// json reads the body as an object; nil when it is none.
func (a answer) json() object {
	var o object
	_ = json.Unmarshal([]byte(a.body), &o)
	return o
}

// visible is what of an answer must not depend on whether something exists elsewhere.
func (a answer) visible(strangers []stranger, nobodys bool) string {
	h := a.header.Clone()
	for _, name := range []string{"Request-Id", "Date", "Ratelimit-Remaining", "Ratelimit-Reset", "Content-Length"} {
		h.Del(name)
	}
	var text strings.Builder
	_ = h.Write(&text)
	text.WriteString(a.body)
	out := importID.ReplaceAllString(text.String(), "imp_…")
	out = cursorIn.ReplaceAllStringFunc(out, func(member string) string { return place(cursorIn.FindStringSubmatch(member)[1]) })
	for _, s := range strangers {
		name := s.text
		if nobodys {
			name = s.nobodys
		}
		out = strings.ReplaceAll(out, name, "…")
	}
	return out
}

func (w *worker) send(c *call) (answer, bool) {
	r, err := http.NewRequest(c.method, w.house.BaseURL+c.target(), strings.NewReader(c.text()))
	if err != nil {
		w.t.Error(err)
		return answer{}, false
	}
	r.Header.Set("Authorization", "Bearer "+c.seat.token)
	for name, value := range map[string]string{"Idempotency-Key": c.key, "If-Match": c.seen, "Daybook-Version": c.version} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	if c.body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	response, err := w.http.Do(r)
	if err != nil {
		w.t.Error(err)
		return answer{}, false
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Error(err)
		return answer{}, false
	}
	w.sent++
	return answer{response.StatusCode, response.Header, string(body)}, true
}

// place is where a cursor goes on. It also holds a hash of the request, which may differ.
func place(cursor string) string {
	var parts []any
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || json.Unmarshal(text, &parts) != nil || len(parts) != 3 {
		return cursor
	}
	return fmt.Sprint(parts[:2])
}
