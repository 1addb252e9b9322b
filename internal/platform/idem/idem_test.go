package idem_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/platform/idem"
	"daybook/internal/schema/dbtest"
)

func TestTheSameRequestGetsTheSameAnswer(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *idem.Service) {
		for i := range 3 {
			a, err := idem.Run(ctx, service, claim("k", "f"), count, render)
			if err != nil || a.Status != 201 || string(a.Body) != "I" || a.Header["ETag"] != `"1"` || a.Replayed != (i > 0) {
				t.Fatalf("time %d: %+v, %v", i, a, err)
			}
		}
		if counted(t, s) != 1 {
			t.Errorf("it happened %d times", counted(t, s))
		}
	})
}

func TestWhatIsDifferentHappensByItself(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *idem.Service) {
		if _, err := idem.Run(ctx, service, claim("k", "f"), count, render); err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]*idem.Claim{
			"another key":      {BusinessID: "biz_1", Caller: "app_1", Key: "K", Fingerprint: []byte("f")},
			"another caller":   {BusinessID: "biz_1", Caller: "app_2", Key: "k", Fingerprint: []byte("f")},
			"another business": {BusinessID: "biz_2", Caller: "app_1", Key: "k", Fingerprint: []byte("f")},
			"no key":           nil,
		} {
			before := counted(t, s)
			if a, err := idem.Run(ctx, service, c, count, render); err != nil || a.Replayed || counted(t, s) != before+1 {
				t.Errorf("%s: %+v, %v", name, a, err)
			}
		}
		before := counted(t, s)
		if _, err := idem.Run(ctx, service, claim("k", "g"), count, render); code(err) != "IDEMPOTENCY_KEY_REUSED" || counted(t, s) != before {
			t.Errorf("another request under the same key: %v", err)
		}
	})
}

func TestAnswersAreKeptForADay(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *idem.Service) {
		run := func(fingerprint string) (idem.Answer, error) {
			return idem.Run(ctx, service, claim("k", fingerprint), count, render)
		}
		if _, err := run("f"); err != nil {
			t.Fatal(err)
		}
		s.Clock.Advance(24*time.Hour - time.Millisecond)
		if a, err := run("f"); err != nil || !a.Replayed {
			t.Errorf("a millisecond before: %+v, %v", a, err)
		}
		s.Clock.Advance(time.Millisecond)
		if a, err := run("another"); err != nil || a.Replayed || string(a.Body) != "II" {
			t.Errorf("a day later: %+v, %v", a, err)
		}
		// The old row was replaced, and counts its own day.
		s.Clock.Advance(24*time.Hour - time.Millisecond)
		if a, err := run("another"); err != nil || !a.Replayed || string(a.Body) != "II" {
			t.Errorf("the day after: %+v, %v", a, err)
		}
	})
}

func TestLastingRefusalsAreKeptAndPassingOnesAreNot(t *testing.T) {
	plan := fault.New(fault.Forbidden, "PLAN_INVOICE_LIMIT_REACHED", "No more.")
	for _, c := range []struct {
		err  error
		kept bool
	}{
		{fault.InvalidFields("name is required"), true},
		{fault.New(fault.Invalid, "PERIOD_LOCKED", "Locked."), true},
		{fault.New(fault.NotFound, "NOT_FOUND", "Nothing."), true},
		{fault.New(fault.Stale, "VERSION_CONFLICT", "Old."), true},
		{fault.New(fault.Unprocessable, "CONTRADICTION", "No."), true},
		{fmt.Errorf("creating: %w", plan), true},
		{fault.New(fault.Forbidden, "PERMISSION_DENIED", "No."), false},
		{fault.New(fault.Unauthenticated, "UNAUTHENTICATED", "Who?"), false},
		{fault.New(fault.Conflict, "INVALID_STATE", "Not now."), false},
		{fault.New(fault.Limited, "LIMITED", "Later."), false},
		{fault.New(fault.TooLarge, "BODY_TOO_LARGE", "Less."), false},
		{fault.New(fault.Unavailable, "AWAY", "Later."), false},
		{errDisk, false},
	} {
		t.Run(c.err.Error(), func(t *testing.T) {
			each(t, func(t *testing.T, s *dbtest.Store, service *idem.Service) {
				if _, err := idem.Run(ctx, service, claim("k", "f"), refuse(c.err), render); code(err) != code(c.err) || err == nil {
					t.Fatalf("refused with %v", err)
				}
				if counted(t, s) != 0 {
					t.Error("what was refused left a trace")
				}
				a, err := idem.Run(ctx, service, claim("k", "f"), count, render)
				if err != nil {
					t.Fatal(err)
				}
				if c.kept != a.Replayed || c.kept != (a.Status == 400) || c.kept == (counted(t, s) == 1) {
					t.Errorf("the next time: %+v", a)
				}
				if c.kept && (string(a.Body) != fault.From(c.err).Text() || a.Header["X"] != "refused") {
					t.Errorf("kept as %s %v", a.Body, a.Header)
				}
			})
		})
	}
}

