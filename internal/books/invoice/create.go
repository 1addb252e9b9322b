package invoice

import (
	"context"
	"errors"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// Create makes an invoice, and issues it if asked to. When the plan's ceiling is what refuses it, the caller is to hand the
// refusal to NoteRefusal.
func (s *Service) Create(by record.Call, n New) db.Step[Invoice] {
	w, err := n.check() // here, where nobody waits for the store meanwhile
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Invoice, error) {
		if err != nil {
			return Invoice{}, err
		}
		return s.create(ctx, b, w)
	})
}

// CreateIn makes an invoice in a transaction that does more.
func (s *Service) CreateIn(ctx context.Context, b *ledger.Book, n New) (Invoice, error) {
	w, err := n.check()
	if err != nil {
		return Invoice{}, err
	}
	return s.create(ctx, b, w)
}

func (s *Service) create(ctx context.Context, b *ledger.Book, w wish) (Invoice, error) {
	j, err := s.prepare(ctx, b, w)
	if err != nil {
		return Invoice{}, err
	}
	j.planYear = s.year(b.Facts, b.Today()).First
	if err := s.count(ctx, b, &j.Invoice); err != nil {
		return Invoice{}, err
	}
	j.ID = b.NewID(id.Invoice)
	j.nameLines(b)
	if w.issue {
		if err := j.issue(ctx, b); err != nil {
			return Invoice{}, err
		}
	}
	j.unwritten = b.Holding()
	if err := inserting.Add(ctx, b, &j.Invoice); err != nil {
		return Invoice{}, err
	}
	if j.Number != "" {
		if err := numbering.Add(ctx, b, j.Number); err != nil {
			return Invoice{}, err
		}
	}
	if err := b.Name(ctx, record.Invoice, j.ID, j.ExternalID); err != nil {
		return Invoice{}, err
	}
	b.Tell(event.InvoiceCreated, j.told(event.Data{"source": j.Source.Type}))
	if w.issue {
		j.tellIssued(b)
	}
	return j.Invoice, nil
}

// inserting writes new invoices.
var inserting = &ledger.Later[string, *Invoice]{
	Rank:  ledger.RankInvoice,
	Key:   func(i *Invoice) string { return i.ID },
	Write: func(ctx context.Context, b *ledger.Book, list []*Invoice) error { return insert(ctx, b.Tx, list...) },
}

// Preview tells what an invoice would be. Nothing is written and nothing is counted; it has no id, and no number unless
// the caller chose one.
func (s *Service) Preview(by record.Call, n New) db.Step[Invoice] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Invoice, error) { return s.PreviewIn(ctx, b, n) })
}

// PreviewIn is Preview in a transaction that does more.
func (s *Service) PreviewIn(ctx context.Context, b *ledger.Book, n New) (Invoice, error) {
	w, err := n.check()
	if err != nil {
		return Invoice{}, err
	}
	j, err := s.prepare(ctx, b, w)
	if err != nil {
		return Invoice{}, err
	}
	if j.ExternalID != nil {
		existing, err := record.FindExternal(ctx, b.Tx, b.Call, record.Invoice, *j.ExternalID)
		if err != nil {
			return Invoice{}, err
		}
		if existing != "" {
			return Invoice{}, record.ErrExternalID.With(existing)
		}
	}
	return j.Invoice, nil
}

// prepare works a new invoice out, as far as that can be done without writing.
func (s *Service) prepare(ctx context.Context, b *ledger.Book, w wish) (*job, error) {
	w.lines = slices.Clone(w.lines) // they are filled in, and a step may be run again
	j, err := s.work(ctx, b, w, nil)
	if err != nil {
		return nil, err
	}
	now := b.Tx.Now()
	j.Source = source(b.Call, w.origin)
	j.MadeBy, j.ChangedBy, j.Version, j.CreatedAt, j.UpdatedAt = b.Actor, b.Actor, 1, now, now
	if w.issue {
		if err := j.ready(b); err != nil {
			return nil, err
		}
	}
	j.Overdue = j.late(b.Today())
	return j, nil
}

func source(by record.Call, origin Origin) Source {
	s := Source{Type: origin}
	if by.Actor.AppID != "" {
		s.AppID = &by.Actor.AppID
	}
	switch {
	case s.Type != "":
	case s.AppID != nil:
		s.Type = ByAPI
	default:
		s.Type = ByUI
	}
	return s
}

// nameLines gives an id to each line that has none.
func (j *job) nameLines(b *ledger.Book) {
	for n := range j.Lines {
		if j.Lines[n].ID == "" {
			j.Lines[n].ID = b.NewID(id.InvoiceLine)
		}
	}
}

// ready fixes everything that the issue fixes, but for the number and the entry, or says why it cannot be issued.
func (j *job) ready(b *ledger.Book) (err error) {
	if len(j.Lines) == 0 {
		return fault.InvalidFields("lines " + needed)
	}
	if err := b.Unlocked(j.IssueDate); err != nil {
		return err
	}
	receivable := j.chart.Role(ledger.Receivable)
	if receivable.ID == "" {
		return errors.New("business " + b.BusinessID + " has no receivable account")
	}
	if j.booking, err = j.book(b.Currency, receivable, j.rates); err != nil {
		return err
	}
	if err := j.do(issue); err != nil {
		return err
	}
	now := b.Tx.Now()
	j.IssuedAt = &now
	if j.Status == Paid {
		j.PaidAt = &now
	}
	j.BaseNet, j.BaseTotal, j.BaseSettled = j.booking.net, j.booking.total, 0
	name := j.customer.DisplayName
	if j.customer.LegalName != nil {
		name = *j.customer.LegalName
	}
	j.BillTo = &BillTo{Name: name, TaxNumber: j.customer.TaxNumber, Address: j.customer.Address}
	return nil
}

// issue gives an invoice that is ready its number and books it.
func (j *job) issue(ctx context.Context, b *ledger.Book) (err error) {
	if j.Number == "" {
		if j.Number, err = freeNumber(ctx, b); err != nil {
			return err
		}
	}
	entry, err := j.post(ctx, b, j.IssueDate, actionIssue, "Invoice", j.booking.lines)
	if entry != nil {
		j.JournalEntryID = &entry.ID
	}
	return err
}

func (j *job) tellIssued(b *ledger.Book) {
	b.Tell(event.InvoiceIssued, j.told(event.Data{"taxTotal": j.TaxTotal, "journalEntryId": j.JournalEntryID}))
	if j.Status == Paid {
		b.Tell(event.InvoicePaid, j.told(event.Data{"paymentId": nil, "paidAt": instant(j.PaidAt)}))
	}
}
