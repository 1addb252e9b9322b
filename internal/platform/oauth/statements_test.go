package oauth

import (
	"context"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
)

// Every operation that runs often is held to its number of statements.
func TestOperationsKeepToTheirStatements(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		idempotent := secret.Of(strings.Repeat("k", minIdempotencyKey))
		grant := func(ctx context.Context, c client, carryOut func() (Tokens, *Denial, error)) Tokens {
			if _, failed, err := w.ProveForGrant(ctx, c.proof()); failed || err != nil {
				t.Fatalf("not proven: %v", err)
			}
			return granted(t)(carryOut())
		}
		tokens, used := w.tokens(t, w.mine), w.tokens(t, w.mine)
		fresh := granted(t)(w.Refresh(ctx, w.mine.App, Renewal{Token: w.tokens(t, w.mine).Refresh, IdempotencyKey: idempotent}))
		code, spent := w.code(t, w.mine), w.code(t, w.mine)
		granted(t)(w.Redeem(ctx, w.mine.App, right(spent)))
		waiting, approved := w.deviceStart(t, w.mine), w.deviceStart(t, w.mine)
		must(t, w.DecideDevice(ctx, approved.UserCode, w.yes()))
		embedded := w.sessionToken(t, w.mine)
		wrong := secret.Of("cs_wrong")
		for _, c := range []struct {
			name  string
			exact bool
			want  int64
			run   func(ctx context.Context)
		}{
			{"introspecting an access token", true, 1, func(ctx context.Context) { mustIntrospect(t, ctx, w, tokens.Access, true) }},
			{"introspecting a refresh token", true, 1, func(ctx context.Context) { mustIntrospect(t, ctx, w, tokens.Refresh, true) }},
			{"introspecting nonsense", true, 1, func(ctx context.Context) { mustIntrospect(t, ctx, w, secret.Of("nonsense"), false) }},
			{"introspecting with a wrong secret", true, 1, func(ctx context.Context) {
				if _, failed, err := w.Introspect(ctx, Proof{ClientID: w.mine.ClientID, Secret: &wrong}, tokens.Access); !failed || err != nil {
					t.Errorf("proven: %v", err)
				}
			}},
			{"proving an unknown client", true, 1, func(ctx context.Context) {
				if _, failed, err := w.Prove(ctx, Proof{ClientID: "cli_nobody", Secret: &wrong}); !failed || err != nil {
					t.Errorf("proven: %v", err)
				}
			}},
			{"introspecting an access token again", false, 1, func(ctx context.Context) { mustIntrospect(t, ctx, w, tokens.Access, true) }},
			{"a call with a token that is new here", true, 2, func(ctx context.Context) { mustAuthenticate(t, ctx, w, tokens.Access) }},
			{"a call", false, 1, func(ctx context.Context) { mustAuthenticate(t, ctx, w, tokens.Access) }},
			{"the first call after an idempotent refresh", true, 3, func(ctx context.Context) { mustAuthenticate(t, ctx, w, fresh.Access) }},
			{"the second call after an idempotent refresh", false, 1, func(ctx context.Context) { mustAuthenticate(t, ctx, w, fresh.Access) }},
			{"a call with an unknown token", true, 1, func(ctx context.Context) { refuseToken(t, ctx, w, secret.Mint(secret.AccessToken)) }},
			{"a code", false, 5, func(ctx context.Context) {
				grant(ctx, w.mine, func() (Tokens, *Denial, error) { return w.Redeem(ctx, w.mine.App, right(code)) })
			}},
			{"a replayed code", false, 2, func(ctx context.Context) { denied(t, denyCodeUsed)(w.Redeem(ctx, w.mine.App, right(spent))) }},
			{"a refresh", false, 4, func(ctx context.Context) {
				grant(ctx, w.mine, func() (Tokens, *Denial, error) { return w.Refresh(ctx, w.mine.App, Renewal{Token: used.Refresh}) })
			}},
			{"a replayed refresh", false, 2, func(ctx context.Context) {
				denied(t, denyReuse)(w.Refresh(ctx, w.mine.App, Renewal{Token: used.Refresh}))
			}},
			{"an idempotent refresh", false, 5, func(ctx context.Context) {
				grant(ctx, w.mine, func() (Tokens, *Denial, error) {
					return w.Refresh(ctx, w.mine.App, Renewal{Token: tokens.Refresh, IdempotencyKey: idempotent})
				})
			}},
			{"the same again", false, 1, func(ctx context.Context) {
				granted(t)(w.Refresh(ctx, w.mine.App, Renewal{Token: tokens.Refresh, IdempotencyKey: idempotent}))
			}},
			{"a poll before the decision", false, 2, func(ctx context.Context) { denied(t, denyPending)(w.Poll(ctx, w.mine.App, waiting.DeviceCode)) }},
			{"a poll too fast", false, 1, func(ctx context.Context) { denied(t, denySlowDown)(w.Poll(ctx, w.mine.App, waiting.DeviceCode)) }},
			{"a poll after the decision, without proving", false, 4, func(ctx context.Context) {
				grant(ctx, w.mine, func() (Tokens, *Denial, error) { return w.Poll(ctx, w.mine.App, approved.DeviceCode) })
			}},
			{"an exchange, without proving", false, 4, func(ctx context.Context) {
				grant(ctx, w.mine, func() (Tokens, *Denial, error) { return w.Exchange(ctx, w.mine.App, embedded, nil) })
			}},
			{"revoking an access token", true, 1, func(ctx context.Context) { must(t, w.Revoke(ctx, &w.mine.App, tokens.Access)) }},
			{"revoking a refresh token", true, 1, func(ctx context.Context) { must(t, w.Revoke(ctx, nil, tokens.Refresh)) }},
		} {
			counting, n := db.Counting(ctx)
			c.run(counting)
			if got := n.Load(); got > c.want || c.exact && got != c.want {
				t.Errorf("%s took %d statements, want %d", c.name, got, c.want)
			} else {
				t.Logf("%-45s %d", c.name, got)
			}
		}
	})
}

