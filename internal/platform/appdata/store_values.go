package appdata

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/platform/scope"
)

const (
	valueColumns = `v.id, v.resource_type, v.resource_id, f.key, f.type, v.value, v.origin, v.created_at, v.updated_at, v.field_id, f.rules`
	valueSource  = ` FROM app_data v JOIN app_fields f ON f.id = v.field_id WHERE v.business_id = $1 AND v.app_id = $2 `
)

func scanValue(s db.Scan) (Value, error) {
	var v Value
	var value string
	var rules RuleSet
	err := s(&v.ID, &v.ResourceType, &v.ResourceID, &v.Key, &v.Type, &value, &v.Origin, &v.CreatedAt, &v.UpdatedAt, &v.fieldID, db.JSON(&rules))
	if err != nil {
		return v, err
	}
	v.Value = json.RawMessage(value)
	r, err := rules.stored(v.Type)
	if err != nil {
		return v, err
	}
	return v.shown(r), nil
}

func listValues(ctx context.Context, tx *db.Tx, by Call, resourceIDs []string) ([]Value, error) {
	return db.All(ctx, tx, scanValue, `SELECT `+valueColumns+valueSource+`AND v.resource_id IN (`+db.In(3, len(resourceIDs))+`) ORDER BY v.resource_id, f.key`,
		append([]any{by.BusinessID, by.AppID}, anys(resourceIDs)...)...)
}

// listShown reads tables of others, app and install, so that it is one statement: what people see of a record follows from
// which apps are connected, and how.
func listShown(ctx context.Context, tx *db.Tx, businessID string, t ResourceType, resourceID string) ([]Shown, error) {
	type row struct {
		Shown
		registered, granted scope.Set
	}
	rows, err := db.All(ctx, tx, func(s db.Scan) (r row, err error) {
		var registered, granted string
		var valueID, value, origin, userID *string
		var created, updated *time.Time
		r.Field, err = scanField(func(into ...any) error {
			return s(append(into, &registered, &granted, &valueID, &value, &origin, &userID, &created, &updated)...)
		})
		if err != nil {
			return r, err
		}
		r.registered, r.granted = scope.Parse(registered), scope.Parse(granted)
		if valueID != nil {
			v := Value{
				ID: *valueID, ResourceType: t, ResourceID: resourceID, Key: r.Field.Key, Type: r.Field.Type, Value: json.RawMessage(*value),
				Origin: Origin(*origin), UserID: userID, CreatedAt: *created, UpdatedAt: *updated, fieldID: r.Field.ID,
			}.shown(r.Field.Rules)
			r.Value = &v
		}
		return r, nil
	}, `SELECT `+fieldColumns+`, a.scopes, i.granted_scopes, v.id, v.value, v.origin, v.user_id, v.created_at, v.updated_at
		FROM installations i JOIN apps a ON a.id = i.app_id AND a.suspended_at IS NULL AND a.deactivated_at IS NULL
			JOIN app_fields f ON f.app_id = a.id AND f.resource_type = $2 AND f.visibility IN ('READ', 'EDIT')
			LEFT JOIN app_data v ON v.business_id = i.business_id AND v.resource_id = $3 AND v.app_id = a.id AND v.field_id = f.id
		WHERE i.business_id = $1 AND i.status = 'ACTIVE' ORDER BY a.name, a.id, f.label, f.key`, businessID, t, resourceID)
	var list []Shown
	for _, r := range rows {
		if r.registered.Has(t.Scope()) && r.granted.Has(t.Scope()) {
			list = append(list, r.Shown)
		}
	}
	return list, err
}

func findValue(ctx context.Context, tx *db.Tx, by Call, valueID string) (Value, error) {
	return db.One(ctx, tx, scanValue, `SELECT `+valueColumns+valueSource+`AND v.id = $3`, by.BusinessID, by.AppID, valueID)
}

// upsert writes values that stand at different places, and gives them their ids and the times of their making.
func upsert(ctx context.Context, tx *db.Tx, by Call, values []Value) ([]Value, error) {
	var sql strings.Builder
	sql.WriteString(`INSERT INTO app_data (id, business_id, app_id, field_id, resource_type, resource_id, value, origin, user_id, created_at, updated_at) VALUES `)
	args := make([]any, 0, 11*len(values))
	at := map[place]int{}
	for i, v := range values {
		if i > 0 {
			sql.WriteString(", ")
		}
		sql.WriteString("(" + db.In(len(args)+1, 11) + ")")
		args = append(args, v.ID, by.BusinessID, by.AppID, v.fieldID, v.ResourceType, v.ResourceID, string(v.Value), v.Origin, v.UserID, v.CreatedAt, v.UpdatedAt)
		at[place{v.ResourceID, v.fieldID}] = i
	}
	sql.WriteString(` ON CONFLICT (business_id, resource_id, app_id, field_id) DO UPDATE
		SET value = excluded.value, origin = excluded.origin, user_id = excluded.user_id, updated_at = excluded.updated_at RETURNING id, resource_id, field_id, created_at`)
	_, err := db.All(ctx, tx, func(s db.Scan) (struct{}, error) {
		var row Value
		err := s(&row.ID, &row.ResourceID, &row.fieldID, &row.CreatedAt)
		if i, ours := at[place{row.ResourceID, row.fieldID}]; ours {
			values[i].ID, values[i].CreatedAt = row.ID, row.CreatedAt
		}
		return struct{}{}, err
	}, sql.String(), args...)
	return values, err
}

func deleteValue(ctx context.Context, tx *db.Tx, by Call, valueID string) (bool, error) {
	n, err := tx.Exec(ctx, `DELETE FROM app_data WHERE business_id = $1 AND app_id = $2 AND id = $3`, by.BusinessID, by.AppID, valueID)
	return n == 1, err
}

func deleteOfRecord(ctx context.Context, tx *db.Tx, businessID, resourceID string) error {
	_, err := tx.Exec(ctx, `DELETE FROM app_data WHERE business_id = $1 AND resource_id = $2`, businessID, resourceID)
	return err
}

func deleteOfApp(ctx context.Context, tx *db.Tx, businessID, appID string) error {
	_, err := tx.Exec(ctx, `DELETE FROM app_data WHERE business_id = $1 AND app_id = $2`, businessID, appID)
	return err
}
