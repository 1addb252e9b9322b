package reqlog

import (
	"context"
	"errors"
	"fmt"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

const (
	// scatter is how many small blocks an app may have before some are merged. What merging leaves is fewer: at most one of each day
	// that is over, and of today's those of which each has more than twice the calls of the next.
	scatter = 32
	// mergeTogether is how many blocks one transaction merges: others write in between.
	mergeTogether = 256
	// mostSmall is how many blocks of an app are looked at in one go; should there be more, they are for the next.
	mostSmall = 4096
)

// Merge makes larger blocks of small ones, of which a flush leaves one for each app that called. It may run on several nodes at once.
func (l *Log) Merge(ctx context.Context) error {
	var apps []string
	err := l.DB.Read(ctx, func(tx *db.Tx) (err error) {
		apps, err = scattered(ctx, tx, scatter)
		return err
	})
	if err != nil {
		return err
	}
	return l.mergeApps(ctx, apps)
}

// merger is a run of an app's small blocks that become one.
type merger struct {
	appID    string
	from, to ends
}

// mergeApps merges what is worth it. Runs of few blocks share a transaction.
func (l *Log) mergeApps(ctx context.Context, apps []string) error {
	today := dayOf(id.FirstBits(l.Clock.Now()))
	var failed []error
	var batch []merger
	blocks := 0
	for _, appID := range apps {
		var list []ends
		err := l.DB.Read(ctx, func(tx *db.Tx) (err error) {
			list, err = small(ctx, tx, appID, mostSmall)
			return err
		})
		if err != nil {
			return err
		}
		runs, err := plan(list, today)
		if err != nil {
			failed = append(failed, fmt.Errorf("merging what %s called: %w", appID, err))
		}
		for _, r := range runs {
			if blocks += r.to - r.from; blocks > mergeTogether {
				failed = append(failed, l.mergeBatch(ctx, batch))
				batch, blocks = nil, r.to-r.from
			}
			batch = append(batch, merger{appID, list[r.from], list[r.to-1]})
		}
	}
	return errors.Join(append(failed, l.mergeBatch(ctx, batch))...)
}

// mergeBatch merges several runs in a transaction, or each in one of its own if one of them fails: a damaged block does not keep the
// others apart.
func (l *Log) mergeBatch(ctx context.Context, batch []merger) error {
	if len(batch) == 0 {
		return nil
	}
	err := l.DB.Write(ctx, func(tx *db.Tx) error {
		for _, m := range batch {
			if err := m.merge(ctx, tx); err != nil {
				return fmt.Errorf("merging what %s called: %w", m.appID, err)
			}
		}
		return nil
	})
	if err == nil || len(batch) == 1 || ctx.Err() != nil {
		return err
	}
	var failed []error
	for i := range batch {
		failed = append(failed, l.mergeBatch(ctx, batch[i:i+1]))
	}
	return errors.Join(failed...)
}

// merge makes one block of all small ones of the run. Which they are is decided by who deletes them, so that of several nodes each
// gets others, and none a call that another has. Should there be more than were planned, pack makes two.
func (m merger) merge(ctx context.Context, tx *db.Tx) error {
	taken, err := takeSmall(ctx, tx, m.appID, m.from, m.to)
	if err != nil {
		return err
	}
	var calls []call
	for _, entries := range taken {
		var c contents
		if err := c.read(entries); err != nil {
			return err
		}
		for i := range c.calls {
			calls = append(calls, c.call(i))
		}
	}
	return insert(ctx, tx, pack(newWriter(), m.appID, order(calls)))
}

// run is some blocks that follow one another in a list, to excluded.
type run struct {
	from, to int
	day      int64
	calls    int
}

// plan says which of an app's small blocks, oldest first, to make one of. A block goes together with those behind it once it has no
// more than twice their calls, so that it is written again only a few times, until it is full; on a day that is over, it always does.
func plan(list []ends, today int64) ([]run, error) {
	var open []run // each has more than twice the calls of the next, or is done with
	for i, e := range list {
		last, ok := id.BitsOf(id.Request, e.last)
		if !ok {
			return nil, errDamaged
		}
		r := run{i, i + 1, dayOf(last), e.calls}
		for len(open) > 0 && open[len(open)-1].joins(r, today) {
			before := open[len(open)-1]
			open = open[:len(open)-1]
			r = run{before.from, r.to, r.day, before.calls + r.calls}
		}
		open = append(open, r)
	}
	several := open[:0]
	for _, r := range open {
		if r.to-r.from > 1 {
			several = append(several, r)
		}
	}
	return several, nil
}

// joins reports whether a run goes together with the next one.
func (r run) joins(next run, today int64) bool {
	return r.day == next.day && r.calls < full && next.calls < full && next.to-r.from <= mergeTogether && (r.day < today || r.calls <= 2*next.calls)
}
