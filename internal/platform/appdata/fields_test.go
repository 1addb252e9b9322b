package appdata_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	"daybook/internal/tenancy/organization"
)

func TestAFieldFromDeclarationToDeletion(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.declare(t, w.app, appdata.Customer, "tier", appdata.Choice, `{"choices":["gold","silver"]}`)
		if f.Version != 1 || f.Visibility != appdata.Hidden || !f.CreatedAt.Equal(w.Clock.Now()) || !id.Valid(id.Field, f.ID) {
			t.Errorf("%+v", f)
		}
		w.declare(t, w.app, appdata.Account, "tier", appdata.Text, `{}`) // the key is free for another sort of record
		list, err := w.data.Fields(ctx, w.app, w.viewer)
		if err != nil || len(list) != 2 || list[0].ResourceType != appdata.Account || list[1].ID != f.ID {
			t.Fatalf("%+v, %v", list, err)
		}
		w.Clock.Advance(time.Minute)
		seen := appdata.Read
		changed, err := w.data.ChangeField(ctx, w.app, w.developer, f.ID, 1, appdata.FieldPatch{Rules: rulesOf(t, `{"choices":["bronze"]}`), Visibility: &seen})
		if err != nil || changed.Version != 2 || changed.Visibility != appdata.Read || !changed.UpdatedAt.Equal(w.Clock.Now()) || !changed.CreatedAt.Equal(f.CreatedAt) {
			t.Fatalf("%+v, %v", changed, err)
		}
		_, err = w.data.ChangeField(ctx, w.app, w.developer, f.ID, 1, appdata.FieldPatch{})
		want(t, err, appdata.ErrVersionChanged)
		want(t, w.data.DeleteField(ctx, w.app, w.developer, f.ID, 1), appdata.ErrVersionChanged)
		want(t, w.data.DeleteField(ctx, w.newApp(t), w.developer, f.ID, 0), appdata.ErrFieldNotFound) // another app of the organization
		must(t, w.data.DeleteField(ctx, w.app, w.developer, f.ID, 2))
		want(t, w.data.DeleteField(ctx, w.app, w.developer, f.ID, 0), appdata.ErrFieldNotFound)
		_, err = w.data.ChangeField(ctx, w.app, w.developer, f.ID, 0, appdata.FieldPatch{})
		want(t, err, appdata.ErrFieldNotFound)
	})
}

func TestWhoMayLookAtFieldsAndChangeThem(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.declare(t, w.app, appdata.Customer, "tier", appdata.Text, `{}`)
		for name, verb := range map[string]struct {
			needs organization.Ability
			do    func(by string) error
		}{
			"Fields": {organization.Look, func(by string) error { _, err := w.data.Fields(ctx, w.app, by); return err }},
			"Declare": {organization.Build, func(by string) error {
				_, err := w.data.Declare(ctx, w.app, by, draft(t, appdata.Text, `{}`))
				return err
			}},
			"ChangeField": {organization.Build, func(by string) error {
				_, err := w.data.ChangeField(ctx, w.app, by, f.ID, 0, appdata.FieldPatch{})
				return err
			}},
			"DeleteField": {organization.Build, func(by string) error { return w.data.DeleteField(ctx, w.app, by, "fld_none", 0) }},
		} {
			for _, actor := range []struct {
				id    string
				reach organization.Ability
			}{{w.viewer, organization.Look}, {w.developer, organization.Build}, {w.owner, organization.Govern}, {w.stranger, organization.Look - 1}, {"", organization.Look - 1}} {
				err := verb.do(actor.id)
				switch {
				case actor.reach < organization.Look:
					want(t, err, app.ErrNotFound)
				case actor.reach < verb.needs:
					want(t, err, organization.ErrRoleTooLow)
				case err != nil && fault.KindOf(err) == fault.Forbidden:
					t.Errorf("CONS-06 %s: %v", name, err)
				}
			}
		}
		_, err := w.data.Fields(ctx, "app_none", w.owner)
		want(t, err, app.ErrNotFound)
	})
}

func TestTheCeilingHoldsWhoeverRaces(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i := range appdata.MaxFields - 2 {
			w.declare(t, w.app, appdata.Invoice, fmt.Sprintf("k%d", i), appdata.Boolean, `{}`)
		}
		const racers = 12
		var wins, refusals atomic.Int32
		var wait sync.WaitGroup
		for i := range racers {
			wait.Go(func() {
				_, err := w.data.Declare(ctx, w.app, w.developer, appdata.NewField{ResourceType: appdata.Invoice, Key: fmt.Sprintf("race%d", i), Label: "x", Type: appdata.Boolean})
				switch {
				case err == nil:
					wins.Add(1)
				case fault.From(err) != nil && fault.From(err).Code == "FIELD_LIMIT_REACHED":
					refusals.Add(1)
				default:
					t.Errorf("%v", err)
				}
			})
		}
		wait.Wait()
		if wins.Load() != 2 || refusals.Load() != racers-2 {
			t.Errorf("%d got in, %d did not", wins.Load(), refusals.Load())
		}
		if n := w.count(t, `SELECT count(*) FROM app_fields WHERE app_id = $1`, w.app); n != appdata.MaxFields {
			t.Errorf("%d fields", n)
		}
		w.declare(t, w.app, appdata.Customer, "other", appdata.Boolean, `{}`) // another sort of record has room
		w.declare(t, w.newApp(t), appdata.Invoice, "other", appdata.Boolean, `{}`)
		list, err := w.data.Fields(ctx, w.app, w.viewer)
		must(t, err)
		must(t, w.data.DeleteField(ctx, w.app, w.developer, list[len(list)-1].ID, 0))
		w.declare(t, w.app, appdata.Invoice, "room_again", appdata.Boolean, `{}`)
	})
}

func TestOfManyWithOneKeyOneIsDeclared(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const racers = 8
		var wins atomic.Int32
		var wait sync.WaitGroup
		for range racers {
			wait.Go(func() {
				_, err := w.data.Declare(ctx, w.app, w.developer, draft(t, appdata.Text, `{}`))
				if err == nil {
					wins.Add(1)
					return
				}
				want(t, err, appdata.ErrKeyTaken)
			})
		}
		wait.Wait()
		if wins.Load() != 1 {
			t.Errorf("%d were declared", wins.Load())
		}
	})
}

// Of many who change one version of a field one does; nobody's change is lost unseen.
func TestOfManyChangesOfOneVersionOneCounts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.declare(t, w.app, appdata.Customer, "tier", appdata.Text, `{}`)
		var wins atomic.Int32
		var wait sync.WaitGroup
		for i := range 8 {
			wait.Go(func() {
				_, err := w.data.ChangeField(ctx, w.app, w.developer, f.ID, 1, appdata.FieldPatch{Label: text(fmt.Sprint(i))})
				if err == nil {
					wins.Add(1)
					return
				}
				want(t, err, appdata.ErrVersionChanged)
			})
		}
		wait.Wait()
		if wins.Load() != 1 {
			t.Errorf("%d changed version 1", wins.Load())
		}
	})
}
