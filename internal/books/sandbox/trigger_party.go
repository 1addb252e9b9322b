package sandbox

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
)

func createParty(kind record.Kind) func(context.Context, *desk) (Record, error) {
	return func(ctx context.Context, d *desk) (Record, error) {
		p, err := d.newParty(ctx, kind)
		return done(kind, p.ID, err)
	}
}

// withParty does something with the party that was named, or with a new one: others may be in use.
func withParty[T any](kind record.Kind, do func(d *desk, partyID string) db.Step[T]) func(context.Context, *desk) (Record, error) {
	return func(ctx context.Context, d *desk) (Record, error) {
		if named := d.namedParty(kind); named != nil {
			_, err := run(ctx, d, do(d, *named))
			return done(kind, *named, err)
		}
		p, err := d.newParty(ctx, kind)
		if err == nil {
			_, err = run(ctx, d, do(d, p.ID))
		}
		return done(kind, p.ID, err)
	}
}

func updateParty(kind record.Kind) func(context.Context, *desk) (Record, error) {
	return withParty(kind, func(d *desk, partyID string) db.Step[party.Party] {
		return d.Parties.Update(d.by, kind, partyID, party.Patch{Notes: record.Setting("Trial " + d.mark())}, nil)
	})
}

func archiveParty(kind record.Kind) func(context.Context, *desk) (Record, error) {
	return withParty(kind, func(d *desk, partyID string) db.Step[party.Party] { return d.Parties.Archive(d.by, kind, partyID, nil) })
}

func deleteParty(kind record.Kind) func(context.Context, *desk) (Record, error) {
	return withParty(kind, func(d *desk, partyID string) db.Step[struct{}] { return d.Parties.Delete(d.by, kind, partyID, nil) })
}

func redactParty(kind record.Kind) func(context.Context, *desk) (Record, error) {
	return withParty(kind, func(d *desk, partyID string) db.Step[party.Party] { return d.Parties.Redact(d.by, kind, partyID, nil) })
}
