package outbound

import (
	"context"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// agree holds the policy against the oracle for one address.
func agree(t interface{ Fatalf(string, ...any) }, addr netip.Addr) {
	g := newGuard(Options{})
	want := denied
	if isGlobal(addr) {
		want = open
	}
	if got := g.judge(addr, false); got != want {
		t.Fatalf("%s is %d, the registries say %d", addr, got, want)
	}
	if g.judge(addr, true) != denied {
		t.Fatalf("%s may be reached without TLS", addr)
	}
}

// The registries' edges: the first and last address of every row, and their outer neighbours.
func TestThePolicyAgreesWithTheRegistriesAtTheirEdges(t *testing.T) {
	for _, row := range append(append([]string{"2000::/3"}, registry4...), registry6...) {
		prefix := netip.MustParsePrefix(row)
		last := prefix.Addr().AsSlice()
		for i := prefix.Bits(); i < prefix.Addr().BitLen(); i++ {
			last[i/8] |= 0x80 >> (i % 8)
		}
		end, _ := netip.AddrFromSlice(last)
		for _, addr := range []netip.Addr{prefix.Addr(), prefix.Addr().Prev(), end, end.Next()} {
			if addr.IsValid() {
				agree(t, addr)
			}
		}
	}
	for _, v := range forbidden {
		if addr := netip.MustParseAddr(v.addr); isGlobal(addr) {
			t.Errorf("the oracle lets %s (%s) through", v.addr, v.is)
		}
	}
}

func TestThePolicyAgreesWithTheRegistries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int{4, 16}).Draw(t, "size")
		raw := rapid.SliceOfN(rapid.Byte(), size, size).Draw(t, "bytes")
		if size == 16 && rapid.Bool().Draw(t, "global unicast") {
			raw[0] = raw[0]&0x1f | 0x20
		}
		addr, _ := netip.AddrFromSlice(raw)
		agree(t, addr)
	})
}

func FuzzAddress(f *testing.F) {
	for _, v := range forbidden {
		f.Add(netip.MustParseAddr(v.addr).AsSlice())
	}
	for _, addr := range publicAddrs {
		f.Add(netip.MustParseAddr(addr).AsSlice())
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if addr, ok := netip.AddrFromSlice(raw); ok {
			agree(t, addr)
		}
	})
}

// FuzzCheckURL lets every name resolve to a public address, so that what passes passed by its form alone.
func FuzzCheckURL(f *testing.F) {
	for _, host := range oddHosts {
		f.Add("https://" + host + "/")
	}
	for _, v := range forbidden {
		f.Add("https://" + literal(v.addr) + ":8443/in")
	}
	for _, raw := range []string{
		"https://hook.example/in?a=b", "https://a@b/", "https://a%2eb/", "https://[2606:4700::1111]:1/", "HTTPS://A.b:0443?",
		"https://a\\@b", "https://a#b", "//a", "https://a:b:c/", "https://1.1.1.1", "https://0x7f.1.", "https://a/?://b@c",
	} {
		f.Add(raw)
	}
	var asked string
	c := New(Options{Resolver: resolverFunc(func(_ context.Context, host string) ([]netip.Addr, error) {
		asked = host
		return parseAddrs("8.8.8.8"), nil
	})})
	f.Fuzz(func(t *testing.T, raw string) {
		asked = ""
		stored, err := c.CheckURL(t.Context(), raw)
		if err != nil {
			if stored != "" || ReasonOf(err) != ReasonURL && ReasonOf(err) != ReasonAddress {
				t.Fatalf("%q: %q, %v", raw, stored, err)
			}
			return
		}
		u, err := url.Parse(stored)
		if err != nil || u.Scheme != "https" || u.User != nil || u.Fragment != "" || u.Opaque != "" {
			t.Fatalf("%q is stored as %q, which reads %+v, %v", raw, stored, u, err)
		}
		checkHost(t, u.Hostname(), asked)
		if again, err := c.CheckURL(t.Context(), stored); err != nil || again != stored {
			t.Fatalf("%q is stored as %q, which is stored as %q, %v", raw, stored, again, err)
		}
	})
}

// checkHost holds an accepted host against the readings of others.
func checkHost(t *testing.T, host, asked string) {
	t.Helper()
	if loose, ok := inetAton(host); ok && (loose.String() != host || !isGlobal(loose)) {
		t.Fatalf("%q was accepted, C libraries read %s", host, loose)
	}
	if strings.Contains(host, ":") {
		if addr, err := netip.ParseAddr(host); err != nil || !isGlobal(addr) || addr.Zone() != "" {
			t.Fatalf("the address %q was accepted", host)
		}
		return
	}
	if _, err := netip.ParseAddr(host); err != nil && asked != host {
		t.Fatalf("%q was judged by looking up %q", host, asked)
	}
	if len(host) > 253 || strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789.-_") != "" || strings.Contains("."+host+".", "..") {
		t.Fatalf("the name %q was accepted", host)
	}
}
