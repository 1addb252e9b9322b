package oauth

import (
	"crypto/hkdf"
	"crypto/sha256"
	"strings"

	"daybook/internal/base/secret"
	"daybook/internal/platform/scope"
)

// The answer of an idempotent refresh is sealed under a key made of the old refresh token and the caller's own key. Neither
// is kept, so the database alone reveals nothing (domain rule for idempotent refresh).
const (
	answerUse = "refresh answer"
	answerSep = "\n"
)

func answerKeys(r Renewal) *secret.Keys {
	// Fails only for lengths beyond 255 hashes.
	master, _ := hkdf.Key(sha256.New, []byte(r.Token.Reveal()), []byte(r.IdempotencyKey.Reveal()), answerUse, 32)
	keys, _ := secret.NewKeys(master)
	return keys
}

func sealAnswer(r Renewal, t Tokens) []byte {
	plain := strings.Join([]string{t.Access.Reveal(), t.Refresh.Reveal(), t.Scopes.String()}, answerSep)
	return answerKeys(r).Seal(answerUse, "", []byte(plain))
}

func openAnswer(r Renewal, sealed []byte) (Tokens, bool) {
	plain, err := answerKeys(r).Open(answerUse, "", sealed)
	if err != nil {
		return Tokens{}, false // another key, or none
	}
	parts := strings.SplitN(string(plain), answerSep, 3)
	if len(parts) != 3 {
		return Tokens{}, false
	}
	return Tokens{Access: secret.Of(parts[0]), Refresh: secret.Of(parts[1]), Scopes: scope.Parse(parts[2])}, true
}
