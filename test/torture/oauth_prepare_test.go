package torture_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

// request has a client's authorization request held for the person's browser and gives its handle.
func (p *pair) request(round int) (handle string, err error) {
	q := url.Values{
		"response_type": {"code"}, "client_id": {clientOf(round)}, "redirect_uri": {pairCallback}, "scope": {"profile:read invoices:read"},
		"state": {"a-state-nobody-guesses"}, "code_challenge": {pkceChallenge}, "code_challenge_method": {"S256"},
	}
	a, err := p.send(p.http, round%2, call{app: true, path: "/oauth/authorize?" + q.Encode(), signedIn: true})
	if err != nil {
		return "", err
	}
	target, err := url.Parse(a.Header.Get("Location"))
	if err != nil || a.Status != http.StatusSeeOther || target.Query().Get("request") == "" {
		return "", fmt.Errorf("GET /oauth/authorize: %d to %q\n%s", a.Status, a.Header.Get("Location"), a.Body)
	}
	return target.Query().Get("request"), nil
}

// device starts a device and approves it on the page.
func (p *pair) device(round int) (deviceCode string, err error) {
	var start struct {
		DeviceCode string `json:"device_code"`
		UserCode   string `json:"user_code"`
	}
	if err := p.fetch(&start, round, call{path: "/oauth/device/authorize", form: url.Values{}, proves: true, round: round}); err != nil {
		return "", err
	}
	decision := url.Values{"user_code": {start.UserCode}, "business": {p.business}, "decision": {"allow"}}
	a, err := p.send(p.http, round%2, call{app: true, path: "/device", form: decision, signedIn: true})
	if err == nil && (a.Status != http.StatusSeeOther || a.Header.Get("Location") != "/device/done?decision=allow") {
		err = fmt.Errorf("POST /device: %d to %q\n%s", a.Status, a.Header.Get("Location"), a.Body)
	}
	return start.DeviceCode, err
}

// sessionToken is one for a client's page in the person's browser.
func (p *pair) sessionToken(round int) (string, error) {
	var issued struct{ SessionToken string }
	body := fmt.Sprintf(`{"clientId":%q,"businessId":%q}`, clientOf(round), p.business)
	err := p.fetch(&issued, round, call{path: "/embedded/session-token", json: body, signedIn: true})
	return issued.SessionToken, err
}

// wantActive asks a node whether a token counts.
func (p *pair) wantActive(round int, token string, want bool) error {
	var in struct{ Active bool }
	err := p.fetch(&in, round, call{path: "/oauth/introspect", form: url.Values{"token": {token}}, proves: true, round: round})
	if err == nil && in.Active != want {
		err = fmt.Errorf("a token counts: %v, want %v", in.Active, want)
	}
	return err
}

// fetch makes a call that must succeed and reads its answer.
func (p *pair) fetch(into any, round int, c call) error {
	a, err := p.send(p.http, round%2, c)
	if err != nil {
		return err
	}
	if a.Status != http.StatusOK {
		return fmt.Errorf("%s: %d\n%s", c.path, a.Status, a.Body)
	}
	return json.Unmarshal([]byte(a.Body), into)
}
