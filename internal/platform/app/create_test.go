package app_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
	"daybook/internal/schema/dbtest"
)

func TestANewAppIsAsAskedFor(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.create(t, app.New{
			Name: " Ledger Sync ", ClientType: app.Confidential, RedirectURIs: []string{"https://b.example/", "https://a.example/"},
			Scopes: scope.Set{scope.TaxesRead, scope.ProfileRead, scope.TaxesRead}, AppURL: text("https://app.example/"),
		})
		if made.Name != "Ledger Sync" || made.Origin != app.Console || made.ReviewStatus != app.Unreviewed || made.Status() != app.Active || !made.Running() ||
			made.PinnedAPIVersion != nil || made.Version != 1 || !made.CreatedAt.Equal(dbtest.Start) || !id.Valid(id.App, made.ID) {
			t.Errorf("got %+v", made.App)
		}
		if made.Scopes.String() != "profile:read taxes:read" || strings.Join(made.RedirectURIs, " ") != "https://b.example/ https://a.example/" {
			t.Errorf("scopes %v, redirects %v: want the first in order and once, the second as given", made.Scopes, made.RedirectURIs)
		}
		if rest, ok := strings.CutPrefix(made.ClientID, "cli_"); !ok || len(rest) != 32 {
			t.Errorf("client id %q", made.ClientID)
		}
		if !secret.WellFormed(secret.ClientSecret, made.ClientSecret.Reveal()) {
			t.Error("no client secret")
		}
		read, err := w.apps.Get(ctx, made.ID, w.viewer)
		must(t, err)
		if !reflect.DeepEqual(read, made.App) {
			t.Errorf("read back %+v, made %+v", read, made.App)
		}
		must(t, w.Read(ctx, func(tx *db.Tx) error {
			found, err := app.FindClient(ctx, tx, made.ClientID)
			if err == nil && found.ID != made.ID {
				t.Errorf("the client id finds %s", found.ID)
			}
			return err
		}))
		if second := w.create(t, least()); second.ClientID == made.ClientID || second.ClientSecret.Equal(made.ClientSecret) {
			t.Error("two apps share what must be their own")
		}
		list, err := w.apps.List(ctx, w.organization, w.viewer)
		must(t, err)
		if len(list) != 2 {
			t.Errorf("lists %d apps", len(list))
		}
	})
}

func TestAnAppThatIsNotThere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, nowhere := range []string{"", "app_", "cli_", w.IDs.New(id.App), "app_\x00", "cli_\xff", "https://client.example/metadata", strings.Repeat("x", 5000)} {
			want(t, w.Read(ctx, func(tx *db.Tx) error { _, err := app.Find(ctx, tx, nowhere); return err }), app.ErrNotFound)
			want(t, w.Read(ctx, func(tx *db.Tx) error { _, err := app.FindClient(ctx, tx, nowhere); return err }), app.ErrNotFound)
		}
	})
}

func TestAFixtureGivesWhatIsOtherwiseMinted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		create := func(n app.New, given app.Given) (made app.Created, err error) {
			do, err := w.apps.Prepare(w.organization, w.developer, n, given)
			if err != nil {
				return made, err
			}
			err = w.Write(ctx, func(tx *db.Tx) (err error) {
				made, err = do(ctx, tx)
				return err
			})
			return made, err
		}
		made, err := create(least(), app.Given{ClientID: "cli_fixed", ClientSecret: secret.Of("fixed"), ReviewStatus: app.Approved, PinnedAPIVersion: text("2025-10-01")})
		must(t, err)
		if a := w.find(t, made.ID); a.ClientID != "cli_fixed" || a.ReviewStatus != app.Approved || *a.PinnedAPIVersion != "2025-10-01" || made.ClientSecret.Reveal() != "fixed" {
			t.Errorf("got %+v", a)
		}
		public := least()
		public.ClientType = app.Public
		_, err = create(public, app.Given{ClientSecret: secret.Of("fixed")})
		want(t, err, app.ErrNoSecrets)
		_, err = create(least(), app.Given{PinnedAPIVersion: text("2025-03-01")})
		want(t, err, app.ErrVersion) // past its sunset
		_, err = create(least(), app.Given{ClientID: "cli_fixed"})
		want(t, err, app.ErrClientIDTaken)
		if _, err = create(least(), app.Given{ReviewStatus: "GOOD"}); offences(err) != "reviewStatus" {
			t.Errorf("a review that does not exist: %v", err)
		}
		if list, err := w.apps.List(ctx, w.organization, w.viewer); err != nil || len(list) != 1 {
			t.Errorf("%d apps, %v: refused ones must not be there", len(list), err)
		}
	})
}

func TestASecretsValueIsStoredNowhere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.create(t, least())
		added, err := w.apps.AddSecret(ctx, made.ID, w.developer)
		must(t, err)
		must(t, w.Read(ctx, func(tx *db.Tx) error {
			rows, err := db.All(ctx, tx, func(scan db.Scan) ([]byte, error) {
				var name, client, id string
				var hash []byte
				err := scan(&name, &client, &id, &hash)
				return append(hash, name+client+id...), err
			}, `SELECT a.name, a.client_id, s.id, s.hash FROM apps a JOIN app_secrets s ON s.app_id = a.id`)
			if len(rows) != 2 || bytes.Equal(rows[0], rows[1]) {
				t.Errorf("%d secrets", len(rows))
			}
			for _, row := range rows {
				for _, value := range []string{made.ClientSecret.Reveal(), added.Value.Reveal()} {
					if bytes.Contains(row, []byte(value[3:19])) {
						t.Error("the value is in the table")
					}
				}
			}
			return err
		}))
	})
}
