package oauth

import (
	"testing"
	"time"
)

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

// EXCH-04: a session token fits one client, one issuer and one minute, with five seconds on both sides.
func TestWhenASessionTokenFits(t *testing.T) {
	c := sessionClaims{Issuer: issuer, Audience: "cli_1", ID: "j", NotBefore: noon.Unix(), Expiry: noon.Add(time.Minute).Unix()}
	for after, want := range map[time.Duration]bool{
		-6 * time.Second: false, -5*time.Second - time.Millisecond: false, -5 * time.Second: true, 0: true, time.Minute: true, 65*time.Second - time.Millisecond: true, 65 * time.Second: false, time.Hour: false,
	} {
		if got := c.fits(issuer, "cli_1", noon.Add(after)); got != want {
			t.Errorf("after %v: %v", after, got)
		}
	}
	nameless := c
	nameless.ID = ""
	if c.fits(issuer+"/", "cli_1", noon) || c.fits(issuer, "cli_2", noon) || c.fits(issuer, "", noon) || nameless.fits(issuer, "cli_1", noon) {
		t.Error("it fits somebody else, or without an id")
	}
}
