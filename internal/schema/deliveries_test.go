package schema_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/schema"
)

// TestDeliveriesThatWereMadeBeforeStay migrates a store with deliveries, which then lie elsewhere, whole and with all their indexes.
func TestDeliveriesThatWereMadeBeforeStay(t *testing.T) {
	ctx, all := context.Background(), schema.Migrations()
	d := migrated(t, all[:18]) // the nineteenth moves them
	ask := func(sql string) (rows []string) {
		t.Helper()
		if err := d.Read(ctx, func(tx *db.Tx) (err error) { rows, err = db.All(ctx, tx, db.Value[string], sql); return err }); err != nil {
			t.Fatal(err)
		}
		return rows
	}
	const (
		columns = `id, webhook_id, app_id, business_id, event_id, type, body, status, attempts, sent, due_at, owner, response_code, last_error, created_at, delivered_at`
		whole   = `SELECT concat_ws('|', id, webhook_id, app_id, business_id, coalesce(event_id, '-'), type, body, status, attempts, sent, coalesce(due_at, '-'), coalesce(owner, '-'),
			coalesce(response_code, '-'), coalesce(last_error, '-'), created_at, coalesce(delivered_at, '-')) FROM deliveries ORDER BY id`
		indexes = `SELECT name || ' ' || sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'deliveries' AND sql IS NOT NULL ORDER BY name`
	)
	run := func(sql string) error {
		return d.Write(ctx, func(tx *db.Tx) error { _, err := tx.Exec(ctx, sql); return err })
	}
	for _, row := range []string{
		`('dlv_2', 'whk_1', 'app_1', 'biz_1', 'evt_1', 'invoice.created', '{"n":1}', 'retrying', 2, 3, 77, 'nod_1', 500, 'no', 5, NULL)`,
		`('dlv_1', 'whk_1', 'app_1', 'test', NULL, 'invoice.paid', '{"n":2}', 'delivered', 1, 1, NULL, NULL, 204, NULL, 4, 6)`,
	} {
		if err := run(`INSERT INTO deliveries (` + columns + `) VALUES ` + row); err != nil {
			t.Fatal(err)
		}
	}
	rows, had := ask(whole), ask(indexes)
	if _, err := d.Migrate(ctx, all); err != nil {
		t.Fatal(err)
	}
	if now := ask(whole); len(now) != 2 || !slices.Equal(now, rows) {
		t.Errorf("had %q, has %q", rows, now)
	}
	if now := ask(indexes); len(now) < 8 || !slices.Equal(now, had) {
		t.Errorf("had\n%s\nhas\n%s", strings.Join(had, "\n"), strings.Join(now, "\n"))
	}
	if run(`INSERT INTO deliveries (`+columns+`) VALUES ('dlv_1', 'w', 'a', 'b', NULL, 't', '', 'queued', 0, 0, NULL, NULL, NULL, NULL, 1, NULL)`) == nil {
		t.Error("an id passed twice")
	}
}
