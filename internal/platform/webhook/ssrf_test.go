package webhook

import (
	"context"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/outbound"
	"daybook/internal/platform/event"
)

// forbidden are addresses that nobody may have us connect to: the special-purpose registries, every form that hides an IPv4
// address, and metadata services (security.md 3.1, T-CI-2).
var forbidden = strings.Fields(`
	0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255
	192.0.0.8 192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1
	255.255.255.255
	:: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:169.254.169.254 ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::a9fe:a9fe 100::1 2001::1
	2001:0:7f00:1:: 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1::1 2002:a9fe:a9fe::1 2a00:1450::5efe:7f00:1 3fff::1 4000::1 5f00::1 fc00::1
	fd00:ec2::254 fe80::1 fec0::1 ff02::1`)

// oddHosts are spellings that some resolver or C library takes for loopback.
var oddHosts = strings.Fields(`
	0x7f.1 0x7f000001 2130706433 017700000001 0177.0.0.1 127.1 127.0.0.1. 0 [::ffff:127.0.0.1] [::1%25lo] [fe80::1%25eth0] localhost. example.0x7f`)

const public, rebinding = "93.184.216.34", "rebind.example"

// names is a resolver whose answers change.
type names struct {
	mu    sync.Mutex
	say   []netip.Addr
	asked int
}

func (n *names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked++
	if host != rebinding {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return append([]netip.Addr(nil), n.say...), nil
}

func (n *names) answer(addresses ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.say = nil
	for _, a := range addresses {
		n.say = append(n.say, netip.MustParseAddr(a))
	}
}

// dials tells of every address that is about to be connected to, and lets none through but those that are meant: a mistake
// ends the test program before it reaches anybody.
type dials struct {
	meant string // an address with its port
	store string // PostgreSQL's, which the engine connects to as well
	mu    sync.Mutex
	list  []string
}

func (d *dials) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{ConnectStart: func(_, address string) {
		switch address {
		case d.store:
			return
		case d.meant:
		default:
			panic("a webhook is about to connect to " + address)
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		d.list = append(d.list, address)
	}})
}

// guarded makes the world's client one that knows only what its resolver says, as in production, and has every dial watched.
func (w *world) guarded(t *testing.T, o outbound.Options, meant string) (*names, *dials) {
	t.Helper()
	resolver, watched := &names{}, &dials{meant: meant}
	if u, err := url.Parse(w.Database); err == nil {
		watched.store = u.Host
	}
	o.Resolver = resolver
	w.outbound = outbound.New(o)
	w.hooks.Outbound = w.outbound
	t.Cleanup(w.outbound.Close)
	s := w.newSender()
	must(t, s.Start(watched.watch(ctx)))
	w.sender, w.hooks.Sender = s, s
	t.Cleanup(func() { w.stop(s) })
	return resolver, watched
}

func literal(address string) string {
	if strings.Contains(address, ":") {
		return "[" + address + "]"
	}
	return address
}

// DLIV-07, CONS-07: an address that is not public is refused when a webhook is saved, by whatever name, in the same words as a
// name that does not exist.
func TestAPrivateAddressIsRefusedAtSave(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		resolver, _ := w.guarded(t, outbound.Options{}, "")
		refused := func(address string) {
			t.Helper()
			_, err := w.hooks.Create(ctx, w.app.ID, w.developer, New{URL: address, Events: []event.Type{event.InvoiceCreated}, Enabled: true})
			want(t, err, ErrURL)
		}
		resolver.answer(public)
		made := w.hook(t, "https://"+rebinding+"/", event.InvoiceCreated)
		_, unknown := w.hooks.Create(ctx, w.app.ID, w.developer, New{URL: "https://nowhere.example/"})
		for _, address := range forbidden {
			refused("https://" + literal(address) + "/")
			for _, answer := range [][]string{{address}, {public, address}, {address, public}} {
				resolver.answer(answer...)
				refused("https://" + rebinding + "/")
			}
			again := "https://" + rebinding + "/again"
			_, err := w.hooks.Change(ctx, w.app.ID, w.developer, made.ID, 0, Patch{URL: &again})
			want(t, err, ErrURL)
			if err != nil && unknown != nil && err.Error() != unknown.Error() {
				t.Errorf("%s is refused as %q, an unknown name as %q", address, err, unknown)
			}
		}
		resolver.answer(public)
		for _, host := range oddHosts {
			refused("https://" + host + "/")
		}
		for _, address := range []string{
			"http://" + rebinding + "/", "http://127.0.0.1/", "https://user@" + rebinding + "/", "https://" + rebinding + "/#x", "https://" + rebinding + ":0/", "ftp://" + rebinding + "/", "",
		} {
			refused(address)
		}
		if list, err := w.hooks.List(ctx, w.app.ID, w.developer); err != nil || len(list) != 1 || list[0].URL != made.URL {
			t.Errorf("%+v, %v", list, err)
		}
	})
}

