package reqlog

import (
	"context"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

// What tests may know.
const (
	Room          = room
	EndedRoom     = endedRoom
	Fullest       = fullest
	Full          = full
	Scatter       = scatter
	MergeTogether = mergeTogether
	IsSmall       = isSmall
)

// ErrDamaged is for entries that are not as they were written.
var ErrDamaged = errDamaged

// SetPatience changes how many bytes one search reads, and gives what puts it back.
func SetPatience(bytes int) (reset func()) {
	was := patience
	patience = bytes
	return func() { patience = was }
}

// MergeApp merges the small blocks of an app, however few there are.
func (l *Log) MergeApp(ctx context.Context, appID string) error {
	return l.mergeApps(ctx, []string{appID})
}

// WriteBlock gives the marks and the entries of a block with these calls.
func WriteBlock(list []Entry) (marks, entries []byte) {
	var calls []call
	for i := range list {
		bits, _ := id.BitsOf(id.Request, list[i].RequestID)
		calls = append(calls, call{bits, list[i].Duration.Milliseconds(), &list[i]})
	}
	return newWriter().write(order(calls))
}

// ReadBlock gives the calls of a block that a filter keeps.
func ReadBlock(entries []byte, f Filter) ([]Entry, error) {
	var c contents
	if err := c.read(entries); err != nil {
		return nil, err
	}
	var list []Entry
	keeps := f.on(&c)
	for i, s := range c.calls {
		if keeps(s) {
			list = append(list, c.call(i).entry(""))
		}
	}
	return list, nil
}

// MayHold reports whether marks tell that a filter may keep some of a block's calls.
func MayHold(marks []byte, f Filter) bool {
	return mayHold(marks, f.marks())
}

// Ends are those of a block.
func Ends(last, first string, calls int) ends { return ends{last, first, calls} }

// Plan gives the ranges of blocks that would be merged at an instant.
func Plan(list []ends, now id.Bits) (runs [][2]int, err error) {
	planned, err := plan(list, dayOf(now))
	for _, r := range planned {
		runs = append(runs, [2]int{r.from, r.to})
	}
	return runs, err
}

// Blocks are the ends of all blocks of an app, oldest first.
func (l *Log) Blocks(ctx context.Context, appID string) (list []ends, err error) {
	err = l.DB.Read(ctx, func(tx *db.Tx) error {
		heads, err := behind(ctx, tx, appID, ends{last: endOfTime.ID(id.Request)}, id.Bits{}.ID(id.Request), false, 1_000_000)
		for _, h := range heads {
			list = append(list, h.ends)
		}
		return err
	})
	slices.Reverse(list)
	return list, err
}

// Last, First and Calls of a block.
func (e ends) Last() string  { return e.last }
func (e ends) First() string { return e.first }
func (e ends) Calls() int    { return e.calls }

// NoEnds is a list to fill.
func NoEnds() []ends { return nil }
