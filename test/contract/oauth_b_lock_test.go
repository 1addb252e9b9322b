package contract_test

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"daybook/internal/schema/dbtest"
	"daybook/test/harness"
)

// TestLockoutsAndLimits holds LOCK-01 to LOCK-04 and OLIM-01 to OLIM-05, in process and with Redis.
func TestLockoutsAndLimits(t *testing.T) {
	limitedNode(t, func(t *testing.T, n *oauthNode) {
		t.Run("too many failures", func(t *testing.T) { lockouts(t, n) })
		t.Run("too many requests", func(t *testing.T) { limits(t, n) })
	})
}

// limitedNode is a node with the limits of production: counted in the process, and counted in Redis.
func limitedNode(t *testing.T, test func(t *testing.T, n *oauthNode)) {
	t.Helper()
	t.Run("in process", func(t *testing.T) {
		data := t.TempDir()
		test(t, &oauthNode{harness.Dev(t, harness.Options{Data: data}), data + "/daybook.db"})
	})
	t.Run("Redis", func(t *testing.T) {
		redis, data := dbtest.Require(t, "DAYBOOK_TEST_REDIS"), t.TempDir()
		n := &oauthNode{harness.Dev(t, harness.Options{Data: data, Args: []string{"--redis", redis}}), data + "/daybook.db"}
		test(t, n)
		countsInRedis(t, n.Node)
	})
}

// door is an endpoint as one client at one place calls it.
type door struct {
	n     *oauthNode
	place *http.Client
}

// send posts a form as a client with Basic, or with client_id alone when the secret is empty; without an id as nobody.
func (d door) send(t *testing.T, path, id, secret string) harness.Answer {
	t.Helper()
	header, form := http.Header{}, url.Values{"token": {"x"}, "grant_type": {"refresh_token"}, "refresh_token": {"x"}}
	switch {
	case secret != "":
		header = basic(id, secret)
	case id != "":
		form.Set("client_id", id)
	}
	header.Set("Content-Type", "application/x-www-form-urlencoded")
	return harness.Send(t, d.place, http.MethodPost, d.n.BaseURL+path, header, form.Encode())
}

// let proves that a request came through to the endpoint, whatever it said to it.
func let(t *testing.T, what string, a harness.Answer) {
	t.Helper()
	if a.Status != http.StatusOK && a.Status != http.StatusBadRequest {
		t.Fatalf("%s: want to be let in, got %d %s", what, a.Status, a.Body)
	}
}

// shut proves that a request was refused as one too many (OERR-03).
func shut(t *testing.T, what string, a harness.Answer) {
	t.Helper()
	wait, err := strconv.Atoi(a.Header.Get("Retry-After"))
	if a.Status != http.StatusTooManyRequests || err != nil || wait < 1 || wait > 60 {
		t.Fatalf("%s: want 429 with Retry-After, got %d %q %s", what, a.Status, a.Header.Get("Retry-After"), a.Body)
	}
	oauthError(t, a, http.StatusTooManyRequests, "temporarily_unavailable", "too many requests, retry after "+strconv.Itoa(wait)+" seconds")
}

// fails makes failed authentications.
func (d door) fails(t *testing.T, path, id string, count int) {
	t.Helper()
	for i := range count {
		if a := d.send(t, path, id, "wrong"); a.Status != http.StatusUnauthorized {
			t.Fatalf("failure %d: %d %s", i+1, a.Status, a.Body)
		}
	}
}

// lockable are the endpoints whose lockout can be reached: device authorization takes 30 requests a minute from one place,
// which is one failure too few.
var lockable = []string{"/oauth/token", "/oauth/introspect", "/oauth/revoke"}

// lockouts holds LOCK-01 to LOCK-04.
func lockouts(t *testing.T, n *oauthNode) {
	secret := *n.app(t, syncApp).ClientSecret
	for i, path := range lockable {
		t.Run("LOCK-01 LOCK-03 "+path, func(t *testing.T) {
			here, elsewhere := door{n, place(t)}, door{n, place(t)}
			here.fails(t, path, syncApp, 30)
			let(t, "thirty are not too many", here.send(t, path, syncApp, secret))
			before := n.time(t)
			here.fails(t, path, syncApp, 1)
			after := n.time(t)
			shut(t, "a wrong secret", here.send(t, path, syncApp, "wrong"))
			shut(t, "the right secret", here.send(t, path, syncApp, secret))
			shut(t, "no secret", here.sendEmpty(t, path, syncApp))
			let(t, "another client", here.send(t, path, draftApp, *n.app(t, draftApp).ClientSecret))
			let(t, "another place", elsewhere.send(t, path, syncApp, secret))
			for _, other := range append([]string{devicePath}, lockable...) {
				if other != path {
					let(t, "LOCK-04 "+other, here.send(t, other, syncApp, secret))
				}
			}
			n.setTime(t, before.Add(59*time.Second))
			for range 35 { // do not prolong it
				a := here.send(t, path, syncApp, "wrong")
				if !n.time(t).Before(before.Add(time.Minute)) {
					break
				}
				shut(t, "a moment before a minute", a)
			}
			n.setTime(t, before.Add(time.Minute-50*time.Millisecond))
			if a := here.send(t, path, syncApp, secret); n.time(t).Before(before.Add(time.Minute)) {
				shut(t, "50 ms before a minute", a)
			}
			n.setTime(t, after.Add(time.Minute))
			let(t, "after a minute", here.send(t, path, syncApp, secret))
			here.fails(t, path, syncApp, 30) // counting starts anew
			let(t, "after thirty more", here.send(t, path, syncApp, secret))
			if i == 0 {
				n.setTime(t, n.time(t).Add(time.Minute))
				here.fails(t, path, syncApp, 30)
				let(t, "thirty a minute are not too many", here.send(t, path, syncApp, secret))
			}
		})
	}
	t.Run("LOCK-02", func(t *testing.T) { lockedPlaces(t, n, secret) })
	t.Run("LOCK-01", func(t *testing.T) { kindsOfFailure(t, n, secret) })
}

