package extension

import (
	"net/url"
	"strings"
	"testing"
)

var ours = Home{Origins: []string{"https://app.daybook.example", "https://api.daybook.example:8443"}, Hosts: []string{"app.daybook.example"}, Domains: []string{"shared.example"}}

func TestWhereAPathLeads(t *testing.T) {
	for _, c := range []struct{ appURL, path, want string }{
		{"https://app.example/", "", "https://app.example/"},
		{"https://app.example", "", "https://app.example/"},
		{"https://app.example/daybook/", "invoice", "https://app.example/daybook/invoice"},
		{"https://app.example/daybook", "invoice", "https://app.example/invoice"}, // as browsers resolve it
		{"https://app.example/daybook/", "../invoice", "https://app.example/invoice"},
		{"https://app.example/daybook/", "../../../..", "https://app.example/"},
		{"https://app.example/daybook/", "/", "https://app.example/"},
		{"https://app.example/a?old=1#old", "?tab=1", "https://app.example/a?tab=1"},
		{"https://app.example/", "#/invoices", "https://app.example/#/invoices"},
		{"https://app.example/", "https://app.example/invoice", "https://app.example/invoice"},
		{"https://app.example/", "HTTPS://APP.EXAMPLE:443/invoice", "https://app.example/invoice"},
		{"https://app.example/", "//app.example/invoice", "https://app.example/invoice"},
		{"https://APP.Example:443/", "x", "https://app.example/x"},
		{"http://localhost:3000/", "x", "http://localhost:3000/x"},
		{"http://127.0.0.1:80/", "x", "http://127.0.0.1/x"},
		{"https://[::1]/", "x", "https://[::1]/x"},
		{"https://[0:0::0:1]:3000/", "x", "https://[::1]:3000/x"},
		{"https://xn--bcher-kva.example/", "x", "https://xn--bcher-kva.example/x"},
		{"https://app.example/", "a//b", "https://app.example/a//b"},
		{"https://app.example/", "@evil.example", "https://app.example/@evil.example"},
		{"https://app.example/", "./x:y", "https://app.example/x:y"},
		{"https://app.example/", "%2e%2e/%5c", "https://app.example/%2e%2e/%5c"},
		{"https://app.example/", "übersicht?q=é\"<'#ö", "https://app.example/%C3%BCbersicht?q=%C3%A9%22%3C%27#%C3%B6"},
		{"https://app.example/", strings.Repeat("x", maxPath), "https://app.example/" + strings.Repeat("x", maxPath)},
	} {
		got, wrong := Resolve(&c.appURL, c.path, ours)
		if got.URL != c.want || wrong != "" {
			t.Errorf("%q on %s: %q, %q", c.path, c.appURL, got.URL, wrong)
		}
	}
}

func TestPathsThatAreRefused(t *testing.T) {
	const good = "https://app.example/"
	for _, c := range []struct{ appURL, path, says string }{
		{good, `a\b`, "backslash"}, {good, `\\evil.example`, "backslash"}, {good, `/\evil.example`, "backslash"},
		{good, "a b", "space"}, {good, " x", "space"}, {good, "x ", "space"}, {good, "a\tb", "space"}, {good, "a\nb", "space"}, {good, "a\u00a0b", "space"}, {good, "a\u2028b", "space"},
		{good, "a\x00b", "control"}, {good, "a\x7f", "control"}, {good, "a\u0085", "space"}, {good, "a\u0080", "control"}, {good, "a\u202eb", "control"}, {good, "\ufeffx", "control"}, {good, "x\u200b", "control"},
		{good, "a\xff", "UTF-8"}, {good, strings.Repeat("x", maxPath+1), "characters"},
		{good, "//evil.example", "leads away"}, {good, "///evil.example", "leads away"}, {good, "////app.example", "leads away"}, {good, "//evil.example@app.example/", "leads away"}, {good, "//app.example@evil.example/", "leads away"},
		{good, "https://evil.example/", "leads away"}, {good, "http://app.example/", "leads away"}, {good, "https://app.example:8443/", "leads away"},
		{good, "https:evil.example", "leads away"}, {good, "https:/x", "leads away"}, {good, "javascript:alert(1)", "leads away"}, {good, "data:text/html,x", "leads away"},
		{good, "blob:https://app.example/x", "leads away"}, {good, "mailto:a@app.example", "leads away"}, {good, "//app.example.", "leads away"}, {good, "//user@app.example/", "leads away"},
		{good, "x:y", "leads away"}, {good, "%zz", "read as"}, {good, "//[", "read as"}, {good, ":", "read as"},
		{"https://app.daybook.example/", "x", "own host"}, {"https://APP.daybook.example.:8443/", "x", "own host"}, {"http://app.daybook.example:81/", "x", "own host"},
		{"https://api.daybook.example:8443/x", "y", "own host"}, {"https://shared.example", "x", "own host"}, {"https://evil.shared.example/", "x", "own host"},
		{"https://a;script-src/", "x", "plain host"}, {"https://*.example/", "x", "plain host"}, {"https://a'b.example/", "x", "plain host"}, {"https://bücher.example/", "x", "plain host"},
		{"https://2130706433/", "x", "plain host"}, {"https://127.1/", "x", "plain host"}, {"https://0x7f.1/", "x", "plain host"}, {"https://a.0x7f/", "x", "plain host"}, {"https://a.0x/", "x", "plain host"},
		{"https://a.08/", "x", "plain host"}, {"https://127.0.0.1./", "x", "plain host"}, {"https://[::ffff:127.0.0.1]/", "x", "plain host"}, {"https://[fe80::1%25eth0]/", "x", "plain host"},
		{"https://a..b/", "x", "plain host"}, {"https://" + strings.Repeat("a", 64) + ".example/", "x", "plain host"}, {"https://xn--.example/", "x", "plain host"},
		{"https://me@app.example/", "x", "user info"}, {"ftp://app.example/", "x", "http or https"}, {"https:app", "x", "http or https"}, {"https:///x", "y", "plain host"},
		{"https://app.example:0/", "x", "port"}, {"https://app.example:/", "x", "port"}, {"https://app.example:65536/", "x", "port"}, {"https://app.example:0443/", "x", "port"},
		{"https://app.example:x/", "x", "cannot be read"},
	} {
		if got, wrong := Resolve(&c.appURL, c.path, ours); !strings.Contains(wrong, c.says) || got != (Address{}) || wrong == "" {
			t.Errorf("%q on %s: %+v, %q, want %q", c.path, c.appURL, got, wrong, c.says)
		}
	}
	if _, wrong := Resolve(nil, "x", ours); !strings.Contains(wrong, "no App URL") {
		t.Error(wrong)
	}
}

