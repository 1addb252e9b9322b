package authapi

import (
	"fmt"
	"math"
	"net/http"
	"time"

	"daybook/internal/platform/oauth"
	"daybook/internal/surface/wire"
)

// refusal is how an OAuth endpoint says no.
type refusal struct {
	status int
	denial oauth.Denial
	wait   time.Duration
	basic  bool // HTTP Basic was used: the challenge says so (CLNT-03)
}

func (r *refusal) Error() string { return r.denial.Code + ": " + r.denial.Description }

func deny(d *oauth.Denial) *refusal { return &refusal{status: http.StatusBadRequest, denial: *d} }

func badRequest(format string, args ...any) *refusal {
	return deny(&oauth.Denial{Code: oauth.CodeInvalidRequest, Description: fmt.Sprintf(format, args...)})
}

// badClient never says what was wrong: who asks knows, or should not.
func badClient(basic bool) *refusal {
	return &refusal{status: http.StatusUnauthorized, basic: basic,
		denial: oauth.Denial{Code: oauth.CodeInvalidClient, Description: "client authentication failed"}}
}

func tooMany(wait time.Duration) *refusal {
	seconds := int(math.Ceil(wait.Seconds()))
	return &refusal{status: http.StatusTooManyRequests, wait: wait,
		denial: oauth.Denial{Code: "temporarily_unavailable", Description: fmt.Sprintf("too many requests, retry after %d seconds", seconds)}}
}

// body is OAuth's error shape. Message is deprecated and will be removed.
type body struct {
	Error       string `json:"error"`
	Description string `json:"error_description,omitempty"`
	Message     string `json:"message"`
}

// endpoint serves a handler whose refusals take OAuth's shape. Nothing it answers may be cached (OERR-02, TOK-02).
func (a *API) endpoint(h func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Pragma", "no-cache")
		if err := h(w, r); err != nil {
			a.write(w, r, err)
		}
	})
}

func (a *API) write(w http.ResponseWriter, r *http.Request, err error) {
	no, ok := err.(*refusal)
	if !ok {
		wire.LogFailure(r, err)
		no = &refusal{status: http.StatusInternalServerError, denial: oauth.Denial{Code: "server_error",
			Description: "something went wrong on our side; the request id is " + wire.RequestID(r.Context())}}
	}
	if no.basic {
		w.Header().Set("WWW-Authenticate", fmt.Sprintf("Basic realm=%q", a.Realm))
	}
	wire.SetRetryAfter(w, no.wait)
	message := no.denial.Description
	if message == "" {
		message = no.denial.Code
	}
	wire.WriteJSON(w, no.status, body{no.denial.Code, no.denial.Description, message})
}
