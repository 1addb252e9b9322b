package reqlog

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

// days keeps the blocks of PostgreSQL by the day.
var days = db.Days{Table: "request_blocks", Key: "last_id", First: firstID}

// firstID is the first request id that could be made at an instant.
func firstID(t time.Time) string { return id.At(id.Request, t) }

// cleanTogether is how many blocks, of some 30 KiB each, one transaction deletes: others write in between.
const cleanTogether = 64

// CleanUp removes blocks of which every call is older than Retention: on PostgreSQL by whole days, of which it makes places for the
// next ones, on SQLite a few at a time.
func (l *Log) CleanUp(ctx context.Context) error {
	now := l.Clock.Now()
	before := now.Add(-Retention)
	if l.DB.Dialect() == db.Postgres {
		return days.Turn(ctx, l.DB, now, before)
	}
	done := "" // the app whose blocks were cleaned last
	for {
		var next *string
		var n int64
		err := l.DB.Write(ctx, func(tx *db.Tx) (err error) {
			if next, err = nextApp(ctx, tx, done); err != nil || next == nil {
				return err
			}
			n, err = deleteOld(ctx, tx, *next, firstID(before), cleanTogether)
			return err
		})
		if err != nil || next == nil {
			return err
		}
		if n < cleanTogether {
			done = *next
		}
	}
}
