package install_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/app"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
)

// erasures remembers what was erased, business and app, in transactions that came about.
type erasures struct {
	mu   sync.Mutex
	done []string
	fail string // a business in which it does not work
}

func (e *erasures) erase(_ context.Context, tx *db.Tx, businessID, appID string) error {
	if businessID == e.fail {
		return errors.New("disk")
	}
	tx.AfterCommit(func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.done = append(e.done, businessID+" "+appID)
	})
	return nil
}

// witness remembers what was told, in transactions that came about.
type witness struct {
	mu  sync.Mutex
	all []install.Happening
}

func (l *witness) Record(_ context.Context, tx *db.Tx, h install.Happening) error {
	tx.AfterCommit(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.all = append(l.all, h)
	})
	return nil
}

// uninstalled is an app that was in a business.
func (w *world) uninstalled(t *testing.T, businessID, appID string) install.Installation {
	t.Helper()
	done := w.approve(t, install.Approval{AppID: appID, BusinessID: businessID, UserID: w.owner, Scopes: scope.Of(scope.ProfileRead)})
	i, err := w.installs.Uninstall(ctx, businessID, w.owner, done.Installation.ID)
	must(t, err)
	return i
}

func TestDataIsErased48HoursAfterUninstalling(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		log := &witness{}
		w.installs.Log = log
		var e erasures
		i := w.uninstalled(t, w.shop, w.app.ID)
		w.Clock.Advance(48*time.Hour - time.Millisecond)
		must(t, w.installs.RedactDue(ctx, e.erase))
		if len(e.done) != 0 {
			t.Fatalf("too early: %v", e.done)
		}
		w.Clock.Advance(time.Millisecond)
		for range 3 {
			must(t, w.installs.RedactDue(ctx, e.erase))
		}
		if !slices.Equal(e.done, []string{w.shop + " " + w.app.ID}) {
			t.Fatalf("erased %v", e.done)
		}
		last := log.all[len(log.all)-1]
		if last.Kind != install.KindRedacted || last.Installation.ID != i.ID || last.RequestID == "" || !last.DueBy.Equal(w.Clock.Now().Add(30*24*time.Hour)) {
			t.Errorf("told %+v", last)
		}
		found, err := w.installs.Get(ctx, w.shop, w.owner, i.ID)
		if err != nil || found.RedactAt != nil || found.Status != install.Uninstalled {
			t.Errorf("%+v, %v", found, err)
		}
	})
}

func TestInstallingAgainKeepsTheData(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var e erasures
		w.uninstalled(t, w.shop, w.app.ID)
		w.Clock.Advance(47 * time.Hour)
		w.approve(t, w.yes(w.owner, scope.ProfileRead))
		w.Clock.Advance(100 * time.Hour)
		must(t, w.installs.RedactDue(ctx, e.erase))
		if len(e.done) != 0 {
			t.Fatalf("erased %v", e.done)
		}
	})
}

func TestOneThatFailsDoesNotStopTheOthers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var e erasures
		other := w.newBusiness(t, nil)
		w.uninstalled(t, w.shop, w.app.ID)
		w.Clock.Advance(time.Second)
		w.uninstalled(t, other, w.app.ID)
		w.uninstalled(t, other, w.newApp(t, app.Approved).ID)
		w.Clock.Advance(48 * time.Hour)
		e.fail = w.shop
		if err := w.installs.RedactDue(ctx, e.erase); err == nil || len(e.done) != 2 {
			t.Errorf("%v, erased %v", err, e.done)
		}
		e.fail = ""
		must(t, w.installs.RedactDue(ctx, e.erase)) // is tried again
		if len(e.done) != 3 {
			t.Errorf("erased %v", e.done)
		}
	})
}

// Nodes that look at once, and someone who installs the app again at that moment: the data goes once or stays, and it goes only
// if that came first.
func TestManyNodesAndAnInstallationRace(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		log := &witness{}
		w.installs.Log = log
		for range 8 {
			var e erasures
			a := w.newApp(t, app.Approved)
			w.uninstalled(t, w.shop, a.ID)
			w.Clock.Advance(48 * time.Hour)
			told := len(log.all)
			var wait sync.WaitGroup
			for range 6 {
				wait.Go(func() {
					if err := w.installs.RedactDue(ctx, e.erase); err != nil {
						t.Error(err)
					}
				})
			}
			wait.Go(func() {
				if _, err := w.installs.Approve(ctx, install.Approval{AppID: a.ID, BusinessID: w.shop, UserID: w.owner, Scopes: scope.Of(scope.ProfileRead)}); err != nil {
					t.Error(err)
				}
			})
			wait.Wait()
			var kinds []install.Kind
			for _, h := range log.all[told:] {
				kinds = append(kinds, h.Kind)
			}
			switch len(e.done) {
			case 0:
				if !slices.Equal(kinds, []install.Kind{install.KindInstalled}) {
					t.Fatalf("kept, and told %v", kinds)
				}
			case 1:
				if len(kinds) != 2 || !slices.Contains(kinds, install.KindRedacted) || !slices.Contains(kinds, install.KindInstalled) {
					t.Fatalf("erased, and told %v", kinds)
				}
			default:
				t.Fatalf("erased %v", e.done)
			}
			w.Clock.Advance(100 * time.Hour)
			must(t, w.installs.RedactDue(ctx, e.erase))
			if len(e.done) > 1 {
				t.Fatal("erased again")
			}
		}
	})
}
