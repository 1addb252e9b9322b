// Package dbtest gives tests a store of their own, on both databases.
//
// SQLite needs nothing. PostgreSQL is reached by the URL in DAYBOOK_TEST_POSTGRES (`make test` starts one); without
// it those tests are skipped, or fail when DAYBOOK_TEST_REQUIRE is set, so that CI never skips silently.
package dbtest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/schema"
)

// Start is where the hand of a test's clock stands at first.
var Start = time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)

// Store is an empty, migrated store for one test, on a hand-turned clock.
type Store struct {
	*db.DB
	Clock *clock.Hand
	IDs   *id.Source
	// Database is the setting that opens it again.
	Database string
}

// Each runs the test once per database.
func Each(t *testing.T, test func(t *testing.T, s *Store)) {
	t.Helper()
	EachDatabase(t, func(t *testing.T, database string) {
		hand := clock.NewHand(Start)
		d, err := db.Open(context.Background(), db.Options{Database: database, Clock: hand})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(d.Close)
		test(t, &Store{DB: d, Clock: hand, IDs: id.NewSource(hand), Database: database})
	})
}

// EachDatabase runs the test once per database, with the setting that opens a migrated, empty one.
func EachDatabase(t *testing.T, test func(t *testing.T, database string)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) { test(t, sqliteCopy(t)) })
	t.Run("PostgreSQL", func(t *testing.T) { test(t, postgresCopy(t)) })
}

// Postgres is the setting that opens a migrated, empty database on PostgreSQL, for a test that runs on one store at a time.
func Postgres(t *testing.T) string {
	t.Helper()
	return postgresCopy(t)
}

// template is a migrated, empty SQLite file, made once per test program and copied for each test.
var template = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "daybook-test-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "template.db")
	if err := migrate(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path) // whole: closing the last connection folds the WAL into it
})

func sqliteCopy(t *testing.T) string {
	t.Helper()
	bytes, err := template()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "daybook.db")
	if err := os.WriteFile(path, bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func migrate(database string) error {
	ctx := context.Background()
	d, err := db.Open(ctx, db.Options{Database: database, Clock: clock.System{}})
	if err != nil {
		return err
	}
	defer d.Close()
	_, err = d.Migrate(ctx, schema.Migrations())
	return err
}

// Require skips the test when a service is not there, and fails it where skipping is forbidden.
func Require(t *testing.T, variable string) string {
	t.Helper()
	value := os.Getenv(variable)
	if value == "" {
		if os.Getenv("DAYBOOK_TEST_REQUIRE") != "" {
			t.Fatalf("%s is not set, and DAYBOOK_TEST_REQUIRE forbids skipping", variable)
		}
		t.Skipf("%s is not set: run `make test`, or start services with scripts/test-services", variable)
	}
	return value
}
