package ledger

import (
	"context"

	"daybook/internal/books/record"
)

// name is what the calling app calls a record.
type name struct {
	kind record.Kind
	name string
}

type namesRead struct{}

// Named finds the records that the calling app calls so, in one statement: ids by names.
func (b *Book) Named(ctx context.Context, kind record.Kind, names ...string) (map[string]string, error) {
	known := Recall[name, string](b, namesRead{})
	var unknown []string
	for _, n := range names {
		if _, ok := known[name{kind, n}]; !ok {
			unknown = append(unknown, n)
		}
	}
	read, err := record.FindExternals(ctx, b.Tx, b.Call, kind, unknown)
	if err != nil {
		return nil, err
	}
	for _, n := range unknown {
		known[name{kind, n}] = read[n]
	}
	found := map[string]string{}
	for _, n := range names {
		if recordID := known[name{kind, n}]; recordID != "" {
			found[n] = recordID
		}
	}
	if b.holding {
		for _, n := range names {
			if k, ok := naming.Find(b, name{kind, n}); ok {
				found[n] = k.RecordID
			}
		}
	}
	return found, nil
}

// Name keeps what the calling app calls a new record, unless it calls another so. People have no such names.
func (b *Book) Name(ctx context.Context, kind record.Kind, recordID string, external *string) error {
	if external == nil || b.Actor.AppID == "" {
		return nil
	}
	if !b.holding {
		return record.SetExternalID(ctx, b.Tx, b.Call, kind, recordID, external)
	}
	taken, err := b.Named(ctx, kind, *external)
	if err != nil {
		return err
	}
	if other, ok := taken[*external]; ok {
		return record.ErrExternalID.With(other)
	}
	return naming.Add(ctx, b, record.Named{Kind: kind, Name: *external, RecordID: recordID})
}

// naming writes what the calling app calls new records.
var naming = &Later[name, record.Named]{
	Rank: RankName,
	Key:  func(n record.Named) name { return name{n.Kind, n.Name} },
	Write: func(ctx context.Context, b *Book, list []record.Named) error {
		return record.SetExternalIDs(ctx, b.Tx, b.Call, list)
	},
}
