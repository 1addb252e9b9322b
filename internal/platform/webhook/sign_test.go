package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// SIGN-01, whoever signs at the same time with the same secret, and however often.
func TestSignersSignTheSameEveryTime(t *testing.T) {
	value := func(secret, text string) string {
		m := hmac.New(sha256.New, []byte(secret))
		m.Write([]byte(text))
		return hex.EncodeToString(m.Sum(nil))
	}
	now, before := newSigner("whsec_now"), newSigner("whsec_before")
	var wait sync.WaitGroup
	for worker := range 8 {
		wait.Go(func() {
			for i := range 200 {
				at, body := time.Unix(int64(1_700_000_000+i), 0), strings.Repeat("x", worker*i)
				text := fmt.Sprintf("%d.%s", at.Unix(), body)
				want := fmt.Sprintf("t=%d,v1=%s,v1=%s", at.Unix(), value("whsec_now", text), value("whsec_before", text))
				if got := sign(at, []byte(body), now, before); got != want {
					t.Errorf("%s, not %s", got, want)
				}
			}
		})
	}
	wait.Wait()
}
