package business_test

import (
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
)

func TestTheCurrentBusiness(t *testing.T) {
	list := []business.Membership{{Business: business.Business{ID: "biz_1"}}, {Business: business.Business{ID: "biz_2"}}}
	pick := func(s string) *string { return &s }
	for _, c := range []struct {
		name   string
		chosen *string
		list   []business.Membership
		want   string // "" for none
	}{
		{"nothing chosen: the first", nil, list, "biz_1"},
		{"the first chosen", pick("biz_1"), list, "biz_1"},
		{"the second chosen", pick("biz_2"), list, "biz_2"},
		{"one chosen that the user has left: the first", pick("biz_3"), list, "biz_1"},
		{"an empty choice: the first", pick(""), list, "biz_1"},
		{"no business at all", nil, nil, ""},
		{"no business any more", pick("biz_1"), nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := business.Current(identity.Session{BusinessID: c.chosen}, c.list)
			switch {
			case (got == nil) != (c.want == ""):
				t.Errorf("got %v", got)
			case got != nil && got.ID != c.want:
				t.Errorf("got %s", got.ID)
			}
		})
	}
}

func TestSwitchingToAnotherBusiness(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		ada, bob := person(t, s), person(t, s)
		var own [2]business.Business
		for i := range own {
			var err error
			own[i], err = service.Create(ctx, shop, ada)
			must(t, err)
			s.Clock.Advance(time.Second)
		}
		foreign, err := service.Create(ctx, shop, bob)
		must(t, err)
		session := identity.Session{ID: s.IDs.New(id.Session), UserID: ada}
		exec(t, s, `INSERT INTO sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at) VALUES ($1, $2, $3, $4, $4, $4)`,
			session.ID, []byte("hash"), ada, s.Clock.Now())
		current := func() string {
			t.Helper()
			must(t, s.Read(ctx, func(tx *db.Tx) (err error) {
				session.BusinessID, err = db.One(ctx, tx, db.Value[*string], `SELECT business_id FROM sessions`)
				return err
			}))
			list, err := service.Of(ctx, ada)
			must(t, err)
			return business.Current(session, list).ID
		}
		if current() != own[0].ID {
			t.Error("does not start in the business joined first")
		}
		must(t, service.Switch(ctx, session, own[1].ID))
		if current() != own[1].ID {
			t.Error("did not switch")
		}
		for _, id := range []string{foreign.ID, "", "biz_of_nobody"} {
			want(t, service.Switch(ctx, session, id), business.ErrNotFound)
			if current() != own[1].ID {
				t.Errorf("switched to %q", id)
			}
		}
		must(t, service.AddMember(ctx, own[1].ID, ada, bob, business.Owner))
		must(t, service.RemoveMember(ctx, own[1].ID, bob, ada))
		if current() != own[0].ID {
			t.Error("still works in a business that they have left")
		}
		want(t, service.Switch(ctx, session, own[1].ID), business.ErrNotFound)
		session.ID = "ses_of_nobody"
		want(t, service.Switch(ctx, session, own[0].ID), identity.ErrNoSession)
	})
}

func TestSomebodysBusinessesAreInTheOrderOfJoining(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		c := newCast(t, s, service)
		s.Clock.Advance(time.Second)
		second, err := service.Create(ctx, business.New{Name: "Second", Country: "DE", Currency: "EUR"}, c.staff)
		must(t, err)
		list, err := service.Of(ctx, c.staff)
		must(t, err)
		if len(list) != 2 || list[0].ID != c.ID || list[0].Role != business.Staff || list[1].Business != second || list[1].Role != business.Owner {
			t.Errorf("belongs to %+v", list)
		}
		if list, err := service.Of(ctx, c.stranger); err != nil || len(list) != 0 {
			t.Errorf("a stranger belongs to %v, %v", list, err)
		}
		must(t, s.Read(ctx, func(tx *db.Tx) error {
			if b, err := business.Find(ctx, tx, second.ID); err != nil || b != second {
				t.Errorf("found %+v, %v", b, err)
			}
			_, err := business.Find(ctx, tx, "biz_of_nobody")
			want(t, err, business.ErrNotFound)
			return nil
		}))
	})
}
