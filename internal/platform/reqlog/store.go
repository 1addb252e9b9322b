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

// arguments of a statement.
type arguments []any

// add gives the name that a value has in the statement.
func (a *arguments) add(value any) string {
	*a = append(*a, value)
	return "$" + strconv.Itoa(len(*a))
}

// within says that entries lie in a span and meet the first condition, in words for which there is one index, and that in the order
// of the list: whatever a database believes about how often a value occurs, it cannot do better by another.
func within(a *arguments, appID string, first *condition, s span) (where, order string) {
	app, from, to := a.add(appID), a.add(s.from), a.add(s.to)
	where = `l.app_id = ` + app + ` AND l.request_id >= ` + from + ` AND l.request_id < ` + to
	order = `l.request_id DESC`
	if first != nil {
		value := a.add(first.value)
		row := `(l.` + first.column + `, l.request_id)`
		where += ` AND ` + row + ` >= (` + value + `, ` + from + `) AND ` + row + ` < (` + value + `, ` + to + `)`
		order = `l.` + first.column + ` DESC, ` + order
	}
	return where, order
}

// find lists the entries of a span that meet all conditions, newest first.
func find(ctx context.Context, tx *db.Tx, appID string, conditions []condition, s span, limit int) ([]Entry, error) {
	var a arguments
	var first *condition
	if len(conditions) > 0 {
		first = &conditions[0]
	}
	where, order := within(&a, appID, first, s)
	for i := 1; i < len(conditions); i++ {
		// As an expression, so that no other index is tempted.
		c, nothing := conditions[i], ` || ''`
		if _, number := c.value.(int); number {
			nothing = ` + 0`
		}
		where += ` AND l.` + c.column + nothing + ` = ` + a.add(c.value)
	}
	return db.All(ctx, tx, scan, `SELECT `+columns+` FROM request_log l WHERE `+where+` ORDER BY `+order+` LIMIT `+a.add(limit), a...)
}

// strideFrom is the id of the last of so many entries of a span that meet a condition, newest first. When there are fewer, it is
// the beginning of the span, and last.
func strideFrom(ctx context.Context, tx *db.Tx, appID string, c condition, s span, most int) (from string, last bool, err error) {
	var a arguments
	where, order := within(&a, appID, &c, s)
	id, err := db.One(ctx, tx, func(scan db.Scan) (*string, error) {
		var id *string
		var n int
		err := scan(&id, &n)
		if n < most {
			id = nil
		}
		return id, err
	}, `SELECT min(o.request_id), count(*) FROM (SELECT l.request_id FROM request_log l WHERE `+where+` ORDER BY `+order+` LIMIT `+a.add(most)+`) o`, a...)
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
