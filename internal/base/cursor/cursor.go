// Package cursor writes the cursors of lists whose order is that of one key: where the page before ended, bound to the list and
// the filters that it was given for.
package cursor

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"

	"daybook/internal/base/fault"
)

// ErrInvalid refuses a cursor that was not given for this list.
var ErrInvalid = fault.New(fault.Invalid, "INVALID_CURSOR", "The cursor does not belong to this list. Start again without a cursor, or repeat the filters it was given for.")

// Write makes a cursor that stands at a key. list says which list it is of: its name, whose it is, and every filter.
func Write(key string, list ...any) string {
	return base64.RawURLEncoding.EncodeToString([]byte(bind(list) + key))
}

// Read gives the key that a cursor stands at; without a cursor it is empty.
func Read(cursor string, list ...any) (key string, err error) {
	if cursor == "" {
		return "", nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	key, mine := strings.CutPrefix(string(text), bind(list))
	if err != nil || !mine || key == "" {
		return "", ErrInvalid
	}
	return key, nil
}

// bind is what sets the cursors of one list apart from those of others. It keeps mistakes away, not attacks: whatever a cursor says,
// a list shows nobody more than they may see.
func bind(list []any) string {
	h := sha256.New()
	for _, part := range list {
		fmt.Fprintf(h, "%T %v\n", part, part)
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:6])
}
