package wire

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"daybook/internal/base/trail"
)

func TestARequestTellsWhereItComesFrom(t *testing.T) {
	f, _, _ := front()
	var plain, named trail.Origin
	h := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		type key struct{}
		ctx := context.WithValue(r.Context(), key{}, 1) // whatever is put around it
		plain, named = trail.From(ctx), trail.From(trail.As(ctx, "usr_1"))
	})
	r := httptest.NewRequest("GET", "/x", nil)
	r.RemoteAddr = "192.0.2.7:1234"
	r.Header.Set("User-Agent", "test/1")
	w := serve(f, "GET /x", h, r)
	want := trail.Origin{IP: "192.0.2.7", RequestID: w.Header().Get("Request-Id"), UserAgent: "test/1"}
	if plain != want || want.RequestID == "" {
		t.Errorf("%+v, want %+v", plain, want)
	}
	if want.UserID = "usr_1"; named != want {
		t.Errorf("%+v, want %+v", named, want)
	}
	if from := trail.From(context.Background()); from != (trail.Origin{}) {
		t.Errorf("the service itself: %+v", from)
	}
}
