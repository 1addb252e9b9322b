package partnerapi

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"

	"daybook/internal/base/clock"
	"daybook/internal/base/fault"
	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/scope"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/business"
)

// serve puts the pipeline around a route whose requests huma judges. A nil route is everything that is not in the table.
func (a *API) serve(route *Route, judged http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := &call{api: a, route: route, request: r, writer: w}
		took := clock.Stopwatch()
		status := http.StatusInternalServerError // what becomes of a panic
		defer func() {
			if a.Meter != nil && (c.app != nil || c.ended.AppID != "") {
				a.Meter.Count(c.metered(status, took()))
			}
		}()
		if wire.HasBearer(r) { // a call with a cookie is never readable by other origins
			h := w.Header()
			h["Access-Control-Allow-Origin"], h["Access-Control-Expose-Headers"] = anyOrigin, a.exposed
		}
		err := a.admit(c, w, r)
		if err == nil {
			err = a.perform(c, w, r, judged)
		}
		if c.planRefusal != nil {
			a.noteRefusal(r.Context(), c, c.planRefusal)
		}
		if err != nil {
			if route != nil && route.refused != nil && c.ran {
				route.refused(r.Context(), c, err)
			}
			a.challengeFor(w, r, err)
			status, c.code = wire.Status(err), codeOf(err)
			wire.WriteError(w, r, err)
			return
		}
		status, c.code = c.answer.Status, keptCode(c.answer)
		c.write(w)
		c.dispose()
	}
}

var anyOrigin = []string{"*"}

// admit asks everything that is asked before the request itself is looked at, in the order of the contract: the first
// refusal wins.
func (a *API) admit(c *call, w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	if c.route != nil && c.route.Public {
		c.version = apiversion.Latest().Name
		return a.countAddress(ctx, c)
	}
	if err := a.authenticate(ctx, c, r); err != nil {
		return err
	}
	if c.app != nil {
		if err := a.countApp(ctx, c, w); err != nil {
			return err
		}
	}
	if err := a.resolve(c, w, r); err != nil {
		return err
	}
	if c.app == nil {
		if c.route.AppsOnly != nil {
			return c.route.AppsOnly
		}
		return c.permitted()
	}
	if c.route == nil || !c.route.Partner {
		return errNotExposed.With(r.Method + " " + clip(r.URL.Path))
	}
	if err := c.granted(w); err != nil {
		return err
	}
	return c.permitted()
}

// granted asks for the scopes of the route (CALL-03).
func (c *call) granted(w http.ResponseWriter) error {
	for _, s := range c.route.Scopes {
		if !c.app.Scopes.Has(s) {
			missing := scope.Of(c.route.Scopes...).Minus(c.app.Scopes)
			w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="`+scope.Of(c.route.Scopes...).String()+`"`)
			return errScope.With(strings.Join(strings.Fields(missing.String()), ", "))
		}
	}
	return nil
}

// permitted asks for the permission of the person (CALL-05).
func (c *call) permitted() error {
	if p := c.route.Permission; p != "" && !c.access.May(p) {
		return business.ErrPermission.With(p)
	}
	return nil
}

// perform reads the request, gives the answer to an earlier one of the same name, and otherwise has the request judged and
// carried out.
func (a *API) perform(c *call, w http.ResponseWriter, r *http.Request, judged http.HandlerFunc) error {
	ctx := context.WithValue(r.Context(), callKey{}, c)
	if !c.route.writes() {
		c.checkQuery()
		return c.merge(wire.Judge(ctx, judged, r))
	}
	body, err := c.read(w, r)
	if err != nil {
		return err
	}
	if c.claim != nil {
		kept, err := a.Idem.Begin(ctx, c.claim)
		if err != nil {
			return err
		}
		if kept != nil {
			c.answer = *kept
			return nil
		}
		defer a.Idem.End(c.claim)
	}
	c.checkQuery()
	c.readIfMatch()
	body = c.up(body)
	err = judge(ctx, judged, r, body)
	if f := fault.From(err); f != nil && len(f.Fields) > 0 && !c.ran {
		// The rest of a body of the wrong shape is judged, too: every offence is to be named.
		if rest, ok := wire.Without(body, f.Fields); ok {
			c.check(err)
			err = judge(ctx, judged, r, rest)
		}
	}
	err = c.merge(err)
	if err == nil || c.claim == nil || c.ran {
		return err
	}
	kept, failed := a.Idem.Keep(ctx, c.claim, err)
	if failed != nil {
		return failed
	}
	if kept != nil {
		c.answer = *kept
		return nil
	}
	return err
}

func judge(ctx context.Context, judged http.HandlerFunc, r *http.Request, body []byte) error {
	r = r.WithContext(ctx)
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return wire.Judge(ctx, judged, r)
}

// checkQuery looks for parameters that the route does not know. Those of a list the feature judges, all at once.
func (c *call) checkQuery() {
	if !c.route.verb.pages() && c.request.URL.RawQuery != "" {
		c.check(wire.CheckQuery(c.request, c.route.paramNames()...))
	}
}

// check notes offences, to be told together with those of the body.
func (c *call) check(err error) {
	if f := fault.From(err); f != nil {
		for _, sentence := range f.Fields {
			path, rest, _ := strings.Cut(sentence, " ")
			c.wrong.Add(path, "%s", rest)
		}
	}
}

// merge is a refusal with the offences that were found before it.
func (c *call) merge(err error) error { return wire.Merge(c.wrong.Err(), err) }
