package schema_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/schema"
)

// migrated opens a new SQLite store that has got so far.
func migrated(t *testing.T, so []db.Migration) *db.DB {
	t.Helper()
	d, err := db.Open(context.Background(), db.Options{Database: filepath.Join(t.TempDir(), "daybook.db"), Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	if _, err := d.Migrate(context.Background(), so); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestLinesThatWerePostedBeforeStay migrates a store with an entry, whose lines then lie elsewhere and are guarded as before.
func TestLinesThatWerePostedBeforeStay(t *testing.T) {
	ctx, all := context.Background(), schema.Migrations()
	d := migrated(t, all[:17]) // the eighteenth moves the lines
	run := func(sql string) error {
		return d.Write(ctx, func(tx *db.Tx) error { _, err := tx.Exec(ctx, sql); return err })
	}
	line := func(entry, position, debit, credit string) string {
		return `INSERT INTO journal_lines (entry_id, position, id, business_id, account_id, date, debit, credit) VALUES
			('` + entry + `', ` + position + `, 'l` + position + `', 'biz_1', 'acc_1', '2026-11-01', ` + debit + `, ` + credit + `)`
	}
	entry := func(id, number string) string {
		return `INSERT INTO journal_entries (id, business_id, number, date, status, source_type, source_id, source_action, debit_total, credit_total, line_count, made_by, version,
			created_at, updated_at) VALUES ('` + id + `', 'biz_1', ` + number + `, '2026-11-01', 'POSTED', 'MANUAL', '` + id + `', 'POST', 5, 5, 2, '{}', 1, 1, 1)`
	}
	together := func(statements ...string) error {
		return d.Write(ctx, func(tx *db.Tx) error {
			for _, sql := range statements {
				if _, err := tx.Exec(ctx, sql); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for _, sql := range []string{
		`INSERT INTO businesses (id, name, country, currency, time_zone, plan, version, created_at, updated_at) VALUES ('biz_1', 'B', 'NL', 'EUR', 'UTC', 'SCALE', 1, 1, 1)`,
		`INSERT INTO accounts (id, business_id, code, name, search, type, status, version, created_at, updated_at) VALUES ('acc_1', 'biz_1', '1000', 'Bank', 'bank', 'ASSET', 'ACTIVE', 1, 1, 1)`,
	} {
		if err := run(sql); err != nil {
			t.Fatal(err)
		}
	}
	if err := together(line("jne_1", "0", "5", "0"), line("jne_1", "1", "0", "5"), entry("jne_1", "1")); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Migrate(ctx, all); err != nil {
		t.Fatal(err)
	}
	var kept []string
	err := d.Read(ctx, func(tx *db.Tx) (err error) {
		kept, err = db.All(ctx, tx, db.Value[string], `SELECT entry_id || position || id || debit || credit FROM journal_lines ORDER BY position`)
		return err
	})
	if err != nil || strings.Join(kept, " ") != "jne_10l050 jne_11l105" {
		t.Errorf("%q, %v", kept, err)
	}
	if err := together(line("jne_2", "0", "5", "0"), line("jne_2", "1", "0", "5"), entry("jne_2", "2")); err != nil {
		t.Errorf("a second entry: %v", err)
	}
	for name, statements := range map[string][]string{
		"a line more":         {line("jne_1", "2", "5", "0")},
		"a line changed":      {`UPDATE journal_lines SET debit = 6 WHERE position = 0`},
		"a line gone":         {`DELETE FROM journal_lines WHERE entry_id = 'jne_1'`},
		"lines of no entry":   {line("jne_3", "0", "5", "0")},
		"an unbalanced entry": {line("jne_4", "0", "5", "0"), line("jne_4", "1", "0", "4"), entry("jne_4", "4")},
		"an unknown account":  {strings.Replace(line("jne_5", "0", "5", "0"), "acc_1", "acc_2", 1), line("jne_5", "1", "0", "5"), entry("jne_5", "5")},
	} {
		if err := together(statements...); err == nil {
			t.Errorf("%s passed", name)
		}
	}
}
