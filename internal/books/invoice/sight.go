package invoice

import (
	"context"
	"errors"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/books/record"
)

// Sight is which invoice there is, in which version, as one caller sees it. A version never changes, so whoever has shown it
// before needs no more to show it again.
type Sight struct {
	ID         string
	Version    int
	ExternalID *string
	// Today is the business's date, which decides what is overdue.
	Today string

	zone  *time.Location
	by    record.Call // whose sight it is
	stamp *db.Stamp   // of the store when it was read; nil: not known
}

// LateAfter is the day after which the invoice is overdue as long as it has this version; empty for never.
func (i Invoice) LateAfter() string {
	if i.late(farFuture) {
		return i.DueDate
	}
	return ""
}

// farFuture is a date after all others.
const farFuture = "9999-12-31"

// Glance looks whether an invoice is there, and in which version. Where nothing at all was written to the store since the same caller
// looked before, it gives what it gave then.
func (s *Service) Glance(ctx context.Context, by record.Call, invoiceID string, before *Sight) (*Sight, error) {
	stamp, ok := s.DB.Stamp()
	if ok && before != nil && before.stamp != nil && *before.stamp == stamp && before.by == by && before.ID == invoiceID &&
		before.Today == s.DB.Now().In(before.zone).Format(time.DateOnly) {
		return before, nil
	}
	var seen Sight
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		seen, err = findSight(ctx, tx, by, invoiceID)
		return err
	})
	if errors.Is(err, db.ErrNoRows) {
		err = record.Missing(record.Invoice)
	}
	if seen.by = by; ok {
		seen.stamp = &stamp
	}
	return &seen, err
}

// Glances is List for a caller that has shown most of the invoices before.
func (s *Service) Glances(ctx context.Context, by record.Call, params map[string][]string) (record.Page[Sight], error) {
	return list(ctx, s, by, params, glimpsed, sightScanner, func(seen Sight) string { return seen.ID })
}

// GetMany reads invoices; those that are not there are left out. Their order is nobody's.
func (s *Service) GetMany(ctx context.Context, by record.Call, ids []string) ([]Invoice, error) {
	var found []Invoice
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		found, err = findMany(ctx, tx, by, ids)
		return err
	})
	return found, err
}
