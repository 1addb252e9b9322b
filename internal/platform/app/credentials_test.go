package app_test

import (
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
)

func TestWhatProvesAnApp(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made, other := w.create(t, least()), w.create(t, least())
		added, err := w.apps.AddSecret(ctx, made.ID, w.developer)
		must(t, err)
		n := least()
		n.ClientType = app.Public
		public := w.create(t, n)
		proves := func(clientID string, value secret.Secret) bool {
			t.Helper()
			counting, cost := db.Counting(ctx)
			var c app.Credentials
			must(t, w.Read(counting, func(tx *db.Tx) (err error) {
				c, _, err = app.FindCredentials(counting, tx, clientID)
				return err
			}))
			if c.App.ClientID != clientID || cost.Load() != 1 {
				t.Errorf("found %s in %d statements", c.App.ClientID, cost.Load())
			}
			return c.Proves(app.HashSecret(w.apps.Keys, value))
		}
		for _, c := range []struct {
			name, clientID string
			value          secret.Secret
			ok             bool
		}{
			{"its first secret", made.ClientID, made.ClientSecret, true},
			{"its second secret", made.ClientID, added.Value, true},
			{"another app's secret", made.ClientID, other.ClientSecret, false},
			{"its secret for another app", other.ClientID, made.ClientSecret, false},
			{"a secret never given out", made.ClientID, secret.Mint(secret.ClientSecret), false},
			{"no secret", made.ClientID, secret.Of(""), false},
			{"a secret of an app that has none", public.ClientID, made.ClientSecret, false},
			{"no secret of an app that has none", public.ClientID, secret.Of(""), false},
		} {
			t.Run(c.name, func(t *testing.T) {
				if got := proves(c.clientID, c.value); got != c.ok {
					t.Errorf("proves: %v", got)
				}
			})
		}
		must(t, w.apps.DeleteSecret(ctx, made.ID, w.developer, added.ID))
		if proves(made.ClientID, added.Value) || !proves(made.ClientID, made.ClientSecret) {
			t.Error("a deleted secret counts, or the one that is left does not")
		}
		for _, nobody := range []string{"", "cli_nobody", "cli_\x00", "cli_\xff"} {
			want(t, w.Read(ctx, func(tx *db.Tx) error { _, _, err := app.FindCredentials(ctx, tx, nobody); return err }), app.ErrNotFound)
		}
	})
}
