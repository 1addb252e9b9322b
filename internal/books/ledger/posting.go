package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"daybook/internal/base/id"
	"daybook/internal/base/money"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// Posting is an entry to be made.
type Posting struct {
	Date       string
	Memo       *string
	Source     Source
	Lines      []Line // zero lines are left out
	ReversalOf *string

	id string // of the entry, where it had to be known before
}

// Post makes an entry. Without a line that is not zero there is nothing to post, and the entry is nil. Whether the accounts
// suit is for the caller to judge; one that is archived or not of this business is refused here.
func (b *Book) Post(ctx context.Context, p Posting) (*Entry, error) {
	e := Entry{
		ID: p.id, BusinessID: b.BusinessID, Date: p.Date, Memo: p.Memo, Source: p.Source, ReversalOf: p.ReversalOf,
		MadeBy: b.Actor, Version: 1, CreatedAt: b.Tx.Now(), UpdatedAt: b.Tx.Now(),
	}
	for _, l := range p.Lines {
		if l.Debit != 0 || l.Credit != 0 {
			e.Lines = append(e.Lines, l)
		}
	}
	if len(e.Lines) == 0 {
		return nil, b.Unlocked(p.Date)
	}
	if e.ID == "" {
		e.ID = b.NewID(id.JournalEntry)
	}
	if e.Source.ID == "" && e.Source.Type == FromManual {
		e.Source.ID = e.ID
	}
	if err := b.write(ctx, &e, entering.Add); err != nil {
		return nil, err
	}
	return &e, nil
}

// write judges and numbers an entry, has put write it with its lines and sums, and tells of it.
func (b *Book) write(ctx context.Context, e *Entry, put func(context.Context, *Book, Entry) error) error {
	if err := b.ready(ctx, e); err != nil {
		return err
	}
	b.lastEntry++
	b.numbered = true
	number := b.lastEntry
	e.Number, e.Status = &number, Posted
	for i := range e.Lines {
		if e.Lines[i].ID == "" {
			e.Lines[i].ID = b.NewID(id.JournalLine)
		}
	}
	if err := put(ctx, b, *e); err != nil {
		return err
	}
	data := entryData(*e, b.Currency)
	data["reversalOfId"] = e.ReversalOf
	b.journal = append(b.journal, event.Happening{Type: event.EntryPosted, Data: data})
	return nil
}

// entering writes posted entries.
var entering = &Later[string, Entry]{Rank: RankJournal, Write: func(ctx context.Context, b *Book, list []Entry) error {
	if err := insertLines(ctx, b.Tx, list...); err != nil {
		return err
	}
	if err := insertEntries(ctx, b.Tx, list...); err != nil {
		return err
	}
	return b.sum(ctx, list...)
}}

// sum adds entries to the sums of their accounts and parties.
func (b *Book) sum(ctx context.Context, list ...Entry) error {
	if err := raiseMonths(ctx, b.Tx, list...); err != nil {
		return err
	}
	return raiseParties(ctx, b.Tx, list...)
}

// ready refuses an entry that may not be posted, and works out its totals.
func (b *Book) ready(ctx context.Context, e *Entry) (err error) {
	if _, err := time.Parse(time.DateOnly, e.Date); err != nil {
		return fmt.Errorf("posting: %w", err)
	}
	if err := b.Unlocked(e.Date); err != nil {
		return err
	}
	if e.DebitTotal, e.CreditTotal, err = totals(e.Lines); err != nil {
		return err
	}
	if e.DebitTotal != e.CreditTotal || e.DebitTotal == 0 {
		return ErrUnbalanced.With(e.DebitTotal, e.CreditTotal)
	}
	if err := b.open(ctx, e.Lines); err != nil {
		return err
	}
	return b.room(ctx, e.DebitTotal)
}

// open refuses lines on an archived account, or on one of another business. Accounts that the caller has read are not read
// again.
func (b *Book) open(ctx context.Context, lines []Line) error {
	var unread []string
	for _, l := range lines {
		if _, known := b.accounts[l.AccountID]; !known {
			unread = append(unread, l.AccountID)
		}
	}
	if len(unread) > 0 {
		if _, err := b.Accounts(ctx, nil, unread...); err != nil {
			return err
		}
	}
	for _, l := range lines {
		a, known := b.accounts[l.AccountID]
		switch {
		case !known:
			return fmt.Errorf("a posting names account %q, which business %s does not have", l.AccountID, b.BusinessID)
		case a.Status == Archived:
			return record.ErrArchived.With(record.Account)
		case l.CustomerID != nil && l.SupplierID != nil:
			return errors.New("a line names both a customer and a supplier")
		}
	}
	return nil
}

// large is where an entry begins to count for the room that is left, and reserve the room that is kept for smaller ones: it
// takes a million of them to fill it.
const (
	large   = money.Max >> 24
	reserve = large << 20
)

// room refuses an entry that would take the sum of all debits beyond what an amount can be, so that no balance and no
// report ever is. Only large entries pay for the question.
func (b *Book) room(ctx context.Context, debits money.Amount) error {
	if debits < large {
		return nil
	}
	so, err := sumDebits(ctx, b.Tx, b.BusinessID)
	if err != nil {
		return err
	}
	for _, e := range entering.Kept(b) {
		if so, err = so.Add(e.DebitTotal); err != nil {
			return ErrFull
		}
	}
	if sum, err := so.Add(debits); err != nil || sum > money.Max-reserve {
		return ErrFull
	}
	return nil
}

// Reverse posts the mirror of a posted entry and marks the original. Its source is the original's (for a manual entry: the
// original), with the action given.
func (b *Book) Reverse(ctx context.Context, e Entry, date, action string, memo *string) (*Entry, error) {
	source := Source{e.Source.Type, e.Source.ID, action}
	if e.Source.Type == FromManual {
		source.ID = e.ID
	}
	p := Posting{Date: date, Memo: memo, Source: source, ReversalOf: &e.ID, id: b.NewID(id.JournalEntry)}
	for _, l := range e.Lines {
		p.Lines = append(p.Lines, l.mirror())
	}
	// Marked first: of several who try, the later ones learn it here.
	marked, err := markReversed(ctx, b.Tx, e, p.id)
	if err != nil {
		return nil, err
	}
	if !marked {
		return nil, record.ErrState.With(Reversed, "reverse")
	}
	mirror, err := b.Post(ctx, p)
	if err != nil {
		return nil, err
	}
	e.Status, e.ReversedBy, e.Version = Reversed, &p.id, e.Version+1
	data := entryData(e, b.Currency)
	data["reversedById"], data["reversalDate"] = p.id, date
	b.journal = append(b.journal, event.Happening{Type: event.EntryReversed, Data: data})
	return mirror, nil
}
