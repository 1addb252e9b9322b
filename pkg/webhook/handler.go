package webhook

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

// MaxBody is how many bytes of a body Handler reads. Daybook's are far smaller.
const MaxBody = 1 << 20

// Handler receives deliveries: it verifies each with the recommended Tolerance and hands it on. Its answer is
//
//	204  when handle answered nil
//	400  for a request that Daybook did not sign just now, or cannot have
//	405  for anything but POST
//	413  for a body above MaxBody
//	500  when handle failed, or secrets gave none
//
// Daybook tries again after everything but the first. It shows the beginning of an answer beside the attempt, so the refusals say
// why; what handle answered stays here, and is handle's to log.
//
// Daybook waits ten seconds: handle stores the event and returns, the work is done later. Its context ends when Daybook hangs up.
// It may be called again with the same event, also at the same time (see Once above).
//
// secrets is asked at every request, so a rotation needs no restart. now is time.Now, outside of tests.
func Handler(secrets func() []string, now func() time.Time, handle func(context.Context, Event) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, "webhook: only POST", http.StatusMethodNotAllowed)
			return
		}
		event, err := receive(w, r, secrets, now)
		if err != nil {
			http.Error(w, err.Error(), statusOf(err))
			return
		}
		if handle(r.Context(), event) != nil {
			http.Error(w, "webhook: the receiver could not take the event", http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
}

// receive reads a request and proves it. The clock is read last: a sender may take its time over the body.
func receive(w http.ResponseWriter, r *http.Request, secrets func() []string, now func() time.Time) (Event, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if err != nil {
		return Event{}, err
	}
	header := strings.Join(r.Header.Values(Header), ",") // a second header brings a second t, which is refused
	if err := Verify(header, body, secrets(), Tolerance, now()); err != nil {
		return Event{}, err
	}
	return Parse(body)
}

func statusOf(err error) int {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, ErrNoSecret):
		return http.StatusInternalServerError
	}
	return http.StatusBadRequest
}
