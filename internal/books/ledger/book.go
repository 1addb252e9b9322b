package ledger

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/trail"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
)

// Service has the verbs of accounts and the journal.
type Service struct {
	DB     *db.DB
	IDs    *id.Source
	Events *event.Log
	// Forget, if not nil, removes what others keep on a record that is deleted or redacted.
	Forget func(ctx context.Context, tx *db.Tx, businessID, recordID string) error
	// Trail, if not nil, keeps who did what.
	Trail trail.Keeper
}

// Book is a business's books, open in one transaction. Nobody else writes to them until it ends.
type Book struct {
	record.Call
	Facts
	Tx *db.Tx

	service     *Service
	lastEntry   int64
	lastInvoice int64
	emptying    *time.Time // see Empty
	numbered    bool
	accounts    map[string]*Account // that were read so far: see Accounts
	events      []event.Happening
	journal     []event.Happening // told after the events of the documents that caused them
	gone        []string          // see Gone

	holding bool // see Hold
	shared  bool // see take
	kept    []keeper
	memory  map[any]any
}

// Do prepares a write to the books: do runs with the Book open, and what it tells and numbers is written at the end.
func Do[T any](s *Service, by record.Call, do func(ctx context.Context, b *Book) (T, error)) db.Step[T] {
	return func(ctx context.Context, tx *db.Tx) (T, error) {
		var none T
		b, err := s.take(ctx, tx, by)
		if err != nil {
			return none, err
		}
		done, err := do(ctx, b)
		if err != nil {
			return none, err
		}
		if b.shared {
			b.turn()
			return done, nil
		}
		return done, b.close(ctx)
	}
}

// bookKey is where a joint transaction keeps the Book that its steps share.
type bookKey struct{ by record.Call }

// take opens the books for a step. Steps of one caller that share a transaction share the Book as well, which holds until all are
// through; what a refused one did to it is undone. Only verbs that suit a Book that holds are carried out so.
func (s *Service) take(ctx context.Context, tx *db.Tx, by record.Call) (*Book, error) {
	joint := tx.Joint()
	if joint == nil {
		return s.open(ctx, tx, by)
	}
	b, ok := joint.Kept(bookKey{by}).(*Book)
	if !ok {
		var err error
		if b, err = s.open(ctx, tx, by); err != nil {
			return nil, err
		}
		b.Hold()
		b.shared = true
		joint.Keep(bookKey{by}, b)
		joint.Last(b.close)
	}
	before := b.Mark()
	joint.Undo(func() { b.Return(before) })
	return b, nil
}

// turn is the end of a step in a shared Book: what the journal tells of it comes before what the next one tells.
func (b *Book) turn() { b.events, b.journal = append(b.events, b.journal...), nil }

// Open opens the books in a transaction that does more than one thing with them; close them with Close.
func (s *Service) Open(ctx context.Context, tx *db.Tx, by record.Call) (*Book, error) {
	return s.open(ctx, tx, by)
}

// Close writes what was told and numbered. It is the last thing a transaction does.
func (b *Book) Close(ctx context.Context) error { return b.close(ctx) }

func (s *Service) open(ctx context.Context, tx *db.Tx, by record.Call) (*Book, error) {
	b, err := takeBook(ctx, tx, by.BusinessID)
	if err != nil {
		return nil, noBooks(err, by.BusinessID)
	}
	if b.emptying != nil {
		return nil, ErrEmptying
	}
	b.Call, b.Tx, b.service, b.accounts = by, tx, s, map[string]*Account{}
	return b, nil
}

func (b *Book) close(ctx context.Context) error {
	if err := b.release(ctx); err != nil {
		return err
	}
	if err := b.forget(ctx); err != nil {
		return err
	}
	if b.numbered {
		if err := setNumbers(ctx, b.Tx, b.BusinessID, b.lastEntry, b.lastInvoice); err != nil {
			return err
		}
	}
	return b.service.Events.Append(ctx, b.Tx, b.BusinessID, b.Actor, append(b.events, b.journal...)...)
}

// Tell appends an event when the transaction ends. Events keep their order; those of the journal come last.
func (b *Book) Tell(t event.Type, data event.Data) {
	b.events = append(b.events, event.Happening{Type: t, Data: data})
}

// Gone has others forget what they keep on a record that was deleted or redacted. That happens when the transaction ends: by
// then the record's row has changed, and nobody adds to it any more.
func (b *Book) Gone(recordID string) { b.gone = append(b.gone, recordID) }

func (b *Book) forget(ctx context.Context) error {
	for _, recordID := range b.gone {
		if b.service.Forget == nil {
			break
		}
		if err := b.service.Forget(ctx, b.Tx, b.BusinessID, recordID); err != nil {
			return err
		}
	}
	return nil
}

// Today is the date in the business's zone.
func (b *Book) Today() string { return b.DateAt(b.Tx.Now()) }

// NextInvoiceNumber takes the next number of the business's series.
func (b *Book) NextInvoiceNumber() string {
	b.lastInvoice++
	b.numbered = true
	return invoiceNumber(b.lastInvoice)
}

// ReturnInvoiceNumber gives a number back that a draft held and lets go: if the series has passed it, the series goes back to
// it, so that no hole stays. Numbers of another fashion are nothing to the series.
func (b *Book) ReturnInvoiceNumber(number string) {
	digits, ok := strings.CutPrefix(number, "INV-")
	n, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || n < 1 || n > b.lastInvoice || invoiceNumber(n) != number {
		return
	}
	b.lastInvoice = n - 1
	b.numbered = true
}

func invoiceNumber(n int64) string { return fmt.Sprintf("INV-%06d", n) }

// Unlocked refuses a date on or before the lock date.
func (b *Book) Unlocked(date string) error {
	if b.LockDate != nil && date <= *b.LockDate {
		return ErrLocked.With(*b.LockDate)
	}
	return nil
}

// NewID makes an id.
func (b *Book) NewID(p id.Prefix) string { return b.service.IDs.New(p) }
