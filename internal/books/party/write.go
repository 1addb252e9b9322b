package party

import (
	"context"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
)

// inserting writes new parties.
var inserting = &ledger.Later[string, Party]{
	Rank:  ledger.RankParty,
	Key:   func(p Party) string { return p.ID },
	Write: func(ctx context.Context, b *ledger.Book, list []Party) error { return insert(ctx, b.Tx, list...) },
}

// Create makes a party.
func (s *Service) Create(by record.Call, kind record.Kind, n New) db.Step[Party] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Party, error) { return s.CreateIn(ctx, b, kind, n) })
}

// CreateIn makes a party in a transaction that does more.
func (s *Service) CreateIn(ctx context.Context, b *ledger.Book, kind record.Kind, n New) (Party, error) {
	patch, err := n.patch().check(kind)
	if err != nil {
		return Party{}, err
	}
	p, _ := patch.in(b).apply(Party{
		ID: b.NewID(natures[kind].ids), BusinessID: b.BusinessID, Kind: kind, Type: Company, Currency: b.Currency, Status: Active,
		MadeBy: b.Actor, ChangedBy: b.Actor, Version: 1, CreatedAt: b.Tx.Now(), UpdatedAt: b.Tx.Now(),
	})
	if err := s.checkTaxRate(ctx, b, p.DefaultTaxRateID); err != nil {
		return Party{}, err
	}
	if err := inserting.Add(ctx, b, p); err != nil {
		return Party{}, err
	}
	if err := b.Name(ctx, kind, p.ID, p.ExternalID); err != nil {
		return Party{}, err
	}
	b.Tell(natures[kind].created, p.data())
	return p, nil
}

// Update changes the members of a party that the patch names.
func (s *Service) Update(by record.Call, kind record.Kind, partyID string, patch Patch, seen *int) db.Step[Party] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Party, error) {
		patch, err := patch.check(kind)
		if err != nil {
			return Party{}, err
		}
		now, err := current(ctx, b, kind, partyID, seen)
		if err != nil {
			return Party{}, err
		}
		if now.Status == Redacted {
			return Party{}, record.ErrState.With(now.Status, "update")
		}
		next, changes := patch.in(b).apply(now)
		if len(changes) == 0 {
			return now, nil
		}
		if err := s.checkChanges(ctx, b, now, next, changes); err != nil {
			return Party{}, err
		}
		if next, err = write(ctx, b, next); err != nil {
			return Party{}, err
		}
		if slices.Contains(changes, "externalId") {
			if err := record.SetExternalID(ctx, b.Tx, b.Call, kind, next.ID, next.ExternalID); err != nil {
				return Party{}, err
			}
		}
		b.Tell(natures[kind].updated, next.changed(changes...))
		return next, nil
	})
}

// in leaves out what the caller cannot set: only apps have names for records.
func (p Patch) in(b *ledger.Book) Patch {
	if b.Actor.AppID == "" {
		p.ExternalID = record.Patch[string]{}
	}
	return p
}

// checkChanges judges what can only be judged with the record and its references.
func (s *Service) checkChanges(ctx context.Context, b *ledger.Book, now, next Party, changes []string) error {
	if slices.Contains(changes, "currency") {
		if used, err := s.used(ctx, b, now); err != nil {
			return err
		} else if used {
			return ErrCurrency.With(now.Kind, now.Currency)
		}
	}
	if slices.Contains(changes, "defaultTaxRateId") {
		return s.checkTaxRate(ctx, b, next.DefaultTaxRateID)
	}
	return nil
}

func (s *Service) checkTaxRate(ctx context.Context, b *ledger.Book, rateID *string) error {
	if rateID == nil {
		return nil
	}
	rates, err := s.Taxes.RatesIn(ctx, b, []string{*rateID})
	if err != nil {
		return err
	}
	rate, ok := rates[*rateID]
	if !ok {
		return record.ErrReference.With("defaultTaxRateId")
	}
	return rate.Usable()
}

// write keeps a changed party.
func write(ctx context.Context, b *ledger.Book, p Party) (Party, error) {
	p.Version++
	p.ChangedBy, p.UpdatedAt = b.Actor, b.Tx.Now()
	return p, update(ctx, b.Tx, p)
}
