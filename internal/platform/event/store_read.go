package event

import (
	"context"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/platform/scope"
)

// standing is how an app stands in a business, how far the log of the business goes, and where in it the reader is, at one
// instant.
type standing struct {
	live                bool // installed, and not switched off
	registered, granted scope.Set
	first, last         int64  // numbers of the oldest event that is still there, and of the newest there ever was
	place               *int64 // the number of the event at which the reader is, whoever may see it; nil for none that is not too old
}

// findStanding reads tables of others, app and install, so that it is one statement and one instant.
func findStanding(ctx context.Context, tx *db.Tx, who Reader, at *place, oldest time.Time) (standing, error) {
	event := ""
	if at.event != nil && id.Valid(id.Event, *at.event) {
		event = *at.event
	}
	return db.One(ctx, tx, func(scan db.Scan) (s standing, err error) {
		var registered, granted *string
		err = scan(&registered, &granted, &s.first, &s.last, &s.place)
		if s.live = registered != nil && granted != nil; s.live {
			s.registered, s.granted = scope.Parse(*registered), scope.Parse(*granted)
		}
		return s, err
	}, `
		SELECT a.scopes, i.granted_scopes, coalesce((SELECT min(number) FROM events WHERE business_id = b.id), c.last + 1, 1), coalesce(c.last, 0),
			(SELECT number FROM events WHERE business_id = b.id AND id = $4 AND created_at >= $5)
		FROM businesses b LEFT JOIN event_counters c ON c.business_id = b.id
			LEFT JOIN installations i ON i.business_id = b.id AND i.id = $2 AND i.app_id = $3 AND i.status = 'ACTIVE'
			LEFT JOIN apps a ON a.id = i.app_id AND a.suspended_at IS NULL AND a.deactivated_at IS NULL
		WHERE b.id = $1`, who.BusinessID, who.InstallationID, who.AppID, event, oldest)
}

// findEvents gives events of some types, numbered above from and up to to. Those that are for one app are given to it only.
func findEvents(ctx context.Context, tx *db.Tx, who Reader, types Types, from, to int64, oldest time.Time, most int) ([]Event, error) {
	args := append([]any{who.BusinessID, from, to, oldest, who.AppID, most}, types.list()...)
	return db.All(ctx, tx, scanEvent, `
		SELECT `+columns+` FROM events
		WHERE business_id = $1 AND number > $2 AND number <= $3 AND created_at >= $4 AND (app_id IS NULL OR app_id = $5)
			AND type IN (`+db.In(7, len(args)-6)+`)
		ORDER BY number LIMIT $6`, args...)
}

// findNewest gives the newest of the last few events of a business that are of some types, the newest first. Those that are for one
// app are given to it only.
func findNewest(ctx context.Context, tx *db.Tx, who Reader, types Types, oldest time.Time, most int) ([]Event, error) {
	args := append([]any{who.BusinessID, lookBack, oldest, who.AppID, most}, types.list()...)
	return db.All(ctx, tx, scanEvent, `
		SELECT `+columns+` FROM events
		WHERE business_id = $1 AND number > (SELECT c.last - $2 FROM event_counters c WHERE c.business_id = $1) AND created_at >= $3
			AND (app_id IS NULL OR app_id = $4) AND type IN (`+db.In(6, len(args)-5)+`)
		ORDER BY number DESC LIMIT $5`, args...)
}

// findRecent gives the newest events of a business, whomever they are for.
func findRecent(ctx context.Context, tx *db.Tx, businessID string, oldest time.Time, most int) ([]Event, error) {
	return db.All(ctx, tx, scanEvent, `
		SELECT `+columns+` FROM events
		WHERE business_id = $1 AND created_at >= $2 ORDER BY number DESC LIMIT $3`, businessID, oldest, most)
}

const columns = `id, business_id, number, type, app_id, user_id, data, created_at`

func scanEvent(scan db.Scan) (e Event, err error) {
	var data string
	err = scan(&e.ID, &e.BusinessID, &e.Number, &e.Type, &e.AppID, &e.UserID, &data, &e.CreatedAt)
	e.Data = []byte(data)
	return e, err
}

// countEvents gives how many events each business ever had.
func countEvents(ctx context.Context, tx *db.Tx, businesses []any) (map[string]int64, error) {
	last := make(map[string]int64, len(businesses))
	_, err := db.All(ctx, tx, func(scan db.Scan) (struct{}, error) {
		var business string
		var n int64
		err := scan(&business, &n)
		last[business] = n
		return struct{}{}, err
	}, `SELECT business_id, last FROM event_counters WHERE business_id IN (`+db.In(1, len(businesses))+`)`, businesses...)
	return last, err
}

// deleteOld removes some events whose ids sort before one, the oldest first.
func deleteOld(ctx context.Context, tx *db.Tx, before string, most int) (int64, error) {
	return tx.Exec(ctx, `DELETE FROM events WHERE id IN (SELECT id FROM events WHERE id < $1 ORDER BY id LIMIT $2)`, before, most)
}
