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
func sign(at time.Time, body []byte, secrets ...string) string {
	header := make([]byte, 0, 16+len(secrets)*70)
	header = append(header, "t="...)
	header = strconv.AppendInt(header, at.Unix(), 10)
	t := header[len("t="):]
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(t)
		mac.Write(dot)
		mac.Write(body)
		header = append(header, ",v1="...)
		header = hex.AppendEncode(header, mac.Sum(nil))
	}
	return string(header)
}

var dot = []byte(".")
