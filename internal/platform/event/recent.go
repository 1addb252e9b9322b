package event

import (
	"context"

	"daybook/internal/base/db"
)

// Recent gives the newest events of a business, the newest first, for its own people. Which of them a person may see is for
// the caller to say, who knows what they may do.
func (f *Feed) Recent(ctx context.Context, businessID string, most int) ([]Event, error) {
	var list []Event
	err := f.DB.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = findRecent(ctx, tx, businessID, tx.Now().Add(-Life), most)
		return err
	})
	return list, err
}
