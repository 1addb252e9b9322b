package organization

import (
	"context"
	"errors"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/trail"
	"daybook/internal/tenancy/identity"
)

// Service has the verbs of organizations.
type Service struct {
	DB  *db.DB
	IDs *id.Source
	// Trail, if not nil, keeps who did what.
	Trail trail.Keeper
}

// Create makes an organization whose owner is that user.
func (s *Service) Create(ctx context.Context, name, ownerID string) (Organization, error) {
	create, err := s.Prepare(name, ownerID)
	if err != nil {
		return Organization{}, err
	}
	var o Organization
	err = s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		o, err = create(ctx, tx)
		return err
	})
	return o, err
}

// Prepare checks and makes the id; what it returns creates the organization inside a transaction.
func (s *Service) Prepare(name, ownerID string) (func(context.Context, *db.Tx) (Organization, error), error) {
	name, err := checkName(name)
	if err != nil {
		return nil, err
	}
	o := Organization{ID: s.IDs.New(id.Organization), Name: name, Version: 1}
	return func(ctx context.Context, tx *db.Tx) (Organization, error) {
		o.CreatedAt, o.UpdatedAt = tx.Now(), tx.Now()
		if err := insert(ctx, tx, o); err != nil {
			return o, err
		}
		_, err := insertMember(ctx, tx, Member{OrganizationID: o.ID, UserID: ownerID, Role: Owner, CreatedAt: tx.Now()})
		return o, err
	}, nil
}

// Of lists the organizations a user belongs to, the first one joined first.
func (s *Service) Of(ctx context.Context, userID string) ([]Organization, error) {
	var list []Organization
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = listOf(ctx, tx, userID)
		return err
	})
	return list, err
}

// Get finds an organization for one of its members.
func (s *Service) Get(ctx context.Context, organizationID, userID string) (Organization, Member, error) {
	var o Organization
	var m Member
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if m, err = Authorize(ctx, tx, organizationID, userID, Look); err != nil {
			return err
		}
		o, err = find(ctx, tx, organizationID)
		return err
	})
	return o, m, err
}

// Admit finds the organization that a member means, the first one joined unless they choose, if their role there allows what they
// are about to do.
func (s *Service) Admit(ctx context.Context, chosen, userID string, a Ability) (Membership, error) {
	all, err := s.Memberships(ctx, userID)
	if err != nil {
		return Membership{}, err
	}
	for _, m := range all {
		if chosen != "" && chosen != m.ID {
			continue
		}
		if !m.Role.May(a) {
			return Membership{}, ErrRoleTooLow.With(m.Role)
		}
		return m, nil
	}
	return Membership{}, ErrNotFound
}

// Memberships lists the organizations a user belongs to, with their role in each, the first one joined first.
func (s *Service) Memberships(ctx context.Context, userID string) ([]Membership, error) {
	var all []Membership
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		all, err = listMemberships(ctx, tx, userID)
		return err
	})
	return all, err
}

// NameOf is an organization's name as the consent page shows it, to anyone.
func (s *Service) NameOf(ctx context.Context, organizationID string) (string, error) {
	var o Organization
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		o, err = find(ctx, tx, organizationID)
		return err
	})
	if errors.Is(err, db.ErrNoRows) {
		err = ErrNotFound
	}
	return o.Name, err
}

// Authorize is the one gate: a member whose role allows it passes, another member is refused, anyone else finds
// nothing.
func Authorize(ctx context.Context, tx *db.Tx, organizationID, userID string, a Ability) (Member, error) {
	m, err := findMember(ctx, tx, organizationID, userID)
	switch {
	case errors.Is(err, db.ErrNoRows):
		return Member{}, ErrNotFound
	case err != nil:
		return Member{}, err
	case !m.Role.May(a):
		return Member{}, ErrRoleTooLow.With(m.Role)
	}
	return m, nil
}

