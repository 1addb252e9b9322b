package ledger

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/text"
	"daybook/internal/books/record"
)

// PostEntry posts a draft. Everything is judged anew: accounts and the lock date may have changed since.
func (s *Service) PostEntry(by record.Call, entryID string, seen *int) db.Step[Entry] {
	return Do(s, by, func(ctx context.Context, b *Book) (Entry, error) {
		e, err := currentEntry(ctx, b, entryID, seen)
		if err != nil {
			return Entry{}, err
		}
		if e.Status != Draft {
			return Entry{}, record.ErrState.With(e.Status, "post")
		}
		if err := b.judge(ctx, e.Lines); err != nil {
			return Entry{}, err
		}
		e.Version, e.UpdatedAt = e.Version+1, b.Tx.Now()
		err = b.write(ctx, &e, func(ctx context.Context, b *Book, e Entry) error {
			if err := insertLines(ctx, b.Tx, e); err != nil {
				return err
			}
			if err := postDraft(ctx, b, e); err != nil {
				return err
			}
			return b.sum(ctx, e)
		})
		return e, err
	})
}

// DeleteEntry removes a draft.
func (s *Service) DeleteEntry(by record.Call, entryID string, seen *int) db.Step[struct{}] {
	return Do(s, by, func(ctx context.Context, b *Book) (struct{}, error) {
		e, err := currentEntry(ctx, b, entryID, seen)
		if err != nil {
			return struct{}{}, err
		}
		if e.Status != Draft {
			return struct{}{}, record.ErrState.With(e.Status, "delete")
		}
		if err := record.ForgetExternalIDs(ctx, b.Tx, e.ID); err != nil {
			return struct{}{}, err
		}
		b.Gone(e.ID)
		return struct{}{}, deleteDraft(ctx, b.Tx, b.BusinessID, e.ID)
	})
}

// Reversal says how an entry is taken back.
type Reversal struct {
	Date *string // today, unless given
	Memo *string
}

// ReverseEntry posts the mirror of an entry that was made by hand, and returns the mirror. It may lie on any day that is not
// locked, before the original's too. A reversal is an entry made by hand and can itself be reversed.
func (s *Service) ReverseEntry(by record.Call, entryID string, r Reversal, seen *int) db.Step[Entry] {
	return Do(s, by, func(ctx context.Context, b *Book) (Entry, error) { return reverseEntry(ctx, b, entryID, r, seen) })
}

func reverseEntry(ctx context.Context, b *Book, entryID string, r Reversal, seen *int) (Entry, error) {
	var c fault.Check
	date := b.Today()
	if r.Date != nil {
		date = *r.Date
	}
	record.CheckDate(&c, "date", date)
	memo := text.Optional(&c, "memo", r.Memo, 500)
	if err := c.Err(); err != nil {
		return Entry{}, err
	}
	e, err := currentEntry(ctx, b, entryID, seen)
	switch {
	case err != nil:
		return Entry{}, err
	case e.Source.Type != FromManual:
		return Entry{}, ErrFollows.With(e.Source.Type, e.Source.ID)
	case e.Status != Posted:
		return Entry{}, record.ErrState.With(e.Status, "reverse")
	}
	mirror, err := b.Reverse(ctx, e, date, actionReverse, memo)
	if err != nil {
		return Entry{}, err
	}
	return *mirror, nil
}
