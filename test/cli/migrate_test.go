package cli_test

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/schema"
	"daybook/test/harness"
)

// steps are the lines of a migrate command, each with the name of its step.
func steps(t *testing.T, stdout string) []string {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if len(lines) != len(schema.Migrations()) {
		t.Fatalf("%d lines for %d steps:\n%s", len(lines), len(schema.Migrations()), stdout)
	}
	for i, m := range schema.Migrations() {
		if !strings.Contains(lines[i], m.Name) {
			t.Errorf("line %q is not about %s", lines[i], m.Name)
		}
	}
	return lines
}

func TestMigrating(t *testing.T) {
	eachEmpty(t, func(t *testing.T, database string) {
		migrate := func(what string) string {
			t.Helper()
			status, stdout, stderr := harness.Run(t, t.TempDir(), nil, "", "migrate", what, "--database", database)
			if status != 0 || stderr != "" {
				t.Fatalf("migrate %s: %d\n%s", what, status, stderr)
			}
			return stdout
		}
		if db.IsPostgres(database) {
			for _, line := range steps(t, migrate("status")) {
				if !strings.HasSuffix(line, "pending") {
					t.Errorf("before: %s", line)
				}
			}
			if got := rows(t, database); len(got) != 0 {
				t.Errorf("looking wrote %q", got)
			}
		}
		for _, line := range steps(t, migrate("up")) {
			if !strings.HasPrefix(line, "applied ") {
				t.Errorf("up: %s", line)
			}
		}
		before := rows(t, database)
		for _, line := range steps(t, migrate("status")) {
			if !strings.Contains(line, "applied 20") {
				t.Errorf("after: %s", line)
			}
		}
		if again := migrate("up"); !strings.Contains(again, "nothing to do") {
			t.Errorf("up again: %s", again)
		}
		if after := rows(t, database); !slices.Equal(before, after) {
			t.Errorf("looking, or a second run, changed\n%q\nto\n%q", before, after)
		}
	})
}

func TestSeveralWhoMigrateAtOnceDoItOnce(t *testing.T) {
	eachEmpty(t, func(t *testing.T, database string) {
		harness.Binary(t)
		var wait sync.WaitGroup
		var mu sync.Mutex
		applied := 0
		for range 6 {
			wait.Go(func() {
				status, stdout, stderr := harness.Run(t, "", nil, "", "migrate", "up", "--database", database)
				mu.Lock()
				defer mu.Unlock()
				applied += strings.Count(stdout, "applied ")
				if status != 0 {
					t.Errorf("exit status %d: %s", status, stderr)
				}
			})
		}
		wait.Wait()
		if applied != len(schema.Migrations()) {
			t.Errorf("%d steps were applied, there are %d", applied, len(schema.Migrations()))
		}
	})
}

func TestMigrateRefuses(t *testing.T) {
	for _, c := range []struct {
		name    string
		command string
		prepare func(t *testing.T, dir string) (database string)
		says    string
	}{
		{"to look at a file that is not there", "status", func(_ *testing.T, dir string) string { return filepath.Join(dir, "no.db") }, "no.db"},
		{"a folder that is not there", "up", func(_ *testing.T, dir string) string { return filepath.Join(dir, "no", "x.db") }, "does not exist"},
		{"a folder in place of a file", "up", func(_ *testing.T, dir string) string { return dir }, "cannot open database"},
		{"to look at a file that is no database", "status", func(t *testing.T, dir string) string {
			return write(t, dir, "x.db", strings.Repeat("not a database ", 500))
		}, "x.db"},
		{"a file that is no database", "up", func(t *testing.T, dir string) string {
			return write(t, dir, "x.db", strings.Repeat("not a database ", 500))
		}, "x.db"},
		{"a server that is not there", "up", func(*testing.T, string) string { return "postgres://ada:" + secretWord + "@127.0.0.1:1/x" }, "127.0.0.1:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			database := c.prepare(t, dir)
			before := folder(t, dir)
			status, stdout, stderr := harness.Run(t, dir, nil, "", "migrate", c.command, "--database", database)
			if status != 1 {
				t.Errorf("exit status %d", status)
			}
			told(t, complaints(t, stdout, stderr), []string{c.says})
			untouched(t, dir, before)
		})
	}
}

func TestLookingAtAFileChangesNothing(t *testing.T) {
	dir := t.TempDir()
	database := filepath.Join(dir, "daybook.db")
	harness.Run(t, dir, nil, "", "migrate", "up", "--database", database)
	before := folder(t, dir)
	if status, _, stderr := harness.Run(t, dir, nil, "", "migrate", "status", "--database", database); status != 0 {
		t.Fatal(stderr)
	}
	untouched(t, dir, before)
}

// A file that somebody made and nobody has used.
func TestLookingAtAnEmptyFileChangesNothing(t *testing.T) {
	dir := t.TempDir()
	database := write(t, dir, "daybook.db", "")
	before := folder(t, dir)
	_, stdout, _ := harness.Run(t, dir, nil, "", "migrate", "status", "--database", database)
	steps(t, stdout)
	untouched(t, dir, before)
}
