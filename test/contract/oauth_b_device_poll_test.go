package contract_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/test/harness"
)

// pollEdge is how soon after the last accepted poll the next one is accepted: five seconds, and a quarter of one earlier
// for a client that keeps the interval.
const pollEdge = 4750 * time.Millisecond

func pending(t *testing.T, a harness.Answer) {
	t.Helper()
	oauthError(t, a, http.StatusBadRequest, "authorization_pending", "*")
}

func slowDown(t *testing.T, a harness.Answer) {
	t.Helper()
	oauthError(t, a, http.StatusBadRequest, "slow_down", "*")
}

func invalidGrant(t *testing.T, a harness.Answer) {
	t.Helper()
	oauthError(t, a, http.StatusBadRequest, "invalid_grant", "")
}

// devicePolls holds DEVC-05 to DEVC-09 and DEVC-12.
func devicePolls(t *testing.T, n *oauthNode) {
	bakery := n.business(t, "Bakery Brandt")
	olivia := n.worksIn(t, "olivia", "Bakery Brandt")
	t.Run("DEVC-05", func(t *testing.T) { pollInterval(t, n) })
	t.Run("DEVC-06 approved, the next poll returns tokens, once", func(t *testing.T) {
		d := n.startDevice(t, syncApp, "invoices:read")
		pending(t, n.poll(t, syncApp, d.DeviceCode))
		seeOther(t, n.decideDevice(t, olivia, d.UserCode, bakery, "allow"), "/device/done?decision=allow")
		a := n.poll(t, syncApp, d.DeviceCode) // at once: the interval does not hold back what is decided
		set := tokens(t, a)
		if set.TokenType != "Bearer" || set.ExpiresIn != 3600 || set.RefreshToken == "" || set.Scope != "invoices:read" || set.IssuedTokenType != "" {
			t.Errorf("%s", a.Body)
		}
		notKept(t, a)
		invalidGrant(t, n.poll(t, syncApp, d.DeviceCode))
		n.live(t, "a replayed device code burns nothing", syncApp, set.AccessToken, true)
		if got := n.introspect(t, syncApp, set.AccessToken).JSON(t); got["sub"] != n.User(t, "olivia").ID {
			t.Errorf("the tokens are not the approving person's: %v", got)
		}
		tokens(t, n.refresh(t, syncApp, set.RefreshToken, ""))
	})
	t.Run("DEVC-06 of eight polls at once one wins", func(t *testing.T) {
		d := n.approved(t, olivia, syncApp, "invoices:read", bakery)
		won := 0
		for _, a := range eightTimes(func() harness.Answer { return n.poll(t, syncApp, d.DeviceCode) }) {
			if a.Status == http.StatusOK {
				won++
			} else {
				invalidGrant(t, a)
			}
		}
		if won != 1 {
			t.Errorf("%d polls got tokens", won)
		}
	})
	t.Run("DEVC-07 denied", func(t *testing.T) {
		d := n.startDevice(t, tillApp, "invoices:read")
		seeOther(t, n.decideDevice(t, olivia, d.UserCode, "", "deny"), "/device/done?decision=deny")
		oauthError(t, n.poll(t, tillApp, d.DeviceCode), http.StatusBadRequest, "access_denied", "*")
		page(t, n.decideDevice(t, olivia, d.UserCode, bakery, "allow"), http.StatusNotFound) // the first decision stands
		if a := n.poll(t, tillApp, d.DeviceCode); a.Status == http.StatusOK {
			t.Errorf("a denied code gives tokens: %s", a.Body)
		}
	})
	t.Run("DEVC-08", func(t *testing.T) { deviceExpiry(t, n, olivia, bakery) })
	t.Run("DEVC-09", func(t *testing.T) { deviceCancelled(t, n, olivia, bakery) })
	t.Run("DEVC-12", func(t *testing.T) { devicePollers(t, n, olivia, bakery) })
}

