package webhook

import (
	"encoding/json"
	"net/http"
	"testing"

	"daybook/internal/platform/event"
)

// TestAProbeIsWronglySigned has a receiver get something that looks like a delivery, and is signed by nobody it knows.
func TestAProbeIsWronglySigned(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		box := newInbox(t)
		hook := w.hook(t, box.URL, event.CustomerRedact)
		for _, status := range []int{http.StatusUnauthorized, http.StatusOK, http.StatusInternalServerError, http.StatusFound} {
			box.says(status)
			if got, err := w.hooks.Probe(ctx, hook.Webhook); err != nil || got != status {
				t.Errorf("%d, %v", got, err)
			}
		}
		letters := box.letters()
		if len(letters) != 4 {
			t.Fatalf("%d letters", len(letters))
		}
		seen := map[string]bool{}
		for _, l := range letters {
			header := l.header.Get("X-Webhook-Signature")
			if header == "" || header == sign(w.Clock.Now(), []byte(l.body), newSigner(hook.Secret.Reveal())) || seen[header] {
				t.Errorf("signed %q", header)
			}
			seen[header] = true
			var body struct {
				ID, Type string
				EventID  *string
			}
			must(t, json.Unmarshal([]byte(l.body), &body))
			if body.Type != "customer.redact" || body.ID != l.header.Get("X-Webhook-Id") || body.EventID != nil {
				t.Errorf("%s", l.body)
			}
		}
		if n := w.count(t, `SELECT count(*) FROM deliveries`); n != 0 {
			t.Errorf("%d deliveries", n)
		}
		box.Close()
		if _, err := w.hooks.Probe(ctx, hook.Webhook); err == nil {
			t.Error("nobody was there, and yet answered")
		}
	})
}
