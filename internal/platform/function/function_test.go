package function_test

import (
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/event"
	"daybook/internal/platform/function"
	"daybook/internal/platform/webhook"
)

func TestARunIsWrittenDownWithItsAttempt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.active(t, "works", onPaid)
		w.happen(t, 1)
		runs := w.runs(t, f.ID)
		if len(runs) != 1 {
			t.Fatalf("%d runs", len(runs))
		}
		r, err := w.functions.RunOf(ctx, w.app.ID, w.owner, f.ID, runs[0].ID)
		must(t, err)
		if r.Outcome != function.OK || r.Log != "fine\n" || *r.Result != `{"a":"b"}` || r.Calls != 2 || r.Attempt != 1 || r.Kind != function.ByEvent || r.Type != event.InvoicePaid || r.VersionID != *f.ActiveVersion {
			t.Errorf("%+v", r)
		}
		var told struct {
			Event struct {
				ID, Type, BusinessID string
			}
			Business   struct{ ID, Currency, TimeZone string }
			APIVersion string
		}
		j := w.engine.jobs[0]
		must(t, json.Unmarshal(j.Input, &told))
		if told.Event.ID != *r.DeliveryID || told.Event.Type != "invoice.paid" || told.Business.ID != w.shop.ID || told.Business.Currency != "EUR" || told.APIVersion == "" || j.Tenant != w.app.ID {
			t.Errorf("told %s", j.Input)
		}
	})
}

// TestWhatNoStoreTakesIsMadeFit: a run's texts are a stranger's bytes, and must not keep a transaction from ending.
func TestWhatNoStoreTakesIsMadeFit(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.active(t, "fails", onPaid)
		w.happen(t, 1)
		r, err := w.functions.RunOf(ctx, w.app.ID, w.owner, f.ID, w.runs(t, f.ID)[0].ID)
		must(t, err)
		if r.Log != "a\ufffdb\ufffd" || strings.ContainsRune(*r.Error, 0) {
			t.Errorf("kept %q, %q", r.Log, *r.Error)
		}
	})
}

// TestAProcessThatCrashesIsToldToTheOperator: the developer learns that it did, the operator what it said.
func TestAProcessThatCrashesIsToldToTheOperator(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.active(t, "crashes", onPaid)
		w.happen(t, 1)
		r, err := w.functions.RunOf(ctx, w.app.ID, w.owner, f.ID, w.runs(t, f.ID)[0].ID)
		must(t, err)
		if said := w.said.String(); r.Outcome != function.Crashed || *r.Error != "its process ended" || !strings.Contains(said, r.ID) || !strings.Contains(said, "no thread") {
			t.Errorf("kept %s %q, said %q", r.Outcome, *r.Error, said)
		}
	})
}

// TestNothingIsLostWhileNothingCanRun: what cannot be run is put back, and is no failure of the function.
func TestNothingIsLostWhileNothingCanRun(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.active(t, "cannot run", onPaid)
		must(t, w.Write(ctx, func(tx *db.Tx) error {
			return w.events.Append(ctx, tx, w.shop.ID, event.Actor{Type: event.System}, event.Happening{Type: event.InvoicePaid, Data: event.Data{}})
		}))
		for begun := time.Now(); w.engine.ran() == 0; time.Sleep(time.Millisecond) {
			if time.Since(begun) > 10*time.Second {
				t.Fatal("it is not tried")
			}
		}
		if got := w.get(t, f.ID); got.Failures != 0 || len(w.runs(t, f.ID)) != 0 {
			t.Errorf("%+v", got)
		}
		source := "export default () => 'works'"
		_, err := w.functions.Upload(ctx, w.app.ID, w.owner, f.ID, source)
		must(t, err)
		_, err = w.functions.Activate(ctx, w.app.ID, w.owner, f.ID, 0, "")
		must(t, err)
		must(t, w.sender.Settle(ctx))
		if runs := w.runs(t, f.ID); len(runs) != 1 || runs[0].Outcome != function.OK || runs[0].Attempt != 1 {
			t.Errorf("%+v", runs)
		}
	})
}

