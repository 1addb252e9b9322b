package tax

import (
	"context"
	"errors"

	"daybook/internal/base/db"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
)

// Service has the verbs of tax rates.
type Service struct {
	DB     *db.DB
	Ledger *ledger.Service
}

// Listing is how tax rates are listed. A business has a handful of them.
var Listing = record.List{
	Kind: record.TaxRate, IDs: "tax", NoExternalID: true,
	Sorts: []record.Sort{
		{Name: "createdAt", Column: "r.created_at", Number: true},
		{Name: "updatedAt", Column: "r.updated_at", Number: true},
	},
	Filters: []record.Filter{
		{Name: "kind", Column: "r.kind", Values: []string{string(Sales), string(Purchase), string(Both)}},
		{Name: "category", Column: "r.category", Values: []string{
			string(Standard), string(Reduced), string(Zero), string(Exempt), string(ReverseCharge), string(OutOfScope)}},
		{Name: "status", Column: "r.status", Values: []string{string(Active), string(Archived)}},
	},
}

// Get reads a rate.
func (s *Service) Get(ctx context.Context, by record.Call, rateID string) (Rate, error) {
	var r Rate
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		r, err = existing(ctx, tx, by.BusinessID, rateID)
		return err
	})
	return r, err
}

// List reads a page of rates.
func (s *Service) List(ctx context.Context, by record.Call, params map[string][]string) (record.Page[Rate], error) {
	q, err := Listing.Parse(by.BusinessID, params)
	if err != nil {
		return record.Page[Rate]{}, err
	}
	var page record.Page[Rate]
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		page, err = record.Fetch(ctx, tx, by, q, source, scan, func(r Rate) string { return r.ID })
		return err
	})
	return page, err
}

type ratesRead struct{}

// RatesIn reads those rates of the business that exist among the ids, whatever their status, in one statement.
func (s *Service) RatesIn(ctx context.Context, b *ledger.Book, ids []string) (map[string]Rate, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	known := ledger.Recall[string, *Rate](b, ratesRead{}) // nil for none
	var unknown []string
	for _, i := range ids {
		if _, ok := known[i]; !ok {
			unknown = append(unknown, i)
			known[i] = nil
		}
	}
	if len(unknown) > 0 {
		list, err := findMany(ctx, b.Tx, b.BusinessID, unknown)
		if err != nil {
			return nil, err
		}
		for i := range list {
			known[list[i].ID] = &list[i]
		}
	}
	rates := make(map[string]Rate, len(ids))
	for _, i := range ids {
		if r := known[i]; r != nil {
			rates[i] = *r
		}
	}
	return rates, nil
}

func existing(ctx context.Context, tx *db.Tx, businessID, rateID string) (Rate, error) {
	r, err := find(ctx, tx, businessID, rateID)
	if errors.Is(err, db.ErrNoRows) {
		err = record.Missing(record.TaxRate)
	}
	return r, err
}
