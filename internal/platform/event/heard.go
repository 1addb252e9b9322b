package event

import (
	"context"
	"slices"
	"strings"

	"daybook/internal/base/db"
	"daybook/internal/platform/scope"
)

// Place is a business where an app is installed, and what it may do there.
type Place struct {
	BusinessID string
	Granted    scope.Set
}

// lookBack is how many of the newest events of a business are looked at for those that an app may see.
const lookBack = 1000

// Heard gives the newest events that an app may see in some places, the newest first, for the app's developers: the caller has
// proved that the one who asks is one of them, that the app is at work, and that it is installed there.
func (f *Feed) Heard(ctx context.Context, appID string, registered scope.Set, places []Place, most int) ([]Event, error) {
	var list []Event
	err := f.DB.Snapshot(ctx, func(tx *db.Tx) error {
		list = nil
		for _, p := range places {
			visible := heard(registered) & heard(p.Granted)
			found, err := findNewest(ctx, tx, Reader{AppID: appID, BusinessID: p.BusinessID}, visible, tx.Now().Add(-Life), most)
			if err != nil {
				return err
			}
			list = append(list, found...)
		}
		return nil
	})
	slices.SortFunc(list, func(a, b Event) int { return strings.Compare(b.ID, a.ID) }) // ids sort by time
	return list[:min(len(list), most)], err
}
