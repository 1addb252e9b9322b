package invoice

import (
	"context"
	"errors"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
)

// raise counts an invoice and its turnover, unless a ceiling is reached, and reports whether it did.
func raise(ctx context.Context, tx *db.Tx, businessID, year string, turnover money.Amount, most ceilings) (bool, error) {
	n, err := tx.Exec(ctx, `INSERT INTO plan_usage (business_id, year, invoices, turnover) VALUES ($1, $2, 1, $3)
		ON CONFLICT (business_id, year) DO UPDATE SET invoices = plan_usage.invoices + 1, turnover = plan_usage.turnover + excluded.turnover
		WHERE plan_usage.invoices < $4 AND plan_usage.turnover < $5`, businessID, year, turnover, most.invoices, most.turnover)
	return n == 1, err
}

// addUsed adds to what was used, whatever the ceilings.
func addUsed(ctx context.Context, tx *db.Tx, businessID, year string, invoices int, turnover money.Amount) error {
	_, err := tx.Exec(ctx, `INSERT INTO plan_usage (business_id, year, invoices, turnover) VALUES ($1, $2, $3, $4)
		ON CONFLICT (business_id, year) DO UPDATE SET invoices = plan_usage.invoices + excluded.invoices, turnover = plan_usage.turnover + excluded.turnover`,
		businessID, year, invoices, turnover)
	return err
}

// setUsedInvoices and setUsedTurnover write what is said to be used. That a ceiling was reached is told anew.
func setUsedInvoices(ctx context.Context, tx *db.Tx, businessID, year string, invoices int64) error {
	_, err := tx.Exec(ctx, `INSERT INTO plan_usage (business_id, year, invoices, turnover) VALUES ($1, $2, $3, 0)
		ON CONFLICT (business_id, year) DO UPDATE SET invoices = excluded.invoices, invoices_noted = NULL`, businessID, year, invoices)
	return err
}

func setUsedTurnover(ctx context.Context, tx *db.Tx, businessID, year string, turnover money.Amount) error {
	_, err := tx.Exec(ctx, `INSERT INTO plan_usage (business_id, year, invoices, turnover) VALUES ($1, $2, 0, $3)
		ON CONFLICT (business_id, year) DO UPDATE SET turnover = excluded.turnover, turnover_noted = NULL`, businessID, year, turnover)
	return err
}

// findUsed is zero where nothing was used yet.
func findUsed(ctx context.Context, tx *db.Tx, businessID, year string) (used, error) {
	u, err := db.One(ctx, tx, func(scan db.Scan) (u used, err error) {
		err = scan(&u.invoices, &u.turnover, &u.invoicesNoted, &u.turnoverNoted)
		return u, err
	}, `SELECT invoices, turnover, invoices_noted, turnover_noted FROM plan_usage WHERE business_id = $1 AND year = $2`, businessID, year)
	if errors.Is(err, db.ErrNoRows) {
		err = nil
	}
	return u, err
}

func setNoted(ctx context.Context, tx *db.Tx, businessID, year string, l limit) error {
	column := "invoices_noted"
	if l == turnoverLimit {
		column = "turnover_noted"
	}
	_, err := tx.Exec(ctx, `UPDATE plan_usage SET `+column+` = $3 WHERE business_id = $1 AND year = $2`, businessID, year, tx.Now())
	return err
}
