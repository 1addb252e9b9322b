package invoice

import (
	"context"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// Update changes an invoice: a draft in every way, an issued one in what is not fixed by the issue.
func (s *Service) Update(by record.Call, invoiceID string, p Patch, seen *int) db.Step[Invoice] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Invoice, error) {
		if _, err := p.on(Invoice{}); err != nil { // what is wrong by itself comes before what the record says
			return Invoice{}, err
		}
		was, err := current(ctx, b, invoiceID, seen)
		if err != nil {
			return Invoice{}, err
		}
		is, err := s.patched(ctx, b, was, p)
		if err != nil {
			return Invoice{}, err
		}
		differ := changes(was, is)
		if len(differ) == 0 {
			return was, nil
		}
		is.touch(b)
		keep := saveState
		if is.Status == Draft {
			keep = save
		}
		if err := keep(ctx, b.Tx, is); err != nil {
			return Invoice{}, err
		}
		if slices.Contains(differ, "externalId") {
			if err := record.SetExternalID(ctx, b.Tx, b.Call, record.Invoice, is.ID, is.ExternalID); err != nil {
				return Invoice{}, err
			}
		}
		if is.Number != was.Number {
			b.ReturnInvoiceNumber(was.Number)
		}
		b.Tell(event.InvoiceUpdated, is.told(event.Data{"changes": differ}))
		return is, nil
	})
}

// patched is the invoice as it becomes.
func (s *Service) patched(ctx context.Context, b *ledger.Book, was Invoice, p Patch) (Invoice, error) {
	wanted := edit
	if p.termsOnly() {
		wanted = amend
	}
	if err := was.may(wanted); err != nil {
		return Invoice{}, err
	}
	w, err := p.on(was)
	if err != nil {
		return Invoice{}, err
	}
	if was.Status != Draft {
		return s.amended(ctx, b, was, w)
	}
	j, err := s.work(ctx, b, w, &was)
	if err != nil {
		return Invoice{}, err
	}
	if slices.EqualFunc(was.Lines, j.Lines, Line.same) {
		for n := range j.Lines {
			j.Lines[n].ID = was.Lines[n].ID
		}
	}
	j.nameLines(b)
	return j.Invoice, nil
}

// amended is an issued invoice with other terms.
func (s *Service) amended(ctx context.Context, b *ledger.Book, was Invoice, w wish) (Invoice, error) {
	is := was
	is.Reference, is.Notes, is.DueDate = w.reference, w.notes, w.dueDate
	if b.Actor.AppID != "" {
		is.ExternalID = w.externalID
	}
	if is.DueDate == "" {
		customer, err := s.Parties.FindIn(ctx, b, record.Customer, was.CustomerID, "customerId")
		if err != nil {
			return Invoice{}, err
		}
		is.DueDate = dueDate(is.IssueDate, customer, b)
	}
	switch {
	case is.DueDate < is.IssueDate:
		return Invoice{}, fault.InvalidFields("dueDate must not be before issueDate, " + is.IssueDate)
	case w.expected != nil && *w.expected != is.Total:
		return Invoice{}, ErrTotal.With(*w.expected, is.Total)
	}
	return is, nil
}

// Delete removes a draft. Its place in the plan is given back.
func (s *Service) Delete(by record.Call, invoiceID string, seen *int) db.Step[struct{}] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (struct{}, error) {
		var done struct{}
		i, err := current(ctx, b, invoiceID, seen)
		if err != nil {
			return done, err
		}
		if err := i.may(remove); err != nil {
			return done, err
		}
		if err := record.ForgetExternalIDs(ctx, b.Tx, i.ID); err != nil {
			return done, err
		}
		if err := deleteDraft(ctx, b.Tx, i); err != nil {
			return done, err
		}
		if err := s.giveBackDraft(ctx, b, &i); err != nil {
			return done, err
		}
		b.Gone(i.ID)
		b.ReturnInvoiceNumber(i.Number)
		// The deletion is a change, too: whoever drops what is not newer must not drop this.
		b.Tell(event.InvoiceDeleted, event.Data{"invoiceId": i.ID, "status": i.Status, "version": i.Version + 1})
		return done, nil
	})
}
