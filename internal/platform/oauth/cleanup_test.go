package oauth

import (
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
)

// Clean-up takes what has ended, after the time in which a late caller is still told the right reason.
func TestCleanUpKeepsWhatIsStillAskedFor(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		begun := w.Clock.Now()
		w.hold(t, w.mine)
		code := w.code(t, w.mine) // decides another request
		tokens := granted(t)(w.Redeem(ctx, w.mine.App, right(code)))
		next := granted(t)(w.Refresh(ctx, w.mine.App, Renewal{Token: tokens.Refresh}))
		device := w.deviceStart(t, w.mine)
		if _, err := w.FindWaiting(ctx, "BBBBBBBB", w.owner); err != error(ErrNoDevice) {
			t.Fatalf("a guess was right, or %v", err)
		}
		embedded := granted(t)(w.Exchange(ctx, w.mine.App, w.sessionToken(t, w.mine), nil))
		for _, c := range []struct {
			table string
			kept  time.Duration
		}{
			{"session_tokens", SessionTokenLife + sessionSkew}, {"authorization_requests", requestLife + time.Hour}, {"device_codes", deviceLife + time.Hour},
			{"device_guesses", 24 * time.Hour}, {"authorization_codes", codeLife + 24*time.Hour},
		} {
			w.Clock.Set(begun.Add(c.kept - time.Millisecond))
			w.mustCleanUp(t, func(n int) bool { return n > 0 }, c.table)
			w.Clock.Set(begun.Add(c.kept))
			w.mustCleanUp(t, func(n int) bool { return n == 0 }, c.table)
		}
		denied(t, denyGrant)(w.Redeem(ctx, w.mine.App, right(code)))
		denied(t, denyGrant)(w.Poll(ctx, w.mine.App, device.DeviceCode))
		w.Clock.Set(begun.Add(time.Hour + 7*24*time.Hour - time.Millisecond)) // the exchange's family
		w.mustCleanUp(t, func(n int) bool { return n == 2 }, "token_families")
		w.Clock.Set(begun.Add(time.Hour + 7*24*time.Hour))
		w.mustCleanUp(t, func(n int) bool { return n == 1 }, "token_families")
		if w.live(t, w.mine, embedded.Access) || !w.live(t, w.mine, next.Refresh) {
			t.Error("the wrong family is gone")
		}
		w.Clock.Set(begun.Add(refreshLife + 7*24*time.Hour - time.Millisecond))
		must(t, w.CleanUp(ctx))
		denied(t, denyExpired)(w.Refresh(ctx, w.mine.App, Renewal{Token: next.Refresh}))
		denied(t, denyReuse)(w.Refresh(ctx, w.mine.App, Renewal{Token: tokens.Refresh}))
		w.Clock.Set(begun.Add(refreshLife + 7*24*time.Hour))
		must(t, w.CleanUp(ctx))
		for _, table := range []string{"token_families", "refresh_tokens"} {
			if n := w.count(t, `SELECT count(*) FROM `+table); n != 0 {
				t.Errorf("%d rows are left in %s", n, table)
			}
		}
		denied(t, denyGrant)(w.Refresh(ctx, w.mine.App, Renewal{Token: next.Refresh}))
	})
}

// A code's reason is told for a day after its end, a device's for an hour.
func TestLateCallersHearTheRightReason(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		used, fresh := w.code(t, w.mine), w.code(t, w.mine)
		granted(t)(w.Redeem(ctx, w.mine.App, right(used)))
		device := w.deviceStart(t, w.mine)
		w.Clock.Advance(deviceLife + time.Hour - time.Millisecond)
		must(t, w.CleanUp(ctx))
		denied(t, denyDeviceExpiry)(w.Poll(ctx, w.mine.App, device.DeviceCode))
		w.Clock.Advance(23 * time.Hour)
		must(t, w.CleanUp(ctx))
		denied(t, denyCodeUsed)(w.Redeem(ctx, w.mine.App, right(used)))
		denied(t, denyExpired)(w.Redeem(ctx, w.mine.App, right(fresh)))
	})
}

func TestCleanUpWorksInBatches(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const ended, alive = 2*cleanBatch + 1, 7
		w.manyRequests(t, ended)
		w.manyCodes(t, ended)
		w.manyDevices(t, ended)
		w.manyFamilies(t, ended)
		must(t, w.db().Write(ctx, func(tx *db.Tx) error {
			for range ended {
				if _, err := useSessionToken(ctx, tx, sessionClaims{ID: secret.Random(22), Expiry: tx.Now().Unix()}); err != nil {
					return err
				}
			}
			return nil
		}))
		w.Clock.Advance(refreshLife + 8*24*time.Hour)
		w.manyRequests(t, alive)
		w.manyCodes(t, alive)
		w.manyDevices(t, alive)
		w.manyFamilies(t, alive)
		counting, n := db.Counting(ctx)
		must(t, w.CleanUp(counting))
		if got := n.Load(); got != 6*3+1 { // six full tables of three batches each, and the guesses
			t.Errorf("%d statements", got)
		}
		for _, table := range []string{"authorization_requests", "authorization_codes", "device_codes", "token_families", "refresh_tokens"} {
			if n := w.count(t, `SELECT count(*) FROM `+table); n != alive {
				t.Errorf("%s has %d rows, want %d", table, n, alive)
			}
		}
		if n := w.count(t, `SELECT count(*) FROM session_tokens`); n != 0 {
			t.Errorf("%d session tokens are remembered for nothing", n)
		}
	})
}

// A session token is remembered as long as it could be exchanged again.
func TestCleanUpForgetsNoSessionTokenTooEarly(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.install(t, w.mine)
		w.Clock.Advance(999 * time.Millisecond) // instants of a token are whole seconds
		token := w.sessionToken(t, w.mine)
		granted(t)(w.Exchange(ctx, w.mine.App, token, nil))
		for range 70 {
			must(t, w.CleanUp(ctx))
			denied(t, denyGrant)(w.Exchange(ctx, w.mine.App, token, nil))
			w.Clock.Advance(time.Second)
		}
		if n := w.count(t, `SELECT count(*) FROM session_tokens`); n != 0 {
			t.Errorf("%d are still remembered", n)
		}
	})
}

func (w *world) mustCleanUp(t *testing.T, right func(int) bool, table string) {
	t.Helper()
	must(t, w.CleanUp(ctx))
	if n := w.count(t, `SELECT count(*) FROM `+table); !right(n) {
		t.Errorf("at %v %s has %d rows", w.Clock.Now(), table, n)
	}
}

// A family that is refreshed for months leaves no trail of used tokens, and still knows the recent ones.
func TestUsedRefreshTokensOfALivingFamilyGo(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		tokens := granted(t)(w.Redeem(ctx, w.mine.App, right(w.code(t, w.mine))))
		var before Tokens
		for range 90 {
			w.Clock.Advance(24 * time.Hour)
			before, tokens = tokens, granted(t)(w.Refresh(ctx, w.mine.App, Renewal{Token: tokens.Refresh}))
		}
		must(t, w.CleanUp(ctx))
		if n := w.count(t, `SELECT count(*) FROM refresh_tokens`); n > 38 { // 30 days of life and 7 beyond
			t.Errorf("%d refresh tokens are kept", n)
		}
		tokens = granted(t)(w.Refresh(ctx, w.mine.App, Renewal{Token: tokens.Refresh}))
		denied(t, denyReuse)(w.Refresh(ctx, w.mine.App, Renewal{Token: before.Refresh}))
		denied(t, denyRevoked)(w.Refresh(ctx, w.mine.App, Renewal{Token: tokens.Refresh}))
	})
}
