package ledger

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// ArchiveAccount closes an account to new postings.
func (s *Service) ArchiveAccount(by record.Call, accountID string, seen *int) db.Step[Account] {
	return s.setStatus(by, accountID, seen, Archived, "archive")
}

// RestoreAccount opens an archived account again.
func (s *Service) RestoreAccount(by record.Call, accountID string, seen *int) db.Step[Account] {
	return s.setStatus(by, accountID, seen, Active, "restore")
}

func (s *Service) setStatus(by record.Call, accountID string, seen *int, status Status, verb string) db.Step[Account] {
	return Do(s, by, func(ctx context.Context, b *Book) (Account, error) {
		a, err := currentAccount(ctx, b, accountID, seen)
		switch {
		case err != nil:
			return Account{}, err
		case a.Status == status:
			return Account{}, record.ErrState.With(a.Status, verb)
		case a.Role != nil:
			return Account{}, ErrSystem.With(*a.Role, verb+"d")
		}
		a.Status = status
		return writeAccount(ctx, b, a, []string{"status"})
	})
}

// DeleteAccount removes an account that nothing refers to.
func (s *Service) DeleteAccount(by record.Call, accountID string, seen *int) db.Step[struct{}] {
	return Do(s, by, func(ctx context.Context, b *Book) (struct{}, error) {
		return struct{}{}, deleteAccount(ctx, b, accountID, seen)
	})
}

func deleteAccount(ctx context.Context, b *Book, accountID string, seen *int) error {
	a, err := currentAccount(ctx, b, accountID, seen)
	if err != nil {
		return err
	}
	if a.Role != nil {
		return ErrSystem.With(*a.Role, "deleted")
	}
	// Asked before it is tried: a statement that fails would end a transaction that may go on after this refusal.
	used, err := accountInUse(ctx, b.Tx, b.BusinessID, a.ID)
	if err != nil {
		return err
	}
	if used {
		return record.ErrInUse.With(record.Account)
	}
	if err := record.ForgetExternalIDs(ctx, b.Tx, a.ID); err != nil {
		return err
	}
	if err := deleteAccountRow(ctx, b.Tx, b.BusinessID, a.ID); err != nil {
		if db.IsReferenced(err) { // by a table that accountInUse does not know of
			err = record.ErrInUse.With(record.Account)
		}
		return err
	}
	b.Gone(a.ID)
	b.Tell(event.AccountDeleted, event.Data{"accountId": a.ID, "code": a.Code, "version": a.Version + 1})
	return nil
}
