package reqlog

import (
	"encoding/binary"

	"daybook/internal/base/id"
)

// The entries of a block, with all numbers as varints:
//
//	form    a byte, 1
//	words   how many; each is a text, as twice its length and its bytes, or an id, as a 1, the three letters of its prefix and its bits
//	kinds   how many; each is the places of a method, route, code and version among the words, and a status
//	whoms   how many; each is the places of a business and a user among the words
//	calls   how many, in the order of ids; each is how many bytes its id has in common with the one before, the other bytes, the places
//	        of its kind and of its whom, and its milliseconds
//
// Places begin with 0, but among the words with 1, since 0 is the empty one. A call takes some 15 bytes, most of them what is random
// in its id.
const form = 1

// kind is what was asked for and how it was answered.
type kind struct {
	method, route, code, version string
	status                       int
}

// whom is who was asked about, and for whom.
type whom struct{ business, user string }

// writer writes the entries of one block after another, with the same memory.
type writer struct {
	words table[string]
	kinds table[kind]
	whoms table[whom]
	calls []byte
	marks map[uint64]struct{}
}

// table gives each value a place, and keeps what is written of all of them.
type table[T comparable] struct {
	places  map[T]uint64
	written []byte
}

func newTable[T comparable]() table[T] { return table[T]{places: map[T]uint64{}} }

func (t *table[T]) empty() {
	clear(t.places)
	t.written = t.written[:0]
}

// appendTo writes the table behind other bytes.
func (t *table[T]) appendTo(list []byte) []byte {
	return append(binary.AppendUvarint(list, uint64(len(t.places))), t.written...)
}

func newWriter() *writer {
	return &writer{words: newTable[string](), kinds: newTable[kind](), whoms: newTable[whom](), marks: map[uint64]struct{}{}}
}

// write gives the marks and the entries of a block, whose calls are in order.
func (w *writer) write(calls []call) (marks, entries []byte) {
	w.words.empty()
	w.kinds.empty()
	w.whoms.empty()
	clear(w.marks)
	w.calls = binary.AppendUvarint(w.calls[:0], uint64(len(calls)))
	var before id.Bits
	for _, c := range calls {
		same := shared(before, c.id)
		w.calls = append(append(w.calls, byte(same)), c.id[same:]...)
		w.calls = binary.AppendUvarint(w.calls, w.kind(c.of))
		w.calls = binary.AppendUvarint(w.calls, w.whom(c.of))
		w.calls = binary.AppendUvarint(w.calls, uint64(max(c.ms, 0)))
		before = c.id
	}
	entries = make([]byte, 0, 16+len(w.words.written)+len(w.kinds.written)+len(w.whoms.written)+len(w.calls))
	entries = w.whoms.appendTo(w.kinds.appendTo(w.words.appendTo(append(entries, form))))
	return newMarks(w.marks), append(entries, w.calls...)
}

// shared is how many bytes two ids begin with alike.
func shared(a, b id.Bits) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return len(a)
}

func (w *writer) kind(e *Entry) uint64 {
	k := kind{e.method(), e.Route, e.Code, e.Version, max(e.Status, 0)}
	place, known := w.kinds.places[k]
	if known {
		return place
	}
	place = uint64(len(w.kinds.places))
	w.kinds.places[k] = place
	for _, word := range [...]string{k.method, k.route, k.code, k.version} {
		w.kinds.written = binary.AppendUvarint(w.kinds.written, w.word(word))
	}
	w.kinds.written = binary.AppendUvarint(w.kinds.written, uint64(k.status))
	w.mark(routeMark, k.route)
	w.mark(codeMark, k.code)
	w.marks[statusMark(k.status)] = struct{}{}
	return place
}

func (w *writer) whom(e *Entry) uint64 {
	of := whom{e.BusinessID, e.UserID}
	place, known := w.whoms.places[of]
	if known {
		return place
	}
	place = uint64(len(w.whoms.places))
	w.whoms.places[of] = place
	w.whoms.written = binary.AppendUvarint(w.whoms.written, w.word(of.business))
	w.whoms.written = binary.AppendUvarint(w.whoms.written, w.word(of.user))
	w.mark(businessMark, of.business)
	return place
}

func (w *writer) mark(column byte, word string) {
	if word != "" {
		w.marks[mark(column, word)] = struct{}{}
	}
}

func (w *writer) word(word string) uint64 {
	if word == "" {
		return 0
	}
	place, known := w.words.places[word]
	if known {
		return place
	}
	place = uint64(len(w.words.places)) + 1
	w.words.places[word] = place
	w.words.written = appendWord(w.words.written, word)
	return place
}

const (
	anID         = 1 // in the place of a length, which is even
	prefixLength = 3
)

func appendWord(list []byte, word string) []byte {
	if len(word) > prefixLength {
		if bits, is := id.BitsOf(id.Prefix(word[:prefixLength]), word); is {
			return append(append(append(list, anID), word[:prefixLength]...), bits[:]...)
		}
	}
	return append(binary.AppendUvarint(list, uint64(len(word))<<1), word...)
}
