package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Whatever is signed verifies with each of its secrets while it is fresh, and with nothing else.
func TestWhatIsSignedVerifies(t *testing.T) {
	secret := rapid.StringMatching(`whsec_[A-Za-z0-9_-]{43}`)
	rapid.Check(t, func(r *rapid.T) {
		body := rapid.SliceOf(rapid.Byte()).Draw(r, "body")
		secrets := rapid.SliceOfNDistinct(secret, 2, 3, rapid.ID).Draw(r, "secrets")
		signers, stranger := secrets[1:], secrets[0]
		at := time.Unix(rapid.Int64Range(0, 4e9).Draw(r, "at"), 0)
		tolerance := time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(r, "tolerance"))
		now := at.Add(time.Duration(rapid.Int64Range(-int64(tolerance), int64(tolerance)).Draw(r, "age")))

		header := Sign(at, body, signers...)
		for _, s := range signers {
			if err := Verify(header, body, []string{s}, tolerance, now); err != nil {
				r.Fatal(err)
			}
		}
		if err := Verify(header, body, []string{stranger}, tolerance, now); !errors.Is(err, ErrNoMatch) {
			r.Fatalf("by another secret: %v", err)
		}
		if err := Verify(header, body, signers, tolerance, at.Add(tolerance+1)); !errors.Is(err, ErrTooOld) {
			r.Fatalf("late: %v", err)
		}
		if err := Verify(header, body, signers, tolerance, at.Add(-tolerance-1)); !errors.Is(err, ErrTooNew) {
			r.Fatalf("early: %v", err)
		}
		changed := append([]byte(nil), body...)
		changed = append(changed, 0)
		changed[rapid.IntRange(0, len(body)).Draw(r, "where")] ^= byte(rapid.IntRange(1, 255).Draw(r, "bits"))
		if err := Verify(header, changed, signers, tolerance, now); !errors.Is(err, ErrNoMatch) {
			r.Fatalf("another body: %v", err)
		}
	})
}

// FuzzVerify: no header makes it panic, and one that it accepts has the value of the secret, worked out here anew.
func FuzzVerify(f *testing.F) {
	f.Add("t=1794700000,"+byPresent, []byte(body))
	f.Add("t=1794700000,"+byPresent+","+byPrevious+",v0=a=b", []byte(body))
	f.Add("t=0,v1=,t=1,,=", []byte(nil))
	f.Add("t=999999999999,v1=0", []byte("{}"))
	f.Fuzz(func(t *testing.T, header string, body []byte) {
		if Verify(header, body, []string{present}, Tolerance, signedAt) == nil && !genuine(header, body) {
			t.Errorf("accepted %q", header)
		}
		// The same with a value that is right for the header's own stamp, so that acceptance is not left to luck.
		stamp, _, _ := strings.Cut(strings.TrimPrefix(header, "t="), ",")
		if header += ",v1=" + valueOf(stamp, body); Verify(header, body, []string{present}, Tolerance, signedAt) == nil && !genuine(header, body) {
			t.Errorf("accepted %q", header)
		}
	})
}

// genuine asks the plain way: is there one t, and a v1 with its value?
func genuine(header string, body []byte) bool {
	stamp, stamps := "", 0
	for _, part := range strings.Split(header, ",") {
		if text, ok := strings.CutPrefix(part, "t="); ok {
			stamp, stamps = text, stamps+1
		}
	}
	return stamps == 1 && strings.Contains(","+header+",", ",v1="+valueOf(stamp, body)+",")
}

func valueOf(stamp string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(present))
	mac.Write([]byte(stamp + "." + string(body)))
	return hex.EncodeToString(mac.Sum(nil))
}
