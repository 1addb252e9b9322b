package db_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/schema/dbtest"
)

// crowd has steps wait for one another: one that blocks is under way while the others come.
type crowd struct {
	s     *dbtest.Store
	begun chan struct{}
	free  chan struct{}
	wait  sync.WaitGroup
}

func newCrowd(s *dbtest.Store) *crowd {
	c := &crowd{s: s, begun: make(chan struct{}), free: make(chan struct{})}
	begin := sync.OnceFunc(func() { close(c.begun) }) // it is run again when another one in its commit fails
	c.wait.Go(func() {
		_, _ = db.RunTogether(ctx, s.DB, "key", func(context.Context, *db.Tx) (int, error) {
			begin()
			<-c.free
			return 0, nil
		})
	})
	<-c.begun
	return c
}

// gather starts a step, and waits until it does.
func (c *crowd) gather(t *testing.T, ctx context.Context, step db.Step[int], then func(int, error)) {
	before := c.s.Stats().Waiting
	c.wait.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				then(0, fmt.Errorf("panic: %v", p))
			}
		}()
		then(db.RunTogether(ctx, c.s.DB, "key", step))
	})
	for c.s.Stats().Waiting <= before {
		if err := t.Context().Err(); err != nil {
			t.Fatal(err)
		}
		runtime.Gosched()
	}
}

// adding inserts a note, and gives its number.
func adding(id int) db.Step[int] {
	return func(_ context.Context, tx *db.Tx) (int, error) { return id, insertIn(tx, id) }
}

func together(t *testing.T, test func(t *testing.T, s *dbtest.Store, c *crowd)) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		c := newCrowd(s)
		test(t, s, c)
		if n := s.Stats().Waiting; n != 0 {
			t.Errorf("%d still wait", n)
		}
	})
}

func TestStepsThatComeTogetherShareATransaction(t *testing.T) {
	together(t, func(t *testing.T, s *dbtest.Store, c *crowd) {
		const all = 80 // more than fit into one
		for i := range all {
			c.gather(t, ctx, adding(i), func(n int, err error) {
				if err != nil || n != i {
					t.Errorf("%d: %d, %v", i, n, err)
				}
			})
		}
		close(c.free)
		c.wait.Wait()
		if got := notes(t, s); len(got) != all {
			t.Errorf("%d notes", len(got))
		}
		if n := s.Stats().Joint; n != all {
			t.Errorf("%d of %d shared a transaction", n, all)
		}
	})
}

func TestOneRefusalTakesNothingFromTheOthers(t *testing.T) {
	together(t, func(t *testing.T, s *dbtest.Store, c *crowd) {
		var kept []int
		keep := func(id int, refused error) db.Step[int] {
			return func(_ context.Context, tx *db.Tx) (int, error) {
				j := tx.Joint()
				list, ok := j.Kept("list").(*[]int)
				if !ok {
					list = new([]int)
					j.Keep("list", list)
					j.Last(func(context.Context) error {
						kept = *list
						for _, id := range *list {
							if err := insertIn(tx, id); err != nil {
								return err
							}
						}
						return nil
					})
				}
				n := len(*list)
				j.Undo(func() { *list = (*list)[:n] })
				*list = append(*list, id)
				return id, refused
			}
		}
		for i := range 10 {
			var refused error
			if i%3 == 1 {
				refused = errChanged
			}
			c.gather(t, ctx, keep(i, refused), func(n int, err error) {
				if !errors.Is(err, refused) {
					t.Errorf("%d: %v", i, err)
				}
			})
		}
		close(c.free)
		c.wait.Wait()
		if want := []int{0, 2, 3, 5, 6, 8, 9}; !slices.Equal(kept, want) || !slices.Equal(notes(t, s), want) {
			t.Errorf("%v were kept, %v are there", kept, notes(t, s))
		}
	})
}

