package business

import (
	"context"

	"daybook/internal/base/db"
)

const columns = `b.id, b.name, b.legal_name, b.country, b.currency, b.time_zone, b.tax_number, b.plan, b.sandbox_of, b.version, b.created_at, b.updated_at`

func scan(s db.Scan) (Business, error) {
	var b Business
	err := s(&b.ID, &b.Name, &b.LegalName, &b.Country, &b.Currency, &b.TimeZone, &b.TaxNumber, &b.Plan, &b.SandboxOf, &b.Version, &b.CreatedAt, &b.UpdatedAt)
	return b, err
}

func scanMembership(s db.Scan) (m Membership, err error) {
	m.Business, err = scan(func(dest ...any) error { return s(append(dest, &m.Role)...) })
	return m, err
}

func insert(ctx context.Context, tx *db.Tx, b Business) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO businesses (id, name, legal_name, country, currency, time_zone, tax_number, plan, sandbox_of, version, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		b.ID, b.Name, b.LegalName, b.Country, b.Currency, b.TimeZone, b.TaxNumber, b.Plan, b.SandboxOf, b.Version, b.CreatedAt, b.UpdatedAt)
	return err
}

func find(ctx context.Context, tx *db.Tx, businessID string) (Business, error) {
	return db.One(ctx, tx, scan, `SELECT `+columns+` FROM businesses b WHERE b.id = $1`, businessID)
}

func listOf(ctx context.Context, tx *db.Tx, userID string) ([]Membership, error) {
	return db.All(ctx, tx, scanMembership, `SELECT `+columns+`, m.role FROM businesses b
		JOIN business_members m ON m.business_id = b.id WHERE m.user_id = $1 ORDER BY m.created_at, b.id`, userID)
}

// lock makes changes to one business's members wait for each other, so that the last owner cannot leave twice.
func lock(ctx context.Context, tx *db.Tx, businessID string) error {
	_, err := tx.Exec(ctx, `UPDATE businesses SET version = version WHERE id = $1`, businessID)
	return err
}

const memberColumns = `business_id, user_id, role, created_at`

func scanMember(s db.Scan) (Member, error) {
	var m Member
	err := s(&m.BusinessID, &m.UserID, &m.Role, &m.CreatedAt)
	return m, err
}

// insertMember reports whether the user was new.
func insertMember(ctx context.Context, tx *db.Tx, m Member) (bool, error) {
	n, err := tx.Exec(ctx, `INSERT INTO business_members (`+memberColumns+`) VALUES ($1, $2, $3, $4)
		ON CONFLICT (business_id, user_id) DO NOTHING`, m.BusinessID, m.UserID, m.Role, m.CreatedAt)
	return n == 1, err
}

func listMembers(ctx context.Context, tx *db.Tx, businessID string) ([]Member, error) {
	return db.All(ctx, tx, scanMember, `SELECT `+memberColumns+` FROM business_members WHERE business_id = $1 ORDER BY created_at, user_id`, businessID)
}

func updateMember(ctx context.Context, tx *db.Tx, businessID, userID string, role Role) (int64, error) {
	return tx.Exec(ctx, `UPDATE business_members SET role = $3 WHERE business_id = $1 AND user_id = $2`, businessID, userID, role)
}

func deleteMember(ctx context.Context, tx *db.Tx, businessID, userID string) (int64, error) {
	return tx.Exec(ctx, `DELETE FROM business_members WHERE business_id = $1 AND user_id = $2`, businessID, userID)
}

func countOwners(ctx context.Context, tx *db.Tx, businessID string) (int, error) {
	return db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM business_members WHERE business_id = $1 AND role = 'OWNER'`, businessID)
}

// accessRow is one line of a member's access: the role alone, or the role with one override.
type accessRow struct {
	role       Role
	level      string // NONE, ROLE, MEMBER
	permission Permission
	effect     Effect
}

// findAccess reads role and overrides in one statement: it runs on every call. No rows: no member.
func findAccess(ctx context.Context, tx *db.Tx, businessID, userID string) ([]accessRow, error) {
	return db.All(ctx, tx, func(s db.Scan) (r accessRow, err error) {
		err = s(&r.role, &r.level, &r.permission, &r.effect)
		return r, err
	}, `
		SELECT role, 'NONE', '', '' FROM business_members WHERE business_id = $1 AND user_id = $2
		UNION ALL
		SELECT m.role, 'ROLE', o.permission, o.effect FROM business_members m
			JOIN role_overrides o ON o.business_id = m.business_id AND o.role = m.role
			WHERE m.business_id = $1 AND m.user_id = $2
		UNION ALL
		SELECT m.role, 'MEMBER', o.permission, o.effect FROM business_members m
			JOIN member_overrides o ON o.business_id = m.business_id AND o.user_id = m.user_id
			WHERE m.business_id = $1 AND m.user_id = $2`, businessID, userID)
}

func setRoleOverride(ctx context.Context, tx *db.Tx, businessID string, role Role, p Permission, e Effect) error {
	_, err := tx.Exec(ctx, `INSERT INTO role_overrides (business_id, role, permission, effect) VALUES ($1, $2, $3, $4)
		ON CONFLICT (business_id, role, permission) DO UPDATE SET effect = excluded.effect`, businessID, role, p, e)
	return err
}

func deleteRoleOverride(ctx context.Context, tx *db.Tx, businessID string, role Role, p Permission) error {
	_, err := tx.Exec(ctx, `DELETE FROM role_overrides WHERE business_id = $1 AND role = $2 AND permission = $3`, businessID, role, p)
	return err
}

// setMemberOverride reports whether there is such a member.
func setMemberOverride(ctx context.Context, tx *db.Tx, businessID, userID string, p Permission, e Effect) (bool, error) {
	n, err := tx.Exec(ctx, `INSERT INTO member_overrides (business_id, user_id, permission, effect)
		SELECT business_id, user_id, $3, $4 FROM business_members WHERE business_id = $1 AND user_id = $2
		ON CONFLICT (business_id, user_id, permission) DO UPDATE SET effect = excluded.effect`, businessID, userID, p, e)
	return n == 1, err
}

func deleteMemberOverride(ctx context.Context, tx *db.Tx, businessID, userID string, p Permission) error {
	_, err := tx.Exec(ctx, `DELETE FROM member_overrides WHERE business_id = $1 AND user_id = $2 AND permission = $3`, businessID, userID, p)
	return err
}
