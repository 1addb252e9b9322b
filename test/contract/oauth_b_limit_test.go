package contract_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"daybook/test/harness"
)

// lets makes that many requests, all of which come through.
func (d door) lets(t *testing.T, path, id, secret string, count int) {
	t.Helper()
	for range count {
		let(t, path+" as "+id, d.send(t, path, id, secret))
	}
}

// sendEmpty is a PUBLIC client that sends Basic with an empty secret.
func (d door) sendEmpty(t *testing.T, path, id string) harness.Answer {
	t.Helper()
	header := basic(id, "")
	header.Set("Content-Type", "application/x-www-form-urlencoded")
	return harness.Send(t, d.place, http.MethodPost, d.n.BaseURL+path, header, url.Values{"token": {"x"}, "grant_type": {"refresh_token"}}.Encode())
}

// minuteOver moves the clock to where the window of a first request between two instants has ended.
func (n *oauthNode) minuteOver(t *testing.T, after time.Time) {
	t.Helper()
	n.setTime(t, after.Add(time.Minute))
}

// limits holds OLIM-01 to OLIM-05.
func limits(t *testing.T, n *oauthNode) {
	n.minuteOver(t, n.time(t)) // nothing is left of what was counted before
	secret, second := *n.app(t, syncApp).ClientSecret, *n.app(t, draftApp).ClientSecret
	third := registered(t, n.register(t, map[string]any{"redirect_uris": uris(1)}))
	thirdID, thirdSecret := third["client_id"].(string), third["client_secret"].(string)

	for _, path := range []string{"/oauth/token", "/oauth/revoke"} {
		t.Run("OLIM-02 OLIM-01 without a secret 300 "+path, func(t *testing.T) {
			here := door{n, place(t)}
			here.lets(t, path, tillApp, "", 1)
			after := n.time(t)
			here.lets(t, path, tillApp, "", 299)
			shut(t, "the 301st", here.send(t, path, tillApp, ""))
			shut(t, "by Basic with an empty secret", here.sendEmpty(t, path, tillApp))
			let(t, "another client", here.send(t, path, syncApp, secret))
			let(t, "another place", door{n, place(t)}.send(t, path, tillApp, ""))
			for _, other := range []string{"/oauth/token", "/oauth/revoke"} {
				if other != path {
					let(t, "OLIM-01 "+other, here.send(t, other, tillApp, ""))
				}
			}
			n.minuteOver(t, after)
			let(t, "a minute later", here.send(t, path, tillApp, ""))
		})
	}
	for _, path := range []string{"/oauth/introspect", "/oauth/revoke"} {
		t.Run("OLIM-02 with a secret 600, OLIM-03 per place 1200 "+path, func(t *testing.T) {
			here := door{n, place(t)}
			here.lets(t, path, syncApp, secret, 1)
			after := n.time(t)
			here.lets(t, path, syncApp, secret, 599)
			let(t, "another client", here.send(t, path, draftApp, second))
			shut(t, "the 601st", here.send(t, path, syncApp, secret)) // counts for the place as well
			here.lets(t, path, draftApp, second, 598)
			shut(t, "the 1201st of the place, of a third client", here.send(t, path, thirdID, thirdSecret))
			shut(t, "the 1202nd, of nobody", here.send(t, path, "", ""))
			let(t, "another place", door{n, place(t)}.send(t, path, thirdID, thirdSecret))
			let(t, "OLIM-01 another endpoint", here.send(t, "/oauth/token", thirdID, thirdSecret))
			n.minuteOver(t, after)
			let(t, "a minute later", here.send(t, path, syncApp, secret))
		})
	}
	t.Run("OLIM-03 the token endpoint, 1200 per place", func(t *testing.T) {
		here := door{n, place(t)}
		here.lets(t, "/oauth/token", syncApp, secret, 600)
		here.lets(t, "/oauth/token", draftApp, second, 300)
		here.lets(t, "/oauth/token", tillApp, "", 300)
		shut(t, "the 1201st", here.send(t, "/oauth/token", thirdID, thirdSecret))
		let(t, "another place", door{n, place(t)}.send(t, "/oauth/token", thirdID, thirdSecret))
		n.minuteOver(t, n.time(t))
	})
	t.Run("OLIM-04 a proven client, 600 over all places", func(t *testing.T) {
		for range 3 {
			door{n, place(t)}.lets(t, "/oauth/token", syncApp, secret, 200)
		}
		fourth := door{n, place(t)}
		fourth.fails(t, "/oauth/token", syncApp, 3) // who did not prove it is refused as ever
		shut(t, "the 601st, from a fourth place", fourth.send(t, "/oauth/token", syncApp, secret))
		let(t, "another client", fourth.send(t, "/oauth/token", draftApp, second))
		let(t, "OLIM-01 another endpoint", fourth.send(t, "/oauth/introspect", syncApp, secret))
		n.minuteOver(t, n.time(t))
		let(t, "a minute later", fourth.send(t, "/oauth/token", syncApp, secret))
		for range 4 { // a PUBLIC client proves nothing: it is not counted over all places
			door{n, place(t)}.lets(t, "/oauth/token", tillApp, "", 160)
		}
	})
	t.Run("OLIM-04 failed proofs do not use it up", func(t *testing.T) {
		n.minuteOver(t, n.time(t))
		for range 21 {
			door{n, place(t)}.fails(t, "/oauth/token", syncApp, 29)
		}
		let(t, "the owner", door{n, place(t)}.send(t, "/oauth/token", syncApp, secret))
	})
	t.Run("OLIM-05 device authorization, 30 per place", func(t *testing.T) {
		here := door{n, place(t)}
		here.lets(t, devicePath, tillApp, "", 1)
		after := n.time(t)
		here.lets(t, devicePath, syncApp, secret, 29)
		shut(t, "the 31st", here.send(t, devicePath, syncApp, secret))
		shut(t, "the 32nd, of another client", here.send(t, devicePath, draftApp, second))
		let(t, "another place", door{n, place(t)}.send(t, devicePath, syncApp, secret))
		let(t, "OLIM-01 another endpoint", here.send(t, "/oauth/token", draftApp, second))
		n.minuteOver(t, after)
		let(t, "a minute later", here.send(t, devicePath, syncApp, secret))
	})
}
