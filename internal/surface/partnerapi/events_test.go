package partnerapi

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// patient notes until when the server wants to hear from its callers.
type patient struct {
	net.Listener
	mu     sync.Mutex
	latest time.Time
}

func (p *patient) Accept() (net.Conn, error) {
	c, err := p.Listener.Accept()
	return heeded{c, p}, err
}

type heeded struct {
	net.Conn
	by *patient
}

func (c heeded) SetReadDeadline(t time.Time) error {
	c.by.mu.Lock()
	defer c.by.mu.Unlock()
	if t.After(c.by.latest) {
		c.by.latest = t
	}
	return c.Conn.SetReadDeadline(t)
}

// A server takes a caller that sends nothing for a while for one that left, and would end the longest poll just before its
// time. Who waits gets the time to.
func TestAPollIsNotTakenForACallerWhoLeft(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		token := w.all()
		w.customer(token)
		server := httptest.NewUnstartedServer(w.handler)
		heard := &patient{Listener: server.Listener}
		server.Listener = heard
		server.Config.ReadTimeout = time.Second
		server.Start()
		defer server.Close()
		for query, wants := range map[string]bool{"": false, "?wait=0": false, "?wait=30": true} {
			begun := time.Now()
			r, err := http.NewRequest("GET", server.URL+"/events"+query, nil)
			must(t, err)
			r.Header.Set("Authorization", "Bearer "+token)
			r.Close = true
			response, err := http.DefaultClient.Do(r)
			must(t, err)
			must(t, response.Body.Close())
			heard.mu.Lock()
			if patience := heard.latest.Sub(begun); response.StatusCode != http.StatusOK || patience > 30*time.Second != wants {
				t.Errorf("%q: %d, and %v of patience", query, response.StatusCode, patience)
			}
			heard.latest = time.Time{}
			heard.mu.Unlock()
		}
	})
}
