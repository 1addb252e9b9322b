package app_test

import (
	"errors"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
)

func TestWhatADeveloperMayChange(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.create(t, least())
		w.Clock.Advance(time.Minute)
		d := app.Details{
			Name: "Ledger Bridge", Description: text("Moves ledgers."), AppURL: text("https://app.example/"), SupportEmail: text("help@app.example"),
			PrivacyURL: text("https://app.example/privacy"), TermsURL: text("https://app.example/terms"), PinnedAPIVersion: text("2026-06-01"),
		}
		changed, err := w.apps.SetDetails(ctx, made.ID, w.developer, 0, d)
		must(t, err)
		if changed.Version != 2 || !changed.UpdatedAt.Equal(w.Clock.Now()) || !changed.CreatedAt.Equal(made.CreatedAt) || !reflect.DeepEqual(changed.Details(), d) {
			t.Errorf("got %+v", changed)
		}
		if read := w.find(t, made.ID); !reflect.DeepEqual(read, changed) {
			t.Errorf("read back %+v, got %+v", read, changed)
		}
		cleared, err := w.apps.SetDetails(ctx, made.ID, w.developer, 2, app.Details{Name: "Ledger Bridge", Description: text(" "), AppURL: text("")})
		must(t, err)
		if !reflect.DeepEqual(cleared.Details(), app.Details{Name: "Ledger Bridge"}) {
			t.Errorf("cleared to %+v", cleared.Details())
		}
		if cleared.ClientID != made.ClientID || cleared.ClientType != made.ClientType || !reflect.DeepEqual(cleared.RedirectURIs, made.RedirectURIs) || !cleared.Scopes.Equal(made.Scopes) {
			t.Error("something else changed as well")
		}

		_, err = w.apps.SetDetails(ctx, made.ID, w.developer, 0, app.Details{
			Name: "Daybook", Description: text(strings.Repeat("x", 501)), AppURL: text("x"), SupportEmail: text("x"), PrivacyURL: text("http://app.example"), TermsURL: text("javascript:1"),
		})
		if got := offences(err); got != "name description appUrl supportEmail privacyUrl termsUrl" {
			t.Errorf("complains about %q", got)
		}
		_, err = w.apps.SetDetails(ctx, made.ID, w.developer, 0, app.Details{Name: "Ledger", Description: text(strings.Repeat("é", 500))})
		must(t, err)
	})
}

func TestRedirectURIsAndScopesAreReplaced(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.create(t, least())
		uris := []string{"https://new.example/cb", "http://localhost:3000/cb"}
		_, err := w.apps.SetRedirectURIs(ctx, made.ID, w.developer, 0, uris)
		must(t, err)
		uris[0] = "https://evil.example/" // the caller's list is the caller's
		_, err = w.apps.SetScopes(ctx, made.ID, w.developer, 0, scope.Set{scope.EventsRead, scope.InvoicesRead, scope.EventsRead})
		must(t, err)
		a := w.find(t, made.ID)
		if strings.Join(a.RedirectURIs, " ") != "https://new.example/cb http://localhost:3000/cb" || a.Scopes.String() != "invoices:read events:read" || a.Version != 3 {
			t.Errorf("got %+v", a)
		}
		for _, bad := range [][]string{nil, {"http://app.example/"}} {
			if _, err := w.apps.SetRedirectURIs(ctx, made.ID, w.developer, 0, bad); !strings.HasPrefix(offences(err), "redirectUris") {
				t.Errorf("%v: %v", bad, err)
			}
		}
		for _, bad := range []scope.Set{nil, {"console:manage"}, {"invoices:read", "invoices:shred"}} {
			if _, err := w.apps.SetScopes(ctx, made.ID, w.developer, 0, bad); !strings.HasPrefix(offences(err), "scopes") {
				t.Errorf("%v: %v", bad, err)
			}
		}
		if after := w.find(t, made.ID); !reflect.DeepEqual(after, a) {
			t.Errorf("a refused change changed %+v", after)
		}
	})
}

