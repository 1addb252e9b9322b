package party

import (
	"context"
	"errors"

	"daybook/internal/base/db"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
	"daybook/internal/books/tax"
)

// Service has the verbs of customers and suppliers.
type Service struct {
	DB     *db.DB
	Ledger *ledger.Service
	Taxes  *tax.Service
	// Uses are asked whether anything refers to a party: one function for each sort of record that can.
	Uses []func(ctx context.Context, tx *db.Tx, businessID, partyID string) (bool, error)
}

// How customers and suppliers are listed.
var (
	CustomerListing = listing(record.Customer)
	SupplierListing = listing(record.Supplier)
)

func listing(kind record.Kind) record.List {
	return record.List{
		Kind: kind, IDs: natures[kind].ids,
		Sorts: []record.Sort{
			{Name: "createdAt", Column: "r.created_at", Number: true},
			{Name: "updatedAt", Column: "r.updated_at", Number: true},
			{Name: "displayName", Column: "r.search"},
		},
		Filters: []record.Filter{
			{Name: "status", Column: "r.status", Values: []string{string(Active), string(Archived), string(Redacted)}},
			{Name: "type", Column: "r.type", Values: []string{string(Company), string(Individual)}},
			{Name: "email", Column: "r.email_key", Match: record.LowerAny},
			{Name: "q", Column: "r.search r.email_key", Match: record.Search},
		},
	}
}

// Get reads a party.
func (s *Service) Get(ctx context.Context, by record.Call, kind record.Kind, partyID string) (Party, error) {
	var p Party
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		p, err = existing(ctx, tx, by, kind, partyID)
		return err
	})
	return p, err
}

// List reads a page of parties.
func (s *Service) List(ctx context.Context, by record.Call, kind record.Kind, params map[string][]string) (record.Page[Party], error) {
	list := CustomerListing
	if kind == record.Supplier {
		list = SupplierListing
	}
	q, err := list.Parse(by.BusinessID, params)
	if err != nil {
		return record.Page[Party]{}, err
	}
	var page record.Page[Party]
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		page, err = record.Fetch(ctx, tx, by, q, source(kind), scanner(kind), func(p Party) string { return p.ID })
		return err
	})
	return page, err
}

// FindIn reads the party that a document names at path, without its balance. Whether the document may is for Usable to say.
func (s *Service) FindIn(ctx context.Context, b *ledger.Book, kind record.Kind, partyID, path string) (Party, error) {
	if p, ok := inserting.Find(b, partyID); ok && p.Kind == kind {
		return p, nil
	}
	known := ledger.Recall[key, *Party](b, partiesRead{})
	if err := read(ctx, b, known, kind, []string{partyID}); err != nil {
		return Party{}, err
	}
	if p := known[key{kind, partyID}]; p != nil {
		return *p, nil
	}
	return Party{}, record.ErrReference.With(path)
}

// Expect reads parties that FindIn will be asked for, in one statement, for a Book that holds.
func (s *Service) Expect(ctx context.Context, b *ledger.Book, kind record.Kind, ids []string) error {
	return read(ctx, b, ledger.Recall[key, *Party](b, partiesRead{}), kind, ids)
}

type partiesRead struct{}

type key struct {
	kind record.Kind
	id   string
}

// read reads parties that are not known; nil stands for none.
func read(ctx context.Context, b *ledger.Book, known map[key]*Party, kind record.Kind, ids []string) error {
	var unknown []string
	for _, i := range ids {
		if _, ok := known[key{kind, i}]; !ok {
			unknown = append(unknown, i)
			known[key{kind, i}] = nil
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	list, err := findMany(ctx, b.Tx, b.Call, kind, unknown)
	for i := range list {
		known[key{kind, list[i].ID}] = &list[i]
	}
	return err
}

func existing(ctx context.Context, tx *db.Tx, by record.Call, kind record.Kind, partyID string) (Party, error) {
	p, err := find(ctx, tx, by, kind, partyID)
	if errors.Is(err, db.ErrNoRows) {
		err = record.Missing(kind)
	}
	return p, err
}

// current reads a party that is about to change.
func current(ctx context.Context, b *ledger.Book, kind record.Kind, partyID string, seen *int) (Party, error) {
	p, err := existing(ctx, b.Tx, b.Call, kind, partyID)
	if err == nil {
		err = record.Fresh(p.Version, seen)
	}
	return p, err
}

// used asks whether anything refers to the party.
func (s *Service) used(ctx context.Context, b *ledger.Book, p Party) (bool, error) {
	for _, uses := range s.Uses {
		if yes, err := uses(ctx, b.Tx, b.BusinessID, p.ID); err != nil || yes {
			return yes, err
		}
	}
	return false, nil
}
