package sandbox_test

import (
	"sync"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/books/record"
	"daybook/internal/books/sandbox"
	"daybook/internal/platform/event"
	"daybook/internal/tenancy/business"
)

func TestOnlyBuildersChangeAndOnlyMembersSee(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		shop := w.shop(business.EmptySeed)
		name := "Other"
		for who, code := range map[string]string{w.viewer: "ORGANIZATION_ROLE_REQUIRED", w.stranger: "NOT_FOUND"} {
			_, err := w.made.Create(ctx, w.organization, who, sandbox.New{Name: "Shop", Country: "NL", Currency: "EUR"})
			refused(t, err, code)
			_, err = w.made.Change(ctx, shop.ID, who, 0, sandbox.Patch{Name: &name})
			refused(t, err, code)
			_, err = w.made.Reset(ctx, shop.ID, who)
			refused(t, err, code)
			refused(t, w.made.Delete(ctx, shop.ID, who, 0), code)
			_, err = w.made.AddMember(ctx, shop.ID, who, sandbox.NewMember{Email: "a@b.test", Role: business.Staff})
			refused(t, err, code)
			_, err = w.made.Trigger(ctx, shop.ID, who, sandbox.Want{Type: event.CustomerCreated})
			refused(t, err, code)
		}
		for _, who := range []string{w.owner, w.developer, w.viewer} {
			list, err := w.made.List(ctx, w.organization, who)
			if err != nil || len(list) != 1 || list[0].ID != shop.ID {
				t.Errorf("%v, %v", list, err)
			}
			one, err := w.made.Get(ctx, shop.ID, who)
			if err != nil || one.Name != "Shop" || one.Seed != business.EmptySeed || one.State != business.SandboxReady || one.Plan != business.SandboxPlan {
				t.Errorf("%+v, %v", one, err)
			}
		}
		_, err := w.made.List(ctx, w.organization, w.stranger)
		refused(t, err, "NOT_FOUND")
		_, err = w.made.Get(ctx, shop.ID, w.stranger)
		refused(t, err, "NOT_FOUND")
		real, err := w.made.Businesses.Create(ctx, business.New{Name: "Real", Country: "NL", Currency: "EUR"}, w.developer)
		must(t, err)
		_, err = w.made.Get(ctx, real.ID, w.developer)
		refused(t, err, "NOT_FOUND")
		refused(t, w.made.Delete(ctx, real.ID, w.developer, 0), "NOT_FOUND")
	})
}

func TestAnOrganizationHasTenSandboxesAtMost(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.shop(business.EmptySeed)
		made, full := w.race(32, func() error {
			_, err := w.made.Create(ctx, w.organization, w.developer, sandbox.New{Name: "Shop", Country: "NL", Currency: "EUR"})
			return err
		}, "SANDBOX_LIMIT_REACHED")
		if made != 9 || full != 23 {
			t.Errorf("%d made, %d refused", made, full)
		}
		other := w.newOrganization(w.stranger)
		_, err := w.made.Create(ctx, other, w.stranger, sandbox.New{Name: "Shop", Country: "NL", Currency: "EUR"})
		must(t, err)
		must(t, w.made.Delete(ctx, first.ID, w.developer, 0))
		w.shop(business.EmptySeed) // in the place that is free again
		_, err = w.made.Create(ctx, w.organization, w.developer, sandbox.New{Name: "Shop", Country: "NL", Currency: "EUR"})
		refused(t, err, "SANDBOX_LIMIT_REACHED")
	})
}

// race does something many times at once, and counts how often it came about and how often it was refused with that code.
func (w *world) race(n int, do func() error, code string) (done, refusedSo int) {
	w.t.Helper()
	var wait sync.WaitGroup
	var mu sync.Mutex
	for range n {
		wait.Go(func() {
			err := do()
			mu.Lock()
			defer mu.Unlock()
			switch f := fault.From(err); {
			case err == nil:
				done++
			case f != nil && f.Code == code:
				refusedSo++
			default:
				w.t.Error(err)
			}
		})
	}
	wait.Wait()
	return done, refusedSo
}

