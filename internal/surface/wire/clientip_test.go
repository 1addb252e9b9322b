package wire

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

func proxies(t testing.TB, list ...string) []netip.Prefix {
	t.Helper()
	trusted, err := ParseProxies(list)
	if err != nil {
		t.Fatal(err)
	}
	return trusted
}

func from(remote string, forwarded ...string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.RemoteAddr = remote
	r.Header["X-Forwarded-For"] = forwarded
	return r
}

func TestClientIP(t *testing.T) {
	trusted := proxies(t, "10.0.0.0/8", "192.0.2.1", "2001:db8:aaaa::/48")
	for _, c := range []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"a direct client", "203.0.113.5:1", nil, "203.0.113.5"},
		{"a direct client that forges the header", "203.0.113.5:1", []string{"1.1.1.1"}, "203.0.113.5"},
		{"a direct client that claims to be a proxy", "203.0.113.5:1", []string{"10.0.0.1"}, "203.0.113.5"},
		{"one hop", "10.0.0.1:1", []string{"203.0.113.5"}, "203.0.113.5"},
		{"one hop that is a single address", "192.0.2.1:1", []string{"203.0.113.5"}, "203.0.113.5"},
		{"a neighbour of that address", "192.0.2.2:1", []string{"203.0.113.5"}, "192.0.2.2"},
		{"one hop, and a client that forged more", "10.0.0.1:1", []string{"1.1.1.1, 203.0.113.5"}, "203.0.113.5"},
		{"one hop, and a client that forged a proxy", "10.0.0.1:1", []string{"10.9.9.9, 203.0.113.5"}, "203.0.113.5"},
		{"two hops", "10.0.0.1:1", []string{"203.0.113.5, 10.0.0.2"}, "203.0.113.5"},
		{"two hops, and a client that forged more", "10.0.0.1:1", []string{"1.1.1.1, 203.0.113.5, 10.0.0.2"}, "203.0.113.5"},
		{"two hops in two lines", "10.0.0.1:1", []string{"1.1.1.1, 203.0.113.5", "10.0.0.2"}, "203.0.113.5"},
		{"a proxy asks for itself", "10.0.0.1:1", nil, "10.0.0.1"},
		{"only proxies", "10.0.0.1:1", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"an empty header", "10.0.0.1:1", []string{""}, "10.0.0.1"},
		{"garbage in place of the client", "10.0.0.1:1", []string{"unknown"}, "10.0.0.1"},
		{"garbage left of the client", "10.0.0.1:1", []string{"unknown, 203.0.113.5"}, "203.0.113.5"},
		{"garbage between client and proxy", "10.0.0.1:1", []string{"203.0.113.5, unknown, 10.0.0.2"}, "10.0.0.2"},
		{"an entry with a port", "10.0.0.1:1", []string{"203.0.113.5:4711"}, "10.0.0.1"},
		{"blanks and empty entries", "10.0.0.1:1", []string{" 203.0.113.5 ,\t10.0.0.2 "}, "203.0.113.5"},
		{"an empty entry at the end", "10.0.0.1:1", []string{"203.0.113.5,"}, "10.0.0.1"},
		{"an IPv6 client", "10.0.0.1:1", []string{"2001:db8::1"}, "2001:db8::1"},
		{"an IPv6 proxy", "[2001:db8:aaaa::1]:1", []string{"203.0.113.5"}, "203.0.113.5"},
		{"an IPv6 client with a zone", "10.0.0.1:1", []string{"fe80::1%eth0"}, "fe80::1"},
		{"an IPv6 peer with a zone", "[fe80::1%eth0]:1", nil, "fe80::1"},
		{"an IPv4 peer in IPv6 dress is the same proxy", "[::ffff:10.0.0.1]:1", []string{"203.0.113.5"}, "203.0.113.5"},
		{"an IPv4 client in IPv6 dress is the same client", "10.0.0.1:1", []string{"::ffff:203.0.113.5"}, "203.0.113.5"},
		{"an IPv4 proxy in IPv6 dress in the header", "10.0.0.1:1", []string{"203.0.113.5, ::ffff:10.0.0.2"}, "203.0.113.5"},
		{"a peer without a port", "203.0.113.5", nil, "0.0.0.0"},
		{"a peer that is a path", "@", []string{"203.0.113.5"}, "0.0.0.0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := clientIP(from(c.peer, c.forwarded...), trusted); got.String() != c.want {
				t.Errorf("got %v, want %s", got, c.want)
			}
		})
	}
	t.Run("nobody is trusted by default", func(t *testing.T) {
		if got := clientIP(from("127.0.0.1:1", "203.0.113.5"), nil); got.String() != "127.0.0.1" {
			t.Errorf("got %v", got)
		}
	})
	t.Run("a thousand forged entries change nothing", func(t *testing.T) {
		forged := strings.Repeat("1.1.1.1, ", 1000) + "203.0.113.5"
		if got := clientIP(from("10.0.0.1:1", forged), trusted); got.String() != "203.0.113.5" {
			t.Errorf("got %v", got)
		}
	})
}

