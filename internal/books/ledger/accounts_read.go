package ledger

import (
	"context"
	"errors"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/books/record"
)

// AccountListing is how accounts are listed.
var AccountListing = record.List{
	Kind: record.Account, IDs: id.Account,
	Sorts: []record.Sort{
		{Name: "code", Column: "r.code"}, {Name: "name", Column: "r.search"},
		{Name: "createdAt", Column: "r.created_at", Number: true}, {Name: "updatedAt", Column: "r.updated_at", Number: true},
	},
	Filters: []record.Filter{
		{Name: "type", Column: "r.type", Values: words(types)}, {Name: "subtype", Column: "r.subtype", Values: allSubtypes()},
		{Name: "status", Column: "r.status", Values: []string{string(Active), string(Archived)}}, {Name: "code", Column: "r.code"},
		{Name: "q", Column: "r.search lower(r.code)", Match: record.Search},
	},
}

// Account reads an account.
func (s *Service) Account(ctx context.Context, by record.Call, accountID string) (Account, error) {
	var a Account
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		a, err = account(ctx, tx, by, accountID)
		return err
	})
	return a, err
}

// ListAccounts reads a page of the chart.
func (s *Service) ListAccounts(ctx context.Context, by record.Call, params map[string][]string) (record.Page[Account], error) {
	q, err := AccountListing.Parse(by.BusinessID, params)
	if err != nil {
		return record.Page[Account]{}, err
	}
	var page record.Page[Account]
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		page, err = record.Fetch(ctx, tx, by, q, accountSource, scanNamedAccount, func(a Account) string { return a.ID })
		return err
	})
	return page, err
}

func account(ctx context.Context, tx *db.Tx, by record.Call, accountID string) (Account, error) {
	a, err := findAccount(ctx, tx, by, accountID)
	if errors.Is(err, db.ErrNoRows) {
		err = record.Missing(record.Account)
	}
	return a, err
}