func TestHomeIsEveryPortOfOurHosts(t *testing.T) {
	parse := func(s string) *url.URL { u, _ := url.Parse(s); return u }
	h := NewHome(parse("https://API.Daybook.example:443"), parse("http://127.0.0.1:8081"))
	for address, covered := range map[string]bool{
		"https://api.daybook.example": true, "https://api.daybook.example:9": true, "http://127.0.0.1:3000": true, "http://localhost:8081": false, "https://x.api.daybook.example": false,
	} {
		if _, wrong := Resolve(&address, "x", h); strings.Contains(wrong, "own host") != covered {
			t.Errorf("%s: %q", address, wrong)
		}
	}
}

// FuzzExtensionPath holds what is accepted against a second, cruder reading of addresses, such as a browser's: what stands between the
// scheme and the first slash is the host, and nothing may be hidden there or behind it.
func FuzzExtensionPath(f *testing.F) {
	for _, seed := range [][2]string{
		{"https://app.example/daybook/", "invoice"}, {"https://app.example", "//evil.example"}, {"http://localhost:3000/x", `\\evil.example`}, {"https://app.example/", "https:evil.example"},
		{"https://[::1]:3000/", "?q=é#x"}, {"https://2130706433/", "x"}, {"https://a;b/", "x"}, {"https://app.daybook.example", "x"}, {"https://app.example/", "javascript:alert(1)"}, {"https://app.example/", "%2f%2fevil"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, appURL, path string) {
		got, wrong := Resolve(&appURL, path, ours)
		if wrong != "" {
			if got != (Address{}) {
				t.Fatalf("refused (%s) and yet %+v", wrong, got)
			}
			return
		}
		rest, found := strings.CutPrefix(got.URL, got.Origin)
		if !found || !strings.HasPrefix(rest, "/") {
			t.Fatalf("%q is not on %q", got.URL, got.Origin)
		}
		if strings.ContainsFunc(got.URL, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("\\\"<>`", r) }) {
			t.Fatalf("%q has characters that could mean something", got.URL)
		}
		scheme, host, _ := strings.Cut(got.Origin, "://")
		if scheme != "http" && scheme != "https" || host == "" || strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-._:[]") != "" {
			t.Fatalf("the origin is %q", got.Origin)
		}
		again, err := url.Parse(got.URL)
		if err != nil || again.Scheme != scheme || again.Host != host || again.User != nil {
			t.Fatalf("%q reads as %+v, %v", got.URL, again, err)
		}
		if again.Hostname() == "app.daybook.example" || strings.HasSuffix(again.Hostname(), ".shared.example") {
			t.Fatalf("%q is ours", got.URL)
		}
		if twice, wrong := Resolve(&got.URL, got.URL, ours); wrong != "" || twice != got {
			t.Fatalf("%+v leads to %+v, %q", got, twice, wrong)
		}
	})
}
