package clients

import (
	"testing"

	"golang.org/x/oauth2"
)

func redeemsACode(t *testing.T, p person) {
	for name, clientType := range clientTypes {
		t.Run(name, func(t *testing.T) {
			ctx, w := watched()
			usable(t, granted(t, ctx, p, goClient(p.node, appOf(t, p.node, clientType))))
			w.saw(t, "Basic 200") // no second try: Basic with an empty secret is how this library names a public app
		})
	}
}

func getsItsStateAndTheIssuerBack(t *testing.T, p person) {
	c := goClient(p.node, appOf(t, p.node, "PUBLIC"))
	const state = "a b+c%20d&e=ü"
	for decision, want := range map[string]string{"allow": "", "deny": "access_denied"} {
		got := p.answers(t, c.AuthCodeURL(state, oauth2.S256ChallengeOption(oauth2.GenerateVerifier())), decision)
		if got.Get("state") != state || got.Get("iss") != p.node.BaseURL || got.Get("error") != want || got.Has("code") != (want == "") {
			t.Errorf("%s: the callback is %v", decision, got)
		}
	}
}

// The library repeats whatever is refused. A refusal must therefore neither use up a code nor count as a failed
// authentication.
func recoversFromAWrongVerifier(t *testing.T, p person) {
	c := goClient(p.node, appOf(t, p.node, "CONFIDENTIAL"))
	verifier := oauth2.GenerateVerifier()
	code := p.answers(t, c.AuthCodeURL("", oauth2.S256ChallengeOption(verifier)), "allow").Get("code")
	ctx, w := watched()
	_, err := c.Exchange(ctx, code, oauth2.VerifierOption(oauth2.GenerateVerifier()))
	refusedWith(t, err, "invalid_grant", "PKCE verification failed")
	token, err := c.Exchange(ctx, code, oauth2.VerifierOption(verifier))
	if err != nil {
		t.Fatal(err)
	}
	usable(t, token)
	_, err = c.Exchange(ctx, code, oauth2.VerifierOption(verifier))
	refusedWith(t, err, "invalid_grant", "code already used")
	w.saw(t, "Basic 400 invalid_grant", "body 400 invalid_grant", "Basic 200", "Basic 400 invalid_grant")
}

func understandsThatItsSecretIsWrong(t *testing.T, p person) {
	c := goClient(p.node, appOf(t, p.node, "CONFIDENTIAL"))
	c.ClientSecret += "x"
	ctx, w := watched()
	_, err := c.Exchange(ctx, "whatever", oauth2.VerifierOption(oauth2.GenerateVerifier()))
	refusedWith(t, err, "invalid_client", "client authentication failed")
	w.saw(t, "Basic 401 invalid_client", "body 401 invalid_client")
}
