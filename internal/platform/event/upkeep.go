package event

import (
	"context"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

const (
	cleanBatch = 500 // events that one transaction removes: others write meanwhile
	countBatch = 500 // businesses that one statement asks about
)

// CleanUp removes events that nobody can read any more. An event's id is made after its instant was taken, so whatever is
// old by its id is old.
func (f *Feed) CleanUp(ctx context.Context) error {
	for {
		var n int64
		err := f.DB.Write(ctx, func(tx *db.Tx) (err error) {
			n, err = deleteOld(ctx, tx, id.At(id.Event, tx.Now().Add(-Life)), cleanBatch)
			return err
		})
		if err != nil || n < cleanBatch {
			return err
		}
	}
}

// Listen wakes those who wait for events that another process appended; of our own they hear when they are committed. It
// costs nothing while nobody waits.
func (f *Feed) Listen(ctx context.Context) error {
	for some := range slices.Chunk(f.Log.bell.businesses(), countBatch) {
		var last map[string]int64
		err := f.DB.Read(ctx, func(tx *db.Tx) (err error) {
			last, err = countEvents(ctx, tx, some)
			return err
		})
		if err != nil {
			return err
		}
		f.Log.bell.counted(last)
	}
	return nil
}

// Drain ends every wait at once, and lets nobody wait any more: the node is about to stop.
func (f *Feed) Drain() { f.Log.bell.close() }
