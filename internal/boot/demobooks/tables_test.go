package demobooks

import (
	"strings"
	"testing"

	"daybook/internal/base/money"
	"daybook/internal/base/text"
	"daybook/internal/books/ledger"
)

func TestTheTablesOfATradeFitTogether(t *testing.T) {
	for _, tr := range trades {
		kinds := map[string]ledger.AccountType{"5000": ledger.Expense}
		for _, a := range append(common[:len(common):len(common)], tr.accounts...) {
			if _, twice := kinds[a.code]; twice {
				t.Errorf("account %s is there twice", a.code)
			}
			kinds[a.code] = a.kind
		}
		audiences := audience(0)
		for _, p := range tr.products {
			if kinds[p.account] != ledger.Revenue {
				t.Errorf("%s is sold on account %s", p.name, p.account)
			}
			if p.least < 1 || p.most < p.least || p.price <= 0 {
				t.Errorf("%s: %d to %d at %d", p.name, p.least, p.most, p.price)
			}
			if !p.beside {
				audiences |= p.to
			}
		}
		if audiences != everybody {
			t.Errorf("somebody finds nothing to buy: %b", audiences)
		}
		suppliers := map[role]bool{workshop: true} // who sells the machine
		for _, c := range tr.costs {
			if kinds[c.account] != ledger.Expense {
				t.Errorf("%s is booked on account %s", c.what, c.account)
			}
			suppliers[c.from] = true
		}
		if len(suppliers) != int(workshop)+1 {
			t.Errorf("suppliers without a bill: only %v have one", suppliers)
		}
		if tr.loan > 0 && kinds["2500"] != ledger.Liability {
			t.Error("a loan without an account")
		}
	}
}

func TestTheTradeFollowsFromTheName(t *testing.T) {
	for name, want := range map[string]*trade{
		"Bakery Brandt": &bakery, "Brandt Bakkerij": &bakery, "BOULANGERIE PETIT": &bakery, "Brandt Catering": &catering, "Nora's Kitchen": &catering,
		"Kite Works": &services, "": &services,
	} {
		if tradeOf(name) != want {
			t.Errorf("%q is in another trade", name)
		}
	}
}

func TestEverybodyHasANameAndAnAddressOfTheirOwn(t *testing.T) {
	for country, p := range map[string]place{"NL": netherlands, "GB": britain, "JP": placeOf("JP"), "VN": placeOf("VN")} {
		seen := map[string]bool{}
		all := append(p.companies[:], p.people[:]...)
		for r := goodsB + 1; r <= workshop; r++ {
			all = append(all, p.suppliers[r])
		}
		for _, c := range append(all, foreigners...) {
			if c.name == "" || c.street == "" || seen[c.fullName()] || seen[c.email()] || !text.IsEmail(c.email()) {
				t.Errorf("%s: %+v", country, c)
			}
			if !strings.HasSuffix(c.email(), ".test") && !strings.HasSuffix(c.email(), "@example.com") {
				t.Errorf("%s may be somebody's address", c.email())
			}
			seen[c.fullName()], seen[c.email()] = true, true
			if country != "VN" && (c.town == "" || c.postal == "") {
				t.Errorf("%s lives nowhere", c.name)
			}
		}
	}
	for _, tr := range trades {
		for _, g := range tr.goods {
			for _, country := range []string{"NL", "GB", "VN"} {
				if g.in(country) == "" {
					t.Errorf("who delivers %s in %s?", g.note, country)
				}
			}
		}
	}
	if placeOf("JP").suppliers[energy].town == placeOf("VN").suppliers[energy].town {
		t.Error("one country moved to another")
	}
}

