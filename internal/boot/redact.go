package boot

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/books/record"
	"daybook/internal/platform/appdata"
)

// redactDue erases what is kept for apps that were uninstalled 48 hours ago.
func (h *House) redactDue(ctx context.Context) error {
	return h.Installations.RedactDue(ctx, func(ctx context.Context, tx *db.Tx, businessID, appID string) error {
		if err := h.Functions.Erase(ctx, tx, businessID, appID); err != nil {
			return err
		}
		return h.AppData.Erase(ctx, tx, businessID, appID)
	})
}

// records finds the records that apps keep values on. They lie in the tables of several features of the books, none of which
// has use for such a question; so it is asked here, in one place.
type records struct{}

// living says where the records of a sort are. A person who was redacted is gone, as far as new values go.
var living = map[appdata.ResourceType]string{
	appdata.Invoice:      `FROM invoices r WHERE ` + record.ByID + ` = $1`,
	appdata.Customer:     `FROM parties r WHERE ` + record.ByID + ` = $1 AND r.kind = 'CUSTOMER' AND r.status <> 'REDACTED'`,
	appdata.Supplier:     `FROM parties r WHERE ` + record.ByID + ` = $1 AND r.kind = 'SUPPLIER' AND r.status <> 'REDACTED'`,
	appdata.Payment:      `FROM payments r WHERE ` + record.ByID + ` = $1`,
	appdata.Account:      `FROM accounts r WHERE ` + record.ByID + ` = $1`,
	appdata.JournalEntry: `FROM journal_entries r WHERE ` + record.ByID + ` = $1`,
}

// Hold implements appdata.Records.
func (records) Hold(ctx context.Context, tx *db.Tx, businessID string, t appdata.ResourceType, ids []string) ([]string, error) {
	args := []any{businessID}
	for _, one := range ids {
		args = append(args, one)
	}
	return db.All(ctx, tx, db.Value[string], `SELECT r.id `+living[t]+` AND r.id IN (`+db.In(2, len(ids))+`) ORDER BY r.id `+tx.Dialect().ForUpdate("r"), args...)
}
