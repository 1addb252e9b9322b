package authapi

import (
	"context"
	"net/http"
	"time"

	"daybook/internal/base/limit"
	"daybook/internal/base/secret"
	"daybook/internal/platform/oauth"
	"daybook/internal/surface/wire"
)

// door is one endpoint's own counters and lockouts (OLIM-01, LOCK-04).
type door struct {
	perIP, withSecret, withoutSecret limit.Rule
	lockPair, lockIP                 limit.Lockout
	resolves                         bool // client metadata documents are fetched here
}

func newDoor(name string) door {
	return door{
		perIP:         limit.Rule{Name: name + "-ip", Max: 1200, Per: time.Minute},
		withSecret:    limit.Rule{Name: name + "-secret", Max: 600, Per: time.Minute},
		withoutSecret: limit.Rule{Name: name + "-public", Max: 300, Per: time.Minute},
		lockPair:      limit.Lockout{Name: name + "-pair", Max: 30, Per: time.Minute, For: time.Minute},
		lockIP:        limit.Lockout{Name: name + "-fail", Max: 100, Per: time.Minute, For: time.Minute},
	}
}

var (
	tokenDoor      = newDoor("token")
	introspectDoor = newDoor("introspect")
	revokeDoor     = newDoor("revoke")
	deviceDoor     = func() door {
		d := newDoor("device")
		d.perIP.Max = 30 // OLIM-05
		d.resolves = true
		return d
	}()
	// provenRule bounds a client over all addresses, once it has proved its secret (OLIM-04).
	provenRule   = limit.Rule{Name: "token-client", Max: 600, Per: time.Minute}
	registerRule = limit.Rule{Name: "register-ip", Max: 30, Per: time.Minute}
)

// claim is who a request says it is, before anything is looked up.
type claim struct {
	proof oauth.Proof
	basic bool
}

// readClaim finds the one way in which a request identifies its client (CLNT-01).
func readClaim(r *http.Request, clientID, clientSecret string) (claim, *refusal) {
	id, password, present, ok := parseBasic(r.Header.Get("Authorization"))
	switch {
	case !present && clientSecret != "":
		value := secret.Of(clientSecret)
		return claim{proof: oauth.Proof{ClientID: clientID, Secret: &value}}, nil
	case !present:
		return claim{proof: oauth.Proof{ClientID: clientID}}, nil
	case !ok:
		return claim{basic: true}, nil // not readable: nobody
	case clientSecret != "":
		return claim{}, badRequest("use one way of client authentication: the Authorization header or client_secret")
	case clientID != "" && clientID != id:
		return claim{}, badRequest("client_id in the body is not the one in the Authorization header")
	}
	value := secret.Of(password)
	return claim{proof: oauth.Proof{ClientID: id, Secret: &value}, basic: true}, nil
}

func (c claim) sentSecret() bool { return c.proof.Secret != nil && !c.proof.Secret.Empty() }

// marks are the keys under which a failure counts.
func (d door) marks(place string, c claim) []limit.Mark {
	return []limit.Mark{{Lockout: d.lockPair, Key: place + " " + c.proof.ClientID}, {Lockout: d.lockIP, Key: place}}
}

// admit counts a request and stops it while its place or client is locked out, before anything is looked up (LOCK-03).
func (a *API) admit(ctx context.Context, d door, c claim) *refusal {
	place := wire.ClientKey(ctx)
	if wait := a.Limits.Locked(ctx, d.marks(place, c)...); wait > 0 {
		return tooMany(wait)
	}
	rule := d.withoutSecret
	if c.sentSecret() {
		rule = d.withSecret
	}
	return refused(a.Limits.Take(ctx, limit.Hit{Rule: d.perIP, Key: place}, limit.Hit{Rule: rule, Key: place + " " + c.proof.ClientID}))
}

func refused(windows []limit.Window) *refusal {
	var wait time.Duration
	for _, w := range windows {
		if !w.Allowed {
			wait = max(wait, w.Reset)
		}
	}
	if wait > 0 {
		return tooMany(wait)
	}
	return nil
}

// prove authenticates a client: limits, lockout, look-up, secret, in this order.
func (a *API) prove(r *http.Request, d door, c claim, prove func(context.Context, oauth.Proof) (oauth.Client, bool, error)) (oauth.Client, error) {
	ctx := r.Context()
	if no := a.admit(ctx, d, c); no != nil {
		return oauth.Client{}, no
	}
	if d.resolves { // a client that is a document may begin here
		known, err := a.OAuth.Resolve(ctx, c.proof.ClientID, wire.ClientKey(ctx))
		if err != nil {
			return oauth.Client{}, err
		}
		if !known {
			return oauth.Client{}, a.fail(ctx, d, c)
		}
	}
	client, failed, err := prove(ctx, c.proof)
	if err != nil {
		return oauth.Client{}, err
	}
	if failed {
		return oauth.Client{}, a.fail(ctx, d, c)
	}
	return client, nil
}

// fail counts a failed authentication and refuses it.
func (a *API) fail(ctx context.Context, d door, c claim) *refusal {
	a.Limits.Fail(ctx, d.marks(wire.ClientKey(ctx), c)...)
	return badClient(c.basic)
}
