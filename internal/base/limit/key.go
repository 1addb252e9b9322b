package limit

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

const (
	// longest is the most bytes of a key that are kept. Keys carry what strangers send, such as client ids.
	longest = 128
	digest  = "sha256:"
)

// short is the key as it is kept: itself, or its digest when it is long. A key that looks like a digest is
// digested too, so that nobody can name the counter of another, longer key.
func short(key string) string {
	if len(key) <= longest && !strings.HasPrefix(key, digest) {
		return key
	}
	sum := sha256.Sum256([]byte(key))
	return digest + hex.EncodeToString(sum[:])
}
