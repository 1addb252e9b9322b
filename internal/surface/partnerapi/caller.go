package partnerapi

import (
	"context"
	"net/http"

	"daybook/internal/platform/oauth"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/business"
)

// authenticate finds out who calls: by token, or, without an Authorization header, by session. The business follows from
// either; nothing in the request selects one (CALL-01).
func (a *API) authenticate(ctx context.Context, c *call, r *http.Request) error {
	if _, sent := r.Header["Authorization"]; sent {
		return a.byToken(ctx, c, r)
	}
	if who, ok := standIn(ctx); ok {
		c.asApp(who)
		return nil
	}
	return a.bySession(ctx, c, r)
}

type standInKey struct{}

// As has a call that is made in this process count as the app's: a hosted function has no token.
func As(ctx context.Context, who oauth.Caller) context.Context {
	return context.WithValue(ctx, standInKey{}, who)
}

func standIn(ctx context.Context) (oauth.Caller, bool) {
	who, ok := ctx.Value(standInKey{}).(oauth.Caller)
	return who, ok
}

func (a *API) byToken(ctx context.Context, c *call, r *http.Request) error {
	token := wire.Bearer(r)
	if token.Empty() {
		return errNoCredentials
	}
	who, err := a.OAuth.Authenticate(ctx, token)
	if err != nil {
		c.ended = who
		return err
	}
	c.asApp(who)
	return nil
}

// bySession serves our own pages. Posts from other sites were stopped before they got here (wire.Front.Guard). The address
// is counted first, so that guessing sessions is not free.
func (a *API) bySession(ctx context.Context, c *call, r *http.Request) error {
	token := a.Cookie.Read(r)
	if token.Empty() {
		return errNoCredentials
	}
	if err := a.countAddress(ctx, c); err != nil {
		return err
	}
	session, user, err := a.Identity.Authenticate(ctx, token)
	if err != nil {
		return err
	}
	list, err := a.Businesses.Of(ctx, user.ID)
	if err != nil {
		return err
	}
	current := business.Current(session, list)
	if current == nil {
		return business.ErrNotFound
	}
	access, err := a.Businesses.Access(ctx, current.ID, user.ID)
	if err != nil {
		return err
	}
	c.asPerson(user, current.ID, access)
	return nil
}

// challenge says how to authenticate, where that is what is missing (RFC 6750, 3; RFC 9728, 5.1).
func (a *API) challengeFor(w http.ResponseWriter, r *http.Request, err error) {
	if wire.Status(err) != http.StatusUnauthorized {
		return
	}
	text := a.challenge
	if wire.HasBearer(r) {
		text += `, error="invalid_token"`
	}
	w.Header().Set("WWW-Authenticate", text)
}
