package reqlog

import (
	"context"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

// search finds the newest calls of a span that a filter keeps.
//
// Blocks come by the id of their last call, newest first, and overlap: nodes write side by side, and slow calls come late. So what
// was found stands as soon as the next block ends before it.
type search struct {
	tx     *db.Tx
	appID  string
	filter Filter
	asked  []uint64 // marks that a block must have
	span   span
	limit  int

	found []call // newest first; one more than the limit tells that there is another page
	spent int    // see patience
	next  *id.Bits
	block contents
}

func newSearch(tx *db.Tx, appID string, f Filter, where span, limit int) *search {
	return &search{tx: tx, appID: appID, filter: f, asked: f.marks(), span: where, limit: limit}
}

// patience is how many bytes one search reads, some 50 ms, so that one that finds next to nothing answers in time; the next page goes
// on with it. It is enough for the marks of 5,500 ordinary blocks, or the entries of 200.
var patience = 6 << 20

// perBlock is what a block costs besides its bytes, as if it were some.
const perBlock = 1000

// How many blocks a statement lists: a few at first, since most pages need no more, then twice as many each time.
const (
	firstStride = 64
	mostStride  = 1024
)

// run fills found, and next unless it came to the end.
func (s *search) run(ctx context.Context) error {
	if s.span.empty() {
		return nil
	}
	marked := len(s.asked) > 0
	list, err := across(ctx, s.tx, s.appID, s.span.to, marked)
	if err != nil {
		return err
	}
	for _, h := range list {
		if err := s.look(ctx, h); err != nil {
			return err
		}
	}
	s.spent = 0 // the page before has paid for them, and without others there would be no getting ahead
	at := ends{last: s.span.to.ID(id.Request)}
	for stride := firstStride; ; stride = min(2*stride, mostStride) {
		if list, err = behind(ctx, s.tx, s.appID, at, s.span.from.ID(id.Request), marked, stride); err != nil {
			return err
		}
		for _, h := range list {
			if stop, err := s.pass(ctx, h); err != nil || stop {
				return err
			}
		}
		if len(list) < stride {
			s.end()
			return nil
		}
		at = list[stride-1].ends
	}
}

// pass deals with the next block, unless the search stops before it.
func (s *search) pass(ctx context.Context, h head) (stop bool, err error) {
	last, ok := id.BitsOf(id.Request, h.last)
	if !ok {
		return false, errDamaged
	}
	if n := len(s.found); n > s.limit && compare(s.found[n-1].id, last) > 0 {
		s.end()
		return true, nil
	}
	after := last.Next()
	if s.spent >= patience && compare(after, s.span.to) < 0 { // or the next page would be this one again
		s.pause(after)
		return true, nil
	}
	return false, s.look(ctx, h)
}

// end closes a search that has all it can show.
func (s *search) end() {
	if len(s.found) > s.limit {
		s.found = s.found[:s.limit]
		s.next = &s.found[s.limit-1].id
	}
}

// pause closes a search that did not come further down than an id: what was found below may not be all there is.
func (s *search) pause(at id.Bits) {
	n, _ := slices.BinarySearchFunc(s.found, at, func(c call, at id.Bits) int { return compare(at, c.id) })
	if n < len(s.found) && s.found[n].id == at {
		n++
	}
	if s.found = s.found[:n]; n > s.limit {
		s.end()
		return
	}
	s.next = &at
}

// look reads a block, unless its marks tell that it has nothing.
func (s *search) look(ctx context.Context, h head) error {
	s.spent += perBlock + len(h.marks)
	if !mayHold(h.marks, s.asked) {
		return nil
	}
	entries, err := entriesOf(ctx, s.tx, s.appID, h.ends)
	if err != nil {
		return err
	}
	s.spent += len(entries)
	if err := s.block.read(entries); err != nil {
		return err
	}
	s.add(s.filter.on(&s.block))
	return nil
}

// add takes the newest calls of the block at hand that a filter keeps to what was found, as far as the page may need them.
func (s *search) add(keeps func(spot) bool) {
	need := s.limit + 1
	calls := s.block.calls
	at, _ := slices.BinarySearchFunc(calls, s.span.to, func(c spot, to id.Bits) int { return compare(c.id, to) })
	for n := 0; at > 0 && n < need && compare(calls[at-1].id, s.span.from) >= 0; at-- {
		if keeps(calls[at-1]) {
			s.found = append(s.found, s.block.call(at-1))
			n++
		}
	}
	slices.SortFunc(s.found, func(a, b call) int { return compare(b.id, a.id) })
	s.found = slices.CompactFunc(s.found, func(a, b call) bool { return a.id == b.id })
	s.found = s.found[:min(need, len(s.found))]
}

func (s *search) entries() []Entry {
	list := make([]Entry, len(s.found))
	for i, c := range s.found {
		list[i] = c.entry(s.appID)
	}
	return list
}

// on makes the filter, besides time and id, ready for the calls of a block: it compares places instead of words.
func (f Filter) on(c *contents) func(spot) bool {
	route, code, business := c.find(f.Route), c.find(f.Code), c.find(f.BusinessID)
	return func(s spot) bool {
		k := &c.kinds[s.kind]
		return (f.Status == 0 || f.Status == k.status) && (f.Route == "" || route == k.route) && (f.Code == "" || code == k.code) &&
			(f.BusinessID == "" || business == c.whoms[s.whom].business)
	}
}
