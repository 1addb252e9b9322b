package partnerapi

import (
	"context"
	"net/http"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
	"daybook/internal/platform/idem"
	"daybook/internal/platform/oauth"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
)

// call is one request on its way.
type call struct {
	api     *API
	route   *Route // nil for what is not in the table
	request *http.Request
	writer  http.ResponseWriter // for what concerns the connection

	// Who calls: an app, or a person.
	app    *oauth.Caller
	ended  oauth.Caller   // whose token it was, when it no longer counts
	user   *identity.User // of a session
	by     record.Call
	access business.Access

	version string
	limited bool
	seen    *int // the version of the record that the caller has seen (If-Match)
	claim   *idem.Claim
	wrong   fault.Check // offences that were found before the body was judged
	ran     bool        // the claim was handed to a step
	answer  idem.Answer
	sheet   *[]byte // that the answer is written on, to be given back: see shelf
	// planRefusal was met by a part of the call, which is to be made known although the whole was answered.
	planRefusal error
	code        string        // of the refusal
	waited      time.Duration // for something to happen: not what the call took
}

type callKey struct{}

// callOf finds the call that a handler serves.
func callOf(ctx context.Context) *call { return ctx.Value(callKey{}).(*call) }

// id is the {id} of the path.
func (c *call) id() string { return c.request.PathValue("id") }

// userID is the person who calls, or in whose name an app does.
func (c *call) userID() string { return c.by.Actor.UserID }

func (c *call) asApp(who oauth.Caller) {
	c.app, c.access = &who, who.Access
	c.by = record.Call{BusinessID: who.BusinessID, Actor: event.Actor{Type: event.App, AppID: who.AppID, UserID: who.UserID}}
}

func (c *call) asPerson(u identity.User, businessID string, access business.Access) {
	c.user, c.access = &u, access
	c.by = record.Call{BusinessID: businessID, Actor: event.Actor{Type: event.User, UserID: u.ID}}
}

// caller is whose idempotency keys count: keys of an app are its own, whoever it acts for.
func (c *call) caller() string {
	if c.app != nil {
		return c.app.AppID
	}
	return c.user.ID
}
