package wire

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"path"
	"runtime/debug"
	"strings"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/id"
)

// Front stands before every handler of a host.
type Front struct {
	// Host names the host in logs and metrics: api or app.
	Host    string
	IDs     *id.Source
	Log     *slog.Logger
	Trusted []netip.Prefix
	// Fail answers an error in the host's shape.
	Fail func(w http.ResponseWriter, r *http.Request, status int, err error)
	// Secure adds Strict-Transport-Security: the host is reached by https.
	Secure bool
	// Guard refuses what another site's page posts with the visitor's cookies.
	Guard *http.CrossOriginProtection
	// MaxBody is how many bytes of a body are read at most; a handler that takes more says so to ReadBody.
	MaxBody int64
	// Divert may take a request away from the route it would get (an empty pattern: none). Nil, and a nil handler, leave it.
	Divert func(r *http.Request, pattern string) http.Handler
	// Observe is told of every finished request. Nil is fine.
	Observe func(Observation)
}

// Observation is what is counted of a request. Route is the pattern, never the path: ids would make it endless.
type Observation struct {
	Host, Method, Route string
	Status              int
	Duration            time.Duration
}

// Wrap puts request id, client address, access log, recovery and standard refusals around a mux.
func (f Front) Wrap(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := clock.Stopwatch()
		a := &about{Context: r.Context(), requestID: f.IDs.New(id.Request), client: clientIP(r, f.Trusted), header: r.Header, body: r.Body, log: f.Log}
		r = r.WithContext(a)
		out := &response{ResponseWriter: w}
		h := out.Header()
		h["Request-Id"], h["X-Content-Type-Options"] = []string{a.requestID}, noSniff
		if f.Secure {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		r.Body = http.MaxBytesReader(w, r.Body, f.MaxBody)
		defer func() { f.note(r, out, begun()) }()
		f.serve(mux, out, r)
	})
}

func (f Front) serve(mux *http.ServeMux, w *response, r *http.Request) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if p == http.ErrAbortHandler { //nolint:errorlint // the library compares it so, too
			panic(p)
		}
		err := fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		if w.status != 0 {
			// Half an answer is out: breaking the connection is the only honest end.
			LogFailure(r, err)
			panic(http.ErrAbortHandler)
		}
		f.Fail(w, r, http.StatusInternalServerError, err)
	}()
	var handler http.Handler
	var pattern string
	nowhere := unclean(r.URL.Path)
	if !nowhere {
		handler, pattern = mux.Handler(r)
	}
	if f.Divert != nil {
		if other := f.Divert(r, pattern); other != nil {
			other.ServeHTTP(w, r)
			return
		}
	}
	if nowhere {
		f.Fail(w, r, http.StatusNotFound, Nothing(r))
		return
	}
	// No page of another site can make a browser send a bearer token.
	if !HasBearer(r) {
		if err := f.Guard.Check(r); err != nil {
			f.Fail(w, r, http.StatusForbidden, ErrCrossOrigin.Because(err))
			return
		}
	}
	if pattern != "" {
		r.Pattern = pattern
		mux.ServeHTTP(w, r)
		return
	}
	// No route: let the mux say which refusal it is, and say it in our shape.
	var refusal probe
	handler.ServeHTTP(&refusal, r)
	if refusal.status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", refusal.Header().Get("Allow"))
		f.Fail(w, r, refusal.status, ErrMethod.With(r.Method, refusal.Header().Get("Allow")))
		return
	}
	f.Fail(w, r, http.StatusNotFound, Nothing(r))
}

// Nothing says that there is nothing at a path, or nothing that the caller may know of.
func Nothing(r *http.Request) error { return ErrNotFound.With(r.Method + " " + clip(r.URL.Path)) }

// unclean paths (//, /./, /../) would make the mux answer with a redirect to somewhere else; here they are nothing.
func unclean(p string) bool {
	return p != "/" && (!strings.HasPrefix(p, "/") || strings.Contains(p, "//") || path.Clean(p) != strings.TrimSuffix(p, "/"))
}

// note writes the access log. The path is shown without its query, which may hold codes and tokens.
func (f Front) note(r *http.Request, w *response, took time.Duration) {
	status := w.status
	if status == 0 {
		status = http.StatusOK
	}
	if status >= 500 && left(r) {
		status = statusLeft
	}
	level := slog.LevelInfo
	if status >= 500 {
		level = slog.LevelError
	}
	f.Log.LogAttrs(r.Context(), level, "request",
		slog.String("requestId", RequestID(r.Context())), slog.String("host", f.Host), slog.String("method", r.Method), slog.String("path", clip(r.URL.Path)), slog.Int("status", status),
		slog.Int64("bytes", w.bytes), slog.Float64("ms", float64(took.Microseconds())/1000), slog.String("client", ClientIP(r.Context()).String()))
	if f.Observe != nil {
		route := r.Pattern
		if route == "" {
			route = "none"
		}
		f.Observe(Observation{Host: f.Host, Method: knownMethod(r.Method), Route: route, Status: status, Duration: took})
	}
}

// statusLeft is what logs and metrics say of a caller that hung up; nobody hears it.
const statusLeft = 499

// clip keeps a hostile path from filling the log.
func clip(path string) string {
	const most = 200
	if len(path) > most {
		return path[:most] + "…"
	}
	return path
}

func knownMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "other"
}

// response remembers what was answered.
type response struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (w *response) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *response) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// probe takes the mux's refusal without sending it.
type probe struct {
	header http.Header
	status int
}

func (p *probe) Header() http.Header {
	if p.header == nil {
		p.header = http.Header{}
	}
	return p.header
}

func (p *probe) WriteHeader(status int) { p.status = status }

func (p *probe) Write(b []byte) (int, error) { return len(b), nil }

// Handler is a handler that may refuse.
type Handler func(w http.ResponseWriter, r *http.Request) error

// JSON serves a Handler whose errors take the standard shape.
func JSON(h Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			WriteError(w, r, err)
		}
	})
}
