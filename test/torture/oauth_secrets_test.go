package torture_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daybook/test/harness"
)

// TOK-06: after every flow has been walked over HTTP, in the right way and in wrong ones, neither the log nor the files of
// the database hold any secret that was handed out or sent in.
func TestNoSecretReachesTheLogOrTheDatabase(t *testing.T) {
	data := t.TempDir()
	database := filepath.Join(data, "daybook.db")
	n := harness.Dev(t, harness.Options{Database: database, Data: data, Env: []string{"DAYBOOK_LOG_LEVEL=debug"}})
	c := newOAuthClient(t, n)
	secrets := map[string]string{"password": c.person.Password, "client secret": *c.app.ClientSecret, "PKCE verifier": pkceVerifier}
	auth, err := url.Parse(n.AuthURL)
	must(t, err)
	for _, cookie := range c.browser.Jar.Cookies(auth) {
		secrets["cookie "+cookie.Name] = cookie.Value
	}
	keep := func(name string, a harness.Answer) harness.Answer {
		t.Helper()
		secrets["access token of "+name] = member(t, a, http.StatusOK, "access_token")
		if refresh, ok := a.JSON(t)["refresh_token"].(string); ok {
			secrets["refresh token of "+name] = refresh
		}
		return a
	}
	ask := func(grant url.Values) harness.Answer { return c.token(t, c.browser, n, grant, nil) }
	// the code flow, with a replay, a refresh, an idempotent one and a reuse
	request := c.request(t, n)
	code := c.code(t, n, request)
	secrets["authorization request"], secrets["code"] = request, code
	first := keep("the code", ask(c.redemption(code)))
	second := keep("the refresh", ask(renewal(member(t, first, 200, "refresh_token"))))
	key := "idempotency-canary-0123456789abcdef"
	secrets["idempotency key"] = key
	third := keep("the idempotent refresh", c.token(t, c.browser, n, renewal(member(t, second, 200, "refresh_token")), http.Header{"Idempotency-Key": {key}}))
	for _, token := range []string{member(t, third, 200, "access_token"), member(t, third, 200, "refresh_token")} {
		if !c.active(t, n, token) {
			t.Error("a token is dead before its time")
		}
	}
	ask(c.redemption(code))
	ask(renewal(member(t, first, 200, "refresh_token")))
	// the device flow
	start := harness.PostJSON(t, c.browser, n.BaseURL+"/oauth/device/authorize", `{"client_id":"`+c.app.ClientID+`","client_secret":"`+*c.app.ClientSecret+`"}`)
	device := member(t, start, 200, "device_code")
	secrets["device code"] = device
	poll := url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:device_code"}, "device_code": {device}}
	ask(poll)
	approved := harness.PostForm(t, c.browser, n.AuthURL+"/device", url.Values{"user_code": {member(t, start, 200, "user_code")}, "business": {c.business}, "decision": {"allow"}})
	if approved.Status != http.StatusOK && approved.Status != http.StatusSeeOther {
		t.Fatalf("POST /device: %d\n%s", approved.Status, approved.Body)
	}
	keep("the device", ask(poll))
	// an embedded page
	embedded := harness.Send(t, c.browser, http.MethodPost, n.BaseURL+"/embedded/session-token", http.Header{"Content-Type": {"application/json"}, "Origin": {n.BaseURL}},
		`{"clientId":"`+c.app.ClientID+`","businessId":"`+c.business+`"}`)
	session := member(t, embedded, 200, "sessionToken")
	secrets["session token"] = session
	keep("the exchange", ask(url.Values{
		"grant_type": {"urn:ietf:params:oauth:grant-type:token-exchange"}, "subject_token": {session}, "subject_token_type": {"urn:ietf:params:oauth:token-type:jwt"},
	}))
	// registration, revocation, and mistakes that hold secrets in wrong places
	made := harness.PostJSON(t, c.browser, n.BaseURL+"/oauth/register", `{"redirect_uris":["https://app.example/cb"],"client_name":"Canary"}`)
	secrets["secret of a registered client"] = member(t, made, 201, "client_secret")
	wrong := "cs_canary0123456789abcdefghijklmnopqrstuvwxyzABCDE"
	secrets["wrong secret"] = wrong
	for _, send := range []func() harness.Answer{
		func() harness.Answer {
			return ask(url.Values{"client_secret": {wrong}, "grant_type": {"refresh_token"}})
		},
		func() harness.Answer {
			return harness.PostForm(t, c.browser, n.BaseURL+"/oauth/token?client_secret="+wrong, url.Values{"grant_type": {"refresh_token"}})
		},
		func() harness.Answer { return harness.Get(t, c.browser, n.BaseURL+"/oauth/token?code="+wrong) },
		func() harness.Answer {
			return harness.Get(t, c.browser, n.AuthURL+"/oauth/authorize?client_id=x&client_secret="+wrong)
		},
		func() harness.Answer {
			return harness.PostForm(t, c.browser, n.BaseURL+"/oauth/revoke", url.Values{"token": {member(t, third, 200, "access_token")}})
		},
		func() harness.Answer {
			return harness.Send(t, c.browser, http.MethodGet, n.BaseURL+"/v1/me", http.Header{"Authorization": {"Bearer " + member(t, third, 200, "access_token")}}, "")
		},
	} {
		if a := send(); a.Status >= 500 {
			t.Errorf("%d\n%s", a.Status, a.Body)
		}
	}
	stored := readAll(t, database)
	n.Stop()
	for where, text := range map[string]string{"log": n.Log(), "database": stored, "database after the end": readAll(t, database)} {
		if len(text) == 0 {
			t.Fatalf("the %s is empty", where)
		}
		for name, value := range secrets {
			if strings.Contains(text, value) || len(value) > 30 && strings.Contains(text, value[10:30]) {
				t.Errorf("the %s holds the %s", where, name)
			}
		}
	}
	t.Logf("%d secrets looked for in %d bytes of log and %d of database", len(secrets), len(n.Log()), len(stored))
}

// readAll reads a SQLite file with its journal.
func readAll(t *testing.T, database string) string {
	t.Helper()
	files, err := filepath.Glob(database + "*")
	must(t, err)
	var all strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		must(t, err)
		all.Write(text)
	}
	return all.String()
}
