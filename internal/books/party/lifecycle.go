package party

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// Archive keeps a party from new documents.
func (s *Service) Archive(by record.Call, kind record.Kind, partyID string, seen *int) db.Step[Party] {
	return s.move(by, kind, partyID, seen, "archive", Active, Archived)
}

// Restore takes a party out of the archive.
func (s *Service) Restore(by record.Call, kind record.Kind, partyID string, seen *int) db.Step[Party] {
	return s.move(by, kind, partyID, seen, "restore", Archived, Active)
}

func (s *Service) move(by record.Call, kind record.Kind, partyID string, seen *int, action string, from, to Status) db.Step[Party] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Party, error) {
		p, err := current(ctx, b, kind, partyID, seen)
		if err != nil {
			return Party{}, err
		}
		if p.Status != from {
			return Party{}, record.ErrState.With(p.Status, action)
		}
		p.Status = to
		if p, err = write(ctx, b, p); err != nil {
			return Party{}, err
		}
		if to == Archived {
			b.Tell(natures[kind].archived, p.data())
		} else {
			b.Tell(natures[kind].updated, p.changed("status"))
		}
		return p, nil
	})
}

// redactionTime is what apps have to follow an erasure.
const redactionTime = 30 * 24 * time.Hour

// redaction names the request to apps that they erase what they hold, too.
const redaction id.Prefix = "rdr"

// Redact erases what is personal, for good. Documents and the ledger stay, and so do the names that apps have for the record:
// they need them to follow.
func (s *Service) Redact(by record.Call, kind record.Kind, partyID string, seen *int) db.Step[Party] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Party, error) {
		p, err := current(ctx, b, kind, partyID, seen)
		if err != nil {
			return Party{}, err
		}
		if p.Status == Redacted {
			return Party{}, record.ErrState.With(p.Status, "redact")
		}
		if p, err = write(ctx, b, p.redacted()); err != nil {
			return Party{}, err
		}
		b.Gone(p.ID)
		b.Tell(natures[kind].redact, event.Data{
			natures[kind].idName: p.ID, "requestId": b.NewID(redaction), "dueBy": b.Tx.Now().Add(redactionTime).UTC().Format("2006-01-02T15:04:05.000Z"),
		})
		return p, nil
	})
}

// Delete removes a party that nothing ever referred to.
func (s *Service) Delete(by record.Call, kind record.Kind, partyID string, seen *int) db.Step[struct{}] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (struct{}, error) {
		p, err := current(ctx, b, kind, partyID, seen)
		if err != nil {
			return struct{}{}, err
		}
		used, err := s.used(ctx, b, p)
		if err != nil {
			return struct{}{}, err
		}
		if used {
			return struct{}{}, record.ErrInUse.With(kind)
		}
		if err := record.ForgetExternalIDs(ctx, b.Tx, p.ID); err != nil {
			return struct{}{}, err
		}
		if err := remove(ctx, b.Tx, p); err != nil {
			if db.IsReferenced(err) {
				err = record.ErrInUse.With(kind).Because(err)
			}
			return struct{}{}, err
		}
		b.Gone(p.ID)
		// The deletion is a change, too: whoever drops what is not newer must not drop this.
		b.Tell(natures[kind].deleted, event.Data{natures[kind].idName: p.ID, "version": p.Version + 1})
		return struct{}{}, nil
	})
}
