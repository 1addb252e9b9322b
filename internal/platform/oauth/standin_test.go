package oauth

import (
	"errors"
	"testing"

	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

// TestAFunctionActsOnlyAsLongAsItsAppMay takes everything away that an app's access hangs on, one after another: the next call of a
// function is refused each time, and works again when it was given back.
func TestAFunctionActsOnlyAsLongAsItsAppMay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		if _, err := w.StandIn(ctx, w.mine.ID, w.shop); !errors.Is(err, ErrToken) {
			t.Errorf("not installed: %v", err)
		}
		w.install(t, w.mine)
		who, err := w.StandIn(ctx, w.mine.ID, w.shop)
		if err != nil || who.AppID != w.mine.ID || who.BusinessID != w.shop || who.UserID != w.owner || who.ClientID != w.mine.ClientID || who.Access.Role != business.Owner {
			t.Fatalf("%+v, %v", who, err)
		}
		if !who.Scopes.Within(registered) || !who.Scopes.Has(scope.InvoicesRead) {
			t.Errorf("scopes %v", who.Scopes)
		}
		if _, err := w.StandIn(ctx, w.other.ID, w.shop); !errors.Is(err, ErrToken) {
			t.Errorf("another app: %v", err)
		}
		if _, err := w.StandIn(ctx, w.mine.ID, w.newBusiness(t)); !errors.Is(err, ErrToken) {
			t.Errorf("another business: %v", err)
		}
		for name, c := range map[string]struct{ take, give string }{
			"suspended app":    {`UPDATE apps SET suspended_at = 1 WHERE id = $1`, `UPDATE apps SET suspended_at = NULL WHERE id = $1`},
			"deactivated app":  {`UPDATE apps SET deactivated_at = 1 WHERE id = $1`, `UPDATE apps SET deactivated_at = NULL WHERE id = $1`},
			"suspended user":   {`UPDATE users SET suspended_at = 1 WHERE id IN (SELECT user_id FROM consents) AND $1 <> ''`, `UPDATE users SET suspended_at = NULL WHERE $1 <> ''`},
			"restricted user":  {`UPDATE users SET restricted_at = 1 WHERE id IN (SELECT user_id FROM consents) AND $1 <> ''`, `UPDATE users SET restricted_at = NULL WHERE $1 <> ''`},
			"revoked consent":  {`UPDATE consents SET revoked_at = 1 WHERE $1 <> ''`, `UPDATE consents SET revoked_at = NULL WHERE $1 <> ''`},
			"uninstalled":      {`UPDATE installations SET status = 'UNINSTALLED' WHERE app_id = $1`, `UPDATE installations SET status = 'ACTIVE' WHERE app_id = $1`},
			"nothing in truth": {`UPDATE apps SET name = name WHERE id = $1`, ``},
		} {
			w.exec(t, c.take, w.mine.ID)
			if _, err := w.StandIn(ctx, w.mine.ID, w.shop); errors.Is(err, ErrToken) != (c.give != "") {
				t.Errorf("%s: %v", name, err)
			}
			if c.give == "" {
				continue
			}
			w.exec(t, c.give, w.mine.ID)
			if _, err := w.StandIn(ctx, w.mine.ID, w.shop); err != nil {
				t.Errorf("%s, given back: %v", name, err)
			}
		}
		w.exec(t, `UPDATE apps SET scopes = 'profile:read' WHERE id = $1`, w.mine.ID)
		if who, err := w.StandIn(ctx, w.mine.ID, w.shop); err != nil || who.Scopes.Has(scope.InvoicesRead) || !who.Scopes.Has(scope.ProfileRead) {
			t.Errorf("what the app no longer registers: %v, %v", who.Scopes, err)
		}
	})
}

// TestAFunctionActsForWhoeverAgreedFirstAndStillMay: when that person leaves, it goes on for the next.
func TestAFunctionActsForWhoeverAgreedFirstAndStillMay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.install(t, w.mine)
		second := w.person(t)
		if err := w.businesses.AddMember(ctx, w.shop, w.owner, second, business.Owner); err != nil {
			t.Fatal(err)
		}
		w.Clock.Advance(1e9)
		if _, err := w.Installs.Approve(ctx, install.Approval{AppID: w.mine.ID, BusinessID: w.shop, UserID: second, Scopes: asked}); err != nil {
			t.Fatal(err)
		}
		if who, err := w.StandIn(ctx, w.mine.ID, w.shop); err != nil || who.UserID != w.owner {
			t.Errorf("%s, %v", who.UserID, err)
		}
		if err := w.businesses.RemoveMember(ctx, w.shop, second, w.owner); err != nil {
			t.Fatal(err)
		}
		if who, err := w.StandIn(ctx, w.mine.ID, w.shop); err != nil || who.UserID != second {
			t.Errorf("%s, %v", who.UserID, err)
		}
	})
}
