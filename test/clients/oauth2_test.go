package clients

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"daybook/test/harness"
)

func TestGoClient(t *testing.T) {
	eachStore(t, func(t *testing.T, n *harness.Node) {
		p := olivia(t, n)
		for _, c := range []struct {
			name string
			test func(*testing.T, person)
		}{
			{"polls twice at once and still gets its tokens", pollsTwiceAtOnceAndStillGetsItsTokens},
			{"gets tokens for an approved device", getsTokensForAnApprovedDevice},
			{"is told that a device was denied", isToldThatADeviceWasDenied},
			{"redeems a code", redeemsACode},
			{"gets its state and the issuer back", getsItsStateAndTheIssuerBack},
			{"recovers from a wrong verifier", recoversFromAWrongVerifier},
			{"understands that its secret is wrong", understandsThatItsSecretIsWrong},
			{"refreshes what expired", refreshesWhatExpired},
			{"is told of a spent refresh token", isToldOfASpentRefreshToken},
		} {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				c.test(t, p)
			})
		}
	})
}

// goClient is golang.org/x/oauth2 as its documentation sets it up: no AuthStyle, so it finds out by trying. It sends HTTP
// Basic first, with an empty secret for a public app, and on any error at once the same again with the client in the body.
func goClient(n *harness.Node, a harness.App) *oauth2.Config {
	c := &oauth2.Config{
		ClientID: a.ClientID, RedirectURL: redirectURI, Scopes: []string{"invoices:read", "events:read"},
		Endpoint: oauth2.Endpoint{
			AuthURL: n.AuthURL + "/oauth/authorize", TokenURL: n.BaseURL + "/oauth/token", DeviceAuthURL: n.BaseURL + "/oauth/device/authorize",
		},
	}
	if a.ClientSecret != nil {
		c.ClientSecret = *a.ClientSecret
	}
	return c
}

// granted runs the code flow with PKCE to its end.
func granted(t *testing.T, ctx context.Context, p person, c *oauth2.Config) *oauth2.Token {
	t.Helper()
	verifier := oauth2.GenerateVerifier()
	callback := p.answers(t, c.AuthCodeURL("a state", oauth2.S256ChallengeOption(verifier)), "allow")
	token, err := c.Exchange(ctx, callback.Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// usable proves that a token has everything the library reads from the answer.
func usable(t *testing.T, token *oauth2.Token) {
	t.Helper()
	if !token.Valid() || token.RefreshToken == "" || token.Type() != "Bearer" || token.ExpiresIn != 3600 {
		t.Errorf("not a whole token: type %s, expires in %d s at %v, refresh token %t", token.Type(), token.ExpiresIn, token.Expiry, token.RefreshToken != "")
	}
	if left := time.Until(token.Expiry); left < 59*time.Minute || left > time.Hour {
		t.Errorf("the library thinks that the token lives another %v", left)
	}
	if got := token.Extra("scope"); got != "invoices:read events:read" && got != "events:read invoices:read" {
		t.Errorf("scope %q", got)
	}
}

// refusedWith proves that the library understood a refusal.
func refusedWith(t *testing.T, err error, code, description string) {
	t.Helper()
	var refusal *oauth2.RetrieveError
	if !errors.As(err, &refusal) || refusal.ErrorCode != code || refusal.ErrorDescription != description {
		t.Errorf("want %s (%s), got %v", code, description, err)
	}
}

// active asks the server about a token, as the app.
func active(t *testing.T, n *harness.Node, a harness.App, token string) bool {
	t.Helper()
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	r := http.Request{Header: header}
	r.SetBasicAuth(a.ClientID, *a.ClientSecret)
	answer := harness.Send(t, http.DefaultClient, http.MethodPost, n.BaseURL+"/oauth/introspect", header, url.Values{"token": {token}}.Encode())
	is, ok := answer.JSON(t)["active"].(bool)
	if !ok {
		t.Fatalf("introspection: %d\n%s", answer.Status, answer.Body)
	}
	return is
}
