package contract_test

import (
	"context"
	"testing"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/test/harness"
)

// Everything due by the new instant has happened when the clock answers: here, the clean-up of dead sessions.
func TestWhatIsDueHappensBeforeTheClockAnswers(t *testing.T) {
	harness.EachDatabase(t, func(t *testing.T, database string) {
		n := harness.Dev(t, harness.Options{Database: database})
		ctx := context.Background()
		d, err := db.Open(ctx, db.Options{Database: database, Clock: clock.System{}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(d.Close)
		sessions := func() (count int) {
			t.Helper()
			err := d.Read(ctx, func(tx *db.Tx) (err error) {
				count, err = db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM sessions`)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return count
		}
		for round := range 3 {
			signedIn(t, n, "olivia")
			signedIn(t, n, "sam")
			if got := sessions(); got != 2 {
				t.Fatalf("round %d: %d sessions, want 2", round, got)
			}
			n.Advance(t, "12h")
			if got := sessions(); got != 0 {
				t.Errorf("round %d: %d dead sessions are still there", round, got)
			}
		}
	})
}
