package sandbox

import (
	"context"
	"errors"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/secret"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
	"daybook/internal/tenancy/organization"
)

// maxMembers of a sandbox: enough to try every role several times.
const maxMembers = 25

// passwordLength of a password that is made for a test user.
const passwordLength = 20

// NewMember is somebody to be taken into a sandbox: a member of the organization, or a test user, who is made if there is none
// with that address.
type NewMember struct {
	Email       string
	Role        business.Role
	DisplayName string        // of a new test user; by default the part before the @
	Password    secret.Secret // of a new test user; by default one is made
}

// Check says what is wrong with the members.
func (n NewMember) Check() error {
	var c fault.Check
	business.CheckRole(&c, n.Role)
	if !n.Password.Empty() {
		identity.CheckPassword(&c, "password", n.Password)
	}
	if f := fault.From(n.account().Check()); f != nil {
		return fault.InvalidFields(append(f.Fields, sentences(c)...)...)
	}
	return c.Err()
}

func (n NewMember) account() identity.NewUser {
	password := n.Password
	if password.Empty() {
		password = secret.Of("to be made")
	}
	return identity.NewUser{Email: n.Email, DisplayName: n.DisplayName, Password: password}
}

func sentences(c fault.Check) []string {
	if f := fault.From(c.Err()); f != nil {
		return f.Fields
	}
	return nil
}

// Joined is somebody who was taken in.
type Joined struct {
	business.Person
	Password secret.Secret // of a test user who was made by this; empty for anyone else
}

// Members lists who belongs to a sandbox, for a member of its organization.
func (s *Service) Members(ctx context.Context, businessID, by string) ([]business.Person, error) {
	var list []business.Person
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = business.FindSandbox(ctx, tx, businessID, by, organization.Look); err != nil {
			return err
		}
		list, err = business.People(ctx, tx, businessID)
		return err
	})
	return list, err
}

// AddMember takes somebody into a sandbox with a role, so that what the role may not do can be tried.
//
// Accounts of strangers are never touched, nor is it told whether there are any: only the organization's own people and
// addresses that nobody can have are taken.
func (s *Service) AddMember(ctx context.Context, businessID, by string, n NewMember) (Joined, error) {
	one, err := s.find(ctx, businessID, by, organization.Build)
	if err != nil {
		return Joined{}, err
	}
	if err := n.Check(); err != nil {
		return Joined{}, err
	}
	joined, err := s.addMember(ctx, one, by, n)
	if errors.Is(err, identity.ErrEmailTaken) { // made by someone else in this very moment
		joined, err = s.addMember(ctx, one, by, n)
	}
	return joined, err
}

func (s *Service) addMember(ctx context.Context, one business.Sandbox, by string, n NewMember) (Joined, error) {
	known, err := s.Identity.FindByEmail(ctx, n.Email)
	switch {
	case err == nil:
		return s.join(ctx, one, by, n.Role, func(ctx context.Context, tx *db.Tx) (string, error) { return s.tryable(ctx, tx, one, known.ID) })
	case fault.KindOf(err) != fault.NotFound:
		return Joined{}, err
	case !business.IsTestAddress(n.Email):
		return Joined{}, errAddress
	}
	return s.joinAsNew(ctx, one, by, n)
}

var errAddress = fault.InvalidFields("email must be that of a member of your organization or of one of its test users, or, for a new test user, end in .test, .example, .invalid or @example.com")

// tryable lets those in whom the organization may use.
func (s *Service) tryable(ctx context.Context, tx *db.Tx, one business.Sandbox, userID string) (string, error) {
	may, err := business.MayTry(ctx, tx, one.OrganizationID, userID)
	if err == nil && !may {
		err = errAddress
	}
	return userID, err
}

func (s *Service) joinAsNew(ctx context.Context, one business.Sandbox, by string, n NewMember) (Joined, error) {
	account := n.account()
	if account.Password = n.Password; account.Password.Empty() {
		account.Password = secret.Of(secret.Random(passwordLength))
	}
	create, err := s.Identity.Prepare(ctx, account)
	if err != nil {
		return Joined{}, err
	}
	joined, err := s.join(ctx, one, by, n.Role, func(ctx context.Context, tx *db.Tx) (string, error) {
		u, err := create(ctx, tx)
		if err != nil {
			return "", err
		}
		return u.ID, business.NoteTestUser(ctx, tx, one.OrganizationID, u.ID)
	})
	joined.Password = account.Password
	return joined, err
}

// join takes in whomever who finds or makes.
func (s *Service) join(ctx context.Context, one business.Sandbox, by string, role business.Role, who func(context.Context, *db.Tx) (string, error)) (Joined, error) {
	var joined Joined
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := business.FindSandbox(ctx, tx, one.ID, by, organization.Build); err != nil {
			return err
		}
		owner, err := business.Actor(ctx, tx, one.ID, by)
		if err != nil {
			return err
		}
		userID, err := who(ctx, tx)
		if err != nil {
			return err
		}
		if err := business.Join(ctx, tx, one.ID, owner, userID, role); err != nil {
			return err
		}
		if err := s.leave(ctx, tx, by, actMemberAdded, one.Business, map[string]any{"userId": userID, "role": role}); err != nil {
			return err
		}
		people, err := business.People(ctx, tx, one.ID)
		if err == nil && len(people) > maxMembers {
			err = ErrMemberLimit.With(maxMembers) // which rolls it back
		}
		for _, p := range people {
			if p.UserID == userID {
				joined = Joined{Person: p}
			}
		}
		return err
	})
	return joined, err
}

// RemoveMember lets somebody go from a sandbox, but for its last owner. A test user keeps the account and can be taken in again.
func (s *Service) RemoveMember(ctx context.Context, businessID, by, userID string) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		one, err := business.FindSandbox(ctx, tx, businessID, by, organization.Build)
		if err != nil {
			return err
		}
		owner, err := business.Actor(ctx, tx, one.ID, by)
		if err != nil {
			return err
		}
		if err := business.LetGo(ctx, tx, one.ID, owner, userID); err != nil {
			return err
		}
		return s.leave(ctx, tx, by, actMemberGone, one.Business, map[string]any{"userId": userID})
	})
}
