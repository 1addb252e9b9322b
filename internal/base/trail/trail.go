// Package trail is what an action leaves behind for those who look later: who did it, what it was, and from where. It keeps nothing
// itself. A feature hands an Act to a Keeper in the transaction of the action, so that neither is there without the other; where it
// came from travels with the context.
package trail

import (
	"context"

	"daybook/internal/base/db"
)

// Action is the name of what was done, such as app.suspended.
type Action string

// Act is one action. It never holds a secret, nor what people wrote to each other.
type Act struct {
	// UserID is who did it; empty stands for whoever the context names.
	UserID string
	Action Action
	// Object is what it was done to.
	Object Object
	// OrganizationID and BusinessID say whose it is, where it is somebody's.
	OrganizationID, BusinessID string
	// Details are a few small facts: numbers, names of members, ids.
	Details map[string]any
}

// Object is a record, by the sort of its id and the id.
type Object struct{ Type, ID string }

// Keeper keeps acts.
type Keeper interface {
	Keep(ctx context.Context, tx *db.Tx, a Act) error
}

// Leave hands an act to a keeper. Where there is none, nothing is kept.
func Leave(ctx context.Context, tx *db.Tx, k Keeper, a Act) error {
	if k == nil {
		return nil
	}
	return k.Keep(ctx, tx, a)
}

// Origin is where an action comes from. What is not known is empty.
type Origin struct {
	UserID    string // who is signed in
	IP        string
	RequestID string
	UserAgent string
	Command   string // of the command line
}

// Source knows the origin of what happens under a context. It is asked only when something is kept.
type Source interface{ Origin() Origin }

// Origin implements Source.
func (o Origin) Origin() Origin { return o }

// Key is what a Source is found by in a context.
type Key struct{}

// With says where everything under the context comes from.
func With(ctx context.Context, s Source) context.Context { return context.WithValue(ctx, Key{}, s) }

// From tells where things come from; the service itself, as long as nobody says otherwise.
func From(ctx context.Context) Origin {
	if s, ok := ctx.Value(Key{}).(Source); ok {
		return s.Origin()
	}
	return Origin{}
}

// As says who does everything under the context.
func As(ctx context.Context, userID string) context.Context {
	o := From(ctx)
	o.UserID = userID
	return With(ctx, o)
}
