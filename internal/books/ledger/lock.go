package ledger

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/base/trail"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// LockDate is the day up to which the books are locked; nil when they are not.
func (s *Service) LockDate(ctx context.Context, by record.Call) (*string, error) {
	f, err := s.Facts(ctx, by)
	return f.LockDate, err
}

// Facts reads what a business's books go by.
func (s *Service) Facts(ctx context.Context, by record.Call) (Facts, error) {
	var f Facts
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		f, err = FactsOf(ctx, tx, by.BusinessID)
		return err
	})
	return f, err
}

// actLockDate is what is kept of a changed lock date.
const actLockDate trail.Action = "books.lock_date_changed"

// SetLockDate locks the books up to and including a date; nil unlocks them. The date it had already changes nothing.
func (s *Service) SetLockDate(by record.Call, date *string) db.Step[*string] {
	return Do(s, by, func(ctx context.Context, b *Book) (*string, error) {
		var c fault.Check
		if date != nil {
			record.CheckDate(&c, "lockDate", *date)
		}
		if err := c.Err(); err != nil || equal(date, b.LockDate) {
			return date, err
		}
		happened := event.BooksUnlocked
		if date != nil && (b.LockDate == nil || *date > *b.LockDate) {
			happened = event.BooksLocked
		}
		b.Tell(happened, event.Data{"lockDate": date, "previousLockDate": b.LockDate})
		kept := trail.Act{
			UserID: b.Actor.UserID, Action: actLockDate, Object: trail.Object{Type: "business", ID: b.BusinessID}, BusinessID: b.BusinessID,
			Details: map[string]any{"lockDate": date, "previousLockDate": b.LockDate},
		}
		if err := trail.Leave(ctx, b.Tx, s.Trail, kept); err != nil {
			return date, err
		}
		b.LockDate = date
		return date, updateBooks(ctx, b.Tx, b.BusinessID, b.Facts)
	})
}

// Lock is SetLockDate in a transaction of its own.
func (s *Service) Lock(ctx context.Context, by record.Call, date *string) error {
	_, err := db.Run(ctx, s.DB, s.SetLockDate(by, date))
	return err
}

// DefaultsPatch is a change to the defaults of new documents.
type DefaultsPatch struct {
	TaxMode          record.Patch[money.TaxMode]
	TaxRounding      record.Patch[string]
	PaymentTermsDays record.Patch[int]
}

// SetDefaults changes the defaults of new documents.
func (s *Service) SetDefaults(by record.Call, p DefaultsPatch) db.Step[Defaults] {
	return Do(s, by, func(ctx context.Context, b *Book) (Defaults, error) {
		_, err := b.SetDefaults(ctx, p)
		return b.Defaults, err
	})
}

// SetDefaults changes the defaults of new documents and names the settings that really changed, for whoever tells of the
// business's settings as a whole.
func (b *Book) SetDefaults(ctx context.Context, p DefaultsPatch) (changed []string, err error) {
	var c fault.Check
	for _, m := range []struct {
		path string
		null bool
	}{{"defaultTaxMode", p.TaxMode.Null}, {"defaultTaxRounding", p.TaxRounding.Null}, {"paymentTermsDays", p.PaymentTermsDays.Null}} {
		c.Require(!m.null, m.path, "must not be null")
	}
	is := Defaults{p.TaxMode.Or(b.Defaults.TaxMode), p.TaxRounding.Or(b.Defaults.TaxRounding), p.PaymentTermsDays.Or(b.Defaults.PaymentTermsDays)}
	switch is.TaxMode {
	case money.Exclusive, money.Inclusive, money.Untaxed:
	default:
		c.Add("defaultTaxMode", "must be one of EXCLUSIVE, INCLUSIVE, NONE")
	}
	c.Require(is.TaxRounding == "LINE" || is.TaxRounding == "DOCUMENT", "defaultTaxRounding", "must be LINE or DOCUMENT")
	c.Require(is.PaymentTermsDays >= 0 && is.PaymentTermsDays <= 365, "paymentTermsDays", "must be a whole number from 0 to 365")
	if err := c.Err(); err != nil || is == b.Defaults {
		return nil, err
	}
	if is.TaxMode != b.Defaults.TaxMode {
		changed = append(changed, "defaultTaxMode")
	}
	if is.TaxRounding != b.Defaults.TaxRounding {
		changed = append(changed, "defaultTaxRounding")
	}
	if is.PaymentTermsDays != b.Defaults.PaymentTermsDays {
		changed = append(changed, "paymentTermsDays")
	}
	b.Defaults = is
	return changed, updateBooks(ctx, b.Tx, b.BusinessID, b.Facts)
}
