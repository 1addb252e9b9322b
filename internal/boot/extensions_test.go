package boot

import (
	"net/url"
	"testing"

	"daybook/internal/platform/extension"
)

// In production nothing is framed that gets our cookies; in development everything lives on loopback.
func TestWhatIsNeverFramed(t *testing.T) {
	parse := func(s string) *url.URL {
		u, err := url.Parse(s)
		ok(t, err)
		return u
	}
	production := settings{base: parse("https://api.daybook.example"), auth: parse("https://app.daybook.example")}
	shared := production
	shared.CookieDomain = "Daybook.example"
	development := settings{Config: Config{Development: &Development{}}, base: parse("http://127.0.0.1:8080"), auth: parse("http://127.0.0.1:8081")}
	for name, c := range map[string]struct {
		s      settings
		appURL string
		framed bool
	}{
		"an app":                                 {production, "https://app.example/", true},
		"our app host":                           {production, "https://app.daybook.example/", false},
		"our API host":                           {production, "https://api.daybook.example/", false},
		"another port of ours":                   {production, "https://app.daybook.example:8443/", false},
		"a neighbour":                            {production, "https://partner.daybook.example/", true},
		"a neighbour that gets our cookie":       {shared, "https://partner.daybook.example/", false},
		"the domain of the cookie":               {shared, "https://daybook.example/", false},
		"an app beside a shared cookie":          {shared, "https://app.example/", true},
		"another port in development":            {development, "http://127.0.0.1:3000/", true},
		"our app host in development":            {development, "http://127.0.0.1:8081/", false},
		"our API host in development":            {development, "http://127.0.0.1:8080/", false},
		"another name of loopback, another site": {development, "http://localhost:8081/", true},
	} {
		if _, wrong := extension.Resolve(&c.appURL, "", c.s.home()); (wrong == "") != c.framed {
			t.Errorf("%s: %q", name, wrong)
		}
	}
}
