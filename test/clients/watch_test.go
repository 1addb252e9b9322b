package clients

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/oauth2"
)

// watch notes each exchange of a client as "Basic 400 slow_down" or "body 200". It changes nothing.
type watch struct {
	mu   sync.Mutex
	seen []string
	news chan string
}

// watched is a context in which x/oauth2 is watched.
func watched() (context.Context, *watch) {
	w := &watch{news: make(chan string, 16)}
	return context.WithValue(context.Background(), oauth2.HTTPClient, &http.Client{Transport: w}), w
}

func (w *watch) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	_ = response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(text))
	var refusal struct{ Error string }
	_ = json.Unmarshal(text, &refusal)
	style := "body"
	if _, _, ok := r.BasicAuth(); ok {
		style = "Basic"
	}
	w.note(strings.TrimSpace(style + " " + response.Status[:3] + " " + refusal.Error))
	return response, nil
}

func (w *watch) note(line string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen, line)
	w.news <- line
}

// saw proves what was exchanged so far.
func (w *watch) saw(t *testing.T, want ...string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Equal(w.seen, want) {
		t.Errorf("the exchanges were\n%s\nwant\n%s", strings.Join(w.seen, "\n"), strings.Join(want, "\n"))
	}
}
