package wire

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

func handle(f func(w http.ResponseWriter, r *http.Request)) http.Handler { return http.HandlerFunc(f) }

func TestAPanicBeforeTheFirstByteIsA500(t *testing.T) {
	for name, value := range map[string]any{"a text": "canary", "an error": errors.New("canary"), "nil dereferenced": nil} {
		t.Run(name, func(t *testing.T) {
			f, log, seen := front()
			w := serve(f, "GET /x", handle(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("X-Early", "1") // a header alone is not the first byte
				if value == nil {
					var r *http.Request
					_ = r.Host
				}
				panic(value)
			}), httptest.NewRequest(http.MethodGet, "/x", nil))
			if w.Code != 500 || members(t, w)["error"] != "Internal Server Error" || strings.Contains(w.Body.String(), "canary") {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if !strings.Contains(log.String(), "panic") || !strings.Contains(log.String(), "front_test.go") || !strings.Contains(log.String(), w.Header().Get("Request-Id")) {
				t.Errorf("the log does not say where:\n%s", log)
			}
			if len(*seen) != 1 || (*seen)[0].Status != 500 || (*seen)[0].Route != "GET /x" {
				t.Errorf("observed %v", *seen)
			}
		})
	}
}

// After the first byte an honest end is a broken connection: nobody may take half an answer for a whole one.
func TestAPanicAfterTheFirstByteBreaksTheConnection(t *testing.T) {
	for _, value := range []any{"canary", http.ErrAbortHandler} {
		f, log, _ := front()
		mux := http.NewServeMux()
		mux.Handle("GET /x", handle(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "half an ")
			panic(value)
		}))
		mux.Handle("GET /y", handle(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "well") }))
		server := httptest.NewServer(f.Wrap(mux))
		response, err := server.Client().Get(server.URL + "/x")
		if err == nil {
			var text []byte
			text, err = io.ReadAll(response.Body)
			response.Body.Close()
			if strings.Contains(string(text), "statusCode") {
				t.Errorf("an error behind half an answer: %s", text)
			}
		}
		if err == nil {
			t.Error("half an answer looks whole")
		}
		if got := strings.Contains(log.String(), "canary"); got != (value == "canary") {
			t.Errorf("%v, and the log:\n%s", value, log)
		}
		if !strings.Contains(log.String(), "msg=request ") {
			t.Errorf("the access log leaves it out:\n%s", log)
		}
		if response, err := server.Client().Get(server.URL + "/y"); err != nil || response.StatusCode != 200 {
			t.Errorf("the next request: %v, %v", response, err)
		}
		server.Close()
	}
}

func TestTheAccessLog(t *testing.T) {
	f, log, seen := front()
	f.Trusted = []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32")} // where httptest's requests come from
	r := httptest.NewRequest(http.MethodGet, "/things/canary-id?code=canary-query", strings.NewReader("canary-body"))
	r.Header.Set("Cookie", "daybook_session=canary-cookie")
	r.Header.Set("Authorization", "Bearer canary-token")
	r.Header.Set("User-Agent", "canary-agent")
	r.Header.Set("Referer", "https://x.test/canary-referer")
	r.Header.Set("X-Forwarded-For", "203.0.113.5")
	w := serve(f, "GET /things/{id}", handle(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Set-Cookie", "canary-set=1")
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, "canary-answer")
	}), r)
	line := log.String()
	for _, want := range []string{
		"msg=request", "requestId=" + w.Header().Get("Request-Id"), "host=api", "method=GET", "path=/things/canary-id", "status=418", "bytes=13", "client=203.0.113.5", "ms=",
	} {
		if !strings.Contains(line, want) {
			t.Errorf("no %s in %s", want, line)
		}
	}
	if strings.Count(line, "canary") != 1 || strings.Contains(line, "code=") {
		t.Errorf("something leaked: %s", line)
	}
	if len(*seen) != 1 || (*seen)[0].Route != "GET /things/{id}" || (*seen)[0].Status != 418 || (*seen)[0].Method != "GET" || (*seen)[0].Host != "api" {
		t.Errorf("observed %v", *seen)
	}
}

func TestAHostilePathDoesNotFillTheLog(t *testing.T) {
	f, log, seen := front()
	serve(f, "GET /x", http.NotFoundHandler(), httptest.NewRequest("BREW", "/"+strings.Repeat("a", 10_000)+"%0Alevel=ERROR", nil))
	if len(log.String()) > 1000 || strings.Count(log.String(), "\n") != 1 {
		t.Errorf("%d bytes: %.300s", len(log.String()), log)
	}
	if (*seen)[0].Method != "other" || (*seen)[0].Route != "none" {
		t.Errorf("observed %v", *seen)
	}
}

func TestSecureHosts(t *testing.T) {
	for _, secure := range []bool{false, true} {
		f, _, _ := front()
		f.Secure = secure
		w := serve(f, "GET /x", handle(func(http.ResponseWriter, *http.Request) {}), httptest.NewRequest(http.MethodGet, "/x", nil))
		if got := w.Header().Get("Strict-Transport-Security") != ""; got != secure {
			t.Errorf("secure %v: %v", secure, w.Header())
		}
	}
}

func TestUnclean(t *testing.T) {
	for path, want := range map[string]bool{
		"/": false, "/a": false, "/a/": false, "/a/b": false, "/a.b/..c": false, "/...": false,
		"": true, "*": true, "a": true, "//": true, "//a": true, "/a//b": true, "/a//": true, "/.": true, "/..": true, "/a/.": true, "/a/..": true, "/a/../b": true, "/./a": true,
	} {
		if got := unclean(path); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
}
