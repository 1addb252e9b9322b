package oauth

import (
	"path/filepath"
	"testing"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/schema"
	"daybook/internal/schema/dbtest"
)

// fuzzWorld is a world on a SQLite file, for what has no *testing.T.
func fuzzWorld(f *testing.F) *world {
	f.Helper()
	hand := clock.NewHand(dbtest.Start)
	path := filepath.Join(f.TempDir(), "daybook.db")
	d, err := db.Open(ctx, db.Options{Database: path, Clock: hand})
	must(f, err)
	f.Cleanup(d.Close)
	_, err = d.Migrate(ctx, schema.Migrations())
	must(f, err)
	return newWorld(f, &dbtest.Store{DB: d, Clock: hand, IDs: id.NewSource(hand), Database: path})
}
