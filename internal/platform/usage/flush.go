package usage

import (
	"context"
	"fmt"

	"daybook/internal/base/db"
)

// Flush writes what was counted since the last one, all of it or nothing; what was not written waits for the next.
func (m *Meter) Flush(ctx context.Context) error {
	m.flushing.Lock() // whoever returns from here knows that all counted before is written
	defer m.flushing.Unlock()
	taken := m.take()
	if len(taken) == 0 {
		return nil
	}
	if err := m.DB.Write(ctx, func(tx *db.Tx) error { return counts.raise(ctx, tx, minute, taken) }); err != nil {
		m.giveBack(taken)
		return fmt.Errorf("writing how often apps called: %w", err)
	}
	return nil
}

// take empties the shards.
func (m *Meter) take() sums {
	taken := sums{}
	for i := range m.shards {
		sh := &m.shards[i]
		sh.mu.Lock()
		tallies := sh.tallies
		sh.tallies = nil
		sh.mu.Unlock()
		for k, t := range tallies {
			taken.add(k.clean(), *t)
		}
	}
	return taken
}

// giveBack returns to the shards what could not be written, as far as there is room.
func (m *Meter) giveBack(taken sums) {
	turn := 0
	for k, t := range taken {
		sh := &m.shards[turn%shards]
		turn++
		sh.mu.Lock()
		if kept := sh.find(k); kept != nil {
			kept.add(*t)
		} else {
			m.lost.Add(t.took.count())
		}
		sh.mu.Unlock()
	}
}
