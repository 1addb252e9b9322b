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

	raiseHead = `INSERT INTO %s AS t (` + keyColumns + `, ` + sumColumns + `) VALUES `
	raiseTail = ` ON CONFLICT (` + keyColumns + `) DO UPDATE SET calls = t.calls + excluded.calls,
		rate_limited = t.rate_limited + excluded.rate_limited, ` + bucketColumns("? = t.? + excluded.?")
)

// table is one of the two, which have the same columns.
type table string

const (
	counts table = "usage_counts" // business by business
	totals table = "usage_totals" // of all businesses together, hours and days only; the column of the business is empty
)

// most is how many rows one statement writes: with more, neither store is faster. Batches are cut into powers of two, so that
// there are few different texts to prepare.
const most = 16

// raise adds sums to the rows of a span.
func (in table) raise(ctx context.Context, tx *db.Tx, span time.Duration, s sums) error {
	keys, head := s.keys(), fmt.Sprintf(raiseHead, in)
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
		if _, err := tx.Exec(ctx, head+strings.Join(rows, ", ")+raiseTail, args...); err != nil {
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
func (in table) oldest(ctx context.Context, tx *db.Tx, span time.Duration, before int64) ([]slice, error) {
	return db.All(ctx, tx, func(scan db.Scan) (s slice, err error) {
		err = scan(&s.at, &s.app)
		return s, err
	}, `SELECT DISTINCT begins_at, app_id FROM `+string(in)+` WHERE span = $1 AND begins_at < $2 ORDER BY begins_at, app_id LIMIT 100`,
		span.Milliseconds(), before)
}

var removeSQL = `DELETE FROM %s WHERE app_id = $1 AND begins_at = $2 AND span = $3
	RETURNING business_id, method, route, status, version, rate_limited, ` + bucketColumns("?")

// remove takes a slice out of the table.
func (in table) remove(ctx context.Context, tx *db.Tx, span time.Duration, s slice) (sums, error) {
	taken := sums{}
	_, err := db.All(ctx, tx, func(scan db.Scan) (struct{}, error) {
		k, t := key{at: s.at, app: s.app}, tally{}
		err := scan(append([]any{&k.business, &k.method, &k.route, &k.status, &k.version, &t.limited}, t.took.fields()...)...)
		taken.add(k, t)
		return struct{}{}, err
	}, fmt.Sprintf(removeSQL, in), s.app, s.at, span.Milliseconds())
	return taken, err
}

// groupColumns is how rows are told apart.
var groupColumns = map[Group]string{
	"":        `''`,
	ByRoute:   `CASE WHEN method = '' THEN route ELSE method || ' ' || route END`,
	ByStatus:  `CAST(status AS TEXT)`,
	ByVersion: `version`,
}

// source says which rows of an app are to be read from an instant on, and before another: its hours or days, of one business or the totals of
// all, with the minutes that are not yet in them. It is part of one statement, so that rows which are just being moved are seen once.
// $1 is the app, $2 and $3 are the instants. Spans are written out: in these words, there are indexes.
func source(columns string, span time.Duration, oneBusiness string) string {
	of := func(in table, span time.Duration) string {
		sql := fmt.Sprintf(`SELECT %s FROM %s WHERE app_id = $1 AND begins_at >= $2 AND begins_at < $3 AND span = %d`, columns, in, span.Milliseconds())
		if oneBusiness != "" {
			sql += ` AND business_id = ` + oneBusiness
		}
		return sql
	}
	if oneBusiness != "" {
		return of(counts, span) + ` UNION ALL ` + of(counts, minute)
	}
	return of(totals, span) + ` UNION ALL ` + of(counts, minute)
}

// findSums adds up the rows that each point consists of.
func findSums(ctx context.Context, tx *db.Tx, appID string, q Query) ([]sumRow, error) {
	span := spans[q.Granularity]
	args := []any{appID, floor(q.From, span), q.To, span.Milliseconds()}
	only := ""
	if q.BusinessID != nil {
		args, only = append(args, *q.BusinessID), "$5"
	}
	sql := `SELECT begins_at - begins_at % $4 AS start, ` + groupColumns[q.GroupBy] + ` AS word, CAST(sum(calls) AS BIGINT), CAST(sum(CASE WHEN status >= 400 THEN calls ELSE 0 END) AS BIGINT),
			CAST(sum(rate_limited) AS BIGINT), ` + bucketColumns("CAST(sum(?) AS BIGINT)") + `
		FROM (` + source(`begins_at, method, route, status, version, `+sumColumns, span, only) + `) u
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
	}, `SELECT version, `+groupColumns[ByRoute]+` AS word, CAST(sum(calls) AS BIGINT) AS total
		FROM (`+source(`method, route, version, calls`, hour, "")+`) u WHERE version <> ''
		GROUP BY version, word ORDER BY version, total DESC, word`, appID, since, tx.Now().Add(day))
}

// fields are where the columns of the buckets are read into.
func (h *histogram) fields() []any {
	list := make([]any, buckets)
	for i := range h {
		list[i] = &h[i]
	}
	return list
}
