package idem

import (
	"bytes"
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
)

// maxKey is how many characters a key may have.
const maxKey = 255

// Claim is a request that wants to happen once.
type Claim struct {
	BusinessID string
	// Caller is whose keys these are: the app's, or for session calls the user's.
	Caller string
	Key    string
	// Fingerprint tells apart requests that differ in anything that matters.
	Fingerprint []byte

	begun bool
}

// Answer is what the caller was told.
type Answer struct {
	Status int
	// Header holds the headers that belong to the answer and not to the call that brought it.
	Header map[string]string
	Body   []byte
	// Replayed: it was told before.
	Replayed bool
}

// Step is a verb that was prepared outside and does its work in the transaction that also keeps its answer.
type Step[T any] = db.Step[T]

// Then is a step whose outcome, good or bad, is turned into another before it is kept.
func Then[T any](step Step[T], turn func(T, error) (T, error)) Step[T] {
	return func(ctx context.Context, tx *db.Tx) (T, error) { return turn(step(ctx, tx)) }
}

// CheckKey says what is wrong with a key.
func CheckKey(key string) error {
	ok := len(key) >= 1 && len(key) <= maxKey
	for i := range len(key) {
		ok = ok && key[i] >= ' ' && key[i] <= '~'
	}
	if !ok {
		return fault.InvalidFields("Idempotency-Key must be 1 to 255 printable ASCII characters")
	}
	return nil
}

// name is what is unique about a claim.
func (c *Claim) name() name { return name{c.BusinessID, c.Caller, c.Key} }

type name struct{ businessID, caller, key string }

func (c *Claim) same(fingerprint []byte) bool { return bytes.Equal(c.Fingerprint, fingerprint) }
