package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
)

// Facts are what a business's books go by.
type Facts struct {
	Currency money.Currency // the base currency
	Zone     *time.Location
	Plan     string
	// PlanStart is when the business was created, from which ANNIVERSARY plan years are counted.
	PlanStart time.Time
	Country   string
	LockDate  *string // nothing is posted on or before it
	Defaults  Defaults
}

// Defaults of new documents.
type Defaults struct {
	TaxMode          money.TaxMode
	TaxRounding      string // LINE, DOCUMENT
	PaymentTermsDays int
}

// DateAt is the date in the business's zone at that instant.
func (f Facts) DateAt(at time.Time) string { return at.In(f.Zone).Format(time.DateOnly) }

// FactsOf reads them without keeping anybody away; to change the books, see Do.
func FactsOf(ctx context.Context, tx *db.Tx, businessID string) (Facts, error) {
	f, err := findFacts(ctx, tx, businessID)
	return f, noBooks(err, businessID)
}

// noBooks names the business: every business has books, so their absence is a malfunction.
func noBooks(err error, businessID string) error {
	if errors.Is(err, db.ErrNoRows) {
		return fmt.Errorf("business %s has no books: %w", businessID, err)
	}
	return err
}
