package party_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"daybook/internal/base/fault"
	"daybook/internal/books/party"
	"daybook/internal/books/record"
)

// named reads what a caller calls a party, and whom the caller finds by a name.
func (w *world) named(t *testing.T, by record.Call, partyID string) string {
	t.Helper()
	p, err := w.Get(ctx, by, w.kind, partyID)
	must(t, err)
	if p.ExternalID == nil {
		return ""
	}
	return *p.ExternalID
}

func (w *world) finds(t *testing.T, by record.Call, name string) string {
	t.Helper()
	page, err := w.List(ctx, by, w.kind, map[string][]string{"externalId": {name}})
	must(t, err)
	if len(page.Data) != 1 {
		return ""
	}
	return page.Data[0].ID
}

func TestAnAppSeesOnlyItsOwnNameForAParty(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		p := w.make(t, party.New{DisplayName: "x", ExternalID: pointer("one")})
		for by, name := range map[record.Call]string{w.app: "one", w.rival: "", w.person: ""} {
			if got := w.named(t, by, p.ID); got != name {
				t.Errorf("%s sees %q, want %q", by.Actor.AppID, got, name)
			}
		}
		named, err := run(w, w.Update(w.rival, w.kind, p.ID, party.Patch{ExternalID: record.Setting("two")}, nil))
		must(t, err)
		if *named.ExternalID != "two" || w.named(t, w.rival, p.ID) != "two" || w.named(t, w.app, p.ID) != "one" {
			t.Error("one app's name replaced the other's")
		}
		for _, c := range []struct {
			by   record.Call
			name string
			want string
		}{{w.app, "one", p.ID}, {w.app, "two", ""}, {w.rival, "two", p.ID}, {w.rival, "one", ""}, {w.person, "one", ""}, {w.abroad, "one", ""}} {
			if got := w.finds(t, c.by, c.name); got != c.want {
				t.Errorf("%s finds %q by %s", c.by.Actor.AppID, got, c.name)
			}
		}
		page, err := w.List(ctx, w.rival, w.kind, nil)
		must(t, err)
		if len(page.Data) != 1 || *page.Data[0].ExternalID != "two" {
			t.Errorf("the list shows %s", show(page.Data))
		}
	})
}

func TestPeopleHaveNoNamesForParties(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		made, err := run(w, w.Create(w.person, w.kind, party.New{DisplayName: "x", ExternalID: pointer("mine")}))
		must(t, err)
		patched, err := run(w, w.Update(w.person, w.kind, made.ID, party.Patch{ExternalID: record.Setting("mine")}, nil))
		must(t, err)
		if made.ExternalID != nil || patched.ExternalID != nil || patched.Version != 1 {
			t.Errorf("made %s, patched %s", show(made), show(patched))
		}
	})
}

func TestAnAppsNameIsUnique(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		first := w.make(t, party.New{DisplayName: "x", ExternalID: pointer("one")})
		second := w.make(t, party.New{DisplayName: "x"})
		taken := record.ErrExternalID.With(first.ID)
		before := len(w.events(t))
		_, err := run(w, w.Create(w.app, w.kind, party.New{DisplayName: "x", ExternalID: pointer("one")}))
		want(t, err, taken)
		_, err = run(w, w.Update(w.app, w.kind, second.ID, party.Patch{ExternalID: record.Setting("one"), Phone: record.Setting("1")}, nil))
		want(t, err, taken)
		if read, err := w.Get(ctx, w.app, w.kind, second.ID); err != nil || read.Version != 1 || read.Phone != nil || len(w.events(t)) != before {
			t.Errorf("a refusal left %s, %v", show(read), err)
		}
		// Another app, another business and another kind of record may use it.
		otherKind := map[record.Kind]record.Kind{record.Customer: record.Supplier, record.Supplier: record.Customer}[w.kind]
		for _, step := range []struct {
			by   record.Call
			kind record.Kind
		}{{w.rival, w.kind}, {w.abroad, w.kind}, {w.app, otherKind}} {
			_, err := run(w, w.Create(step.by, step.kind, party.New{DisplayName: "x", ExternalID: pointer("one" + string(w.kind))}))
			want(t, err, nil)
		}
		// What is let go is free.
		_, err = run(w, w.Update(w.app, w.kind, first.ID, party.Patch{ExternalID: record.Clearing[string]()}, nil))
		must(t, err)
		renamed, err := run(w, w.Update(w.app, w.kind, second.ID, party.Patch{ExternalID: record.Setting("one")}, nil))
		must(t, err)
		if renamed.Version != 2 || w.named(t, w.app, first.ID) != "" || w.named(t, w.app, second.ID) != "one" {
			t.Errorf("renamed %s", show(renamed))
		}
	})
}

func TestOfManyThatTakeANameOneGetsIt(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		const racers = 32
		var start, done sync.WaitGroup
		start.Add(1)
		errs := make([]error, racers)
		for i := range racers {
			done.Go(func() {
				start.Wait()
				_, errs[i] = run(w, w.Create(w.app, w.kind, party.New{DisplayName: "x", ExternalID: pointer("one")}))
			})
		}
		start.Done()
		done.Wait()
		winner := w.finds(t, w.app, "one")
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else if !errors.Is(err, record.ErrExternalID) || fault.From(err).Params[0] != winner {
				t.Errorf("refused by %v, not by %s", err, winner)
			}
		}
		page, err := w.List(ctx, w.app, w.kind, nil)
		must(t, err)
		if won != 1 || len(page.Data) != 1 || len(w.events(t)) != 1 {
			t.Errorf("%d won, %d parties, %d events", won, len(page.Data), len(w.events(t)))
		}
	})
}

func TestOfManyThatSawAVersionOneChangesIt(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		p := w.make(t, party.New{DisplayName: "x"})
		const racers = 32
		var done sync.WaitGroup
		errs := make([]error, racers)
		for i := range racers {
			done.Go(func() {
				name := fmt.Sprint("name ", i)
				_, errs[i] = run(w, w.Update(w.app, w.kind, p.ID, party.Patch{DisplayName: record.Setting(name)}, pointer(1)))
			})
		}
		done.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else {
				want(t, err, record.ErrStale.With(2, 1))
			}
		}
		read, err := w.Get(ctx, w.app, w.kind, p.ID)
		if err != nil || won != 1 || read.Version != 2 || len(w.events(t)) != 2 {
			t.Errorf("%d won, %s, %v", won, show(read), err)
		}
	})
}
