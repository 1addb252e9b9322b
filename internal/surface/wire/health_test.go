package wire

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func ask(h Health, path string) (*httptest.ResponseRecorder, *logbook) {
	f, log, _ := front()
	mux := http.NewServeMux()
	h.Register(mux)
	w := httptest.NewRecorder()
	f.Wrap(mux).ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w, log
}

func TestReadiness(t *testing.T) {
	draining, broken := false, error(nil)
	h := Health{
		Checks:   map[string]func(context.Context) error{"database": func(context.Context) error { return broken }},
		Facts:    func() map[string]string { return map[string]string{"store": "SQLite"} },
		Draining: func() bool { return draining },
	}
	if w, _ := ask(h, "/readyz"); w.Code != 200 || members(t, w)["status"] != "ready" || members(t, w)["store"] != "SQLite" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	broken = errors.New("canary: disk is gone")
	w, log := ask(h, "/readyz")
	if w.Code != 503 || members(t, w)["code"] != "NOT_READY" || strings.Contains(w.Body.String(), "canary") || !strings.Contains(w.Body.String(), "database") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), "canary") {
		t.Errorf("why is not in the log:\n%s", log)
	}
	broken, draining = nil, true
	if w, _ := ask(h, "/readyz"); w.Code != 503 {
		t.Errorf("while draining: %d", w.Code)
	}
	if w, _ := ask(h, "/healthz"); w.Code != 200 { // alive it is
		t.Errorf("healthz while draining: %d", w.Code)
	}
}

func TestACheckThatHangsIsGivenUp(t *testing.T) {
	h := Health{
		Checks: map[string]func(context.Context) error{"database": func(ctx context.Context) error {
			if _, bounded := ctx.Deadline(); !bounded {
				return errors.New("without a deadline")
			}
			return nil
		}},
		Facts: func() map[string]string { return nil }, Draining: func() bool { return false },
	}
	if w, _ := ask(h, "/readyz"); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