// DLIV-07: a name that was public when it was saved, and is not when it is dialled, is not connected to (DNS rebinding).
func TestANameThatTurnsPrivateIsNotReached(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		resolver, watched := w.guarded(t, outbound.Options{}, "")
		resolver.answer(public)
		made := w.hook(t, "https://"+rebinding+"/", event.InvoiceCreated)
		for _, address := range forbidden {
			for _, answer := range [][]string{{address}, {public, address}} {
				resolver.answer(answer...)
				w.notReached(t, made.ID, fmt.Sprint(answer))
			}
		}
		if resolver.asked < 2*len(forbidden) || len(watched.list) > 0 {
			t.Errorf("%d look-ups, dials to %v", resolver.asked, watched.list)
		}
	})
}

// notReached has an event happen of which the webhook must not hear, for its address.
func (w *world) notReached(t *testing.T, webhookID, what string) {
	t.Helper()
	w.happen(t, w.shop, event.InvoiceCreated)
	w.settle(t, 0)
	d, attempts := w.delivery(t, webhookID, w.deliveries(t, webhookID)[0].ID)
	if d.Status != Retrying || d.Attempts != 1 || d.LastError == nil || *d.LastError != "address not allowed" || d.ResponseCode != nil || !d.DueAt.Equal(w.Clock.Now().Add(time.Minute)) {
		t.Errorf("%s: it stands at %+v", what, d)
	}
	if len(attempts) != 1 || attempts[0].Error == nil || *attempts[0].Error != "address not allowed" || attempts[0].Answer != nil {
		t.Errorf("%s: %+v", what, attempts)
	}
}

// Rows that no check at save ever saw: every attempt decides by itself.
func TestAPrivateAddressInTheStoreIsNotReached(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		resolver, watched := w.guarded(t, outbound.Options{}, "")
		resolver.answer(public)
		made := w.hook(t, "https://"+rebinding+"/", event.InvoiceCreated)
		for _, address := range forbidden {
			if netip.MustParseAddr(address).Is4In6() {
				continue // no URL has it as its host: see the odd ones
			}
			w.exec(t, `UPDATE webhooks SET url = $2 WHERE id = $1`, made.ID, "https://"+literal(address)+"/")
			w.notReached(t, made.ID, address)
		}
		for _, address := range []string{"http://127.0.0.1/", "http://" + rebinding + "/", "https://127.0.0.1.:443/", "https://0x7f.1/", "https://[::ffff:127.0.0.1]/", "not a url", ""} {
			w.exec(t, `UPDATE webhooks SET url = $2 WHERE id = $1`, made.ID, address)
			w.happen(t, w.shop, event.InvoiceCreated)
			w.settle(t, 0)
			if d := w.deliveries(t, made.ID)[0]; d.Status != Retrying || d.LastError == nil || d.ResponseCode != nil {
				t.Errorf("%s: it stands at %+v", address, d)
			}
		}
		if len(watched.list) > 0 {
			t.Errorf("dials to %v", watched.list)
		}
	})
}

// The operator may open a network. Then the same path connects, by https only, and a name that leaves that network does not; nor
// is a redirect followed, wherever it leads.
func TestOnlyWhatTheOperatorAllowsIsReached(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var paths []string
		var mu sync.Mutex
		status := http.StatusOK
		box := httptest.NewTLSServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			paths = append(paths, r.URL.Path)
			rw.Header().Set("Location", "/console")
			rw.WriteHeader(status)
		}))
		t.Cleanup(box.Close)
		roots := x509.NewCertPool()
		roots.AddCert(box.Certificate())
		address := box.Listener.Addr().String()
		_, port, _ := net.SplitHostPort(address)
		resolver, watched := w.guarded(t, outbound.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, RootCAs: roots}, address)
		made := w.hook(t, "https://127.0.0.1:"+port+"/in", event.InvoiceCreated)
		w.happen(t, w.shop, event.InvoiceCreated)
		w.settle(t, 0)
		if d := w.deliveries(t, made.ID)[0]; d.Status != Delivered {
			t.Fatalf("it stands at %+v", d)
		}
		mu.Lock()
		status = http.StatusTemporaryRedirect
		mu.Unlock()
		w.happen(t, w.shop, event.InvoiceCreated)
		w.settle(t, 0)
		if d := w.deliveries(t, made.ID)[0]; d.Status != Retrying || *d.ResponseCode != 307 {
			t.Errorf("a redirect: it stands at %+v", d)
		}
		mu.Lock()
		if len(paths) != 2 || paths[0] != "/in" || paths[1] != "/in" {
			t.Errorf("it was asked for %v", paths)
		}
		mu.Unlock()
		if len(watched.list) == 0 {
			t.Error("the dial was not watched, so nothing is proven by none being seen")
		}
		resolver.answer("127.0.0.1")
		away := "https://" + rebinding + ":" + port + "/"
		_, err := w.hooks.Change(ctx, w.app.ID, w.developer, made.ID, 0, Patch{URL: &away})
		must(t, err)
		before := len(watched.list)
		for _, answer := range [][]string{{"10.0.0.1"}, {"127.0.0.1", "169.254.169.254"}, {"::1"}} {
			resolver.answer(answer...)
			w.notReached(t, made.ID, fmt.Sprint(answer))
		}
		if len(watched.list) != before {
			t.Errorf("dials to %v", watched.list)
		}
	})
}
