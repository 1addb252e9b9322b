package business

import (
	"cmp"
	"context"
	"errors"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/trail"
	"daybook/internal/tenancy/identity"
)

// Service has the verbs of businesses and their members.
type Service struct {
	DB       *db.DB
	IDs      *id.Source
	Identity *identity.Service
	// Plans on offer; nil stands for DefaultPlans.
	Plans *Plans
	// Books, if not nil, opens the books of every new business.
	Books Books
	// Trail, if not nil, keeps who did what.
	Trail trail.Keeper
}

// Books is where a new business gets its chart of accounts, in the transaction that creates it.
type Books interface {
	OpenBooks(ctx context.Context, tx *db.Tx, b Business) error
}

func (s *Service) plans() *Plans { return cmp.Or(s.Plans, DefaultPlans) }

// Create makes a business whose owner is that user.
func (s *Service) Create(ctx context.Context, n New, ownerID string) (Business, error) {
	create, err := s.Prepare(n, ownerID)
	if err != nil {
		return Business{}, err
	}
	var b Business
	err = s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		b, err = create(ctx, tx)
		return err
	})
	return b, err
}

// Prepare checks and makes the id; what it returns creates the business inside a transaction.
func (s *Service) Prepare(n New, ownerID string) (func(context.Context, *db.Tx) (Business, error), error) {
	n, err := n.check(s.plans())
	if err != nil {
		return nil, err
	}
	b := Business{
		ID: s.IDs.New(id.Business), Name: n.Name, LegalName: n.LegalName, Country: n.Country, Currency: n.Currency,
		TimeZone: n.TimeZone, TaxNumber: n.TaxNumber, Plan: n.Plan, SandboxOf: n.SandboxOf, Version: 1,
	}
	return func(ctx context.Context, tx *db.Tx) (Business, error) {
		b.CreatedAt, b.UpdatedAt = tx.Now(), tx.Now()
		if err := insert(ctx, tx, b); err != nil {
			return b, err
		}
		if b.Sandbox() {
			if err := takePlace(ctx, tx, b, n.Seed); err != nil {
				return b, err
			}
		}
		if _, err := insertMember(ctx, tx, Member{BusinessID: b.ID, UserID: ownerID, Role: Owner, CreatedAt: tx.Now()}); err != nil || s.Books == nil {
			return b, err
		}
		return b, s.Books.OpenBooks(ctx, tx, b)
	}, nil
}

// Find reads a business for a feature that has already settled who is asking.
func Find(ctx context.Context, tx *db.Tx, businessID string) (Business, error) {
	b, err := find(ctx, tx, businessID)
	if errors.Is(err, db.ErrNoRows) {
		err = ErrNotFound
	}
	return b, err
}

// Of lists the businesses a user belongs to, the first one joined first.
func (s *Service) Of(ctx context.Context, userID string) ([]Membership, error) {
	var list []Membership
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = listOf(ctx, tx, userID)
		return err
	})
	return list, err
}

// With lists the businesses in which a user holds a permission.
func (s *Service) With(ctx context.Context, userID string, p Permission) ([]Membership, error) {
	var with []Membership
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) error {
		with = nil
		list, err := listOf(ctx, tx, userID)
		if err != nil {
			return err
		}
		for _, m := range list {
			access, err := AccessOf(ctx, tx, m.ID, userID)
			if err != nil {
				return err
			}
			if access.May(p) {
				with = append(with, m)
			}
		}
		return nil
	})
	return with, err
}

// Current picks the business a session works in: the one chosen last if the user still belongs to it, else the
// first. It is nil for a user without a business.
func Current(session identity.Session, list []Membership) *Membership {
	for i := range list {
		if session.BusinessID != nil && list[i].ID == *session.BusinessID {
			return &list[i]
		}
	}
	if len(list) > 0 {
		return &list[0]
	}
	return nil
}

// Switch makes another business the session's current one.
func (s *Service) Switch(ctx context.Context, session identity.Session, businessID string) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := AccessOf(ctx, tx, businessID, session.UserID); err != nil {
			return err
		}
		return s.Identity.ChooseBusiness(ctx, tx, session.ID, businessID)
	})
}

// AccessOf tells what a user may do in a business now, in one statement. To a stranger there is no such business.
func AccessOf(ctx context.Context, tx *db.Tx, businessID, userID string) (Access, error) {
	rows, err := findAccess(ctx, tx, businessID, userID)
	if err != nil {
		return Access{}, err
	}
	if len(rows) == 0 {
		return Access{}, ErrNotFound
	}
	byRole, byMember := map[Permission]Effect{}, map[Permission]Effect{}
	for _, r := range rows {
		switch r.level {
		case "ROLE":
			byRole[r.permission] = r.effect
		case "MEMBER":
			byMember[r.permission] = r.effect
		}
	}
	return effective(rows[0].role, byRole, byMember), nil
}

// Access tells what a user may do in a business now.
func (s *Service) Access(ctx context.Context, businessID, userID string) (Access, error) {
	var a Access
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		a, err = AccessOf(ctx, tx, businessID, userID)
		return err
	})
	return a, err
}

// Require is the gate for an action: the member must hold the permission.
func Require(ctx context.Context, tx *db.Tx, businessID, userID string, p Permission) (Access, error) {
	a, err := AccessOf(ctx, tx, businessID, userID)
	if err == nil && !a.May(p) {
		err = ErrPermission.With(p)
	}
	return a, err
}
