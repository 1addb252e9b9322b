package oauth

import (
	"time"

	"daybook/internal/base/secret"
	"daybook/internal/platform/scope"
)

// reference is what authorization means, as plainly as it can be said: one app, one business, one person, and everything
// that was ever issued between them.
type reference struct {
	now                   time.Time
	suspendedApp          bool
	suspended, restricted bool // the person
	signedIn              bool
	current               *refInstallation
	consent               *refConsent // the one a new approval would widen
	guesses               []time.Time
	hit                   func(row string)

	requests []*refRequest
	codes    []*refCode
	devices  []*refDevice
	sessions []*refSessionToken
	tokens   []*refToken
}

// refInstallation counts how often the business revoked access: what hangs on no consent ends with it, too.
type refInstallation struct {
	active      bool
	revocations int
	consents    []*refConsent
}

// refConsent ends by "Revoke access" or with its installation; the difference is told to whoever refreshes.
type refConsent struct {
	revoked, uninstalled bool
	revokedAt            time.Time
}

func (c *refConsent) ended() bool { return c != nil && (c.revoked || c.uninstalled) }

// refGrant is what a code, a device code or a family stands on.
type refGrant struct {
	installation *refInstallation
	consent      *refConsent // nil for a token exchange
	scopes       scope.Set
}

type refRequest struct {
	handle  secret.Secret
	pkce    bool
	until   time.Time
	decided bool
}

type refCode struct {
	value secret.Secret
	refGrant
	pkce   bool
	until  time.Time
	family *refFamily // what the first redemption made
}

type refDevice struct {
	start DeviceStart
	refGrant
	status string
	until  time.Time
	polled time.Time
}

type refSessionToken struct {
	value        secret.Secret
	installation *refInstallation
	until        time.Time
	used         bool
}

type refFamily struct {
	refGrant
	embedded        bool
	revocations     int    // of access, when it was made
	revoked         string // by whom
	access, refresh *refToken
}

type refToken struct {
	value  secret.Secret
	family *refFamily
	scopes scope.Set
	until  time.Time
	ended  bool // revoked alone
}

func (t *refToken) isRefresh() bool { return secret.WellFormed(secret.RefreshToken, t.value.Reveal()) }

// stands tells whether the business has the app, the person said yes, and may act.
func (r *reference) stands(g refGrant) bool {
	return g.installation.active && !g.consent.ended() && !r.suspended && !r.restricted
}

// live is what introspection must say of a token.
func (r *reference) live(t *refToken) bool {
	f := t.family
	return (t == f.access || t == f.refresh) && !t.ended && f.revoked == "" && r.now.Before(t.until) && !r.suspendedApp && r.stands(f.refGrant) &&
		(!f.embedded || r.signedIn && f.revocations == f.installation.revocations)
}

// approve is a yes of the person: it installs the app unless it is there, and consents unless that stands.
func (r *reference) approve(scopes scope.Set) refGrant {
	if r.current == nil || !r.current.active {
		r.current, r.consent = &refInstallation{active: true}, nil
	}
	if r.consent == nil || r.consent.ended() {
		r.consent = &refConsent{}
		r.current.consents = append(r.current.consents, r.consent)
	}
	return refGrant{r.current, r.consent, scopes}
}

func (r *reference) uninstall() {
	r.current.active = false
	for _, c := range r.current.consents {
		c.uninstalled = true
		c.revoked = c.revoked && c.revokedAt.Before(r.now) // both in one instant: uninstalling says more
	}
}

func (r *reference) revokeAccess() {
	r.current.revocations++
	if !r.consent.ended() {
		r.consent.revoked, r.consent.revokedAt = true, r.now
	}
}

// issue writes a new family's tokens down, or those that replace its present ones.
func (r *reference) issue(f *refFamily, got Tokens, scopes scope.Set) {
	f.access = &refToken{value: got.Access, family: f, scopes: scopes, until: r.now.Add(time.Hour)}
	r.tokens = append(r.tokens, f.access)
	if !f.embedded {
		f.refresh = &refToken{value: got.Refresh, family: f, scopes: f.scopes, until: r.now.Add(30 * 24 * time.Hour)}
		r.tokens = append(r.tokens, f.refresh)
	}
}

