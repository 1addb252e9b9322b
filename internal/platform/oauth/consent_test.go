package oauth

import (
	"errors"
	"testing"

	"daybook/internal/base/fault"
)

// AUTHZ-02, AUTHZ-07, AUTHZ-09: an address that the app gave up while the consent page was open gets no answer, neither a
// code nor a denial. The request stays open, for a developer who puts the address back.
func TestNobodyReturnsToAnAddressThatIsNoLongerRegistered(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		handle := w.hold(t, w.mine)
		register := func(uris ...string) {
			t.Helper()
			_, err := w.Apps.SetRedirectURIs(ctx, w.mine.ID, w.developer, 0, uris)
			must(t, err)
		}
		no := w.yes()
		no.Allow = false
		for _, registered := range []string{"https://app.example/other", callback + "/", "https://app.example:8443/callback"} {
			register(registered)
			for name, d := range map[string]Decision{"allow": w.yes(), "deny": no} {
				target, err := w.Decide(ctx, handle, d)
				if target != "" || !errors.Is(err, ErrRedirectURI) {
					t.Errorf("%s with %s registered: to %q, %v", name, registered, target, err)
				} else if text := fault.From(err).Text(); text != MessageRedirectURI {
					t.Errorf("it says %q", text)
				}
			}
		}
		for _, table := range []string{"authorization_codes", "installations", "consents"} {
			if n := w.count(t, `SELECT count(*) FROM `+table); n != 0 {
				t.Errorf("%d rows in %s", n, table)
			}
		}
		register("https://app.example/other", callback)
		target, err := w.Decide(ctx, handle, w.yes())
		must(t, err)
		granted(t)(w.Redeem(ctx, w.mine.App, right(codeIn(t, target))))
	})
}

// A denial goes back while the address is registered, whatever else the app has changed.
func TestADenialReturnsToARegisteredAddress(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		handle := w.hold(t, w.mine)
		_, err := w.Apps.SetRedirectURIs(ctx, w.mine.ID, w.developer, 0, []string{"https://app.example/other", callback})
		must(t, err)
		no := w.yes()
		no.Allow = false
		target, err := w.Decide(ctx, handle, no)
		must(t, err)
		if want := Callback(callback, issuer, nil, map[string][]string{"error": {CodeAccessDenied}}); target != want {
			t.Errorf("to %q, want %q", target, want)
		}
	})
}
