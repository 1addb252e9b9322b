package consoleapi

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"daybook/internal/base/fault"
	"daybook/internal/surface/wire"
)

const maxBody = 1 << 20

// serve puts the pipeline around a route whose requests huma judges: who is it, how often, what is it about and what may they do
// there, is the request in order. The first refusal wins; then the feature decides, and asks for the role again in its own
// transaction.
func (a *API) serve(route *Route, judged http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := &call{api: a, route: route, request: r}
		err := a.admit(r.Context(), c)
		if err == nil {
			err = c.perform(w, judged)
		}
		if err != nil {
			wire.WriteError(w, r, err)
			return
		}
		c.write(w)
	}
}

// admit finds out who calls, and whether their role lets them.
func (a *API) admit(ctx context.Context, c *call) (err error) {
	if _, c.user, err = a.signedIn(ctx, c.request); err != nil {
		return err
	}
	switch c.route.Of {
	case App:
		c.app, err = a.Apps.Admit(ctx, c.at("appId"), c.by(), c.route.Needs)
	case Sandbox:
		err = a.Sandboxes.Admit(ctx, c.sandboxID(), c.by(), c.route.Needs)
	case Organization:
		var chosen string
		if p := c.param(ofOrganization.Name); p != nil {
			chosen = *p
		}
		c.membership, err = a.Organizations.Admit(ctx, chosen, c.by(), c.route.Needs)
	}
	return err
}

// perform has the request judged and carried out.
func (c *call) perform(w http.ResponseWriter, judged http.HandlerFunc) error {
	c.check(wire.CheckQuery(c.request, c.route.paramNames()...))
	ctx := context.WithValue(c.request.Context(), callKey{}, c)
	if !c.route.writes() {
		return wire.Merge(c.wrong.Err(), wire.Judge(ctx, judged, c.request))
	}
	if c.route.Versioned {
		seen, err := seenVersion(c.request)
		c.check(err)
		c.seen = seen
	}
	body, err := c.read(w)
	if err != nil {
		return err
	}
	err = c.judge(ctx, judged, body)
	if f := fault.From(err); f != nil && len(f.Fields) > 0 && c.status == 0 {
		// The rest of a body of the wrong shape is judged, too: every offence is to be named.
		if rest, ok := wire.Without(body, f.Fields); ok {
			c.check(err)
			err = c.judge(ctx, judged, rest)
		}
	}
	return wire.Merge(c.wrong.Err(), err)
}

// read takes in the body of a write.
func (c *call) read(w http.ResponseWriter) ([]byte, error) {
	if most := c.route.verb.most; most > 0 {
		return wire.ReadBody(w, c.request, most)
	}
	body, err := wire.ReadBody(w, c.request, maxBody)
	if err != nil {
		return nil, err
	}
	if len(body) > 0 || c.route.verb.reads {
		if err := wire.CheckMediaType(c.request); err != nil {
			return nil, err
		}
	}
	if !utf8.Valid(body) {
		return nil, wire.ErrUnreadable.With("it is not UTF-8")
	}
	return body, nil
}

func (c *call) judge(ctx context.Context, judged http.HandlerFunc, body []byte) error {
	c.body = body
	return wire.Judge(ctx, judged, c.again(ctx))
}

// again is the request with the body that was read.
func (c *call) again(ctx context.Context) *http.Request {
	r := c.request.WithContext(ctx)
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(c.body)), int64(len(c.body))
	return r
}

// readBody reads the body member by member into a pointer to a struct.
func (c *call) readBody(v any) error { return wire.ReadJSON(c.again(c.request.Context()), v) }

// seenVersion reads which version of a record the caller has seen; 0 when they do not say.
func seenVersion(r *http.Request) (int, error) {
	values := r.Header["If-Match"]
	if len(values) == 0 || len(values) == 1 && values[0] == "*" {
		return 0, nil
	}
	text := strings.Join(values, ", ")
	n, err := strconv.Atoi(strings.Trim(text, `"`))
	if err != nil || n < 1 || text != `"`+strconv.Itoa(n)+`"` {
		return 0, fault.InvalidFields(`If-Match must be the ETag of the record, such as "3", or *`)
	}
	return n, nil
}
