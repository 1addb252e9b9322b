package ledger

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/money"
)

// newBooks are the defaults that every business begins with.
var newBooks = Defaults{TaxMode: money.Exclusive, TaxRounding: "LINE", PaymentTermsDays: 30}

// OpenBooks gives a business its books and the default chart, in the transaction that creates it. Books that are there
// already stay as they are. It tells of nothing: nobody can listen to a business that is just being created.
func (s *Service) OpenBooks(ctx context.Context, tx *db.Tx, businessID string) error {
	_, err := s.openBooks(ctx, tx, businessID)
	return err
}

// openBooks reports whether there were none.
func (s *Service) openBooks(ctx context.Context, tx *db.Tx, businessID string) (bool, error) {
	opened, err := insertBooks(ctx, tx, businessID, newBooks)
	if err != nil || !opened {
		return false, err
	}
	return true, s.openChart(ctx, tx, businessID)
}

// openChart gives new books the accounts that they begin with.
func (s *Service) openChart(ctx context.Context, tx *db.Tx, businessID string) error {
	chart := make([]Account, len(defaultChart))
	for i, d := range defaultChart {
		chart[i] = Account{
			ID: s.IDs.New(id.Account), BusinessID: businessID, Code: d.code, Name: d.name, Type: d.kind, Subtype: &defaultChart[i].subtype,
			Status: Active, Version: 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
		}
		if d.role != "" {
			chart[i].Role = &defaultChart[i].role
		}
	}
	return insertChart(ctx, tx, chart)
}

// missingBatch is how many businesses get their books in one transaction.
const missingBatch = 50

// OpenMissing opens the books of businesses that were created before there were books, and counts them. Several nodes
// may do so at once.
func (s *Service) OpenMissing(ctx context.Context) (int, error) {
	total := 0
	for {
		var waiting []string
		err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
			waiting, err = listBookless(ctx, tx, missingBatch)
			return err
		})
		if err != nil || len(waiting) == 0 {
			return total, err
		}
		var opened int
		err = s.DB.Write(ctx, func(tx *db.Tx) error {
			opened = 0
			for _, businessID := range waiting {
				mine, err := s.openBooks(ctx, tx, businessID)
				if err != nil {
					return err
				}
				if mine {
					opened++
				}
			}
			return nil
		})
		if err != nil {
			return total, err
		}
		total += opened
	}
}