func TestPinningAVersion(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.create(t, least())
		sunset := time.Date(2027, 6, 1, 0, 0, 0, 0, time.UTC) // of 2025-10-01
		pin := func(version *string) error {
			d := w.find(t, made.ID).Details()
			d.PinnedAPIVersion, d.Description = version, text(w.Clock.Now().String())
			_, err := w.apps.SetDetails(ctx, made.ID, w.developer, 0, d)
			return err
		}
		for _, c := range []struct {
			name    string
			at      time.Time
			version *string
			ok      bool
			pinned  *string // afterwards
		}{
			{"no version", w.Clock.Now(), text("2026-06-02"), false, nil},
			{"an empty version", w.Clock.Now(), text(""), false, nil},
			{"one past its sunset", w.Clock.Now(), text("2025-03-01"), false, nil},
			{"the newest", w.Clock.Now(), text("2026-06-01"), true, text("2026-06-01")},
			{"a deprecated one, a millisecond before its sunset", sunset.Add(-time.Millisecond), text("2025-10-01"), true, text("2025-10-01")},
			{"the same one at its sunset, with another change", sunset, text("2025-10-01"), true, text("2025-10-01")},
			{"the same one a year later, with another change", sunset.AddDate(1, 0, 0), text("2025-10-01"), true, text("2025-10-01")},
			{"another one past its sunset", sunset, text("2025-03-01"), false, text("2025-10-01")},
			{"none any more", sunset, nil, true, nil},
			{"the old one again, at its sunset", sunset, text("2025-10-01"), false, nil},
		} {
			t.Run(c.name, func(t *testing.T) {
				w.Clock.Set(c.at)
				err := pin(c.version)
				if c.ok {
					must(t, err)
				} else {
					want(t, err, app.ErrVersion)
				}
				if a := w.find(t, made.ID); !reflect.DeepEqual(a.PinnedAPIVersion, c.pinned) {
					t.Errorf("pinned to %v", a.PinnedAPIVersion)
				} else if c.ok && *a.Description != c.at.String() {
					t.Error("the other change was lost")
				}
			})
		}
	})
}

func TestOnlyTheReaderOfTheNewestVersionWrites(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.create(t, least())
		set := func(version int, name string) error {
			_, err := w.apps.SetDetails(ctx, made.ID, w.developer, version, app.Details{Name: name})
			return err
		}
		want(t, set(2, "A version that is yet to come"), app.ErrVersionChanged)
		want(t, set(1, "First"), nil)
		want(t, set(1, "Second"), app.ErrVersionChanged)
		if a := w.find(t, made.ID); a.Name != "First" || a.Version != 2 {
			t.Errorf("got %+v", a)
		}
		var wins atomic.Int32
		var wait sync.WaitGroup
		for range 16 {
			wait.Go(func() {
				switch err := set(2, "Racer"); {
				case err == nil:
					wins.Add(1)
				case !errors.Is(err, app.ErrVersionChanged):
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if a := w.find(t, made.ID); wins.Load() != 1 || a.Version != 3 {
			t.Errorf("%d won, version %d", wins.Load(), a.Version)
		}
	})
}

// Who names no version has nothing to be in conflict with; least of all an operator who suspends.
func TestChangesWithoutAVersionAllHappen(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.create(t, least())
		var wait sync.WaitGroup
		for racer := range 16 {
			wait.Go(func() {
				var err error
				switch racer % 4 {
				case 0:
					_, err = w.apps.SetDetails(ctx, made.ID, w.developer, 0, app.Details{Name: "Racer"})
				case 1:
					_, err = w.apps.SetScopes(ctx, made.ID, w.developer, 0, scope.Of(scope.TaxesRead))
				case 2:
					_, err = w.apps.Suspend(ctx, made.ID, "Sends spam.")
				case 3:
					_, err = w.apps.SetReview(ctx, made.ID, app.Approved)
				}
				if err != nil {
					t.Errorf("racer %d: %v", racer, err)
				}
			})
		}
		wait.Wait()
		if a := w.find(t, made.ID); a.Version != 17 || a.Name != "Racer" || a.Status() != app.Suspended || a.ReviewStatus != app.Approved || !a.Scopes.Has(scope.TaxesRead) {
			t.Errorf("after 16 changes: %+v", a)
		}
	})
}