func TestARefusalBeforeTheStepIsKeptToo(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *idem.Service) {
		c := claim("k", "f")
		if a, err := service.Begin(ctx, c); a != nil || err != nil {
			t.Fatal(a, err)
		}
		if a, err := service.Keep(ctx, c, fault.New(fault.Conflict, "INVALID_STATE", "Not now.")); a != nil || err != nil || rows(t, s) != 0 {
			t.Errorf("what passes was kept: %v, %v", a, err)
		}
		if a, err := service.Keep(ctx, c, fault.InvalidFields("name is required")); a != nil || err != nil || rows(t, s) != 1 {
			t.Errorf("what lasts was not kept: %v, %v", a, err)
		}
		service.End(c)
		if a, err := service.Begin(ctx, claim("k", "f")); err != nil || a == nil || !a.Replayed || string(a.Body) != "name is required" {
			t.Errorf("%+v, %v", a, err)
		}
		if _, err := service.Begin(ctx, claim("k", "g")); code(err) != "IDEMPOTENCY_KEY_REUSED" {
			t.Error(err)
		}
	})
}

func TestADuplicateOfWhatStillRunsIsToldToWait(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *idem.Service) {
		inside, leave := make(chan struct{}), make(chan struct{})
		done := make(chan error)
		go func() {
			_, err := idem.Run(ctx, service, claim("k", "f"), func(ctx context.Context, tx *db.Tx) (int, error) {
				close(inside)
				<-leave
				return count(ctx, tx)
			}, render)
			done <- err
		}()
		<-inside
		_, err := idem.Run(ctx, service, claim("k", "f"), count, render)
		if f := fault.From(err); code(err) != "IDEMPOTENCY_IN_PROGRESS" || f.RetryAfter != time.Second || f.Kind != fault.Conflict {
			t.Errorf("the duplicate: %v", err)
		}
		if _, err := service.Begin(ctx, claim("k", "g")); code(err) != "IDEMPOTENCY_KEY_REUSED" {
			t.Errorf("another request: %v", err)
		}
		other := claim("k", "f")
		other.Caller = "app_2"
		if a, err := service.Begin(ctx, other); a != nil || err != nil {
			t.Errorf("another caller: %v, %v", a, err)
		}
		close(leave)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if a, err := idem.Run(ctx, service, claim("k", "f"), count, render); err != nil || !a.Replayed || counted(t, s) != 1 {
			t.Errorf("afterwards: %+v, %v", a, err)
		}
	})
}

func TestAfterAFailureTheKeyIsFree(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *idem.Service) {
		for _, step := range []idem.Step[int]{refuse(errDisk), count} {
			_, err := idem.Run(ctx, service, claim("k", "f"), step, render)
			if code(err) == "IDEMPOTENCY_IN_PROGRESS" {
				t.Fatal("the failed run still holds its key")
			}
		}
		if _, err := idem.Run(ctx, service, claim("other", "f"), count, func(int) (idem.Answer, error) { return idem.Answer{}, errDisk }); err == nil || counted(t, s) != 1 {
			t.Errorf("an answer that cannot be written did not undo the step: %v", err)
		}
	})
}

func TestWhatMayBeAKey(t *testing.T) {
	for key, ok := range map[string]bool{
		"a": true, "order-1001": true, " with spaces ~": true, strings.Repeat("k", 255): true, "6e1b7c0e-3f3b-4d8e-9f57-2a6a5a1c9d10": true,
		"": false, strings.Repeat("k", 256): false, "tab\there": false, "line\n": false, "é": false, "\x7f": false, "\x00": false,
	} {
		if err := idem.CheckKey(key); (err == nil) != ok {
			t.Errorf("%q: %v", key, err)
		}
	}
}

func TestTheCleanUpTakesWhatIsOverAndNothingElse(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *idem.Service) {
		fill := func(prefix string, n int) {
			err := s.Write(ctx, func(tx *db.Tx) error {
				for i := range n {
					_, err := tx.Exec(ctx, `INSERT INTO idempotency_keys (business_id, caller, key, fingerprint, status, header, body, created_at)
						VALUES ('biz_1', 'app_1', $1, $2, 200, '{}', $2, $3)`, fmt.Sprint(prefix, i), []byte("f"), tx.Now())
					if err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		fill("old", 1001) // more than two batches
		s.Clock.Advance(time.Millisecond)
		fill("young", 3)
		s.Clock.Advance(24*time.Hour - time.Millisecond)
		if err := service.CleanUp(ctx); err != nil {
			t.Fatal(err)
		}
		if n := rows(t, s); n != 3 {
			t.Errorf("%d are left", n)
		}
	})
}
