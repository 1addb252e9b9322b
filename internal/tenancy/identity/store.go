package identity

import (
	"context"
	"errors"
	"time"

	"daybook/internal/base/db"
)

const userColumns = `id, email, display_name, locale, operator, suspended_at, restricted_at, version, created_at, updated_at`

func scanUser(scan db.Scan) (User, error) {
	var u User
	err := scan(&u.ID, &u.Email, &u.DisplayName, &u.Locale, &u.Operator, &u.SuspendedAt, &u.RestrictedAt, &u.Version, &u.CreatedAt, &u.UpdatedAt)
	return u, err
}

// insertUser reports whether the address was free.
func insertUser(ctx context.Context, tx *db.Tx, u User, passwordHash string) (bool, error) {
	n, err := tx.Exec(ctx, `
		INSERT INTO users (id, email, email_key, display_name, locale, password_hash, operator, version, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (email_key) DO NOTHING`,
		u.ID, u.Email, EmailKey(u.Email), u.DisplayName, u.Locale, passwordHash, u.Operator, u.Version, u.CreatedAt, u.UpdatedAt)
	return n == 1, err
}

func findUser(ctx context.Context, tx *db.Tx, id string) (User, error) {
	return db.One(ctx, tx, scanUser, `SELECT `+userColumns+` FROM users WHERE id = $1`, id)
}

func findUserByEmail(ctx context.Context, tx *db.Tx, email string) (User, error) {
	return db.One(ctx, tx, scanUser, `SELECT `+userColumns+` FROM users WHERE email_key = $1`, EmailKey(email))
}

// heldBy are the columns that say since when somebody is held.
var heldBy = map[Hold]string{HeldSuspended: "suspended_at", HeldRestricted: "restricted_at"}

// listHeld reads the people that something holds before an id, newest first; without one, from the newest on.
func listHeld(ctx context.Context, tx *db.Tx, by Hold, before string, limit int) ([]User, error) {
	return db.All(ctx, tx, scanUser, `SELECT `+userColumns+` FROM users WHERE `+heldBy[by]+` IS NOT NULL AND ($1 = '' OR id < $1) ORDER BY id DESC LIMIT $2`, before, limit)
}

func deleteUser(ctx context.Context, tx *db.Tx, id string) error {
	_, err := tx.Exec(ctx, `DELETE FROM users WHERE id = $1`, id)
	return err
}

type userWithHash struct {
	User
	passwordHash string
}

func findCredentials(ctx context.Context, tx *db.Tx, email string) (userWithHash, error) {
	return db.One(ctx, tx, func(scan db.Scan) (c userWithHash, err error) {
		c.User, err = scanUser(func(dest ...any) error { return scan(append(dest, &c.passwordHash)...) })
		return c, err
	}, `SELECT `+userColumns+`, password_hash FROM users WHERE email_key = $1`, EmailKey(email))
}

func updatePassword(ctx context.Context, tx *db.Tx, userID, passwordHash string) error {
	_, err := tx.Exec(ctx, `UPDATE users SET password_hash = $2, version = version + 1, updated_at = $3 WHERE id = $1`, userID, passwordHash, tx.Now())
	return err
}

// setSuspended and setRestricted write the instant or clear it, and leave an instant that stands.
func setSuspended(ctx context.Context, tx *db.Tx, userID string, on bool) (int64, error) {
	return setFlag(ctx, tx, `UPDATE users SET suspended_at = CASE WHEN $2 = 1 THEN COALESCE(suspended_at, $3) END,
		version = version + 1, updated_at = $3 WHERE id = $1`, userID, on)
}

func setRestricted(ctx context.Context, tx *db.Tx, userID string, on bool) (int64, error) {
	return setFlag(ctx, tx, `UPDATE users SET restricted_at = CASE WHEN $2 = 1 THEN COALESCE(restricted_at, $3) END,
		version = version + 1, updated_at = $3 WHERE id = $1`, userID, on)
}

func setFlag(ctx context.Context, tx *db.Tx, sql, userID string, on bool) (int64, error) {
	return tx.Exec(ctx, sql, userID, on, tx.Now())
}

const sessionColumns = `s.id, s.user_id, s.business_id, s.created_at, s.last_seen_at, s.expires_at`

func insertSession(ctx context.Context, tx *db.Tx, s Session, tokenHash []byte) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO sessions (id, token_hash, user_id, business_id, created_at, last_seen_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		s.ID, tokenHash, s.UserID, s.BusinessID, s.CreatedAt, s.LastSeenAt, s.ExpiresAt)
	return err
}

// findSession reads session and user in one statement: it runs on every page.
func findSession(ctx context.Context, tx *db.Tx, tokenHash []byte) (SignedIn, error) {
	return db.One(ctx, tx, func(scan db.Scan) (found SignedIn, err error) {
		s := &found.Session
		found.User, err = scanUser(func(dest ...any) error {
			return scan(append([]any{&s.ID, &s.UserID, &s.BusinessID, &s.CreatedAt, &s.LastSeenAt, &s.ExpiresAt}, dest...)...)
		})
		return found, err
	}, `SELECT `+sessionColumns+`, u.id, u.email, u.display_name, u.locale, u.operator, u.suspended_at, u.restricted_at, u.version, u.created_at, u.updated_at
		FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = $1`, tokenHash)
}

func touchSession(ctx context.Context, tx *db.Tx, sessionID string) error {
	_, err := tx.Exec(ctx, `UPDATE sessions SET last_seen_at = $2 WHERE id = $1 AND last_seen_at < $2`, sessionID, tx.Now())
	return err
}

func setSessionBusiness(ctx context.Context, tx *db.Tx, sessionID, businessID string) (int64, error) {
	return tx.Exec(ctx, `UPDATE sessions SET business_id = $2 WHERE id = $1`, sessionID, businessID)
}

func deleteSession(ctx context.Context, tx *db.Tx, tokenHash []byte) error {
	_, err := tx.Exec(ctx, `DELETE FROM sessions WHERE token_hash = $1`, tokenHash)
	return err
}

// deleteSessionsOf ends every session of a user but the one kept ("" keeps none).
func deleteSessionsOf(ctx context.Context, tx *db.Tx, userID, keep string) error {
	_, err := tx.Exec(ctx, `DELETE FROM sessions WHERE user_id = $1 AND id <> $2`, userID, keep)
	return err
}

// deleteDeadSessions removes at most limit sessions that ended by themselves before now.
func deleteDeadSessions(ctx context.Context, tx *db.Tx, now time.Time, limit int) (int64, error) {
	return tx.Exec(ctx, `DELETE FROM sessions WHERE id IN (
		SELECT id FROM sessions WHERE expires_at <= $1 OR last_seen_at <= $2 LIMIT $3)`, now, now.Add(-idleLife), limit)
}

// confirm takes the user's row until the end of the transaction: what was proved must still hold. "" means another
// password or no such user.
func confirm(ctx context.Context, tx *db.Tx, u userWithHash) (Status, error) {
	c, err := db.One(ctx, tx, scanUser, `UPDATE users SET version = version WHERE id = $1 AND password_hash = $2
		RETURNING `+userColumns, u.ID, u.passwordHash)
	if errors.Is(err, db.ErrNoRows) {
		return "", nil
	}
	return c.Status(), err
}
