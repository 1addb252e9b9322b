package app_test

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/organization"
)

func TestAPatchLeavesTheRest(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.create(t, least())
		set := func(s string) **string { p := text(s); return &p }
		var none *string
		_, err := w.apps.ChangeDetails(ctx, made.ID, w.developer, 1, app.DetailsPatch{Description: set("Moves ledgers."), SupportEmail: set("help@app.example"), PinnedAPIVersion: set("2026-06-01")})
		must(t, err)
		changed, err := w.apps.ChangeDetails(ctx, made.ID, w.developer, 0, app.DetailsPatch{Name: text(" Bridge "), SupportEmail: &none})
		must(t, err)
		whole := app.Details{Name: "Bridge", Description: text("Moves ledgers."), PinnedAPIVersion: text("2026-06-01")}
		if !reflect.DeepEqual(changed.Details(), whole) || changed.Version != 3 || !reflect.DeepEqual(w.find(t, made.ID), changed) {
			t.Errorf("%+v", changed)
		}
		_, err = w.apps.ChangeDetails(ctx, made.ID, w.developer, 2, app.DetailsPatch{})
		want(t, err, app.ErrVersionChanged)
		_, err = w.apps.ChangeDetails(ctx, made.ID, w.developer, 0, app.DetailsPatch{PinnedAPIVersion: set("2025-03-01")})
		want(t, err, app.ErrVersion)
		bad := app.DetailsPatch{Name: text(""), AppURL: set("x"), TermsURL: set("x")}
		_, err = w.apps.ChangeDetails(ctx, made.ID, w.developer, 0, bad)
		if got := offences(err); got != "name appUrl termsUrl" || offences(bad.Check()) != got {
			t.Errorf("complains about %q", got)
		}
	})
}

// Patches of different members that race are all kept.
func TestPatchesThatRaceLoseNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.create(t, least())
		value := text("https://app.example/x")
		var wait sync.WaitGroup
		for _, p := range []app.DetailsPatch{{Name: text("Racer")}, {Description: &value}, {AppURL: &value}, {PrivacyURL: &value}, {TermsURL: &value}} {
			wait.Go(func() {
				if _, err := w.apps.ChangeDetails(ctx, made.ID, w.developer, 0, p); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if d := w.find(t, made.ID).Details(); !reflect.DeepEqual(d, app.Details{Name: "Racer", Description: value, AppURL: value, PrivacyURL: value, TermsURL: value}) {
			t.Errorf("%+v", d)
		}
	})
}

func TestEveryChangeMayNameTheVersionItIsBasedOn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.create(t, least())
		for name, do := range map[string]func(seen int) (app.App, error){
			"SetRedirectURIs": func(seen int) (app.App, error) {
				return w.apps.SetRedirectURIs(ctx, made.ID, w.owner, seen, []string{"https://app.example/"})
			},
			"SetScopes": func(seen int) (app.App, error) {
				return w.apps.SetScopes(ctx, made.ID, w.owner, seen, scope.Of(scope.TaxesRead))
			},
			"Deactivate": func(seen int) (app.App, error) { return w.apps.Deactivate(ctx, made.ID, w.owner, seen) },
			"Reactivate": func(seen int) (app.App, error) { return w.apps.Reactivate(ctx, made.ID, w.owner, seen) },
		} {
			t.Run(name, func(t *testing.T) {
				now := w.find(t, made.ID).Version
				_, err := do(now + 1)
				want(t, err, app.ErrVersionChanged)
				if after, err := do(now); err != nil || after.Version != now+1 {
					t.Errorf("%+v, %v", after, err)
				}
			})
		}
	})
}

func TestEntriesWithACodeOfTheirOwn(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*app.New)
		code string // empty: a validation failure
		told string
	}{
		{"a scope nobody knows", func(n *app.New) { n.Scopes = scope.Set{"profile:read", "zebra:read"} }, "UNKNOWN_SCOPE", "scopes.1"},
		{"two of them", func(n *app.New) { n.Scopes = scope.Set{"zebra:read", "console:manage"} }, "UNKNOWN_SCOPE", "scopes.0 scopes.1"},
		{"a redirect URI", func(n *app.New) { n.RedirectURIs = []string{"http://app.example/"} }, "REDIRECT_URI_INVALID", "redirectUris.0"},
		{"one twice", func(n *app.New) { n.RedirectURIs = []string{"https://a.example/", "https://a.example/"} }, "REDIRECT_URI_INVALID", "redirectUris.1"},
		{"both", func(n *app.New) { n.RedirectURIs, n.Scopes = []string{"x"}, scope.Set{"x"} }, "", "redirectUris.0 scopes.0"},
		{"one and something else", func(n *app.New) { n.Name, n.Scopes = "", scope.Set{"x"} }, "", "name scopes.0"},
		{"no scopes, and a redirect URI", func(n *app.New) { n.Scopes, n.RedirectURIs = nil, []string{"x"} }, "", "redirectUris.0 scopes"},
		{"a crowd", func(n *app.New) { n.RedirectURIs = slices.Repeat([]string{"x"}, 11) }, "", "redirectUris"},
		{"a long word", func(n *app.New) { n.Scopes = scope.Set{scope.Scope(strings.Repeat("x", 9999))} }, "UNKNOWN_SCOPE", "scopes.0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := least()
			c.do(&n)
			err := n.Check()
			if f := fault.From(err); f == nil || f.Code != c.code || offences(err) != c.told || len(f.Text()) > 1000 {
				t.Errorf("%v", err)
			}
		})
	}
}

