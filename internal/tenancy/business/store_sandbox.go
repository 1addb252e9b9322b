package business

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"daybook/internal/base/db"
)

const sandboxSource = `SELECT ` + columns + `, s.organization_id, s.seed, s.state, s.since FROM sandboxes s JOIN businesses b ON b.id = s.business_id `

func scanSandbox(s db.Scan) (one Sandbox, err error) {
	one.Business, err = scan(func(dest ...any) error {
		return s(append(dest, &one.OrganizationID, &one.Seed, &one.State, &one.Since)...)
	})
	return one, err
}

// places are the numbers of the places that an organization has.
var places = func() string {
	rows := make([]string, MaxSandboxes)
	for i := range rows {
		rows[i] = fmt.Sprintf("(%d)", i+1)
	}
	return strings.Join(rows, ", ")
}()

// insertSandbox takes the first free place, and reports whether there was one.
func insertSandbox(ctx context.Context, tx *db.Tx, b Business, seed Seed) (bool, error) {
	n, err := tx.Exec(ctx, `INSERT INTO sandboxes (business_id, organization_id, slot, seed, state, since)
		WITH places (slot) AS (VALUES `+places+`)
		SELECT $1, $2, p.slot, $3, 'READY', CAST($4 AS BIGINT) FROM places p
		WHERE NOT EXISTS (SELECT 1 FROM sandboxes s WHERE s.organization_id = $2 AND s.slot = p.slot) ORDER BY p.slot LIMIT 1`,
		b.ID, *b.SandboxOf, seed, b.CreatedAt)
	return n == 1, err
}

func findSandbox(ctx context.Context, tx *db.Tx, businessID string) (Sandbox, error) {
	return db.One(ctx, tx, scanSandbox, sandboxSource+`WHERE s.business_id = $1`, businessID)
}

func listSandboxes(ctx context.Context, tx *db.Tx, organizationID string) ([]Sandbox, error) {
	return db.All(ctx, tx, scanSandbox, sandboxSource+`WHERE s.organization_id = $1 AND s.state <> 'CLOSING' ORDER BY b.created_at, b.id`, organizationID)
}

func listBusySandboxes(ctx context.Context, tx *db.Tx, before time.Time) ([]Sandbox, error) {
	return db.All(ctx, tx, scanSandbox, sandboxSource+`WHERE s.state <> 'READY' AND s.since < $1 ORDER BY s.since, b.id`, before)
}

// moveSandbox frees the place of one that is going to be deleted.
func moveSandbox(ctx context.Context, tx *db.Tx, businessID string, to SandboxState, from []SandboxState) (bool, error) {
	args := []any{businessID, to, tx.Now()}
	for _, state := range from {
		args = append(args, state)
	}
	n, err := tx.Exec(ctx, `UPDATE sandboxes SET state = $2, since = $3, slot = CASE WHEN $2 = 'CLOSING' THEN NULL ELSE slot END
		WHERE business_id = $1 AND state IN (`+db.In(4, len(from))+`)`, args...)
	return n == 1, err
}

func updatePlan(ctx context.Context, tx *db.Tx, businessID, plan string) (bool, error) {
	n, err := tx.Exec(ctx, `UPDATE businesses SET plan = $2 WHERE id = $1 AND plan <> $2`, businessID, plan)
	return n == 1, err
}

// findOwner prefers that user.
func findOwner(ctx context.Context, tx *db.Tx, businessID, userID string) (string, error) {
	owner, err := db.One(ctx, tx, db.Value[string], `SELECT user_id FROM business_members WHERE business_id = $1 AND role = 'OWNER'
		ORDER BY CASE WHEN user_id = $2 THEN 0 ELSE 1 END, created_at, user_id LIMIT 1`, businessID, userID)
	if errors.Is(err, db.ErrNoRows) {
		err = ErrNotFound
	}
	return owner, err
}

func listPeople(ctx context.Context, tx *db.Tx, businessID string) ([]Person, error) {
	return db.All(ctx, tx, func(s db.Scan) (p Person, err error) {
		err = s(&p.BusinessID, &p.UserID, &p.Role, &p.CreatedAt, &p.Email, &p.DisplayName, &p.Test)
		return p, err
	}, `SELECT m.business_id, m.user_id, m.role, m.created_at, u.email, u.display_name, CASE WHEN t.user_id IS NULL THEN CAST(0 AS BIGINT) ELSE 1 END
		FROM business_members m JOIN users u ON u.id = m.user_id LEFT JOIN test_users t ON t.user_id = m.user_id
		WHERE m.business_id = $1 ORDER BY m.created_at, m.user_id`, businessID)
}

func isTestUser(ctx context.Context, tx *db.Tx, organizationID, userID string) (bool, error) {
	n, err := db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM test_users WHERE user_id = $1 AND organization_id = $2`, userID, organizationID)
	return n == 1, err
}

func insertTestUser(ctx context.Context, tx *db.Tx, organizationID, userID string) error {
	_, err := tx.Exec(ctx, `INSERT INTO test_users (user_id, organization_id, created_at) VALUES ($1, $2, $3)`, userID, organizationID, tx.Now())
	return err
}

func deleteMembers(ctx context.Context, tx *db.Tx, businessID string) error {
	_, err := tx.Exec(ctx, `DELETE FROM business_members WHERE business_id = $1`, businessID)
	return err
}

// deleteBusiness removes the rows of a business that are this package's.
func deleteBusiness(ctx context.Context, tx *db.Tx, businessID string) error {
	for _, sql := range []string{
		`DELETE FROM role_overrides WHERE business_id = $1`, `DELETE FROM business_members WHERE business_id = $1`,
		`DELETE FROM sandboxes WHERE business_id = $1`, `DELETE FROM businesses WHERE id = $1`,
	} {
		if _, err := tx.Exec(ctx, sql, businessID); err != nil {
			return err
		}
	}
	return nil
}

// takeHomeless gives the test users of an organization whom nothing ties to anything any more; from now on they are none.
func takeHomeless(ctx context.Context, tx *db.Tx, organizationID string) ([]string, error) {
	return db.All(ctx, tx, db.Value[string], `DELETE FROM test_users WHERE organization_id = $1
		AND NOT EXISTS (SELECT 1 FROM business_members m WHERE m.user_id = test_users.user_id)
		AND NOT EXISTS (SELECT 1 FROM organization_members m WHERE m.user_id = test_users.user_id)
		AND NOT EXISTS (SELECT 1 FROM consents c WHERE c.user_id = test_users.user_id) RETURNING user_id`, organizationID)
}