// A statement that fails, a panic or a failure at the end cost the others their company, and nothing else.
func TestAfterAFailureEachStepHasItsOwnTransaction(t *testing.T) {
	errLast := errors.New("at the very end")
	for name, bad := range map[string]struct {
		step db.Step[int]
		says string // empty: by itself it succeeds
	}{
		"a statement": {func(_ context.Context, tx *db.Tx) (int, error) { return 0, insertIn(tx, 1000) }, "1000"},
		"a panic":     {func(context.Context, *db.Tx) (int, error) { panic("no") }, "panic: no"},
		"a lost race": {func(_ context.Context, tx *db.Tx) (int, error) {
			if tx.Joint() != nil {
				return 0, db.ErrAgain
			}
			return 0, nil
		}, ""},
		"the end": {func(_ context.Context, tx *db.Tx) (int, error) {
			if j := tx.Joint(); j != nil {
				j.Last(func(context.Context) error { return errLast })
			}
			return 0, nil
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, s *dbtest.Store) {
				must(t, insert(s, 1000))
				c := newCrowd(s)
				for i := range 3 {
					c.gather(t, ctx, adding(i), func(_ int, err error) {
						if err != nil {
							t.Errorf("%d: %v", i, err)
						}
					})
				}
				c.gather(t, ctx, bad.step, func(_ int, err error) {
					if (err != nil) != (bad.says != "") {
						t.Errorf("it says %v", err)
					}
				})
				c.gather(t, ctx, adding(3), func(_ int, err error) {
					if err != nil {
						t.Error(err)
					}
				})
				close(c.free)
				c.wait.Wait()
				if got := notes(t, s); !slices.Equal(got, []int{0, 1, 2, 3, 1000}) {
					t.Errorf("there are %v", got)
				}
			})
		})
	}
}

func TestWhoLeavesBeforeTheBeginningIsNotCarriedOut(t *testing.T) {
	together(t, func(t *testing.T, s *dbtest.Store, c *crowd) {
		leaving, leave := context.WithCancel(ctx)
		gone := make(chan error, 1)
		c.gather(t, leaving, adding(1), func(_ int, err error) { gone <- err })
		c.gather(t, ctx, adding(2), func(_ int, err error) {
			if err != nil {
				t.Error(err)
			}
		})
		leave()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		close(c.free)
		c.wait.Wait()
		if got := notes(t, s); !slices.Equal(got, []int{2}) {
			t.Errorf("there are %v", got)
		}
	})
}

// When everybody leaves, nothing is left behind, and the next ones are carried out.
func TestWhereEverybodyLeavesNothingIsCarriedOut(t *testing.T) {
	together(t, func(t *testing.T, s *dbtest.Store, c *crowd) {
		leaving, leave := context.WithCancel(ctx)
		gone := make(chan error, 3)
		for i := range 3 {
			c.gather(t, leaving, adding(i), func(_ int, err error) { gone <- err })
		}
		leave()
		for range 3 {
			if err := <-gone; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
		for i := range 2 {
			c.wait.Go(func() {
				if _, err := db.RunTogether(ctx, s.DB, "key", adding(10+i)); err != nil {
					t.Error(err)
				}
			})
		}
		close(c.free)
		c.wait.Wait()
		if got := notes(t, s); !slices.Equal(got, []int{10, 11}) {
			t.Errorf("there are %v", got)
		}
	})
}

// Whoever leaves after the beginning does not take the others along.
func TestWhoLeavesLaterHarmsNobody(t *testing.T) {
	together(t, func(t *testing.T, s *dbtest.Store, c *crowd) {
		leaving, leave := context.WithCancel(ctx)
		c.gather(t, leaving, func(ctx context.Context, tx *db.Tx) (int, error) {
			leave()
			return 1, insertIn(tx, 1)
		}, func(n int, err error) {
			if n != 1 || err != nil {
				t.Errorf("%d, %v", n, err)
			}
		})
		c.gather(t, ctx, adding(2), func(_ int, err error) {
			if err != nil {
				t.Error(err)
			}
		})
		close(c.free)
		c.wait.Wait()
		if got := notes(t, s); !slices.Equal(got, []int{1, 2}) {
			t.Errorf("there are %v", got)
		}
	})
}

// Many at once, for several keys, with everything that may go wrong: each is carried out once, or not at all and says so.
func TestTogetherUnderLoad(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		var wait sync.WaitGroup
		var mu sync.Mutex
		want := []int{}
		for worker := range 32 {
			wait.Go(func() {
				for round := range 20 {
					id := worker*100 + round
					var refused error
					if id%7 == 3 {
						refused = errChanged
					}
					_, err := db.RunTogether(ctx, s.DB, worker%3, func(ctx context.Context, tx *db.Tx) (int, error) {
						if refused != nil {
							return 0, refused
						}
						return adding(id)(ctx, tx)
					})
					if !errors.Is(err, refused) {
						t.Errorf("%d: %v", id, err)
					}
					if err == nil {
						mu.Lock()
						want = append(want, id)
						mu.Unlock()
					}
				}
			})
		}
		wait.Wait()
		slices.Sort(want)
		if got := notes(t, s); !slices.Equal(got, want) {
			t.Errorf("%d are there, %d were acknowledged", len(got), len(want))
		}
		if s.Stats().Joint == 0 {
			t.Error("nobody met anybody")
		}
	})
}
