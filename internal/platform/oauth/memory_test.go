package oauth

import (
	"context"
	"errors"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/tenancy/business"
)

// node is another process on the same store: it shares no memory with the first.
func (w *world) node() *Service {
	return &Service{DB: w.db(), IDs: w.Store.IDs, Keys: w.Keys, Apps: w.Apps, Installs: w.Installs, Issuer: issuer, Log: w.Log}
}

// holding is everything one may hold of an app in a business, known to a node that remembers it.
type holding struct {
	*world
	node    *Service
	tokens  Tokens
	renewal Tokens // not yet used
	code    secret.Secret
}

func (w *world) holding(t *testing.T) holding {
	t.Helper()
	h := holding{world: w, node: w.node(), tokens: w.tokens(t, w.mine), renewal: w.tokens(t, w.mine), code: w.code(t, w.mine)}
	for range 2 { // the second time from memory
		h.expect(t, true)
		granted(t)(redeemAt(h.node, w.mine, right(w.code(t, w.mine))))
	}
	return h
}

// expect wants the access token to work, or not, for a call and in introspection.
func (h holding) expect(t *testing.T, works bool) {
	t.Helper()
	_, err := h.node.Authenticate(ctx, h.tokens.Access)
	if works != (err == nil) || !works && !errors.Is(err, ErrToken) {
		t.Errorf("a call: %v", err)
	}
	in, failed, err := h.node.Introspect(ctx, h.mine.proof(), h.tokens.Access)
	if err != nil || failed || in.Active != works {
		t.Errorf("introspection: active %v, failed %v, %v", in.Active, failed, err)
	}
}

// Whatever is taken back acts on the very next use, also at a node that remembers, whoever wrote it.
func TestMemoryNeverServesWhatWasTakenBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		sql := func(statement string, args ...any) func(t *testing.T, w *world) {
			return func(t *testing.T, w *world) { w.exec(t, statement, args...) }
		}
		now := w.Clock.Now()
		for _, c := range []struct {
			name       string
			take, give func(t *testing.T, w *world)
		}{
			{"the app is suspended", sql(`UPDATE apps SET suspended_at = $2 WHERE id = $1`, w.mine.ID, now), sql(`UPDATE apps SET suspended_at = NULL WHERE id = $1`, w.mine.ID)},
			{"the app is deactivated", sql(`UPDATE apps SET deactivated_at = $2 WHERE id = $1`, w.mine.ID, now), sql(`UPDATE apps SET deactivated_at = NULL WHERE id = $1`, w.mine.ID)},
			{"the person is suspended", sql(`UPDATE users SET suspended_at = $2 WHERE id = $1`, w.owner, now), sql(`UPDATE users SET suspended_at = NULL WHERE id = $1`, w.owner)},
			{"the person is restricted", sql(`UPDATE users SET restricted_at = $2 WHERE id = $1`, w.owner, now), sql(`UPDATE users SET restricted_at = NULL WHERE id = $1`, w.owner)},
			{"the person leaves", sql(`DELETE FROM business_members WHERE business_id = $1 AND user_id = $2`, w.shop, w.owner),
				sql(`INSERT INTO business_members (business_id, user_id, role, created_at) VALUES ($1, $2, 'OWNER', $3)`, w.shop, w.owner, now)},
			{"the consent is revoked", sql(`UPDATE consents SET revoked_at = $2 WHERE user_id = $1`, w.owner, now), sql(`UPDATE consents SET revoked_at = NULL WHERE user_id = $1`, w.owner)},
			{"the installation ends", sql(`UPDATE installations SET status = 'UNINSTALLED' WHERE business_id = $1`, w.shop), sql(`UPDATE installations SET status = 'ACTIVE' WHERE business_id = $1`, w.shop)},
		} {
			t.Run(c.name, func(t *testing.T) {
				h := w.holding(t)
				c.take(t, w)
				h.expect(t, false)
				_, denial, err := refreshAt(h.node, w.mine, Renewal{Token: h.renewal.Refresh})
				if denial == nil || err != nil {
					t.Errorf("refreshed: %v", err)
				}
				if _, denial, err = redeemAt(h.node, w.mine, right(h.code)); denial == nil || err != nil {
					t.Errorf("redeemed: %v", err)
				}
				c.give(t, w)
				h.expect(t, true)
				granted(t)(refreshAt(h.node, w.mine, Renewal{Token: h.renewal.Refresh}))
				granted(t)(redeemAt(h.node, w.mine, right(h.code)))
			})
		}
	})
}

