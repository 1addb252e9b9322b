package pages

import (
	"bytes"
	"errors"
	"html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/surface/wire"
)

// throughFront answers a request to /here as the app host does, and gives what was logged.
func throughFront(t *testing.T, h wire.Handler) (answer *httptest.ResponseRecorder, log string) {
	t.Helper()
	return send(t, h, httptest.NewRequest("GET", "/here", nil))
}

func send(t *testing.T, h wire.Handler, r *http.Request) (answer *httptest.ResponseRecorder, log string) {
	t.Helper()
	site, lines, mux := &Site{Name: "Daybook"}, &bytes.Buffer{}, http.NewServeMux()
	mux.Handle("GET /here", site.page(h))
	front := wire.Front{
		Host: "app", IDs: id.NewSource(clock.System{}), Log: slog.New(slog.NewTextHandler(lines, nil)), Fail: site.Fail,
		Guard: http.NewCrossOriginProtection(), MaxBody: 1 << 20,
	}
	answer = httptest.NewRecorder()
	front.Wrap(mux).ServeHTTP(answer, r)
	return answer, lines.String()
}

func TestARefusalIsAPageForPeople(t *testing.T) {
	refuse := func(f *fault.Fault) wire.Handler {
		return func(http.ResponseWriter, *http.Request) error { return f }
	}
	for _, c := range []struct {
		name        string
		request     *http.Request
		handler     wire.Handler
		status      int
		title, text string
	}{
		{"no such page", httptest.NewRequest("GET", "/no<b>where", nil), nil, 404, "Page not found", "There is no page at /no<b>where. Check the address, or begin at the start."},
		{"a long address", httptest.NewRequest("GET", "/"+strings.Repeat("é", 100), nil), nil, 404, "Page not found", "There is no page at /" + strings.Repeat("é", 79) + "…. Check"},
		{"a wrong method", httptest.NewRequest("POST", "/here", nil), nil, 405, "Not a page to open", "This address only takes what a form"},
		{"too large", nil, refuse(wire.ErrTooLarge.With(65536)), 413, "Too much at once", "What was sent is larger than any of our forms needs. Go back and send less."},
		{"a limit", nil, refuse(errLocked.After(90 * time.Second)), 429, "Too many tries", "There were too many failed tries from here."},
		{"a repeated field", nil, refuse(errRepeated.With("email")), 400, "This request could not be understood", "The field email was sent more than once."},
		{"not allowed", nil, refuse(wire.ErrCrossOrigin), 403, "Not allowed", "This request came from another site"},
		{"a conflict", nil, refuse(fault.New(fault.Conflict, "X", "Not like this.")), 409, "That did not work", "Not like this."},
		{"not ready", nil, refuse(fault.New(fault.Unavailable, "X", "Come back.")), 503, "Not available right now", "Come back."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.request == nil {
				c.request = httptest.NewRequest("GET", "/here", nil)
			}
			answer, log := send(t, c.handler, c.request)
			page := html.UnescapeString(answer.Body.String())
			if answer.Code != c.status || !strings.Contains(page, "<h1>"+c.title+"</h1>") || !strings.Contains(page, c.text) {
				t.Errorf("%d: %s", answer.Code, page)
			}
			if strings.Contains(log, "request failed") {
				t.Errorf("a refusal is no failure: %s", log)
			}
			if want := map[bool]string{true: "90"}[c.status == 429]; answer.Header().Get("Retry-After") != want {
				t.Errorf("Retry-After %q, want %q", answer.Header().Get("Retry-After"), want)
			}
			for _, wrong := range faults(answer.Body.String()) {
				t.Error(wrong)
			}
		})
	}
}

func TestAMalfunctionShowsNothingButItsNumber(t *testing.T) {
	for name, h := range map[string]wire.Handler{
		"an error": func(http.ResponseWriter, *http.Request) error { return errors.New("the disk is on fire") },
		"a panic":  func(http.ResponseWriter, *http.Request) error { panic("the disk is on fire") },
	} {
		t.Run(name, func(t *testing.T) {
			answer, log := throughFront(t, h)
			page, number := answer.Body.String(), answer.Header().Get("Request-Id")
			if answer.Code != 500 || strings.Contains(page, "disk") || !strings.Contains(page, "Something went wrong") || !strings.Contains(page, number) {
				t.Errorf("%d: %s", answer.Code, page)
			}
			if !strings.Contains(log, "the disk is on fire") || !strings.Contains(log, number) {
				t.Errorf("logged: %s", log)
			}
		})
	}
}
