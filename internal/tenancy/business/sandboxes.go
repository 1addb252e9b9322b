package business

import (
	"context"
	"errors"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/tenancy/identity"
	"daybook/internal/tenancy/organization"
)

// takePlace makes a new business one of its organization's sandboxes, as long as there is a place for it. Creations of one
// organization follow one another; that no place is given twice the database holds, too.
func takePlace(ctx context.Context, tx *db.Tx, b Business, seed Seed) error {
	if err := organization.Hold(ctx, tx, *b.SandboxOf); err != nil {
		return err
	}
	taken, err := insertSandbox(ctx, tx, b, seed)
	if err == nil && !taken {
		err = ErrSandboxLimit.With(MaxSandboxes)
	}
	return err
}

// Sandboxes lists the sandboxes of an organization, the first one made first.
func Sandboxes(ctx context.Context, tx *db.Tx, organizationID string) ([]Sandbox, error) {
	return listSandboxes(ctx, tx, organizationID)
}

// FindSandbox reads a sandbox for a member of its organization who may do that. For anyone else it does not exist, and neither
// does one that is being deleted, nor a real business.
func FindSandbox(ctx context.Context, tx *db.Tx, businessID, by string, a organization.Ability) (Sandbox, error) {
	s, err := findSandbox(ctx, tx, businessID)
	switch {
	case errors.Is(err, db.ErrNoRows) || err == nil && s.State == SandboxClosing:
		return Sandbox{}, ErrNoSandbox
	case err != nil:
		return Sandbox{}, err
	}
	if _, err := organization.Authorize(ctx, tx, s.OrganizationID, by, a); err != nil {
		if fault.KindOf(err) == fault.NotFound {
			err = ErrNoSandbox
		}
		return Sandbox{}, err
	}
	return s, nil
}

// MoveSandbox brings a sandbox from one of some states to another, and reports whether it did: of any number that try, one does.
func MoveSandbox(ctx context.Context, tx *db.Tx, businessID string, to SandboxState, from ...SandboxState) (bool, error) {
	return moveSandbox(ctx, tx, businessID, to, from)
}

// BusySandboxes lists what was begun before that instant and is not done.
func BusySandboxes(ctx context.Context, tx *db.Tx, before time.Time) ([]Sandbox, error) {
	return listBusySandboxes(ctx, tx, before)
}

// CheckPlan says whether a plan is on offer.
func (s *Service) CheckPlan(c *fault.Check, plan string) {
	_, offered := s.plans().Find(plan)
	c.Require(offered, "plan", "must be one of the plans on offer: %s", s.plans().Keys())
}

// SetPlan gives a business another plan, and reports whether it had another before. Who may was settled before.
func (s *Service) SetPlan(ctx context.Context, tx *db.Tx, businessID, plan string) (bool, error) {
	var c fault.Check
	if s.CheckPlan(&c, plan); c.Err() != nil {
		return false, c.Err()
	}
	return updatePlan(ctx, tx, businessID, plan)
}

// Actor is an owner of a business, in whose name the organization acts that it is a sandbox of: that user, if they are one, else
// the first. An owner may do everything.
func Actor(ctx context.Context, tx *db.Tx, businessID, userID string) (string, error) {
	return findOwner(ctx, tx, businessID, userID)
}

// Person is a member with what is to be shown of them.
type Person struct {
	Member
	Email       string
	DisplayName string
	Test        bool // made to try a role, see test_users
}

// People lists the members of a business with their names.
func People(ctx context.Context, tx *db.Tx, businessID string) ([]Person, error) {
	return listPeople(ctx, tx, businessID)
}

// MayTry reports whether somebody may be taken into the sandboxes of an organization: its test users, and its own members.
func MayTry(ctx context.Context, tx *db.Tx, organizationID, userID string) (bool, error) {
	if test, err := isTestUser(ctx, tx, organizationID, userID); err != nil || test {
		return test, err
	}
	return organization.IsMember(ctx, tx, organizationID, userID)
}

// NoteTestUser notes that a user was made to try a role in the sandboxes of an organization.
func NoteTestUser(ctx context.Context, tx *db.Tx, organizationID, userID string) error {
	return insertTestUser(ctx, tx, organizationID, userID)
}

// Empty takes every member out of a sandbox that is going to be deleted: from now on there is nothing for anybody to see.
func Empty(ctx context.Context, tx *db.Tx, businessID string) error {
	return deleteMembers(ctx, tx, businessID)
}

// Remove deletes a sandbox that nothing refers to any more, and the test users of its organization who belong nowhere now.
func Remove(ctx context.Context, tx *db.Tx, s Sandbox) error {
	if err := deleteBusiness(ctx, tx, s.ID); err != nil {
		return err
	}
	homeless, err := takeHomeless(ctx, tx, s.OrganizationID)
	if err != nil {
		return err
	}
	for _, userID := range homeless {
		if err := identity.Remove(ctx, tx, userID); err != nil {
			return err
		}
	}
	return nil
}
