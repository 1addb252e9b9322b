package business_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
)

func to(s string) business.Edit[string] { return business.Edit[string]{Given: true, Value: &s} }

var away = business.Edit[string]{Given: true}

// edit changes a business in a transaction of its own.
func edit(s *dbtest.Store, businessID string, e business.Edits, also bool, seen *int) (b business.Business, changed []string, err error) {
	err = s.Write(ctx, func(tx *db.Tx) (err error) {
		b, changed, err = business.Update(ctx, tx, businessID, e, also, seen)
		return err
	})
	return b, changed, err
}

func TestSettingsOfABusiness(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		b, err := service.Create(ctx, shop, person(t, s))
		if err != nil {
			t.Fatal(err)
		}
		s.Clock.Advance(time.Minute)
		is, changed, err := edit(s, b.ID, business.Edits{Name: to(" New name "), LegalName: to("New name B.V."), TimeZone: to("Europe/Paris"), Country: to(b.Country)}, false, &b.Version)
		if err != nil || !slices.Equal(changed, []string{"legalName", "name", "timeZone"}) {
			t.Fatalf("changed %v, %v", changed, err)
		}
		read, err := service.Get(ctx, b.ID)
		if err != nil || read != is && (read.Name != is.Name || *read.LegalName != *is.LegalName) || read.Name != "New name" || read.TimeZone != "Europe/Paris" ||
			read.Version != 2 || !read.UpdatedAt.Equal(s.Clock.Now()) || read.Currency != b.Currency || read.Country != b.Country {
			t.Errorf("%+v, %v", read, err)
		}
		if is, changed, err = edit(s, b.ID, business.Edits{LegalName: away}, false, nil); err != nil || is.LegalName != nil || !slices.Equal(changed, []string{"legalName"}) || is.Version != 3 {
			t.Errorf("taken away: %+v, %v, %v", is, changed, err)
		}
		if is, changed, err = edit(s, b.ID, business.Edits{Name: to("New name"), LegalName: away}, false, nil); err != nil || changed != nil || is.Version != 3 {
			t.Errorf("no change: version %d, %v, %v", is.Version, changed, err)
		}
		if is, changed, err = edit(s, b.ID, business.Edits{}, true, nil); err != nil || changed != nil || is.Version != 4 {
			t.Errorf("something else changed: version %d, %v, %v", is.Version, changed, err)
		}
		old := 3
		if _, _, err = edit(s, b.ID, business.Edits{Name: to("Late")}, false, &old); fault.KindOf(err) != fault.Stale {
			t.Errorf("by someone who has seen version 3: %v", err)
		}
		if _, _, err = edit(s, "biz_none", business.Edits{}, false, nil); fault.KindOf(err) != fault.NotFound {
			t.Errorf("no such business: %v", err)
		}
		if _, err = service.Get(ctx, "biz_none"); fault.KindOf(err) != fault.NotFound {
			t.Errorf("no such business: %v", err)
		}
	})
}

func TestEveryWrongSettingIsNamed(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		b, err := service.Create(ctx, shop, person(t, s))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name  string
			edits business.Edits
			want  []string
		}{
			{"all at once", business.Edits{Name: to(" "), LegalName: to(strings.Repeat("x", 201)), Country: to("nl"), TimeZone: to("Mars/Base"), TaxNumber: to(strings.Repeat("1", 41))},
				[]string{"name", "legalName", "taxNumber", "country", "timeZone"}},
			{"null where there must be a value", business.Edits{Name: away, Country: away, TimeZone: away}, []string{"name", "country", "timeZone"}},
			{"null and nonsense", business.Edits{Name: away, Country: to("??")}, []string{"country", "name"}},
			{"an empty zone", business.Edits{TimeZone: to("")}, []string{"timeZone"}},
		} {
			_, _, err := edit(s, b.ID, c.edits, false, nil)
			f := fault.From(err)
			if f == nil || len(f.Fields) != len(c.want) {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			for i, path := range c.want {
				if !strings.HasPrefix(f.Fields[i], path+" ") {
					t.Errorf("%s: %v", c.name, f.Fields)
				}
			}
		}
		if read, err := service.Get(ctx, b.ID); err != nil || read.Version != 1 {
			t.Errorf("something was written: %+v, %v", read, err)
		}
	})
}

func TestOverridesAreListed(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		owner, staff, stranger := person(t, s), person(t, s), person(t, s)
		b, err := service.Create(ctx, shop, owner)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range []error{
			service.AddMember(ctx, b.ID, owner, staff, business.Staff),
			service.SetRoleOverride(ctx, b.ID, owner, business.Accountant, business.JournalPost, toGrant),
			service.SetMemberOverride(ctx, b.ID, owner, staff, business.InvoicesManage, toDeny),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		list, err := service.Overrides(ctx, b.ID, staff)
		want := []business.Override{
			{Role: business.Accountant, Permission: business.JournalPost, Effect: business.Grant},
			{UserID: staff, Permission: business.InvoicesManage, Effect: business.Deny},
		}
		if err != nil || !slices.Equal(list, want) {
			t.Errorf("%v, %v", list, err)
		}
		if _, err := service.Overrides(ctx, b.ID, stranger); fault.KindOf(err) != fault.NotFound {
			t.Errorf("to a stranger: %v", err)
		}
		if got := business.Defaults(business.Viewer); slices.Contains(got, business.InvoicesManage) || !slices.Contains(got, business.InvoicesView) {
			t.Errorf("a viewer may %v", got)
		}
	})
}
