package ledger

import (
	"context"
	"errors"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/books/record"
)

// EntryListing is how journal entries are listed. The filters by account and party look at posted lines: those of a draft
// are not booked anywhere yet. Drafts, which have no number, sort before number 1.
var EntryListing = record.List{
	Kind: record.JournalEntry, IDs: id.JournalEntry,
	Sorts: []record.Sort{
		{Name: "date", Column: "r.date"}, {Name: "number", Column: "coalesce(r.number, 0)", Number: true},
		{Name: "createdAt", Column: "r.created_at", Number: true}, {Name: "updatedAt", Column: "r.updated_at", Number: true},
	},
	Filters: []record.Filter{
		{Name: "status", Column: "r.status", Values: words([]EntryStatus{Draft, Posted, Reversed})},
		{Name: "accountId", Condition: withLine("account_id")}, {Name: "customerId", Condition: withLine("customer_id")},
		{Name: "supplierId", Condition: withLine("supplier_id")},
		{Name: "sourceType", Column: "r.source_type", Values: words(sourceTypes)},
		{Name: "sourceId", Condition: ofSource()},
		{Name: "dateFrom", Column: "r.date", Match: record.From, Form: record.Date},
		{Name: "dateTo", Column: "r.date", Match: record.To, Form: record.Date},
	},
}

// Entry reads a journal entry with its lines.
func (s *Service) Entry(ctx context.Context, by record.Call, entryID string) (Entry, error) {
	var e Entry
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		e, err = entry(ctx, tx, by, entryID)
		return err
	})
	return e, err
}

// ListEntries reads a page of the journal, lines included. Two statements.
func (s *Service) ListEntries(ctx context.Context, by record.Call, params map[string][]string) (record.Page[Entry], error) {
	q, err := EntryListing.Parse(by.BusinessID, params)
	if err != nil {
		return record.Page[Entry]{}, err
	}
	var page record.Page[Entry]
	// Posted lines never change, so that the two statements need not see the same state.
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		page, err = record.Fetch(ctx, tx, by, q, entrySource, scanEntry, func(e Entry) string { return e.ID })
		if err != nil {
			return err
		}
		return addLines(ctx, tx, by.BusinessID, page.Data)
	})
	return page, err
}

// CreateEntry makes an entry by hand, posted at once or as a draft.
func (s *Service) CreateEntry(by record.Call, n NewEntry) db.Step[Entry] {
	return Do(s, by, func(ctx context.Context, b *Book) (Entry, error) { return createEntry(ctx, b, n) })
}

func createEntry(ctx context.Context, b *Book, n NewEntry) (Entry, error) {
	var c fault.Check
	n = n.check(&c)
	if err := c.Err(); err != nil {
		return Entry{}, err
	}
	e := Entry{
		ID: b.NewID(id.JournalEntry), BusinessID: b.BusinessID, Date: n.Date, Memo: n.Memo, Status: Draft, Lines: b.lines(n.Lines),
		MadeBy: b.Actor, Version: 1, CreatedAt: b.Tx.Now(), UpdatedAt: b.Tx.Now(),
	}
	e.Source = Source{FromManual, e.ID, actionPost}
	if err := b.judge(ctx, e.Lines); err != nil {
		return Entry{}, err
	}
	var err error
	if n.Draft {
		err = b.writeDraft(ctx, &e, insertDraft)
	} else {
		err = b.write(ctx, &e, entering.Add)
	}
	if err != nil {
		return Entry{}, err
	}
	return namedEntry(ctx, b, e, n.ExternalID)
}

// writeDraft writes a draft, balanced or not: whether it may be posted is asked when it is.
func (b *Book) writeDraft(ctx context.Context, e *Entry, put func(context.Context, *Book, Entry) error) (err error) {
	if e.DebitTotal, e.CreditTotal, err = totals(e.Lines); err != nil {
		return err
	}
	return put(ctx, b, *e)
}

// UpdateEntry changes a draft. Nothing is told of drafts.
func (s *Service) UpdateEntry(by record.Call, entryID string, p EntryPatch, seen *int) db.Step[Entry] {
	return Do(s, by, func(ctx context.Context, b *Book) (Entry, error) { return updateEntry(ctx, b, entryID, p, seen) })
}

func updateEntry(ctx context.Context, b *Book, entryID string, p EntryPatch, seen *int) (Entry, error) {
	var c fault.Check
	p = p.check(&c)
	if err := c.Err(); err != nil {
		return Entry{}, err
	}
	e, err := currentEntry(ctx, b, entryID, seen)
	if err != nil {
		return Entry{}, err
	}
	before := e.Version
	if p.Date.Set || p.Memo.Set || p.Lines.Set {
		if e.Status != Draft {
			return Entry{}, record.ErrState.With(e.Status, "change")
		}
		if e, err = changeDraft(ctx, b, e, p); err != nil {
			return Entry{}, err
		}
	}
	if b.Actor.AppID == "" || !p.ExternalID.Set || equal(p.ExternalID.Optional(nil), e.ExternalID) {
		return e, nil
	}
	if e.Version == before { // another name is a change, too
		e.Version, e.UpdatedAt = e.Version+1, b.Tx.Now()
		if err := touchEntry(ctx, b.Tx, e); err != nil {
			return Entry{}, err
		}
	}
	return namedEntry(ctx, b, e, p.ExternalID.Optional(nil))
}

func changeDraft(ctx context.Context, b *Book, e Entry, p EntryPatch) (Entry, error) {
	date, memo := p.Date.Or(e.Date), p.Memo.Optional(e.Memo)
	same := p.Lines.Set && slices.EqualFunc(p.Lines.Value, e.Lines, sameLine)
	if date == e.Date && equal(memo, e.Memo) && (!p.Lines.Set || same) {
		return e, nil
	}
	e.Date, e.Memo = date, memo
	if p.Lines.Set && !same {
		e.Lines = b.lines(p.Lines.Value)
		if err := b.judge(ctx, e.Lines); err != nil {
			return Entry{}, err
		}
	}
	e.Version, e.UpdatedAt = e.Version+1, b.Tx.Now()
	err := b.writeDraft(ctx, &e, updateDraft)
	return e, err
}

// sameLine reports whether a line already says what the new one does.
func sameLine(n NewLine, l Line) bool {
	return n.AccountID == l.AccountID && n.Debit == l.Debit && n.Credit == l.Credit && equal(n.Description, l.Description) &&
		equal(n.CustomerID, l.CustomerID) && equal(n.SupplierID, l.SupplierID)
}

// namedEntry gives an entry the name that the calling app has for it.
func namedEntry(ctx context.Context, b *Book, e Entry, externalID *string) (Entry, error) {
	if externalID == nil && e.ExternalID == nil || b.Actor.AppID == "" {
		return e, nil
	}
	e.ExternalID = externalID
	return e, record.SetExternalID(ctx, b.Tx, b.Call, record.JournalEntry, e.ID, externalID)
}

func entry(ctx context.Context, tx *db.Tx, by record.Call, entryID string) (Entry, error) {
	e, err := findEntry(ctx, tx, by, entryID)
	if errors.Is(err, db.ErrNoRows) {
		err = record.Missing(record.JournalEntry)
	}
	return e, err
}

// currentEntry reads an entry that is going to change.
func currentEntry(ctx context.Context, b *Book, entryID string, seen *int) (Entry, error) {
	e, err := entry(ctx, b.Tx, b.Call, entryID)
	if err == nil {
		err = record.Fresh(e.Version, seen)
	}
	return e, err
}
