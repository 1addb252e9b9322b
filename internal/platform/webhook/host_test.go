package webhook

import (
	"net/url"
	"testing"
)

func TestTheHostOfAnAddress(t *testing.T) {
	for _, address := range []string{"https://a.example", "https://a.example/", "https://a.example?x=/y", "https://a.example:8443/x:1?y", "http://127.0.0.1:3000/hook", "https://[2001:db8::1]:444/"} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := hostOf(address); got != u.Host {
			t.Errorf("%s: %q, want %q", address, got, u.Host)
		}
	}
}
