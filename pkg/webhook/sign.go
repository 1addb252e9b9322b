package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"
)

// Header is the name of the header that carries the signature.
const Header = "X-Webhook-Signature"

// Sign writes a signature as Daybook does, one value per secret. It is for the tests of a receiver.
func Sign(at time.Time, body []byte, secrets ...string) string {
	stamp := strconv.FormatInt(at.Unix(), 10)
	header := "t=" + stamp
	for _, secret := range secrets {
		header += ",v1=" + digest(secret, stamp, body)
	}
	return header
}

// digest is the value of one secret. Its key is the whole secret, prefix and all; the stamp is the text of the header.
func digest(secret, stamp string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(stamp))
	mac.Write([]byte{'.'})
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}
