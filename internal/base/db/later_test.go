package db_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/schema/dbtest"
)

var intoNotes = db.NewInsert("notes", "id, body, n", "")

func later(tx *db.Tx, id int) error { return intoNotes.Later(ctx, tx, []any{id, "later", 0}) }

func TestRowsThatArePutOffAreThereForWhoeverAsks(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		must(t, s.Write(ctx, func(tx *db.Tx) error {
			for id := range 100 {
				must(t, later(tx, id))
			}
			n, err := db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM notes`)
			if n != 100 {
				t.Errorf("%d rows", n)
			}
			must(t, later(tx, 100))
			touched, err2 := tx.Exec(ctx, `UPDATE notes SET n = 1`)
			if touched != 101 {
				t.Errorf("%d rows were changed", touched)
			}
			return errors.Join(err, err2, later(tx, 101))
		}))
		if got := notes(t, s); len(got) != 102 {
			t.Errorf("%d rows", len(got))
		}
	})
}

// TestRowsThatArePutOffGoWithTheirClosure lets many write at once, of whom some fail before, at or after their rows: exactly the rows
// of those who were told that they are written are there.
func TestRowsThatArePutOffGoWithTheirClosure(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		const taken = 1_000_000
		must(t, insert(s, taken))
		var wait sync.WaitGroup
		var mu sync.Mutex
		want := []int{taken}
		for worker := range 16 {
			wait.Go(func() {
				for round := range 40 {
					id, fate := worker*1000+round*2, rand.IntN(12)
					err := s.Write(ctx, func(tx *db.Tx) error {
						if err := later(tx, id); err != nil {
							return err
						}
						switch fate {
						case 0:
							return errChanged
						case 1: // refused by the table, much later on SQLite
							return later(tx, taken)
						case 2:
							if _, err := db.One(ctx, tx, db.Value[int], `SELECT n FROM notes WHERE id = $1`, id); err != nil {
								return err
							}
						}
						return later(tx, id+1)
					})
					if (err != nil) != (fate < 2) || fate == 0 && !errors.Is(err, errChanged) {
						t.Errorf("fate %d: %v", fate, err)
					}
					if err == nil {
						mu.Lock()
						want = append(want, id, id+1)
						mu.Unlock()
					}
				}
			})
		}
		wait.Wait()
		slices.Sort(want)
		if got := notes(t, s); !slices.Equal(got, want) {
			t.Errorf("%d rows are there, %d were acknowledged", len(got), len(want))
		}
	})
}
