package dbtest

import (
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"daybook/internal/base/secret"
)

// Snapshot is what a database held while nobody had it open, for others to start from: a SQLite file, or the name of a copy on
// PostgreSQL.
type Snapshot struct {
	file []byte
	copy string
}

// Take takes a snapshot. Those on PostgreSQL stay until DropSnapshots.
func Take(t *testing.T, database string) Snapshot {
	t.Helper()
	if !onPostgres(database) {
		file, err := os.ReadFile(database)
		if err != nil {
			t.Fatal(err)
		}
		return Snapshot{file: file}
	}
	server, name := Require(t, "DAYBOOK_TEST_POSTGRES"), "snapshot_"+strings.ToLower(secret.Random(16))
	createFrom(t, server, nameOf(t, database), name)
	taken.Lock()
	defer taken.Unlock()
	taken.drops = append(taken.drops, func() error { return drop(server, name) })
	return Snapshot{copy: name}
}

// Put makes a database of the same kind, which nobody has open, hold what the snapshot holds.
func (s Snapshot) Put(t *testing.T, database string) {
	t.Helper()
	if !onPostgres(database) {
		if err := os.WriteFile(database, s.file, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	server, name := Require(t, "DAYBOOK_TEST_POSTGRES"), nameOf(t, database)
	if err := drop(server, name); err != nil {
		t.Fatal(err)
	}
	createFrom(t, server, s.copy, name)
}

var taken struct {
	sync.Mutex
	drops []func() error
}

// DropSnapshots is for the end of a test program.
func DropSnapshots() error {
	taken.Lock()
	defer taken.Unlock()
	for _, drop := range taken.drops {
		if err := drop(); err != nil {
			return err
		}
	}
	return nil
}

func onPostgres(database string) bool { return strings.Contains(database, "://") }

// createFrom copies files, which costs half of what copying through the log does.
func createFrom(t *testing.T, server, template, name string) {
	t.Helper()
	if err := admin(server, fmt.Sprintf(`CREATE DATABASE %s TEMPLATE %s STRATEGY file_copy`, name, template)); err != nil {
		t.Fatal(err)
	}
}

func drop(server, name string) error {
	return admin(server, fmt.Sprintf(`DROP DATABASE %s WITH (FORCE)`, name))
}

func nameOf(t *testing.T, database string) string {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(u.Path, "/")
}