func TestClientKey(t *testing.T) {
	for _, c := range []struct{ name, ip, want string }{
		{"an IPv4 address counts alone", "203.0.113.5", "203.0.113.5"},
		{"an IPv6 address counts as its network", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"},
		{"the first of the network", "2001:db8:1:2::", "2001:db8:1:2::/64"},
		{"the next network", "2001:db8:1:3::1", "2001:db8:1:3::/64"},
		{"loopback", "::1", "::/64"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := &about{Context: context.Background(), client: netip.MustParseAddr(c.ip)}
			if got := ClientKey(ctx); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestParseProxies(t *testing.T) {
	for _, c := range []struct {
		name string
		list []string
		want string // the prefixes, or what the error names
		ok   bool
	}{
		{"nothing", nil, "", true},
		{"blanks", []string{" ", ""}, "", true},
		{"ranges and single addresses", []string{"10.0.0.0/8", " 192.0.2.1 ", "2001:db8::/32", "::1"}, "10.0.0.0/8 192.0.2.1/32 2001:db8::/32 ::1/128", true},
		{"a word", []string{"10.0.0.0/8", "proxy"}, `"proxy"`, false},
		{"a range that is too long", []string{"10.0.0.0/33"}, `"10.0.0.0/33"`, false},
		{"an address with a port", []string{"10.0.0.1:80"}, `"10.0.0.1:80"`, false},
		// As IPv6 such an entry would fit nobody, because peers are compared as IPv4: a setting that silently does nothing.
		{"an IPv4 address in IPv6 dress", []string{"::ffff:10.0.0.1"}, `"::ffff:10.0.0.1"`, false},
		{"an IPv4 range in IPv6 dress", []string{"::ffff:10.0.0.0/104"}, `"::ffff:10.0.0.0/104"`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, err := ParseProxies(c.list)
			var words []string
			for _, p := range list {
				words = append(words, p.String())
			}
			got := strings.Join(words, " ")
			if err != nil {
				got = err.Error()
			}
			if (err == nil) != c.ok || c.ok && got != c.want || !strings.Contains(got, c.want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// FuzzForwardedFor holds clientIP against a second reading of the same rule: walk from the peer to the left for as long
// as the one who speaks is trusted and names an address.
func FuzzForwardedFor(f *testing.F) {
	for _, header := range []string{
		"", "203.0.113.5", "203.0.113.5, 10.0.0.2", "unknown, 10.0.0.1", "::ffff:10.0.0.1, 1.1.1.1", "fe80::1%eth0", ",,,", " , ", "10.0.0.1\n1.1.1.1",
		"1.1.1.1, 10.0.0.2\n10.0.0.3", "[::1]", "1.2.3.4:5", strings.Repeat("10.0.0.1,", 40) + "10.0.0.2",
	} {
		f.Add("10.0.0.1:1", header)
		f.Add("203.0.113.9:1", header)
	}
	trusted := proxies(f, "10.0.0.0/8")
	isTrusted := func(ip netip.Addr) bool { return ip.Is4() && ip.As4()[0] == 10 }
	f.Fuzz(func(t *testing.T, peer, header string) {
		got := clientIP(from(peer, strings.Split(header, "\n")...), trusted)
		if !got.IsValid() || got.Is4In6() || got.Zone() != "" {
			t.Fatalf("%#v is no plain address", got)
		}
		want := clientIP(from(peer), trusted)
		entries := strings.Split(strings.ReplaceAll(header, "\n", ","), ",")
		for i := len(entries) - 1; i >= max(0, len(entries)-maxHops) && isTrusted(want); i-- {
			ip, err := netip.ParseAddr(strings.TrimSpace(entries[i]))
			if err != nil {
				break
			}
			want = ip.Unmap().WithZone("")
		}
		if got != want {
			t.Fatalf("from %s with %q: got %v, want %v", peer, header, got, want)
		}
	})
}