// What a metadata document says would be said again tomorrow.
func TestADescribedAppIsChangedInItsDocument(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.create(t, least())
		w.exec(t, `UPDATE apps SET origin = 'DOCUMENT' WHERE id = $1`, made.ID)
		_, err := w.apps.SetScopes(ctx, made.ID, w.developer, 0, scope.Of(scope.TaxesRead))
		want(t, err, app.ErrDescribed)
		_, err = w.apps.SetRedirectURIs(ctx, made.ID, w.developer, 0, []string{"https://app.example/"})
		want(t, err, app.ErrDescribed)
		_, err = w.apps.ChangeDetails(ctx, made.ID, w.developer, 0, app.DetailsPatch{Name: text("Other")})
		want(t, err, app.ErrDescribed)
		value := text("Moves ledgers.")
		_, err = w.apps.ChangeDetails(ctx, made.ID, w.developer, 0, app.DetailsPatch{Description: &value}) // which no document says
		must(t, err)
	})
}

func TestTheLastUseOfASecretIsWrittenDown(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made, other := w.create(t, least()), w.create(t, least())
		added, err := w.apps.AddSecret(ctx, made.ID, w.developer)
		must(t, err)
		use := app.SecretUse{AppID: made.ID, Hash: [32]byte(app.HashSecret(w.apps.Keys, added.Value))}
		foreign := app.SecretUse{AppID: other.ID, Hash: use.Hash}
		at := w.Clock.Now()
		must(t, w.apps.NoteSecretUse(ctx, map[app.SecretUse]time.Time{use: at, foreign: at}))
		must(t, w.apps.NoteSecretUse(ctx, map[app.SecretUse]time.Time{use: at.Add(-time.Hour)})) // of a node that is late
		for _, s := range append(w.secrets(t, made.ID), w.secrets(t, other.ID)...) {
			if used := s.LastUsedAt != nil; used != (s.ID == added.ID) || used && !s.LastUsedAt.Equal(at) {
				t.Errorf("%+v", s)
			}
		}
	})
}

func TestAdmitAsksForTheRole(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.create(t, least())
		_, err := w.apps.Admit(ctx, made.ID, w.viewer, organization.Build)
		want(t, err, organization.ErrRoleTooLow)
		_, err = w.apps.Admit(ctx, made.ID, w.stranger, organization.Look)
		want(t, err, app.ErrNotFound)
		if a, err := w.apps.Admit(ctx, made.ID, w.developer, organization.Build); err != nil || a.ID != made.ID {
			t.Errorf("%+v, %v", a, err)
		}
	})
}

func TestWarningsOfVersionsThatEnd(t *testing.T) {
	sunset := time.Date(2027, 6, 1, 0, 0, 0, 0, time.UTC) // of 2025-10-01
	const day = 24 * time.Hour
	for _, c := range []struct {
		name  string
		now   time.Time
		level app.Level
		left  int
	}{
		{"91 days before", sunset.Add(-91 * day), app.Notice, 91},
		{"a moment more than 90", sunset.Add(-90*day - time.Millisecond), app.Notice, 91},
		{"90 days before", sunset.Add(-90 * day), app.Warned, 90},
		{"a moment more than 30", sunset.Add(-30*day - time.Millisecond), app.Warned, 31},
		{"30 days before", sunset.Add(-30 * day), app.Urgent, 30},
		{"7 days before", sunset.Add(-7 * day), app.Critical, 7},
		{"a moment before", sunset.Add(-time.Millisecond), app.Critical, 1},
		{"at its sunset", sunset, app.Ended, 0},
		{"a year later", sunset.AddDate(1, 0, 0), app.Ended, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			called := func(version string) bool { return version == "2025-10-01" || version == "2026-06-01" }
			want := app.Warning{Version: "2025-10-01", SunsetAt: sunset, DaysLeft: c.left, Level: c.level}
			if got := (app.App{}).Warnings(called, c.now); len(got) != 1 || got[0] != want {
				t.Errorf("%+v", got)
			}
			want.Pinned = true
			if got := (app.App{PinnedAPIVersion: text("2025-10-01")}).Warnings(func(string) bool { return false }, c.now); len(got) != 1 || got[0] != want {
				t.Errorf("pinned: %+v", got)
			}
		})
	}
	if got := (app.App{PinnedAPIVersion: text("2026-06-01")}).Warnings(func(string) bool { return false }, sunset); len(got) != 0 {
		t.Errorf("the newest: %+v", got)
	}
}
