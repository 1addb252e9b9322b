package dbtest

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

// T is what helpers need of a test, be it Go's or rapid's.
type T interface {
	Helper()
	Fatal(args ...any)
}

// Person puts a user into the store who never signs in: the row has no password, and so nothing is hashed, which would
// take tens of milliseconds on purpose. It writes the table itself because identity, whose table it is, would hash.
func (s *Store) Person(t T) (userID string) {
	t.Helper()
	ctx := context.Background()
	userID = s.IDs.New(id.User)
	err := s.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `
			INSERT INTO users (id, email, email_key, display_name, locale, password_hash, operator, version, created_at, updated_at)
			VALUES ($1, $1, $1, 'Somebody', 'en', '', 0, 1, $2, $2)`, userID, tx.Now())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return userID
}