// IsMember reports whether the user belongs to the organization, in whatever role.
func IsMember(ctx context.Context, tx *db.Tx, organizationID, userID string) (bool, error) {
	_, err := findMember(ctx, tx, organizationID, userID)
	if errors.Is(err, db.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// Rename gives the organization another name. seen, if not 0, must be its present version.
func (s *Service) Rename(ctx context.Context, organizationID, by string, seen int, name string) (Organization, error) {
	name, err := checkName(name)
	if err != nil {
		return Organization{}, err
	}
	var o Organization
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		return govern(ctx, tx, organizationID, by, func() (err error) {
			o, err = rename(ctx, tx, organizationID, seen, name)
			if errors.Is(err, db.ErrNoRows) {
				err = ErrChanged
			}
			if err != nil {
				return err
			}
			return s.leave(ctx, tx, organizationID, by, actRenamed, trail.Object{Type: "organization", ID: organizationID}, nil)
		})
	})
	return o, err
}

// Members lists who belongs to it.
func (s *Service) Members(ctx context.Context, organizationID, by string) ([]Member, error) {
	var list []Member
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = Authorize(ctx, tx, organizationID, by, Look); err != nil {
			return err
		}
		list, err = listMembers(ctx, tx, organizationID)
		return err
	})
	return list, err
}

// Roster lists who belongs to it, with their names.
func (s *Service) Roster(ctx context.Context, organizationID, by string) ([]Colleague, error) {
	var list []Colleague
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = Authorize(ctx, tx, organizationID, by, Look); err != nil {
			return err
		}
		list, err = listColleagues(ctx, tx, organizationID)
		return err
	})
	return list, err
}

// AddMember takes a user in.
func (s *Service) AddMember(ctx context.Context, organizationID, by, userID string, role Role) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if err := Join(ctx, tx, organizationID, by, userID, role); err != nil {
			return err
		}
		return s.leave(ctx, tx, organizationID, by, actMemberAdded, person(userID), map[string]any{"role": role})
	})
}

// Join is AddMember inside a transaction.
func Join(ctx context.Context, tx *db.Tx, organizationID, by, userID string, role Role) error {
	if err := checkRole(role); err != nil {
		return err
	}
	return govern(ctx, tx, organizationID, by, func() error {
		if _, err := identity.Find(ctx, tx, userID); err != nil {
			return err
		}
		added, err := insertMember(ctx, tx, Member{OrganizationID: organizationID, UserID: userID, Role: role, CreatedAt: tx.Now()})
		if err == nil && !added {
			err = ErrAlreadyThere
		}
		return err
	})
}

// ChangeRole gives a member another role.
func (s *Service) ChangeRole(ctx context.Context, organizationID, by, userID string, role Role) error {
	if err := checkRole(role); err != nil {
		return err
	}
	return s.reduce(ctx, organizationID, by, func(tx *db.Tx) (int64, error) {
		if n, err := updateMember(ctx, tx, organizationID, userID, role); err != nil || n == 0 {
			return n, err
		}
		return 1, s.leave(ctx, tx, organizationID, by, actRoleChanged, person(userID), map[string]any{"role": role})
	})
}

// RemoveMember lets a member go.
func (s *Service) RemoveMember(ctx context.Context, organizationID, by, userID string) error {
	return s.reduce(ctx, organizationID, by, func(tx *db.Tx) (int64, error) {
		if n, err := deleteMember(ctx, tx, organizationID, userID); err != nil || n == 0 {
			return n, err
		}
		return 1, s.leave(ctx, tx, organizationID, by, actMemberRemoved, person(userID), nil)
	})
}

// reduce changes or removes a member, unless that would leave the organization without an owner.
func (s *Service) reduce(ctx context.Context, organizationID, by string, change func(*db.Tx) (int64, error)) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		return govern(ctx, tx, organizationID, by, func() error {
			return keepAnOwner(ctx, tx, organizationID, func() (int64, error) { return change(tx) })
		})
	})
}

// govern runs a change of members by someone who may, one change at a time per organization.
func govern(ctx context.Context, tx *db.Tx, organizationID, by string, do func() error) error {
	if err := lock(ctx, tx, organizationID); err != nil {
		return err
	}
	if _, err := Authorize(ctx, tx, organizationID, by, Govern); err != nil {
		return err
	}
	return do()
}

func keepAnOwner(ctx context.Context, tx *db.Tx, organizationID string, change func() (int64, error)) error {
	n, err := change()
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrNoMember
	}
	owners, err := countOwners(ctx, tx, organizationID)
	if err == nil && owners == 0 {
		err = ErrLastOwner // which rolls the change back
	}
	return err
}
