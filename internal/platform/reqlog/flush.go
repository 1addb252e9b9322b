package reqlog

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"daybook/internal/base/db"
)

// together is how many entries one transaction writes: others write in between.
const together = 512

// Flush writes what was noted since the last one; what could not be written waits for the next.
func (l *Log) Flush(ctx context.Context) error {
	l.flushing.Lock() // whoever returns from here knows that all noted before is written
	defer l.flushing.Unlock()
	taken := l.take()
	if taken == nil {
		return nil
	}
	defer l.rest(taken)
	// In the order of the key, which the database likes best.
	slices.SortFunc(taken, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.AppID, b.AppID), strings.Compare(a.RequestID, b.RequestID))
	})
	for left := taken; len(left) > 0; {
		n := min(together, len(left))
		if err := l.DB.Write(ctx, func(tx *db.Tx) error { return insert(ctx, tx, left[:n]) }); err != nil {
			l.giveBack(left)
			return fmt.Errorf("writing what apps called: %w", err)
		}
		left = left[n:]
	}
	return nil
}
