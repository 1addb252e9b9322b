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
}

// WriteError answers a request with the standard error shape, and logs what was not a refusal.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	WriteErrorAs(w, r, Status(err), err)
}

// WriteErrorAs is WriteError with a status that no kind stands for (405, 415).
func WriteErrorAs(w http.ResponseWriter, r *http.Request, status int, err error) {
	b := body{StatusCode: status, Error: http.StatusText(status)}
	f := fault.From(err)
	if f == nil || status == http.StatusInternalServerError {
		LogFailure(r, err)
		b.Message = internalText(r)
	} else {
		b.Code = f.Code
		b.Message = f.Text()
		if len(f.Fields) > 0 {
			b.Message = f.Fields
		}
		b.Params = params(f)
		b.Details = f.Details
		SetRetryAfter(w, f.RetryAfter)
	}
	WriteJSON(w, status, b)
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

// params are the values that the message interpolates; absent when it interpolates none (SERR-01).
func params(f *fault.Fault) map[string]any {
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
func WriteJSON(w http.ResponseWriter, status int, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		// Our own types always encode; reaching this is a defect worth a visible failure.
		panic("wire: " + err.Error())
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	w.WriteHeader(status)
	_, _ = w.Write(text)
}
