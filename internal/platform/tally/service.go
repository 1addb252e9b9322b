package tally

import (
	"context"
	"slices"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/platform/app"
	"daybook/internal/platform/webhook"
	"daybook/internal/tenancy/organization"
)

// Service counts deliveries.
type Service struct {
	DB *db.DB
}

// kept is the instant from which on deliveries are kept: what is older is going, a few at a time.
func kept(now time.Time) time.Time { return now.Truncate(time.Hour).Add(-webhook.Retention) }

// Of counts the deliveries of an app that were created from an instant to another, tests included, for a member of its
// organization: of one business, or of all for an empty id.
func (s *Service) Of(ctx context.Context, appID, by, businessID string, from, to time.Time) (Stats, error) {
	var st Stats
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) error {
		if _, err := app.Authorize(ctx, tx, appID, by, organization.Look); err != nil {
			return err
		}
		from = later(from, kept(tx.Now()))
		if !from.Before(to) {
			return nil
		}
		counted, err := findCounting(ctx, tx)
		if err != nil {
			return err
		}
		p := partsOf(from, to, counted.until)
		if st, err = countDeliveries(ctx, tx, appID, businessID, p); err != nil {
			return err
		}
		st.MedianMs, err = medianOf(ctx, tx, appID, businessID, p)
		return err
	})
	return st, err
}

// sampleSize is how many of a webhook's newest deliveries the median is taken of.
const sampleSize = 1000

// medianOf is half-way through how long the newest deliveries took.
func medianOf(ctx context.Context, tx *db.Tx, appID, businessID string, p parts) (*int64, error) {
	hooks, err := listHooks(ctx, tx, appID)
	if err != nil {
		return nil, err
	}
	var took []int64
	for _, webhookID := range hooks {
		some, err := sampleOf(ctx, tx, webhookID, businessID, p)
		if err != nil {
			return nil, err
		}
		took = append(took, some...)
	}
	if len(took) == 0 {
		return nil, nil
	}
	slices.Sort(took)
	return new(middle(took)), nil
}

// sampleOf is how long some of the newest deliveries of a webhook took: of a business, or of all for an empty id.
func sampleOf(ctx context.Context, tx *db.Tx, webhookID, businessID string, p parts) ([]int64, error) {
	if businessID == "" {
		return listDurations(ctx, tx, webhookID, "", idsOf(p.from, p.to), sampleSize)
	}
	places, err := whereToLook(ctx, tx, webhookID, businessID, p)
	if err != nil {
		return nil, err
	}
	var took []int64
	for _, place := range places {
		some, err := listDurations(ctx, tx, webhookID, businessID, place, sampleSize-len(took))
		if err != nil {
			return nil, err
		}
		if took = append(took, some...); len(took) >= sampleSize {
			break
		}
	}
	return took, nil
}

// How far a sample of one business looks: at so many deliveries of all businesses that are not counted yet, and then about as many in
// counted hours in which there was one of it, the newest first.
const (
	sampleWalk  = 10_000
	sampleHours = 24
)

// whereToLook are the stretches of a webhook's log in which deliveries of a business are, newest first. The log is not kept by business.
func whereToLook(ctx context.Context, tx *db.Tx, webhookID, businessID string, p parts) ([]within, error) {
	last := idsOf(p.end, p.to)
	reached, err := walkBack(ctx, tx, webhookID, last.before, sampleWalk)
	if err != nil {
		return nil, err
	}
	last.from = max(last.from, reached)
	hours, err := listBusyHours(ctx, tx, webhookID, businessID, p.begin, p.end, sampleHours)
	if err != nil {
		return nil, err
	}
	places, walked, found := []within{last}, int64(0), int64(0)
	for _, h := range hours {
		if walked >= sampleWalk || found >= sampleSize {
			break
		}
		places, walked, found = append(places, idsOf(h.begins, h.begins.Add(time.Hour))), walked+h.all, found+h.made
	}
	return append(places, idsOf(p.from, p.begin)), nil
}

// within is a part of the log, by ids, which sort by time.
type within struct{ from, before string }

func idsOf(from, before time.Time) within {
	return within{id.At(id.Delivery, from), id.At(id.Delivery, before)}
}
