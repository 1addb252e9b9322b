package oauth

import (
	"errors"
	"testing"
	"time"

	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
)

// Open registration fills the table with clients that nobody ever approves: they go after thirty days, the others stay.
func TestAppsThatNobodyApprovedGo(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		register := func() app.App {
			made, err := w.Apps.Register(ctx, app.New{
				Name: "Stray", ClientType: app.Confidential, RedirectURIs: []string{"https://stray.example/callback"}, Scopes: scope.Of(scope.ProfileRead),
			})
			must(t, err)
			return made.App
		}
		there := func(a app.App) bool {
			_, err := w.Client(ctx, a.ClientID)
			if err != nil && !errors.Is(err, app.ErrNotFound) {
				t.Fatal(err)
			}
			return err == nil
		}
		idle, asked := register(), register()
		for range 2*cleanBatch + 1 {
			register()
		}
		w.Clock.Advance(idleApp - time.Millisecond)
		must(t, w.CleanUpApps(ctx))
		if !there(idle) {
			t.Fatal("gone a millisecond early")
		}
		young := register()
		if _, denial, err := w.StartDevice(ctx, asked, nil, "here"); denial != nil || err != nil { // somebody is about to approve it
			t.Fatal(denial, err)
		}
		w.Clock.Advance(time.Millisecond)
		must(t, w.CleanUpApps(ctx))
		if there(idle) || !there(young) || !there(asked) || !there(w.mine.App) {
			t.Errorf("idle is there: %v; young: %v; asked: %v; of an organization: %v", there(idle), there(young), there(asked), there(w.mine.App))
		}
		if n := w.count(t, `SELECT count(*) FROM apps WHERE organization_id IS NULL`); n != 2 {
			t.Errorf("%d strays are left, want 2", n)
		}
	})
}
