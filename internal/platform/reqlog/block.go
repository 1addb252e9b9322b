package reqlog

import (
	"bytes"
	"slices"
	"time"

	"daybook/internal/base/id"
)

const (
	// fullest is how many calls a block holds at most.
	fullest = 2048
	// full is from how many calls on a block stays as it is: of those that are smaller, any two fit into one. The index of small
	// blocks (request_blocks_small) says the same number.
	full = fullest / 2
)

// call is one call in a block.
type call struct {
	id id.Bits
	ms int64
	of *Entry // all the rest
}

// entry is the call as it is shown.
func (c call) entry(appID string) Entry {
	e := *c.of
	e.AppID, e.RequestID = appID, c.id.ID(id.Request)
	return e
}

// ends of a block: the ids of its last and its first call, and how many it has. They tell it from the app's other blocks: one that
// has the same is the same, written again.
type ends struct {
	last, first string
	calls       int
}

// block is calls of one app and one day (UTC), as they are kept.
type block struct {
	appID string
	ends
	marks, entries []byte
	holds          []call
}

// order sorts calls by id, and leaves each once.
func order(calls []call) []call {
	slices.SortFunc(calls, func(a, b call) int { return compare(a.id, b.id) })
	return slices.CompactFunc(calls, func(a, b call) bool { return a.id == b.id })
}

func compare(a, b id.Bits) int { return bytes.Compare(a[:], b[:]) }

// pack makes blocks of calls of an app, which are in order. Where a day has too many for one block they share them evenly.
func pack(w *writer, appID string, calls []call) (list []block) {
	for len(calls) > 0 {
		day := dayOf(calls[0].id)
		n := 1
		for n < len(calls) && dayOf(calls[n].id) == day {
			n++
		}
		for parts := (n + fullest - 1) / fullest; parts > 0; parts-- {
			part := calls[:n/parts]
			calls, n = calls[len(part):], n-len(part)
			b := block{appID: appID, ends: ends{part[len(part)-1].id.ID(id.Request), part[0].id.ID(id.Request), len(part)}, holds: part}
			b.marks, b.entries = w.write(part)
			list = append(list, b)
		}
	}
	return list
}

const aDay = 24 * time.Hour

// dayOf is the day of a call, counted from 1970.
func dayOf(b id.Bits) int64 { return b.Time().UnixMilli() / aDay.Milliseconds() }

// dayEnd is the first id of the day that follows.
func dayEnd(b id.Bits) string { return firstID(time.UnixMilli((dayOf(b) + 1) * aDay.Milliseconds())) }
