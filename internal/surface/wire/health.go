package wire

import (
	"context"
	"net/http"
	"time"
)

// Health answers /healthz and /readyz on every host.
type Health struct {
	// Checks prove that the node can serve, by name. Each gets two seconds.
	Checks map[string]func(context.Context) error
	// Facts are shown beside the verdict: which store, whether limits are shared.
	Facts func() map[string]string
	// Draining reports that the node is about to stop: load balancers must look elsewhere.
	Draining func() bool
}

// Register adds the two routes.
func (h Health) Register(mux *http.ServeMux) {
	mux.Handle("GET /healthz", JSON(func(w http.ResponseWriter, _ *http.Request) error {
		WriteJSON(w, http.StatusOK, map[string]string{"status": "ok"})
		return nil
	}))
	mux.Handle("GET /readyz", JSON(h.ready))
}

func (h Health) ready(w http.ResponseWriter, r *http.Request) error {
	if h.Draining() {
		return ErrNotReady.With("it is shutting down")
	}
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	for name, check := range h.Checks {
		if err := check(ctx); err != nil {
			LogFailure(r, err)
			return ErrNotReady.With("the " + name + " does not answer")
		}
	}
	facts := map[string]string{"status": "ready"}
	for k, v := range h.Facts() {
		facts[k] = v
	}
	WriteJSON(w, http.StatusOK, facts)
	return nil
}
