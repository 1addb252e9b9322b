package cli_test

import (
	"encoding/base64"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/test/harness"
)

// refusal is a start that must fail before anything is written.
type refusal struct {
	name    string
	prepare func(t *testing.T, dir string) (args []string)
	says    string
}

// flags is a preparation that only sets flags.
func flags(args ...string) func(*testing.T, string) []string {
	return func(*testing.T, string) []string { return args }
}

// keyFile is a preparation that leaves such a key file.
func keyFile(text string) func(*testing.T, string) []string {
	return func(t *testing.T, dir string) []string {
		write(t, dir, "daybook.key", text)
		return nil
	}
}

func TestServeThatCannotStartWritesNothing(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	port := taken.Addr().String()
	key := base64.StdEncoding.EncodeToString(make([]byte, 32))
	for _, c := range []refusal{
		{"a PostgreSQL that is not there", flags("--database", "postgres://ada:"+secretWord+"@127.0.0.1:1/daybook"), "127.0.0.1:1"},
		{"a PostgreSQL address with a strange port", flags("--database", "postgres://ada:"+secretWord+"@127.0.0.1:port/daybook"), "database"},
		{"a PostgreSQL address with a password that is not encoded", flags("--database", "postgres://ada:"+secretWord+"%zz@127.0.0.1:1/daybook"), "database"},
		{"a PostgreSQL address with a password that holds a colon and an at sign", flags("--database", "postgres://ada:a:"+secretWord+"@b@127.0.0.1:port/daybook"), "database"},
		{"a PostgreSQL address with a password in the query", flags("--database", "postgres://127.0.0.1:port/daybook?password="+secretWord), "database"},
		{"a folder for the database that is not there", flags("--database", "no/such/daybook.db"), "no/such"},
		{"a folder in place of the database", func(t *testing.T, dir string) []string {
			must(t, os.Mkdir(filepath.Join(dir, "daybook.db"), 0o755))
			return nil
		}, "daybook.db"},
		{"a database that is none", func(t *testing.T, dir string) []string {
			write(t, dir, "daybook.db", strings.Repeat("not a database ", 500))
			return nil
		}, "daybook.db"},
		{"a folder in place of the key file", func(t *testing.T, dir string) []string {
			must(t, os.Mkdir(filepath.Join(dir, "daybook.key"), 0o755))
			return nil
		}, "daybook.key"},
		{"a folder for the key file that is not there", flags("--key-file", "no/such/daybook.key"), "no/such"},
		{"a key file that cannot be created", flags("--key-file", "/proc/daybook.key"), "key file"},
		{"an empty key file", keyFile(""), "daybook.key"},
		{"a key file that is something else", keyFile("-----BEGIN PRIVATE KEY-----\n" + secretWord + "\n"), "daybook.key"},
		{"a key file with half a key", keyFile("daybook-key-1 " + key[:20] + "\n"), "daybook.key"},
		{"a key file with a key that is too long", keyFile("daybook-key-1 " + base64.StdEncoding.EncodeToString(make([]byte, 33))), "daybook.key"},
		{"a key file with a damaged key", keyFile("daybook-key-1 " + secretWord + key[:32]), "daybook.key"},
		{"a key file with something behind the key", keyFile("daybook-key-1 " + key + " " + secretWord), "daybook.key"},
		{"the port of the API host in use", flags("--api-listen", port), port},
		{"the port of the app host in use", flags("--app-listen", port), port},
		{"the port of the metrics in use", flags("--metrics-listen", port), port},
		{"an address that is not ours", flags("--api-listen", "192.0.2.1:80"), "192.0.2.1:80"},
		{"no migration of a database that is not there", flags("--no-migrate"), "migrate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			args := slices.Concat([]string{"serve"}, good, c.prepare(t, dir))
			before := folder(t, dir)
			status, stdout, stderr := harness.Run(t, dir, []string{"DAYBOOK_LOG_LEVEL=error"}, "", args...)
			if status != 1 {
				t.Errorf("exit status %d", status)
			}
			told(t, complaints(t, stdout, stderr), []string{c.says})
			untouched(t, dir, before)
		})
	}
}

func TestServeCannotReadAKeyFileOfSomebodyElse(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	dir := t.TempDir()
	must(t, os.Chmod(write(t, dir, "daybook.key", "x"), 0))
	before := folder(t, dir)
	status, stdout, stderr := harness.Run(t, dir, nil, "", append([]string{"serve"}, good...)...)
	if status != 1 {
		t.Errorf("exit status %d", status)
	}
	told(t, complaints(t, stdout, stderr), []string{"daybook.key"})
	untouched(t, dir, before)
}

func TestServeRefusesAnInstallationThatDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		name string
		harm func(t *testing.T, i installation)
		says string
	}{
		{"the key file is missing", func(t *testing.T, i installation) { must(t, os.Remove(i.key)) }, "daybook.key"},
		{"the key file is another installation's", func(t *testing.T, i installation) {
			write(t, i.dir, "daybook.key", "daybook-key-1 "+base64.StdEncoding.EncodeToString(make([]byte, 32))+"\n")
		}, "does not fit"},
		{"the database was migrated by a newer version", func(t *testing.T, i installation) {
			change(t, i.database, `INSERT INTO schema_migration (version, name, checksum, applied_at) VALUES (9999, 'future', 'x', 1)`)
		}, "newer"},
		{"the past was changed", func(t *testing.T, i installation) {
			change(t, i.database, `UPDATE schema_migration SET checksum = 'x' WHERE version = 1`)
		}, "history"},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachInstallation(t, func(t *testing.T, i installation) {
				c.harm(t, i)
				before, rowsBefore := folder(t, i.dir), rows(t, i.database)
				for _, command := range [][]string{append([]string{"serve"}, good...), append([]string{"serve", "--no-migrate"}, good...),
					{"operator", "create", "--email", "ada@example.test"}, {"fixture", "load", write(t, t.TempDir(), "x.yaml", "users: []\n")}} {
					status, stdout, stderr := i.run(t, "", command...)
					if status != 1 {
						t.Errorf("%v: exit status %d", command, status)
					}
					told(t, complaints(t, stdout, stderr), []string{c.says})
				}
				if after := rows(t, i.database); !slices.Equal(rowsBefore, after) {
					t.Errorf("%d rows became %d, or others", len(rowsBefore), len(after))
				}
				if db.IsPostgres(i.database) {
					untouched(t, i.dir, before)
				} else {
					untouchedBut(t, i, before)
				}
			})
		})
	}
}

func TestNoMigrateServesAnUpToDateDatabase(t *testing.T) {
	eachInstallation(t, func(t *testing.T, i installation) {
		env := []string{"DAYBOOK_DATABASE=" + i.database, "DAYBOOK_KEY_FILE=" + i.key}
		harness.Serve(t, harness.ServeOptions{Dir: i.dir, Env: env, Args: []string{"--no-migrate"}}).Stop()
		change(t, i.database, `DELETE FROM schema_migration WHERE version > 1`)
		status, stdout, stderr := i.run(t, "", append([]string{"serve", "--no-migrate"}, good...)...)
		if status != 1 {
			t.Errorf("exit status %d", status)
		}
		told(t, complaints(t, stdout, stderr), []string{"daybook migrate up"})
	})
}
