package business

import (
	"context"

	"daybook/internal/base/db"
)

func update(ctx context.Context, tx *db.Tx, b Business) error {
	_, err := tx.Exec(ctx, `UPDATE businesses SET name = $2, legal_name = $3, country = $4, time_zone = $5, tax_number = $6, version = $7, updated_at = $8
		WHERE id = $1`, b.ID, b.Name, b.LegalName, b.Country, b.TimeZone, b.TaxNumber, b.Version, b.UpdatedAt)
	return err
}

func listOverrides(ctx context.Context, tx *db.Tx, businessID string) ([]Override, error) {
	return db.All(ctx, tx, func(s db.Scan) (o Override, err error) {
		err = s(&o.Role, &o.UserID, &o.Permission, &o.Effect)
		return o, err
	}, `SELECT role, '' AS member, permission, effect FROM role_overrides WHERE business_id = $1
		UNION ALL
		SELECT '', user_id, permission, effect FROM member_overrides WHERE business_id = $1
		ORDER BY 2, 1, 3`, businessID)
}
