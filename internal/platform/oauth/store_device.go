package oauth

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/scope"
)

// insertDevice reports whether the user code was free.
func insertDevice(ctx context.Context, tx *db.Tx, d device) (bool, error) {
	n, err := tx.Exec(ctx, `
		INSERT INTO device_codes (hash, user_code, app_id, scopes, status, place, created_at, expires_at)
		VALUES ($1, $2, $3, $4, 'PENDING', $5, $6, $7) ON CONFLICT (user_code) DO NOTHING`,
		d.hash, d.userCode, d.appID, d.scopes.String(), d.place, tx.Now(), tx.Now().Add(deviceLife))
	return n == 1, err
}

const deviceColumns = `x.hash, x.user_code, x.app_id, x.scopes, x.status, x.place, x.created_at, x.expires_at, x.polled_at`

func (d *device) dest(scopes *string) []any {
	return []any{&d.hash, &d.userCode, &d.appID, scopes, &d.status, &d.place, &d.createdAt, &d.expiresAt, &d.polledAt}
}

// findDevice reads a device code with how its grant stands; before a decision there is none.
func findDevice(ctx context.Context, tx *db.Tx, hash []byte) (device, error) {
	return db.One(ctx, tx, func(scan db.Scan) (d device, err error) {
		var scopes string
		var status *string
		s := &d.standing
		dest := append(d.dest(&scopes), &d.installID, &d.consentID, &d.userID, &d.businessID,
			&s.appSuspendedAt, &s.appDeactivatedAt, &status, &s.uninstalledAt, &s.consentRevokedAt, &s.userSuspendedAt, &s.userRestrictedAt, &s.memberRole)
		err = scan(dest...)
		d.scopes = scope.Parse(scopes)
		if status != nil {
			s.installation = installStatus(*status)
		}
		return d, err
	}, `SELECT `+deviceColumns+`, x.installation_id, x.consent_id, x.user_id, i.business_id, `+standingColumns+`
		FROM device_codes x
		JOIN apps a ON a.id = x.app_id
		LEFT JOIN installations i ON i.id = x.installation_id
		LEFT JOIN users u ON u.id = x.user_id
		LEFT JOIN consents c ON c.id = x.consent_id
		LEFT JOIN business_members m ON m.business_id = i.business_id AND m.user_id = x.user_id
		WHERE x.hash = $1`, hash)
}

// findPending reads a device code by what a person typed.
func findPending(ctx context.Context, tx *db.Tx, typed string) (device, error) {
	code, ok := ParseUserCode(typed)
	if !ok {
		return device{}, db.ErrNoRows
	}
	return db.One(ctx, tx, func(scan db.Scan) (d device, err error) {
		var scopes string
		err = scan(d.dest(&scopes)...)
		d.scopes = scope.Parse(scopes)
		return d, err
	}, `SELECT `+deviceColumns+` FROM device_codes x WHERE x.user_code = $1`, code)
}

func touchDevice(ctx context.Context, tx *db.Tx, hash []byte) error {
	_, err := tx.Exec(ctx, `UPDATE device_codes SET polled_at = $2 WHERE hash = $1 AND status = 'PENDING'`, hash, tx.Now())
	return err
}

// approveDevice, denyDevice and consumeDevice move a code on; of any number that try, one does.
func approveDevice(ctx context.Context, tx *db.Tx, hash []byte, installationID, consentID, userID string) (bool, error) {
	n, err := tx.Exec(ctx, `UPDATE device_codes SET status = 'APPROVED', installation_id = $2, consent_id = $3, user_id = $4
		WHERE hash = $1 AND status = 'PENDING'`, hash, installationID, consentID, userID)
	return n == 1, err
}

func denyDevice(ctx context.Context, tx *db.Tx, hash []byte) error {
	n, err := tx.Exec(ctx, `UPDATE device_codes SET status = 'DENIED' WHERE hash = $1 AND status = 'PENDING'`, hash)
	if err == nil && n == 0 {
		return ErrNoDevice
	}
	return err
}

func consumeDevice(ctx context.Context, tx *db.Tx, hash []byte) (bool, error) {
	n, err := tx.Exec(ctx, `UPDATE device_codes SET status = 'CONSUMED' WHERE hash = $1 AND status = 'APPROVED'`, hash)
	return n == 1, err
}

// lockGuesser makes the guesses of one person wait for each other.
func lockGuesser(ctx context.Context, tx *db.Tx, userID string) error {
	_, err := tx.Exec(ctx, `INSERT INTO device_guessers (user_id) VALUES ($1) ON CONFLICT (user_id) DO UPDATE SET user_id = excluded.user_id`, userID)
	return err
}

// countGuesses counts a person's wrong codes of the last minutes and of the last day.
func countGuesses(ctx context.Context, tx *db.Tx, userID string, now time.Time) (recent, daily int, err error) {
	type counts struct{ recent, daily int }
	c, err := db.One(ctx, tx, func(scan db.Scan) (c counts, err error) {
		err = scan(&c.recent, &c.daily)
		return c, err
	}, `SELECT count(CASE WHEN guessed_at > $2 THEN 1 END), count(*) FROM device_guesses WHERE user_id = $1 AND guessed_at > $3`,
		userID, now.Add(-guessWindow), now.Add(-24*time.Hour))
	return c.recent, c.daily, err
}

func insertGuess(ctx context.Context, tx *db.Tx, userID, id string) error {
	_, err := tx.Exec(ctx, `INSERT INTO device_guesses (user_id, guessed_at, id) VALUES ($1, $2, $3)`, userID, tx.Now(), id)
	return err
}
