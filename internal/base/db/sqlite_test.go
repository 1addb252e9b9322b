package db_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/schema/dbtest"
)

func onSQLite(t *testing.T, test func(t *testing.T, s *dbtest.Store)) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		if s.Dialect() != db.SQLite {
			t.Skip("about SQLite's files")
		}
		test(t, s)
	})
}

func pragma[T any](t *testing.T, s *dbtest.Store, name string) T {
	t.Helper()
	var v T
	must(t, s.Write(ctx, func(tx *db.Tx) (err error) {
		v, err = db.One(ctx, tx, db.Value[T], `PRAGMA `+name)
		return err
	}))
	return v
}

func TestTheWriterIsDurable(t *testing.T) {
	onSQLite(t, func(t *testing.T, s *dbtest.Store) {
		if mode := pragma[string](t, s, "journal_mode"); mode != "wal" {
			t.Errorf("journal_mode %s", mode)
		}
		if sync := pragma[int](t, s, "synchronous"); sync != 2 {
			t.Errorf("synchronous %d, want 2 (FULL)", sync)
		}
		if mmap := pragma[int](t, s, "mmap_size"); mmap == 0 {
			t.Error("mmap is off")
		}
	})
}

// A full disk refuses writes, keeps what was acknowledged, and lets writes pass again once there is room.
func TestAFullDiskLosesNothingAndPasses(t *testing.T) {
	onSQLite(t, func(t *testing.T, s *dbtest.Store) {
		pages := pragma[int](t, s, "page_count")
		limit := func(n int) { pragma[int](t, s, fmt.Sprintf("max_page_count=%d", n)) }
		limit(pages + 20)
		body := strings.Repeat("x", 2000)
		write := func(id int) error {
			return s.Write(ctx, func(tx *db.Tx) error {
				_, err := tx.Exec(ctx, `INSERT INTO notes (id, body) VALUES ($1, $2)`, id, body)
				return err
			})
		}
		var mu sync.Mutex
		acknowledged, refused := map[int]bool{}, 0
		var wait sync.WaitGroup
		for w := range 8 {
			wait.Go(func() {
				for i := range 50 {
					err := write(w*100 + i)
					mu.Lock()
					if err == nil {
						acknowledged[w*100+i] = true
					} else {
						refused++
					}
					mu.Unlock()
				}
			})
		}
		wait.Wait()
		if refused == 0 || len(acknowledged) == 0 {
			t.Fatalf("%d acknowledged, %d refused: the disk did not fill up", len(acknowledged), refused)
		}
		got := notes(t, s)
		if len(got) != len(acknowledged) {
			t.Errorf("%d notes, %d were acknowledged", len(got), len(acknowledged))
		}
		for _, id := range got {
			if !acknowledged[id] {
				t.Errorf("note %d was refused and is there", id)
			}
		}
		limit(pages + 10000)
		must(t, write(-1))
	})
}

// Thirty-two writers and as many readers on one file, for ten seconds: nobody ever hears "database is locked".
func TestManyWritersNeverFindTheDatabaseLocked(t *testing.T) {
	t.Parallel()
	duration := 10 * time.Second
	if testing.Short() {
		duration = time.Second
	}
	onSQLite(t, func(t *testing.T, s *dbtest.Store) {
		end := time.Now().Add(duration)
		var wait sync.WaitGroup
		counts := make([]int, 32)
		for w := range counts {
			wait.Go(func() {
				for i := 0; time.Now().Before(end); i++ {
					if err := insert(s, w*10_000_000+i); err != nil {
						t.Errorf("writer %d: %v", w, err)
						return
					}
					counts[w]++
				}
			})
			wait.Go(func() {
				for time.Now().Before(end) {
					err := s.Read(ctx, func(tx *db.Tx) error {
						_, err := db.One(ctx, tx, db.Value[int], `SELECT n FROM notes WHERE id = $1`, w*10_000_000)
						return err
					})
					if err != nil && !errors.Is(err, db.ErrNoRows) {
						t.Errorf("reader %d: %v", w, err)
						return
					}
				}
			})
		}
		wait.Wait()
		total := 0
		for w, n := range counts {
			total += n
			if n == 0 {
				t.Errorf("writer %d never got through", w)
			}
		}
		if got := len(notes(t, s)); got != total {
			t.Errorf("%d notes, %d were acknowledged", got, total)
		}
		t.Logf("%d durable writes in %v, %.1f per commit", total, duration, float64(s.Stats().Writes)/float64(s.Stats().Commits))
	})
}

// A second process may use the file at the same time (fixture load, operator create): its writes wait, and pass.
func TestTwoProcessesShareAFile(t *testing.T) {
	onSQLite(t, func(t *testing.T, s *dbtest.Store) {
		other, err := db.Open(ctx, db.Options{Database: s.Database, Clock: s.Clock})
		must(t, err)
		defer other.Close()
		var wait sync.WaitGroup
		for i, d := range []*db.DB{s.DB, other} {
			wait.Go(func() {
				for n := range 100 {
					if err := d.Write(ctx, func(tx *db.Tx) error { return insertIn(tx, i*1000+n) }); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wait.Wait()
		if got := len(notes(t, s)); got != 200 {
			t.Errorf("%d of 200 notes", got)
		}
	})
}

func TestParametersAreTakenByTheirNumber(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		must(t, s.Read(ctx, func(tx *db.Tx) error {
			type pair struct{ a, b, c string }
			got, err := db.One(ctx, tx, func(scan db.Scan) (p pair, err error) {
				err = scan(&p.a, &p.b, &p.c)
				return p, err
			}, `SELECT CAST($3 AS TEXT), CAST($1 AS TEXT), CAST($2 AS TEXT) || CAST($1 AS TEXT)`, "one", "two", "three")
			if got != (pair{"three", "one", "twoone"}) {
				t.Errorf("got %+v", got)
			}
			return err
		}))
	})
}
