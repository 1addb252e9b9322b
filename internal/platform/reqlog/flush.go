package reqlog

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

// together is how many blocks one transaction writes: others write in between.
const together = 64

// Flush writes what was noted since the last one; what could not be written waits for the next.
func (l *Log) Flush(ctx context.Context) error {
	l.flushing.Lock() // whoever returns from here knows that all noted before is written
	defer l.flushing.Unlock()
	taken := l.take()
	if taken == nil {
		return nil
	}
	defer l.rest(taken)
	left := l.blocks(taken)
	for len(left) > 0 {
		n := min(together, len(left))
		if err := l.DB.Write(ctx, func(tx *db.Tx) error { return insert(ctx, tx, left[:n]) }); err != nil {
			l.giveBack(left)
			return fmt.Errorf("writing what apps called: %w", err)
		}
		left = left[n:]
	}
	return nil
}

// blocks makes blocks of what was noted. A call whose id tells no time has no place among the others, and is left out.
func (l *Log) blocks(taken [][]Entry) (list []block) {
	byApp := map[string][]call{}
	for _, p := range taken {
		for i := range p {
			e := &p[i]
			bits, ok := id.BitsOf(id.Request, e.RequestID)
			if !ok {
				l.lost.Add(1)
				continue
			}
			byApp[e.AppID] = append(byApp[e.AppID], call{bits, e.Duration.Milliseconds(), e})
		}
	}
	w := newWriter()
	for _, appID := range slices.Sorted(maps.Keys(byApp)) {
		list = append(list, pack(w, appID, order(byApp[appID]))...)
	}
	return list
}
