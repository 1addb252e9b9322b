package oauth

import (
	"strings"
	"testing"
	"time"
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
		{[]string{"http://api.example"}, denyTarget}, {[]string{"https://api.example.evil"}, denyTarget}, {[]string{"https://evil@api.example"}, denyTarget},
		{[]string{"https://@api.example/"}, denyTarget}, {[]string{"https://api.example@evil/"}, denyTarget}, {[]string{"https://api.example:443/"}, denyTarget},
		{[]string{issuer + "#"}, denyTarget}, {[]string{issuer + "/#a"}, denyTarget}, {[]string{"/path"}, denyTarget}, {[]string{"//api.example/"}, denyTarget},
		{[]string{"https:api.example"}, denyTarget}, {[]string{`https:\\api.example`}, denyTarget}, {[]string{issuer + `\a`}, denyTarget}, {[]string{" " + issuer}, denyTarget},
		{[]string{issuer + "/\n"}, denyTarget}, {[]string{issuer + "/é"}, denyTarget}, {[]string{issuer + "/\x00"}, denyTarget}, {[]string{issuer + "/%zz"}, denyTarget},
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
	for _, bad := range []string{"", appendixB[1:], strings.Repeat("a", 129), appendixB[1:] + "=", appendixB[1:] + "+", appendixB[1:] + "/", appendixB[1:] + " ", appendixB[1:] + "é", appendixB + "\n", appendixB[:21] + "\x00" + appendixB[22:]} {
		if validVerifier(bad) || verifies(challengeOf(bad), bad) {
			t.Errorf("verifier %q is taken", bad)
		}
	}
	for _, good := range []string{strings.Repeat("a", 43), strings.Repeat("~", 128), "-._~" + strings.Repeat("0", 60)} {
		if !validVerifier(good) || !verifies(challengeOf(good), good) {
			t.Errorf("verifier %q is refused", good)
		}
	}
	for _, bad := range []string{"", challenge[1:], challenge + "a", challenge[1:] + "=", challenge[1:] + "+", challenge[1:] + "/", challenge[1:] + "~", challenge[1:] + ".", challenge[:20] + "~" + challenge[21:]} {
		if validChallenge(bad) {
			t.Errorf("challenge %q is taken", bad)
		}
	}
	if verifies(challenge, challenge) || verifies("", verifier) || verifies(verifier, verifier) {
		t.Error("a half verifies itself")
	}
}

// META-06 over 400 days, the clock turned daily: one key signs, the next is known for a week before, and whatever was
// signed can be verified as long as it lives.
func TestKeysRotateInTime(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		firstSeen := map[string]time.Time{}
		signers := map[string]bool{}
		var previous, previousToken string
		installation := w.install(t, w.mine).Installation.ID
		for day := range 400 {
			must(t, w.RotateKeys(ctx))
			must(t, w.RotateKeys(ctx)) // another node
			keys, now := w.keys(t), w.Clock.Now()
			for _, k := range keys {
				if k.published(keys, now) && firstSeen[k.id].IsZero() {
					firstSeen[k.id] = now
				}
			}
			signer, ok := signsAt(keys, now)
			if !ok || !signer.published(keys, now) {
				t.Fatalf("day %d: nobody signs, or in secret", day)
			}
			if signer.id != previous && previous != "" && now.Sub(firstSeen[signer.id]) < 7*24*time.Hour {
				t.Errorf("day %d: a key signs %v after it was published", day, now.Sub(firstSeen[signer.id]))
			}
			if _, known := verify(previousToken, keys, now); previous == signer.id && !known {
				t.Errorf("day %d: yesterday's token no longer verifies", day)
			}
			token := w.signed(t, func(c *sessionClaims) { c.InstallationID = installation })
			for _, after := range []time.Duration{0, time.Minute, 23 * time.Hour} {
				if _, known := verify(token.Reveal(), keys, now.Add(after)); !known {
					t.Errorf("day %d: a verifier does not know the key %v after", day, after)
				}
			}
			if n := published(keys, now); n < 1 || n > 3 {
				t.Errorf("day %d: %d keys are published", day, n)
			}
			previous, previousToken, signers[signer.id] = signer.id, token.Reveal(), true
			w.Clock.Advance(24 * time.Hour)
		}
		if len(signers) != 5 { // 400 days of 90
			t.Errorf("%d keys have signed, want 5", len(signers))
		}
	})
}

// A node that was asleep for years signs at once with a new key, and still publishes the old one for a day.
func TestKeysAfterALongSleep(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		old := w.keys(t)[0]
		w.Clock.Advance(3 * 365 * 24 * time.Hour)
		must(t, w.RotateKeys(ctx))
		keys := w.keys(t)
		if signer, ok := signsAt(keys, w.Clock.Now()); !ok || signer.id == old.id || len(keys) != 2 {
			t.Errorf("the overdue key signs, or there are %d keys", len(keys))
		}
		for after, want := range map[time.Duration]bool{0: true, 24*time.Hour - time.Millisecond: true, 24 * time.Hour: false} {
			if got := old.published(keys, w.Clock.Now().Add(after)); got != want {
				t.Errorf("after %v the old key is published: %v", after, got)
			}
		}
	})
}

func TestWhenTheNextKeyIsDue(t *testing.T) {
	one := []signingKey{{id: "a", signsFrom: noon}}
	for after, want := range map[time.Duration]struct {
		due  bool
		from time.Duration
	}{
		0: {false, keyLife}, keyLife - keyLead - time.Millisecond: {false, keyLife}, keyLife - keyLead: {true, keyLife}, keyLife - 1: {true, keyLife},
		keyLife: {true, keyLife}, keyLife + time.Hour: {true, keyLife + time.Hour},
	} {
		from, due := nextFrom(one, noon.Add(after))
		if due != want.due || !from.Equal(noon.Add(want.from)) {
			t.Errorf("after %v: due %v from %v", after, due, from.Sub(noon))
		}
	}
	if from, due := nextFrom(nil, noon); !due || !from.Equal(noon) {
		t.Error("the first key is not due at once")
	}
	if _, ok := signsAt([]signingKey{{signsFrom: noon.Add(1)}}, noon); ok {
		t.Error("a key of the future signs")
	}
}

func published(keys []signingKey, now time.Time) (n int) {
	for _, k := range keys {
		if k.published(keys, now) {
			n++
		}
	}
	return n
}
