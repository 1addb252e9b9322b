package sandbox

import (
	"context"

	"daybook/internal/base/db"
)

// How many rows one transaction removes: others write in between.
const (
	batch    = 500
	fewBatch = 20
)

// remove removes all rows of a business from some tables, a batch at a time. It may run on several nodes at once, and again.
func (s *Service) remove(ctx context.Context, businessID string, tables []table) error {
	for _, t := range tables {
		if err := s.removeFrom(ctx, businessID, t); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) removeFrom(ctx context.Context, businessID string, t table) error {
	most := int64(batch)
	if t.few {
		most = fewBatch
	}
	for {
		var n int64
		err := s.DB.Write(ctx, func(tx *db.Tx) (err error) {
			n, err = deleteSome(ctx, tx, businessID, t, most)
			return err
		})
		if err != nil || n < most {
			return err
		}
	}
}
