package boot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"daybook/internal/base/script"
	"daybook/internal/platform/oauth"
	"daybook/internal/surface/partnerapi"
	"daybook/internal/surface/wire"
)

// makeFunctions gives a node the processes that run functions, and what answers them.
func (n *Node) makeFunctions() {
	n.scripts = &script.Pool{}
	n.House.Functions.Engine, n.House.Functions.Log = n.scripts, n.log
	n.House.Functions.API = &functionAPI{oauth: n.OAuth, service: n.settings.ServiceName, handler: sync.OnceValue(n.functionHost)}
}

// functionHost is the API as functions see it: the business endpoints and nothing else, in this process.
func (n *Node) functionHost() http.Handler {
	mux := http.NewServeMux()
	partner := n.partnerAPI()
	partner.Register(mux)
	front := n.front("function", wire.WriteErrorAs)
	front.Divert = partner.Divert
	return front.Wrap(mux)
}

// functionAPI answers ctx.api by the pipeline that answers every app.
type functionAPI struct {
	oauth   *oauth.Service
	service string
	handler func() http.Handler
}

// carried are the headers that a function may send, besides the version's, and those that it gets.
var (
	carried  = []string{"Idempotency-Key", "If-Match", "Accept-Language"}
	returned = []string{"Request-Id", "Retry-After", "Etag", "Ratelimit-Limit", "Ratelimit-Remaining", "Ratelimit-Reset", "Idempotent-Replayed", "Content-Type"}
)

// Call implements function.API.
func (f *functionAPI) Call(ctx context.Context, appID, businessID string, c script.Call) (a script.Answer, err error) {
	r, err := f.request(c)
	if err != nil {
		return a, err
	}
	who, err := f.oauth.StandIn(ctx, appID, businessID)
	if errors.Is(err, oauth.ErrToken) {
		status, text := wire.Refusal(err)
		return script.Answer{Status: status, Header: map[string]string{}, Body: text}, nil
	}
	if err != nil {
		return a, err
	}
	w := &heard{header: http.Header{}}
	if err := serve(f.handler(), w, r.WithContext(partnerapi.As(ctx, who))); err != nil {
		return a, err
	}
	return w.answer()
}

// request is a call as HTTP has it.
func (f *functionAPI) request(c script.Call) (*http.Request, error) {
	if !strings.HasPrefix(c.Path, "/") {
		return nil, errors.New("the path must begin with /, such as /invoices?limit=10")
	}
	var body []byte
	if c.Body != nil && string(c.Body) != "null" {
		body = c.Body
	}
	r, err := http.NewRequest(strings.ToUpper(c.Method), "http://functions"+c.Path, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the method or the path cannot be used")
	}
	r.RequestURI, r.RemoteAddr = r.URL.RequestURI(), "127.0.0.1:0"
	r.Header.Set("User-Agent", f.service+"-Functions")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, value := range c.Header {
		key := textproto.CanonicalMIMEHeaderKey(name)
		if key != textproto.CanonicalMIMEHeaderKey(f.service+"-Version") && !slices.Contains(carried, key) {
			return nil, fmt.Errorf("a function cannot send the header %q: only %s and %s-Version", name, strings.Join(carried, ", "), f.service)
		}
		r.Header.Set(key, value)
	}
	return r, nil
}

// serve runs a handler that may break off: there is no connection that would notice.
func serve(h http.Handler, w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("the call failed in the middle of its answer")
		}
	}()
	h.ServeHTTP(w, r)
	return nil
}

// heard takes an answer down, as far as a function may have it.
type heard struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *heard) Header() http.Header { return w.header }

func (w *heard) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
	}
}

func (w *heard) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.body.Len() <= script.MaxAnswer { // what is beyond is refused, whatever it is
		w.body.Write(b)
	}
	return len(b), nil
}

// SetReadDeadline and SetWriteDeadline let handlers ask for time; there is no connection to set it on.
func (w *heard) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline does what SetReadDeadline does.
func (w *heard) SetWriteDeadline(time.Time) error { return nil }

// answer is what the function gets: a body that is JSON as it is, other text as a string.
func (w *heard) answer() (script.Answer, error) {
	a := script.Answer{Status: max(w.status, http.StatusOK), Header: map[string]string{}}
	for _, name := range returned {
		if value := w.header.Get(name); value != "" {
			a.Header[strings.ToLower(name)] = value
		}
	}
	body := w.body.Bytes()
	switch {
	case len(body) == 0:
		a.Body = json.RawMessage("null")
	case strings.HasPrefix(w.header.Get("Content-Type"), "application/json"):
		a.Body = body
	case utf8.Valid(body):
		text, err := json.Marshal(string(body))
		if err != nil {
			return a, err
		}
		a.Body = text
	default:
		return a, errors.New("the answer is no text: a function cannot read it")
	}
	return a, nil
}

// nextDue is when the next attempt or schedule falls due.
func (n *Node) nextDue(ctx context.Context) (due time.Time, ok bool, err error) {
	due, ok, err = n.sender.NextDue(ctx)
	if err != nil {
		return due, ok, err
	}
	planned, some, err := n.House.Functions.NextDue(ctx)
	if some && (!ok || planned.Before(due)) {
		due, ok = planned, true
	}
	return due, ok, err
}

// settle lets everything happen that is due by now.
func (n *Node) settle(ctx context.Context) error {
	if err := n.House.Functions.RunDue(ctx); err != nil {
		return err
	}
	return n.sender.Settle(ctx)
}
