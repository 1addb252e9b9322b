package install

import (
	"context"
	"errors"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

// followTime is what an app has to erase its own data after it was told to.
const followTime = 30 * 24 * time.Hour

// redactionsAtOnce are read together.
const redactionsAtOnce = 100

// Eraser removes all that is kept for an app in a business.
type Eraser func(ctx context.Context, tx *db.Tx, businessID, appID string) error

// RedactDue erases what is kept for apps that were uninstalled 48 hours ago and not installed again, and tells each to erase
// what it keeps. One that fails does not keep the others waiting; it is tried again next time. On several nodes at once each
// happens once.
func (s *Service) RedactDue(ctx context.Context, erase Eraser) error {
	var failures []error
	first := time.Time{}
	for behind := (Installation{RedactAt: &first}); ; {
		var due []Installation
		err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
			due, err = listRedactable(ctx, tx, behind, redactionsAtOnce)
			return err
		})
		if err != nil || len(due) == 0 {
			return errors.Join(append(failures, err)...)
		}
		for _, i := range due {
			if err := s.redact(ctx, i, erase); err != nil {
				failures = append(failures, err)
			}
		}
		behind = due[len(due)-1]
	}
}

func (s *Service) redact(ctx context.Context, i Installation, erase Eraser) error {
	requestID := s.IDs.New(id.Redaction)
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		mine, err := takeRedaction(ctx, tx, i.BusinessID, i.ID)
		if err != nil || !mine {
			return err
		}
		return s.erase(ctx, tx, i, erase, requestID, ForUninstalled)
	})
}

// erase removes what is kept for an app, and tells it to do the same.
func (s *Service) erase(ctx context.Context, tx *db.Tx, i Installation, erase Eraser, requestID string, why Reason) error {
	if err := erase(ctx, tx, i.BusinessID, i.AppID); err != nil {
		return err
	}
	return s.record(ctx, tx, Happening{Kind: KindRedacted, Installation: i, RequestID: requestID, DueBy: tx.Now().Add(followTime), Reason: why})
}
