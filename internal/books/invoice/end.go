package invoice

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/text"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// Voiding takes an invoice back.
type Voiding struct {
	Date   *string // today, or the issue date if that is later
	Reason *string
}

// Void takes an open invoice back: the mirror of its entry is booked, and its turnover is given back.
func (s *Service) Void(by record.Call, invoiceID string, v Voiding, seen *int) db.Step[Invoice] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Invoice, error) {
		var c fault.Check
		checkEnd(&c, v.Date)
		reason := text.Lines(&c, "reason", v.Reason, 500)
		if err := c.Err(); err != nil {
			return Invoice{}, err
		}
		i, err := current(ctx, b, invoiceID, seen)
		if err != nil {
			return Invoice{}, err
		}
		if err := i.do(void); err != nil {
			return Invoice{}, err
		}
		date, err := i.endDate(b, v.Date)
		if err != nil {
			return Invoice{}, err
		}
		mirror, err := i.mirror(ctx, b, date)
		if err != nil {
			return Invoice{}, err
		}
		if err := s.giveBackTurnover(ctx, b, &i); err != nil {
			return Invoice{}, err
		}
		now := b.Tx.Now()
		i.AmountDue, i.BaseSettled = 0, i.BaseTotal
		i.VoidedAt, i.VoidReason = &now, reason
		return i, i.end(ctx, b, event.InvoiceVoided, event.Data{"voidDate": date, "journalEntryId": entryID(mirror)})
	})
}

// mirror takes the entry of the issue back. There is none if nothing was booked.
func (i *Invoice) mirror(ctx context.Context, b *ledger.Book, date string) (*ledger.Entry, error) {
	entries, err := b.EntriesOf(ctx, ledger.FromInvoice, i.ID)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Source.Action == actionIssue {
			memo := "Void invoice " + i.Number
			return b.Reverse(ctx, e, date, actionVoid, &memo)
		}
	}
	return nil, nil
}

// WriteOff gives up what is still due: it becomes a bad debt. A nil date is today, or the issue date if that is later.
func (s *Service) WriteOff(by record.Call, invoiceID string, on *string, seen *int) db.Step[Invoice] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Invoice, error) {
		var c fault.Check
		checkEnd(&c, on)
		if err := c.Err(); err != nil {
			return Invoice{}, err
		}
		i, err := current(ctx, b, invoiceID, seen)
		if err != nil {
			return Invoice{}, err
		}
		if err := i.do(writeOff); err != nil {
			return Invoice{}, err
		}
		date, err := i.endDate(b, on)
		if err != nil {
			return Invoice{}, err
		}
		chart, err := b.Accounts(ctx, []ledger.Role{ledger.BadDebt, ledger.Receivable})
		if err != nil {
			return Invoice{}, err
		}
		carried := i.BaseTotal - i.BaseSettled
		entry, err := i.post(ctx, b, date, actionWriteOff, "Write off invoice", []ledger.Line{
			i.line(ledger.Line{AccountID: chart.Role(ledger.BadDebt).ID}, carried, i.AmountDue),
			i.line(ledger.Line{AccountID: chart.Role(ledger.Receivable).ID, CustomerID: &i.CustomerID}, -carried, -i.AmountDue),
		})
		if err != nil {
			return Invoice{}, err
		}
		i.AmountWrittenOff, i.AmountDue, i.BaseSettled = i.AmountDue, 0, i.BaseTotal
		return i, i.end(ctx, b, event.InvoiceWrittenOff, event.Data{"amountWrittenOff": i.AmountWrittenOff, "journalEntryId": entryID(entry)})
	})
}

func checkEnd(c *fault.Check, date *string) {
	if date != nil {
		record.CheckDate(c, "date", *date)
	}
}

// endDate is the day on which an invoice ends: not before it began, and not in a locked period.
func (i *Invoice) endDate(b *ledger.Book, given *string) (string, error) {
	date := max(b.Today(), i.IssueDate)
	if given != nil {
		date = *given
	}
	if date < i.IssueDate {
		return "", fault.InvalidFields("date must not be before the issue date, " + i.IssueDate)
	}
	return date, b.Unlocked(date)
}

// end keeps an invoice that has come to its end and tells of it.
func (i *Invoice) end(ctx context.Context, b *ledger.Book, t event.Type, more event.Data) error {
	i.touch(b)
	if err := saveState(ctx, b.Tx, *i); err != nil {
		return err
	}
	b.Tell(t, i.told(more))
	return nil
}

func entryID(e *ledger.Entry) *string {
	if e == nil {
		return nil
	}
	return &e.ID
}
