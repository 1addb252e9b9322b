package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"
	"sync"
	"time"
)

// signer is a secret that signs. Taking the key in costs as much as half a body, so what has done so is used again.
type signer struct {
	secret string
	macs   sync.Pool // of *mac
}

type mac struct {
	hash.Hash
	sum [sha256.Size]byte
}

// newSigner makes one. The key is the whole secret with its prefix (SIGN-01).
func newSigner(secret string) *signer {
	s := &signer{secret: secret}
	s.macs.New = func() any { return &mac{Hash: hmac.New(sha256.New, []byte(s.secret))} }
	return s
}

// sign writes the signature header: the instant in Unix seconds, and one value per secret, the present one first. What is signed is the
// instant, a dot and the body (SIGN-01).
func sign(at time.Time, body []byte, by ...*signer) string {
	header := make([]byte, 0, 16+len(by)*70)
	header = append(header, "t="...)
	header = strconv.AppendInt(header, at.Unix(), 10)
	t := header[len("t="):]
	for _, s := range by {
		m := s.macs.Get().(*mac)
		m.Reset()
		m.Write(t)
		m.Write(dot)
		m.Write(body)
		header = append(header, ",v1="...)
		header = hex.AppendEncode(header, m.Sum(m.sum[:0]))
		s.macs.Put(m)
	}
	return string(header)
}

var dot = []byte(".")
