package payment

import (
	"context"
	"errors"

	"daybook/internal/base/db"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
)

// Service has the verbs of payments.
type Service struct {
	DB       *db.DB
	Ledger   *ledger.Service
	Parties  *party.Service
	Invoices *invoice.Service
}

// Get reads a payment.
func (s *Service) Get(ctx context.Context, by record.Call, id string) (Payment, error) {
	var p Payment
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		p, err = find(ctx, tx, by, id)
		return err
	})
	return p, known(err)
}

// List reads a page of payments.
func (s *Service) List(ctx context.Context, by record.Call, params map[string][]string) (record.Page[Payment], error) {
	q, err := Listing.Parse(by.BusinessID, params)
	if err != nil {
		return record.Page[Payment]{}, err
	}
	var page record.Page[Payment]
	err = s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		page, err = list(ctx, tx, by, q)
		return err
	})
	return page, err
}

// UsedParty reports whether a payment names a customer or supplier.
func (s *Service) UsedParty(ctx context.Context, tx *db.Tx, businessID, partyID string) (bool, error) {
	return usedParty(ctx, tx, businessID, partyID)
}

// open reads a payment that is about to change.
func open(ctx context.Context, b *ledger.Book, id string, seen *int) (*Payment, error) {
	p, err := find(ctx, b.Tx, b.Call, id)
	if err != nil {
		return nil, known(err)
	}
	return &p, record.Fresh(p.Version, seen)
}

// touch notes that a payment changes now.
func touch(b *ledger.Book, p *Payment) {
	p.Version++
	p.ChangedBy, p.UpdatedAt = b.Actor, b.Tx.Now()
}

func known(err error) error {
	if errors.Is(err, db.ErrNoRows) {
		return record.Missing(record.Payment)
	}
	return err
}