func pollInterval(t *testing.T, n *oauthNode) {
	t.Run("the first poll is never too fast, the second is", func(t *testing.T) {
		d := n.startDevice(t, tillApp, "")
		pending(t, n.poll(t, tillApp, d.DeviceCode))
		slowDown(t, n.poll(t, tillApp, d.DeviceCode))
	})
	t.Run("a moment before 4750 ms is too fast", func(t *testing.T) {
		justBefore(t, func() bool {
			d := n.startDevice(t, tillApp, "")
			before := n.time(t)
			pending(t, n.poll(t, tillApp, d.DeviceCode))
			n.setTime(t, before.Add(pollEdge-20*time.Millisecond))
			a := n.poll(t, tillApp, d.DeviceCode)
			if !n.time(t).Before(before.Add(pollEdge)) {
				return false
			}
			slowDown(t, a)
			return true
		})
	})
	t.Run("4750 ms are enough, also after polls that were refused, and the interval never grows", func(t *testing.T) {
		justBefore(t, func() bool {
			d := n.startDevice(t, syncApp, "")
			for range 3 {
				before := n.time(t)
				pending(t, n.poll(t, syncApp, d.DeviceCode))
				after := n.time(t)
				early := []harness.Answer{n.poll(t, syncApp, d.DeviceCode), n.poll(t, syncApp, d.DeviceCode)}
				n.setTime(t, before.Add(4*time.Second))
				early = append(early, n.poll(t, syncApp, d.DeviceCode))
				if !n.time(t).Before(before.Add(pollEdge)) {
					return false
				}
				for _, a := range early {
					slowDown(t, a)
				}
				n.setTime(t, after.Add(pollEdge))
			}
			pending(t, n.poll(t, syncApp, d.DeviceCode))
			return true
		})
	})
}

func deviceExpiry(t *testing.T, n *oauthNode, olivia *http.Client, bakery string) {
	t.Run("a moment before ten minutes it still waits", func(t *testing.T) {
		justBefore(t, func() bool {
			before := n.time(t)
			d := n.startDevice(t, tillApp, "")
			n.setTime(t, before.Add(9*time.Minute+59*time.Second))
			a := n.poll(t, tillApp, d.DeviceCode)
			if !n.time(t).Before(before.Add(10 * time.Minute)) {
				return false
			}
			pending(t, a)
			return true
		})
	})
	t.Run("at ten minutes it has expired", func(t *testing.T) {
		waits, allowed, denied := n.startDevice(t, tillApp, ""), n.approved(t, olivia, tillApp, "", bakery), n.startDevice(t, tillApp, "")
		n.decideDevice(t, olivia, denied.UserCode, "", "deny")
		n.setTime(t, n.time(t).Add(10*time.Minute))
		oauthError(t, n.poll(t, tillApp, waits.DeviceCode), http.StatusBadRequest, "expired_token", "*")
		oauthError(t, n.poll(t, tillApp, waits.DeviceCode), http.StatusBadRequest, "expired_token", "*")
		oauthError(t, n.poll(t, tillApp, allowed.DeviceCode), http.StatusBadRequest, "expired_token", "*")
		page(t, n.decideDevice(t, olivia, waits.UserCode, bakery, "allow"), http.StatusNotFound)
		if a := n.poll(t, tillApp, denied.DeviceCode); a.Status != http.StatusBadRequest {
			t.Errorf("denied, then expired: %d %s", a.Status, a.Body)
		}
	})
	t.Run("a person may decide until the last moment", func(t *testing.T) {
		justBefore(t, func() bool {
			before := n.time(t)
			d := n.startDevice(t, tillApp, "")
			n.setTime(t, before.Add(9*time.Minute+59*time.Second))
			decided, a := n.decideDevice(t, olivia, d.UserCode, bakery, "allow"), n.poll(t, tillApp, d.DeviceCode)
			if !n.time(t).Before(before.Add(10 * time.Minute)) {
				return false
			}
			seeOther(t, decided, "/device/done?decision=allow")
			tokens(t, a)
			return true
		})
	})
}

