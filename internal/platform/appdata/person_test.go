package appdata_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"daybook/internal/base/id"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

// shop is a business with the app connected, and an invoice in it.
type shop struct {
	*world
	id, invoice string
	boss        appdata.Person
	businesses  *business.Service
	installs    *install.Service
	installed   string
}

func (w *world) shop(t *testing.T) *shop {
	t.Helper()
	s := &shop{world: w, businesses: &business.Service{DB: w.DB, IDs: w.IDs}, installs: &install.Service{DB: w.DB, IDs: w.IDs}}
	b, err := s.businesses.Create(ctx, business.New{Name: "Shop", Country: "NL", Currency: "EUR", SandboxOf: &w.organization}, w.owner)
	must(t, err)
	s.id, s.boss = b.ID, appdata.Person{BusinessID: b.ID, UserID: w.owner}
	s.invoice = w.record(b.ID, id.Invoice)
	a, err := w.apps.SetScopes(ctx, w.app, w.owner, 0, scope.Of(scope.ProfileRead, scope.InvoicesRead))
	must(t, err)
	done, err := s.installs.Approve(ctx, install.Approval{AppID: w.app, BusinessID: b.ID, UserID: w.owner, Scopes: a.Scopes})
	must(t, err)
	s.installed = done.Installation.ID
	return s
}

// field declares one with a visibility.
func (s *shop) field(t *testing.T, key string, kind appdata.Type, v appdata.Visibility) {
	t.Helper()
	_, err := s.data.Declare(ctx, s.app, s.developer, appdata.NewField{ResourceType: appdata.Invoice, Key: key, Label: key, Type: kind, Visibility: &v})
	must(t, err)
}

