package outbound

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"
)

// anywhere resolves every name to a public address.
var anywhere = resolverFunc(func(context.Context, string) ([]netip.Addr, error) { return parseAddrs("8.8.8.8"), nil })

func TestCheckURLGivesTheFormToStore(t *testing.T) {
	c, _ := recorded(t, Options{Resolver: anywhere}, nothing)
	for raw, want := range map[string]string{
		"https://hook.example":                   "https://hook.example",
		"HTTPS://Hook.Example:443/In?Q=1":        "https://hook.example/In?Q=1",
		"https://hook.example:08443/":            "https://hook.example:8443/",
		"https://hook.example?x=a@b":             "https://hook.example?x=a@b",
		"https://hook.example/a/../b/%2e%2e/%41": "https://hook.example/a/../b/%2e%2e/%41",
		"https://xn--bcher-kva.example/":         "https://xn--bcher-kva.example/",
		"https://under_score.hook.example/":      "https://under_score.hook.example/",
		"https://8.8.8.8:8443/":                  "https://8.8.8.8:8443/",
		"https://[2606:4700:0:0::1111]:443/":     "https://[2606:4700::1111]/",
		"https://[2606:4700::1111]:444/":         "https://[2606:4700::1111]:444/",
		"https://1.example/":                     "https://1.example/",
		"https://" + longHost(253) + "/":         "https://" + longHost(253) + "/",
	} {
		got, err := c.CheckURL(t.Context(), raw)
		if err != nil || got != want {
			t.Errorf("%s\n got %s, %v\nwant %s", raw, got, err, want)
		}
		if again, err := c.CheckURL(t.Context(), got); err != nil || again != got {
			t.Errorf("the stored form %s changes to %s, %v", got, again, err)
		}
	}
}

func longHost(n int) string {
	return strings.Repeat("a.", (n-2)/2) + strings.Repeat("b", n-(n-2)/2*2)
}

func TestCheckURLSaysWhatIsWrong(t *testing.T) {
	c, _ := recorded(t, Options{Resolver: anywhere, OwnPorts: []uint16{8080}}, nothing)
	for _, row := range []struct{ raw, want string }{
		{"", "must use https"},
		{"hook.example", "must use https"},
		{"http://hook.example/", "must use https"},
		{"ftp://hook.example/", "must use https"},
		{"https:/hook.example/", "must use https"},
		{"https:hook.example", "must use https"},
		{"javascript://hook.example/%0aalert(1)", "must use https"},
		{"https://", "must have a host"},
		{"https:///path", "must have a host"},
		{"https://:443/", "must have a host"},
		{"https://user@hook.example/", "must not carry a user name or password"},
		{"https://user:word@hook.example/", "must not carry a user name or password"},
		{"https://@hook.example/", "must not carry a user name or password"},
		{"https://8.8.8.8%40hook.example/", "is not well formed"},
		{"https://hook.example/#part", "must not have a fragment"},
		{"https://hook.example/#", "must not have a fragment"},
		{"https://hook.example\\@evil.example/", "must not hold a backslash"},
		{"https://hook.example/a b", "must not hold spaces or control characters"},
		{" https://hook.example/", "must not hold spaces or control characters"},
		{"https://hook.example/\r\nHost: evil", "must not hold spaces or control characters"},
		{"https://hook\x00.example/", "must not hold spaces or control characters"},
		{"https://hook.example\x7f/", "must not hold spaces or control characters"},
		{"https://bücher.example/", "must be ASCII: write an international host name in its xn-- form and percent-encode the rest"},
		{"https://hook。example/", "must be ASCII: write an international host name in its xn-- form and percent-encode the rest"},
		{"https://hook.example/ü", "must be ASCII: write an international host name in its xn-- form and percent-encode the rest"},
		{"https://%68ook.example/", "is not well formed"},
		{"https://b%C3%BCcher.example/", "is not well formed"},
		{"https://hook.example/%zz", "is not well formed"},
		{"https://hook..example/", "must have a valid host name"},
		{"https://.hook.example/", "must have a valid host name"},
		{"https://hook.example./", "must have a valid host name"},
		{"https://-hook.example/", "must have a valid host name"},
		{"https://hook-.example/", "must have a valid host name"},
		{"https://ho*ok.example/", "must have a valid host name"},
		{"https://" + strings.Repeat("a", 64) + ".example/", "must have a valid host name"},
		{"https://" + longHost(254) + "/", "must have a host of 253 bytes or fewer"},
		{"https://hook.example:/", "must have a port from 1 to 65535"},
		{"https://hook.example:0/", "must have a port from 1 to 65535"},
		{"https://hook.example:65536/", "must have a port from 1 to 65535"},
		{"https://hook.example:8080/", "must not use this port"},
		{"https://hook.example/" + strings.Repeat("a", 2048), "must be 2048 bytes or fewer"},
	} {
		_, err := c.CheckURL(t.Context(), row.raw)
		if ReasonOf(err) != ReasonURL || err.Error() != "URL "+row.want {
			t.Errorf("%q: got %v, want %q", row.raw, err, row.want)
		}
	}
}

func TestLoopbackHTTPNeedsDevelopmentMode(t *testing.T) {
	resolver := &names{answers: map[string][]string{"localhost": {"127.0.0.1 ::1"}, "mixed.example": {"127.0.0.1 8.8.8.8"}, "hook.example": {"8.8.8.8"}}}
	c, _ := recorded(t, Options{AllowLoopbackHTTP: true, Resolver: resolver}, nothing)
	for _, raw := range []string{"http://localhost:3000/in", "http://127.0.0.1:3000/in", "http://[::1]:3000/in", "https://localhost/", "https://hook.example/"} {
		if _, err := c.CheckURL(t.Context(), raw); err != nil {
			t.Errorf("%s: %v", raw, err)
		}
	}
	for _, raw := range []string{"http://hook.example/", "http://mixed.example/", "http://10.0.0.1/", "http://0.0.0.0:3000/"} {
		_, err := c.CheckURL(t.Context(), raw)
		wantReason(t, err, ReasonAddress, "address not allowed")
		_, err = c.Do(t.Context(), Request{URL: raw})
		wantReason(t, err, ReasonAddress, "address not allowed")
	}
}

// Saving must not tell which internal names exist.
func TestAtSaveAMissingNameReadsLikeADeniedOne(t *testing.T) {
	c, _ := recorded(t, Options{Resolver: resolving("wiki.corp.example", "10.0.0.5")}, nothing)
	for _, raw := range []string{"https://wiki.corp.example/", "https://missing.corp.example/"} {
		_, err := c.CheckURL(t.Context(), raw)
		wantReason(t, err, ReasonAddress, "address not allowed")
	}
	failing := resolverFunc(func(context.Context, string) ([]netip.Addr, error) { return nil, errors.New("SERVFAIL") })
	c, _ = recorded(t, Options{Resolver: failing}, nothing)
	_, err := c.CheckURL(t.Context(), "https://wiki.corp.example/")
	wantReason(t, err, ReasonAddress, "address not allowed")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = c.CheckURL(ctx, "https://wiki.corp.example/")
	wantReason(t, err, ReasonCanceled, "stopped before an answer")
}
