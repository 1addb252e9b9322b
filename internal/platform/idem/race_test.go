package idem_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/platform/idem"
	"daybook/internal/schema/dbtest"
)

const racers = 32

// race lets as many run the same claim at once, each on a node of its own or all on one, and gives what came out, by
// answer or refusal.
func race(nodes []*idem.Service, key string, step idem.Step[int]) map[string]int {
	outcomes := map[string]int{}
	var mu sync.Mutex
	var wait sync.WaitGroup
	start := make(chan struct{})
	for i := range racers {
		wait.Go(func() {
			<-start
			a, err := idem.Run(ctx, nodes[i%len(nodes)], claim(key, "f"), step, render)
			outcome := code(err)
			if err == nil {
				outcome = fmt.Sprintf("%d %s", a.Status, a.Body)
			}
			mu.Lock()
			outcomes[outcome]++
			mu.Unlock()
		})
	}
	close(start)
	wait.Wait()
	return outcomes
}

// CALL-07: concurrent duplicates run once, on one node and between nodes.
func TestOfManyDuplicatesOneHappens(t *testing.T) {
	for name, many := range map[string]int{"one node": 1, "four nodes": 4, "a node each": racers} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, s *dbtest.Store, _ *idem.Service) {
				for round := range 5 {
					nodes := make([]*idem.Service, many)
					for i := range nodes {
						nodes[i] = node(s)
					}
					outcomes := race(nodes, fmt.Sprint("k", round), count)
					if counted(t, s) != round+1 {
						t.Fatalf("it happened %d times: %v", counted(t, s)-round, outcomes)
					}
					for outcome := range outcomes {
						if outcome != "IDEMPOTENCY_IN_PROGRESS" && outcome != "201 "+strings.Repeat("I", round+1) {
							t.Fatalf("outcomes: %v", outcomes)
						}
					}
					if many == racers && outcomes["IDEMPOTENCY_IN_PROGRESS"] > 0 {
						t.Fatalf("a node was told to wait for itself: %v", outcomes)
					}
				}
			})
		})
	}
}

// A duplicate on another node finds the record already changed and would be refused for it; the first one's answer is
// what it must give.
func TestTheOneTooLateGivesTheFirstAnswer(t *testing.T) {
	state := fault.New(fault.Conflict, "INVALID_STATE", "Already done.")
	missing := fault.New(fault.NotFound, "NOT_FOUND", "Gone.")
	for name, refused := range map[string]error{"a passing refusal": state, "a lasting refusal": missing} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, s *dbtest.Store, first *idem.Service) {
				second := node(s)
				late := claim("k", "f")
				if a, err := second.Begin(ctx, late); a != nil || err != nil { // it has looked, and found nothing yet
					t.Fatal(a, err)
				}
				if _, err := idem.Run(ctx, first, claim("k", "f"), count, render); err != nil {
					t.Fatal(err)
				}
				a, err := idem.Run(ctx, second, late, refuse(refused), render)
				if err != nil || !a.Replayed || string(a.Body) != "I" {
					t.Errorf("%+v, %v", a, err)
				}
				other := claim("k", "g")
				third := node(s)
				if _, err := idem.Run(ctx, third, other, refuse(refused), render); code(err) != "IDEMPOTENCY_KEY_REUSED" {
					t.Errorf("another request: %v", err)
				}
			})
		})
	}
}

func TestTheOneTooLateUndoesItsWork(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, first *idem.Service) {
		second := node(s)
		for fingerprint, want := range map[string]string{"f": "", "g": "IDEMPOTENCY_KEY_REUSED"} {
			key := "for " + fingerprint
			late := claim(key, fingerprint)
			if _, err := second.Begin(ctx, late); err != nil {
				t.Fatal(err)
			}
			if _, err := idem.Run(ctx, first, claim(key, "f"), count, render); err != nil {
				t.Fatal(err)
			}
			before := counted(t, s)
			runs := 0
			a, err := idem.Run(ctx, second, late, func(ctx context.Context, tx *db.Tx) (int, error) { runs++; return count(ctx, tx) }, render)
			if code(err) != want || want == "" && !a.Replayed {
				t.Errorf("%+v, %v", a, err)
			}
			if runs == 0 || counted(t, s) != before {
				t.Errorf("ran %d times, counted %d more", runs, counted(t, s)-before)
			}
			second.End(late)
		}
	})
}
