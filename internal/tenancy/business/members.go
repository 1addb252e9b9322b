package business

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/trail"
	"daybook/internal/tenancy/identity"
)

// Members lists who belongs to a business.
func (s *Service) Members(ctx context.Context, businessID, by string) ([]Member, error) {
	var list []Member
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = AccessOf(ctx, tx, businessID, by); err != nil {
			return err
		}
		list, err = listMembers(ctx, tx, businessID)
		return err
	})
	return list, err
}

// AddMember takes a user in.
func (s *Service) AddMember(ctx context.Context, businessID, by, userID string, role Role) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if err := Join(ctx, tx, businessID, by, userID, role); err != nil {
			return err
		}
		return s.leave(ctx, tx, businessID, by, userID, actMemberAdded, map[string]any{"role": role})
	})
}

// Join is AddMember inside a transaction.
func Join(ctx context.Context, tx *db.Tx, businessID, by, userID string, role Role) error {
	var c fault.Check
	CheckRole(&c, role)
	if err := c.Err(); err != nil {
		return err
	}
	return manage(ctx, tx, businessID, by, func(actor Access) error {
		if err := onlyOwnersMakeOwners(actor, role); err != nil {
			return err
		}
		if _, err := identity.Find(ctx, tx, userID); err != nil {
			return err
		}
		added, err := insertMember(ctx, tx, Member{BusinessID: businessID, UserID: userID, Role: role, CreatedAt: tx.Now()})
		if err == nil && !added {
			err = ErrAlreadyThere
		}
		return err
	})
}

// ChangeRole gives a member another role.
func (s *Service) ChangeRole(ctx context.Context, businessID, by, userID string, role Role) error {
	return s.manage(ctx, businessID, by, func(c *fault.Check) { CheckRole(c, role) }, func(tx *db.Tx, actor Access) error {
		if err := onlyOwnersMakeOwners(actor, role); err != nil {
			return err
		}
		err := reduce(ctx, tx, businessID, userID, actor, func() (int64, error) { return updateMember(ctx, tx, businessID, userID, role) })
		if err != nil {
			return err
		}
		return s.leave(ctx, tx, businessID, by, userID, actRoleChanged, map[string]any{"role": role})
	})
}

// RemoveMember lets a member go. Their tokens in this business are refused from the next call on.
func (s *Service) RemoveMember(ctx context.Context, businessID, by, userID string) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if err := LetGo(ctx, tx, businessID, by, userID); err != nil {
			return err
		}
		return s.leave(ctx, tx, businessID, by, userID, actMemberRemoved, nil)
	})
}

// LetGo is RemoveMember inside a transaction.
func LetGo(ctx context.Context, tx *db.Tx, businessID, by, userID string) error {
	return manage(ctx, tx, businessID, by, func(actor Access) error {
		return reduce(ctx, tx, businessID, userID, actor, func() (int64, error) { return deleteMember(ctx, tx, businessID, userID) })
	})
}

// SetRoleOverride grants or denies a permission to every member of a role; nil returns to the default.
func (s *Service) SetRoleOverride(ctx context.Context, businessID, by string, role Role, p Permission, e *Effect) error {
	check := func(c *fault.Check) {
		CheckRole(c, role)
		checkOverride(c, p, e)
	}
	return s.manage(ctx, businessID, by, check, func(tx *db.Tx, actor Access) error {
		switch {
		case role == Owner:
			return ErrOwnerHasAll
		case (e == nil || *e == Grant) && !actor.May(p):
			return ErrPermission.With(p) // nobody hands out what they do not hold
		}
		if err := s.leaveOverride(ctx, tx, businessID, by, trail.Object{Type: "role", ID: string(role)}, p, e); err != nil {
			return err
		}
		if e == nil {
			return deleteRoleOverride(ctx, tx, businessID, role, p)
		}
		return setRoleOverride(ctx, tx, businessID, role, p, *e)
	})
}

// SetMemberOverride grants or denies a permission to one member; nil returns to what the role has.
func (s *Service) SetMemberOverride(ctx context.Context, businessID, by, userID string, p Permission, e *Effect) error {
	check := func(c *fault.Check) { checkOverride(c, p, e) }
	return s.manage(ctx, businessID, by, check, func(tx *db.Tx, actor Access) error {
		target, err := AccessOf(ctx, tx, businessID, userID)
		switch {
		case err != nil:
			return memberOnly(err)
		case target.Role == Owner:
			return ErrOwnerHasAll
		case (e == nil || *e == Grant) && !actor.May(p):
			return ErrPermission.With(p)
		}
		if err := s.leaveOverride(ctx, tx, businessID, by, trail.Object{Type: "user", ID: userID}, p, e); err != nil {
			return err
		}
		if e == nil {
			return deleteMemberOverride(ctx, tx, businessID, userID, p)
		}
		_, err = setMemberOverride(ctx, tx, businessID, userID, p, *e)
		return err
	})
}

// manage checks, then runs a change of members in a transaction of its own.
func (s *Service) manage(ctx context.Context, businessID, by string, check func(*fault.Check), do func(*db.Tx, Access) error) error {
	var c fault.Check
	check(&c)
	if err := c.Err(); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		return manage(ctx, tx, businessID, by, func(actor Access) error { return do(tx, actor) })
	})
}

// manage runs a change of members by someone who may, one change at a time per business.
func manage(ctx context.Context, tx *db.Tx, businessID, by string, do func(Access) error) error {
	if err := lock(ctx, tx, businessID); err != nil {
		return err
	}
	actor, err := Require(ctx, tx, businessID, by, MembersManage)
	if err != nil {
		return err
	}
	return do(actor)
}

func onlyOwnersMakeOwners(actor Access, role Role) error {
	if role == Owner && actor.Role != Owner {
		return ErrPermission.With("to make someone owner")
	}
	return nil
}

// reduce changes or removes a member, unless that would leave the business without an owner, or let an admin
// unseat one.
func reduce(ctx context.Context, tx *db.Tx, businessID, userID string, actor Access, change func() (int64, error)) error {
	target, err := AccessOf(ctx, tx, businessID, userID)
	if err != nil {
		return memberOnly(err)
	}
	if target.Role == Owner && actor.Role != Owner {
		return ErrPermission.With("to change an owner")
	}
	if _, err := change(); err != nil {
		return err
	}
	owners, err := countOwners(ctx, tx, businessID)
	if err == nil && owners == 0 {
		err = ErrLastOwner // which rolls the change back
	}
	return err
}

// memberOnly says "no such member" where AccessOf says "no such business": here the business is known.
func memberOnly(err error) error {
	if fault.KindOf(err) == fault.NotFound {
		return ErrNoMember
	}
	return err
}
