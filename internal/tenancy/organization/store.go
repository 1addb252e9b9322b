package organization

import (
	"context"

	"daybook/internal/base/db"
)

const columns = `o.id, o.name, o.version, o.created_at, o.updated_at`

func scan(s db.Scan) (Organization, error) {
	var o Organization
	err := s(&o.ID, &o.Name, &o.Version, &o.CreatedAt, &o.UpdatedAt)
	return o, err
}

func scanMember(s db.Scan) (Member, error) {
	var m Member
	err := s(&m.OrganizationID, &m.UserID, &m.Role, &m.CreatedAt)
	return m, err
}

func insert(ctx context.Context, tx *db.Tx, o Organization) error {
	_, err := tx.Exec(ctx, `INSERT INTO organizations (id, name, version, created_at, updated_at) VALUES ($1, $2, $3, $4, $5)`,
		o.ID, o.Name, o.Version, o.CreatedAt, o.UpdatedAt)
	return err
}

func find(ctx context.Context, tx *db.Tx, id string) (Organization, error) {
	return db.One(ctx, tx, scan, `SELECT `+columns+` FROM organizations o WHERE o.id = $1`, id)
}

func listOf(ctx context.Context, tx *db.Tx, userID string) ([]Organization, error) {
	return db.All(ctx, tx, scan, `SELECT `+columns+` FROM organizations o
		JOIN organization_members m ON m.organization_id = o.id WHERE m.user_id = $1 ORDER BY m.created_at, o.id`, userID)
}

func listMemberships(ctx context.Context, tx *db.Tx, userID string) ([]Membership, error) {
	return db.All(ctx, tx, func(s db.Scan) (m Membership, err error) {
		m.Organization, err = scan(func(dest ...any) error { return s(append(dest, &m.Role)...) })
		return m, err
	}, `SELECT `+columns+`, m.role FROM organizations o
		JOIN organization_members m ON m.organization_id = o.id WHERE m.user_id = $1 ORDER BY m.created_at, o.id`, userID)
}

// lock makes changes to one organization's members wait for each other, so that the last owner cannot leave twice.
func lock(ctx context.Context, tx *db.Tx, id string) error {
	_, err := tx.Exec(ctx, `UPDATE organizations SET version = version WHERE id = $1`, id)
	return err
}

// rename finds nothing when seen is neither 0 nor the present version.
func rename(ctx context.Context, tx *db.Tx, id string, seen int, name string) (Organization, error) {
	return db.One(ctx, tx, scan, `UPDATE organizations SET name = $2, version = version + 1, updated_at = $3
		WHERE id = $1 AND ($4 = 0 OR version = $4) RETURNING id, name, version, created_at, updated_at`, id, name, tx.Now(), seen)
}

const memberColumns = `organization_id, user_id, role, created_at`

// insertMember reports whether the user was new.
func insertMember(ctx context.Context, tx *db.Tx, m Member) (bool, error) {
	n, err := tx.Exec(ctx, `INSERT INTO organization_members (`+memberColumns+`) VALUES ($1, $2, $3, $4)
		ON CONFLICT (organization_id, user_id) DO NOTHING`, m.OrganizationID, m.UserID, m.Role, m.CreatedAt)
	return n == 1, err
}

func findMember(ctx context.Context, tx *db.Tx, id, userID string) (Member, error) {
	return db.One(ctx, tx, scanMember, `SELECT `+memberColumns+` FROM organization_members WHERE organization_id = $1 AND user_id = $2`, id, userID)
}

func listMembers(ctx context.Context, tx *db.Tx, id string) ([]Member, error) {
	return db.All(ctx, tx, scanMember, `SELECT `+memberColumns+` FROM organization_members WHERE organization_id = $1 ORDER BY created_at, user_id`, id)
}

// listColleagues reads the names of people along with their roles: the table of users is identity's.
func listColleagues(ctx context.Context, tx *db.Tx, id string) ([]Colleague, error) {
	return db.All(ctx, tx, func(s db.Scan) (c Colleague, err error) {
		err = s(&c.OrganizationID, &c.UserID, &c.Role, &c.CreatedAt, &c.Email, &c.DisplayName)
		return c, err
	}, `SELECT m.organization_id, m.user_id, m.role, m.created_at, u.email, u.display_name
		FROM organization_members m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1 ORDER BY m.created_at, m.user_id`, id)
}

func updateMember(ctx context.Context, tx *db.Tx, id, userID string, role Role) (int64, error) {
	return tx.Exec(ctx, `UPDATE organization_members SET role = $3 WHERE organization_id = $1 AND user_id = $2`, id, userID, role)
}

func deleteMember(ctx context.Context, tx *db.Tx, id, userID string) (int64, error) {
	return tx.Exec(ctx, `DELETE FROM organization_members WHERE organization_id = $1 AND user_id = $2`, id, userID)
}

func countOwners(ctx context.Context, tx *db.Tx, id string) (int, error) {
	return db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM organization_members WHERE organization_id = $1 AND role = 'OWNER'`, id)
}