// A secret that was deleted proves nothing any more, however well it is remembered; a new one counts at once.
func TestMemoryForgetsSecrets(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		h := w.holding(t)
		added, err := w.Apps.AddSecret(ctx, w.mine.ID, w.developer)
		must(t, err)
		second := client{w.mine.App, added.Value}
		granted(t)(refreshAt(h.node, second, Renewal{Token: w.tokens(t, w.mine).Refresh}))
		granted(t)(redeemAt(h.node, second, right(w.code(t, w.mine))))
		for range 2 {
			if in, failed, err := h.node.Introspect(ctx, second.proof(), h.tokens.Access); err != nil || failed || !in.Active {
				t.Errorf("introspection: active %v, failed %v, %v", in.Active, failed, err)
			}
		}
		must(t, w.Apps.DeleteSecret(ctx, w.mine.ID, w.developer, added.ID))
		if _, denial, err := refreshAt(h.node, second, Renewal{Token: h.renewal.Refresh}); denial != denyUnproven || err != nil {
			t.Errorf("refreshed: %v, %v", denial, err)
		}
		if _, denial, err := redeemAt(h.node, second, right(h.code)); denial != denyUnproven || err != nil {
			t.Errorf("redeemed: %v, %v", denial, err)
		}
		if _, failed, err := h.node.Introspect(ctx, second.proof(), h.tokens.Access); !failed || err != nil {
			t.Errorf("introspected, %v", err)
		}
		granted(t)(refreshAt(h.node, w.mine, Renewal{Token: h.renewal.Refresh})) // nothing was burnt
		granted(t)(redeemAt(h.node, w.mine, right(h.code)))
	})
}

// A client that lost its proof is nobody, whatever it holds: unknown tokens and those of others must not tell it apart.
func TestALostProofFailsWithAnyToken(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		foreign := w.tokens(t, w.other)
		for name, token := range map[string]secret.Secret{
			"of another app": foreign.Refresh, "of nobody": secret.Mint(secret.RefreshToken), "malformed": secret.Of("rt_x"),
		} {
			h := w.holding(t)
			w.exec(t, `UPDATE apps SET suspended_at = 1 WHERE id = $1`, w.mine.ID)
			if _, denial, err := refreshAt(h.node, w.mine, Renewal{Token: token}); denial != denyUnproven || err != nil {
				t.Errorf("%s: %v, %v", name, denial, err)
			}
			if _, denial, err := redeemAt(h.node, w.mine, right(token)); denial != denyUnproven || err != nil {
				t.Errorf("%s as a code: %v, %v", name, denial, err)
			}
			w.exec(t, `UPDATE apps SET suspended_at = NULL WHERE id = $1`, w.mine.ID)
			if _, denial, err := refreshAt(h.node, w.mine, Renewal{Token: token}); denial != denyGrant || err != nil {
				t.Errorf("%s: %v, %v", name, denial, err)
			}
		}
	})
}

