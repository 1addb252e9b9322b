package install

import (
	"context"
	"strconv"
	"time"

	"daybook/internal/base/db"
)

// connectionSelect reads the name of the business along: the table of businesses is business's.
const connectionSelect = `SELECT i.id, i.business_id, i.app_id, i.status, i.granted_scopes, i.installed_at, i.uninstalled_at, i.redact_at, i.last_used_at, i.version, i.updated_at,
	b.name, CASE WHEN b.sandbox_of IS NULL THEN 0 ELSE 1 END FROM installations i JOIN businesses b ON b.id = i.business_id `

func scanConnection(s db.Scan) (c Connection, err error) {
	c.Installation, err = scan(func(dest ...any) error { return s(append(dest, &c.BusinessName, &c.Sandbox)...) })
	return c, err
}

// listOfApp lists the newest first. Ids sort by time.
func listOfApp(ctx context.Context, tx *db.Tx, appID string, l Listing) ([]Connection, error) {
	where, args := `WHERE i.app_id = $1`, []any{appID}
	narrow := func(condition, value string) {
		if value != "" {
			args = append(args, value)
			where += ` AND i.` + condition + ` $` + strconv.Itoa(len(args))
		}
	}
	narrow("status =", string(l.Status))
	narrow("business_id =", l.BusinessID)
	narrow("id <", l.Behind)
	args = append(args, l.Limit)
	return db.All(ctx, tx, scanConnection, connectionSelect+where+` ORDER BY i.app_id DESC, i.id DESC LIMIT $`+strconv.Itoa(len(args)), args...)
}

func findOfApp(ctx context.Context, tx *db.Tx, appID, installationID string) (Connection, error) {
	return db.One(ctx, tx, scanConnection, connectionSelect+`WHERE i.app_id = $1 AND i.id = $2`, appID, installationID)
}

func countOfApp(ctx context.Context, tx *db.Tx, appID, businessID string, from, to time.Time) (Counts, error) {
	return db.One(ctx, tx, func(s db.Scan) (c Counts, err error) {
		err = s(&c.Active, &c.Installed, &c.Uninstalled)
		return c, err
	}, `SELECT
			count(CASE WHEN installed_at < $4 AND (uninstalled_at IS NULL OR uninstalled_at >= $4) THEN 1 END),
			count(CASE WHEN installed_at >= $3 AND installed_at < $4 THEN 1 END),
			count(CASE WHEN uninstalled_at >= $3 AND uninstalled_at < $4 THEN 1 END)
		FROM installations WHERE app_id = $1 AND ($2 = '' OR business_id = $2)`, appID, businessID, from, to)
}

func usedInSandbox(ctx context.Context, tx *db.Tx, appID string, since time.Time) (bool, error) {
	n, err := db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM installations i JOIN businesses b ON b.id = i.business_id
		WHERE i.app_id = $1 AND i.last_used_at >= $2 AND b.sandbox_of IS NOT NULL`, appID, since)
	return n > 0, err
}