func deviceCancelled(t *testing.T, n *oauthNode, olivia *http.Client, bakery string) {
	for name, end := range map[string]func(*testing.T, *http.Client, string){"uninstalled": n.uninstall, "access revoked": n.revokeAccess} {
		t.Run(name+" before collection", func(t *testing.T) {
			d := n.approved(t, olivia, tillApp, "invoices:read", bakery)
			end(t, olivia, tillApp)
			invalidGrant(t, n.poll(t, tillApp, d.DeviceCode))
			tokens(t, n.poll(t, tillApp, n.approved(t, olivia, tillApp, "invoices:read", bakery).DeviceCode))
			invalidGrant(t, n.poll(t, tillApp, d.DeviceCode)) // connecting again does not revive it
		})
	}
	t.Run("of a pending code nothing is taken", func(t *testing.T) {
		n.issue(t, tillApp, "olivia", bakery, "invoices:read")
		d := n.startDevice(t, tillApp, "invoices:read")
		n.uninstall(t, olivia, tillApp)
		pending(t, n.poll(t, tillApp, d.DeviceCode))
		seeOther(t, n.decideDevice(t, olivia, d.UserCode, bakery, "allow"), "/device/done?decision=allow")
		tokens(t, n.poll(t, tillApp, d.DeviceCode))
	})
}

func devicePollers(t *testing.T, n *oauthNode, olivia *http.Client, bakery string) {
	d := n.startDevice(t, syncApp, "invoices:read")
	form := url.Values{"grant_type": {deviceGrant}, "device_code": {d.DeviceCode}}
	secret := *n.app(t, syncApp).ClientSecret
	t.Run("another client's code", func(t *testing.T) {
		invalidGrant(t, n.poll(t, draftApp, d.DeviceCode))
		invalidGrant(t, n.poll(t, tillApp, d.DeviceCode))
	})
	t.Run("who does not prove to be the client", func(t *testing.T) {
		oauthError(t, n.post(t, "/oauth/token", basic(syncApp, "wrong"), form), http.StatusUnauthorized, "invalid_client", "*")
		oauthError(t, n.post(t, "/oauth/token", nil, url.Values{"grant_type": {deviceGrant}, "device_code": {d.DeviceCode}, "client_id": {syncApp}}), http.StatusUnauthorized, "invalid_client", "*")
		oauthError(t, n.post(t, "/oauth/token", nil, form), http.StatusUnauthorized, "invalid_client", "*")
	})
	t.Run("codes that nobody has", func(t *testing.T) {
		for _, code := range []string{"x", d.DeviceCode + "x", d.UserCode, strings.Repeat("a", 2000)} {
			invalidGrant(t, n.poll(t, syncApp, code))
		}
		oauthError(t, n.post(t, "/oauth/token", basic(syncApp, secret), url.Values{"grant_type": {deviceGrant}}), http.StatusBadRequest, "invalid_request", "*")
	})
	t.Run("none of it touched the code", func(t *testing.T) {
		pending(t, n.poll(t, syncApp, d.DeviceCode)) // still the first poll
		n.decideDevice(t, olivia, d.UserCode, bakery, "allow")
		invalidGrant(t, n.poll(t, draftApp, d.DeviceCode))
		tokens(t, n.post(t, "/oauth/token", nil, url.Values{"grant_type": {deviceGrant}, "device_code": {d.DeviceCode}, "client_id": {syncApp}, "client_secret": {secret}}))
	})
}

// eightTimes does the same eight times at once.
func eightTimes(do func() harness.Answer) []harness.Answer {
	answers := make([]harness.Answer, 8)
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for i := range answers {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			answers[i] = do()
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
	return answers
}
