package install

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

// CloseAll ends every installation of a business that closes, in the transaction that closes it, and has each app's data there
// erased at once: nobody comes back to it. Apps that were uninstalled before and wait for that are told now as well.
func (s *Service) CloseAll(ctx context.Context, tx *db.Tx, businessID string, erase Eraser) error {
	active, err := listActive(ctx, tx, businessID)
	if err != nil {
		return err
	}
	for _, i := range active {
		if _, err := s.end(ctx, tx, businessID, i.ID, tx.Now()); err != nil {
			return err
		}
	}
	waiting, err := listUnredacted(ctx, tx, businessID)
	if err != nil {
		return err
	}
	for _, i := range waiting {
		mine, err := hasten(ctx, tx, i)
		if err != nil {
			return err
		}
		if !mine {
			continue
		}
		if err := s.erase(ctx, tx, i, erase, s.IDs.New(id.Redaction), ForBusinessClosed); err != nil {
			return err
		}
	}
	return nil
}

// RedactNow erases what is kept for an app that was uninstalled, without waiting for the 48 hours, and tells it: for a sandbox
// whose developer wants to see it happen. by must hold apps.manage.
func (s *Service) RedactNow(ctx context.Context, businessID, by, installationID string, erase Eraser) error {
	requestID := s.IDs.New(id.Redaction)
	return s.manage(ctx, businessID, by, func(tx *db.Tx) error {
		i, err := find(ctx, tx, businessID, installationID)
		if err != nil {
			return err
		}
		mine, err := hasten(ctx, tx, i)
		if err != nil {
			return err
		}
		if !mine {
			return ErrNotFound
		}
		return s.erase(ctx, tx, i, erase, requestID, ForUninstalled)
	})
}

// hasten takes a redaction before it is due; of many that try, one does.
func hasten(ctx context.Context, tx *db.Tx, i Installation) (bool, error) {
	if waits, err := setRedactAt(ctx, tx, i.BusinessID, i.ID); err != nil || !waits {
		return false, err
	}
	return takeRedaction(ctx, tx, i.BusinessID, i.ID)
}

// Of lists the installations of a business, in whatever state, for a feature that has settled who asks. The latest comes first.
func Of(ctx context.Context, tx *db.Tx, businessID string) ([]Installation, error) {
	return listAll(ctx, tx, businessID)
}
