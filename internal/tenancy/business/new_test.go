package business_test

import (
	"strings"
	"testing"

	"daybook/internal/base/clock"
	"daybook/internal/base/id"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
)

func text(s string) *string { return &s }

func TestWhatANewBusinessMustBe(t *testing.T) {
	service := &business.Service{IDs: id.NewSource(clock.System{})} // judging needs no store
	change := func(f func(*business.New)) business.New {
		n := shop
		f(&n)
		return n
	}
	country := func(c string) business.New { return change(func(n *business.New) { n.Country = c }) }
	currency := func(c string) business.New { return change(func(n *business.New) { n.Currency = c }) }
	zone := func(z string) business.New { return change(func(n *business.New) { n.TimeZone = z }) }
	plan := func(p string) business.New { return change(func(n *business.New) { n.Plan = p }) }
	for _, c := range []struct {
		name     string
		business business.New
		offences string // "" when it is accepted
	}{
		{"the least", shop, ""},
		{"nothing at all", business.New{}, "name country currency"},
		{"everything wrong at once", business.New{Name: " ", LegalName: text(strings.Repeat("x", 201)), TaxNumber: text(strings.Repeat("x", 41)),
			Country: "nl", Currency: "eur", TimeZone: "Mars/Olympus", Plan: "free"}, "name legalName taxNumber country currency timeZone plan"},
		{"a name of 150 characters", change(func(n *business.New) { n.Name = strings.Repeat("é", 150) }), ""},
		{"a name of 151 characters", change(func(n *business.New) { n.Name = strings.Repeat("é", 151) }), "name"},
		{"a legal name of 200 characters", change(func(n *business.New) { n.LegalName = text(strings.Repeat("é", 200)) }), ""},
		{"a legal name of 201 characters", change(func(n *business.New) { n.LegalName = text(strings.Repeat("é", 201)) }), "legalName"},
		{"a tax number of 40 characters", change(func(n *business.New) { n.TaxNumber = text(strings.Repeat("1", 40)) }), ""},
		{"a tax number of 41 characters", change(func(n *business.New) { n.TaxNumber = text(strings.Repeat("1", 41)) }), "taxNumber"},
		{"a country of one letter", country("N"), "country"},
		{"a country of three letters", country("NLD"), "country"},
		{"a country in small letters", country("nl"), "country"},
		{"a country and a line break", country("NL\n"), "country"},
		{"a country of other letters", country("ΝΛ"), "country"},
		{"a currency without decimals", currency("JPY"), ""},
		{"a currency that nobody has", currency("XYZ"), "currency"},
		{"a currency in small letters", currency("eur"), "currency"},
		{"a zone of the list", zone("America/Argentina/Buenos_Aires"), ""},
		{"no zone at all times", zone("UTC"), ""},
		{"a zone of the machine", zone("Local"), "timeZone"},
		{"a zone of the machine by its file", zone("localtime"), "timeZone"},
		{"a zone with leap seconds", zone("right/Europe/Amsterdam"), "timeZone"},
		{"a zone by a path", zone("/usr/share/zoneinfo/UTC"), "timeZone"},
		{"a zone by a detour", zone("Europe/./Amsterdam"), "timeZone"},
		{"a zone by climbing up", zone("../zoneinfo/UTC"), "timeZone"},
		{"a folder of zones", zone("Europe"), "timeZone"},
		{"an abbreviation that is no zone", zone("AMST"), "timeZone"},
		{"a zone and a space", zone("UTC "), "timeZone"},
		{"a zone and a zero byte", zone("UTC\x00"), "timeZone"},
		{"a plan on offer", plan("SCALE"), ""},
		{"a plan that nobody offers", plan("GOLD"), "plan"},
		{"a plan in small letters", plan("Free"), "plan"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := service.Prepare(c.business, "usr_1")
			if c.offences == "" {
				must(t, err)
			} else if got := offences(err); got != c.offences {
				t.Errorf("complains about %q, want %q: %v", got, c.offences, err)
			}
		})
	}
}

func TestWhatANewBusinessIsByDefault(t *testing.T) {
	each(t, func(t *testing.T, s *dbtest.Store, service *business.Service) {
		owner := person(t, s)
		organization := s.IDs.New(id.Organization)
		exec(t, s, `INSERT INTO organizations (id, name, version, created_at, updated_at) VALUES ($1, 'Acme', 1, $2, $2)`, organization, s.Clock.Now())
		for _, c := range []struct {
			name       string
			business   business.New
			zone, plan string
			sandbox    bool
		}{
			{"the zone of a country with one", business.New{Country: "NL"}, "Europe/Amsterdam", "FREE", false},
			{"UTC in a country with several", business.New{Country: "US"}, "UTC", "FREE", false},
			{"UTC in a country we know little of", business.New{Country: "ZM"}, "UTC", "FREE", false},
			{"what was chosen", business.New{Country: "NL", TimeZone: "Asia/Tokyo", Plan: "GROWTH"}, "Asia/Tokyo", "GROWTH", false},
			{"a sandbox has its own plan", business.New{Country: "NL", SandboxOf: &organization}, "Europe/Amsterdam", "SANDBOX", true},
			{"a sandbox may have another", business.New{Country: "NL", SandboxOf: &organization, Plan: "FREE"}, "Europe/Amsterdam", "FREE", true},
			{"texts are trimmed, empty ones absent", business.New{Country: "NL", LegalName: text("  "), TaxNumber: text("")}, "Europe/Amsterdam", "FREE", false},
		} {
			t.Run(c.name, func(t *testing.T) {
				c.business.Name, c.business.Currency = " Shop ", "EUR"
				b, err := service.Create(ctx, c.business, owner)
				must(t, err)
				if b.Name != "Shop" || b.TimeZone != c.zone || b.Plan != c.plan || b.Sandbox() != c.sandbox || b.LegalName != nil || b.TaxNumber != nil ||
					b.Version != 1 || !b.CreatedAt.Equal(dbtest.Start) {
					t.Errorf("got %+v", b)
				}
				if a, err := service.Access(ctx, b.ID, owner); err != nil || a.Role != business.Owner {
					t.Errorf("its maker is %s, %v", a.Role, err)
				}
			})
		}
	})
}
