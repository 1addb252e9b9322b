package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/secret"
)

// stores measures durable writes and point reads.
func stores(ctx context.Context, dir string) ([]figure, error) {
	var figures []figure
	for _, c := range []struct {
		name, file string
		alone      bool
	}{
		{"SQLite, group commit", "group.db", false},
		{"SQLite, one commit each", "alone.db", true},
	} {
		d, err := db.Open(ctx, db.Options{Database: filepath.Join(dir, c.file), Clock: clock.System{}, NoGroupCommit: c.alone})
		if err != nil {
			return nil, err
		}
		more, err := store(ctx, d, c.name, !c.alone, "fsync before every answer")
		d.Close()
		if err != nil {
			return nil, err
		}
		figures = append(figures, more...)
	}
	server := os.Getenv("DAYBOOK_TEST_POSTGRES")
	if server == "" {
		return append(figures, figure{name: "PostgreSQL: not measured", rate: 1, extra: "DAYBOOK_TEST_POSTGRES is not set"}), nil
	}
	database, drop, err := scratch(ctx, server)
	if err != nil {
		return nil, err
	}
	defer drop()
	d, err := db.Open(ctx, db.Options{Database: database, Clock: clock.System{}})
	if err != nil {
		return nil, err
	}
	defer d.Close()
	more, err := store(ctx, d, "PostgreSQL", true, "as its server is set: "+fsyncOf(ctx, d))
	return append(figures, more...), err
}

func store(ctx context.Context, d *db.DB, name string, reads bool, how string) ([]figure, error) {
	kind := "BIGINT"
	if d.Dialect() == db.SQLite {
		kind = "INTEGER"
	}
	err := d.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `CREATE TABLE bench (id `+kind+` NOT NULL PRIMARY KEY, body TEXT NOT NULL)`)
		return err
	})
	if err != nil {
		return nil, err
	}
	body := strings.Repeat("x", 200)
	const apart = 100_000_000 // each worker has its own range of ids
	before := d.Stats()
	writes, err := rate(func(w, n int) error {
		return d.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(ctx, `INSERT INTO bench (id, body) VALUES ($1, $2)`, w*apart+n, body)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	s := d.Stats()
	group := float64(s.Writes-before.Writes) / float64(max(s.Commits-before.Commits, 1))
	figures := []figure{{name: name + ": writes", rate: writes, extra: fmt.Sprintf("%.1f per commit; %s", group, how)}}
	if !reads {
		return figures, nil
	}
	points, err := rate(func(w, n int) error {
		return d.Read(ctx, func(tx *db.Tx) error {
			_, err := db.One(ctx, tx, db.Value[string], `SELECT body FROM bench WHERE id = $1`, w*apart+n%50)
			return err
		})
	})
	return append(figures, figure{name: name + ": point reads", rate: points}), err
}

func fsyncOf(ctx context.Context, d *db.DB) string {
	setting := "unknown"
	_ = d.Read(ctx, func(tx *db.Tx) (err error) {
		setting, err = db.One(ctx, tx, db.Value[string], `SELECT current_setting('fsync')`)
		return err
	})
	return "fsync " + setting
}

// scratch makes a database that is dropped afterwards.
func scratch(ctx context.Context, server string) (string, func(), error) {
	name := "bench_" + strings.ToLower(secret.Random(12))
	exec := func(sql string) error {
		conn, err := pgx.Connect(ctx, server)
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		_, err = conn.Exec(ctx, sql)
		return err
	}
	if err := exec(`CREATE DATABASE ` + name); err != nil {
		return "", nil, err
	}
	at := strings.LastIndexByte(server, '/')
	return server[:at+1] + name, func() { _ = exec(`DROP DATABASE ` + name + ` WITH (FORCE)`) }, nil
}

// bothStores are the databases to measure on: a file, and a new one on the PostgreSQL server if there is one. drop removes the latter.
func bothStores(ctx context.Context, file string) (targets map[string]string, drop func(), err error) {
	targets, drop = map[string]string{"SQLite": file}, func() {}
	if server := os.Getenv("DAYBOOK_TEST_POSTGRES"); server != "" {
		targets["PostgreSQL"], drop, err = scratch(ctx, server)
	}
	return targets, drop, err
}
