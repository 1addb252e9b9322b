package wire

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/id"
)

// logbook is a log that tests can read.
type logbook struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// front is a Front that answers in the standard shape, with its log and what it observed.
func front() (Front, *logbook, *[]Observation) {
	log, seen := &logbook{}, &[]Observation{}
	return Front{
		Host: "api", IDs: id.NewSource(clock.NewHand(time.Unix(0, 0))), Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Fail: WriteErrorAs, Guard: http.NewCrossOriginProtection(), MaxBody: 1000, Observe: func(o Observation) { *seen = append(*seen, o) },
	}, log, seen
}

// serve puts one request to a handler behind a front.
func serve(f Front, pattern string, h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	mux := http.NewServeMux()
	mux.Handle(pattern, h)
	w := httptest.NewRecorder()
	f.Wrap(mux).ServeHTTP(w, r)
	return w
}

// members reads a body as an object.
func members(t *testing.T, w *httptest.ResponseRecorder) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &m); err != nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	return m
}
