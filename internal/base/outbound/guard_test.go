package outbound

import (
	"context"
	"net/netip"
	"testing"
	"time"
)

const hookURL = "https://hook.example/in"

func TestForbiddenAddressesAreRefusedAtSaveAndAtDial(t *testing.T) {
	for _, v := range forbidden {
		t.Run(v.addr+" "+v.is, func(t *testing.T) {
			for _, answer := range []string{v.addr, v.addr + " 8.8.8.8", "8.8.8.8 " + v.addr} {
				c, _ := recorded(t, Options{Resolver: resolving("hook.example", answer)}, nothing)
				_, err := c.CheckURL(t.Context(), hookURL)
				wantReason(t, err, ReasonAddress, "address not allowed")
				_, err = c.Do(t.Context(), Request{URL: hookURL})
				wantReason(t, err, ReasonAddress, "address not allowed")
			}
			raw := "https://" + literal(v.addr) + "/in"
			c, _ := recorded(t, Options{Resolver: &names{}}, nothing)
			if _, err := c.CheckURL(t.Context(), raw); err == nil {
				t.Error("the literal passed the check")
			}
			if _, err := c.Do(t.Context(), Request{URL: raw}); err == nil {
				t.Error("the literal was dialled")
			}
		})
	}
}

// The control hook must hold alone, without the look at the answers before it.
func TestTheControlHookIsTheLastWord(t *testing.T) {
	c, r := recorded(t, Options{}, nothing)
	for _, v := range forbidden {
		for _, plain := range []bool{false, true} {
			_, err := c.connect(t.Context(), netip.AddrPortFrom(netip.MustParseAddr(v.addr), 443), plain, time.Second)
			if err == nil || r.count() != 0 {
				t.Fatalf("%s (%s) got past the hook", v.addr, v.is)
			}
		}
	}
	for _, hostile := range [][2]string{
		{"tcp", "8.8.8.8:443"}, {"udp4", "8.8.8.8:443"}, {"unix", "/run/docker.sock"}, {"tcp4", "8.8.8.8:0"},
		{"tcp6", "[fe80::1%eth0]:443"}, {"tcp6", "[::ffff:8.8.8.8]:443"}, {"tcp4", "hook.example:443"},
	} {
		wantReason(t, c.guard.control(hostile[0], hostile[1], false), ReasonAddress, "address not allowed")
	}
}

func TestPublicAddressesReachConnect(t *testing.T) {
	for _, addr := range publicAddrs {
		c, r := recorded(t, Options{Resolver: resolving("hook.example", addr)}, only(addr))
		if _, err := c.CheckURL(t.Context(), hookURL); err != nil {
			t.Errorf("%s: %v", addr, err)
		}
		if _, err := c.Do(t.Context(), Request{URL: hookURL}); err == nil || r.count() != 1 {
			t.Errorf("%s: %d connects, %v", addr, r.count(), err)
		}
	}
}

// The system's resolver reports A records in mapped form.
func TestMappedAnswersAreReadAsIPv4(t *testing.T) {
	c, r := recorded(t, Options{Resolver: resolving("hook.example", "::ffff:8.8.8.8")}, only("8.8.8.8"))
	if _, err := c.CheckURL(t.Context(), hookURL); err != nil {
		t.Error(err)
	}
	if _, err := c.Do(t.Context(), Request{URL: hookURL}); err == nil || r.count() != 1 {
		t.Errorf("%d connects, %v", r.count(), err)
	}
}

func TestRebindingIsCaughtAtDial(t *testing.T) {
	resolver := resolving("hook.example", "8.8.8.8", "127.0.0.1")
	c, r := recorded(t, Options{Resolver: resolver}, nothing)
	if _, err := c.CheckURL(t.Context(), hookURL); err != nil {
		t.Fatal(err)
	}
	_, err := c.Do(t.Context(), Request{URL: hookURL})
	wantReason(t, err, ReasonAddress, "address not allowed")
	if resolver.lookups() != 2 || r.count() != 0 {
		t.Fatalf("%d lookups, %d connects", resolver.lookups(), r.count())
	}
}

