package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"daybook/internal/base/db"
	"daybook/internal/schema/dbtest"
	"daybook/test/harness"
)

// eachEmpty runs the test with the setting of a database that nobody has migrated yet: a file that is not there, and an
// empty PostgreSQL database.
func eachEmpty(t *testing.T, test func(t *testing.T, database string)) {
	t.Helper()
	dbtest.EachDatabase(t, func(t *testing.T, database string) {
		if !db.IsPostgres(database) {
			must(t, os.Remove(database))
			test(t, database)
			return
		}
		ctx := context.Background()
		conn, err := pgx.Connect(ctx, database)
		must(t, err)
		_, err = conn.Exec(ctx, `DROP SCHEMA public CASCADE; CREATE SCHEMA public`)
		must(t, err)
		must(t, conn.Close(ctx))
		test(t, database)
	})
}

// installation is a database in use, with its key file, in a folder of its own.
type installation struct {
	dir, database, key string
}

// first is the operator of every installation.
const first, firstPassword = "first@example.test", "a-good-password"

// eachInstallation runs the test on both stores. The SQLite file is in the folder too.
func eachInstallation(t *testing.T, test func(t *testing.T, i installation)) {
	t.Helper()
	eachEmpty(t, func(t *testing.T, database string) {
		i := installation{dir: t.TempDir(), database: database}
		i.key = filepath.Join(i.dir, "daybook.key")
		if !db.IsPostgres(database) {
			i.database = filepath.Join(i.dir, "daybook.db")
		}
		status, _, stderr := i.run(t, firstPassword+"\n", "operator", "create", "--email", first, "--password-stdin")
		if status != 0 {
			t.Fatal(stderr)
		}
		test(t, i)
	})
}

// run runs a command on the installation.
func (i installation) run(t *testing.T, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	env := []string{"DAYBOOK_DATABASE=" + i.database, "DAYBOOK_KEY_FILE=" + i.key}
	return harness.Run(t, i.dir, env, stdin, args...)
}
