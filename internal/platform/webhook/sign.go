package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"
)

// sign writes the signature header: the instant in Unix seconds, and one value per secret, the present one first. The key is
// the whole secret with its prefix; what is signed is the instant, a dot and the body (SIGN-01).
func sign(at time.Time, body string, secrets ...string) string {
	t := strconv.FormatInt(at.Unix(), 10)
	header := make([]byte, 0, 16+len(secrets)*70)
	header = append(header, "t="...)
	header = append(header, t...)
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(t + "."))
		mac.Write([]byte(body))
		header = append(header, ",v1="...)
		header = hex.AppendEncode(header, mac.Sum(nil))
	}
	return string(header)
}
