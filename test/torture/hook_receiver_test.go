package torture_test

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"daybook/pkg/webhook"
)

// receipt is one request that came to a receiver, proven by the receiver kit.
type receipt struct {
	delivery, event string
	path            string
	sender          string // User-Agent
	life            int    // of the process that sent it
	at              time.Time
}

// hookReceiver stands for the receivers of all webhooks of a world, one path each.
type hookReceiver struct {
	*httptest.Server
	secrets map[string]string // by path
	// answer gives the status for a delivery, and may take its time until gone is closed: the sender has hung up.
	answer func(path, delivery string, gone <-chan struct{}) int

	mu    sync.Mutex
	life  int
	got   []receipt
	wrong []string
	open  map[net.Conn]bool
}

// newHookReceiver listens, by https if secure. Secrets may be added until the first request.
func newHookReceiver(t testing.TB, secure bool, answer func(path, delivery string, gone <-chan struct{}) int) *hookReceiver {
	t.Helper()
	r := &hookReceiver{secrets: map[string]string{}, answer: answer, open: map[net.Conn]bool{}}
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(r.take))
	r.Config.ErrorLog = log.New(io.Discard, "", 0) // killed senders leave half a handshake
	r.Config.ConnState = func(c net.Conn, s http.ConnState) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if s == http.StateClosed || s == http.StateHijacked {
			delete(r.open, c)
		} else {
			r.open[c] = true
		}
	}
	if secure {
		r.StartTLS()
	} else {
		r.Start()
	}
	t.Cleanup(func() {
		r.CloseClientConnections()
		r.Close()
	})
	return r
}

func (r *hookReceiver) take(w http.ResponseWriter, q *http.Request) {
	at := time.Now()
	body, err := io.ReadAll(q.Body)
	if err != nil {
		return // the sender died before it had sent it all
	}
	one, err := r.prove(q, body)
	if err != nil {
		r.mu.Lock()
		r.wrong = append(r.wrong, fmt.Sprintf("%s %s: %v\n%s", q.Method, q.URL, err, body))
		r.mu.Unlock()
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	one.at = at
	r.mu.Lock()
	one.life = r.life
	r.got = append(r.got, one)
	r.mu.Unlock()
	w.WriteHeader(r.answer(one.path, one.delivery, q.Context().Done()))
}

// prove believes nothing that the receiver kit does not.
func (r *hookReceiver) prove(q *http.Request, body []byte) (receipt, error) {
	secret, known := r.secrets[q.URL.Path]
	if !known || q.Method != http.MethodPost {
		return receipt{}, fmt.Errorf("nobody is to be told here")
	}
	if err := webhook.Verify(q.Header.Get(webhook.Header), body, []string{secret}, time.Minute, time.Now()); err != nil {
		return receipt{}, err
	}
	e, err := webhook.Parse(body)
	if err != nil {
		return receipt{}, err
	}
	if e.Test() || q.Header.Get("X-Webhook-Id") != e.ID || q.Header.Get("X-Webhook-Event-Id") != e.EventID || q.Header.Get("X-Webhook-Event") != e.Type {
		return receipt{}, fmt.Errorf("headers and body disagree: %v", q.Header)
	}
	return receipt{delivery: e.ID, event: e.EventID, path: q.URL.Path, sender: q.UserAgent()}, nil
}

// receipts so far, in the order in which they came.
func (r *hookReceiver) receipts() []receipt {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.got[:len(r.got):len(r.got)]
}

// nextLife waits until everything that a dead process had sent is read, so that what comes from now on is the next one's.
func (r *hookReceiver) nextLife(t testing.TB) {
	t.Helper()
	soon(t, "the connections of a dead process end", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(r.open) == 0
	})
	r.mu.Lock()
	r.life++
	r.mu.Unlock()
}

// complaints are what came and was not believed.
func (r *hookReceiver) complaints() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wrong[:len(r.wrong):len(r.wrong)]
}

// soon waits for something that must happen, far longer than it should take.
func soon(t testing.TB, what string, happened func() bool) {
	t.Helper()
	for begun := time.Now(); !happened(); time.Sleep(2 * time.Millisecond) {
		if time.Since(begun) > 90*time.Second {
			t.Fatalf("it does not come to pass that %s", what)
		}
	}
}
