package tax

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// Create makes a rate.
func (s *Service) Create(by record.Call, n New) db.Step[Rate] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Rate, error) { return create(ctx, b, n) })
}

func create(ctx context.Context, b *ledger.Book, n New) (Rate, error) {
	n, err := n.check()
	if err != nil {
		return Rate{}, err
	}
	account, err := account(ctx, b, n.Kind, n.AccountID)
	if err != nil {
		return Rate{}, err
	}
	r := Rate{
		ID: b.NewID(id.TaxRate), BusinessID: b.BusinessID, Name: n.Name, Rate: n.Rate, Kind: n.Kind, Category: n.Category, AccountID: account.ID,
		Status: Active, Version: 1, CreatedAt: b.Tx.Now(), UpdatedAt: b.Tx.Now(),
	}
	if err := insert(ctx, b.Tx, r); err != nil {
		return Rate{}, err
	}
	b.Tell(event.TaxRateCreated, r.data())
	return r, nil
}

// account finds and judges the account that tax of a kind is booked on; without an id it is the business's own.
func account(ctx context.Context, b *ledger.Book, kind Kind, accountID *string) (ledger.Account, error) {
	subtype, role := kind.home()
	if accountID == nil {
		chart, err := b.Accounts(ctx, []ledger.Role{role})
		return chart.Role(role), err
	}
	chart, err := b.Accounts(ctx, nil, *accountID)
	if err != nil {
		return ledger.Account{}, err
	}
	a, err := chart.Usable("accountId", *accountID)
	if err == nil && (a.Subtype == nil || *a.Subtype != subtype) {
		err = ledger.ErrType.With("accountId", subtype)
	}
	return a, err
}

// Update changes a rate's name.
func (s *Service) Update(by record.Call, rateID string, p Patch, seen *int) db.Step[Rate] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Rate, error) {
		p, err := p.check()
		if err != nil {
			return Rate{}, err
		}
		r, err := current(ctx, b, rateID, seen)
		if err != nil || p.Name.Or(r.Name) == r.Name {
			return r, err
		}
		r.Name = p.Name.Value
		return write(ctx, b, r, "name")
	})
}

// Archive takes a rate out of use for new documents.
func (s *Service) Archive(by record.Call, rateID string, seen *int) db.Step[Rate] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Rate, error) {
		r, err := current(ctx, b, rateID, seen)
		if err != nil {
			return Rate{}, err
		}
		return archive(ctx, b, r, "archive")
	})
}

// archive does so in the name of an action, which is refused for a rate that is archived already.
func archive(ctx context.Context, b *ledger.Book, r Rate, action string) (Rate, error) {
	if r.Status == Archived {
		return Rate{}, record.ErrState.With(r.Status, action)
	}
	r.Status = Archived
	return write(ctx, b, r, "status")
}

// Restore takes a rate into use again, if its account still is.
func (s *Service) Restore(by record.Call, rateID string, seen *int) db.Step[Rate] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Rate, error) {
		r, err := current(ctx, b, rateID, seen)
		if err != nil {
			return Rate{}, err
		}
		if r.Status == Active {
			return Rate{}, record.ErrState.With(r.Status, "restore")
		}
		if _, err := account(ctx, b, r.Kind, &r.AccountID); err != nil {
			return Rate{}, err
		}
		r.Status = Active
		return write(ctx, b, r, "status")
	})
}

// Supersede archives a rate and creates the one that takes its place. When they do not differ nothing happens.
func (s *Service) Supersede(by record.Call, rateID string, to Successor, seen *int) db.Step[Rate] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Rate, error) {
		if err := to.check(); err != nil {
			return Rate{}, err
		}
		old, err := current(ctx, b, rateID, seen)
		if err != nil {
			return Rate{}, err
		}
		n := to.of(old)
		if n.same(old) {
			return old, nil
		}
		if _, err := archive(ctx, b, old, "supersede"); err != nil {
			return Rate{}, err
		}
		return create(ctx, b, n)
	})
}

// current reads a rate that is about to change.
func current(ctx context.Context, b *ledger.Book, rateID string, seen *int) (Rate, error) {
	r, err := existing(ctx, b.Tx, b.BusinessID, rateID)
	if err == nil {
		err = record.Fresh(r.Version, seen)
	}
	return r, err
}

// write keeps a changed rate and tells of it.
func write(ctx context.Context, b *ledger.Book, r Rate, member string) (Rate, error) {
	r.Version++
	r.UpdatedAt = b.Tx.Now()
	if err := update(ctx, b.Tx, r); err != nil {
		return Rate{}, err
	}
	b.Tell(event.TaxRateUpdated, r.changed(member))
	return r, nil
}