func lockedPlaces(t *testing.T, n *oauthNode, secret string) {
	for _, path := range lockable {
		t.Run(path, func(t *testing.T) {
			here, elsewhere := door{n, place(t)}, door{n, place(t)}
			for i := range 100 {
				here.fails(t, path, "cli_nobody"+strconv.Itoa(i), 1)
			}
			let(t, "a hundred are not too many", here.send(t, path, syncApp, secret))
			before := n.time(t)
			here.fails(t, path, "cli_nobody", 1)
			after := n.time(t)
			shut(t, "the right secret", here.send(t, path, syncApp, secret))
			shut(t, "an unknown client", here.send(t, path, "cli_stranger", "x"))
			shut(t, "nobody", here.send(t, path, "", ""))
			let(t, "another place", elsewhere.send(t, path, syncApp, secret))
			for _, other := range append([]string{devicePath}, lockable...) {
				if other != path {
					let(t, "LOCK-04 "+other, here.send(t, other, syncApp, secret))
				}
			}
			n.setTime(t, before.Add(time.Minute-50*time.Millisecond))
			if a := here.send(t, path, syncApp, secret); n.time(t).Before(before.Add(time.Minute)) {
				shut(t, "50 ms before a minute", a)
			}
			n.setTime(t, after.Add(time.Minute))
			let(t, "after a minute", here.send(t, path, syncApp, secret))
		})
	}
	t.Run("device authorization fails apart from the others", func(t *testing.T) {
		here := door{n, place(t)}
		here.fails(t, devicePath, syncApp, 30)
		for _, path := range lockable {
			here.fails(t, path, syncApp, 30)
			let(t, path, here.send(t, path, syncApp, secret))
		}
	})
}

// kindsOfFailure are the refusals that count, and those that do not.
func kindsOfFailure(t *testing.T, n *oauthNode, secret string) {
	form := func(values url.Values) func(*testing.T, door) harness.Answer {
		return func(t *testing.T, d door) harness.Answer {
			return harness.PostForm(t, d.place, n.BaseURL+"/oauth/token", values)
		}
	}
	locks := func(t *testing.T, id string, fail func(*testing.T, door) harness.Answer) {
		here := door{n, place(t)}
		for range 31 {
			if a := fail(t, here); a.Status != http.StatusUnauthorized {
				t.Fatalf("%d %s", a.Status, a.Body)
			}
		}
		shut(t, "after 31", here.send(t, "/oauth/token", id, "x"))
	}
	t.Run("an unknown client", func(t *testing.T) { locks(t, "cli_x", form(url.Values{"client_id": {"cli_x"}})) })
	t.Run("a missing secret", func(t *testing.T) { locks(t, syncApp, form(url.Values{"client_id": {syncApp}})) })
	t.Run("a wrong secret in the body", func(t *testing.T) {
		locks(t, syncApp, form(url.Values{"client_id": {syncApp}, "client_secret": {"x"}}))
	})
	t.Run("a suspended client", func(t *testing.T) {
		defer n.stop(t, syncApp, true)()
		locks(t, syncApp, func(t *testing.T, d door) harness.Answer { return d.send(t, "/oauth/token", syncApp, secret) })
	})
	t.Run("REVO-06 at the revocation endpoint a client nobody knows", func(t *testing.T) {
		here := door{n, place(t)}
		for range 31 {
			oauthError(t, here.send(t, "/oauth/revoke", "cli_x", ""), http.StatusUnauthorized, "invalid_client", "*")
		}
		shut(t, "after 31", here.send(t, "/oauth/revoke", "cli_x", ""))
		let(t, "without a client", here.send(t, "/oauth/revoke", "", ""))
	})
	t.Run("DEVC-05 but a poll that waits or is too fast never", func(t *testing.T) {
		here, d := door{n, place(t)}, n.startDevice(t, syncApp, "invoices:read")
		poll := func() harness.Answer {
			header := basic(syncApp, secret)
			header.Set("Content-Type", "application/x-www-form-urlencoded")
			return harness.Send(t, here.place, http.MethodPost, n.BaseURL+"/oauth/token", header, url.Values{"grant_type": {deviceGrant}, "device_code": {d.DeviceCode}}.Encode())
		}
		pending(t, poll())
		for range 40 {
			slowDown(t, poll())
		}
	})
	t.Run("nor a grant that is refused", func(t *testing.T) {
		here := door{n, place(t)}
		for range 40 {
			oauthError(t, here.send(t, "/oauth/token", tillApp, ""), http.StatusBadRequest, "invalid_grant", "")
		}
	})
}
