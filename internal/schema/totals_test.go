package schema_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/schema"
)

// TestWhatWasCountedBeforeEntersTheTotals migrates a store in which two businesses' calls were counted by the minute, hour and day.
func TestWhatWasCountedBeforeEntersTheTotals(t *testing.T) {
	ctx := context.Background()
	d, err := db.Open(ctx, db.Options{Database: filepath.Join(t.TempDir(), "daybook.db"), Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	all := schema.Migrations()
	if _, err := d.Migrate(ctx, all[:14]); err != nil { // the fifteenth makes the totals
		t.Fatal(err)
	}
	err = d.Write(ctx, func(tx *db.Tx) error {
		for i, span := range []int{60_000, 3_600_000, 86_400_000} {
			for business := range 2 {
				values := strings.Repeat(", "+fmt.Sprint(business+1), 16)
				if _, err := tx.Exec(ctx, fmt.Sprintf(`INSERT INTO usage_counts VALUES ('app_1', %d, %d, 'biz_%d', 'GET', '/invoices', 200, 'v', %d, %d%s)`, i, span, business, 16*(business+1), business, values)); err != nil {
					return err
				}
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
	var rows []string
	err = d.Read(ctx, func(tx *db.Tx) (err error) {
		rows, err = db.All(ctx, tx, db.Value[string], `SELECT app_id || ' ' || begins_at || ' ' || span || ' [' || business_id || '] ' || calls || ' ' || rate_limited || ' ' || b0 || ' ' || b15 FROM usage_totals ORDER BY span`)
		return err
	})
	if want := []string{"app_1 1 3600000 [] 48 1 3 3", "app_1 2 86400000 [] 48 1 3 3"}; err != nil || fmt.Sprint(rows) != fmt.Sprint(want) {
		t.Errorf("%q, %v", rows, err)
	}
}
