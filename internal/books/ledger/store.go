package ledger

import (
	"context"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/money"
)

const factColumns = `b.currency, b.time_zone, b.country, b.plan, b.created_at, k.lock_date, k.tax_mode, k.tax_rounding, k.payment_terms_days`

const factTables = `books k JOIN businesses b ON b.id = k.business_id`

func scanFacts(scan db.Scan) (Facts, error) {
	var f Facts
	var currency, name string
	err := scan(&currency, &name, &f.Country, &f.Plan, &f.PlanStart, &f.LockDate, &f.Defaults.TaxMode, &f.Defaults.TaxRounding, &f.Defaults.PaymentTermsDays)
	if err != nil {
		return Facts{}, err
	}
	if f.Currency, err = money.ParseCurrency(currency); err != nil {
		return Facts{}, err
	}
	f.Zone, err = clock.Zone(name)
	return f, err
}

// takeBook reads the books of a business and keeps other writers away until the transaction ends.
func takeBook(ctx context.Context, tx *db.Tx, businessID string) (*Book, error) {
	return db.One(ctx, tx, func(scan db.Scan) (*Book, error) {
		var b Book
		var err error
		b.Facts, err = scanFacts(func(dest ...any) error { return scan(append(dest, &b.lastEntry, &b.lastInvoice, &b.emptying)...) })
		return &b, err
	}, `SELECT `+factColumns+`, k.last_entry, k.last_invoice, k.emptying_since FROM `+factTables+` WHERE k.business_id = $1 `+tx.Dialect().ForUpdate("k"), businessID)
}

func findFacts(ctx context.Context, tx *db.Tx, businessID string) (Facts, error) {
	return db.One(ctx, tx, scanFacts, `SELECT `+factColumns+` FROM `+factTables+` WHERE k.business_id = $1`, businessID)
}

// insertBooks reports whether the business had none.
func insertBooks(ctx context.Context, tx *db.Tx, businessID string, d Defaults) (bool, error) {
	n, err := tx.Exec(ctx, `INSERT INTO books (business_id, tax_mode, tax_rounding, payment_terms_days, last_entry, last_invoice)
		VALUES ($1, $2, $3, $4, 0, 0) ON CONFLICT (business_id) DO NOTHING`, businessID, d.TaxMode, d.TaxRounding, d.PaymentTermsDays)
	return n == 1, err
}

// listBookless finds businesses without books, always in the same order, so that nodes that open them together do not wait for
// each other crosswise.
func listBookless(ctx context.Context, tx *db.Tx, limit int) ([]string, error) {
	return db.All(ctx, tx, db.Value[string], `SELECT b.id FROM businesses b
		WHERE NOT EXISTS (SELECT 1 FROM books k WHERE k.business_id = b.id) ORDER BY b.id LIMIT $1`, limit)
}

// setEmptying marks the books of a sandbox; the database refuses it for any other.
func setEmptying(ctx context.Context, tx *db.Tx, businessID string) error {
	_, err := tx.Exec(ctx, `UPDATE books SET emptying_since = $2 WHERE business_id = $1`, businessID, tx.Now())
	return err
}

// resetBooks makes marked books new again, and reports whether they were marked.
func resetBooks(ctx context.Context, tx *db.Tx, businessID string, d Defaults) (bool, error) {
	n, err := tx.Exec(ctx, `UPDATE books SET lock_date = NULL, tax_mode = $2, tax_rounding = $3, payment_terms_days = $4, last_entry = 0, last_invoice = 0,
		emptying_since = NULL WHERE business_id = $1 AND emptying_since IS NOT NULL`, businessID, d.TaxMode, d.TaxRounding, d.PaymentTermsDays)
	return n == 1, err
}

// updateBooks writes what people set. The numbers are written by setNumbers.
func updateBooks(ctx context.Context, tx *db.Tx, businessID string, f Facts) error {
	_, err := tx.Exec(ctx, `UPDATE books SET lock_date = $2, tax_mode = $3, tax_rounding = $4, payment_terms_days = $5 WHERE business_id = $1`,
		businessID, f.LockDate, f.Defaults.TaxMode, f.Defaults.TaxRounding, f.Defaults.PaymentTermsDays)
	return err
}

func setNumbers(ctx context.Context, tx *db.Tx, businessID string, lastEntry, lastInvoice int64) error {
	_, err := tx.Exec(ctx, `UPDATE books SET last_entry = $2, last_invoice = $3 WHERE business_id = $1`, businessID, lastEntry, lastInvoice)
	return err
}
