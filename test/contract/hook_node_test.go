package contract_test

import (
	"encoding/pem"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"daybook/test/harness"
)

// TestWebhooksOutliveTheirNode proves HOOK-05 and HOOK-04: nothing is lost when a process dies, and another goes on at once.
func TestWebhooksOutliveTheirNode(t *testing.T) {
	eachHook(t, func(t *testing.T, n *apiNode) {
		c, owner, box, sick := n.console(t, "dan"), n.session(t, "olivia", "shop"), newPostbox(t), newPostbox(t)
		h := n.hook(t, c, "full", box.URL, "customer.created")
		later := n.hook(t, c, "full", sick.URL, "supplier.created")
		sick.says(http.StatusInternalServerError)
		owner.make(t, "/suppliers", object{"displayName": "Mill"})
		n.settle(t)
		release := box.holds(http.StatusNoContent)
		const made, flying = 6, 1 // a webhook begins with one at a time
		for range made {
			n.customer(t, owner)
		}
		box.letters(t, flying)
		n.Kill()
		release()
		box.says(http.StatusNoContent)
		had := len(box.letters(t, 0))

		n = openHookNode(t, n.options)
		ready := time.Now()
		box.letters(t, had+made)
		if took := time.Since(ready); took > 2*time.Second {
			t.Errorf("HOOK-05 it took %v to go on", took)
		}
		n.settle(t)
		h.n, h.c, later.n, later.c = n, n.console(t, "dan"), n, n.console(t, "dan")
		count, bodies := map[string]int{}, map[string]string{}
		for _, l := range box.letters(t, 0) {
			id := l.header.Get("X-Webhook-Id")
			count[id]++
			if bodies[id] != "" && bodies[id] != l.body {
				t.Errorf("HOOK-05 %s was sent as\n%s\nand as\n%s", id, bodies[id], l.body)
			}
			bodies[id] = l.body
			l.signedBy(t, h.secret)
		}
		twice := 0
		for _, d := range h.deliveries(t, "") {
			standsAt(t, d, "delivered", 1, nil)
			if count[n.id(d)] == 2 {
				twice++
			}
		}
		if len(count) != made || twice != flying {
			t.Errorf("HOOK-05 %d deliveries came, %d of them twice", len(count), twice)
		}
		standsAt(t, later.only(t), "retrying", 1, "answered 500")
		sick.says(http.StatusNoContent)
		n.Advance(t, "61s")
		standsAt(t, later.only(t), "delivered", 2, nil)

		// Told to stop, a node waits for what is under way and writes it down.
		release = box.holds(http.StatusNoContent)
		had = len(box.letters(t, 0))
		test := h.c.make(t, h.path+"/test", nil)
		box.letters(t, had+1)
		n.Signal(syscall.SIGTERM)
		release()
		<-n.Ended()
		n = openHookNode(t, n.options)
		n.settle(t)
		h.n, h.c = n, n.console(t, "dan")
		test, _ = h.detail(t, test)
		standsAt(t, test, "delivered", 1, nil)
		if got := len(box.letters(t, 0)); got != had+1 {
			t.Errorf("HOOK-05 %d letters instead of one", got-had)
		}
	})
}

// TestASlowReceiver proves DLIV-01 and DLIV-06. Ten seconds are ten seconds of the machine: no clock is turned here.
func TestASlowReceiver(t *testing.T) {
	harness.EachDatabase(t, func(t *testing.T, database string) {
		n := newHookNode(t, database)
		c, owner, slow, well := n.console(t, "dan"), n.session(t, "olivia", "shop"), newPostbox(t), newPostbox(t)
		release := slow.holds(http.StatusNoContent)
		t.Cleanup(release)
		hangs := n.hook(t, c, "full", slow.URL, "supplier.created")
		hears := n.hook(t, c, "full", well.URL, "customer.created")
		begun := time.Now()
		owner.make(t, "/suppliers", object{"displayName": "Mill"})
		slow.letters(t, 1)
		for range 30 {
			n.customer(t, owner)
		}
		well.letters(t, 30)
		if took := time.Since(begun); took > 9*time.Second {
			t.Errorf("DLIV-06 with a receiver that hangs the others get theirs after %v", took)
		}
		for _, d := range hangs.deliveries(t, "") {
			standsAt(t, d, "queued", 0, nil)
		}
		n.settle(t)
		if took := time.Since(begun); took < 10*time.Second || took > 20*time.Second {
			t.Errorf("DLIV-01 given up after %v", took)
		}
		for _, d := range hangs.deliveries(t, "") {
			standsAt(t, d, "retrying", 1, "timed out after 10 s")
			_, attempts := hangs.detail(t, d)
			if ms := attempts[0]["durationMs"].(float64); ms < 10_000 || ms > 15_000 || attempts[0]["responseCode"] != nil {
				t.Errorf("DLIV-01 %v", attempts[0])
			}
		}
		for _, d := range hears.deliveries(t, "") {
			standsAt(t, d, "delivered", 1, nil)
		}
	})
}

