package webhook

import (
	"context"
	"slices"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/app"
	"daybook/internal/tenancy/organization"
)

// Stats tell what became of an app's deliveries. They go back as far as deliveries are kept: 30 days.
type Stats struct {
	Delivered, Failed, Retrying int64
	// MedianMs is how long receivers took to accept one, of the newest of each webhook; nil when none was.
	MedianMs *int64
}

// sampleSize is how many of a webhook's newest deliveries the median is taken of.
const sampleSize = 1000

// Stats counts the deliveries of an app that were created from an instant to another, tests included, for a member of its
// organization: of one business, or of all for an empty id.
//
// A busy app has millions. What is counted of all businesses therefore stands in indexes alone: all, what has failed, what waits;
// the rest was delivered.
func (s *Service) Stats(ctx context.Context, appID, by, businessID string, from, to time.Time) (Stats, error) {
	var st Stats
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = app.Authorize(ctx, tx, appID, by, organization.Look); err != nil {
			return err
		}
		if businessID == "" {
			st, err = countDeliveries(ctx, tx, appID, from, to)
		} else {
			st, err = countDeliveriesOf(ctx, tx, appID, businessID, from, to)
		}
		if err != nil {
			return err
		}
		st.MedianMs, err = medianOf(ctx, tx, appID, businessID, from, to)
		return err
	})
	return st, err
}

// medianOf is half-way through how long the newest deliveries took.
func medianOf(ctx context.Context, tx *db.Tx, appID, businessID string, from, to time.Time) (*int64, error) {
	hooks, err := listOf(ctx, tx, appID)
	if err != nil {
		return nil, err
	}
	var took []int64
	for _, w := range hooks {
		some, err := listDurations(ctx, tx, w.ID, businessID, from, to, sampleSize)
		if err != nil {
			return nil, err
		}
		took = append(took, some...)
	}
	if len(took) == 0 {
		return nil, nil
	}
	slices.Sort(took)
	middle := took[len(took)/2]
	if len(took)%2 == 0 {
		middle = (middle + took[len(took)/2-1] + 1) / 2
	}
	return &middle, nil
}
