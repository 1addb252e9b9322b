package oauth

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/tenancy/business"
)

// F-13, DEVC-11: five wrong codes in ten minutes and twenty a day, exactly, however many are typed at once; then even the
// right one is not looked at.
func TestGuessesAreCountedExactly(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		second, begun := w.neighbour(t), w.Clock.Now()
		var wrong, stopped atomic.Int32
		guess := func() {
			wrong.Store(0)
			stopped.Store(0)
			atOnce(func(racer int) {
				s := w.Service
				if racer%2 == 1 {
					s = second
				}
				switch _, err := s.FindWaiting(ctx, newUserCode(), w.owner); {
				case errors.Is(err, ErrNoDevice):
					wrong.Add(1)
				case errors.Is(err, ErrGuesses):
					stopped.Add(1)
				default:
					t.Errorf("a guess gave %v", err)
				}
			})
		}
		for window := range 4 {
			guess()
			if wrong.Load() != 5 || stopped.Load() != racers-5 {
				t.Fatalf("window %d: %d guesses were looked at, %d stopped", window, wrong.Load(), stopped.Load())
			}
			start := w.deviceStart(t, w.mine)
			if err := w.DecideDevice(ctx, start.UserCode, w.yes()); !errors.Is(err, ErrGuesses) {
				t.Errorf("the right code after five wrong ones gave %v", err)
			}
			w.Clock.Advance(10*time.Minute - time.Millisecond)
			if guess(); wrong.Load() != 0 {
				t.Errorf("window %d: %d guesses too early", window, wrong.Load())
			}
			w.Clock.Advance(time.Millisecond)
		}
		if guess(); wrong.Load() != 0 { // twenty today
			t.Errorf("%d guesses beyond the day's", wrong.Load())
		}
		other := w.person(t)
		if _, err := w.FindWaiting(ctx, newUserCode(), other); !errors.Is(err, ErrNoDevice) {
			t.Errorf("somebody else is stopped, too: %v", err)
		}
		w.Clock.Set(begun.Add(24*time.Hour - time.Millisecond))
		if guess(); wrong.Load() != 0 {
			t.Errorf("%d guesses before the day is over", wrong.Load())
		}
		w.Clock.Set(begun.Add(24 * time.Hour))
		if guess(); wrong.Load() != 5 {
			t.Errorf("%d guesses on the next day", wrong.Load())
		}
	})
}

// A right code is never a guess, and a poll for a code that nobody decided is none either.
func TestRightCodesAreNoGuesses(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		start := w.deviceStart(t, w.mine)
		for range 30 {
			waiting, err := w.FindWaiting(ctx, start.UserCode, w.owner)
			if must(t, err); waiting.UserCode != start.UserCode || waiting.App.ID != w.mine.ID || !waiting.Scopes.Equal(asked) {
				t.Fatalf("found %+v", waiting)
			}
		}
		if n := w.count(t, `SELECT count(*) FROM device_guesses`); n != 0 {
			t.Errorf("%d guesses", n)
		}
	})
}

// Of many people who decide one device at once, one does; what the others asked for leaves no trace.
func TestOneOfManyDecidesADevice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var people [racers]string
		for p := range people {
			people[p] = w.person(t)
			must(t, w.businesses.AddMember(ctx, w.shop, w.owner, people[p], business.Staff))
		}
		eachRound(t, w, rounds(t, 100), func(i int, at func(int) *Service) {
			start := w.deviceStart(t, w.mine)
			w.exec(t, `DELETE FROM device_guesses`) // losing counts as a guess, and everybody loses often here
			var won, lost atomic.Int32
			atOnce(func(racer int) {
				d := Decision{Allow: i%2 == 0 || racer%2 == 0, BusinessID: w.shop, UserID: people[racer]}
				switch err := at(racer).DecideDevice(ctx, start.UserCode, d); {
				case err == nil:
					won.Add(1)
				case errors.Is(err, ErrNoDevice):
					lost.Add(1)
				default:
					t.Error(err)
				}
			})
			if won.Load() != 1 || lost.Load() != racers-1 {
				t.Fatalf("%d decided, %d did not", won.Load(), lost.Load())
			}
		})
		approved := w.count(t, `SELECT count(*) FROM device_codes WHERE status = 'APPROVED'`)
		if made := w.count(t, `SELECT count(DISTINCT consent_id) FROM device_codes WHERE status = 'APPROVED'`); made > racers || approved == 0 {
			t.Errorf("%d approved with %d consents", approved, made)
		}
		if loose := w.count(t, `SELECT count(*) FROM consents c WHERE NOT EXISTS (SELECT 1 FROM device_codes d WHERE d.consent_id = c.id)`); loose != 0 {
			t.Errorf("%d consents of people who lost", loose)
		}
	})
}
