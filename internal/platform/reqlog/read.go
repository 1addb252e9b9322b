package reqlog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"daybook/internal/base/id"
)

// errDamaged is for entries that are not as they were written.
var errDamaged = errors.New("a block of the request log is damaged, or of a later version of Daybook")

// contents are the entries of a block, taken apart. Words are left as they are written until somebody asks for them: of most blocks
// hardly any are shown.
type contents struct {
	words [][]byte // the first is the empty one
	texts []string // of those that were asked for
	kinds []kindPlaces
	whoms []whomPlaces
	calls []spot // in the order of ids
}

// Places among the words.
type (
	kindPlaces struct {
		method, route, code, version uint32
		status                       int
	}
	whomPlaces struct{ business, user uint32 }
)

// spot is a call, by the places of what it is made of.
type spot struct {
	id         id.Bits
	kind, whom uint32
	ms         int64
}

// read takes entries apart, which stay as they are for as long as the contents are used. It may be done again, with other entries.
func (c *contents) read(entries []byte) error {
	r := &reader{rest: entries}
	if r.number() != form {
		return errDamaged
	}
	c.readWords(r)
	c.readPlaces(r)
	c.readCalls(r)
	if r.damaged || len(r.rest) > 0 {
		return errDamaged
	}
	return nil
}

func (c *contents) readWords(r *reader) {
	n := r.count(2)
	c.words = append(slices.Grow(c.words[:0], n+1), nil)
	for range n {
		c.words = append(c.words, r.word())
	}
	c.texts = slices.Grow(c.texts[:0], n+1)[:n+1]
	clear(c.texts)
}

func (c *contents) readPlaces(r *reader) {
	words := len(c.words)
	n := r.count(5)
	c.kinds = slices.Grow(c.kinds[:0], n)
	for range n {
		c.kinds = append(c.kinds, kindPlaces{r.place(words), r.place(words), r.place(words), r.place(words), int(r.number())})
	}
	n = r.count(2)
	c.whoms = slices.Grow(c.whoms[:0], n)
	for range n {
		c.whoms = append(c.whoms, whomPlaces{r.place(words), r.place(words)})
	}
}

func (c *contents) readCalls(r *reader) {
	n := r.count(4)
	c.calls = slices.Grow(c.calls[:0], n)
	var s spot
	for i := range n {
		before := s.id
		same := r.place(len(s.id) + 1)
		copy(s.id[same:], r.bytes(uint64(len(s.id))-uint64(same)))
		s.kind, s.whom, s.ms = r.place(len(c.kinds)), r.place(len(c.whoms)), int64(r.number())
		if r.damaged || i > 0 && compare(before, s.id) >= 0 {
			r.fail()
			return
		}
		c.calls = append(c.calls, s)
	}
}

// text is a word.
func (c *contents) text(place uint32) string {
	if c.texts[place] == "" && place > 0 {
		c.texts[place] = wordText(c.words[place])
	}
	return c.texts[place]
}

// find is the place of a word; one behind all places when no call has it.
func (c *contents) find(word string) uint32 {
	if word == "" {
		return 0
	}
	written := appendWord(nil, word)
	for place, other := range c.words {
		if bytes.Equal(other, written) {
			return uint32(place)
		}
	}
	return uint32(len(c.words))
}

// call is one of the calls.
func (c *contents) call(at int) call {
	s := c.calls[at]
	k, w := c.kinds[s.kind], c.whoms[s.whom]
	return call{s.id, s.ms, &Entry{
		Method: c.text(k.method), Route: c.text(k.route), Status: k.status, Code: c.text(k.code), Version: c.text(k.version),
		BusinessID: c.text(w.business), UserID: c.text(w.user), Duration: time.Duration(s.ms) * time.Millisecond,
	}}
}

// reader reads from bytes. Damage makes it give zeros from there on.
type reader struct {
	rest    []byte
	damaged bool
}

func (r *reader) fail() { r.rest, r.damaged = nil, true }

func (r *reader) number() uint64 {
	if len(r.rest) > 0 && r.rest[0] < 0x80 { // nearly all of them
		n := uint64(r.rest[0])
		r.rest = r.rest[1:]
		return n
	}
	n, length := binary.Uvarint(r.rest)
	if length <= 0 {
		r.fail()
		return 0
	}
	r.rest = r.rest[length:]
	return n
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.fail()
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

// count is how many things follow that take so many bytes each at least: no more than there can be.
func (r *reader) count(least int) int {
	n := r.number()
	if n > uint64(len(r.rest)/least) {
		r.fail()
		return 0
	}
	return int(n)
}

// place is one of so many.
func (r *reader) place(of int) uint32 {
	n := r.number()
	if n >= uint64(of) {
		r.fail()
		return 0
	}
	return uint32(n)
}

// word is a word as it is written.
func (r *reader) word() []byte {
	all := r.rest
	length := r.number()
	switch {
	case length == anID:
		r.bytes(prefixLength + uint64(len(id.Bits{})))
	case length&1 == 0:
		r.bytes(length >> 1)
	default:
		r.fail()
	}
	return all[:len(all)-len(r.rest)]
}

// wordText is what a word says that was read before.
func wordText(written []byte) string {
	r := &reader{rest: written}
	if r.number() == anID {
		prefix := r.bytes(prefixLength)
		return id.Bits(r.rest).ID(id.Prefix(prefix))
	}
	return string(r.rest)
}
