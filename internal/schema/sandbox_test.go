package schema_test

import (
	"context"
	"fmt"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/schema"
)

// TestSandboxesThatWereThereBeforeGetTheirPlaces migrates a store with sandboxes of two organizations, more than there are places.
func TestSandboxesThatWereThereBeforeGetTheirPlaces(t *testing.T) {
	ctx, all := context.Background(), schema.Migrations()
	d := migrated(t, all[:9]) // the tenth is the sandboxes'
	err := d.Write(ctx, func(tx *db.Tx) error {
		sql := `INSERT INTO organizations VALUES ('org_a', 'A', 1, 1, 1), ('org_b', 'B', 1, 1, 1)`
		if _, err := tx.Exec(ctx, sql); err != nil {
			return err
		}
		for i := range 15 {
			var of any // twelve, two, and a real business
			if i < 14 {
				of = []string{"org_a", "org_b"}[i/12]
			}
			if _, err := tx.Exec(ctx, `INSERT INTO businesses (id, name, country, currency, time_zone, plan, sandbox_of, version, created_at, updated_at)
				VALUES ($1, 'B', 'NL', 'EUR', 'UTC', 'SANDBOX', $2, 1, $3, 1)`, fmt.Sprintf("biz_%02d", i), of, i); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Migrate(ctx, all); err != nil {
		t.Fatal(err)
	}
	var places []string
	err = d.Read(ctx, func(tx *db.Tx) (err error) {
		places, err = db.All(ctx, tx, db.Value[string], `SELECT organization_id || ' ' || slot || ' ' || seed || ' ' || state FROM sandboxes ORDER BY business_id`)
		return err
	})
	if err != nil || len(places) != 14 || places[0] != "org_a 1 EMPTY READY" || places[11] != "org_a 12 EMPTY READY" || places[13] != "org_b 2 EMPTY READY" {
		t.Errorf("%q, %v", places, err)
	}
}
