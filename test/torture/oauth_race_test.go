package torture_test

import (
	"errors"
	"net/url"
	"os"
	"strconv"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/schema/dbtest"
	"daybook/test/harness"
)

// oauthRounds is how often two processes race for each artifact; DAYBOOK_RACE_ROUNDS asks for more.
func oauthRounds(t *testing.T) int {
	t.Helper()
	text := os.Getenv("DAYBOOK_RACE_ROUNDS")
	if text == "" {
		return 2000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("DAYBOOK_RACE_ROUNDS: %q must be a number from 1", text)
	}
	return n
}

// F-06, TOK-09: two processes on one PostgreSQL race for everything that may be used once. One wins, the others hear
// exactly what the contract says, and nothing that was won outlives a replay.
func TestTwoProcessesRace(t *testing.T) {
	dbtest.EachDatabase(t, func(t *testing.T, database string) {
		if !db.IsPostgres(database) {
			t.Skip("a SQLite file belongs to one process")
		}
		p, n := newPair(t, database), oauthRounds(t)
		p.race(t, n, p.contests(n))
	})
}

// contests are one race for each artifact. What is won in one is raced for in the next where that is possible, which
// shows that it was worth winning.
func (p *pair) contests(n int) []*contest {
	codes, families := make([]string, n), make([]tokens, n)
	return []*contest{{
		name:    "consent sent twice", // AUTHZ-14
		prepare: p.request,
		ask: func(_ int, handle string) call {
			return call{app: true, path: "/oauth/consent", signedIn: true, form: url.Values{"request": {handle}, "business": {p.business}, "decision": {"allow"}}}
		},
		won: func(i int, a harness.Answer) (err error) {
			codes[i], err = codeIn(a)
			return err
		},
		lost: lostPage("invalid_request: authorization request not found or expired"),
	}, {
		name:    "authorization code",
		prepare: func(i int) (string, error) { return codes[i], nil },
		ask: func(i int, code string) call {
			return grant(i, url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {pairCallback}, "code_verifier": {pkceVerifier}})
		},
		won:  func(i int, a harness.Answer) error { return families[i].read(a, true) },
		lost: lostGrant("code already used"),
		check: func(i int) error { // whoever redeemed first may be the thief (CODE-02)
			return errors.Join(p.wantActive(i, families[i].Access, false), p.wantActive(i, families[i].Refresh, false))
		},
	}, {
		name:    "device code", // DEVC-06
		prepare: p.device,
		ask: func(i int, code string) call {
			return grant(i, url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:device_code"}, "device_code": {code}})
		},
		won:   func(i int, a harness.Answer) error { return families[i].read(a, true) },
		lost:  lostGrant(""),
		check: func(i int) error { return p.wantActive(i, families[i].Access, true) },
	}, {
		name:    "refresh token",
		prepare: func(i int) (string, error) { return families[i].Refresh, nil },
		ask: func(i int, token string) call {
			return grant(i, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}})
		},
		won: func(i int, a harness.Answer) error {
			families[i].Before = families[i].Access
			return families[i].read(a, true)
		},
		lost: lostGrant("refresh token reuse detected"),
		check: func(i int) error { // the family is burnt (REF-02)
			f := families[i]
			return errors.Join(p.wantActive(i, f.Before, false), p.wantActive(i, f.Access, false), p.wantActive(i, f.Refresh, false))
		},
	}, {
		name:    "session token", // EXCH-02, EXCH-04
		prepare: p.sessionToken,
		ask: func(i int, token string) call {
			return grant(i, url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:token-exchange"},
				"subject_token": {token}, "subject_token_type": {"urn:ietf:params:oauth:token-type:jwt"}})
		},
		won:   func(i int, a harness.Answer) error { return families[i].read(a, false) },
		lost:  lostGrant(""),
		check: func(i int) error { return p.wantActive(i, families[i].Access, true) },
	}}
}

func grant(round int, form url.Values) call {
	form.Set("client_id", clientOf(round))
	form.Set("client_secret", secretOf(round))
	return call{path: "/oauth/token", form: form}
}
