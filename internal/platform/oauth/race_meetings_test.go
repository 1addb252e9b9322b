package oauth

import (
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/secret"
)

// REF-08: a client that repeats its refresh with the same key because it is impatient gets the same bytes, also when the
// repetition arrives while the first is still under way.
func TestARefreshRepeatedWithItsKeyAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := rounds(t, 100)
		families, key := w.manyFamilies(t, n), secret.Of(strings.Repeat("k", minIdempotencyKey))
		eachRound(t, w, n, func(i int, at func(int) *Service) {
			got := raceGrants(func(racer int) (Tokens, *Denial, error) {
				return refreshAt(at(racer), w.mine, Renewal{Token: families[i].Refresh, IdempotencyKey: key})
			})
			for racer, k := range got.tokens {
				must(t, got.errs[racer])
				if d := got.denials[racer]; d != nil {
					t.Fatalf("round %d: racer %d was told %q", i, racer, say(d))
				}
				if !k.Access.Equal(got.tokens[0].Access) || !k.Refresh.Equal(got.tokens[0].Refresh) {
					t.Fatalf("round %d: racers got different tokens", i)
				}
			}
			if access, refresh := w.liveTokens(t, families[i], got.tokens[0]); access != 1 || refresh != 1 {
				t.Fatalf("%d access and %d refresh tokens are alive", access, refresh)
			}
		})
	})
}

// REF-03: nobody has used this refresh token before, so whoever comes after its revocation hears "revoked" and not "reuse".
func TestARefreshThatMeetsItsRevocation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := rounds(t, 150)
		families := w.manyFamilies(t, n)
		refreshed := 0
		eachRound(t, w, n, func(i int, at func(int) *Service) {
			got := raceGrants(func(racer int) (Tokens, *Denial, error) {
				switch racer {
				case i % racers:
					return refreshAt(at(racer), w.mine, Renewal{Token: families[i].Refresh})
				case (i + 1) % racers:
					return Tokens{}, nil, at(racer).Revoke(ctx, &w.mine.App, families[i].Refresh)
				}
				return Tokens{}, nil, nil
			})
			for _, err := range got.errs {
				must(t, err)
			}
			switch d := got.denials[i%racers]; {
			case d == nil:
				refreshed++
			case say(d) != say(denyRevoked):
				t.Fatalf("round %d: told %q", i, say(d))
			}
			if access, refresh := w.liveTokens(t, families[i], got.tokens[i%racers]); access != 0 || refresh != 0 {
				t.Fatalf("%d access and %d refresh tokens outlive the revocation", access, refresh)
			}
		})
		t.Logf("%d of %d came before the revocation", refreshed, n)
	})
}

// A grant that meets an uninstallation comes before it or after it; afterwards no token is alive either way (TOK-07).
func TestGrantsThatMeetAnUninstallation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := rounds(t, 60)
		eachRound(t, w, n, func(i int, at func(int) *Service) {
			families, codes, devices := w.manyFamilies(t, 2), w.manyCodes(t, 2), w.manyDevices(t, 2)
			installation := w.install(t, w.mine).Installation.ID
			got := raceGrants(func(racer int) (Tokens, *Denial, error) {
				switch s := at(racer); racer {
				case 0, 1:
					return refreshAt(s, w.mine, Renewal{Token: families[racer].Refresh})
				case 2, 3:
					return redeemAt(s, w.mine, right(codes[racer-2]))
				case 4, 5:
					return s.Poll(ctx, w.mine.App, devices[racer-4])
				case 6:
					_, err := w.Installs.Uninstall(ctx, w.shop, w.owner, installation)
					return Tokens{}, nil, err
				default:
					return s.Exchange(ctx, w.mine.App, w.signed(t, func(c *sessionClaims) { c.InstallationID = installation }), nil)
				}
			})
			for racer, d := range got.denials {
				if must(t, got.errs[racer]); d != nil && say(d) != say(denyGrant) {
					t.Fatalf("racer %d was told %q", racer, say(d))
				}
			}
			if access, refresh := w.liveTokens(t, append(families, got.tokens[:]...)...); access != 0 || refresh != 0 {
				t.Fatalf("%d access and %d refresh tokens outlive the installation", access, refresh)
			}
		})
	})
}

// Device polls at once, before any decision: none fails, and none is told anything but to wait.
func TestPollsAtOnceBeforeTheDecision(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		start := w.deviceStart(t, w.mine)
		for range 10 {
			got := raceGrants(func(int) (Tokens, *Denial, error) { return w.Poll(ctx, w.mine.App, start.DeviceCode) })
			pending := 0
			for racer, d := range got.denials {
				must(t, got.errs[racer])
				switch say(d) {
				case say(denyPending):
					pending++
				case say(denySlowDown):
				default:
					t.Fatalf("told %q", say(d))
				}
			}
			if pending == 0 {
				t.Error("nobody's poll was accepted")
			}
			w.Clock.Advance(deviceInterval)
		}
	})
}

// tapped is a clock that calls somebody when it is read.
type tapped struct {
	clock.Clock
	mu  sync.Mutex
	tap func()
}

func (c *tapped) Now() time.Time {
	c.mu.Lock()
	tap := c.tap
	c.mu.Unlock()
	if tap != nil {
		tap()
	}
	return c.Clock.Now()
}

// A call with an old access token that is just being noted as used must not make the next pair of tokens look used: the
// client's repeated refresh would burn its family. The clock is read once per transaction, which lets a refresh slip in
// between the two of a call. (On SQLite it would wait for itself.)
func TestAUseOfTheOldTokenIsNoUseOfTheNewOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		if w.db().Dialect() != db.Postgres {
			t.Skip("the one writer of SQLite leaves no room between the two")
		}
		c := &tapped{Clock: w.Clock}
		d, err := db.Open(ctx, db.Options{Database: w.Database, Clock: c})
		must(t, err)
		t.Cleanup(d.Close)
		s := &Service{DB: d, IDs: w.Store.IDs, Keys: w.Keys, Apps: w.Apps, Installs: w.Installs, Issuer: w.Issuer, Log: w.Log}
		key := secret.Of(strings.Repeat("k", minIdempotencyKey))
		first := granted(t)(w.Refresh(ctx, w.mine.App, Renewal{Token: w.tokens(t, w.mine).Refresh, IdempotencyKey: key}))
		again := Renewal{Token: first.Refresh, IdempotencyKey: key}
		var second Tokens
		reads := 0
		c.tap = func() {
			if reads++; reads == 2 { // the transaction that notes the use
				second = granted(t)(w.Refresh(ctx, w.mine.App, again))
			}
		}
		if _, err := s.Authenticate(ctx, first.Access); err != nil {
			t.Fatal(err)
		}
		if reads != 2 {
			t.Fatalf("the clock was read %d times, want 2", reads)
		}
		repeated := granted(t)(w.Refresh(ctx, w.mine.App, again))
		if !repeated.Access.Equal(second.Access) || !repeated.Refresh.Equal(second.Refresh) {
			t.Error("the repetition got other tokens")
		}
	})
}
