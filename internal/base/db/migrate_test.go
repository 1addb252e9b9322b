package db_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"daybook/internal/base/db"
	"daybook/internal/schema"
	"daybook/internal/schema/dbtest"
)

// history is the real one with further steps behind it.
func history(t *testing.T, more ...string) []db.Migration {
	t.Helper()
	list := append([]db.Migration{}, schema.Migrations()...)
	for _, sql := range more {
		list = append(list, db.Migration{Version: len(list) + 1, Name: "more", SQL: sql, Checksum: "sum of " + sql})
	}
	return list
}

const newTable = `CREATE TABLE extra (id BIGINT NOT NULL PRIMARY KEY, data BYTEA) /*strict*/;
	CREATE INDEX extra_data ON extra (data);`

func TestMigratingTwiceChangesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		applied, err := s.Migrate(ctx, history(t, newTable))
		if err != nil || len(applied) != 1 {
			t.Fatalf("applied %d, %v", len(applied), err)
		}
		applied, err = s.Migrate(ctx, history(t, newTable))
		if err != nil || len(applied) != 0 {
			t.Fatalf("again: applied %d, %v", len(applied), err)
		}
		must(t, s.CheckSchema(ctx, history(t, newTable)))
		all, err := s.Migrations(ctx, history(t, newTable, "SELECT 1"))
		must(t, err)
		if last := all[len(all)-1]; last.AppliedAt != nil || all[len(all)-2].AppliedAt == nil {
			t.Error("the status is wrong")
		}
	})
}

func TestNodesThatStartTogetherMigrateOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		var wait sync.WaitGroup
		var mu sync.Mutex
		total := 0
		for range 8 {
			wait.Go(func() {
				d, err := db.Open(ctx, db.Options{Database: s.Database, Clock: s.Clock})
				if err != nil {
					t.Error(err)
					return
				}
				defer d.Close()
				applied, err := d.Migrate(ctx, history(t, newTable, `INSERT INTO extra (id) VALUES (1)`))
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				total += len(applied)
				mu.Unlock()
			})
		}
		wait.Wait()
		if total != 2 {
			t.Errorf("two steps were applied %d times", total)
		}
	})
}

func TestAFailingStepLeavesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		_, err := s.Migrate(ctx, history(t, newTable+` INSERT INTO nowhere VALUES (1);`))
		if err == nil || !strings.Contains(err.Error(), "_more") {
			t.Fatalf("the error must name the step: %v", err)
		}
		must(t, s.CheckSchema(ctx, history(t)))
		_, err = s.Migrate(ctx, history(t, newTable)) // the half-made table is gone
		must(t, err)
	})
}

func TestASchemaThatDoesNotFitIsRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		_, err := s.Migrate(ctx, history(t, newTable))
		must(t, err)
		for name, c := range map[string]struct {
			list []db.Migration
			want error
		}{
			"by an older program": {history(t), db.ErrNewerSchema},
			"with another past":   {history(t, newTable+" "), db.ErrChangedPast},
		} {
			if _, err := s.Migrate(ctx, c.list); !errors.Is(err, c.want) {
				t.Errorf("migrating %s: %v", name, err)
			}
			if err := s.CheckSchema(ctx, c.list); !errors.Is(err, c.want) {
				t.Errorf("checking %s: %v", name, err)
			}
		}
		if err := s.CheckSchema(ctx, history(t, newTable, "SELECT 1")); !errors.Is(err, db.ErrPending) {
			t.Errorf("pending: %v", err)
		}
	})
}

func TestMigrationFilesRunWithoutGaps(t *testing.T) {
	file := &fstest.MapFile{Data: []byte("SELECT 1")}
	for name, files := range map[string]fstest.MapFS{
		"a gap":        {"0001_a.sql": file, "0003_b.sql": file},
		"a twin":       {"0001_a.sql": file, "0001_b.sql": file},
		"another name": {"first.sql": file},
	} {
		if _, err := db.LoadMigrations(files); err == nil {
			t.Errorf("%s passed", name)
		}
	}
}
