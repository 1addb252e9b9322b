// Package cli_test runs every command of the real binary as a person or a script would, the mistakes included.
package cli_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

// complaints are the mistakes a failed command told, one line each. Everything else about them is proved here: where
// they stand, how they begin, that no stack and nothing secret is among them.
func complaints(t *testing.T, stdout, stderr string) []string {
	t.Helper()
	if stdout != "" {
		t.Errorf("standard output of a failed command: %q", stdout)
	}
	lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
	for _, line := range lines {
		if !strings.HasPrefix(line, "daybook: ") || len(line) < 20 {
			t.Errorf("not a line of ours: %q", line)
		}
	}
	for _, foreign := range []string{"goroutine ", "panic", ".go:", "runtime error", "%!", "<nil>", secretWord} {
		if strings.Contains(stderr, foreign) {
			t.Errorf("%q in %s", foreign, stderr)
		}
	}
	return slices.DeleteFunc(lines, func(line string) bool { return line == "daybook: see daybook --help" })
}

// secretWord is the password in every setting that holds one; it must never be shown.
const secretWord = "correct-horse"

// folder describes all that is in a folder: names, kinds, permissions, contents.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		text := info.Mode().String()
		if info.Mode().IsRegular() {
			bytes, err := os.ReadFile(path)
			if err != nil && !os.IsPermission(err) {
				return err
			}
			text += fmt.Sprintf(" %x", sha256.Sum256(bytes))
		}
		name, _ := filepath.Rel(dir, path)
		all[name] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// untouched proves that nothing in the folder has changed.
func untouched(t *testing.T, dir string, before map[string]string) {
	t.Helper()
	if after := folder(t, dir); !maps.Equal(before, after) {
		t.Errorf("the folder has changed: before %v, after %v", slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
		for name, text := range after {
			if was, ok := before[name]; ok && was != text {
				t.Errorf("%s is another file now", name)
			}
		}
	}
}

// open opens a database beside the program under test.
func open(t *testing.T, database string) *db.DB {
	t.Helper()
	d, err := db.Open(context.Background(), db.Options{Database: database, Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// change runs one statement in a database.
func change(t *testing.T, database, sql string, args ...any) {
	t.Helper()
	d := open(t, database)
	defer d.Close()
	err := d.Write(context.Background(), func(tx *db.Tx) error {
		_, err := tx.Exec(context.Background(), sql, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// rows is everything in a database: every row of every table, as text, sorted.
func rows(t *testing.T, database string) []string {
	t.Helper()
	d := open(t, database)
	defer d.Close()
	var all []string
	err := d.Snapshot(context.Background(), func(tx *db.Tx) error {
		tables := `SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`
		columns := `SELECT name FROM pragma_table_info($1) ORDER BY cid`
		value := `coalesce(hex("%s"), '-')`
		if tx.Dialect() == db.Postgres {
			tables = `SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`
			columns = `SELECT CAST(column_name AS TEXT) FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position`
			value = `coalesce(CAST("%s" AS TEXT), '-')`
		}
		names, err := db.All(context.Background(), tx, db.Value[string], tables)
		for _, table := range names {
			if table == "nodes" { // a running node's beat
				continue
			}
			var list, shown []string
			if list, err = db.All(context.Background(), tx, db.Value[string], columns, table); err != nil {
				return err
			}
			for _, column := range list {
				shown = append(shown, fmt.Sprintf(value, column))
			}
			sql := fmt.Sprintf(`SELECT %s FROM "%s"`, strings.Join(shown, ` || ' ' || `), table)
			if list, err = db.All(context.Background(), tx, db.Value[string], sql); err != nil {
				return err
			}
			for _, row := range list {
				all = append(all, table+": "+row)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// write puts a file into a folder and gives its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
