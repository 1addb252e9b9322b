package webhook

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// receiver is a handler that notes what it was given, at the instant of the vectors.
type receiver struct {
	secrets []string
	fails   error
	got     []Event
}

func (r *receiver) serve(request *http.Request) *httptest.ResponseRecorder {
	h := Handler(func() []string { return r.secrets }, func() time.Time { return signedAt }, func(_ context.Context, e Event) error {
		r.got = append(r.got, e)
		return r.fails
	})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, request)
	return w
}

func post(body string, headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(body))
	for _, h := range headers {
		r.Header.Add(Header, h)
	}
	return r
}

func signed(body string) *http.Request { return post(body, Sign(signedAt, []byte(body), present)) }

func TestHandlerHandsEventsOn(t *testing.T) {
	r := &receiver{secrets: []string{present}}
	w := r.serve(post(body, "t=1794700000,"+byPresent))
	if w.Code != http.StatusNoContent || w.Body.Len() != 0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if len(r.got) != 1 {
		t.Fatalf("handed on %d times", len(r.got))
	}
	e := r.got[0]
	if e.ID != "dlv_1" || e.EventID != "evt_1" || e.Type != "invoice.created" || e.APIVersion != "2026-06-01" || e.BusinessID != "biz_1" ||
		e.Created != 1794700000 || string(e.Data) != `{"name":"Café ☕"}` || e.Test() {
		t.Errorf("%+v", e)
	}
}

func TestHandlerRefuses(t *testing.T) {
	other := Sign(signedAt, []byte(body), "whsec_other")
	old := Sign(signedAt.Add(-Tolerance-time.Second), []byte(body), present)
	ahead := Sign(signedAt.Add(Tolerance+time.Second), []byte(body), present)
	good := "t=1794700000," + byPresent
	broken := post("", good)
	broken.Body = http.NoBody
	lost := httptest.NewRequest(http.MethodPost, "/hooks", iotest.ErrReader(errors.New("the line is dead")))
	for _, c := range []struct {
		name    string
		request *http.Request
		status  int
		says    string
	}{
		{"no signature", post(body), 400, ErrMalformed.Error()},
		{"two signatures", post(body, good, good), 400, "t twice"},
		{"somebody else's", post(body, other), 400, ErrNoMatch.Error()},
		{"another body", broken, 400, ErrNoMatch.Error()},
		{"an old one", post(body, old), 400, ErrTooOld.Error()},
		{"one from the future", post(body, ahead), 400, ErrTooNew.Error()},
		{"a body that breaks off", lost, 400, "the line is dead"},
		{"signed, but no JSON", signed("{"), 400, ErrBody.Error()},
		{"signed, but no event", signed(`{"id":"dlv_1"}`), 400, "it needs id and type"},
		{"too large, by one byte", signed(strings.Repeat(" ", MaxBody+1-len(body)) + body), 413, "too large"},
		{"another method", httptest.NewRequest(http.MethodGet, "/hooks", nil), 405, "only POST"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &receiver{secrets: []string{present}}
			w := r.serve(c.request)
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
				t.Errorf("%d %s, want %d %s", w.Code, w.Body, c.status, c.says)
			}
			if len(r.got) > 0 {
				t.Error("handed on all the same")
			}
		})
	}
}

func TestHandlerTakesTheLargestBody(t *testing.T) {
	r := &receiver{secrets: []string{present}}
	if w := r.serve(signed(strings.Repeat(" ", MaxBody-len(body)) + body)); w.Code != http.StatusNoContent {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// What the receiver cannot help now it is sent again; why stays with the receiver.
func TestHandlerAsksForAnotherAttempt(t *testing.T) {
	for name, r := range map[string]*receiver{
		"handle failed":           {secrets: []string{present}, fails: errors.New("password of the database: hunter2")},
		"no secret was set":       {},
		"an empty secret was set": {secrets: []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			w := r.serve(signed(body))
			if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "hunter2") {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
}

// A rotation is a change of what secrets answers.
func TestHandlerAsksForTheSecretsEachTime(t *testing.T) {
	r := &receiver{secrets: []string{previous}}
	if w := r.serve(signed(body)); w.Code != http.StatusBadRequest {
		t.Errorf("before: %d", w.Code)
	}
	r.secrets = []string{present}
	if w := r.serve(signed(body)); w.Code != http.StatusNoContent {
		t.Errorf("after: %d", w.Code)
	}
}

func TestHandlerRemembersNothing(t *testing.T) {
	r := &receiver{secrets: []string{present}}
	r.serve(signed(body))
	r.serve(signed(body))
	if len(r.got) != 2 {
		t.Errorf("handed on %d times", len(r.got))
	}
}

func TestATestDelivery(t *testing.T) {
	e, err := Parse([]byte(`{"id":"dlv_2","eventId":null,"type":"invoice.created","apiVersion":"2026-06-01","businessId":"test","created":1,"data":{"test":true}}`))
	if err != nil || !e.Test() || e.BusinessID != "test" {
		t.Errorf("TDEL-01 %+v, %v", e, err)
	}
}
