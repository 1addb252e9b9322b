// Package id makes and checks the names of records: a type prefix, an underscore and a 26-character lower-case
// ULID (`inv_01jd6v3q9x4m8r2t7w5y0z1a2b`). Ids sort by the millisecond of their making. They are names, not
// secrets: nothing may be guarded by an id being hard to guess.
package id

import (
	"crypto/rand"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"daybook/internal/base/clock"
)

// Prefix says what sort of record an id names.
type Prefix string

// The prefixes in use; each is claimed by the one package that makes such ids.
const (
	User         Prefix = "usr"
	Session      Prefix = "ses"
	Organization Prefix = "org"
	Business     Prefix = "biz"
	App          Prefix = "app"
	AppSecret    Prefix = "sec"
	Installation Prefix = "ins"
	Consent      Prefix = "con"
	Family       Prefix = "fam"
	SigningKey   Prefix = "key"
	Event        Prefix = "evt"
	Account      Prefix = "acc"
	JournalEntry Prefix = "jrn"
	JournalLine  Prefix = "jln"
	TaxRate      Prefix = "tax"
	Customer     Prefix = "cus"
	Supplier     Prefix = "sup"
	Invoice      Prefix = "inv"
	InvoiceLine  Prefix = "lin"
	Payment      Prefix = "pay"
	Allocation   Prefix = "alc"
	Import       Prefix = "imp"
	Redaction    Prefix = "rdr"
	Webhook      Prefix = "whk"
	Delivery     Prefix = "dlv"
	Node         Prefix = "nod"
	Field        Prefix = "fld"
	FieldValue   Prefix = "adv"
	Extension    Prefix = "ext"
	Function     Prefix = "fun"
	FunctionCode Prefix = "fnv" // a version of a function
	FunctionRun  Prefix = "fnr"
	Audit        Prefix = "aud"
	Listing      Prefix = "lst"
	Revision     Prefix = "rev"
	Comment      Prefix = "cmt"
	Asset        Prefix = "ast"
	Request      Prefix = "req" // one HTTP request, in logs and the Request-Id header
)

// length of the part behind the underscore.
const length = ulid.EncodedSize

// Source makes ids. Its clock is the platform's, so that ids follow a moved development clock. Ids that one Source makes
// sort in the order of their making, also within a millisecond.
type Source struct {
	clock clock.Clock

	mu   sync.Mutex
	last ulid.ULID
}

// NewSource returns a Source on that clock.
func NewSource(c clock.Clock) *Source { return &Source{clock: c} }

// New makes an id: 48 bits of time, 80 random bits; within a millisecond the random part of the first counts on.
func (s *Source) New(p Prefix) string {
	return Bits(s.next(uint64(clock.Millis(s.clock.Now())))).ID(p)
}

// At is the first id that could be made at an instant: those made before it sort before it.
func At(p Prefix, t time.Time) string { return FirstBits(t).ID(p) }

// Time is the instant at which an id was made; false for what is no id with that prefix.
func Time(p Prefix, s string) (time.Time, bool) {
	if !Valid(p, s) {
		return time.Time{}, false
	}
	u, err := ulid.Parse(s[len(p)+1:])
	return clock.FromMillis(int64(u.Time())), err == nil
}

// Bits are what an id holds besides its prefix, most significant first: they sort as ids do, and take half the room.
type Bits [16]byte

// BitsOf reads the bits of an id; false for what is no id with that prefix.
func BitsOf(p Prefix, s string) (Bits, bool) {
	if !Valid(p, s) {
		return Bits{}, false
	}
	u, err := ulid.Parse(s[len(p)+1:])
	return Bits(u), err == nil
}

// FirstBits are the first that could be made at an instant.
func FirstBits(t time.Time) Bits {
	var u ulid.ULID
	_ = u.SetTime(uint64(max(clock.Millis(t), 0)))
	return Bits(u)
}

// ID is the id with these bits.
func (b Bits) ID(p Prefix) string {
	var room [8 + length]byte // enough for all prefixes above
	text := slices.Grow(append(append(room[:0], p...), '_'), length)
	text = text[:len(text)+length]
	number := text[len(text)-length:]
	_ = ulid.ULID(b).MarshalTextTo(number) // fails only where there is not enough room
	for i, c := range number {
		if 'A' <= c && c <= 'Z' {
			number[i] = c + 'a' - 'A'
		}
	}
	return string(text)
}

// Time is the instant at which the id was made.
func (b Bits) Time() time.Time { return clock.FromMillis(int64(ulid.ULID(b).Time())) }

// Next are the bits that follow; behind the last ones come the first.
func (b Bits) Next() Bits {
	countOn(b[:])
	return b
}

func (s *Source) next(ms uint64) ulid.ULID {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last.Time() == ms && countOn(s.last[6:]) {
		return s.last
	}
	// Only an instant past the year 10889 is refused.
	_ = s.last.SetTime(ms)
	rand.Read(s.last[6:]) // never fails: crypto/rand.Read ends the process instead
	return s.last
}

// countOn adds one to a big-endian number and reports whether it still fits.
func countOn(number []byte) bool {
	for i := len(number) - 1; i >= 0; i-- {
		if number[i]++; number[i] != 0 {
			return true
		}
	}
	return false
}

// Valid reports whether s has the form of an id with that prefix. It says nothing about existence.
func Valid(p Prefix, s string) bool {
	rest, ok := strings.CutPrefix(s, string(p)+"_")
	if !ok || len(rest) != length || rest[0] > '7' { // a ULID's first character holds three bits
		return false
	}
	for _, c := range []byte(rest) {
		// Crockford's alphabet without i, l, o, u; lower case only, so that one record has one name.
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'z' && c != 'i' && c != 'l' && c != 'o' && c != 'u') {
			return false
		}
	}
	return true
}
