package reqlog

import (
	"context"
	"strconv"
	"time"

	"daybook/internal/base/db"
)

const columns = `app_id, request_id, method, route, status, code, version, duration, business_id, user_id`

var insertion = db.NewInsert("request_log", columns, ` ON CONFLICT (app_id, request_id) DO NOTHING`)

func insert(ctx context.Context, tx *db.Tx, list []Entry) error {
	values := insertion.Rows(len(list))
	for _, e := range list {
		values = append(values, e.AppID, e.RequestID, e.method(), optional(e.Route), e.Status, optional(e.Code), optional(e.Version), e.Duration.Milliseconds(),
			optional(e.BusinessID), optional(e.UserID))
	}
	return insertion.Exec(ctx, tx, values)
}

func scan(s db.Scan) (e Entry, err error) {
	var route, code, version, businessID, userID *string
	var ms int64
	err = s(&e.AppID, &e.RequestID, &e.Method, &route, &e.Status, &code, &version, &ms, &businessID, &userID)
	e.Route, e.Code, e.Version, e.BusinessID, e.UserID = word(route), word(code), word(version), word(businessID), word(userID)
	e.Duration = time.Duration(ms) * time.Millisecond
	return e, err
}

// indexes by the column that each finds.
var indexes = map[string]string{
	"code": "request_log_code", "status": "request_log_status", "business_id": "request_log_business", "route": "request_log_route",
}

// arguments of a statement.
type arguments []any

// add gives the name that a value has in the statement.
func (a *arguments) add(value any) string {
	*a = append(*a, value)
	return "$" + strconv.Itoa(len(*a))
}

// within reads entries that lie in a span and meet a condition. For each condition there is one index that has it, the span and the
// order of the list.
func within(tx *db.Tx, a *arguments, appID string, c *condition, s span) string {
	where := ` WHERE l.app_id = ` + a.add(appID)
	if c != nil {
		where = tx.Dialect().IndexedBy(indexes[c.column]) + where + ` AND l.` + c.column + ` = ` + a.add(c.value)
	}
	return `FROM request_log l ` + where + ` AND l.request_id >= ` + a.add(s.from) + ` AND l.request_id < ` + a.add(s.to)
}

// find lists the entries of a span that meet all conditions, newest first. lead is the one that an index is to find; without any
// condition it is nil.
func find(ctx context.Context, tx *db.Tx, appID string, lead *condition, conditions []condition, s span, limit int) ([]Entry, error) {
	var a arguments
	entries := within(tx, &a, appID, lead, s)
	for _, c := range conditions {
		if c == *lead {
			continue
		}
		nothing := ` || ''` // makes it an expression, so that no other index is tempted
		if _, number := c.value.(int); number {
			nothing = ` + 0`
		}
		entries += ` AND l.` + c.column + nothing + ` = ` + a.add(c.value)
	}
	return db.All(ctx, tx, scan, `SELECT `+columns+` `+entries+` ORDER BY l.request_id DESC LIMIT `+a.add(limit), a...)
}

// strideFrom is the id of the last of so many entries of a span that meet a condition, newest first. When there are fewer, it is
// the beginning of the span, and last.
func strideFrom(ctx context.Context, tx *db.Tx, appID string, c condition, s span, most int) (from string, last bool, err error) {
	var a arguments
	entries := within(tx, &a, appID, &c, s)
	id, err := db.One(ctx, tx, func(scan db.Scan) (*string, error) {
		var id *string
		var n int
		err := scan(&id, &n)
		if n < most {
			id = nil
		}
		return id, err
	}, `SELECT min(o.request_id), count(*) FROM (SELECT l.request_id `+entries+` ORDER BY l.request_id DESC LIMIT `+a.add(most)+`) o`, a...)
	if err != nil || id == nil {
		return s.from, true, err
	}
	return *id, false, nil
}

// nextApp is the app behind another one that has entries; nil when there is none.
func nextApp(ctx context.Context, tx *db.Tx, behind string) (*string, error) {
	return db.One(ctx, tx, db.Value[*string], `SELECT min(app_id) FROM request_log WHERE app_id > $1`, behind)
}

// deleteOld deletes up to limit entries of an app whose ids are before that one.
func deleteOld(ctx context.Context, tx *db.Tx, appID, before string, limit int) (int64, error) {
	last, err := db.One(ctx, tx, db.Value[*string], `
		SELECT max(o.request_id) FROM (SELECT request_id FROM request_log WHERE app_id = $1 AND request_id < $2 ORDER BY request_id LIMIT $3) o`,
		appID, before, limit)
	if err != nil || last == nil {
		return 0, err
	}
	return tx.Exec(ctx, `DELETE FROM request_log WHERE app_id = $1 AND request_id <= $2`, appID, *last)
}