func TestPriceTagsOfEveryCurrency(t *testing.T) {
	for currency, want := range map[string]string{"EUR": "3.45", "GBP": "2.95", "JPY": "550", "KWD": "1.170", "VND": "96000"} {
		c := money.MustCurrency(currency)
		if got := money.Plain(price(c, 345), c); got != want {
			t.Errorf("345 cents are %s %s, want %s", currency, got, want)
		}
	}
	for _, c := range money.Currencies() {
		for _, amount := range []cents{1, 345, 24_500, 4_000_000} {
			if price(c, amount) < 1 || price(c, amount) < worth(c, amount)*95/100 {
				t.Errorf("%d cents are %s", amount, money.FormatWithCode(price(c, amount), c))
			}
		}
	}
}

func TestRatesOfExchangeStayNearTheLevels(t *testing.T) {
	for base := range levels {
		for foreign := range levels {
			b, f := money.MustCurrency(base), money.MustCurrency(foreign)
			for on := day(-365); on < 400; on += 13 {
				rate, err := money.ParseFactor(exchangeRate(b, f, on))
				if err != nil {
					t.Fatal(err)
				}
				there, err := money.Convert(worth(f, 10_000_000), f, b, rate)
				if err != nil {
					t.Fatal(err)
				}
				if straight := worth(b, 10_000_000); there < straight*97/100 || there > straight*103/100 {
					t.Fatalf("%s in %s on %s at %s: %d against %d", foreign, base, on, rate, there, straight)
				}
			}
		}
	}
	usd, eur := money.MustCurrency("USD"), money.MustCurrency("EUR")
	if exchangeRate(eur, usd, 20_000) == exchangeRate(eur, usd, 20_040) {
		t.Error("rates stand still")
	}
}

func TestDays(t *testing.T) {
	d, err := dayOf("2026-01-31")
	if err != nil || d.String() != "2026-01-31" || d.month() != 0 {
		t.Fatalf("%s, %d, %v", d, d.month(), err)
	}
	for _, c := range []struct{ from, want string }{
		{"2026-01-30", "2026-01-30"}, {"2026-01-31", "2026-02-02"}, {"2026-02-01", "2026-02-02"}, {"2025-12-25", "2025-12-29"}, {"2026-01-01", "2026-01-02"},
	} {
		from, _ := dayOf(c.from)
		if got := from.working().String(); got != c.want {
			t.Errorf("offices open on %s after %s, want %s", got, c.from, c.want)
		}
	}
	for months, want := range map[int]string{0: "2026-01-01", 1: "2026-02-01", -12: "2025-01-01", 12: "2027-01-01", -1: "2025-12-01"} {
		if got := d.first(months).String(); got != want {
			t.Errorf("%d months on it is %s, want %s", months, got, want)
		}
	}
}

// A country's own rates decide: bread has the lowest one, but in Britain none.
func TestTaxClasses(t *testing.T) {
	of := func(percent, category string) rate { return rate{percent, money.MustFactor(percent), category} }
	italy := []rate{of("22", "STANDARD"), of("10", "REDUCED"), of("4", "REDUCED"), of("0", "ZERO")}
	for _, c := range []struct {
		name    string
		r       rates
		class   taxClass
		percent string // empty: none
	}{
		{"Italy", rates{italy, "IT"}, standard, "22"},
		{"Italian bread", rates{italy, "IT"}, food, "4"},
		{"from Italy", rates{italy, "IT"}, zero, "0"},
		{"rent of a flat", rates{italy, "IT"}, untaxed, ""},
		{"British bread", rates{italy, "GB"}, food, "0"},
		{"Danish bread", rates{[]rate{of("25", "STANDARD"), of("0", "ZERO")}, "DK"}, food, "25"},
		{"a country without tax", rates{[]rate{of("0", "OUT_OF_SCOPE")}, "US"}, standard, "0"},
		{"from there", rates{[]rate{of("0", "OUT_OF_SCOPE")}, "US"}, zero, "0"},
		{"no rates at all", rates{nil, "XX"}, standard, ""},
	} {
		got := ""
		if id := c.r.id(c.class); id != nil {
			got = *id
		}
		if got != c.percent {
			t.Errorf("%s: %q, want %q", c.name, got, c.percent)
		}
	}
}