// What cannot have been minted here is refused without asking the store.
func TestMalformedTokensCostNoStatement(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		good := secret.Random(43)
		for _, value := range []string{
			"", "at_", "rt_", "at_" + good[1:], "at_" + good + "a", "rt_" + good + "a", "ac_" + good[1:], "dc_" + good[1:] + "-",
			"at_" + good[:42] + "é", "AT_" + good,
			" at_" + good, "at_" + good + " ", "at_" + good[:42] + "\x00", good, "cs_" + good, strings.Repeat("a", 1<<16),
		} {
			token := secret.Of(value)
			counting, n := db.Counting(ctx)
			refuseToken(t, counting, w, token)
			redeemed, denial, failed, err := w.Service.Redeem(counting, Vouch(w.mine.App), right(token))
			denied(t, denyGrant)(redeemed, denial, err)
			refreshed, denial, failedToo, err := w.Service.Refresh(counting, Vouch(w.mine.App), Renewal{Token: token})
			denied(t, denyGrant)(refreshed, denial, err)
			if failed || failedToo {
				t.Error("a client that is beyond doubt failed")
			}
			denied(t, denyGrant)(w.Poll(counting, w.mine.App, token))
			must(t, w.Revoke(counting, nil, token))
			if n.Load() != 0 {
				t.Errorf("%.60q took %d statements", value, n.Load())
			}
		}
	})
}

func mustIntrospect(t *testing.T, ctx context.Context, w *world, token secret.Secret, active bool) {
	t.Helper()
	in, failed, err := w.Introspect(ctx, w.mine.proof(), token)
	must(t, err)
	if failed || in.Active != active {
		t.Errorf("failed %v, active %v", failed, in.Active)
	}
}

func mustAuthenticate(t *testing.T, ctx context.Context, w *world, token secret.Secret) {
	t.Helper()
	caller, err := w.Authenticate(ctx, token)
	must(t, err)
	if caller.UserID != w.owner || caller.BusinessID != w.shop || caller.ClientID != w.mine.ClientID {
		t.Errorf("called by %+v", caller)
	}
}

func refuseToken(t *testing.T, ctx context.Context, w *world, token secret.Secret) {
	t.Helper()
	if caller, err := w.Authenticate(ctx, token); err != error(ErrToken) || caller.AppID != "" {
		t.Errorf("%.60q: %v", token.Reveal(), err)
	}
}
