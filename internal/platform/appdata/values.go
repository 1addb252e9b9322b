package appdata

import (
	"context"
	"errors"
	"slices"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/platform/event"
)

// Put writes values, all or none, new or in the place of earlier ones, and gives them in the order in which they were sent.
func (s *Service) Put(by Call, values []NewValue) db.Step[[]Value] {
	ids := make([]string, min(len(values), MaxValues))
	for i := range ids {
		ids[i] = s.IDs.New(id.FieldValue)
	}
	return func(ctx context.Context, tx *db.Tx) ([]Value, error) {
		if err := checkShape(values); err != nil {
			return nil, err
		}
		fields, err := declared(ctx, tx, by, values)
		if err != nil {
			return nil, err
		}
		for _, v := range values {
			if err := by.admit(v.ResourceType); err != nil {
				return nil, err
			}
		}
		made, err := judged(tx, fields, values, ids)
		if err != nil {
			return nil, err
		}
		if err := s.hold(ctx, tx, by, values); err != nil {
			return nil, err
		}
		if made, err = upsert(ctx, tx, by, made); err != nil {
			return nil, err
		}
		return made, s.Events.Append(ctx, tx, by.BusinessID, event.Actor{Type: event.App, AppID: by.AppID}, told(by.AppID, made, false)...)
	}
}

// declared finds the field of each value (ADAT-03).
func declared(ctx context.Context, tx *db.Tx, by Call, values []NewValue) ([]Field, error) {
	var keys []string
	for _, v := range values {
		keys = append(keys, v.Key)
	}
	slices.Sort(keys)
	known, err := holdFields(ctx, tx, by.AppID, slices.Compact(keys))
	if err != nil {
		return nil, err
	}
	fields := make([]Field, len(values))
	for i, v := range values {
		at := slices.IndexFunc(known, func(f Field) bool { return f.ResourceType == v.ResourceType && f.Key == v.Key })
		if at < 0 {
			return nil, ErrUnknownField.With(v.Key, v.ResourceType)
		}
		fields[i] = known[at]
	}
	return fields, nil
}

// judged makes values of what was sent, or names everything that is wrong with any of them (ADAT-04).
func judged(tx *db.Tx, fields []Field, values []NewValue, ids []string) ([]Value, error) {
	var offences []Offence
	made := make([]Value, len(values))
	for i, v := range values {
		kept, against := fields[i].judge(v.Value)
		for _, reason := range against {
			offences = append(offences, Offence{v.ResourceType, v.ResourceID, v.Key, reason})
		}
		made[i] = Value{
			ID: ids[i], ResourceType: v.ResourceType, ResourceID: v.ResourceID, Key: v.Key, Type: fields[i].Type, Value: kept, Valid: true, Origin: ByApp,
			CreatedAt: tx.Now(), UpdatedAt: tx.Now(), fieldID: fields[i].ID,
		}
	}
	if len(offences) > 0 {
		return nil, ErrValue.WithDetails(offences)
	}
	return made, nil
}

// hold makes sure that every record is there, and stays until the values are written (ADAT-06).
func (s *Service) hold(ctx context.Context, tx *db.Tx, by Call, values []NewValue) error {
	for _, t := range ResourceTypes {
		var wanted []string
		for _, v := range values {
			if v.ResourceType == t && t.Names(v.ResourceID) {
				wanted = append(wanted, v.ResourceID)
			}
		}
		slices.Sort(wanted) // in one order, so that two calls do not wait for each other
		var found []string
		if wanted = slices.Compact(wanted); len(wanted) > 0 {
			var err error
			if found, err = s.Records.Hold(ctx, tx, by.BusinessID, t, wanted); err != nil {
				return err
			}
		}
		for _, v := range values {
			if v.ResourceType == t && !slices.Contains(found, v.ResourceID) {
				return ErrRecordNotFound.With(t, v.ResourceID)
			}
		}
	}
	return nil
}

// told is what the app hears of a change: one event for each record (ADAT-09).
func told(appID string, values []Value, deleted bool) []event.Happening {
	var list []event.Happening
	at := map[string]int{}
	for _, v := range values {
		i, known := at[v.ResourceID]
		if !known {
			i, at[v.ResourceID] = len(list), len(list)
			list = append(list, event.Happening{Type: event.AppDataUpdated, AppID: appID, Data: event.Data{
				"resourceType": v.ResourceType, "resourceId": v.ResourceID, "keys": []string{}, "origin": v.Origin, "deleted": deleted,
			}})
		}
		list[i].Data["keys"] = append(list[i].Data["keys"].([]string), v.Key)
	}
	return list
}

// List reads the app's values on some records, of those keys or of all. A record that is not there has none (ADAT-01).
func (s *Service) List(ctx context.Context, by Call, resourceIDs, keys []string) ([]Value, error) {
	switch {
	case len(resourceIDs) == 0:
		return nil, ErrWhichRecords
	case len(resourceIDs) > MaxRecords:
		return nil, ErrTooManyRecords
	}
	for _, one := range resourceIDs {
		if t, known := typeOf(one); known {
			if err := by.admit(t); err != nil {
				return nil, err
			}
		}
	}
	var list []Value
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		list, err = listValues(ctx, tx, by, resourceIDs)
		return err
	})
	if len(keys) > 0 {
		list = slices.DeleteFunc(list, func(v Value) bool { return !slices.Contains(keys, v.Key) })
	}
	return list, err
}

// Delete removes a value (ADAT-07).
func (s *Service) Delete(by Call, valueID string) db.Step[struct{}] {
	return func(ctx context.Context, tx *db.Tx) (struct{}, error) {
		v, err := findValue(ctx, tx, by, valueID)
		if errors.Is(err, db.ErrNoRows) {
			return struct{}{}, ErrValueNotFound
		}
		if err != nil {
			return struct{}{}, err
		}
		if err := by.admit(v.ResourceType); err != nil {
			return struct{}{}, err
		}
		gone, err := deleteValue(ctx, tx, by, v.ID)
		if err != nil {
			return struct{}{}, err
		}
		if !gone { // by someone else in this very moment
			return struct{}{}, ErrValueNotFound
		}
		v.Origin = ByApp // of the deletion
		return struct{}{}, s.Events.Append(ctx, tx, by.BusinessID, event.Actor{Type: event.App, AppID: by.AppID}, told(by.AppID, []Value{v}, true)...)
	}
}
