package invoice

import (
	"context"
	"errors"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

const (
	overdueBusinesses = 200 // looked at per statement
	overdueInvoices   = 100 // told of per transaction
	// ahead is how far the clocks of the earliest zone are before UTC.
	ahead = 14 * time.Hour
)

// NoteOverdue tells of every invoice that has become overdue in its business's zone, once each: one whose date of payment is
// moved afterwards is not told of again. It is for a background job; several nodes may run it at once.
func (s *Service) NoteOverdue(ctx context.Context) error {
	after := ""
	for {
		var list []lateBusiness
		var now time.Time
		err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
			now = tx.Now()
			list, err = listLate(ctx, tx, now.UTC().Add(ahead).Format(time.DateOnly), after, overdueBusinesses)
			return err
		})
		if err != nil {
			return err
		}
		for _, l := range list {
			zone, err := clock.Zone(l.zone)
			if err != nil {
				return err
			}
			if l.earliest < now.In(zone).Format(time.DateOnly) {
				// A sandbox that is being emptied has nothing to tell.
				if err := s.NoteOverdueOf(ctx, l.businessID); err != nil && !errors.Is(err, ledger.ErrEmptying) {
					return err
				}
			}
			after = l.businessID
		}
		if len(list) < overdueBusinesses {
			return nil
		}
	}
}

// NoteOverdueOf does so for one business.
func (s *Service) NoteOverdueOf(ctx context.Context, businessID string) error {
	by := record.Call{BusinessID: businessID, Actor: event.Actor{Type: event.System}}
	for {
		told, err := db.Run(ctx, s.DB, ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (int, error) {
			today := b.Today()
			list, err := findLate(ctx, b.Tx, b.Call, today, overdueInvoices)
			if err != nil || len(list) == 0 {
				return 0, err
			}
			ids := make([]string, len(list))
			for n := range list {
				i := &list[n]
				ids[n] = i.ID
				b.Tell(event.InvoiceOverdue, i.told(event.Data{"daysOverdue": record.DaysBetween(i.DueDate, today)}))
			}
			return len(list), setOverdueNoted(ctx, b.Tx, b.BusinessID, ids)
		}))
		if err != nil || told < overdueInvoices {
			return err
		}
	}
}
