package oauth

import (
	"strings"
	"testing"
)

// AUTHZ-06, TOK-05: one absolute URI on the API origin.
func TestResourcesBelongToTheAPI(t *testing.T) {
	for _, good := range [][]string{
		nil, {}, {""}, {issuer}, {issuer + "/"}, {issuer + "/a/b?c=d"}, {"https://API.example/x"}, {issuer + "/%2e%2e/"}, {issuer + "/" + strings.Repeat("a", 512-len(issuer)-1)},
	} {
		resource, denial := CheckResource(good, issuer)
		if denial != nil || len(good) > 0 && resource != good[0] {
			t.Errorf("%q: %q, %q", good, resource, say(denial))
		}
	}
	for _, c := range []struct {
		values []string
		want   *Denial
	}{
		{[]string{issuer, issuer}, denyTargetTwice}, {[]string{"", ""}, denyTargetTwice}, {[]string{issuer, "x", "y"}, denyTargetTwice},
		{[]string{issuer + "/" + strings.Repeat("a", 512-len(issuer))}, denyTargetLength},
		{[]string{"http://api.example"}, denyTarget},
		{[]string{"https://api.example.evil"}, denyTarget},
		{[]string{"https://evil@api.example"}, denyTarget},
		{[]string{"https://@api.example/"}, denyTarget},
		{[]string{"https://api.example@evil/"}, denyTarget},
		{[]string{"https://api.example:443/"}, denyTarget},
		{[]string{issuer + "#"}, denyTarget},
		{[]string{issuer + "/#a"}, denyTarget},
		{[]string{"/path"}, denyTarget},
		{[]string{"//api.example/"}, denyTarget},
		{[]string{"https:api.example"}, denyTarget},
		{[]string{`https:\\api.example`}, denyTarget},
		{[]string{issuer + `\a`}, denyTarget},
		{[]string{" " + issuer}, denyTarget},
		{[]string{issuer + "/\n"}, denyTarget},
		{[]string{issuer + "/é"}, denyTarget},
		{[]string{issuer + "/\x00"}, denyTarget},
		{[]string{issuer + "/%zz"}, denyTarget},
		{[]string{"api.example"}, denyTarget}, {[]string{"https://"}, denyTarget}, {[]string{"urn:daybook"}, denyTarget},
	} {
		if resource, denial := CheckResource(c.values, issuer); say(denial) != say(c.want) || resource != "" {
			t.Errorf("%q: %q, %q, want %q", c.values, resource, say(denial), say(c.want))
		}
	}
}

// RFC 7636: the forms of both halves, and the example of its appendix B.
func TestPKCEPairs(t *testing.T) {
	const appendixB, itsChallenge = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
	if !verifies(itsChallenge, appendixB) || !validChallenge(itsChallenge) {
		t.Error("the example of the RFC fails")
	}
	for _, bad := range []string{
		"", appendixB[1:], strings.Repeat("a", 129), appendixB[1:] + "=", appendixB[1:] + "+", appendixB[1:] + "/", appendixB[1:] + " ",
		appendixB[1:] + "é", appendixB + "\n", appendixB[:21] + "\x00" + appendixB[22:],
	} {
		if validVerifier(bad) || verifies(challengeOf(bad), bad) {
			t.Errorf("verifier %q is taken", bad)
		}
	}
	for _, good := range []string{strings.Repeat("a", 43), strings.Repeat("~", 128), "-._~" + strings.Repeat("0", 60)} {
		if !validVerifier(good) || !verifies(challengeOf(good), good) {
			t.Errorf("verifier %q is refused", good)
		}
	}
	for _, bad := range []string{
		"", challenge[1:], challenge + "a", challenge[1:] + "=", challenge[1:] + "+", challenge[1:] + "/", challenge[1:] + "~",
		challenge[1:] + ".", challenge[:20] + "~" + challenge[21:],
	} {
		if validChallenge(bad) {
			t.Errorf("challenge %q is taken", bad)
		}
	}
	if verifies(challenge, challenge) || verifies("", verifier) || verifies(verifier, verifier) {
		t.Error("a half verifies itself")
	}
}
