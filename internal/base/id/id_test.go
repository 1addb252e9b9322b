package id_test

import (
	"bytes"
	"sort"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/id"
)

func TestIdsAreValidDistinctAndSortInTheOrderOfTheirMaking(t *testing.T) {
	hand := clock.NewHand(time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC))
	source := id.NewSource(hand)
	seen := map[string]bool{}
	var order []string
	for range 1000 {
		s := source.New(id.User)
		if !id.Valid(id.User, s) {
			t.Fatalf("made an invalid id: %q", s)
		}
		if seen[s] {
			t.Fatalf("made %q twice", s)
		}
		seen[s] = true
		order = append(order, s)
		if len(order)%3 == 0 { // several within one millisecond
			hand.Advance(time.Millisecond)
		}
	}
	if !sort.StringsAreSorted(order) {
		t.Error("ids must sort in the order of their making")
	}
}

func TestValidRefusesWhatIsNoId(t *testing.T) {
	good := "usr_01jd6v3q9x4m8r2t7w5y0z1a2b"
	if !id.Valid(id.User, good) {
		t.Fatalf("%q must be valid", good)
	}
	for name, s := range map[string]string{
		"empty":                       "",
		"another type's":              "biz_01jd6v3q9x4m8r2t7w5y0z1a2b",
		"no prefix":                   "01jd6v3q9x4m8r2t7w5y0z1a2b",
		"one short":                   good[:len(good)-1],
		"one long":                    good + "0",
		"upper case":                  "usr_01JD6V3Q9X4M8R2T7W5Y0Z1A2B",
		"letter outside the alphabet": "usr_01jd6v3q9x4m8r2t7w5y0z1a2u",
		"beyond 128 bits":             "usr_81jd6v3q9x4m8r2t7w5y0z1a2b",
		"control byte":                "usr_01jd6v3q9x4m8r2t7w5y0z1a2\n",
	} {
		if id.Valid(id.User, s) {
			t.Errorf("%s: %q passed", name, s)
		}
	}
}

func TestAnIdTellsWhenItWasMade(t *testing.T) {
	hand := clock.NewHand(time.Date(2026, 11, 14, 12, 0, 0, 7e6, time.UTC))
	made := id.NewSource(hand).New(id.Request)
	if at, ok := id.Time(id.Request, made); !ok || !at.Equal(hand.Now()) {
		t.Errorf("%s was made at %v, %v", made, at, ok)
	}
	for _, other := range []string{"", "req_", "usr_" + made[4:], made + "0"} {
		if _, ok := id.Time(id.Request, other); ok {
			t.Errorf("%q has a time", other)
		}
	}
}

func TestBitsStandForTheirIdAndSortAlike(t *testing.T) {
	hand := clock.NewHand(time.Date(2026, 11, 14, 12, 0, 0, 7e6, time.UTC))
	source := id.NewSource(hand)
	var last id.Bits
	for range 500 {
		made := source.New(id.Request)
		bits, ok := id.BitsOf(id.Request, made)
		if !ok || bits.ID(id.Request) != made || !bits.Time().Equal(hand.Now()) || bytes.Compare(last[:], bits[:]) >= 0 {
			t.Fatalf("%s has the bits %x behind %x, %v", made, bits, last, ok)
		}
		if next := bits.Next().ID(id.Request); next <= made || next > source.New(id.Request) {
			t.Fatalf("behind %s comes %s", made, next)
		}
		last = bits
		hand.Advance(time.Millisecond)
	}
	for _, other := range []string{"", "req_", "usr_01jd6v3q9x4m8r2t7w5y0z1a2b", "req_81jd6v3q9x4m8r2t7w5y0z1a2b"} {
		if _, ok := id.BitsOf(id.Request, other); ok {
			t.Errorf("%q has bits", other)
		}
	}
}
