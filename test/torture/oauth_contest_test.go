package torture_test

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"daybook/test/harness"
)

const (
	// racers are in every round, half of them at each process.
	racers = 4
	// stretch rounds of each contest are held before the next are prepared: the shortest-lived artifact lasts a minute.
	stretch = 100
)

// contest is a race for one kind of artifact.
type contest struct {
	name string
	// prepare makes the artifact of a round; several are made at once.
	prepare func(round int) (artifact string, err error)
	// ask is what every racer sends.
	ask func(round int, artifact string) call
	// won keeps what the winner got; lost reports what is wrong with a loser's answer.
	won  func(round int, a harness.Answer) error
	lost func(a harness.Answer) error
	// check looks at what is left after a round. It may be nil.
	check func(round int) error

	wins                        [2]int // of each process
	preparing, racing, checking time.Duration
}

// race holds the rounds of all contests, a stretch of each in turn.
func (p *pair) race(t *testing.T, rounds int, contests []*contest) {
	t.Helper()
	runners := p.line(t)
	for from := 0; from < rounds; from += stretch {
		for _, c := range contests {
			if err := p.hold(runners, c, from, min(from+stretch, rounds)); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
	}
	for _, c := range contests {
		ms := time.Millisecond
		t.Logf("%s: %d rounds of %d in %v, prepared in %v, checked in %v; the processes won %d and %d",
			c.name, rounds, racers, c.racing.Round(ms), c.preparing.Round(ms), c.checking.Round(ms), c.wins[0], c.wins[1])
		if rounds >= 100 && (c.wins[0] == 0 || c.wins[1] == 0) {
			t.Errorf("%s: one process won every time, which is no race", c.name)
		}
	}
}

// line puts the racers at the start: each has connections of its own that are already open.
func (p *pair) line(t *testing.T) (runners [racers]*http.Client) {
	t.Helper()
	for i := range runners {
		runners[i] = newRunner(t, 1)
		for _, app := range []bool{false, true} {
			_, err := p.send(runners[i], i%2, call{app: app, path: "/healthz"})
			must(t, err)
		}
	}
	return runners
}

// hold prepares, races and checks some rounds.
func (p *pair) hold(runners [racers]*http.Client, c *contest, from, to int) error {
	artifacts := make([]string, to-from)
	begun := time.Now()
	if err := together(from, to, func(i int) (err error) {
		artifacts[i-from], err = c.prepare(i)
		return err
	}); err != nil {
		return err
	}
	prepared := time.Now()
	for i := from; i < to; i++ {
		if err := p.round(runners, c, i, artifacts[i-from]); err != nil {
			return fmt.Errorf("round %d: %w", i, err)
		}
	}
	raced := time.Now()
	if c.check != nil {
		if err := together(from, to, c.check); err != nil {
			return err
		}
	}
	c.preparing, c.racing, c.checking = c.preparing+prepared.Sub(begun), c.racing+raced.Sub(prepared), c.checking+time.Since(raced)
	return nil
}

// round lets all racers go at the same moment: one wins, and every other loses in the one right way.
func (p *pair) round(runners [racers]*http.Client, c *contest, i int, artifact string) error {
	var answers [racers]harness.Answer
	var errs [racers]error
	gate := make(chan struct{})
	var ready, done sync.WaitGroup
	for racer := range racers {
		ready.Add(1)
		done.Go(func() {
			asked := c.ask(i, artifact)
			ready.Done()
			<-gate
			answers[racer], errs[racer] = p.send(runners[racer], racer%2, asked)
		})
	}
	ready.Wait()
	close(gate)
	done.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	winners := 0
	for racer, a := range answers {
		if a.Status >= http.StatusBadRequest {
			if err := c.lost(a); err != nil {
				return err
			}
			continue
		}
		winners++
		c.wins[racer%2]++
		if err := c.won(i, a); err != nil {
			return err
		}
	}
	if winners != 1 {
		return fmt.Errorf("%d won", winners)
	}
	return nil
}

// together does something for many rounds, several at a time, and gives what went wrong.
func together(from, to int, do func(round int) error) error {
	const hands = 8
	var errs [hands]error
	var wait sync.WaitGroup
	for hand := range hands {
		wait.Go(func() {
			for i := from + hand; i < to && errs[hand] == nil; i += hands {
				if err := do(i); err != nil {
					errs[hand] = fmt.Errorf("round %d: %w", i, err)
				}
			}
		})
	}
	wait.Wait()
	return errors.Join(errs[:]...)
}
