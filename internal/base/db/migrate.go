package db

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// Migration is one step of the schema: a file NNNN_name.sql, applied in order, once, never changed afterwards.
type Migration struct {
	Version  int
	Name     string
	SQL      string
	Checksum string
	// AppliedAt is nil while it is pending.
	AppliedAt *time.Time
}

// Why a schema cannot be used. The texts are for the operator.
var (
	ErrNewerSchema = errors.New("the database was migrated by a newer version of this program")
	ErrChangedPast = errors.New("the database has a different history of migrations")
	ErrPending     = errors.New("the database needs migrating")
)

var migrationName = regexp.MustCompile(`^(\d{4})_([a-z0-9_]+)\.sql$`)

// LoadMigrations reads every NNNN_name.sql of a folder. Their numbers must run 1, 2, 3… without a gap.
func LoadMigrations(files fs.FS) ([]Migration, error) {
	names, err := fs.Glob(files, "*.sql") // sorted
	if err != nil {
		return nil, err
	}
	var list []Migration
	for i, name := range names {
		match := migrationName.FindStringSubmatch(path.Base(name))
		if match == nil {
			return nil, fmt.Errorf("%s is not named NNNN_name.sql", name)
		}
		version, _ := strconv.Atoi(match[1])
		if version != i+1 {
			return nil, fmt.Errorf("%s should have number %04d", name, i+1)
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		list = append(list, Migration{Version: version, Name: match[2], SQL: string(text), Checksum: hex.EncodeToString(sum[:])})
	}
	return list, nil
}

// Migrate applies what is missing, each step in its own transaction, and reports the steps it applied. Nodes that
// start together do it once. Nothing is applied to a database with another past or a newer schema.
func (d *DB) Migrate(ctx context.Context, list []Migration) (applied []Migration, err error) {
	if err := d.Write(ctx, d.createHistory); err != nil {
		return nil, err
	}
	for {
		var step *Migration
		err := d.Write(ctx, func(tx *Tx) error {
			step = nil
			if err := lockHistory(ctx, tx); err != nil {
				return err
			}
			next, err := pending(ctx, tx, list)
			if err != nil || len(next) == 0 {
				return err
			}
			step = &next[0]
			return tx.apply(ctx, next[0])
		})
		if err != nil && step != nil {
			return applied, fmt.Errorf("migration %04d_%s: %w", step.Version, step.Name, err)
		}
		if err != nil || step == nil {
			return applied, err
		}
		applied = append(applied, *step)
	}
}

// CheckSchema is nil when the database has exactly these migrations.
func (d *DB) CheckSchema(ctx context.Context, list []Migration) error {
	all, err := d.Migrations(ctx, list)
	if err != nil {
		return err
	}
	missing := 0
	for _, m := range all {
		if m.AppliedAt == nil {
			missing++
		}
	}
	if missing > 0 {
		return fmt.Errorf("%w: %d of %d steps are missing", ErrPending, missing, len(all))
	}
	return nil
}

// Migrations tells of each step whether and when it was applied.
func (d *DB) Migrations(ctx context.Context, list []Migration) ([]Migration, error) {
	all := append([]Migration{}, list...)
	err := d.Snapshot(ctx, func(tx *Tx) error {
		exists, err := historyExists(ctx, tx)
		if err != nil || !exists {
			return err
		}
		history, err := readHistory(ctx, tx, list)
		for i := range history {
			all[i].AppliedAt = history[i].AppliedAt
		}
		return err
	})
	return all, err
}

func pending(ctx context.Context, tx *Tx, list []Migration) ([]Migration, error) {
	history, err := readHistory(ctx, tx, list)
	if err != nil {
		return nil, err
	}
	return list[len(history):], nil
}

// readHistory reads what was applied and compares it with list.
func readHistory(ctx context.Context, tx *Tx, list []Migration) ([]Migration, error) {
	history, err := All(ctx, tx, scanMigration, `SELECT version, name, checksum, applied_at FROM schema_migration ORDER BY version`)
	if err != nil {
		return nil, err
	}
	for i, was := range history {
		if i >= len(list) {
			return nil, fmt.Errorf("%w: it has step %04d_%s, this version knows steps up to %04d", ErrNewerSchema, was.Version, was.Name, len(list))
		}
		if was.Version != list[i].Version || was.Checksum != list[i].Checksum {
			return nil, fmt.Errorf("%w: step %04d_%s is not the one in this program", ErrChangedPast, was.Version, was.Name)
		}
	}
	return history, nil
}

func scanMigration(scan Scan) (Migration, error) {
	var m Migration
	err := scan(&m.Version, &m.Name, &m.Checksum, &m.AppliedAt)
	return m, err
}

func (d *DB) createHistory(tx *Tx) error {
	ctx := context.Background()
	if err := lockHistory(ctx, tx); err != nil {
		return err
	}
	return tx.script(ctx, `CREATE TABLE IF NOT EXISTS schema_migration (
		version BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL
	) /*strict*/;`)
}

// lockHistory lets one node migrate at a time. On SQLite a Write is alone anyway.
func lockHistory(ctx context.Context, tx *Tx) error {
	if tx.Dialect() != Postgres {
		return nil
	}
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(6421871)`) // any number, the same in every node
	return err
}

func historyExists(ctx context.Context, tx *Tx) (bool, error) {
	sql := `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'schema_migration'`
	if tx.Dialect() == Postgres {
		sql = `SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'schema_migration'`
	}
	n, err := One(ctx, tx, Value[int], sql)
	return n > 0, err
}

func (tx *Tx) apply(ctx context.Context, m Migration) error {
	if err := tx.script(ctx, m.SQL); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `INSERT INTO schema_migration (version, name, checksum, applied_at) VALUES ($1, $2, $3, $4)`,
		m.Version, m.Name, m.Checksum, tx.now)
	return err
}

// script runs several statements without arguments.
func (tx *Tx) script(ctx context.Context, sql string) error {
	sql = tx.Dialect().migration(sql)
	tx.wrote = true
	switch c := tx.conn.(type) {
	case *sqliteConn:
		return tx.note(c.script(sql))
	case postgresConn:
		_, err := c.q.(pgx.Tx).Conn().PgConn().Exec(ctx, sql).ReadAll()
		return tx.note(err)
	}
	return nil
}
