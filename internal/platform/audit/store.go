package audit

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

const columns = `id, at, actor, user_id, action, object_type, object_id, organization_id, business_id, ip, request_id, user_agent, details`

func insert(ctx context.Context, tx *db.Tx, r Row) error {
	_, err := tx.Exec(ctx, `INSERT INTO audit_log (`+columns+`) VALUES (`+db.In(1, 13)+`)`,
		r.ID, r.At, r.Actor, r.UserID, r.Action, r.Object.Type, r.Object.ID, r.OrganizationID, r.BusinessID, r.IP, r.RequestID, r.UserAgent, string(r.Details))
	return err
}

func scan(s db.Scan) (r Row, err error) {
	var details string
	err = s(&r.ID, &r.At, &r.Actor, &r.UserID, &r.Action, &r.Object.Type, &r.Object.ID, &r.OrganizationID, &r.BusinessID, &r.IP, &r.RequestID, &r.UserAgent, &details)
	r.Details = json.RawMessage(details)
	return r, err
}

// list reads rows before an id, newest first; without one, from the newest on.
func list(ctx context.Context, tx *db.Tx, f Filter, before string, limit int) ([]Row, error) {
	where, args := `1 = 1`, []any{}
	add := func(condition string, value any) {
		args = append(args, value)
		where += ` AND ` + condition + ` $` + strconv.Itoa(len(args))
	}
	for _, c := range []struct{ column, value string }{
		{"object_id", f.ObjectID}, {"user_id", f.UserID}, {"organization_id", f.OrganizationID}, {"business_id", f.BusinessID}, {"action", f.Action},
	} {
		if c.value != "" {
			add(c.column+` =`, c.value)
		}
	}
	// Ids sort by time.
	if before != "" {
		add(`id <`, before)
	}
	if !f.From.IsZero() {
		add(`id >=`, id.At(id.Audit, f.From))
	}
	if !f.To.IsZero() {
		add(`id <`, id.At(id.Audit, f.To))
	}
	args = append(args, limit)
	return db.All(ctx, tx, scan, `SELECT `+columns+` FROM audit_log WHERE `+where+` ORDER BY id DESC LIMIT $`+strconv.Itoa(len(args)), args...)
}

// oldest finds up to limit rows of before an instant.
func oldest(ctx context.Context, tx *db.Tx, before time.Time, limit int) ([]string, error) {
	return db.All(ctx, tx, db.Value[string], `SELECT id FROM audit_log WHERE at < $1 ORDER BY at, id LIMIT $2`, before, limit)
}

func remove(ctx context.Context, tx *db.Tx, ids []string) error {
	args := make([]any, len(ids))
	for i, one := range ids {
		args[i] = one
	}
	_, err := tx.Exec(ctx, `DELETE FROM audit_log WHERE id IN (`+db.In(1, len(args))+`)`, args...)
	return err
}
