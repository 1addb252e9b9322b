package oauth

import (
	"testing"
	"time"

	"daybook/internal/platform/install"
)

var (
	noon  = time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)
	early = noon.Add(-time.Hour)
	who   = "usr_1"
)

// well is a standing that nothing is wrong with.
func well() standing {
	role := "OWNER"
	return standing{installation: install.Active, memberRole: &role}
}

// ailments are all the ways a standing can be wrong beside a revoked consent.
var ailments = map[string]func(*standing){
	"app suspended":   func(s *standing) { s.appSuspendedAt = &early },
	"app deactivated": func(s *standing) { s.appDeactivatedAt = &early },
	"uninstalled":     func(s *standing) { s.installation = install.Uninstalled },
	"user suspended":  func(s *standing) { s.userSuspendedAt = &early },
	"user restricted": func(s *standing) { s.userRestrictedAt = &early },
	"user left":       func(s *standing) { s.memberRole = nil },
}

// CODE-09, edge by edge: with everything wrong at once the first reason is told; mend it, and the next one is.
func TestReasonsOfACodeHaveAnOrder(t *testing.T) {
	c := code{appID: "app_other", redirectURI: callback, challenge: challenge, expiresAt: noon, usedAt: &early, background: background{standing: well()}}
	c.installation = install.Uninstalled
	r := Redemption{RedirectURI: callback + "/", Verifier: "wrong"}
	for _, step := range []struct {
		want string
		mend func()
	}{
		{"invalid_grant", func() { c.appID = "app_1" }},
		{"invalid_grant: code already used", func() { c.usedAt = nil }},
		{"invalid_grant: expired", func() { c.expiresAt = noon.Add(time.Millisecond) }},
		{"invalid_grant: redirect_uri mismatch", func() { r.RedirectURI = callback }},
		{"invalid_grant: PKCE verification failed", func() { r.Verifier = "" }},
		{"invalid_request: code_verifier is missing: the code was issued with a code_challenge", func() { r.Verifier = verifier }},
		{"invalid_grant", func() { c.installation = install.Active }},
		{"tokens", func() {}},
	} {
		if got := say(c.judge("app_1", r, noon)); got != step.want {
			t.Errorf("told %q, want %q", got, step.want)
		}
		step.mend()
	}
}

// CODE-08, INST-01: a code stands on an app, a business and a person that are well.
func TestACodeStandsOnItsGrant(t *testing.T) {
	c := code{appID: "app_1", redirectURI: callback, challenge: challenge, expiresAt: noon.Add(time.Second), background: background{standing: well()}}
	for name, ail := range ailments {
		ill := c
		if ail(&ill.standing); say(ill.judge("app_1", right(hidden), noon)) != "invalid_grant" {
			t.Errorf("%s: told %q", name, say(ill.judge("app_1", right(hidden), noon)))
		}
	}
	c.consentRevokedAt = &early
	if got := say(c.judge("app_1", right(hidden), noon)); got != "invalid_grant" {
		t.Errorf("consent revoked: told %q", got)
	}
}

// CODE-01, CODE-03: ten minutes, the last millisecond included.
func TestACodeLivesUpToItsEnd(t *testing.T) {
	c := code{appID: "app_1", redirectURI: callback, challenge: challenge, expiresAt: noon, background: background{standing: well()}}
	for at, want := range map[time.Duration]string{
		-10 * time.Minute: "tokens", -time.Millisecond: "tokens", 0: "invalid_grant: expired", time.Millisecond: "invalid_grant: expired", 24 * time.Hour: "invalid_grant: expired",
	} {
		if got := say(c.judge("app_1", right(hidden), noon.Add(at))); got != want {
			t.Errorf("at %v: told %q, want %q", at, got, want)
		}
	}
}

// CODE-04, CODE-05: what the client sends must be what the code was issued for, byte for byte.
func TestWhatFitsACode(t *testing.T) {
	const missing = "invalid_request: code_verifier is missing: the code was issued with a code_challenge"
	const pkce, uri = "invalid_grant: PKCE verification failed", "invalid_grant: redirect_uri mismatch"
	for _, c := range []struct{ challenge, uri, verifier, want string }{
		{challenge, callback, verifier, "tokens"},
		{"", callback, "", "tokens"},
		{"", callback, verifier, pkce}, // the downgrade of RFC 9700
		{challenge, callback, "", missing},
		{challenge, callback, challenge, pkce}, // plain
		{challenge, callback, verifier + " ", pkce},
		{challenge, callback, verifier[1:], pkce},
		{challenge, callback + "/", verifier, uri},
		{challenge, callback + "?", verifier, uri},
		{challenge, callback + "#", verifier, uri},
		{challenge, "HTTPS://app.example/callback", verifier, uri},
		{challenge, "https://app.example:443/callback", verifier, uri},
		{challenge, "https://app.example/%63allback", verifier, uri},
		{challenge, "", verifier, uri},
		{challenge, callback + "/", "", uri},
	} {
		if got := say(code{redirectURI: callback, challenge: c.challenge}.fits(Redemption{RedirectURI: c.uri, Verifier: c.verifier})); got != c.want {
			t.Errorf("challenge %q, URI %q, verifier %q: told %q, want %q", c.challenge, c.uri, c.verifier, got, c.want)
		}
	}
}
