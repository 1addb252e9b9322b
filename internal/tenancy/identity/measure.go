package identity

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/text"
	"daybook/internal/base/trail"
)

// Measure is what an operator does about a person. Its value is what the trail calls it.
type Measure trail.Action

// The measures.
const (
	Suspending    Measure = "user.suspended"
	Unsuspending  Measure = "user.unsuspended"
	Restricting   Measure = "user.restricted"
	Unrestricting Measure = "user.unrestricted"
	Lifting       Measure = "user.lifted" // of whatever is in force
)

// steps carry measures out. Each tells how many people it found.
var steps = map[Measure]func(ctx context.Context, tx *db.Tx, userID string) (int64, error){
	Suspending: func(ctx context.Context, tx *db.Tx, userID string) (int64, error) {
		n, err := setSuspended(ctx, tx, userID, true)
		if err != nil {
			return n, err
		}
		return n, deleteSessionsOf(ctx, tx, userID, "")
	},
	Unsuspending: func(ctx context.Context, tx *db.Tx, userID string) (int64, error) {
		return setSuspended(ctx, tx, userID, false)
	},
	Restricting: func(ctx context.Context, tx *db.Tx, userID string) (int64, error) {
		return setRestricted(ctx, tx, userID, true)
	},
	Unrestricting: func(ctx context.Context, tx *db.Tx, userID string) (int64, error) {
		return setRestricted(ctx, tx, userID, false)
	},
	Lifting: func(ctx context.Context, tx *db.Tx, userID string) (int64, error) {
		if n, err := setSuspended(ctx, tx, userID, false); err != nil || n == 0 {
			return n, err
		}
		return setRestricted(ctx, tx, userID, false)
	},
}

// Take is what an operator does about a person; the caller has proved that by is one. A suspension needs a reason.
func (s *Service) Take(ctx context.Context, by, userID string, m Measure, reason string) (User, error) {
	var c fault.Check
	least := 0
	if m == Suspending {
		least = 1
	}
	reason = text.Line(&c, "reason", reason, least, 500)
	if err := c.Err(); err != nil {
		return User{}, err
	}
	if m == Suspending && by == userID {
		return User{}, ErrOwnAccount
	}
	var u User
	err := s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		if err = s.take(ctx, tx, by, userID, m, reason); err != nil {
			return err
		}
		u, err = findUser(ctx, tx, userID)
		return err
	})
	return u, err
}

func (s *Service) take(ctx context.Context, tx *db.Tx, by, userID string, m Measure, reason string) error {
	n, err := steps[m](ctx, tx, userID)
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrUserNotFound
	}
	var details map[string]any
	if reason != "" {
		details = map[string]any{"reason": reason}
	}
	return s.leave(ctx, tx, by, userID, trail.Action(m), details)
}

// leave keeps what was done about a person.
func (s *Service) leave(ctx context.Context, tx *db.Tx, by, userID string, a trail.Action, details map[string]any) error {
	return trail.Leave(ctx, tx, s.Trail, trail.Act{UserID: by, Action: a, Object: trail.Object{Type: "user", ID: userID}, Details: details})
}

// What people do themselves that is kept.
const (
	actSignedIn        trail.Action = "user.signed_in"
	actSignInFailed    trail.Action = "user.sign_in_failed"
	actPasswordChanged trail.Action = "user.password_changed"
	actOperatorCreated trail.Action = "operator.created"
)

// Suspend refuses the user's sessions and tokens from the next request on.
func (s *Service) Suspend(ctx context.Context, userID string) error {
	return s.plainly(ctx, userID, Suspending)
}

// Unsuspend lifts a suspension. Tokens that were not revoked work again; sessions have ended.
func (s *Service) Unsuspend(ctx context.Context, userID string) error {
	return s.plainly(ctx, userID, Unsuspending)
}

// Restrict puts the user under a processing restriction: apps may no longer act in the user's name.
func (s *Service) Restrict(ctx context.Context, userID string) error {
	return s.plainly(ctx, userID, Restricting)
}

// Unrestrict lifts it.
func (s *Service) Unrestrict(ctx context.Context, userID string) error {
	return s.plainly(ctx, userID, Unrestricting)
}

// plainly takes a measure by whoever the context names, without a reason.
func (s *Service) plainly(ctx context.Context, userID string, m Measure) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error { return s.take(ctx, tx, "", userID, m, "") })
}