// TestFailuresInARowSwitchOffOnce: many runs fail at once; the function is switched off by exactly one of them.
func TestFailuresInARowSwitchOffOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.active(t, "fails", onPaid)
		w.happen(t, function.MaxFailures-1)
		if got := w.get(t, f.ID); got.State != function.Active || got.Failures != function.MaxFailures-1 {
			t.Fatalf("%+v", got)
		}
		w.happen(t, 5)
		got := w.get(t, f.ID)
		if got.State != function.Disabled || *got.Why != function.ByFailures || w.acts.count("function.switched_off") != 1 {
			t.Errorf("%+v, %d acts", got, w.acts.count("function.switched_off"))
		}
		ran := w.engine.ran()
		w.happen(t, 1)
		if w.engine.ran() != ran {
			t.Error("it runs although it is off")
		}
		if got, err := w.functions.Activate(ctx, w.app.ID, w.owner, f.ID, 0, ""); err != nil || got.Failures != 0 || got.Why != nil {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// TestASuccessEndsTheRow: failures count only in a row.
func TestASuccessEndsTheRow(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.active(t, "fails", onPaid)
		w.happen(t, 3)
		_, err := w.functions.Upload(ctx, w.app.ID, w.owner, f.ID, "export default () => 'works'")
		must(t, err)
		must(t, w.Write(ctx, func(tx *db.Tx) error { // as another node would: the row goes on
			_, err := tx.Exec(ctx, `UPDATE functions SET active_version = (SELECT id FROM function_versions v WHERE v.function_id = functions.id AND v.number = 2) WHERE id = $1`, f.ID)
			return err
		}))
		if got := w.get(t, f.ID); got.Failures != 3 {
			t.Fatalf("%+v", got)
		}
		w.happen(t, 1)
		if got := w.get(t, f.ID); got.Failures != 0 {
			t.Errorf("%+v", got)
		}
	})
}

// TestAnInstantOfAScheduleIsQueuedOnce: many nodes look at once, one of them queues.
func TestAnInstantOfAScheduleIsQueuedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.active(t, "works", function.Trigger{Kind: function.BySchedule, Every: function.Hourly})
		due, ok, err := w.functions.NextDue(ctx)
		must(t, err)
		if !ok || !due.Equal(*f.NextAt) || due.Minute() != 0 {
			t.Fatalf("due at %v, %v", due, ok)
		}
		must(t, w.functions.RunDue(ctx))
		w.Clock.Set(due)
		var wait sync.WaitGroup
		for range 16 {
			wait.Go(func() {
				if err := w.functions.RunDue(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		must(t, w.sender.Settle(ctx))
		runs := w.runs(t, f.ID)
		if len(runs) != 1 || runs[0].Type != "schedule.hourly" || runs[0].BusinessID != w.shop.ID || !runs[0].StartedAt.Equal(due) {
			t.Errorf("%+v", runs)
		}
		w.Clock.Set(due.Add(5*time.Hour + time.Minute)) // nobody looked meanwhile
		must(t, w.functions.RunDue(ctx))
		must(t, w.sender.Settle(ctx))
		if got := w.get(t, f.ID); len(w.runs(t, f.ID)) != 2 || !got.NextAt.Equal(due.Add(6*time.Hour)) {
			t.Errorf("%d runs, next at %v", len(w.runs(t, f.ID)), got.NextAt)
		}
		must(t, w.installs.RevokeAccess(ctx, w.shop.ID, w.owner, w.installation.ID))
		_, err = w.installs.Uninstall(ctx, w.shop.ID, w.owner, w.installation.ID)
		must(t, err)
		w.Clock.Set(due.Add(6 * time.Hour))
		must(t, w.functions.RunDue(ctx))
		must(t, w.sender.Settle(ctx))
		if len(w.runs(t, f.ID)) != 2 {
			t.Error("it runs in a business that no longer has the app")
		}
	})
}

// TestVersionsThatComeAtOnceHaveNumbersOfTheirOwn: uploads and activations race; nothing is lost, and one version is active.
func TestVersionsThatComeAtOnceHaveNumbersOfTheirOwn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.active(t, "works", onPaid)
		var wait sync.WaitGroup
		var stale atomic.Int32
		for range 8 {
			wait.Go(func() {
				if _, err := w.functions.Upload(ctx, w.app.ID, w.owner, f.ID, "export default () => 1"); err != nil {
					t.Error(err)
				}
			})
			wait.Go(func() {
				if _, err := w.functions.Disable(ctx, w.app.ID, w.owner, f.ID, f.Version); err != nil {
					stale.Add(1)
				}
			})
		}
		wait.Wait()
		versions, err := w.functions.Versions(ctx, w.app.ID, w.owner, f.ID)
		must(t, err)
		for i, v := range versions {
			if v.Number != len(versions)-i {
				t.Errorf("version %d has number %d", i, v.Number)
			}
		}
		if len(versions) != 9 || stale.Load() != 7 {
			t.Errorf("%d versions, %d came too late", len(versions), stale.Load())
		}
	})
}

