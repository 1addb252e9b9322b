package oauth

import (
	"strings"
	"testing"
	"time"
)

// The state table of a device code, with its interval and its end to the millisecond (DEVC-05…DEVC-09).
func TestADeviceCodeAnswersByItsState(t *testing.T) {
	last := func(ago time.Duration) *time.Time { return at(noon.Add(-ago)) }
	const pending, slow = "authorization_pending: the user has not decided yet", "slow_down: polled faster than the interval"
	const gone = "expired_token: the device code is older than 10 minutes"
	const denied = "access_denied: the user denied the request"
	for _, c := range []struct {
		name, status string
		polled       *time.Time
		left         time.Duration
		want         string
	}{
		{"never polled", devicePending, nil, time.Minute, pending},
		{"polled just now", devicePending, last(0), time.Minute, slow},
		{"within the interval", devicePending, last(4749 * time.Millisecond), time.Minute, slow},
		{"a little early", devicePending, last(4750 * time.Millisecond), time.Minute, pending},
		{"after the interval", devicePending, last(5 * time.Second), time.Minute, pending},
		{"polled in the future, for a clock stepped back", devicePending, last(-time.Minute), time.Minute, slow},
		{"at its end", devicePending, nil, 0, gone},
		{"just before its end", devicePending, nil, time.Millisecond, pending},
		{"polled fast at its end", devicePending, last(0), 0, gone},
		{"approved", deviceApproved, nil, time.Millisecond, "tokens"},
		{"approved, polled just now", deviceApproved, last(0), time.Minute, "tokens"},
		{"approved, not collected in time", deviceApproved, nil, 0, gone},
		{"denied", deviceDenied, last(0), time.Minute, denied},
		{"denied, at its end", deviceDenied, nil, 0, denied},
		{"collected", deviceConsumed, nil, time.Minute, "invalid_grant"},
		{"collected, at its end", deviceConsumed, nil, 0, "invalid_grant"},
	} {
		d := device{appID: "app_1", status: c.status, polledAt: c.polled, expiresAt: noon.Add(c.left), standing: well()}
		if got := say(d.judge("app_1", noon)); got != c.want {
			t.Errorf("%s: told %q, want %q", c.name, got, c.want)
		}
		if got := say(d.judge("app_2", noon)); got != "invalid_grant" { // DEVC-12
			t.Errorf("%s: another client is told %q", c.name, got)
		}
	}
	approved := device{appID: "app_1", status: deviceApproved, expiresAt: noon.Add(time.Minute), standing: well()}
	for name, ail := range ailments {
		ill := approved
		if ail(&ill.standing); say(ill.judge("app_1", noon)) != "invalid_grant" {
			t.Errorf("%s: told %q", name, say(ill.judge("app_1", noon)))
		}
	}
	approved.consentRevokedAt = &early
	if got := say(approved.judge("app_1", noon)); got != "invalid_grant" {
		t.Errorf("access revoked: told %q", got)
	}
}

// DEVC-01, DEVC-11: people may type a code as they like, as long as its letters are those shown.
func TestUserCodesAreReadAsPeopleTypeThem(t *testing.T) {
	for _, typed := range []string{
		"BCDF-GHJK", "bcdf-ghjk", "bcdfghjk", "BCDFGHJK", "bCdF GhJk", " b c d f g h j k ", "BCDF\u2010GHJK", "BCDF\u2011GHJK", "BCDF\u2013GHJK",
		"BCDF\u00a0GHJK", "BCDF\tGHJK", "-BCDF--GHJK-",
	} {
		if code, ok := ParseUserCode(typed); !ok || code != "BCDFGHJK" {
			t.Errorf("%q was read as %q, %v", typed, code, ok)
		}
	}
	for _, typed := range []string{
		"", "BCDF-GHJ", "BCDF-GHJKL", "ACDF-GHJK", "BCDF-GHJ1", "BCDF-GHJY", "BCDF_GHJK", "BCDF\nGHJK", "ВCDF-GHJK", "BCDF-GHJ\u212a",
		"BCDF-GHJ\x00", "BCDF-GHJ\xff",
		strings.Repeat("-", 57) + "BCDFGHJK", "ｂcdf-ghjk",
	} {
		if code, ok := ParseUserCode(typed); ok {
			t.Errorf("%q was read as %q", typed, code)
		}
	}
	if code, ok := ParseUserCode(strings.Repeat("-", 56) + "BCDFGHJK"); !ok || code != "BCDFGHJK" {
		t.Error("64 bytes are not too long")
	}
}

func TestUserCodesAreEvenlyDrawn(t *testing.T) {
	seen, counts := map[string]bool{}, map[rune]int{}
	for range 5000 {
		code := newUserCode()
		if back, ok := ParseUserCode(ShowUserCode(code)); !ok || back != code || seen[code] || len(ShowUserCode(code)) != 9 {
			t.Fatalf("%q, shown as %q, is read as %q", code, ShowUserCode(code), back)
		}
		seen[code] = true
		for _, c := range code {
			counts[c]++
		}
	}
	// 40,000 letters over 20: 2,000 each; six standard deviations are about 262.
	for _, c := range userCodeAlphabet {
		if n := counts[c]; n < 2000-262 || n > 2000+262 {
			t.Errorf("%q was drawn %d times of about 2000", c, n)
		}
	}
	if strings.ContainsAny(userCodeAlphabet, "AEIOUY01") || len(userCodeAlphabet) != 20 {
		t.Error("the alphabet has vowels or look-alikes")
	}
}
