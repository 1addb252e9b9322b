package oauth

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"strings"
)

// challengeLength of an S256 challenge: 32 bytes in base64url without padding.
const challengeLength = 43

const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

// validChallenge reports whether s has the form of an S256 challenge (RFC 7636, 4.2).
func validChallenge(s string) bool {
	return len(s) == challengeLength && strings.Trim(s, unreserved) == "" && !strings.ContainsAny(s, ".~")
}

// validVerifier reports whether s has the form of a verifier (RFC 7636, 4.1): 43 to 128 unreserved characters.
func validVerifier(s string) bool {
	return len(s) >= 43 && len(s) <= 128 && strings.Trim(s, unreserved) == ""
}

// verifies reports whether the verifier is the one behind the challenge.
func verifies(challenge, verifier string) bool {
	if !validVerifier(verifier) {
		return false
	}
	sum := sha256.Sum256([]byte(verifier))
	return subtle.ConstantTimeCompare([]byte(base64.RawURLEncoding.EncodeToString(sum[:])), []byte(challenge)) == 1
}
