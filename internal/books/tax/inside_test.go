package tax

import "testing"

// The table is data: every row of it must be what the verbs would take.
func TestEveryStarterIsAProperRate(t *testing.T) {
	for country := range starters {
		list := starting(country)
		if len(list) < 2 || list[0].Category != Standard || list[len(list)-1].Category != Zero {
			t.Errorf("%s begins with %+v", country, list)
		}
		seen := map[string]bool{}
		for i, n := range list {
			if checked, err := n.check(); err != nil || checked != n || seen[n.Name] {
				t.Errorf("%s: %+v: %v", country, n, err)
			}
			if seen[n.Name] = true; i > 0 && n.Rate.Cmp(list[i-1].Rate) >= 0 {
				t.Errorf("%s: %s does not follow %s", country, n.Rate, list[i-1].Rate)
			}
		}
	}
	for _, country := range []string{"AT", "BE", "CH", "DE", "DK", "ES", "FI", "FR", "GB", "IE", "IT", "LU", "NL", "NO", "PL", "PT", "SE"} {
		if starters[country] == "" {
			t.Errorf("%s has no rates", country)
		}
	}
}
