package oauth

import (
	"errors"
	"testing"
	"time"

	"daybook/internal/platform/app"
)

func (w *world) history(t *testing.T, installationID string) []History {
	t.Helper()
	list, err := w.History(ctx, w.mine.ID, w.developer, installationID)
	must(t, err)
	return list
}

// A developer sees how families live and end, the newest first.
func TestTheLifeOfFamilies(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		installed := w.install(t, w.mine).Installation
		begun := w.Clock.Now()
		step := func(do func()) time.Time { w.Clock.Advance(time.Minute); do(); return w.Clock.Now() }

		code := w.code(t, w.mine)
		var quiet, reused Tokens
		step(func() { quiet = granted(t)(w.Redeem(ctx, w.mine.App, right(code))) })
		step(func() { reused = w.tokens(t, w.mine) })
		var next Tokens
		refreshed := step(func() { next = granted(t)(w.Refresh(ctx, w.mine.App, Renewal{Token: reused.Refresh})) })
		burnt := step(func() { denied(t, denyReuse)(w.Refresh(ctx, w.mine.App, Renewal{Token: reused.Refresh})) })
		replayed := step(func() { denied(t, denyCodeUsed)(w.Redeem(ctx, w.mine.App, right(code))) })
		var revoked, live Tokens
		step(func() { revoked = w.tokens(t, w.mine) })
		given := step(func() { must(t, w.Revoke(ctx, &w.mine.App, revoked.Refresh)) })
		step(func() { live = w.tokens(t, w.mine) })
		step(func() { granted(t)(w.Exchange(ctx, w.mine.App, w.sessionToken(t, w.mine), nil)) })
		_, _, _ = quiet, next, live

		list := w.history(t, installed.ID)
		for i, want := range []struct {
			name      string
			exchange  bool
			refreshes int
			why       EndReason
			ended     time.Time
		}{
			{"the exchange", true, 0, "", time.Time{}},
			{"the live one", false, 0, "", time.Time{}},
			{"revoked by the app", false, 0, RevokedByApp, given},
			{"whose refresh token came twice", false, 1, TokenReused, burnt},
			{"whose code came twice", false, 0, CodeReplayed, replayed},
		} {
			if len(list) != 5 {
				t.Fatalf("%+v", list)
			}
			h := list[i]
			if h.Exchange != want.exchange || h.Refreshes != want.refreshes || h.Why != want.why || (h.EndedAt == nil) != want.ended.IsZero() ||
				h.EndedAt != nil && !h.EndedAt.Equal(want.ended) || h.UserID != w.owner || h.Scopes.String() != asked.String() || h.IssuedAt.Before(begun) {
				t.Errorf("%s: %+v", want.name, h)
			}
		}
		if h := list[3]; h.RefreshedAt == nil || !h.RefreshedAt.Equal(refreshed) || !h.ExpiresAt.Equal(refreshed.Add(refreshLife)) || !h.Why.Burnt() {
			t.Errorf("%+v", h)
		}

		revokedAt := step(func() { must(t, w.Installs.RevokeAccess(ctx, w.shop, w.owner, installed.ID)) })
		list = w.history(t, installed.ID)
		if h := list[1]; h.Why != AccessRevoked || !h.EndedAt.Equal(revokedAt) || list[0].Why != AccessRevoked || list[3].Why != TokenReused {
			t.Errorf("access revoked: %+v", list)
		}
	})
}

func TestFamiliesEndWithTheirInstallationOrTheirTime(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		installed := w.install(t, w.mine).Installation
		w.tokens(t, w.mine)
		w.Clock.Advance(refreshLife)
		if list := w.history(t, installed.ID); len(list) != 1 || list[0].Why != Expired || !list[0].EndedAt.Equal(w.Clock.Now()) {
			t.Errorf("%+v", list)
		}
		w.Clock.Advance(time.Minute)
		w.tokens(t, w.mine)
		_, err := w.Installs.Uninstall(ctx, w.shop, w.owner, installed.ID)
		must(t, err)
		if list := w.history(t, installed.ID); len(list) != 2 || list[0].Why != Uninstalled || !list[0].EndedAt.Equal(w.Clock.Now()) || list[1].Why != Expired {
			t.Errorf("%+v", list)
		}
		again := w.install(t, w.mine).Installation
		if list := w.history(t, again.ID); len(list) != 0 {
			t.Errorf("a new installation begins with %+v", list)
		}
	})
}

func TestWhoSeesTheLifeOfFamilies(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		installed := w.install(t, w.mine).Installation
		w.tokens(t, w.mine)
		if _, err := w.History(ctx, w.mine.ID, w.owner, installed.ID); !errors.Is(err, app.ErrNotFound) {
			t.Errorf("the business's owner: %v", err)
		}
		list, err := w.History(ctx, w.other.ID, w.developer, installed.ID) // an app of the same organization
		if must(t, err); len(list) != 0 {
			t.Errorf("another app: %+v", list)
		}
	})
}

// lastUsed is when the first secret of a client was used.
func (w *world) lastUsed(t *testing.T, c client) *time.Time {
	t.Helper()
	must(t, w.NoteUses(ctx))
	list, err := w.Apps.Secrets(ctx, c.ID, w.developer)
	must(t, err)
	return list[0].LastUsedAt
}

// Whatever takes a secret notes it; what fails to prove it does not.
func TestEveryUseOfASecretIsNoted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		wrong := client{w.mine.App, w.other.secret}
		for range 2 {
			if _, failed, err := w.Prove(ctx, wrong.proof()); err != nil || !failed {
				t.Fatal(failed, err)
			}
			if _, failed, err := w.Introspect(ctx, wrong.proof(), w.other.secret); err != nil || !failed {
				t.Fatal(failed, err)
			}
		}
		if at := w.lastUsed(t, w.mine); at != nil {
			t.Fatalf("used at %v, by whom?", at)
		}
		var tokens Tokens
		for _, use := range []struct {
			name string
			do   func()
		}{
			{"a proof", func() {
				_, failed, err := w.Prove(ctx, w.mine.proof())
				if must(t, err); failed {
					t.Fatal("failed")
				}
			}},
			{"a code", func() { tokens = granted(t)(redeemAt(w.Service, w.mine, right(w.code(t, w.mine)))) }},
			{"a refresh", func() { tokens = granted(t)(refreshAt(w.Service, w.mine, Renewal{Token: tokens.Refresh})) }},
			{"an introspection", func() { w.live(t, w.mine, tokens.Access) }},
			{"one from memory", func() { w.live(t, w.mine, tokens.Access) }},
			{"of a refresh token", func() { w.live(t, w.mine, tokens.Refresh) }},
		} {
			w.Clock.Advance(time.Minute)
			use.do()
			if at := w.lastUsed(t, w.mine); at == nil || !at.Equal(w.Clock.Now()) {
				t.Errorf("%s at %v: last used %v", use.name, w.Clock.Now(), at)
			}
		}
		if w.lastUsed(t, w.other) != nil {
			t.Error("another app's secret was used")
		}
		w.Clock.Advance(time.Minute)
		before := w.count(t, `SELECT revision FROM access_revision`)
		w.live(t, w.mine, tokens.Access)
		if w.lastUsed(t, w.mine); w.count(t, `SELECT revision FROM access_revision`) != before {
			t.Error("noting a use makes every node forget")
		}
	})
}
