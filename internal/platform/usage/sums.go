package usage

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// sums are tallies by key, on their way to or from the store.
type sums map[key]*tally

func (s sums) add(k key, t tally) {
	if kept, ok := s[k]; ok {
		kept.add(t)
		return
	}
	s[k] = &t
}

// by adds up what lies in one span of that length.
func (s sums) by(span time.Duration) sums {
	out := sums{}
	for k, t := range s {
		k.at -= k.at % span.Milliseconds()
		out.add(k, *t)
	}
	return out
}

// together adds up businesses.
func (s sums) together() sums {
	out := sums{}
	for k, t := range s {
		k.business = ""
		out.add(k, *t)
	}
	return out
}

// keys in one order for all writers: rows that several transactions raise are then locked by each in the same order.
func (s sums) keys() []key {
	return slices.SortedFunc(maps.Keys(s), func(a, b key) int {
		return cmp.Or(
			cmp.Compare(a.at, b.at), strings.Compare(a.app, b.app), strings.Compare(a.business, b.business), strings.Compare(a.method, b.method),
			strings.Compare(a.route, b.route), cmp.Compare(a.status, b.status), strings.Compare(a.version, b.version),
		)
	})
}
