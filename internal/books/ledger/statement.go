package ledger

import (
	"context"
	"errors"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/money"
	"daybook/internal/books/record"
)

// StatementLine is a line of an account's ledger.
type StatementLine struct {
	ID          string
	Date        string
	EntryID     string
	EntryNumber int64
	Source      Source
	Memo        *string // of the entry
	Description *string // of the line
	CustomerID  *string
	SupplierID  *string
	Debit       money.Amount
	Credit      money.Amount
	Currency    *string
	Foreign     *money.Amount
	// Balance of the account after this line, on the side on which the account grows.
	Balance money.Amount
}

// StatementListing is how the lines of an account are listed: the oldest first, those of one day in the order of their
// making.
var StatementListing = record.List{
	Kind: "account_ledger", IDs: id.JournalLine, OneOrder: true, NoExternalID: true, NoUpdated: true,
	Sorts: []record.Sort{{Name: "date", Column: "r.date"}},
	Filters: []record.Filter{
		{Name: "dateFrom", Column: "r.date", Match: record.From, Form: record.Date},
		{Name: "dateTo", Column: "r.date", Match: record.To, Form: record.Date},
	},
}

// Statement reads a page of an account's ledger. The balances count every line before, also those that filters leave out.
func (s *Service) Statement(ctx context.Context, by record.Call, accountID string, params map[string][]string) (record.Page[StatementLine], error) {
	var page record.Page[StatementLine]
	list := StatementListing
	list.Kind += record.Kind(" " + accountID) // a cursor belongs to one account
	q, err := list.Parse(by.BusinessID, params)
	if err != nil {
		return page, err
	}
	q = q.And("r.account_id = {}", accountID)
	// On one state: a line posted between the two statements would count in one of them only.
	err = s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		page, err = record.Fetch(ctx, tx, by, q, statementSource, scanStatementLine, func(l StatementLine) string { return l.ID })
		if err != nil {
			return err
		}
		var first StatementLine // without a line nothing lies before
		if len(page.Data) > 0 {
			first = page.Data[0]
		}
		a, balance, err := balanceBefore(ctx, tx, by.BusinessID, accountID, first)
		if errors.Is(err, db.ErrNoRows) {
			err = record.Missing(record.Account)
		}
		if err != nil {
			return err
		}
		for i, l := range page.Data {
			balance += l.Debit - l.Credit
			page.Data[i].Balance = a.Normal(balance)
		}
		return nil
	})
	return page, err
}
