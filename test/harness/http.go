package harness

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
)

func newJar(t testing.TB) http.CookieJar {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return jar
}

// Answer is a response that has been read.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// JSON reads the body as an object.
func (a Answer) JSON(t testing.TB) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(a.Body), &v); err != nil {
		t.Fatalf("not a JSON object: %v\n%s", err, a.Body)
	}
	return v
}

// Send makes a request and reads the answer. header may be nil; a body without a Content-Type is sent as it is.
func Send(t testing.TB, c *http.Client, method, address string, header http.Header, body string) Answer {
	t.Helper()
	r, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range header {
		r.Header[name] = values
	}
	response, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return Answer{response.StatusCode, response.Header, string(text)}
}

// Get reads an address.
func Get(t testing.TB, c *http.Client, address string) Answer {
	t.Helper()
	return Send(t, c, http.MethodGet, address, nil, "")
}

// PostJSON sends a JSON body.
func PostJSON(t testing.TB, c *http.Client, address, body string) Answer {
	t.Helper()
	return Send(t, c, http.MethodPost, address, http.Header{"Content-Type": {"application/json"}}, body)
}

// PostForm sends a form, as a page does.
func PostForm(t testing.TB, c *http.Client, address string, form url.Values) Answer {
	t.Helper()
	return Send(t, c, http.MethodPost, address, http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, form.Encode())
}

// SignIn signs a person of the demo world in.
func (n *Node) SignIn(t testing.TB, c *http.Client, u User) {
	t.Helper()
	a := PostForm(t, c, n.AuthURL+"/sign-in", url.Values{"email": {u.Email}, "password": {u.Password}})
	if a.Status != http.StatusSeeOther {
		t.Fatalf("signing %s in: %d\n%s", u.Email, a.Status, a.Body)
	}
}

// Advance moves the node's clock; all that is due by then has happened when it returns.
func (n *Node) Advance(t testing.TB, by string) {
	t.Helper()
	if a := PostJSON(t, http.DefaultClient, n.BaseURL+"/dev/clock", `{"advance":"`+by+`"}`); a.Status != http.StatusOK {
		t.Fatalf("moving the clock: %d\n%s", a.Status, a.Body)
	}
}
