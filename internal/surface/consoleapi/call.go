package consoleapi

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"daybook/internal/base/fault"
	"daybook/internal/platform/app"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/identity"
	"daybook/internal/tenancy/organization"
)

// call is one request of the console on its way.
type call struct {
	api     *API
	route   *Route
	request *http.Request

	user       identity.User
	app        app.App                 // of a route about an app
	membership organization.Membership // of a route about an organization

	seen  int // the version of the record that the caller has seen (If-Match); 0 when they do not say
	body  []byte
	wrong fault.Check // offences that were found before the body was judged

	status int
	tag    int // the version of the record that is answered; 0 for none
	doc    any // the answer; nil for none
}

type callKey struct{}

// callOf finds the call that a handler serves.
func callOf(ctx context.Context) *call { return ctx.Value(callKey{}).(*call) }

// by is the person who calls.
func (c *call) by() string { return c.user.ID }

// at is a part of the path.
func (c *call) at(name string) string { return c.request.PathValue(name) }

// param is a query parameter; nil when it is not there.
func (c *call) param(name string) *string {
	params := c.request.URL.Query()
	if !params.Has(name) {
		return nil
	}
	value := params.Get(name)
	return &value
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

// write sends the answer.
func (c *call) write(w http.ResponseWriter) {
	if c.tag > 0 {
		w.Header().Set("ETag", `"`+strconv.Itoa(c.tag)+`"`)
	}
	if c.doc == nil {
		wire.WriteText(w, c.status, nil)
		return
	}
	wire.WriteJSON(w, c.status, c.doc)
}
