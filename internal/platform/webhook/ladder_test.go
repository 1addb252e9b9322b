package webhook

import (
	"net/http"
	"testing"
	"time"

	"daybook/internal/platform/event"
	"daybook/pkg/webhook"
)

// HOOK-03, SIGN-01: what is sent is what is stored, signed so that the receiver kit believes it.
func TestADeliveryIsSentAndWrittenDown(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.start(t)
		box := newInbox(t)
		box.says(201)
		made := w.hook(t, box.URL+"/in?x=1", event.InvoiceCreated)
		w.happen(t, w.shop, event.InvoiceCreated, event.CustomerCreated)
		w.settle(t, 0)

		letters := box.letters()
		if len(letters) != 1 {
			t.Fatalf("%d letters", len(letters))
		}
		got := letters[0]
		if err := webhook.Verify(got.header.Get("X-Webhook-Signature"), []byte(got.body), []string{made.Secret.Reveal()}, time.Minute, w.Clock.Now()); err != nil {
			t.Errorf("the receiver does not believe it: %v", err)
		}
		list := w.deliveries(t, made.ID)
		if len(list) != 1 || list[0].Status != Delivered || list[0].Attempts != 1 || *list[0].ResponseCode != 201 || list[0].Owner != nil || list[0].DueAt != nil {
			t.Fatalf("it stands at %+v", list)
		}
		d, attempts := w.delivery(t, made.ID, list[0].ID)
		if d.Body != got.body || len(attempts) != 1 || *attempts[0].Answer != "said" || attempts[0].Signature != got.header.Get("X-Webhook-Signature") {
			t.Errorf("%+v, %+v", d, attempts)
		}
		for name, value := range map[string]string{
			"Content-Type": "application/json", "X-Webhook-Id": d.ID, "X-Webhook-Event": "invoice.created", "X-Webhook-Event-Id": *d.EventID,
		} {
			if got.header.Get(name) != value {
				t.Errorf("%s is %q, want %q", name, got.header.Get(name), value)
			}
		}
	})
}

// DLIV-02: six attempts, each its wait after the failure before it, on both sides of every edge.
func TestTheLadder(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.start(t)
		box := newInbox(t)
		box.says(500)
		made := w.hook(t, box.URL, event.InvoiceCreated)
		w.happen(t, w.shop, event.InvoiceCreated)
		w.settle(t, 0)
		for i, wait := range []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour} {
			if d := w.deliveries(t, made.ID)[0]; d.Status != Retrying || d.Attempts != i+1 || !d.DueAt.Equal(w.Clock.Now().Add(wait)) {
				t.Fatalf("after attempt %d it stands at %+v, now %v", i+1, d, w.Clock.Now())
			}
			w.settle(t, wait-time.Millisecond)
			if n := len(box.letters()); n != i+1 {
				t.Fatalf("%d attempts a moment before attempt %d", n, i+2)
			}
			w.settle(t, time.Millisecond)
			if n := len(box.letters()); n != i+2 {
				t.Fatalf("%d attempts at the time of attempt %d", n, i+2)
			}
		}
		d, attempts := w.delivery(t, made.ID, w.deliveries(t, made.ID)[0].ID)
		if d.Status != Failed || d.Attempts != 6 || d.DueAt != nil || *d.LastError != "answered 500" || len(attempts) != 6 {
			t.Errorf("at the end it stands at %+v with %d attempts", d, len(attempts))
		}
		w.settle(t, 24*time.Hour)
		letters := box.letters()
		if len(letters) != 6 {
			t.Errorf("%d attempts in all", len(letters))
		}
		for i, l := range letters {
			if l.body != letters[0].body || i > 0 && l.header.Get("X-Webhook-Signature") == letters[i-1].header.Get("X-Webhook-Signature") {
				t.Errorf("attempt %d: the body changed or the signature did not", i+1)
			}
		}
	})
}

// DLIV-01: what counts as delivered.
func TestWhatCountsAsDelivered(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.start(t)
		for status, want := range map[int]Status{200: Delivered, 204: Delivered, 299: Delivered, 301: Retrying, 307: Retrying, 304: Retrying, 400: Retrying, 410: Retrying, 503: Retrying} {
			box := newInbox(t)
			box.set(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(status)
			})
			made := w.hook(t, box.URL, event.InvoiceCreated)
			w.happen(t, w.shop, event.InvoiceCreated)
			w.settle(t, 0)
			if d := w.deliveries(t, made.ID)[0]; d.Status != want || *d.ResponseCode != status || len(box.letters()) != 1 {
				t.Errorf("an answer of %d: %+v, %d requests", status, d, len(box.letters()))
			}
			must(t, w.hooks.Delete(ctx, w.app.ID, w.developer, made.ID, 0))
		}
	})
}
