package db

import (
	"errors"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	sqlitecode "modernc.org/sqlite/lib"
)

// Dialect holds what differs between the stores: column types and triggers in migrations, the words that lock rows, and
// error codes.
type Dialect int

// The stores.
const (
	SQLite Dialect = iota
	Postgres
)

// String implements fmt.Stringer.
func (d Dialect) String() string {
	if d == Postgres {
		return "PostgreSQL"
	}
	return "SQLite"
}

// sqliteTypes turns a migration, written in PostgreSQL's words, into SQLite's. Tables end in `) /*strict*/;`,
// a comment to PostgreSQL, or in `) /*strict, by key*/;` where rows are kept in the order of their primary key.
var sqliteTypes = strings.NewReplacer("BIGINT", "INTEGER", "BYTEA", "BLOB", "/*strict*/", "STRICT", "/*strict, by key*/", "STRICT, WITHOUT ROWID")

func (d Dialect) migration(sql string) string {
	sql = d.section(sql)
	if d == SQLite {
		return sqliteTypes.Replace(sql)
	}
	return postgresText.ReplaceAllString(sql, `TEXT COLLATE "C"`)
}

// postgresText makes PostgreSQL compare texts byte by byte whatever the locale of its cluster: so does SQLite, and cursors and
// searches by prefix rely on it.
var postgresText = regexp.MustCompile(`\bTEXT\b`)

// section leaves out what is meant for the other store. A line `-- [sqlite]` or `-- [postgres]` begins such a part, and
// `-- [both]` ends it: triggers have no common form.
func (d Dialect) section(sql string) string {
	mine := "-- [sqlite]"
	if d == Postgres {
		mine = "-- [postgres]"
	}
	var kept strings.Builder
	keep := true
	for line := range strings.Lines(sql) {
		switch word := strings.TrimSpace(line); word {
		case "-- [sqlite]", "-- [postgres]":
			keep = word == mine
		case "-- [both]":
			keep = true
		default:
			if keep {
				kept.WriteString(line)
			}
		}
	}
	return kept.String()
}

// SkipLocked ends the SELECT of a claim: on PostgreSQL claimers pass each other's rows; on SQLite there is one
// writer and nothing to pass.
func (d Dialect) SkipLocked() string {
	if d == Postgres {
		return "FOR UPDATE SKIP LOCKED"
	}
	return ""
}

// ForUpdate ends a SELECT of rows that the transaction is going to change: on PostgreSQL others wait for them; on SQLite
// there is one writer and nobody to wait for. table is the alias whose rows are meant.
func (d Dialect) ForUpdate(table string) string {
	if d == Postgres {
		return "FOR UPDATE OF " + table
	}
	return ""
}

// ForKeyShare ends a SELECT of rows that must not be deleted before the transaction ends: on PostgreSQL whoever deletes them
// waits, and whoever else relies on them does not; on SQLite there is one writer.
func (d Dialect) ForKeyShare(table string) string {
	if d == Postgres {
		return "FOR KEY SHARE OF " + table
	}
	return ""
}

// IndexedBy stands behind a table and its alias, and says by which index it is to be read: SQLite has no statistics and guesses; on
// PostgreSQL, which has some, nothing need be said.
func (d Dialect) IndexedBy(index string) string {
	if d == Postgres {
		return ""
	}
	return "INDEXED BY " + index
}

// IsReferenced reports whether err is a row that cannot go because another one refers to it.
func IsReferenced(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code == "23503"
	}
	return sqliteErrorCode(err) == sqlitecode.SQLITE_CONSTRAINT_FOREIGNKEY
}

// IsDuplicate reports whether err is a clash with a unique index or primary key.
func IsDuplicate(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code == "23505"
	}
	code := sqliteErrorCode(err)
	return code == sqlitecode.SQLITE_CONSTRAINT_UNIQUE || code == sqlitecode.SQLITE_CONSTRAINT_PRIMARYKEY
}

// ErrAgain is for a closure that lost a race and would do better from the start, without the locks it holds.
var ErrAgain = errors.New("lost a race: the closure is to run again")

// isConflict reports whether the same closure may well succeed when run again.
func isConflict(err error) bool {
	if errors.Is(err, ErrAgain) {
		return true
	}
	var pg *pgconn.PgError
	// 40001 serialization_failure, 40P01 deadlock_detected
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}

func sqliteErrorCode(err error) int {
	var e *sqliteError
	if errors.As(err, &e) {
		return e.code
	}
	return sqlitecode.SQLITE_OK
}

// isLocked reports whether another process holds SQLite's write lock.
func isLocked(err error) bool { return sqliteErrorCode(err)&0xff == sqlitecode.SQLITE_BUSY }

// isDiskFailure reports whether SQLite could not read, write or sync its files: what reached the disk is unknown.
// A full disk is not one: SQLite rolls back cleanly and goes on once there is room.
func isDiskFailure(err error) bool {
	code := sqliteErrorCode(err) & 0xff
	return code == sqlitecode.SQLITE_IOERR || code == sqlitecode.SQLITE_CORRUPT
}
