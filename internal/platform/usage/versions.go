package usage

import (
	"context"
	"time"

	"daybook/internal/base/db"
)

// Use is how often an app called a route in an API version.
type Use struct {
	Version string // Other: of too many different ones to tell apart
	Route   string // "GET /invoices"
	Calls   int64
}

// Uses tells which versions and routes an app called since an instant of the last 30 days, by version and then the most called first. Calls
// that were refused before it was known which version they meant are not among them.
func (m *Meter) Uses(ctx context.Context, appID string, since time.Time) ([]Use, error) {
	var list []Use
	err := m.DB.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = findUses(ctx, tx, appID, since)
		return err
	})
	return list, err
}
