package business_test

import (
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/organization"
)

func TestAddressesThatNobodyCanOwn(t *testing.T) {
	for address, free := range map[string]bool{
		"ada@shop.test": true, "ada@SHOP.Test": true, "ada@test": true, "ada@x.example": true, "ada@example.com": true, "ada@mail.example.org": true, "ada@no.invalid": true,
		"ada@shop.com": false, "ada@shoptest": false, "ada@contest": false, "ada@myexample.com": false, "ada@example.com.evil.com": false, "ada@test.com": false, "ada": false,
	} {
		if business.IsTestAddress(address) != free {
			t.Errorf("%s: %v", address, !free)
		}
	}
}

func TestEverySandboxHasAPlaceAndASeed(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		owner := person(t, s)
		o, err := (&organization.Service{DB: s.DB, IDs: s.IDs}).Create(ctx, "Acme", owner)
		must(t, err)
		sandbox := shop
		sandbox.SandboxOf, sandbox.Seed = &o.ID, business.DemoSeed
		for range business.MaxSandboxes {
			_, err := service.Create(ctx, sandbox, owner)
			must(t, err)
		}
		_, err = service.Create(ctx, sandbox, owner)
		want(t, err, business.ErrSandboxLimit)
		sandbox.Seed = "FULL"
		if _, err := service.Create(ctx, sandbox, owner); fault.KindOf(err) != fault.Invalid {
			t.Errorf("a seed that there is not: %v", err)
		}
		real := shop
		real.Seed = business.DemoSeed
		if _, err := service.Create(ctx, real, owner); fault.KindOf(err) != fault.Invalid {
			t.Errorf("the seed of a real business: %v", err)
		}
		must(t, s.Read(ctx, func(tx *db.Tx) error {
			list, err := business.Sandboxes(ctx, tx, o.ID)
			if len(list) != business.MaxSandboxes || list[0].Seed != business.DemoSeed || list[0].State != business.SandboxReady {
				t.Errorf("%+v", list)
			}
			return err
		}))
	})
}
