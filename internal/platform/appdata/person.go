package appdata

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/platform/event"
	"daybook/internal/tenancy/business"
)

// Person is a member of a business who works on our own pages.
type Person struct {
	BusinessID string
	UserID     string
}

// Shown is a field that people see on a record, and what it holds there.
type Shown struct {
	Field Field
	Value *Value // nil: nothing yet
}

// Shown lists the fields that people see on a record, app by app: those of visibility READ and EDIT, of apps that are
// connected, running, and may read such records.
func (s *Service) Shown(ctx context.Context, by Person, t ResourceType, resourceID string) ([]Shown, error) {
	var list []Shown
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = business.Require(ctx, tx, by.BusinessID, by.UserID, t.Permission()); err != nil {
			return err
		}
		list, err = listShown(ctx, tx, by.BusinessID, t, resourceID)
		return err
	})
	return list, err
}

// Edit writes what a person entered in fields of one app on a record: new values by their keys, nil for one that is taken
// away. All or nothing. Only fields of visibility EDIT are theirs to change; the app hears of it with origin USER.
func (s *Service) Edit(ctx context.Context, by Person, appID string, t ResourceType, resourceID string, entered map[string]json.RawMessage) error {
	keys := slices.Sorted(maps.Keys(entered))
	var values []NewValue
	var gone []string
	for _, key := range keys {
		if entered[key] == nil {
			gone = append(gone, key)
			continue
		}
		values = append(values, NewValue{ResourceType: t, ResourceID: resourceID, Key: key, Value: entered[key]})
	}
	ids := make([]string, len(values))
	for i := range ids {
		ids[i] = s.IDs.New(id.FieldValue)
	}
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := business.Require(ctx, tx, by.BusinessID, by.UserID, t.Permission()); err != nil {
			return err
		}
		present, err := editable(ctx, tx, by.BusinessID, appID, t, resourceID, keys)
		if err != nil {
			return err
		}
		in := Call{BusinessID: by.BusinessID, AppID: appID}
		happened, err := s.enter(ctx, tx, in, by.UserID, present, values, ids)
		if err != nil {
			return err
		}
		var taken []Value
		for _, key := range gone {
			v := present[key].Value
			if v == nil {
				continue
			}
			if _, err := deleteValue(ctx, tx, in, v.ID); err != nil {
				return err
			}
			v.Origin = ByUser // of the deletion
			taken = append(taken, *v)
		}
		happened = append(happened, told(appID, taken, true)...)
		return s.Events.Append(ctx, tx, by.BusinessID, event.Actor{Type: event.User, UserID: by.UserID}, happened...)
	})
}

// editable finds the fields of those keys that a person may change, with what they hold. A key that is not among them is a
// field that there is not.
func editable(ctx context.Context, tx *db.Tx, businessID, appID string, t ResourceType, resourceID string, keys []string) (map[string]Shown, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	held, err := holdFields(ctx, tx, appID, keys) // so that they are there when the values are written
	if err != nil {
		return nil, err
	}
	list, err := listShown(ctx, tx, businessID, t, resourceID)
	if err != nil {
		return nil, err
	}
	found := map[string]Shown{}
	for _, one := range list {
		still := slices.ContainsFunc(held, func(f Field) bool { return f.ID == one.Field.ID })
		if one.Field.AppID == appID && one.Field.Visibility == Edit && still {
			found[one.Field.Key] = one
		}
	}
	for _, key := range keys {
		if _, ok := found[key]; !ok {
			return nil, ErrNotEditable.With(key)
		}
	}
	return found, nil
}

// enter writes the new values of a person.
func (s *Service) enter(ctx context.Context, tx *db.Tx, in Call, by string, present map[string]Shown, values []NewValue, ids []string) ([]event.Happening, error) {
	if len(values) == 0 {
		return nil, nil
	}
	if err := checkShape(values); err != nil {
		return nil, err
	}
	fields := make([]Field, len(values))
	for i, v := range values {
		fields[i] = present[v.Key].Field
	}
	made, err := judged(tx, fields, values, ids)
	if err != nil {
		return nil, err
	}
	for i := range made {
		made[i].Origin, made[i].UserID = ByUser, &by
	}
	if err := s.hold(ctx, tx, in, values); err != nil {
		return nil, err
	}
	if made, err = upsert(ctx, tx, in, made); err != nil {
		return nil, err
	}
	return told(in.AppID, made, false), nil
}