func TestOddSpellingsAreRefusedWithoutALookup(t *testing.T) {
	for _, host := range oddHosts {
		resolver := resolverFunc(func(context.Context, string) ([]netip.Addr, error) {
			t.Errorf("%s was looked up", host)
			return parseAddrs("8.8.8.8"), nil
		})
		c, _ := recorded(t, Options{Resolver: resolver}, nothing)
		if _, err := c.CheckURL(t.Context(), "https://"+host+"/"); ReasonOf(err) != ReasonURL {
			t.Errorf("%s at save: %v", host, err)
		}
		if _, err := c.Do(t.Context(), Request{URL: "https://" + host + "/"}); ReasonOf(err) != ReasonURL {
			t.Errorf("%s at dial: %v", host, err)
		}
	}
}

// Were the rules of form to miss one, a C resolver would turn it into loopback; the dial refuses that.
func TestOddSpellingsThatResolveAreRefusedAtDial(t *testing.T) {
	for _, host := range []string{"0x7f.1", "2130706433", "017700000001", "127.1"} {
		c, _ := recorded(t, Options{Resolver: resolving(host, "127.0.0.1")}, nothing)
		ctx, a := begin(t.Context(), 0)
		_, _, err := c.dial(ctx, host+":443", false)
		a.end()
		wantReason(t, err, ReasonAddress, "address not allowed")
	}
}

func TestTheAllowListLetsThrough(t *testing.T) {
	allow, err := ParseAllow("10.1.0.0/16, fd00:1::/32 127.0.0.0/8,0.0.0.0/8,224.0.0.0/4")
	if err != nil {
		t.Fatal(err)
	}
	g := newGuard(Options{Allow: allow})
	for addr, want := range map[string]standing{
		"10.1.255.255": internal, "10.2.0.0": denied, "fd00:1::9": internal, "fd00:2::9": denied,
		"127.0.0.1": internal, "::1": denied, "8.8.8.8": open, "::ffff:10.1.0.1": denied,
		"0.0.0.0": denied, "224.0.0.1": denied,
	} {
		if got := g.judge(netip.MustParseAddr(addr), false); got != want {
			t.Errorf("%s is %d, want %d", addr, got, want)
		}
		if g.judge(netip.MustParseAddr(addr), true) != denied {
			t.Errorf("%s may be reached without TLS", addr)
		}
	}
}

func TestDevelopmentModeOpensLoopbackOnly(t *testing.T) {
	g := newGuard(Options{AllowLoopbackHTTP: true})
	for _, v := range forbidden {
		addr := netip.MustParseAddr(v.addr)
		want := denied
		if addr.IsLoopback() && !addr.Is4In6() {
			want = open
		}
		if g.judge(addr, true) != want || g.judge(addr, false) != want {
			t.Errorf("%s (%s) is wrong", v.addr, v.is)
		}
	}
	if g.judge(netip.MustParseAddr("8.8.8.8"), true) != denied {
		t.Error("http to a public address")
	}
}

func TestPorts(t *testing.T) {
	own := newGuard(Options{OwnPorts: []uint16{8080}})
	listed := newGuard(Options{Ports: []uint16{8443, 8080}, OwnPorts: []uint16{8080}})
	for _, row := range []struct {
		g    *guard
		port uint16
		want bool
	}{
		{own, 0, false}, {own, 1, true}, {own, 443, true}, {own, 8080, false}, {own, 65535, true},
		{listed, 443, true}, {listed, 8443, true}, {listed, 8080, false}, {listed, 8444, false}, {listed, 0, false},
	} {
		if got := row.g.port(row.port); got != row.want {
			t.Errorf("port %d: %v", row.port, got)
		}
	}
}
