package sandbox

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/organization"
)

// Delete ends a sandbox: its apps are uninstalled, told to erase what they keep of it, and nobody belongs to it any more, all at
// once; then its rows go. seen is the version that the caller has seen, 0 for none. Once it has begun it is finished, whatever
// becomes of the caller.
func (s *Service) Delete(ctx context.Context, businessID, by string, seen int) error {
	var one business.Sandbox
	err := s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		if one, err = business.FindSandbox(ctx, tx, businessID, by, organization.Build); err != nil {
			return err
		}
		if seen != 0 {
			if err := record.Fresh(one.Version, &seen); err != nil {
				return err
			}
		}
		mine, err := business.MoveSandbox(ctx, tx, businessID, business.SandboxClosing, business.SandboxReady, business.SandboxResetting)
		if err != nil {
			return err
		}
		if !mine {
			return business.ErrNoSandbox
		}
		one.State, one.Since = business.SandboxClosing, tx.Now()
		if err := s.leave(ctx, tx, by, actDeleted, one.Business, nil); err != nil {
			return err
		}
		return s.close(ctx, tx, businessID)
	})
	if err != nil {
		return err
	}
	return s.dismantle(context.WithoutCancel(ctx), one)
}

// close is what happens at once. Events come last, as in every transaction.
func (s *Service) close(ctx context.Context, tx *db.Tx, businessID string) error {
	if err := ledger.Empty(ctx, tx, businessID); err != nil {
		return err
	}
	if err := business.Empty(ctx, tx, businessID); err != nil {
		return err
	}
	return s.Installations.CloseAll(ctx, tx, businessID, s.AppData.Erase)
}

// dismantle removes the rows of a sandbox that is closing. It may run on several nodes at once, and again.
func (s *Service) dismantle(ctx context.Context, one business.Sandbox) error {
	if err := s.remove(ctx, one.ID, books); err != nil {
		return err
	}
	if err := s.removeDeliveries(ctx, one); err != nil {
		return err
	}
	if err := s.remove(ctx, one.ID, rest); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *db.Tx) error { return business.Remove(ctx, tx, one) })
}