const refused = "invalid_grant" // and not a word more

// redeem tells what a code gives, in the order of CODE-09.
func (r *reference) redeem(c *refCode, foreign, wrongURI bool, sent string) string {
	fits := ""
	switch {
	case wrongURI:
		fits = "invalid_grant: redirect_uri mismatch"
	case c.pkce && sent == "":
		fits = "invalid_request: code_verifier is missing: the code was issued with a code_challenge"
	case c.pkce != (sent == verifier):
		fits = "invalid_grant: PKCE verification failed"
	case !c.pkce && sent != "":
		fits = "invalid_grant: PKCE verification failed"
	}
	switch {
	case foreign:
		return refused
	case c.family != nil:
		if fits == "" && c.family.revoked == "" {
			c.family.revoked = "replay of its code"
			r.hit("code replayed in full: its tokens revoked")
		}
		r.hit("code exchanged again")
		return "invalid_grant: code already used"
	case !r.now.Before(c.until):
		r.hit("code older than 10 minutes")
		return "invalid_grant: expired"
	case fits != "":
		return fits
	case !r.stands(c.refGrant):
		if !c.installation.active {
			r.hit("uninstalled: code cancelled")
		} else if c.consent.revoked {
			r.hit("access revoked: code cancelled")
		}
		return refused
	}
	c.family = &refFamily{refGrant: c.refGrant}
	r.hit("code exchanged")
	return "tokens"
}

// refresh tells what a refresh token gives, in the same order.
func (r *reference) refresh(t *refToken, foreign bool, scopes scope.Set) string {
	f := t.family
	switch {
	case foreign:
		return refused
	case t != f.refresh:
		if f.revoked == "" {
			f.revoked = "reuse"
		}
		r.hit("refresh token refreshed again")
		return "invalid_grant: refresh token reuse detected"
	case f.revoked != "":
		r.hit("refresh token revoked by " + f.revoked)
		return "invalid_grant: revoked"
	case f.consent.revoked:
		r.hit("refresh token revoked by the business")
		return "invalid_grant: revoked"
	case !r.now.Before(t.until):
		r.hit("refresh token older than 30 days")
		return "invalid_grant: expired"
	case !r.stands(f.refGrant):
		if !f.installation.active {
			r.hit("uninstalled: refresh refused")
		}
		return refused
	case !scopes.Within(f.scopes):
		return "invalid_scope: scope may only narrow what was granted"
	}
	r.hit("refresh token refreshed")
	return "tokens"
}

// poll tells what a device code gives.
func (r *reference) poll(d *refDevice, foreign bool) string {
	switch {
	case foreign || d.status == "collected":
		return refused
	case d.status == "denied":
		r.hit("device: denied")
		return "access_denied: the user denied the request"
	case !r.now.Before(d.until):
		r.hit("device: 10 minutes elapsed")
		return "expired_token: the device code is older than 10 minutes"
	case d.status == "pending" && !d.polled.IsZero() && r.now.Before(d.polled.Add(5*time.Second-250*time.Millisecond)):
		r.hit("device: polled faster than the interval")
		return "slow_down: polled faster than the interval"
	case d.status == "pending":
		d.polled = r.now
		r.hit("device: polled before the decision")
		return "authorization_pending: the user has not decided yet"
	case !r.stands(d.refGrant):
		if !d.installation.active {
			r.hit("device: cancelled by uninstalling")
		} else if d.consent.revoked {
			r.hit("device: cancelled by revoking access")
		}
		return refused
	}
	d.status = "collected"
	r.hit("device: collected")
	return "tokens"
}

// exchange tells what a session token gives; every failure sounds alike.
func (r *reference) exchange(s *refSessionToken, foreign bool) string {
	if foreign || s.used || !r.now.Before(s.until.Add(5*time.Second)) || !r.signedIn || !r.stands(refGrant{installation: s.installation}) {
		return refused
	}
	s.used = true
	return "tokens"
}

// revoke ends a token, unless it is another client's.
func (r *reference) revoke(t *refToken, foreign bool) {
	switch {
	case foreign:
	case t.isRefresh() && t.family.revoked == "":
		t.family.revoked = "the app"
	case !t.isRefresh() && t == t.family.access:
		t.ended = true
	}
}
