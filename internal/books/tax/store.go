package tax

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/books/record"
)

const columns = `r.id, r.business_id, r.name, r.rate, r.kind, r.category, r.account_id, r.status, r.version, r.created_at, r.updated_at`

var source = record.Source{Columns: columns, From: "tax_rates r"}

func scan(read db.Scan) (Rate, error) {
	var r Rate
	err := read(&r.ID, &r.BusinessID, &r.Name, &r.Rate, &r.Kind, &r.Category, &r.AccountID, &r.Status, &r.Version, &r.CreatedAt, &r.UpdatedAt)
	return r, err
}

func find(ctx context.Context, tx *db.Tx, businessID, rateID string) (Rate, error) {
	return db.One(ctx, tx, scan, `SELECT `+columns+` FROM tax_rates r WHERE r.business_id = $1 AND r.id = $2`, businessID, rateID)
}

func findMany(ctx context.Context, tx *db.Tx, businessID string, ids []string) ([]Rate, error) {
	args := []any{businessID}
	for _, i := range ids {
		args = append(args, i)
	}
	return db.All(ctx, tx, scan, `SELECT `+columns+` FROM tax_rates r WHERE `+record.ByID+` = $1 AND r.id IN (`+db.In(2, len(ids))+`)`, args...)
}

func exists(ctx context.Context, tx *db.Tx, businessID string) (bool, error) {
	n, err := db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM tax_rates WHERE business_id = $1`, businessID)
	return n > 0, err
}

var into = db.NewInsert("tax_rates", "id, business_id, name, rate, kind, category, account_id, status, version, created_at, updated_at", "")

func insert(ctx context.Context, tx *db.Tx, rates ...Rate) error {
	var rows []any
	for _, r := range rates {
		rows = append(rows, r.ID, r.BusinessID, r.Name, r.Rate.String(), r.Kind, r.Category, r.AccountID, r.Status, r.Version, r.CreatedAt, r.UpdatedAt)
	}
	return into.Exec(ctx, tx, rows)
}

// update writes what may change of a rate.
func update(ctx context.Context, tx *db.Tx, r Rate) error {
	_, err := tx.Exec(ctx, `UPDATE tax_rates SET name = $3, status = $4, version = $5, updated_at = $6 WHERE business_id = $1 AND id = $2`,
		r.BusinessID, r.ID, r.Name, r.Status, r.Version, r.UpdatedAt)
	return err
}