// What a person may do is part of what is remembered of a caller.
func TestMemoryKnowsThePresentPermissions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		staff := w.person(t)
		must(t, w.businesses.AddMember(ctx, w.shop, w.owner, staff, business.Staff))
		tokens := w.tokensOf(t, w.mine, staff)
		node := w.node()
		may := func(p business.Permission) bool {
			t.Helper()
			caller, err := node.Authenticate(ctx, tokens.Access)
			must(t, err)
			return caller.Access.May(p)
		}
		grant, deny := business.Grant, business.Deny
		want := func(p business.Permission, held bool) {
			t.Helper()
			for range 2 { // read, and remembered
				if may(p) != held {
					t.Errorf("%s: %v", p, !held)
				}
			}
		}
		want(business.JournalPost, false)
		must(t, w.businesses.SetMemberOverride(ctx, w.shop, w.owner, staff, business.JournalPost, &grant))
		want(business.JournalPost, true)
		must(t, w.businesses.SetMemberOverride(ctx, w.shop, w.owner, staff, business.JournalPost, &deny))
		want(business.JournalPost, false)
		must(t, w.businesses.SetMemberOverride(ctx, w.shop, w.owner, staff, business.JournalPost, nil))
		must(t, w.businesses.SetRoleOverride(ctx, w.shop, w.owner, business.Staff, business.JournalPost, &grant))
		want(business.JournalPost, true)
		must(t, w.businesses.SetRoleOverride(ctx, w.shop, w.owner, business.Staff, business.JournalPost, nil))
		want(business.JournalPost, false)
		must(t, w.businesses.ChangeRole(ctx, w.shop, w.owner, staff, business.Admin))
		want(business.JournalPost, true)
	})
}

// New, known and just changed: never more statements than promised.
func TestGrantsKeepToTheirStatementsInAnyMemory(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		node := w.node()
		for _, c := range []struct {
			name          string
			prepare       func()
			refresh, code int64
		}{
			{"a node that knows nothing", func() { node = w.node() }, 4, 5},
			{"a node that knows all", func() {}, 3, 4},
			{"just after a change", func() { w.exec(t, `UPDATE users SET suspended_at = NULL`) }, 4, 5},
		} {
			tokens, code := w.tokens(t, w.mine), w.code(t, w.mine)
			run := func(do func(context.Context, Client) (*Denial, bool, error)) int64 {
				t.Helper()
				counting, n := db.Counting(ctx)
				client, failed, err := node.ProveForGrant(counting, w.mine.proof())
				must(t, err)
				denial, late, err := do(counting, client)
				must(t, err)
				if failed || late || denial != nil {
					t.Fatalf("%s: %v", c.name, denial)
				}
				return n.Load()
			}
			c.prepare()
			if got := run(func(ctx context.Context, client Client) (*Denial, bool, error) {
				_, denial, failed, err := node.Refresh(ctx, client, Renewal{Token: tokens.Refresh})
				return denial, failed, err
			}); got != c.refresh {
				t.Errorf("%s: a refresh took %d statements, want %d", c.name, got, c.refresh)
			}
			c.prepare()
			if got := run(func(ctx context.Context, client Client) (*Denial, bool, error) {
				_, denial, failed, err := node.Redeem(ctx, client, right(code))
				return denial, failed, err
			}); got != c.code {
				t.Errorf("%s: a code took %d statements, want %d", c.name, got, c.code)
			}
		}
	})
}

// Memory is bounded, and older knowledge never overwrites newer.
func TestMemoryForgets(t *testing.T) {
	var m memory
	for i := range maxRemembered + 10 {
		hash := make([]byte, 32)
		hash[0], hash[1], hash[2] = byte(i), byte(i>>8), byte(i>>16)
		m.keepToken(hash, &knownToken{revision: 7})
	}
	if n := len(m.tokens); n != 10 {
		t.Errorf("%d tokens are remembered", n)
	}
	m.keepClient(6, "cli_1", app.Credentials{})
	if _, _, ok := m.client("cli_1"); ok {
		t.Error("remembers under an older revision")
	}
	m.keepClient(8, "cli_1", app.Credentials{})
	if _, revision, ok := m.client("cli_1"); !ok || revision != 8 || len(m.tokens) != 0 {
		t.Error("a newer revision does not start anew")
	}
}
