package clients

import (
	"testing"
	"time"

	"golang.org/x/oauth2"
)

// aged is the token as the library sees it an hour later.
func aged(token *oauth2.Token) *oauth2.Token {
	old := *token
	old.Expiry = time.Now().Add(-time.Second)
	return &old
}

func refreshesWhatExpired(t *testing.T, p person) {
	for name, clientType := range clientTypes {
		t.Run(name, func(t *testing.T) {
			a := appOf(t, p.node, clientType)
			c := goClient(p.node, a)
			ctx, w := watched()
			last := granted(t, ctx, p, c)
			for range 2 {
				next, err := c.TokenSource(ctx, aged(last)).Token()
				if err != nil {
					t.Fatal(err)
				}
				usable(t, next)
				if next.AccessToken == last.AccessToken || next.RefreshToken == last.RefreshToken {
					t.Error("a refresh did not replace both tokens")
				}
				if a.ClientSecret != nil && (active(t, p.node, a, last.AccessToken) || !active(t, p.node, a, next.AccessToken)) {
					t.Error("the old access token works on, or the new one does not")
				}
				last = next
			}
			w.saw(t, "Basic 200", "Basic 200", "Basic 200")
		})
	}
}

// Two sources that share a token are the mistake that people make with rotation.
func isToldOfASpentRefreshToken(t *testing.T, p person) {
	c := goClient(p.node, appOf(t, p.node, "PUBLIC"))
	ctx, _ := watched()
	first := granted(t, ctx, p, c)
	next, err := c.TokenSource(ctx, aged(first)).Token()
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.TokenSource(ctx, aged(first)).Token()
	refusedWith(t, err, "invalid_grant", "refresh token reuse detected")
	_, err = c.TokenSource(ctx, aged(next)).Token()
	refusedWith(t, err, "invalid_grant", "revoked")
}
