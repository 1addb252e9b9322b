package webhook

import (
	"net/http"
	"testing"
	"time"

	"daybook/internal/platform/event"
)

// DLIV-06: who answers at once and then drips has the delivery, and costs a connection for as long as it is listened to. It gets
// no more room than one that is slow.
func TestWhoDripsGetsNoRoom(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.start(t)
		box := newInbox(t)
		box.set(func(w http.ResponseWriter, r *http.Request) {
			for tick := time.NewTicker(20 * time.Millisecond); ; {
				_, _ = w.Write([]byte("x"))
				_ = http.NewResponseController(w).Flush()
				select {
				case <-tick.C:
				case <-r.Context().Done():
					return
				}
			}
		})
		made := w.hook(t, box.URL, event.InvoiceCreated)
		w.happen(t, w.shop, event.InvoiceCreated)
		w.settle(t, 0)
		if d := w.deliveries(t, made.ID)[0]; d.Status != Delivered || *d.ResponseCode != http.StatusOK {
			t.Errorf("it stands at %+v", d)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if l := s.traffic.lane(made.ID, w.app.ID); !l.troubled || l.room != laneLeast {
			t.Errorf("troubled %t, with room for %v", l.troubled, l.room)
		}
	})
}
