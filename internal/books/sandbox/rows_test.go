package sandbox

import (
	"context"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/schema/dbtest"
)

// TestEveryRowOfABusinessIsAccountedFor compares the lists of rows.go with the schema: whoever adds a table that names businesses
// says what becomes of its rows.
func TestEveryRowOfABusinessIsAccountedFor(t *testing.T) {
	listed := map[string]bool{}
	for _, t := range append(append([]table{}, books...), rest...) {
		listed[t.name] = true
	}
	for name := range elsewhere {
		listed[name] = true
	}
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		if s.Dialect() == db.Postgres {
			t.Skip("SQLite tells of the same tables")
		}
		ctx := context.Background()
		var tables []string
		err := s.Read(ctx, func(tx *db.Tx) (err error) {
			tables, err = db.All(ctx, tx, db.Value[string], `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
				WHERE m.type = 'table' AND (c.name = 'business_id' OR m.name = 'businesses' AND c.name = 'id') ORDER BY m.name`)
			return err
		})
		if err != nil || len(tables) < 20 {
			t.Fatalf("%v, %v", tables, err)
		}
		for _, name := range tables {
			if !listed[name] {
				t.Errorf("rows.go does not say what becomes of the rows of %s when a sandbox goes", name)
			}
		}
	})
}
