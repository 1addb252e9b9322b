package db_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/schema/dbtest"
)

var ctx = context.Background()

var errChanged = errors.New("changed my mind")

// each gives the test a store with one more table, notes(id, body, n).
func each(t *testing.T, test func(t *testing.T, s *dbtest.Store)) {
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		must(t, s.Write(ctx, func(tx *db.Tx) error {
			kind := "BIGINT"
			if tx.Dialect() == db.SQLite {
				kind = "INTEGER"
			}
			_, err := tx.Exec(ctx, `CREATE TABLE notes (id `+kind+` NOT NULL PRIMARY KEY, body TEXT, n `+kind+`)`)
			return err
		}))
		test(t, s)
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func insert(s *dbtest.Store, id int) error {
	return s.Write(ctx, func(tx *db.Tx) error { return insertIn(tx, id) })
}

func insertIn(tx *db.Tx, id int) error {
	_, err := tx.Exec(ctx, `INSERT INTO notes (id, body, n) VALUES ($1, $2, 0)`, id, fmt.Sprint("note ", id))
	return err
}

func notes(t *testing.T, s *dbtest.Store) []int {
	t.Helper()
	var list []int
	must(t, s.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = db.All(ctx, tx, db.Value[int], `SELECT id FROM notes ORDER BY id`)
		return err
	}))
	return list
}

func TestAWriteIsWholeOrNothing(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		must(t, insert(s, 1))
		err := s.Write(ctx, func(tx *db.Tx) error {
			must(t, insertIn(tx, 2))
			return errChanged
		})
		if !errors.Is(err, errChanged) {
			t.Fatalf("the closure's error must come back: %v", err)
		}
		if got := notes(t, s); len(got) != 1 || got[0] != 1 {
			t.Errorf("have %v, want only the committed note 1", got)
		}
	})
}

func TestAPanicReachesItsCallerAndUndoesOnlyItsWrite(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		func() {
			defer func() {
				if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "boom") {
					t.Errorf("the panic did not arrive: %v", p)
				}
			}()
			_ = s.Write(ctx, func(tx *db.Tx) error {
				must(t, insertIn(tx, 1))
				panic("boom")
			})
		}()
		must(t, insert(s, 2)) // the store lives on
		if got := notes(t, s); len(got) != 1 || got[0] != 2 {
			t.Errorf("have %v, want only note 2", got)
		}
	})
}

// A failure inside a group commit rolls back its own closure and nothing else. The first closure holds the
// writer until all others wait behind it, so that they do share a group on SQLite.
func TestAFailureInAGroupRollsBackOnlyItself(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		const others = 60
		before := s.Stats()
		started, goOn := make(chan struct{}), make(chan struct{})
		start := sync.OnceFunc(func() { close(started) }) // the whole group may run twice
		var wait sync.WaitGroup
		wait.Go(func() {
			must(t, s.Write(ctx, func(tx *db.Tx) error {
				start()
				<-goOn
				return insertIn(tx, 0)
			}))
		})
		<-started
		var queued atomic.Int32
		for i := 1; i <= others; i++ {
			wait.Go(func() {
				queued.Add(1)
				err := s.Write(ctx, func(tx *db.Tx) error {
					if err := insertIn(tx, i); err != nil {
						return err
					}
					switch i % 3 {
					case 1:
						return errChanged
					case 2: // a failing statement, not only a returned error
						return insertIn(tx, i)
					}
					return nil
				})
				if (err == nil) != (i%3 == 0) {
					t.Errorf("closure %d: %v", i, err)
				}
				if i%3 == 2 && !db.IsDuplicate(err) {
					t.Errorf("closure %d: want a duplicate, got %v", i, err)
				}
			})
		}
		for queued.Load() < others {
			time.Sleep(time.Millisecond) // they are about to queue; the group's size below proves most did
		}
		close(goOn)
		wait.Wait()
		got := notes(t, s)
		if len(got) != 1+others/3 {
			t.Fatalf("have %d notes, want %d: %v", len(got), 1+others/3, got)
		}
		for _, id := range got {
			if id%3 != 0 {
				t.Errorf("note %d of a failed closure is there", id)
			}
		}
		if s.Dialect() == db.SQLite {
			if commits := s.Stats().Commits - before.Commits; commits >= 1+others/3 {
				t.Errorf("%d commits for %d closures: nothing was grouped", commits, 1+others/3)
			}
		}
	})
}

func TestAFailedStatementEndsTheTransactionEvenIfForgotten(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		must(t, insert(s, 1))
		err := s.Write(ctx, func(tx *db.Tx) error {
			_ = insertIn(tx, 1) // a duplicate, ignored
			if err := insertIn(tx, 2); err == nil {
				t.Error("a statement ran in a failed transaction")
			}
			return nil
		})
		if !db.IsDuplicate(err) {
			t.Errorf("want the forgotten duplicate, got %v", err)
		}
		if got := notes(t, s); len(got) != 1 {
			t.Errorf("have %v", got)
		}
	})
}

