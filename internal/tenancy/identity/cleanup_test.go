package identity_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/identity"
)

func TestCleaningUpRemovesDeadSessionsAndNoOthers(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, people *identity.Service) {
		ada := person(t, s, "ada@example.com")
		now := dbtest.Start
		insert := func(tx *db.Tx, name string, seen, expires time.Time) {
			_, err := tx.Exec(ctx, `INSERT INTO sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at)
				VALUES ($1, $2, $3, $4, $5, $6)`, name, []byte(name), ada, now.Add(-absolute), seen, expires)
			must(t, err)
		}
		must(t, s.Write(ctx, func(tx *db.Tx) error {
			for i := range 1100 { // more than two batches
				insert(tx, fmt.Sprint("dead ", i), now.Add(-idle-time.Duration(i)*ms), now.Add(time.Hour))
			}
			insert(tx, "dead: ends now", now, now)
			insert(tx, "dead: ended long ago", now.Add(-absolute), now.Add(-absolute))
			insert(tx, "dead: idle for twelve hours", now.Add(-idle), now.Add(ms))
			insert(tx, "live: idle for a millisecond less", now.Add(-idle+ms), now.Add(time.Hour))
			insert(tx, "live: ends in a millisecond", now, now.Add(ms))
			return nil
		}))
		cost := statements(func(ctx context.Context) { must(t, people.CleanUp(ctx)) })
		left := query[string](t, s, `SELECT id FROM sessions ORDER BY id`)
		if !slices.Equal(left, []string{"live: ends in a millisecond", "live: idle for a millisecond less"}) {
			t.Errorf("%d left: %.200v", len(left), left)
		}
		if cost < 3 {
			t.Errorf("%d statements: more than 500 rows went in one of them", cost)
		}
		must(t, people.CleanUp(ctx)) // nothing left to do
	})
}
