package oauth

import (
	"testing"
	"time"

	"daybook/internal/base/secret"
	"daybook/internal/platform/install"
)

var hidden secret.Secret

func healthy() refreshToken {
	t := refreshToken{hash: []byte("present"), expiresAt: noon.Add(time.Millisecond), background: background{standing: well()}}
	t.appID, t.refreshHash = "app_1", []byte("present")
	return t
}

// CODE-09 for refresh tokens: with everything wrong at once the first reason is told; mend it, and the next one is.
func TestReasonsOfARefreshTokenHaveAnOrder(t *testing.T) {
	r := healthy()
	r.appID, r.hash, r.revokedAt, r.expiresAt, r.userSuspendedAt, r.consentRevokedAt = "app_other", []byte("past"), &early, noon, &early, &early
	for _, step := range []struct {
		want string
		mend func()
	}{
		{"invalid_grant", func() { r.appID = "app_1" }},
		{"invalid_grant: refresh token reuse detected", func() { r.hash = r.refreshHash }},
		{"invalid_grant: revoked", func() { r.revokedAt = nil }},
		{"invalid_grant: revoked", func() { r.consentRevokedAt = nil }}, // by the business
		{"invalid_grant: expired", func() { r.expiresAt = noon.Add(time.Millisecond) }},
		{"invalid_grant", func() { r.userSuspendedAt = nil }},
		{"tokens", func() {}},
	} {
		if got := say(r.judge("app_1", noon)); got != step.want {
			t.Errorf("told %q, want %q", got, step.want)
		}
		step.mend()
	}
}

// D-8: a used refresh token of a burnt, expired family of an uninstalled app is still reuse.
func TestReuseIsToldWhateverElseIsWrong(t *testing.T) {
	r := healthy()
	r.hash, r.revokedAt, r.expiresAt, r.installation = []byte("past"), &early, early, install.Uninstalled
	if got := say(r.judge("app_1", noon)); got != "invalid_grant: refresh token reuse detected" {
		t.Errorf("told %q", got)
	}
}

// REF-06, INST-04: the grant behind a refresh token must stand.
func TestARefreshTokenStandsOnItsGrant(t *testing.T) {
	for name, ail := range ailments {
		r := healthy()
		if ail(&r.standing); say(r.judge("app_1", noon)) != "invalid_grant" {
			t.Errorf("%s: told %q", name, say(r.judge("app_1", noon)))
		}
	}
	r := healthy() // uninstalling ends the consents, too, and says no more than that
	r.installation, r.consentRevokedAt = install.Uninstalled, &early
	if got := say(r.judge("app_1", noon)); got != "invalid_grant" {
		t.Errorf("uninstalled with its consents: told %q", got)
	}
}

// CODE-09, REF-03: what the business revoked stays revoked when it uninstalls the app as well. The first reason is the one
// that lasts.
func TestRevokedAccessIsStillToldAfterUninstalling(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		tokens := w.tokens(t, w.mine)
		installation := w.install(t, w.mine).Installation.ID
		must(t, w.Installs.RevokeAccess(ctx, w.shop, w.owner, installation))
		denied(t, denyRevoked)(w.Refresh(ctx, w.mine.App, Renewal{Token: tokens.Refresh}))
		w.Clock.Advance(time.Minute)
		_, err := w.Installs.Uninstall(ctx, w.shop, w.owner, installation)
		must(t, err)
		denied(t, denyRevoked)(w.Refresh(ctx, w.mine.App, Renewal{Token: tokens.Refresh}))
	})
}

// Access tokens are alive exactly when introspection and calls say so alike.
func TestAnAccessTokenStandsOnItsGrant(t *testing.T) {
	user, familyID := who, "fam_1"
	judge := func(s standing, expires time.Time, revoked *time.Time, session *string) (call, told bool) {
		var a access
		a.accessExpires, a.revokedAt, a.family.sessionID, a.standing = expires, revoked, session, s
		i := introspected{familyID: &familyID, userID: &user, expiresAt: &expires, revokedAt: revoked, session: session, standing: s}
		return a.live(noon), i.live(noon)
	}
	check := func(name string, want bool, s standing, expires time.Time, revoked *time.Time, session *string) {
		t.Helper()
		if call, told := judge(s, expires, revoked, session); call != want || told != want {
			t.Errorf("%s: a call %v, introspection %v, want %v", name, call, told, want)
		}
	}
	later, session := noon.Add(time.Millisecond), "ses_1"
	check("all is well", true, well(), later, nil, nil)
	check("expired", false, well(), noon, nil, nil)
	check("revoked", false, well(), later, &early, nil)
	check("signed out", false, well(), later, nil, &session)
	signedIn := well()
	signedIn.sessionID = &session
	check("signed in", true, signedIn, later, nil, &session)
	for name, ail := range ailments {
		ill := well()
		ail(&ill)
		check(name, false, ill, later, nil, nil)
	}
	unconsented := well()
	unconsented.consentRevokedAt = &early
	check("consent revoked", false, unconsented, later, nil, nil)
	if (introspected{standing: well()}).live(noon) {
		t.Error("a token that is not there is alive")
	}
}
