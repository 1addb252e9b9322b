package db

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
)

type counter string

var intoCounters = NewUpsert("counters", "name", "n")

// next raises a counter, as whoever numbers events does.
func next(ctx context.Context, tx *Tx, name string) (int64, error) {
	kept, ok := tx.Kept(counter(name))
	n, _ := kept.(int64)
	if !ok {
		var err error
		if n, err = One(ctx, tx, Value[int64], `SELECT coalesce((SELECT n FROM counters WHERE name = $1), 0)`+Aside, name); err != nil {
			return 0, err
		}
	}
	n++
	if err := intoCounters.Later(ctx, tx, []any{name, n}); err != nil {
		return 0, err
	}
	tx.Keep(counter(name), n, "counters")
	return n, nil
}

func openCounters(t *testing.T) *DB {
	t.Helper()
	d := openFile(t, filepath.Join(t.TempDir(), "a.db"))
	change(t, d, `CREATE TABLE counters (name TEXT NOT NULL PRIMARY KEY, n INTEGER NOT NULL)`)
	return d
}

// TestWhatIsKeptHoldsUntilItsTableChanges goes through everything that ends it.
func TestWhatIsKeptHoldsUntilItsTableChanges(t *testing.T) {
	d := openCounters(t)
	ctx := context.Background()
	other := openFile(t, d.store.(*sqliteStore).path)
	for _, sql := range []string{
		`CREATE TABLE quiet (n INTEGER)`,
		`CREATE TABLE loud (n INTEGER)`,
		`CREATE TRIGGER raises AFTER INSERT ON loud BEGIN UPDATE counters SET n = n + 100; END`,
		`CREATE TABLE owners (name TEXT NOT NULL PRIMARY KEY)`,
		`CREATE TABLE owned (owner TEXT NOT NULL REFERENCES owners (name) ON DELETE CASCADE)`,
		`CREATE TRIGGER cascades AFTER DELETE ON owned BEGIN UPDATE counters SET n = n + 1000; END`,
		`INSERT INTO owners VALUES ('o')`,
		`INSERT INTO owned VALUES ('o')`,
	} {
		change(t, d, sql)
	}
	raise := func(want int64, kept bool) {
		t.Helper()
		err := d.Write(ctx, func(tx *Tx) error {
			if _, ok := tx.Kept(counter("a")); ok != kept {
				t.Errorf("before %d: kept %v", want, ok)
			}
			n, err := next(ctx, tx, "a")
			if n != want {
				t.Errorf("the counter is %d, not %d", n, want)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	raise(1, false)
	raise(2, true)
	change(t, d, `INSERT INTO quiet VALUES (1)`)
	raise(3, true)
	change(t, d, `UPDATE counters SET n = 10`)
	raise(11, false)
	change(t, d, `INSERT INTO loud VALUES (1)`)
	raise(112, false)
	change(t, d, `DELETE FROM owners`)
	raise(1113, false)
	change(t, other, `INSERT INTO quiet VALUES (2)`) // nobody knows what it was
	raise(1114, false)
	raise(1115, true)
	ask(t, d, `SELECT count(*) FROM counters`)
	if err := d.Write(ctx, func(tx *Tx) error { _, err := One(ctx, tx, Value[int], `SELECT 1`); return err }); err != nil {
		t.Fatal(err)
	}
	raise(1116, true) // who wrote nothing left everything as it was
	change(t, d, `UPDATE quiet SET n = 3 WHERE n = 4`)
	raise(1117, true) // nor did who found nothing
	change(t, d, `UPDATE quiet SET n = 3 WHERE n = 4`)
	change(t, other, `UPDATE counters SET n = n + 1`)
	raise(1119, false) // and his commit is not taken for another's
	refused := errors.New("no")
	if err := d.Write(ctx, func(tx *Tx) error { _, err := next(ctx, tx, "a"); return errors.Join(err, refused) }); !errors.Is(err, refused) {
		t.Fatal(err)
	}
	for range carefulGroups { // with savepoints nothing is kept
		raise(int64(ask(t, d, `SELECT n FROM counters`))+1, false)
	}
	last := int64(ask(t, d, `SELECT n FROM counters`))
	raise(last+1, false)
	raise(last+2, true)

	// Within one transaction: what is asked for by name is there, and what somebody else raises counts.
	err := d.Write(ctx, func(tx *Tx) error {
		if _, err := next(ctx, tx, "a"); err != nil {
			return err
		}
		n, err := One(ctx, tx, Value[int64], `SELECT n FROM counters WHERE name = 'a'`)
		if n != last+3 {
			t.Errorf("a statement reads %d", n)
		}
		if _, err2 := next(ctx, tx, "a"); err2 != nil {
			return err2
		}
		_, err2 := tx.Exec(ctx, `INSERT INTO loud VALUES (2)`)
		n, err3 := next(ctx, tx, "a")
		if n != last+105 {
			t.Errorf("after the trigger it is %d, not %d", n, last+105)
		}
		return errors.Join(err, err2, err3)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestCountersThatAreKeptCountRight: two processes raise the same counters, some closures fail, some raise them by a statement of their
// own. No number is given twice, and none is left out.
func TestCountersThatAreKeptCountRight(t *testing.T) {
	d := openCounters(t)
	ctx := context.Background()
	stores := []*DB{d, openFile(t, d.store.(*sqliteStore).path)}
	refused := errors.New("no")
	var mu sync.Mutex
	given := map[string]map[int64]bool{}
	most := map[string]int64{}
	var wait sync.WaitGroup
	for worker := range 16 {
		wait.Go(func() {
			for range 60 {
				name, fate := fmt.Sprint("c", rand.IntN(4)), rand.IntN(10)
				var took []int64
				err := stores[worker/12].Write(ctx, func(tx *Tx) error {
					took = nil
					for range 1 + rand.IntN(3) {
						n, err := next(ctx, tx, name)
						if err != nil {
							return err
						}
						took = append(took, n)
					}
					switch fate {
					case 0:
						return refused
					case 1:
						if _, err := tx.Exec(ctx, `UPDATE counters SET n = n + 1 WHERE name = $1`, name); err != nil {
							return err
						}
						took = append(took, took[len(took)-1]+1)
					}
					return nil
				})
				if fate == 0 {
					if !errors.Is(err, refused) {
						t.Error(err)
					}
					continue
				}
				if err != nil {
					t.Error(err)
					continue
				}
				mu.Lock()
				if given[name] == nil {
					given[name] = map[int64]bool{}
				}
				for _, n := range took {
					if given[name][n] {
						t.Errorf("%s: %d was given twice", name, n)
					}
					given[name][n] = true
					most[name] = max(most[name], n)
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	for name, numbers := range given {
		if int64(len(numbers)) != most[name] {
			t.Errorf("%s: %d numbers up to %d", name, len(numbers), most[name])
		}
		if n := ask(t, d, `SELECT n FROM counters WHERE name = '`+name+`'`); int64(n) != most[name] {
			t.Errorf("%s stands at %d, not %d", name, n, most[name])
		}
	}
}

// TestOnlyTheLastValueOfAKeyIsWritten: an upsert that is put off is one row, however often it was.
func TestOnlyTheLastValueOfAKeyIsWritten(t *testing.T) {
	d := openCounters(t)
	ctx := context.Background()
	change(t, d, `CREATE TABLE writes (n INTEGER)`)
	for _, event := range []string{"INSERT", "UPDATE"} {
		change(t, d, `CREATE TRIGGER on_`+event+` AFTER `+event+` ON counters BEGIN INSERT INTO writes VALUES (1); END`)
	}
	for round := range 2 {
		if err := d.Write(ctx, func(tx *Tx) error {
			for n := range 100 {
				if err := intoCounters.Later(ctx, tx, []any{fmt.Sprint(n % 3), n + round}); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if got := ask(t, d, `SELECT sum(n) FROM counters`); got != 99+98+97+3*round {
			t.Errorf("the values are %d together", got)
		}
	}
	if n := ask(t, d, `SELECT count(*) FROM writes`); n != 6 {
		t.Errorf("%d rows were written for three keys, twice", n)
	}
}

// TestRowsThatFailForSomebodyElse: a closure that only asks has the rows of another one written, which the table refuses. The other one
// is told, and not the one that asked.
func TestRowsThatFailForSomebodyElse(t *testing.T) {
	d := openCounters(t)
	ctx := context.Background()
	change(t, d, `INSERT INTO counters VALUES ('taken', 1)`)
	insert := NewInsert("counters", "name, n", "")
	put := func(name string) func(*Tx) error {
		return func(tx *Tx) error { return insert.Later(ctx, tx, []any{name, 1}) }
	}
	for round := range 20 {
		good := fmt.Sprint("good", round)
		w := d.store.(*sqliteStore).writer
		if err := d.Write(ctx, func(*Tx) error { w.careful = 0; return nil }); err != nil {
			t.Fatal(err)
		}
		told := together(d, put("taken"), func(tx *Tx) error {
			_, err := One(ctx, tx, Value[int], `SELECT count(*) FROM counters`)
			return err
		}, put(good))
		if err := <-told[0]; err == nil {
			t.Error("rows that were refused are acknowledged")
		}
		if err := errors.Join(<-told[1], <-told[2]); err != nil {
			t.Errorf("somebody else's rows: %v", err)
		}
		if n := ask(t, d, `SELECT count(*) FROM counters WHERE name = '`+good+`'`); n != 1 {
			t.Errorf("%d rows of those that were acknowledged", n)
		}
	}
}

// TestRowsThatArePutOffAmongVeryManyStatements: those that were prepared are dropped when there are too many, also while one is about to run.
func TestRowsThatArePutOffAmongVeryManyStatements(t *testing.T) {
	d := openCounters(t)
	ctx := context.Background()
	known := func() int { return len(d.store.(*sqliteStore).writer.conn.statements) }
	if err := d.Write(ctx, func(tx *Tx) error {
		for n := 0; known() < maxStatements-1; n++ {
			if _, err := One(ctx, tx, Value[int], fmt.Sprintf(`SELECT %d`, n)); err != nil {
				return err
			}
		}
		if err := intoCounters.Later(ctx, tx, []any{"a", 7}); err != nil {
			return err
		}
		got, err := One(ctx, tx, Value[int], `SELECT n FROM counters WHERE name = $1`, "a") // the last for which there is room
		if got != 7 || known() > 2 {
			t.Errorf("%d, and %d statements", got, known())
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
