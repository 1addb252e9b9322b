package appdata_test

import (
	"fmt"
	"sync"
	"testing"

	"daybook/internal/base/id"
	"daybook/internal/platform/appdata"
)

func TestRulesThatChangeLeaveValuesAsTheyAre(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.declare(t, w.app, appdata.Customer, "tier", appdata.Choice, `{"choices":["gold","silver"]}`)
		by, customer := w.in("biz_1"), w.record("biz_1", id.Customer)
		_, err := w.put(by, value(appdata.Customer, customer, "tier", `"gold"`))
		must(t, err)
		valid := func() bool {
			list, err := w.data.List(ctx, by, []string{customer}, nil)
			if err != nil || len(list) != 1 || string(list[0].Value) != `"gold"` {
				t.Fatalf("%+v, %v", list, err)
			}
			return list[0].Valid
		}
		change := func(rules string) {
			_, err := w.data.ChangeField(ctx, w.app, w.developer, f.ID, 0, appdata.FieldPatch{Rules: rulesOf(t, rules)})
			must(t, err)
		}
		change(`{"choices":["silver"]}`)
		if valid() {
			t.Error("still valid")
		}
		change(`{"choices":["silver","gold"]}`)
		if !valid() {
			t.Error("not valid again")
		}
		must(t, w.data.DeleteField(ctx, w.app, w.developer, f.ID, 0))
		if n := w.count(t, `SELECT count(*) FROM app_data`); n != 0 {
			t.Errorf("%d values outlive their field", n)
		}
	})
}

// Many write while the field is deleted: no value is left without a field, and one place never has two values.
func TestWritersRaceADeletedField(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		by, customer := w.in("biz_1"), w.record("biz_1", id.Customer)
		for round := range 6 {
			f := w.declare(t, w.app, appdata.Customer, "note", appdata.Text, `{}`)
			var wait sync.WaitGroup
			for i := range 8 {
				wait.Go(func() {
					_, err := w.put(by, value(appdata.Customer, customer, "note", fmt.Sprintf(`"%d"`, i)))
					if err != nil {
						want(t, err, appdata.ErrUnknownField)
					}
				})
			}
			if round%2 == 0 {
				wait.Wait()
				if n := w.count(t, `SELECT count(*) FROM app_data`); n != 1 {
					t.Errorf("%d values in one place", n)
				}
			}
			must(t, w.data.DeleteField(ctx, w.app, w.developer, f.ID, 0))
			wait.Wait()
			if n := w.count(t, `SELECT count(*) FROM app_data`); n != 0 {
				t.Fatalf("%d values without a field", n)
			}
		}
	})
}
