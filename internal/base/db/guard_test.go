package db_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/schema/dbtest"
)

func TestReadersCannotWrite(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		for name, run := range map[string]func(context.Context, func(*db.Tx) error) error{"Read": s.Read, "Snapshot": s.Snapshot} {
			if err := run(ctx, func(tx *db.Tx) error { return insertIn(tx, 1) }); err == nil {
				t.Errorf("%s: an INSERT passed", name)
			}
			err := run(ctx, func(tx *db.Tx) error {
				_, err := db.One(ctx, tx, db.Value[int], ` INSERT INTO notes (id) VALUES (1) RETURNING id`)
				return err
			})
			if err == nil {
				t.Errorf("%s: an INSERT … RETURNING passed", name)
			}
		}
		if got := notes(t, s); len(got) != 0 {
			t.Errorf("have %v", got)
		}
	})
}

func TestAStatementBesideOpenRowsIsRefusedAlikeOnBothStores(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		must(t, insert(s, 1))
		must(t, insert(s, 2))
		err := s.Write(ctx, func(tx *db.Tx) error {
			rows, err := tx.Query(ctx, `SELECT id FROM notes`)
			if err != nil {
				return err
			}
			rows.Next()
			return insertIn(tx, 3)
		})
		if err == nil || !strings.Contains(err.Error(), "rows of another are open") {
			t.Errorf("got %v", err)
		}
		if err := s.Write(ctx, func(tx *db.Tx) error { _, err := tx.Query(ctx, `SELECT 1`); return err }); err == nil {
			t.Error("a closure that leaves rows open must fail")
		}
		must(t, insert(s, 4)) // and the connection is usable again
	})
}

type word string

func TestValuesComeBackAsTheyWent(t *testing.T) {
	type record struct {
		S    string
		W    word
		N    int64
		I    int
		B    []byte
		Yes  bool
		No   bool
		At   time.Time
		Late *time.Time
		None *time.Time
		Name *string
		Nil  *string
		Doc  map[string]int
	}
	each(t, func(t *testing.T, s *dbtest.Store) {
		late, name := dbtest.Start.Add(time.Hour), "ü"
		in := record{"text\x01", "W", math.MaxInt64, -7, []byte{0, 255}, true, false, dbtest.Start, &late, nil, &name, nil, map[string]int{"a": 1}}
		var out record
		must(t, s.Write(ctx, func(tx *db.Tx) error {
			num, blob := "BIGINT", "BYTEA"
			if tx.Dialect() == db.SQLite {
				num, blob = "INTEGER", "BLOB"
			}
			if _, err := tx.Exec(ctx, `CREATE TABLE v (s TEXT, w TEXT, n `+num+`, i `+num+`, b `+blob+`, yes `+num+`, no `+num+`, at `+num+
				`, late `+num+`, none `+num+`, name TEXT, nil TEXT, doc TEXT)`); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `INSERT INTO v VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
				in.S, in.W, in.N, in.I, in.B, in.Yes, in.No, in.At, in.Late, in.None, in.Name, in.Nil, db.JSON(in.Doc)); err != nil {
				return err
			}
			var err error
			out, err = db.One(ctx, tx, func(scan db.Scan) (r record, err error) {
				err = scan(&r.S, &r.W, &r.N, &r.I, &r.B, &r.Yes, &r.No, &r.At, &r.Late, &r.None, &r.Name, &r.Nil, db.JSON(&r.Doc))
				return r, err
			}, `SELECT * FROM v`)
			return err
		}))
		if diff := cmp.Diff(in, out); diff != "" {
			t.Error(diff)
		}
	})
}

// loud is a named type that reads itself.
type loud string

// Scan implements sql.Scanner.
func (l *loud) Scan(src any) error {
	*l = loud(strings.ToUpper(src.(string)))
	return nil
}

func TestRowsDoNotShareWhatTheyAreReadInto(t *testing.T) {
	type word string
	each(t, func(t *testing.T, s *dbtest.Store) {
		must(t, s.Write(ctx, func(tx *db.Tx) error {
			for i, body := range []any{"a", "b", "b", "", "a"} {
				if _, err := tx.Exec(ctx, `INSERT INTO notes (id, body, n) VALUES ($1, $2, $3)`, i, body, 10*i); err != nil {
					return err
				}
			}
			return nil
		}))
		// One destination for all rows, as a reader of long lists has it.
		var text string
		var named word
		var own loud
		var n int
		must(t, s.Read(ctx, func(tx *db.Tx) error {
			list, err := db.All(ctx, tx, func(scan db.Scan) (string, error) {
				err := scan(&text, &named, &own, &n)
				return fmt.Sprint(text, named, own, n), err
			}, `SELECT body, body, body, n FROM notes ORDER BY id`)
			if got := fmt.Sprint(list); got != "[aaA0 bbB10 bbB20 30 aaA40]" {
				t.Errorf("read %s", got)
			}
			return err
		}))
	})
}

func TestNullIntoAValueIsAnError(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		err := s.Read(ctx, func(tx *db.Tx) error {
			_, err := db.One(ctx, tx, db.Value[string], `SELECT CAST(NULL AS TEXT)`)
			return err
		})
		if err == nil || !strings.Contains(err.Error(), "NULL") {
			t.Errorf("got %v", err)
		}
	})
}

func TestOneWithoutARowIsErrNoRows(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		err := s.Read(ctx, func(tx *db.Tx) error {
			_, err := db.One(ctx, tx, db.Value[int], `SELECT id FROM notes`)
			return err
		})
		if !errors.Is(err, db.ErrNoRows) {
			t.Errorf("got %v", err)
		}
	})
}

// The driver steps a RETURNING statement row by row: taking the first must not leave the rest undone.
func TestTakingOneOfManyReturnedRowsStillChangesAll(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		for i := range 5 {
			must(t, insert(s, i))
		}
		must(t, s.Write(ctx, func(tx *db.Tx) error {
			_, err := db.One(ctx, tx, db.Value[int], `UPDATE notes SET n = 7 RETURNING id`)
			return err
		}))
		must(t, s.Read(ctx, func(tx *db.Tx) error {
			n, err := db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM notes WHERE n = 7`)
			if n != 5 {
				t.Errorf("%d of 5 rows changed", n)
			}
			return err
		}))
	})
}

