package install

import (
	"context"
	"errors"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/app"
	"daybook/internal/tenancy/organization"
)

// Connection is an installation as the app's developer sees it: with the name of the business, and nothing else of it.
type Connection struct {
	Installation
	BusinessName string
	Sandbox      bool
}

// Listing says which installations of an app are meant; an empty member does not narrow.
type Listing struct {
	Status     Status
	BusinessID string
	// Behind is the id of the last one already seen.
	Behind string
	Limit  int
}

// OfApp lists the installations of an app, the newest first, for a member of its organization; more says that there are others
// behind them.
func (s *Service) OfApp(ctx context.Context, appID, by string, l Listing) (found []Connection, more bool, err error) {
	err = s.DB.Snapshot(ctx, func(tx *db.Tx) error {
		if _, err := app.Authorize(ctx, tx, appID, by, organization.Look); err != nil {
			return err
		}
		most := l.Limit
		l.Limit++
		found, err = listOfApp(ctx, tx, appID, l)
		if more = len(found) > most; more {
			found = found[:most]
		}
		return err
	})
	return found, more, err
}

// OneOfApp reads an installation of an app, in whatever state, for a member of its organization.
func (s *Service) OneOfApp(ctx context.Context, appID, by, installationID string) (Connection, error) {
	var c Connection
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = app.Authorize(ctx, tx, appID, by, organization.Look); err != nil {
			return err
		}
		c, err = findOfApp(ctx, tx, appID, installationID)
		if errors.Is(err, db.ErrNoRows) {
			err = ErrNotFound
		}
		return err
	})
	return c, err
}

// Counts tell how the installations of an app came and went: how many were ACTIVE at the end of a time, how many began and ended
// in it.
type Counts struct{ Active, Installed, Uninstalled int64 }

// CountOfApp counts from an instant to another, for a member of the app's organization; of one business, or of all for an empty id.
func (s *Service) CountOfApp(ctx context.Context, appID, by, businessID string, from, to time.Time) (Counts, error) {
	var c Counts
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = app.Authorize(ctx, tx, appID, by, organization.Look); err != nil {
			return err
		}
		c, err = countOfApp(ctx, tx, appID, businessID, from, to)
		return err
	})
	return c, err
}

// UsedInSandbox reports whether an app called in a sandbox business since an instant, for a feature that has settled who is asking.
func UsedInSandbox(ctx context.Context, tx *db.Tx, appID string, since time.Time) (bool, error) {
	return usedInSandbox(ctx, tx, appID, since)
}