func TestOneRacerWinsACompareAndSet(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		const rounds, racers = 20, 32
		for round := range rounds {
			must(t, insert(s, round))
			var wins atomic.Int32
			var wait sync.WaitGroup
			for range racers {
				wait.Go(func() {
					var n int64
					err := s.Write(ctx, func(tx *db.Tx) (err error) {
						n, err = tx.Exec(ctx, `UPDATE notes SET n = 1 WHERE id = $1 AND n = 0`, round)
						return err
					})
					if err != nil {
						t.Error(err)
					}
					wins.Add(int32(n))
				})
			}
			wait.Wait()
			if wins.Load() != 1 {
				t.Fatalf("round %d: %d winners", round, wins.Load())
			}
		}
	})
}

func TestCrossedLocksAreRetried(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		must(t, insert(s, 1))
		must(t, insert(s, 2))
		const rounds = 10 // PostgreSQL takes a second to notice a deadlock
		var wait sync.WaitGroup
		for i := range 2 {
			wait.Go(func() {
				for range rounds {
					err := s.Write(ctx, func(tx *db.Tx) error {
						first, second := 1+i%2, 2-i%2 // half of them the other way round: a deadlock on PostgreSQL
						for _, id := range []int{first, second} {
							if _, err := tx.Exec(ctx, `UPDATE notes SET n = n + 1 WHERE id = $1`, id); err != nil {
								return err
							}
						}
						return nil
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		wait.Wait()
		must(t, s.Read(ctx, func(tx *db.Tx) error {
			sums, err := db.All(ctx, tx, db.Value[int], `SELECT n FROM notes ORDER BY id`)
			if err == nil && (sums[0] != 2*rounds || sums[1] != 2*rounds) {
				t.Errorf("counted %v, want %d each", sums, 2*rounds)
			}
			return err
		}))
	})
}

func TestAfterCommitRunsOnceDurableAndNeverOtherwise(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		var order []string
		must(t, s.Write(ctx, func(tx *db.Tx) error {
			tx.AfterCommit(func() { order = append(order, fmt.Sprint("first sees ", len(notes(t, s)))) })
			tx.AfterCommit(func() { order = append(order, "second") })
			return insertIn(tx, 1)
		}))
		_ = s.Write(ctx, func(tx *db.Tx) error {
			tx.AfterCommit(func() { order = append(order, "never") })
			return errChanged
		})
		if got := strings.Join(order, ", "); got != "first sees 1, second" {
			t.Errorf("got %q", got)
		}
	})
}

func TestACallerThatLeavesWritesNothingAndHarmsNobody(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		leaving, leave := context.WithCancel(ctx)
		err := s.Write(leaving, func(tx *db.Tx) error {
			if err := insertIn(tx, 1); err != nil {
				return err
			}
			leave()
			_, err := tx.Exec(leaving, `UPDATE notes SET n = 9 WHERE id = 1`)
			return err
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if err := s.Write(leaving, func(*db.Tx) error { t.Error("ran for a caller that had left"); return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		must(t, insert(s, 2))
		if got := notes(t, s); len(got) != 1 || got[0] != 2 {
			t.Errorf("have %v, want only note 2", got)
		}
	})
}

func TestEveryTransactionHasOneInstant(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		must(t, s.Write(ctx, func(tx *db.Tx) error {
			first := tx.Now()
			s.Clock.Advance(time.Hour)
			if !tx.Now().Equal(first) || !first.Equal(dbtest.Start) {
				t.Errorf("the instant moved from %v to %v", first, tx.Now())
			}
			return nil
		}))
	})
}

func TestASnapshotStandsStillAndAReadIsNew(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		must(t, insert(s, 1))
		countIn := func(tx *db.Tx) int {
			n, err := db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM notes`)
			must(t, err)
			return n
		}
		must(t, s.Snapshot(ctx, func(tx *db.Tx) error {
			before := countIn(tx)
			must(t, insert(s, 2))
			if after := countIn(tx); before != 1 || after != 1 {
				t.Errorf("the snapshot went from %d to %d", before, after)
			}
			return nil
		}))
		must(t, s.Read(ctx, func(tx *db.Tx) error {
			before := countIn(tx)
			must(t, insert(s, 3))
			if after := countIn(tx); before != 2 || after != 3 {
				t.Errorf("the read went from %d to %d, want 2 and 3", before, after)
			}
			return nil
		}))
	})
}

func TestClosingFinishesWhatWasAccepted(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		must(t, insert(s, 1))
		s.Close()
		if err := insert(s, 2); err == nil {
			t.Error("wrote into a closed store")
		}
		if err := s.Read(ctx, func(*db.Tx) error { return nil }); err == nil {
			t.Error("read from a closed store")
		}
		s.Close()
	})
}