// shown tells what somebody sees on the invoice: key=value, with a star where they may edit.
func (s *shop) shown(t *testing.T, by appdata.Person) string {
	t.Helper()
	list, err := s.data.Shown(ctx, by, appdata.Invoice, s.invoice)
	must(t, err)
	var words []string
	for _, one := range list {
		word := one.Field.Key
		if one.Field.Visibility == appdata.Edit {
			word += "*"
		}
		if one.Value != nil {
			word += "=" + string(one.Value.Value) + "/" + string(one.Value.Origin)
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func (s *shop) edit(by appdata.Person, entered map[string]string) error {
	values := map[string]json.RawMessage{}
	for key, text := range entered {
		values[key] = nil
		if text != "" {
			values[key] = json.RawMessage(text)
		}
	}
	return s.data.Edit(ctx, by, s.app, appdata.Invoice, s.invoice, values)
}

func TestPeopleSeeAndEditWhatAnAppOpens(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.shop(t)
		s.field(t, "inner", appdata.Text, appdata.Hidden)
		s.field(t, "route", appdata.Text, appdata.Read)
		s.field(t, "note", appdata.Text, appdata.Edit)
		s.field(t, "count", appdata.Number, appdata.Edit)
		_, err := w.put(w.in(s.id), value(appdata.Invoice, s.invoice, "inner", `"x"`), value(appdata.Invoice, s.invoice, "route", `"north"`), value(appdata.Invoice, s.invoice, "note", `"a"`))
		must(t, err)
		if got := s.shown(t, s.boss); got != `count* note*="a"/APP route="north"/APP` {
			t.Errorf("sees %s", got)
		}
		before := len(w.told(t, s.id))

		must(t, s.edit(s.boss, map[string]string{"note": `"b"`, "count": `"2"`}))
		if got := s.shown(t, s.boss); got != `count*="2"/USER note*="b"/USER route="north"/APP` {
			t.Errorf("sees %s", got)
		}
		must(t, s.edit(s.boss, map[string]string{"note": "", "count": `"3"`}))
		if got := s.shown(t, s.boss); got != `count*="3"/USER note* route="north"/APP` {
			t.Errorf("sees %s", got)
		}
		must(t, s.edit(s.boss, map[string]string{"note": ""})) // was empty already: nothing to tell
		told := w.told(t, s.id)[before:]
		want := []string{`"deleted":false,"keys":["count","note"],"origin":"USER"`, `"deleted":false,"keys":["count"],"origin":"USER"`, `"deleted":true,"keys":["note"],"origin":"USER"`}
		if len(told) != len(want) {
			t.Fatalf("told %q", told)
		}
		for i, words := range want {
			if !strings.HasPrefix(told[i], "app_data.updated "+w.app+" ") || !strings.Contains(told[i], words) || !strings.Contains(told[i], s.invoice) {
				t.Errorf("told %s, want %s", told[i], words)
			}
		}
	})
}

func TestPeopleEditNothingElse(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.shop(t)
		s.field(t, "inner", appdata.Text, appdata.Hidden)
		s.field(t, "route", appdata.Text, appdata.Read)
		s.field(t, "note", appdata.Text, appdata.Edit)
		s.field(t, "count", appdata.Number, appdata.Edit)
		for name, c := range map[string]struct {
			entered map[string]string
			refusal error
		}{
			"a hidden field":                   {map[string]string{"inner": `"x"`}, appdata.ErrNotEditable},
			"one that is only read":            {map[string]string{"note": `"x"`, "route": `"x"`}, appdata.ErrNotEditable},
			"the value of one that is read":    {map[string]string{"route": ""}, appdata.ErrNotEditable},
			"one that there is not":            {map[string]string{"nothing": `"x"`}, appdata.ErrNotEditable},
			"a value against the rules":        {map[string]string{"note": `"x"`, "count": `"many"`}, appdata.ErrValue},
			"null, which is no way to delete":  {map[string]string{"note": `null`}, appdata.ErrValue},
			"a value together with a deletion": {map[string]string{"note": "", "count": `"1.234"`}, appdata.ErrValue},
		} {
			if err := s.edit(s.boss, c.entered); !errors.Is(err, c.refusal) {
				t.Errorf("%s: %v", name, err)
			}
		}
		gone := s.invoice
		s.invoice = w.IDs.New(id.Invoice)
		if err := s.edit(s.boss, map[string]string{"note": `"x"`}); !errors.Is(err, appdata.ErrRecordNotFound) {
			t.Errorf("no such record: %v", err)
		}
		s.invoice = gone
		if err := s.edit(appdata.Person{BusinessID: s.id, UserID: w.stranger}, map[string]string{"note": `"x"`}); !errors.Is(err, business.ErrNotFound) {
			t.Errorf("a stranger: %v", err)
		}
		must(t, s.businesses.AddMember(ctx, s.id, w.owner, w.viewer, business.Viewer))
		deny := business.Deny
		must(t, s.businesses.SetMemberOverride(ctx, s.id, w.owner, w.viewer, business.InvoicesView, &deny))
		blind := appdata.Person{BusinessID: s.id, UserID: w.viewer}
		if err := s.edit(blind, map[string]string{"note": `"x"`}); !errors.Is(err, business.ErrPermission) {
			t.Errorf("without the permission: %v", err)
		}
		if _, err := s.data.Shown(ctx, blind, appdata.Invoice, s.invoice); !errors.Is(err, business.ErrPermission) {
			t.Errorf("without the permission they see: %v", err)
		}
		if got := s.shown(t, s.boss); got != "count* note* route" {
			t.Errorf("in the end there is %s", got)
		}
	})
}

func TestFieldsAreShownWhileTheAppMayRead(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.shop(t)
		s.field(t, "note", appdata.Text, appdata.Edit)
		gone := func(why string) {
			t.Helper()
			if got := s.shown(t, s.boss); got != "" {
				t.Errorf("%s: sees %s", why, got)
			}
			if err := s.edit(s.boss, map[string]string{"note": `"x"`}); !errors.Is(err, appdata.ErrNotEditable) {
				t.Errorf("%s: %v", why, err)
			}
		}
		if got := s.shown(t, s.boss); got != "note*" {
			t.Fatalf("sees %s", got)
		}
		_, err := w.apps.SetScopes(ctx, w.app, w.owner, 0, scope.Of(scope.ProfileRead))
		must(t, err)
		gone("the app gave its scope up")
		_, err = w.apps.SetScopes(ctx, w.app, w.owner, 0, scope.Of(scope.ProfileRead, scope.InvoicesRead))
		must(t, err)
		_, err = s.installs.Uninstall(ctx, s.id, w.owner, s.installed)
		must(t, err)
		gone("uninstalled")
	})
}