func TestStatementsAreCounted(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		counted, n := db.Counting(ctx)
		must(t, s.Write(counted, func(tx *db.Tx) error {
			for i := range 3 {
				if _, err := tx.Exec(counted, `INSERT INTO notes (id) VALUES ($1)`, i); err != nil {
					return err
				}
			}
			return nil
		}))
		if n.Load() != 3 {
			t.Errorf("counted %d statements of 3", n.Load())
		}
	})
}

func TestInMakesPlaceholders(t *testing.T) {
	if got := db.In(3, 2); got != "$3, $4" {
		t.Error(got)
	}
	if got := db.In(1, 0); got != "" {
		t.Error(got)
	}
}

func TestOpeningSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	noDatabase := filepath.Join(dir, "letter.txt")
	must(t, os.WriteFile(noDatabase, []byte(strings.Repeat("dear database, ", 500)), 0o600))
	for name, c := range map[string]struct{ database, says string }{
		"a folder that is not there": {filepath.Join(dir, "no", "daybook.db"), "does not exist"},
		"a file that is no database": {noDatabase, "not a database"},
		"a folder":                   {dir, "cannot open"},
		"nobody listening":           {"postgres://user:hunter2@127.0.0.1:1/books", "127.0.0.1:1"},
		"a URL that is none":         {"postgres://user:hunter2@127.0.0.1:port/books", "database URL"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := db.Open(ctx, db.Options{Database: c.database, Clock: clock.System{}})
			if err == nil {
				d.Close()
				t.Fatal("opened")
			}
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q does not say %q", err, c.says)
			}
			if strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "\n") {
				t.Errorf("one line and no password, please: %q", err)
			}
		})
	}
}

// Odd names must reach the file they name, not become parts of a connection string.
func TestFileNamesAreTakenLiterally(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?c#d%20e.db")
	d, err := db.Open(ctx, db.Options{Database: path, Clock: clock.System{}})
	must(t, err)
	must(t, d.Write(ctx, func(tx *db.Tx) error { _, err := tx.Exec(ctx, `CREATE TABLE x (a TEXT)`); return err }))
	d.Close()
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestTextThatCannotBeKeptFindsNothing(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		must(t, insert(s, 1))
		for _, odd := range []string{"note 1\x00", "\xff", "note\x00 1"} {
			must(t, s.Read(ctx, func(tx *db.Tx) error {
				n, err := db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM notes WHERE body = $1`, odd)
				if n != 0 {
					t.Errorf("%q found a note", odd)
				}
				return err
			}))
		}
	})
}

func TestAClosureThatLostARaceMayAskToRunAgain(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		runs := 0
		must(t, s.Write(ctx, func(tx *db.Tx) error {
			runs++
			if err := insertIn(tx, 1); err != nil {
				return err
			}
			if runs < 3 {
				return db.ErrAgain
			}
			return nil
		}))
		if got := notes(t, s); runs != 3 || len(got) != 1 {
			t.Errorf("%d runs left %v", runs, got)
		}
	})
}

// Stepping a finished statement would run it again.
func TestReadingAllReturnedRowsRunsTheStatementOnce(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store) {
		must(t, insert(s, 1))
		must(t, insert(s, 2))
		must(t, s.Write(ctx, func(tx *db.Tx) error {
			_, err := db.All(ctx, tx, db.Value[int], `UPDATE notes SET n = n + 1 RETURNING id`)
			return err
		}))
		must(t, s.Read(ctx, func(tx *db.Tx) error {
			sum, err := db.One(ctx, tx, db.Value[int], `SELECT CAST(sum(n) AS BIGINT) FROM notes`)
			if sum != 2 {
				t.Errorf("two rows were counted up to %d in all", sum)
			}
			return err
		}))
	})
}
