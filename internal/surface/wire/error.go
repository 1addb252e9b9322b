package wire

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"daybook/internal/base/fault"
)

// statuses is the one table from kinds of refusals to HTTP. A kind that is not in it is internal.
var statuses = map[fault.Kind]int{
	fault.Invalid:         http.StatusBadRequest,
	fault.Unauthenticated: http.StatusUnauthorized,
	fault.Forbidden:       http.StatusForbidden,
	fault.NotFound:        http.StatusNotFound,
	fault.Conflict:        http.StatusConflict,
	fault.Stale:           http.StatusPreconditionFailed,
	fault.TooLarge:        http.StatusRequestEntityTooLarge,
	fault.Unprocessable:   http.StatusUnprocessableEntity,
	fault.Limited:         http.StatusTooManyRequests,
	fault.Unavailable:     http.StatusServiceUnavailable,
}

// Status is the HTTP status for an error.
func Status(err error) int {
	var media *mediaTypeError
	if errors.As(err, &media) {
		return http.StatusUnsupportedMediaType
	}
	if status, ok := statuses[fault.KindOf(err)]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// body is the standard error shape.
type body struct {
	StatusCode int            `json:"statusCode"`
	Message    any            `json:"message"` // a string, or an array of strings for validation failures
	Error      string         `json:"error"`
	Code       string         `json:"code,omitempty"`
	Params     map[string]any `json:"params,omitempty"`
	Details    any            `json:"details,omitempty"`
	Results    any            `json:"results,omitempty"`
}

// WriteError answers a request with the standard error shape, and logs what was not a refusal.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	WriteErrorAs(w, r, Status(err), err)
}

// WriteErrorAs is WriteError with a status that no kind stands for (405).
func WriteErrorAs(w http.ResponseWriter, r *http.Request, status int, err error) {
	f := fault.From(err)
	if f == nil || status == http.StatusInternalServerError {
		LogFailure(r, err)
		WriteJSON(w, status, body{StatusCode: status, Error: http.StatusText(status), Message: internalText(r)})
		return
	}
	SetRetryAfter(w, f.RetryAfter)
	WriteJSON(w, status, bodyOf(status, f))
}

func bodyOf(status int, f *fault.Fault) body {
	b := body{StatusCode: status, Error: http.StatusText(status), Code: f.Code, Message: f.Text(), Params: Params(f), Details: f.Details, Results: f.Results}
	if len(f.Fields) > 0 {
		b.Message = f.Fields
	}
	return b
}

// Refusal is a refusal as WriteError would answer it, for those who keep answers.
func Refusal(err error) (status int, text []byte) {
	status = Status(err)
	f := fault.From(err)
	if f == nil {
		panic("wire: a malfunction is not for keeping: " + err.Error())
	}
	return status, encode(bodyOf(status, f))
}

// internalText shows nothing of what went wrong but the id under which it was logged.
func internalText(r *http.Request) string {
	return "Something went wrong on our side. Try again; if it stays, tell the operator this request id: " + RequestID(r.Context())
}

// LogFailure logs a malfunction in full, with the request id that the caller was shown.
func LogFailure(r *http.Request, err error) {
	if left(r) {
		return // the caller hung up; the access log says so
	}
	Logger(r.Context()).LogAttrs(r.Context(), slog.LevelError, "request failed", slog.Any("error", err))
}

// left reports whether the caller went away before there was an answer.
func left(r *http.Request) bool { return errors.Is(r.Context().Err(), context.Canceled) }

// Params are the values that the message interpolates; absent when it interpolates none (SERR-01).
func Params(f *fault.Fault) map[string]any {
	var m map[string]any
	for i, p := range f.Params {
		if !strings.Contains(f.Message, "{"+strconv.Itoa(i)+"}") {
			continue
		}
		if m == nil {
			m = map[string]any{}
		}
		m["p"+strconv.Itoa(i)] = p
	}
	return m
}

// SetRetryAfter writes the header in whole seconds, rounded up: a caller that waits so long is not refused again.
func SetRetryAfter(w http.ResponseWriter, d time.Duration) {
	if d > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(d.Seconds()))))
	}
}

// WriteJSON writes v with a status. Answers carry private data unless a handler says otherwise, so caches keep nothing.
func WriteJSON(w http.ResponseWriter, status int, v any) { WriteText(w, status, encode(v)) }

func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		// Our own types always encode; reaching this is a defect worth a visible failure.
		panic("wire: " + err.Error())
	}
	return text
}

// WriteText is WriteJSON for what is JSON already; nothing at all has no type either.
func WriteText(w http.ResponseWriter, status int, text []byte) {
	h := w.Header()
	if h.Get("Cache-Control") == "" {
		h["Cache-Control"] = noStore
	}
	if len(text) == 0 {
		w.WriteHeader(status)
		return
	}
	if h.Get("Content-Type") == "" {
		h["Content-Type"] = asJSON
	}
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// Values of headers that most answers share. Nobody changes a value in place.
var (
	noStore = []string{"no-store"}
	asJSON  = []string{"application/json; charset=utf-8"}
	noSniff = []string{"nosniff"}
)
