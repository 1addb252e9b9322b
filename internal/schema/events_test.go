package schema_test

import (
	"context"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/schema"
)

// TestEventsThatHappenedBeforeStay migrates a store with events, which then lie elsewhere, whole and in their order; no number is
// taken twice.
func TestEventsThatHappenedBeforeStay(t *testing.T) {
	ctx, all := context.Background(), schema.Migrations()
	d := migrated(t, all[:18]) // the nineteenth moves the events
	run := func(sql string) error {
		return d.Write(ctx, func(tx *db.Tx) error { _, err := tx.Exec(ctx, sql); return err })
	}
	happened := func(id, number, app, user string) string {
		return `INSERT INTO events (id, business_id, number, type, app_id, user_id, data, created_at) VALUES ('` + id + `', 'biz_1', ` + number + `, 'app.installed', ` + app + `, ` + user + `, '{"n":` + number + `}', 5)`
	}
	for _, sql := range []string{happened("evt_2", "2", "NULL", "'usr_1'"), happened("evt_1", "1", "'app_1'", "NULL")} {
		if err := run(sql); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Migrate(ctx, all); err != nil {
		t.Fatal(err)
	}
	if err := run(happened("evt_3", "3", "NULL", "NULL")); err != nil {
		t.Errorf("one more: %v", err)
	}
	for name, sql := range map[string]string{"a number twice": happened("evt_4", "2", "NULL", "NULL"), "an id twice": happened("evt_1", "4", "NULL", "NULL")} {
		if run(sql) == nil {
			t.Errorf("%s passed", name)
		}
	}
	var kept []string
	err := d.Read(ctx, func(tx *db.Tx) (err error) {
		kept, err = db.All(ctx, tx, db.Value[string], `SELECT id || number || coalesce(app_id, '-') || coalesce(user_id, '-') || data || created_at FROM events WHERE business_id = 'biz_1' ORDER BY number`)
		return err
	})
	if err != nil || strings.Join(kept, " ") != `evt_11app_1-{"n":1}5 evt_22-usr_1{"n":2}5 evt_33--{"n":3}5` {
		t.Errorf("%q, %v", kept, err)
	}
}
