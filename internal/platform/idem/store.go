package idem

import (
	"context"
	"time"

	"daybook/internal/base/db"
)

type row struct {
	fingerprint []byte
	Answer
}

func find(ctx context.Context, tx *db.Tx, c *Claim, youngerThan time.Time) (row, error) {
	return db.One(ctx, tx, func(scan db.Scan) (r row, err error) {
		err = scan(&r.fingerprint, &r.Status, db.JSON(&r.Header), &r.Body)
		return r, err
	}, `SELECT fingerprint, status, header, body FROM idempotency_keys WHERE business_id = $1 AND caller = $2 AND key = $3 AND created_at > $4`,
		c.BusinessID, c.Caller, c.Key, youngerThan)
}

// keep writes an answer, over one whose time is over. A live one stays, and the transaction must not come about.
func keep(ctx context.Context, tx *db.Tx, c *Claim, a Answer) error {
	body := a.Body
	if body == nil {
		body = []byte{} // the column is never null
	}
	n, err := tx.Exec(ctx, `INSERT INTO idempotency_keys (business_id, caller, key, fingerprint, status, header, body, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (business_id, caller, key) DO UPDATE SET fingerprint = excluded.fingerprint, status = excluded.status, header = excluded.header,
			body = excluded.body, created_at = excluded.created_at WHERE idempotency_keys.created_at <= $9`,
		c.BusinessID, c.Caller, c.Key, c.Fingerprint, a.Status, db.JSON(a.Header), body, tx.Now(), tx.Now().Add(-life))
	if err == nil && n == 0 {
		err = errTaken
	}
	return err
}

func deleteOld(ctx context.Context, tx *db.Tx, before time.Time, limit int) (int64, error) {
	return tx.Exec(ctx, `DELETE FROM idempotency_keys WHERE (business_id, caller, key) IN (
		SELECT business_id, caller, key FROM idempotency_keys WHERE created_at <= $1 LIMIT $2)`, before, limit)
}