// production starts `daybook serve` on a store with the world of webhooks in it, plus some of the app's webhooks, and gives
// its developer's console.
func production(t *testing.T, database string, webhooks []string, o harness.ServeOptions) (*apiNode, caller) {
	t.Helper()
	world := hookWorld
	var list strings.Builder
	for _, url := range webhooks {
		fmt.Fprintf(&list, `{url: %q, events: [invoice.created]}, `, url)
	}
	world = strings.Replace(world, "key: full,", "key: full, webhooks: ["+list.String()+"],", 1)
	key := filepath.Join(t.TempDir(), "daybook.key")
	loadWorld(t, database, key, world)
	o.Args = append(o.Args, "--database", database, "--key-file", key)
	n := &apiNode{oauthNode: &oauthNode{harness.Serve(t, o), database}}
	n.ids = n.keys(t)
	browser := harness.Browser(t)
	n.SignIn(t, browser, harness.User{Email: "dan@acme.test", Password: "dan-builds-apps"})
	return n, caller{n.BaseURL, browser, http.Header{}}
}

// tried waits for the first attempt of a test delivery.
func tried(t *testing.T, n *apiNode, c caller, webhook string) object {
	t.Helper()
	path := n.hooks("full") + "/" + webhook
	d := c.make(t, path+"/test", nil)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for begun := time.Now(); time.Since(begun) < 20*time.Second; <-tick.C {
		if now := c.get(t, path+"/deliveries/"+n.id(d)); now["attempts"] != 0.0 {
			return now
		}
	}
	t.Fatal("no attempt was made")
	return nil
}

// TestWebhooksInProduction proves CONS-07 and DLIV-07: https only, and nothing but public addresses, at save and at send.
func TestWebhooksInProduction(t *testing.T) {
	harness.EachDatabase(t, func(t *testing.T, database string) {
		plain, secure := newPostbox(t), unopened()
		secure.StartTLS()
		t.Cleanup(secure.Close)
		_, port, _ := strings.Cut(strings.TrimPrefix(secure.URL, "https://"), ":")
		n, c := production(t, database, []string{plain.URL, secure.URL, "https://localhost:" + port + "/", "https://127.0.0.1:1/"}, harness.ServeOptions{})
		t.Run("DLIV-07 CONS-07 at save", func(t *testing.T) {
			for _, url := range append(badAddresses(), plain.URL, secure.URL, "http://93.184.216.34/", "http://localhost/", "https://localhost:"+port+"/", "https://127.0.0.1/",
				"https://[::1]/", "https://127.1/", "https://[::ffff:127.0.0.1]/") {
				refused(t, c.do(t, "POST", n.hooks("full"), object{"url": url}), http.StatusBadRequest, "WEBHOOK_URL_INVALID")
			}
			c.make(t, n.hooks("full"), object{"url": "https://93.184.216.34/hooks"})
		})
		t.Run("DLIV-07 at send", func(t *testing.T) {
			for _, w := range objects(c.get(t, n.hooks("full"))["data"])[:4] {
				d := tried(t, n, c, n.id(w))
				want := "address not allowed"
				if w["url"] == plain.URL {
					want = "URL must use https"
				}
				if d["status"] != "retrying" || d["lastError"] != want || d["responseCode"] != nil {
					t.Errorf("%v: %v", w["url"], d)
				}
			}
			if len(plain.letters(t, 0))+len(secure.letters(t, 0)) != 0 {
				t.Error("a private address was reached")
			}
		})
	})
}

// TestWebhooksToAllowedAddresses proves DLIV-07: what the operator allows is reached, by https.
func TestWebhooksToAllowedAddresses(t *testing.T) {
	plain, secure, dir := newPostbox(t), unopened(), t.TempDir()
	secure.StartTLS()
	t.Cleanup(secure.Close)
	ca := filepath.Join(dir, "ca.pem")
	must(t, os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}), 0o600))
	o := harness.ServeOptions{Args: []string{"--outbound-allow", "127.0.0.0/8"}, Env: []string{"SSL_CERT_FILE=" + ca}}
	n, c := production(t, filepath.Join(dir, "daybook.db"), nil, o)
	refused(t, c.do(t, "POST", n.hooks("full"), object{"url": plain.URL}), http.StatusBadRequest, "WEBHOOK_URL_INVALID")
	refused(t, c.do(t, "POST", n.hooks("full"), object{"url": "https://10.0.0.1/"}), http.StatusBadRequest, "WEBHOOK_URL_INVALID")
	made := c.make(t, n.hooks("full"), object{"url": secure.URL})
	if d := tried(t, n, c, n.id(made)); d["status"] != "delivered" {
		t.Errorf("DLIV-07 %v", d)
	}
	l := secure.last(t)
	envelope(t, l, newest)
	l.signedBy(t, made["secret"].(string))
}
