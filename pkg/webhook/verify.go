package webhook

import (
	"crypto/subtle"
	"errors"
	"time"
)

// Tolerance is how far the instant of a signature may lie from now, in the recommended receiver.
const Tolerance = 5 * time.Minute

// What Verify finds wrong; ask with errors.Is.
var (
	// ErrMalformed: this is no signature header of Daybook's, or there is none.
	ErrMalformed = errors.New("webhook: malformed signature header")
	// ErrNoMatch: the body was changed on its way, or signed by somebody else, or the secret is another one's.
	ErrNoMatch = errors.New("webhook: no signature matches")
	// ErrTooOld: Daybook did sign it, longer ago than the tolerance. Somebody repeats it, or a clock is wrong.
	ErrTooOld = errors.New("webhook: signed too long ago")
	// ErrTooNew: Daybook did sign it, at an instant beyond the tolerance in the future. A clock is wrong.
	ErrTooNew = errors.New("webhook: signed in the future")
	// ErrNoSecret: the receiver has no secret to verify with. It is the receiver's own fault, never the sender's.
	ErrNoSecret = errors.New("webhook: there is no secret to verify with")
)

// Verify proves that one of the secrets signed the body, within the tolerance before or after now. The body is the bytes
// as they came, before anything parsed them. Values are compared in constant time.
func Verify(header string, body []byte, secrets []string, tolerance time.Duration, now time.Time) error {
	s, err := parseSignature(header)
	if err != nil {
		return err
	}
	if err := s.match(body, secrets); err != nil {
		return err
	}
	return s.within(tolerance, now)
}

// match looks for the value of any secret. An empty secret is one that somebody forgot to set, and everybody can sign with it.
func (s signature) match(body []byte, secrets []string) error {
	err := ErrNoSecret
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		if s.has(digest(secret, s.stamp, body)) {
			return nil
		}
		err = ErrNoMatch
	}
	return err
}

func (s signature) has(want string) bool {
	found := 0
	for _, value := range s.values {
		found |= subtle.ConstantTimeCompare([]byte(value), []byte(want))
	}
	return found == 1
}

func (s signature) within(tolerance time.Duration, now time.Time) error {
	age := now.Sub(s.at) // at the ends of its range Sub stays there
	switch {
	case age > tolerance:
		return ErrTooOld
	case age < -tolerance:
		return ErrTooNew
	}
	return nil
}
