package app_test

import (
	"strings"
	"testing"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/platform/app"
)

func TestTheTwoSwitchesOfAnApp(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.create(t, least())
		deactivate := func() (app.App, error) { return w.apps.Deactivate(ctx, made.ID, w.owner, 0) }
		reactivate := func() (app.App, error) { return w.apps.Reactivate(ctx, made.ID, w.owner, 0) }
		suspend := func() (app.App, error) { return w.apps.Suspend(ctx, made.ID, "Sends spam.") }
		unsuspend := func() (app.App, error) { return w.apps.Unsuspend(ctx, made.ID) }
		for _, step := range []struct {
			name                   string
			do                     func() (app.App, error)
			refusal                *fault.Fault
			status                 app.Status
			deactivated, suspended bool
		}{
			{"reactivating an active app", reactivate, nil, app.Active, false, false},
			{"lifting what is not there", unsuspend, nil, app.Active, false, false},
			{"the developer deactivates", deactivate, nil, app.Deactivated, true, false},
			{"the developer deactivates again", deactivate, nil, app.Deactivated, true, false},
			{"the operator suspends a deactivated app: suspension wins", suspend, nil, app.Suspended, true, true},
			{"the developer cannot reactivate a suspended app", reactivate, app.ErrSuspended, app.Suspended, true, true},
			{"the operator lifts it: the deactivation stays", unsuspend, nil, app.Deactivated, true, false},
			{"the developer reactivates", reactivate, nil, app.Active, false, false},
			{"the operator suspends an active app", suspend, nil, app.Suspended, false, true},
			{"the developer cannot lift that", reactivate, app.ErrSuspended, app.Suspended, false, true},
			{"the developer deactivates a suspended app: suspension wins", deactivate, nil, app.Suspended, true, true},
			{"the operator suspends again", suspend, nil, app.Suspended, true, true},
			{"the operator lifts it", unsuspend, nil, app.Deactivated, true, false},
			{"the developer reactivates at last", reactivate, nil, app.Active, false, false},
		} {
			t.Run(step.name, func(t *testing.T) {
				_, err := step.do()
				want(t, err, step.refusal)
				a := w.find(t, made.ID)
				if a.Status() != step.status || a.Running() != (step.status == app.Active) || (a.DeactivatedAt != nil) != step.deactivated || (a.SuspendedAt != nil) != step.suspended {
					t.Errorf("%s, deactivated at %v, suspended at %v", a.Status(), a.DeactivatedAt, a.SuspendedAt)
				}
				if (a.SuspensionReason != nil) != step.suspended {
					t.Error("reason and suspension do not go together")
				}
			})
		}
	})
}

func TestTheFirstInstantOfASwitchStays(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.create(t, least())
		first := w.Clock.Now()
		for _, reason := range []string{"Sends spam.", " Sends a lot of spam. "} {
			_, err := w.apps.Deactivate(ctx, made.ID, w.owner, 0)
			must(t, err)
			_, err = w.apps.Suspend(ctx, made.ID, reason)
			must(t, err)
			w.Clock.Advance(time.Hour)
		}
		a := w.find(t, made.ID)
		if !a.DeactivatedAt.Equal(first) || !a.SuspendedAt.Equal(first) || *a.SuspensionReason != "Sends a lot of spam." {
			t.Errorf("deactivated at %v, suspended at %v for %q", a.DeactivatedAt, a.SuspendedAt, *a.SuspensionReason)
		}
		for _, c := range []struct {
			name, reason string
			ok           bool
		}{{"none", "", false}, {"500 characters", strings.Repeat("é", 500), true}, {"501 characters", strings.Repeat("é", 501), false}} {
			_, err := w.apps.Suspend(ctx, made.ID, c.reason)
			if got := offences(err); (got == "") != c.ok || !c.ok && got != "reason" {
				t.Errorf("a reason of %s: %v", c.name, err)
			}
		}
	})
}

func TestTheReviewOfAnApp(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		made := w.create(t, least())
		for _, status := range []app.ReviewStatus{app.Approved, app.Revoked, app.Unreviewed, app.Approved} {
			a, err := w.apps.SetReview(ctx, made.ID, status)
			must(t, err)
			if a.ReviewStatus != status || w.find(t, made.ID).ReviewStatus != status || !a.Running() {
				t.Errorf("got %+v", a)
			}
		}
		for _, wrong := range []app.ReviewStatus{"", "approved", "ACTIVE"} {
			if _, err := w.apps.SetReview(ctx, made.ID, wrong); offences(err) != "reviewStatus" {
				t.Errorf("%q: %v", wrong, err)
			}
		}
		nowhere := w.IDs.New(id.App)
		_, err := w.apps.SetReview(ctx, nowhere, app.Approved)
		want(t, err, app.ErrNotFound)
		_, err = w.apps.Suspend(ctx, nowhere, "Sends spam.")
		want(t, err, app.ErrNotFound)
		_, err = w.apps.Unsuspend(ctx, nowhere)
		want(t, err, app.ErrNotFound)
	})
}
