package clock_test

import (
	"errors"
	"testing"
	"time"

	"daybook/internal/base/clock"
)

var start = time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)

func rung(a *clock.Alarm) bool {
	select {
	case <-a.C:
		return true
	default:
		return false
	}
}

func TestHandRingsAtTheInstantAndNotBefore(t *testing.T) {
	c := clock.NewHand(start)
	a := c.Alarm(start.Add(time.Minute))
	c.Advance(time.Minute - time.Millisecond)
	if rung(a) {
		t.Fatal("rang one millisecond early")
	}
	c.Advance(time.Millisecond)
	if !rung(a) {
		t.Fatal("did not ring at its instant")
	}
	if !rung(c.Alarm(start)) {
		t.Fatal("an alarm for a past instant must ring at once")
	}
}

func TestHandForgetsAStoppedAlarm(t *testing.T) {
	c := clock.NewHand(start)
	a := c.Alarm(start.Add(time.Minute))
	a.Stop()
	a.Stop()
	c.Advance(time.Hour)
	if rung(a) || c.Waiting() != 0 {
		t.Fatal("a stopped alarm rang or was kept")
	}
}

func TestInstantsSurviveAStore(t *testing.T) {
	for _, c := range []clock.Clock{clock.System{}, clock.NewHand(time.Now()), clock.NewMovable(start)} {
		now := c.Now()
		if got := clock.FromMillis(clock.Millis(now)); !got.Equal(now) || got.Location() != time.UTC {
			t.Errorf("%T: %v came back as %v", c, now, got)
		}
	}
}

func TestMovableRunsOnFromItsStart(t *testing.T) {
	c := clock.NewMovable(start)
	if d := c.Now().Sub(start); d < -clock.Resolution || d > time.Minute {
		t.Fatalf("shows %v, wants about %v", c.Now(), start)
	}
	<-c.Alarm(c.Now().Add(2 * time.Millisecond)).C
}

func TestMovableRingsWhatAMoveMadeDue(t *testing.T) {
	c := clock.NewMovable(start)
	soon, late := c.Alarm(start.Add(time.Hour)), c.Alarm(start.Add(48*time.Hour))
	if _, err := c.Advance(61 * time.Minute); err != nil {
		t.Fatal(err)
	}
	<-soon.C
	if rung(late) {
		t.Fatal("rang a day early")
	}
	if _, err := c.Set(start.Add(49 * time.Hour)); err != nil {
		t.Fatal(err)
	}
	<-late.C
}

func TestMovableNeverGoesBack(t *testing.T) {
	c := clock.NewMovable(start)
	if _, err := c.Advance(-time.Second); !errors.Is(err, clock.ErrBackwards) {
		t.Errorf("Advance back: %v", err)
	}
	if _, err := c.Set(start.Add(-time.Second)); !errors.Is(err, clock.ErrBackwards) {
		t.Errorf("Set back: %v", err)
	}
}

func TestSystemAlarmRings(t *testing.T) {
	c := clock.System{}
	<-c.Alarm(c.Now()).C
	a := c.Alarm(c.Now().Add(time.Hour))
	a.Stop()
	if rung(a) {
		t.Fatal("rang an hour early")
	}
}
