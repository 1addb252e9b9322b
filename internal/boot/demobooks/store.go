package demobooks

import (
	"context"

	"daybook/internal/base/db"
)

// The features list these outside of a transaction only, where a business that is just being made is not there yet.

// findAccounts are the ids of the accounts that a new business has, by code.
func findAccounts(ctx context.Context, tx *db.Tx, businessID string) (map[string]string, error) {
	type row struct{ code, id string }
	list, err := db.All(ctx, tx, func(scan db.Scan) (r row, err error) {
		err = scan(&r.code, &r.id)
		return r, err
	}, `SELECT code, id FROM accounts WHERE business_id = $1`, businessID)
	ids := make(map[string]string, len(list))
	for _, r := range list {
		ids[r.code] = r.id
	}
	return ids, err
}

func findRates(ctx context.Context, tx *db.Tx, businessID, country string) (rates, error) {
	list, err := db.All(ctx, tx, func(scan db.Scan) (r rate, err error) {
		err = scan(&r.id, &r.percent, &r.category)
		return r, err
	}, `SELECT id, rate, category FROM tax_rates WHERE business_id = $1 AND status = 'ACTIVE' AND kind <> 'PURCHASE' ORDER BY id`, businessID)
	return rates{list, country}, err
}