func TestSecretsOfTheConfigurationAreSealed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.active(t, "works", onPaid)
		_, err := w.functions.SetConfig(ctx, w.app.ID, w.owner, "key", "open sesame", true)
		must(t, err)
		list, err := w.functions.Config(ctx, w.app.ID, w.owner)
		must(t, err)
		if len(list) != 1 || !list[0].Secret || list[0].Value != "" {
			t.Errorf("%+v", list)
		}
		w.happen(t, 1)
		if got := string(w.engine.jobs[0].Config); got != `{"key":"open sesame"}` {
			t.Errorf("the function finds %s", got)
		}
		must(t, w.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE function_config SET sealed = $1`, []byte("broken"))
			return err
		}))
		w.happen(t, 1)
		var last webhook.Delivery
		deliveries, err := w.functions.Deliveries(ctx, w.app.ID, w.owner, f.ID, webhook.Filter{})
		must(t, err)
		if last = deliveries[0]; last.Status != webhook.Retrying || !strings.Contains(*last.LastError, "set it again") || w.engine.ran() != 1 {
			t.Errorf("%+v", last)
		}
		for i := range function.MaxSettings {
			_, err = w.functions.SetConfig(ctx, w.app.ID, w.owner, "k"+strings.Repeat("x", i), "v", false)
		}
		refused(t, err, function.ErrKeys)
	})
}

func TestRunsGoAfterThirtyDaysAndWithTheirBusiness(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.active(t, "works", onPaid)
		w.happen(t, 3)
		w.Clock.Advance(function.Retention - time.Hour)
		must(t, w.functions.CleanUp(ctx))
		if len(w.runs(t, f.ID)) != 3 {
			t.Fatal("runs are gone before their time")
		}
		w.Clock.Advance(2 * time.Hour)
		w.happen(t, 1)
		must(t, w.functions.CleanUp(ctx))
		if len(w.runs(t, f.ID)) != 1 {
			t.Errorf("%d runs are left", len(w.runs(t, f.ID)))
		}
		must(t, w.Write(ctx, func(tx *db.Tx) error { return w.functions.Erase(ctx, tx, w.shop.ID, w.app.ID) }))
		if len(w.runs(t, f.ID)) != 0 {
			t.Error("what was erased is still there")
		}
		must(t, w.functions.Delete(ctx, w.app.ID, w.owner, f.ID, 0))
		w.Clock.Advance(function.Retention + 2*time.Hour)
		must(t, w.functions.CleanUp(ctx))
		var left int
		must(t, w.Read(ctx, func(tx *db.Tx) (err error) {
			left, err = db.One(ctx, tx, db.Value[int], `SELECT (SELECT count(*) FROM functions) + (SELECT count(*) FROM function_versions)`)
			return err
		}))
		if left != 0 {
			t.Errorf("%d rows are left of a function that was deleted", left)
		}
	})
}
