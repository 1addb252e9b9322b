package invoice

import (
	"cmp"
	"context"
	"errors"

	"daybook/internal/base/db"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
	"daybook/internal/books/tax"
	"daybook/internal/tenancy/business"
)

// Service has the verbs of invoices.
type Service struct {
	DB      *db.DB
	Ledger  *ledger.Service
	Parties *party.Service
	Taxes   *tax.Service
	// Plans on offer; nil stands for business.DefaultPlans.
	Plans *business.Plans
}

func (s *Service) plans() *business.Plans { return cmp.Or(s.Plans, business.DefaultPlans) }

// current reads an invoice that is about to change.
func current(ctx context.Context, b *ledger.Book, invoiceID string, seen *int) (Invoice, error) {
	i, err := find(ctx, b.Tx, b.Call, invoiceID)
	if errors.Is(err, db.ErrNoRows) {
		err = record.Missing(record.Invoice)
	}
	if err == nil {
		err = record.Fresh(i.Version, seen)
	}
	return i, err
}

// touch notes that an invoice changes, and by whom.
func (i *Invoice) touch(b *ledger.Book) {
	i.Version++
	i.UpdatedAt, i.ChangedBy = b.Tx.Now(), b.Actor
	i.Overdue = i.late(b.Today())
}

// Uses reports whether any invoice names a customer.
func (s *Service) Uses(ctx context.Context, tx *db.Tx, businessID, customerID string) (bool, error) {
	return names(ctx, tx, businessID, customerID)
}
