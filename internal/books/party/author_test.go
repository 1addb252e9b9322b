package party_test

import (
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
)

func TestAPartyKnowsWhoMadeAndChangedIt(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		p, err := db.Run(ctx, w.Store.DB, w.Create(w.app, w.kind, party.New{DisplayName: "Ada"}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Run(ctx, w.Store.DB, w.Update(w.person, w.kind, p.ID, party.Patch{DisplayName: record.Setting("Ada L.")}, nil)); err != nil {
			t.Fatal(err)
		}
		got, err := w.Get(ctx, w.person, w.kind, p.ID)
		if err != nil || got.MadeBy != w.app.Actor || got.ChangedBy != w.person.Actor {
			t.Errorf("made by %+v, changed by %+v, %v", got.MadeBy, got.ChangedBy, err)
		}
		if _, err := db.Run(ctx, w.Store.DB, w.Archive(w.rival, w.kind, p.ID, nil)); err != nil {
			t.Fatal(err)
		}
		page, err := w.List(ctx, w.person, w.kind, map[string][]string{"ids": {p.ID}})
		if err != nil || len(page.Data) != 1 || page.Data[0].MadeBy != w.app.Actor || page.Data[0].ChangedBy != w.rival.Actor {
			t.Errorf("the list tells %+v, %v", page.Data, err)
		}
	})
}
