package business

import (
	"context"

	"daybook/internal/base/db"
)

// Override is an exception to what a role may do, for everyone in it or for one member.
type Override struct {
	Role       Role   // of those in a role, else empty
	UserID     string // of one member, else empty
	Permission Permission
	Effect     Effect
}

// Overrides lists the exceptions of a business for one of its members, those of roles first.
func (s *Service) Overrides(ctx context.Context, businessID, by string) ([]Override, error) {
	var list []Override
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = AccessOf(ctx, tx, businessID, by); err != nil {
			return err
		}
		list, err = listOverrides(ctx, tx, businessID)
		return err
	})
	return list, err
}

// Defaults are the permissions that a role has unless the business says otherwise, sorted.
func Defaults(role Role) []Permission { return effective(role, nil, nil).Permissions }
