// Package contract_test holds the contract against the real binary, over HTTP only. Cases name the rules they prove.
package contract_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"daybook/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

// refusal is the standard error shape, read strictly.
type refusal struct {
	StatusCode int             `json:"statusCode"`
	Message    json.RawMessage `json:"message"`
	Error      string          `json:"error"`
	Code       *string         `json:"code"`
	Params     map[string]any  `json:"params"`

	text   string   // the message, when it is one sentence
	fields []string // the sentences, when it is an array
}

// standard proves that an answer has the standard shape (SERR-01) and that status, and reads it.
func standard(t *testing.T, a harness.Answer, status int) refusal {
	t.Helper()
	var r refusal
	decoder := json.NewDecoder(strings.NewReader(a.Body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		t.Fatalf("status %d, not the standard shape: %v\n%s", a.Status, err, a.Body)
	}
	if a.Status != status || r.StatusCode != status || r.Error != http.StatusText(status) {
		t.Errorf("want %d %s, got %d with %s", status, http.StatusText(status), a.Status, a.Body)
	}
	if got := a.Header.Get("Content-Type"); got != "application/json; charset=utf-8" {
		t.Errorf("Content-Type %q", got)
	}
	for name, want := range map[string]string{"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	requestID(t, a)
	r.readMessage(t, a.Body)
	return r
}

// readMessage proves that the message is a sentence, or for a validation failure an array of them, and that params are
// there exactly for the values the sentence shows.
func (r *refusal) readMessage(t *testing.T, body string) {
	t.Helper()
	if bytes.HasPrefix(r.Message, []byte("[")) {
		if err := json.Unmarshal(r.Message, &r.fields); err != nil || len(r.fields) == 0 {
			t.Errorf("message is not an array of sentences: %s", body)
		}
		if r.Code != nil || r.Params != nil || r.StatusCode != http.StatusBadRequest {
			t.Errorf("a validation failure is a 400 without code and params: %s", body)
		}
		return
	}
	if err := json.Unmarshal(r.Message, &r.text); err != nil || r.text == "" {
		t.Errorf("message is not a sentence: %s", body)
	}
	if r.Code != nil && *r.Code == "" {
		t.Errorf("an empty code: %s", body)
	}
	if r.Params != nil && len(r.Params) == 0 {
		t.Errorf("params without a value: %s", body)
	}
	for i := range len(r.Params) {
		value, ok := r.Params[fmt.Sprintf("p%d", i)]
		if !ok || !strings.Contains(r.text, shown(value)) {
			t.Errorf("p%d is missing, or the message does not show it: %s", i, body)
		}
	}
}

// shown is a JSON value as a sentence shows it: numbers without an exponent.
func shown(value any) string {
	if n, ok := value.(float64); ok {
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprint(value)
}

// requestID proves that the answer carries one.
func requestID(t *testing.T, a harness.Answer) string {
	t.Helper()
	id := a.Header.Get("Request-Id")
	if !strings.HasPrefix(id, "req_") || len(id) != len("req_")+26 {
		t.Errorf("status %d, Request-Id %q", a.Status, id)
	}
	return id
}

// page proves that an answer is a page with that status and returns its text.
func page(t *testing.T, a harness.Answer, status int) string {
	t.Helper()
	if a.Status != status || a.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("want a page with status %d, got %d %s\n%s", status, a.Status, a.Header.Get("Content-Type"), a.Body)
	}
	requestID(t, a)
	return a.Body
}

// seeOther proves that an answer sends the browser to that address.
func seeOther(t *testing.T, a harness.Answer, to string) {
	t.Helper()
	if got := a.Header.Get("Location"); a.Status != http.StatusSeeOther || got != to {
		t.Errorf("want 303 to %s, got %d to %q\n%s", to, a.Status, got, a.Body)
	}
}

// sessionCookie is the cookie that an answer sets.
func sessionCookie(t *testing.T, a harness.Answer) *http.Cookie {
	t.Helper()
	all := (&http.Response{Header: a.Header}).Cookies()
	i := slices.IndexFunc(all, func(c *http.Cookie) bool { return strings.HasSuffix(c.Name, "daybook_session") })
	if i < 0 {
		t.Fatalf("status %d sets no session cookie", a.Status)
	}
	return all[i]
}

// plain is a client without cookies that shows redirects.
func plain(t *testing.T) *http.Client {
	c := harness.Browser(t)
	c.Jar = nil
	return c
}

// signIn posts the form with a browser of its own.
func signIn(t *testing.T, n *harness.Node, c *http.Client, email, password string) harness.Answer {
	t.Helper()
	return harness.PostForm(t, c, n.AuthURL+"/sign-in", url.Values{"email": {email}, "password": {password}})
}

// signedIn is a browser with a session of that person of the demo world.
func signedIn(t *testing.T, n *harness.Node, name string) *http.Client {
	t.Helper()
	c := harness.Browser(t)
	n.SignIn(t, c, n.User(t, name))
	return c
}
