// Package secret mints, hashes, compares, seals and hides.
//
// Minted secrets carry 256 random bits, so one keyed hash is enough to store them (a slow hash would only be a
// lever for floods); people's passwords, which are guessable, get argon2id. What must be read back (signing
// secrets) is sealed with AES-256-GCM, bound to the row it belongs to. A Secret never prints itself.
package secret

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
)

// Secret holds a value that must not reach a log, an error or a page by accident. Every way of printing it
// shows ***; Reveal is the one way out, easy to search for.
type Secret struct{ value string }

// Of wraps a value.
func Of(value string) Secret { return Secret{value} }

// Reveal gives the value.
func (s Secret) Reveal() string { return s.value }

// Empty reports whether there is no value.
func (s Secret) Empty() bool { return s.value == "" }

// Equal compares in constant time for values of equal length.
func (s Secret) Equal(other Secret) bool {
	return subtle.ConstantTimeCompare([]byte(s.value), []byte(other.value)) == 1
}

const hidden = "***"

// Format implements fmt.Formatter, and with it every verb, %x and %q included.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// String implements fmt.Stringer.
func (Secret) String() string { return hidden }

// GoString implements fmt.GoStringer.
func (Secret) GoString() string { return hidden }

// LogValue implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalText implements encoding.TextMarshaler, which encoding/json uses too.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// UnmarshalText implements encoding.TextUnmarshaler, so that configuration can be read into a Secret.
func (s *Secret) UnmarshalText(text []byte) error {
	s.value = string(text)
	return nil
}

// Kind is the visible beginning of a minted secret: it tells people and leak scanners what they have found.
type Kind string

// The kinds.
const (
	ClientSecret Kind = "cs_"
	SessionID    Kind = "ds_"
	ClientID     Kind = "cli_" // public, but minted alike
	AccessToken  Kind = "at_"
	RefreshToken Kind = "rt_"
	AuthCode     Kind = "ac_"
	DeviceCode   Kind = "dc_"
	AuthRequest  Kind = "ar_"
	// WebhookSecret signs deliveries: it is sealed, not hashed.
	WebhookSecret Kind = "whsec_"
)

// alphabet has letters and digits only: HTTP Basic reaches us in three encodings, which agree on these.
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// mintedLength characters of the alphabet carry 256 bits (43 × log2 62 = 256.03).
const mintedLength = 43

// Mint makes a new secret of that kind.
func Mint(k Kind) Secret {
	if k.placed() {
		return Secret{string(k) + places.next() + Random(mintedLength)}
	}
	return Secret{string(k) + Random(mintedLength)}
}

// placed kinds are made by the thousand and looked up by their hash. Hashes are scattered, so that each would change another page of
// an index, and the pages that are written are what a commit costs. Therefore a placed secret begins with a place that it shares with
// those made just before and after it, and so does its hash: they lie side by side. A place is no secret, and says nothing.
func (k Kind) placed() bool {
	return k == AccessToken || k == RefreshToken || k == AuthCode || k == AuthRequest
}

const (
	placeLength = 4
	// perPlace is how many share a place: about as many as go on a page.
	perPlace = 64
)

// placing hands out places.
type placing struct {
	mu   sync.Mutex
	now  string
	left int
}

var places placing

func (p *placing) next() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left == 0 {
		p.now, p.left = Random(placeLength), perPlace
	}
	p.left--
	return p.now
}

// placeOf is where a secret's hash belongs; empty for one that has none.
func placeOf(s string) string {
	for _, k := range [...]Kind{AccessToken, RefreshToken, AuthCode, AuthRequest} {
		if rest, ok := strings.CutPrefix(s, string(k)); ok && len(rest) == placeLength+mintedLength {
			return rest[:placeLength]
		}
	}
	return ""
}

// Random is a string of n letters and digits, each uniformly drawn.
func Random(n int) string {
	// Bytes from 248 up are drawn again: 248 = 4 × 62, so that no character is likelier than another.
	const fair = 248
	out := make([]byte, 0, n)
	var buf [64]byte
	for {
		rand.Read(buf[:]) // never fails: crypto/rand.Read ends the process instead
		for _, b := range buf {
			if b >= fair {
				continue
			}
			out = append(out, alphabet[b%62])
			if len(out) == n {
				return string(out)
			}
		}
	}
}

// WellFormed reports whether s could have been minted as that kind; what could not is refused without a look-up.
func WellFormed(k Kind, s string) bool {
	rest, ok := strings.CutPrefix(s, string(k))
	length := mintedLength
	if k.placed() {
		length += placeLength
	}
	return ok && len(rest) == length && strings.Trim(rest, alphabet) == ""
}
