package bulk

import (
	"context"
	"strings"

	"daybook/internal/base/db"
	"daybook/internal/books/record"
)

// The savepoints: of the whole import, and of the rows since the last refused one.
const (
	whole = "import_whole"
	rows  = "import_rows"
)

func savepoint(ctx context.Context, tx *db.Tx, name string) error {
	_, err := tx.Exec(ctx, `SAVEPOINT `+name)
	return err
}

// rollbackTo leaves the savepoint as if it had just been set.
func rollbackTo(ctx context.Context, tx *db.Tx, name string) error {
	_, err := tx.Exec(ctx, `ROLLBACK TO `+name)
	return err
}

func release(ctx context.Context, tx *db.Tx, name string) error {
	_, err := tx.Exec(ctx, `RELEASE `+name)
	return err
}

// findInvoices reads those of the calling app's invoices that exist among the names.
func findInvoices(ctx context.Context, tx *db.Tx, by record.Call, names []string) (map[string]existing, error) {
	found := map[string]existing{}
	if len(names) == 0 {
		return found, nil
	}
	_, err := db.All(ctx, tx, func(scan db.Scan) (name string, err error) {
		var e existing
		err = scan(&name, &e.id, &e.number, &e.total)
		found[name] = e
		return name, err
	}, wanted(names)+`SELECT x.external_id, r.id, r.number, r.total FROM wanted w CROSS JOIN external_ids x
		JOIN invoices r ON r.business_id = x.business_id AND r.id = x.record_id WHERE `+isWanted, named(by, record.Invoice, names)...)
	return found, err
}

// findCustomers reads those of the calling app's customers that exist among the names.
func findCustomers(ctx context.Context, tx *db.Tx, by record.Call, names []string) (map[string]customer, error) {
	found := map[string]customer{}
	if len(names) == 0 {
		return found, nil
	}
	_, err := db.All(ctx, tx, func(scan db.Scan) (name string, err error) {
		c := customer{row: before}
		err = scan(&name, &c.id)
		found[name] = c
		return name, err
	}, wanted(names)+`SELECT x.external_id, x.record_id FROM wanted w CROSS JOIN external_ids x WHERE `+isWanted, named(by, record.Customer, names)...)
	return found, err
}

const isWanted = `x.business_id = $1 AND x.app_id = $2 AND x.kind = $3 AND x.external_id = w.name`

// wanted makes the names a table, from $4 on. With `IN (…)` PostgreSQL compares all names of the app with all that are wanted
// as long as it has not counted the app's, which takes a hundred times longer.
func wanted(names []string) string {
	rows := make([]string, len(names))
	for i := range names {
		rows[i] = "(" + db.In(4+i, 1) + ")"
	}
	return `WITH wanted (name) AS (VALUES ` + strings.Join(rows, ", ") + `) `
}

func named(by record.Call, k record.Kind, names []string) []any {
	args := []any{by.BusinessID, by.Actor.AppID, k}
	for _, name := range names {
		args = append(args, name)
	}
	return args
}
