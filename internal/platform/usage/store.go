package usage

import (
	"context"
	"fmt"
	"strings"
	"time"

	"daybook/internal/base/db"
)

// bucketColumns is "b0, b1 …", each name written by form.
func bucketColumns(form string) string {
	parts := make([]string, buckets)
	for i := range parts {
		parts[i] = strings.ReplaceAll(form, "?", fmt.Sprintf("b%d", i))
	}
	return strings.Join(parts, ", ")
}

var (
	keyColumns = `app_id, begins_at, span, business_id, method, route, status, version`
	sumColumns = `calls, rate_limited, ` + bucketColumns("?")

	raiseHead = `INSERT INTO usage_counts (` + keyColumns + `, ` + sumColumns + `) VALUES `
	raiseTail = ` ON CONFLICT (` + keyColumns + `) DO UPDATE SET calls = usage_counts.calls + excluded.calls,
		rate_limited = usage_counts.rate_limited + excluded.rate_limited, ` + bucketColumns("? = usage_counts.? + excluded.?")
)

// most is how many rows one statement writes: with more, neither store is faster. Batches are cut into powers of two, so that
// there are few different texts to prepare.
const most = 16

// raise adds sums to the rows of a span.
func raise(ctx context.Context, tx *db.Tx, span time.Duration, s sums) error {
	keys := s.keys()
	for size := most; len(keys) > 0; {
		if size > len(keys) {
			size /= 2
			continue
		}
		var args []any
		var rows []string
		for _, k := range keys[:size] {
			first, t := len(args)+1, s[k]
			args = append(args, k.app, k.at, span.Milliseconds(), k.business, k.method, k.route, k.status, k.version, t.took.count(), t.limited)
			for _, n := range t.took {
				args = append(args, n)
			}
			rows = append(rows, "("+db.In(first, len(args)+1-first)+")")
		}
		if _, err := tx.Exec(ctx, raiseHead+strings.Join(rows, ", ")+raiseTail, args...); err != nil {
			return err
		}
		keys = keys[size:]
	}
	return nil
}

// slice is the rows of one app that begin at one instant.
type slice struct {
	at  int64
	app string
}

// oldest finds slices of a span that begin before an instant.
func oldest(ctx context.Context, tx *db.Tx, span time.Duration, before int64) ([]slice, error) {
	return db.All(ctx, tx, func(scan db.Scan) (s slice, err error) {
		err = scan(&s.at, &s.app)
		return s, err
	}, `SELECT DISTINCT begins_at, app_id FROM usage_counts WHERE span = $1 AND begins_at < $2 ORDER BY begins_at, app_id LIMIT 100`,
		span.Milliseconds(), before)
}

var removeSQL = `DELETE FROM usage_counts WHERE app_id = $1 AND begins_at = $2 AND span = $3
	RETURNING business_id, method, route, status, version, rate_limited, ` + bucketColumns("?")

// remove takes a slice out of the table.
func remove(ctx context.Context, tx *db.Tx, span time.Duration, s slice) (sums, error) {
	taken := sums{}
	_, err := db.All(ctx, tx, func(scan db.Scan) (struct{}, error) {
		k, t := key{at: s.at, app: s.app}, tally{}
		err := scan(append([]any{&k.business, &k.method, &k.route, &k.status, &k.version, &t.limited}, t.took.fields()...)...)
		taken.add(k, t)
		return struct{}{}, err
	}, removeSQL, s.app, s.at, span.Milliseconds())
	return taken, err
}

// groupColumns is how rows are told apart.
var groupColumns = map[Group]string{
	"":        `''`,
	ByRoute:   `CASE WHEN method = '' THEN route ELSE method || ' ' || route END`,
	ByStatus:  `CAST(status AS TEXT)`,
	ByVersion: `version`,
}

// findSums adds up the rows of every span that a point may consist of: one statement, so that rows which are just being moved are
// seen once.
func findSums(ctx context.Context, tx *db.Tx, appID string, q Query) ([]sumRow, error) {
	span := spans[q.Granularity]
	args := []any{appID, floor(q.From, span), q.To, span.Milliseconds()}
	only := ""
	if q.BusinessID != nil {
		args, only = append(args, *q.BusinessID), "AND business_id = $5"
	}
	sql := `SELECT start, word, CAST(sum(calls) AS BIGINT), CAST(sum(CASE WHEN status >= 400 THEN calls ELSE 0 END) AS BIGINT),
			CAST(sum(rate_limited) AS BIGINT), ` + bucketColumns("CAST(sum(?) AS BIGINT)") + `
		FROM (SELECT begins_at - begins_at % $4 AS start, ` + groupColumns[q.GroupBy] + ` AS word, status, ` + sumColumns + `
			FROM usage_counts WHERE app_id = $1 AND begins_at >= $2 AND begins_at < $3 AND span <= $4 ` + only + `) u
		GROUP BY start, word`
	return db.All(ctx, tx, func(scan db.Scan) (r sumRow, err error) {
		err = scan(append([]any{&r.at, &r.group, &r.calls, &r.errors, &r.limited}, r.took.fields()...)...)
		return r, err
	}, sql, args...)
}

func findUses(ctx context.Context, tx *db.Tx, appID string, since time.Time) ([]Use, error) {
	return db.All(ctx, tx, func(scan db.Scan) (u Use, err error) {
		err = scan(&u.Version, &u.Route, &u.Calls)
		return u, err
	}, `SELECT version, word, CAST(sum(calls) AS BIGINT) AS total
		FROM (SELECT version, `+groupColumns[ByRoute]+` AS word, calls FROM usage_counts WHERE app_id = $1 AND begins_at >= $2 AND version <> '') u
		GROUP BY version, word ORDER BY version, total DESC, word`, appID, since)
}

// fields are where the columns of the buckets are read into.
func (h *histogram) fields() []any {
	list := make([]any, buckets)
	for i := range h {
		list[i] = &h[i]
	}
	return list
}
