package torture_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"

	"daybook/test/harness"
)

// tokens are what a client holds.
type tokens struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
	Before  string `json:"-"` // the access token before the refresh
}

// read takes them from a token response.
func (k *tokens) read(a harness.Answer, refresh bool) error {
	k.Access, k.Refresh = "", ""
	if err := json.Unmarshal([]byte(a.Body), k); err != nil || a.Status != http.StatusOK || k.Access == "" || (k.Refresh != "") != refresh {
		return fmt.Errorf("no token response: %d\n%s", a.Status, a.Body)
	}
	return nil
}

// codeIn reads the code from the redirect behind an approval.
func codeIn(a harness.Answer) (string, error) {
	address, query, _ := strings.Cut(a.Header.Get("Location"), "?")
	q, err := url.ParseQuery(query)
	if err != nil || a.Status != http.StatusSeeOther || address != pairCallback || q.Get("code") == "" ||
		q.Get("state") != "a-state-nobody-guesses" || q.Get("iss") != pairAPI || len(q) != 3 {
		return "", fmt.Errorf("no approval: %d to %q\n%s", a.Status, a.Header.Get("Location"), a.Body)
	}
	return q.Get("code"), nil
}

// lostGrant wants invalid_grant with exactly that description; without one there must be none.
func lostGrant(description string) func(harness.Answer) error {
	return func(a harness.Answer) error {
		var body map[string]string
		err := json.Unmarshal([]byte(a.Body), &body)
		said, described := body["error_description"]
		delete(body, "message") // deprecated
		if err != nil || a.Status != http.StatusBadRequest || body["error"] != "invalid_grant" || said != description || described != (description != "") || len(body) > 2 {
			return fmt.Errorf("a loser was told %d\n%s", a.Status, a.Body)
		}
		return nil
	}
}

// lostPage wants a page that shows exactly that message and leads nowhere.
func lostPage(message string) func(harness.Answer) error {
	return func(a harness.Answer) error {
		if a.Status != http.StatusBadRequest || a.Header.Get("Location") != "" || !strings.Contains(a.Body, `role="alert">`+html.EscapeString(message)+`</p>`) {
			return fmt.Errorf("a loser was told %d\n%s", a.Status, a.Body)
		}
		return nil
	}
}
