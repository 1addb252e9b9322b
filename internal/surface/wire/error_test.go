package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/fault"
)

func TestEveryKindHasItsStatus(t *testing.T) {
	want := map[fault.Kind]int{
		fault.Internal: 500, fault.Invalid: 400, fault.Unauthenticated: 401, fault.Forbidden: 403, fault.NotFound: 404, fault.Conflict: 409,
		fault.Stale: 412, fault.TooLarge: 413, fault.Unprocessable: 422, fault.Limited: 429, fault.Unavailable: 503,
	}
	for kind := fault.Internal; kind <= fault.Unavailable+3; kind++ {
		status, declared := want[kind]
		if !declared {
			if kind <= fault.Unavailable {
				t.Errorf("kind %d is not in this table", kind)
			}
			status = 500 // a kind that nobody has thought of shows nothing
		}
		one := fault.New(kind, "SOME_CODE", "Some sentence.")
		for _, err := range []error{one, fmt.Errorf("wrapped: %w", one), one.Because(errors.New("cause"))} {
			if got := Status(err); got != status {
				t.Errorf("kind %d: %d, want %d", kind, got, status)
			}
			w := serveError(err)
			if w.Code != status || int(members(t, w)["statusCode"].(float64)) != status || members(t, w)["error"] != http.StatusText(status) {
				t.Errorf("kind %d: %d %s", kind, w.Code, w.Body)
			}
		}
	}
}

// serveError is the answer to a handler that fails with err.
func serveError(err error) *httptest.ResponseRecorder {
	f, _, _ := front()
	return serve(f, "GET /x", JSON(func(http.ResponseWriter, *http.Request) error { return err }), httptest.NewRequest(http.MethodGet, "/x", nil))
}

func TestTheStandardShape(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		want map[string]any // without statusCode and error
	}{
		{"SERR-01 a sentence", fault.New(fault.Conflict, "BUSY", "Try later."), map[string]any{"message": "Try later.", "code": "BUSY"}},
		{"SERR-01 a sentence with values", fault.New(fault.Conflict, "BUSY", "{1} before {0}.").With("a", 2), map[string]any{"message": "2 before a.", "code": "BUSY", "params": map[string]any{"p0": "a", "p1": 2.0}}},
		{"SERR-01 a value that the sentence does not show", fault.New(fault.Conflict, "BUSY", "Only {1}.").With("hidden", "b"), map[string]any{"message": "Only b.", "code": "BUSY", "params": map[string]any{"p1": "b"}}},
		{"SERR-01 values and a sentence that shows none", fault.New(fault.Conflict, "BUSY", "Later.").With("hidden"), map[string]any{"message": "Later.", "code": "BUSY"}},
		{"SERR-01 no code", fault.New(fault.NotFound, "", "Nothing."), map[string]any{"message": "Nothing."}},
		{"SERR-01 details", fault.New(fault.Conflict, "BUSY", "Later.").WithDetails([]int{1}), map[string]any{"message": "Later.", "code": "BUSY", "details": []any{1.0}}},
		{"SERR-02 one field", fault.InvalidFields("a must be b"), map[string]any{"message": []any{"a must be b"}}},
		{"SERR-02 two fields", fault.InvalidFields("a must be b", "c is missing"), map[string]any{"message": []any{"a must be b", "c is missing"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := members(t, serveError(c.err))
			delete(got, "statusCode")
			delete(got, "error")
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestAMalfunctionShowsNothingAndIsLogged(t *testing.T) {
	for _, err := range []error{
		errors.New("canary: column password_hash"), fault.New(fault.Internal, "CANARY", "canary"), fmt.Errorf("canary: %w", context.DeadlineExceeded),
		fault.New(fault.Kind(99), "CANARY", "canary").With("canary").WithDetails("canary"),
	} {
		f, log, _ := front()
		w := serve(f, "GET /x", JSON(func(http.ResponseWriter, *http.Request) error { return err }), httptest.NewRequest(http.MethodGet, "/x", nil))
		if w.Code != 500 || strings.Contains(strings.ToLower(w.Body.String()), "canary") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		id := w.Header().Get("Request-Id")
		if !strings.Contains(w.Body.String(), id) || !strings.Contains(strings.ToLower(log.String()), "canary") || !strings.Contains(log.String(), id) {
			t.Errorf("request %s is not to be found in the log:\n%s", id, log)
		}
	}
}

func TestTheCauseOfARefusalIsNotShown(t *testing.T) {
	w := serveError(fault.New(fault.Invalid, "NO", "No.").Because(errors.New("canary")))
	if strings.Contains(w.Body.String(), "canary") {
		t.Error(w.Body)
	}
}

func TestRetryAfterIsRoundedUp(t *testing.T) {
	for wait, want := range map[time.Duration]string{
		0: "", -time.Second: "", time.Millisecond: "1", time.Second: "1", time.Second + time.Millisecond: "2", 59*time.Second + 999*time.Millisecond: "60", time.Minute: "60",
	} {
		w := serveError(fault.New(fault.Limited, "WAIT", "Wait.").After(wait))
		if got := w.Header().Get("Retry-After"); got != want {
			t.Errorf("%v: %q, want %q", wait, got, want)
		}
	}
}
