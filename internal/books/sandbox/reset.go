package sandbox

import (
	"context"
	"errors"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/books/ledger"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/organization"
)

// Reset brings the books of a sandbox back to its seed. Records are new ones with ids of their own; the log of events goes on, and
// so do installations, members, name and plan. Once it has begun it is finished, whatever becomes of the caller.
func (s *Service) Reset(ctx context.Context, businessID, by string) (View, error) {
	var one business.Sandbox
	err := s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		if one, err = business.FindSandbox(ctx, tx, businessID, by, organization.Build); err != nil {
			return err
		}
		mine, err := business.MoveSandbox(ctx, tx, businessID, business.SandboxResetting, business.SandboxReady)
		if err != nil {
			return err
		}
		if !mine {
			return ErrBusy
		}
		if err := ledger.Empty(ctx, tx, businessID); err != nil {
			return err
		}
		return s.leave(ctx, tx, by, actReset, one.Business, nil)
	})
	if err != nil {
		return View{}, err
	}
	if err := s.refill(context.WithoutCancel(ctx), one); err != nil {
		return View{}, err
	}
	return s.Get(ctx, businessID, by)
}

// refill empties the books of a sandbox that is being reset and fills them again. Where another does the same, one of both does
// the filling.
func (s *Service) refill(ctx context.Context, one business.Sandbox) error {
	if err := s.remove(ctx, one.ID, books); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		mine, err := business.MoveSandbox(ctx, tx, one.ID, business.SandboxReady, business.SandboxResetting)
		if err != nil || !mine {
			return err
		}
		if err := s.Ledger.Reopen(ctx, tx, one.ID); err != nil {
			return err
		}
		if err := s.Taxes.OpenRates(ctx, tx, one.ID, one.Country); err != nil || one.Seed != business.DemoSeed {
			return err
		}
		owner, err := business.Actor(ctx, tx, one.ID, "")
		if err != nil {
			return err
		}
		return s.Demo.WriteDemo(ctx, tx, one.Business, owner)
	})
}

// patience is how long a reset or deletion may take before another node takes over.
const patience = 2 * time.Minute

// Finish finishes resets and deletions that were begun a while ago: the node that did may have stopped. It is for a background
// job; several nodes may run it at once. One sandbox that fails does not keep the others waiting.
func (s *Service) Finish(ctx context.Context) error {
	var busy []business.Sandbox
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		busy, err = business.BusySandboxes(ctx, tx, tx.Now().Add(-patience))
		return err
	})
	failures := []error{err}
	for _, one := range busy {
		if one.State == business.SandboxClosing {
			failures = append(failures, s.dismantle(ctx, one))
		} else {
			failures = append(failures, s.refill(ctx, one))
		}
	}
	return errors.Join(failures...)
}
