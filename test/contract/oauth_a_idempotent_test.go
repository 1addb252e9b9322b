package contract_test

import (
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/test/harness"
)

const (
	goodKey  = "0123456789abcdefghijkl" // 22 characters
	otherKey = "0123456789abcdefghijkm"
)

func TestIdempotentRefresh(t *testing.T) {
	eachOAuth(t, func(t *testing.T, n *oauthNode) {
		bakery := n.business(t, "Bakery Brandt")
		fresh := func(t *testing.T) tokenSet {
			return n.issue(t, syncApp, "olivia", bakery, "profile:read", "invoices:read")
		}
		// burnt proves that a try was taken for reuse and ended the family.
		burnt := func(t *testing.T, try harness.Answer, newest tokenSet) {
			t.Helper()
			oauthError(t, try, 400, "invalid_grant", reuse)
			if n.active(t, syncApp, newest.AccessToken) || n.active(t, syncApp, newest.RefreshToken) {
				t.Error("the new tokens live on")
			}
			oauthError(t, n.refresh(t, syncApp, newest.RefreshToken, ""), 400, "invalid_grant", "revoked")
		}
		t.Run("REF-08 the same key gets the same bytes, as often as it asks", func(t *testing.T) {
			old := fresh(t)
			first := n.refresh(t, syncApp, old.RefreshToken, goodKey)
			set := tokens(t, first)
			for range 3 {
				again := n.refresh(t, syncApp, old.RefreshToken, goodKey)
				if again.Status != first.Status || again.Body != first.Body {
					t.Fatalf("first\n%s\nthen %d\n%s", first.Body, again.Status, again.Body)
				}
				notKept(t, again)
			}
			if n.active(t, syncApp, old.AccessToken) || !n.active(t, syncApp, set.AccessToken) || !n.active(t, syncApp, set.RefreshToken) {
				t.Error("the old token lives, or a new one does not")
			}
			tokens(t, n.refresh(t, syncApp, set.RefreshToken, ""))
		})
		t.Run("REF-08 asking what a token is worth does not use it", func(t *testing.T) {
			old := fresh(t)
			first := n.refresh(t, syncApp, old.RefreshToken, goodKey)
			n.active(t, syncApp, tokens(t, first).AccessToken)
			if again := n.refresh(t, syncApp, old.RefreshToken, goodKey); again.Body != first.Body {
				t.Errorf("got %s", again.Body)
			}
		})
		t.Run("REF-08 the same for a public client", func(t *testing.T) {
			old := n.issue(t, tillApp, "olivia", bakery, "profile:read")
			first := n.refresh(t, tillApp, old.RefreshToken, goodKey)
			tokens(t, first)
			if again := n.refresh(t, tillApp, old.RefreshToken, goodKey); again.Body != first.Body {
				t.Errorf("got %s", again.Body)
			}
		})
		t.Run("REF-08 a narrowed answer is repeated too", func(t *testing.T) {
			form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {fresh(t).RefreshToken}, "scope": {"profile:read"}}
			header := n.as(t, syncApp, form)
			header.Set("Idempotency-Key", goodKey)
			first := n.post(t, "/oauth/token", header, form)
			if again := n.post(t, "/oauth/token", header, form); again.Body != first.Body || tokens(t, first).Scope != "profile:read" {
				t.Errorf("first %s\nthen %s", first.Body, again.Body)
			}
		})
		for _, c := range []struct{ name, first, then string }{
			{"another key", goodKey, otherKey},
			{"the key in capitals", goodKey, strings.ToUpper(goodKey)},
			{"no key the second time", goodKey, ""},
			{"no key the first time", "", goodKey},
			{"a key of 21 characters", goodKey[:21], goodKey[:21]},
			{"the first 21 characters of the key", goodKey, goodKey[:21]},
		} {
			t.Run("REF-08 REF-02 "+c.name+" is reuse", func(t *testing.T) {
				old := fresh(t)
				set := tokens(t, n.refresh(t, syncApp, old.RefreshToken, c.first))
				burnt(t, n.refresh(t, syncApp, old.RefreshToken, c.then), set)
				oauthError(t, n.refresh(t, syncApp, old.RefreshToken, c.first), 400, "invalid_grant", reuse) // not even the right key brings it back
			})
		}
		t.Run("REF-08 REF-02 after the new refresh token was used", func(t *testing.T) {
			old := fresh(t)
			set := tokens(t, n.refresh(t, syncApp, old.RefreshToken, goodKey))
			newest := tokens(t, n.refresh(t, syncApp, set.RefreshToken, goodKey))
			burnt(t, n.refresh(t, syncApp, old.RefreshToken, goodKey), newest)
		})
		t.Run("REF-08 REF-05 another client with the key gets nothing and burns nothing", func(t *testing.T) {
			old := fresh(t)
			first := n.refresh(t, syncApp, old.RefreshToken, goodKey)
			oauthError(t, n.refresh(t, draftApp, old.RefreshToken, goodKey), 400, "invalid_grant", "")
			if again := n.refresh(t, syncApp, old.RefreshToken, goodKey); again.Body != first.Body {
				t.Errorf("got %s", again.Body)
			}
		})
		t.Run("REF-08 after uninstalling there is no answer to repeat", func(t *testing.T) {
			c := n.in(t, "olivia", bakery)
			old := fresh(t)
			tokens(t, n.refresh(t, syncApp, old.RefreshToken, goodKey))
			n.uninstall(t, c, syncApp)
			oauthError(t, n.refresh(t, syncApp, old.RefreshToken, goodKey), 400, "invalid_grant", reuse)
		})
		t.Run("REF-08 TOK-09 eight at once with one key all get the same bytes", func(t *testing.T) {
			for range 5 { // not every round is a close race
				old := fresh(t)
				bodies := map[string]int{}
				for _, a := range atOnce(8, func() harness.Answer { return n.refresh(t, syncApp, old.RefreshToken, goodKey) }) {
					bodies[a.Body]++
				}
				if len(bodies) != 1 {
					t.Fatalf("answers and how often each was given: %v", bodies)
				}
			}
		})
		t.Run("REF-08 REF-02 59 seconds later it is repeated, after 60 it is reuse", func(t *testing.T) {
			type refreshed struct {
				old   string
				first harness.Answer
			}
			atEdge(t, n, time.Minute,
				func() refreshed {
					old := fresh(t).RefreshToken
					return refreshed{old, n.refresh(t, syncApp, old, goodKey)}
				},
				func(r refreshed) {
					if again := n.refresh(t, syncApp, r.old, goodKey); again.Body != r.first.Body {
						t.Errorf("got %s", again.Body)
					}
				},
				func(r refreshed) { burnt(t, n.refresh(t, syncApp, r.old, goodKey), tokens(t, r.first)) })
		})
	})
}

// atOnce runs something so many times, all at once.
func atOnce[T any](count int, do func() T) []T {
	var wait sync.WaitGroup
	out, start := make([]T, count), make(chan struct{})
	for i := range out {
		wait.Go(func() {
			<-start
			out[i] = do()
		})
	}
	close(start)
	wait.Wait()
	return out
}