func TestTryingCeilings(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		shop := w.shop(business.EmptySeed)
		by := record.Call{BusinessID: shop.ID, Actor: event.Actor{Type: event.User, UserID: w.developer}}
		out, err := w.made.Trigger(ctx, shop.ID, w.developer, sandbox.Want{Type: event.CustomerCreated})
		must(t, err)
		create := func() error {
			_, err := db.Run(ctx, w.DB, w.made.Invoices.Create(by, invoice.New{CustomerID: out.Record.ID}))
			return err
		}
		plan, used, turnover, name := "FREE", int64(499), money.Amount(0), "Small shop"
		v, err := w.made.Change(ctx, shop.ID, w.developer, shop.Version, sandbox.Patch{Name: &name, Plan: &plan, Used: invoice.Used{Invoices: &used}})
		if err != nil || v.Name != name || v.Plan != plan || v.Usage.Invoices != 499 || *v.Usage.InvoiceLimit != 500 || v.Version != 2 {
			t.Fatalf("%+v, %v", v, err)
		}
		must(t, create()) // the last one
		refused(t, create(), "PLAN_INVOICE_LIMIT_REACHED")
		used, turnover = 0, 5_000_000
		_, err = w.made.Change(ctx, shop.ID, w.developer, 0, sandbox.Patch{Used: invoice.Used{Invoices: &used, Turnover: &turnover}})
		must(t, err)
		refused(t, create(), "PLAN_TURNOVER_LIMIT_REACHED")
		turnover = 4_999_999
		_, err = w.made.Change(ctx, shop.ID, w.developer, 0, sandbox.Patch{Used: invoice.Used{Turnover: &turnover}})
		must(t, err)
		must(t, create())
		_, err = w.made.Change(ctx, shop.ID, w.developer, 1, sandbox.Patch{Name: &name})
		refused(t, err, "VERSION_CONFLICT")
		nothing, odd := "", "GOLD"
		used, turnover = -1, -1
		_, err = w.made.Change(ctx, shop.ID, w.developer, 0, sandbox.Patch{Name: &nothing, Plan: &odd, Used: invoice.Used{Invoices: &used, Turnover: &turnover}})
		if f := fault.From(err); f == nil || len(f.Fields) != 4 {
			t.Errorf("%v", err)
		}
	})
}

func TestMembersOfASandbox(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		shop, other := w.shop(business.EmptySeed), w.shop(business.EmptySeed)
		joined, err := w.made.AddMember(ctx, shop.ID, w.developer, sandbox.NewMember{Email: "Vic@shop.test", Role: business.Viewer})
		if err != nil || !joined.Test || joined.Password.Empty() || joined.DisplayName != "Vic" || joined.Role != business.Viewer {
			t.Fatalf("%+v, %v", joined, err)
		}
		if _, err := w.made.Identity.Prove(ctx, "vic@shop.test", joined.Password); err != nil {
			t.Error("cannot sign in:", err)
		}
		_, err = w.made.AddMember(ctx, shop.ID, w.developer, sandbox.NewMember{Email: "vic@shop.test", Role: business.Staff})
		refused(t, err, "ALREADY_MEMBER")
		again, err := w.made.AddMember(ctx, other.ID, w.owner, sandbox.NewMember{Email: "vic@shop.test", Role: business.Admin})
		if err != nil || again.UserID != joined.UserID || !again.Password.Empty() {
			t.Errorf("%+v, %v", again, err)
		}
		viewer, err := w.made.Identity.Get(ctx, w.viewer)
		must(t, err)
		stranger, err := w.made.Identity.Get(ctx, w.stranger)
		must(t, err)
		t.Logf("addresses %s and %s", viewer.Email, stranger.Email)
		for name, n := range map[string]sandbox.NewMember{
			"an address that somebody may have": {Email: "ceo@victim.com", Role: business.Owner},
			"no address":                        {Email: "vic", Role: business.Owner},
			"no role":                           {Email: "new@shop.test", Role: "BOSS"},
			"a password too short":              {Email: "new@shop.test", Role: business.Staff, Password: secretOf("short")},
		} {
			if _, err := w.made.AddMember(ctx, shop.ID, w.developer, n); fault.From(err) == nil || len(fault.From(err).Fields) != 1 {
				t.Errorf("%s: %v", name, err)
			}
		}
		people, err := w.made.Members(ctx, shop.ID, w.viewer)
		if err != nil || len(people) != 2 || people[0].UserID != w.developer || people[0].Test || !people[1].Test {
			t.Errorf("%+v, %v", people, err)
		}
		must(t, w.made.Delete(ctx, shop.ID, w.developer, 0))
		if w.count(`SELECT count(*) FROM users WHERE id = $1`, joined.UserID) != 1 {
			t.Error("a test user went who belongs to another sandbox")
		}
		must(t, w.made.Delete(ctx, other.ID, w.developer, 0))
		if w.count(`SELECT count(*) FROM users WHERE id = $1`, joined.UserID) != 0 || w.count(`SELECT count(*) FROM test_users`) != 0 {
			t.Error("a test user stayed who belongs nowhere")
		}
	})
}
