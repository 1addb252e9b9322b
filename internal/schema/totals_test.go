package schema_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/schema"
)

// TestWhatWasCountedBeforeEntersTheTotals migrates a store in which two businesses' calls were counted by the minute, hour and day.
func TestWhatWasCountedBeforeEntersTheTotals(t *testing.T) {
	ctx, all := context.Background(), schema.Migrations()
	d := migrated(t, all[:14]) // the fifteenth makes the totals
	err := d.Write(ctx, func(tx *db.Tx) error {
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
	if _, err := d.Migrate(ctx, all[:15]); err != nil {
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

// TestHoursThatWereCountedBeforeEnterTheirDays migrates a store with hours of two days. Of one of them the first hour had become a day already.
func TestHoursThatWereCountedBeforeEnterTheirDays(t *testing.T) {
	const hour, day = 3_600_000, 86_400_000
	ctx, all := context.Background(), schema.Migrations()
	d := migrated(t, all[:16]) // the seventeenth makes the days
	err := d.Write(ctx, func(tx *db.Tx) error {
		for table, business := range map[string]string{"usage_counts": "biz_1", "usage_totals": ""} {
			for _, r := range []struct{ at, span, calls int }{{day, day, 1}, {day + hour, hour, 2}, {day + 23*hour, hour, 4}, {2 * day, hour, 8}, {2*day + 60_000, 60_000, 16}} {
				if _, err := tx.Exec(ctx, fmt.Sprintf(`INSERT INTO %s VALUES ('app_1', %d, %d, '%s', 'GET', '/invoices', 200, 'v', %d, 1%s)`,
					table, r.at, r.span, business, r.calls, strings.Repeat(", "+fmt.Sprint(r.calls), 16))); err != nil {
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
	for table, business := range map[string]string{"usage_counts": "biz_1", "usage_totals": ""} {
		var rows []string
		err = d.Read(ctx, func(tx *db.Tx) (err error) {
			rows, err = db.All(ctx, tx, db.Value[string], `SELECT (begins_at / 86400000) || ' [' || business_id || '] ' || calls || ' ' || rate_limited || ' ' || b0 || ' ' || b15 FROM `+table+` WHERE span = 86400000 ORDER BY begins_at`)
			return err
		})
		if want := []string{"1 [" + business + "] 7 3 7 7", "2 [" + business + "] 8 1 8 8"}; err != nil || fmt.Sprint(rows) != fmt.Sprint(want) {
			t.Errorf("%s: %q, %v", table, rows, err)
		}
	}
}
