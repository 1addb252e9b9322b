package contract_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// rungs are the waits before the second and each later attempt (DLIV-02).
var rungs = []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour}

// TestWebhookRetries proves what happens to deliveries in the course of time. The clock is turned, nobody waits.
func TestWebhookRetries(t *testing.T) {
	eachHook(t, func(t *testing.T, n *apiNode) {
		t.Run("drops", func(t *testing.T) { hookDrops(t, n) })
		t.Run("redelivery", func(t *testing.T) { hookRedelivery(t, n) })
		t.Run("many again", func(t *testing.T) { hookManyAgain(t, n) })
		t.Run("ladder", func(t *testing.T) { hookLadder(t, n) })
		t.Run("one jump", func(t *testing.T) { hookJump(t, n) })
		t.Run("rotation", func(t *testing.T) { hookRotation(t, n) })
		t.Run("age", func(t *testing.T) { hookAge(t, n) }) // last: the clock goes on for a month
	})
}

// hookLadder proves DLIV-02 and SIGN-02, on both sides of each edge.
func hookLadder(t *testing.T, n *apiNode) {
	c, owner, box := n.console(t, "dan"), n.session(t, "olivia", "shop"), newPostbox(t)
	box.says(http.StatusInternalServerError)
	h := n.hook(t, c, "full", box.URL, "customer.created")
	n.customer(t, owner)
	n.settle(t)
	for i, wait := range rungs {
		d := h.only(t)
		standsAt(t, d, "retrying", i+1, "answered 500")
		_, attempts := h.detail(t, d)
		ended, next := moment(t, attempts[i]["at"]), moment(t, d["nextAttemptAt"])
		if got := next.Sub(ended); got < wait || got > wait+slack {
			t.Errorf("DLIV-02 attempt %d is due %v after the one before, want %v", i+2, got, wait)
		}
		if !n.setTime(t, next.Add(-4*time.Second)) {
			t.Fatalf("DLIV-02 the clock is past %v", next)
		}
		if got := len(box.letters(t, 0)); got != i+1 && n.time(t).Before(next) {
			t.Errorf("DLIV-02 %d attempts a moment before number %d is due", got, i+2)
		}
		n.setTime(t, next) // or the clock has come there by itself
		n.settle(t)
		if got := len(box.letters(t, 0)); got != i+2 {
			t.Fatalf("DLIV-02 %d attempts when number %d is due", got, i+2)
		}
	}
	d := h.only(t)
	standsAt(t, d, "failed", 6, "answered 500")
	n.Advance(t, "24h")
	letters := box.letters(t, 0)
	if len(letters) != 6 {
		t.Errorf("DLIV-02 %d attempts in all", len(letters))
	}
	h.c = n.console(t, "dan")
	_, attempts := h.detail(t, d)
	var last time.Time
	for i, l := range letters {
		l.signedBy(t, h.secret)
		header := l.header.Get("X-Webhook-Signature")
		if l.body != letters[0].body || l.header.Get("X-Webhook-Id") != letters[0].header.Get("X-Webhook-Id") || !stamp(t, header).After(last) || attempts[i]["signature"] != header {
			t.Errorf("SIGN-02 attempt %d: %v", i+1, l)
		}
		last = stamp(t, header)
	}
}

// hookJump proves DLIV-02: one move of the clock over nine hours makes all six attempts, each in its time.
func hookJump(t *testing.T, n *apiNode) {
	c, owner, box, well := n.console(t, "dan"), n.session(t, "olivia", "shop"), newPostbox(t), newPostbox(t)
	box.says(http.StatusServiceUnavailable)
	h := n.hook(t, c, "full", box.URL, "customer.created")
	second := n.hook(t, c, "full", well.URL, "customer.created")
	for range 2 {
		n.customer(t, owner)
	}
	n.Advance(t, "9h")
	for _, d := range h.deliveries(t, "") {
		standsAt(t, d, "failed", 6, "answered 503")
		_, attempts := h.detail(t, d)
		for i := range rungs {
			if got := moment(t, attempts[i+1]["at"]).Sub(moment(t, attempts[i]["at"])); got < rungs[i] || got > rungs[i]+slack {
				t.Errorf("DLIV-02 %v between the attempts %d and %d, want %v", got, i+1, i+2, rungs[i])
			}
		}
	}
	for _, d := range second.deliveries(t, "") {
		standsAt(t, d, "delivered", 1, nil)
	}
	if len(box.letters(t, 0)) != 12 || len(well.letters(t, 0)) != 2 {
		t.Errorf("DLIV-02 %d and %d letters", len(box.letters(t, 0)), len(well.letters(t, 0)))
	}
}

// hookDrops proves DLIV-03: for every reason, what waits for its first attempt and what waits for another are failed, and not
// sent.
func hookDrops(t *testing.T, n *apiNode) {
	for _, one := range []struct {
		name, reason string
		happens      func(t *testing.T, h hook, owner caller) (undo func())
	}{
		{"the webhook is deleted", "webhook deleted", func(t *testing.T, h hook, _ caller) func() {
			gone(t, h.c.do(t, "DELETE", h.path, nil))
			return func() {}
		}},
		{"the webhook is switched off", "webhook switched off", func(t *testing.T, h hook, _ caller) func() {
			said(t, h.c.do(t, "PATCH", h.path, object{"enabled": false}), http.StatusOK)
			return func() {}
		}},
		{"INST-03 the app is suspended", "app suspended", func(t *testing.T, _ hook, _ caller) func() { return n.stop(t, fullApp, true) }},
		{"INST-03 the app is deactivated", "app deactivated", func(t *testing.T, _ hook, _ caller) func() { return n.stop(t, fullApp, false) }},
		{"the app is uninstalled", "app not installed in the business", func(t *testing.T, _ hook, owner caller) func() {
			n.uninstall(t, owner.http, fullApp)
			return func() { n.by(t, fullApp, "olivia", "shop") }
		}},
		{"the app no longer registers the scope", "scope not registered by the app", func(t *testing.T, _ hook, _ caller) func() {
			n.registered(t, "full", without("customers:read")...)
			return func() { n.registered(t, "full", everyScope...) }
		}},
		{"the business no longer grants the scope", "scope not granted by the business", func(t *testing.T, _ hook, _ caller) func() {
			n.granted(t, "shop", without("customers:read")...)
			return func() { n.granted(t, "shop", everyScope...) }
		}},
	} {
		t.Run("DLIV-03 "+one.name, func(t *testing.T) {
			c, owner, box := n.console(t, "dan"), n.session(t, "olivia", "shop"), newPostbox(t)
			h := n.hook(t, c, "full", box.URL, "customer.created")
			release := box.holds(http.StatusInternalServerError)
			defer release()
			const sent, queued = 1, 3 // a webhook begins with one at a time; the others wait for it
			for range sent + queued {
				n.customer(t, owner)
			}
			box.letters(t, sent)
			undo := sync.OnceFunc(one.happens(t, h, owner))
			defer undo()
			release()
			n.settle(t)
			want := append(slices.Repeat([]string{"retrying 1 answered 500"}, sent), slices.Repeat([]string{"failed 0 " + one.reason}, queued)...)
			if got := h.rows(t); !slices.Equal(got, want) {
				t.Errorf("at once: %q", got)
			}
			n.Advance(t, "61s")
			want = append(slices.Repeat([]string{"failed 1 " + one.reason}, sent), want[sent:]...)
			if got := h.rows(t); !slices.Equal(got, want) {
				t.Errorf("a minute later: %q", got)
			}
			undo()
			n.Advance(t, "9h")
			if got := h.rows(t); !slices.Equal(got, want) {
				t.Errorf("when it is over: %q", got)
			}
			if got := len(box.letters(t, 0)); got != sent {
				t.Errorf("%d letters", got)
			}
		})
	}
}

// failed makes a webhook's receiver fail, and a customer whose delivery has failed for good.
func (h hook) failed(t *testing.T, box *postbox, owner caller) string {
	t.Helper()
	box.says(http.StatusInternalServerError)
	h.n.customer(t, owner)
	h.n.Advance(t, "9h")
	list := h.deliveries(t, "?status=failed")
	if len(list) != 1 {
		t.Fatalf("%d failed, of %v", len(list), h.deliveries(t, ""))
	}
	standsAt(t, list[0], "failed", 6, "answered 500")
	return h.n.id(list[0])
}

// hookRedelivery proves REDL-01, REDL-02 and REDL-03.
func hookRedelivery(t *testing.T, n *apiNode) {
	c, owner, box := n.console(t, "dan"), n.session(t, "olivia", "shop"), newPostbox(t)
	h := n.hook(t, c, "full", box.URL, "customer.created", "app.installed")
	id := h.failed(t, box, owner)
	was, _ := h.detail(t, object{"id": id})
	t.Run("REDL-03 while the gate is closed", func(t *testing.T) {
		closed := func(t *testing.T, code string, undo func()) {
			t.Helper()
			defer undo()
			refused(t, h.redeliver(t, id), http.StatusBadRequest, code)
			if d, _ := h.detail(t, was); !same(d, was) {
				t.Errorf("a refused redelivery changed %v", d)
			}
		}
		closed(t, "APP_NOT_ACTIVE", n.stop(t, fullApp, true))
		closed(t, "APP_NOT_ACTIVE", n.stop(t, fullApp, false))
		n.registered(t, "full", without("customers:read")...)
		closed(t, "SCOPE_NOT_HELD", func() { n.registered(t, "full", everyScope...) })
		n.granted(t, "shop", without("customers:read")...)
		closed(t, "SCOPE_NOT_HELD", func() { n.granted(t, "shop", everyScope...) })
		n.uninstall(t, owner.http, fullApp)
		closed(t, "APP_NOT_INSTALLED", func() {
			box.says(http.StatusNoContent)
			n.by(t, fullApp, "olivia", "shop")
			n.settle(t)
			box.says(http.StatusInternalServerError)
		})
	})
	t.Run("REDL-01 the same row, counted anew, signed afresh", func(t *testing.T) {
		had := len(box.letters(t, 0))
		first := box.letters(t, 0)[0]
		release := box.holds(http.StatusInternalServerError)
		d := said(t, h.redeliver(t, id), http.StatusOK)
		standsAt(t, d, "queued", 0, nil)
		if d["id"] != id || d["eventId"] != was["eventId"] || d["createdAt"] != was["createdAt"] || d["responseCode"] != nil {
			t.Errorf("%v, was %v", d, was)
		}
		box.letters(t, had+1)
		if r := refused(t, h.redeliver(t, id), http.StatusBadRequest, "DELIVERY_NOT_FAILED"); !strings.Contains(r.text, "queued") { // REDL-02
			t.Error(r.text)
		}
		release()
		n.settle(t)
		l := box.last(t)
		l.signedBy(t, h.secret)
		if l.body != first.body || l.header.Get("X-Webhook-Id") != id || l.header.Get("X-Webhook-Event-Id") != was["eventId"] ||
			!stamp(t, l.header.Get("X-Webhook-Signature")).After(stamp(t, first.header.Get("X-Webhook-Signature"))) {
			t.Errorf("%v\n%v", l, first)
		}
		standsAt(t, h.deliveries(t, "?type=customer.created")[0], "retrying", 1, "answered 500")
	})
	t.Run("REDL-02 not while it waits for its next attempt", func(t *testing.T) {
		due := h.deliveries(t, "?type=customer.created")[0]["nextAttemptAt"]
		if r := refused(t, h.redeliver(t, id), http.StatusBadRequest, "DELIVERY_PENDING_RETRY"); r.Params["p0"] != due {
			t.Errorf("%v, due %v", r.Params, due)
		}
		n.Advance(t, "9h") // six attempts again
		d, attempts := h.detail(t, was)
		standsAt(t, d, "failed", 6, "answered 500")
		for i, a := range attempts {
			if a["number"] != float64(i+1) || len(attempts) != 12 {
				t.Fatalf("%v", attempts)
			}
		}
	})
	t.Run("REDL-02 not once it was delivered, and of many who ask one succeeds", func(t *testing.T) {
		box.says(http.StatusOK)
		owner, h.c = n.session(t, "olivia", "shop"), n.console(t, "dan") // those before have ended
		done := 0
		for _, a := range atOnce(8, func() int { return h.redeliver(t, id).Status }) {
			if a == http.StatusOK {
				done++
			}
		}
		n.settle(t)
		d, attempts := h.detail(t, was)
		standsAt(t, d, "delivered", 1, nil)
		if done != 1 || len(attempts) != 13 {
			t.Errorf("%d succeeded, %d attempts", done, len(attempts))
		}
		if r := refused(t, h.redeliver(t, id), http.StatusBadRequest, "DELIVERY_NOT_FAILED"); r.Params["p0"] != "delivered" {
			t.Errorf("%v", r.Params)
		}
	})
	t.Run("REDL-01 what concerns the app, and a test, need no installation", func(t *testing.T) {
		n.uninstall(t, owner.http, fullApp)
		box.says(http.StatusInternalServerError)
		n.by(t, fullApp, "olivia", "shop")
		h.c.make(t, h.path+"/test", nil)
		n.Advance(t, "9h")
		owner, h.c = n.session(t, "olivia", "shop"), n.console(t, "dan")
		n.uninstall(t, owner.http, fullApp)
		defer n.by(t, fullApp, "olivia", "shop")
		box.says(http.StatusOK)
		list := h.deliveries(t, "?status=failed")
		if len(list) != 2 {
			t.Fatalf("%v", list)
		}
		for _, d := range list {
			said(t, h.redeliver(t, n.id(d)), http.StatusOK)
		}
		n.settle(t)
		for _, d := range list {
			d, _ := h.detail(t, d)
			standsAt(t, d, "delivered", 1, nil)
		}
	})
	t.Run("REDL-01 to a webhook that is off: queued, and dropped unless it is on by then", func(t *testing.T) {
		box.says(http.StatusOK)
		said(t, h.c.do(t, "PATCH", h.path, object{"enabled": false}), http.StatusOK)
		d := h.c.make(t, h.path+"/test", nil)
		n.settle(t)
		said(t, h.redeliver(t, n.id(d)), http.StatusOK)
		n.settle(t)
		d, _ = h.detail(t, d)
		standsAt(t, d, "failed", 0, "webhook switched off")
		said(t, h.c.do(t, "PATCH", h.path, object{"enabled": true}), http.StatusOK)
		said(t, h.redeliver(t, n.id(d)), http.StatusOK)
		n.settle(t)
		d, _ = h.detail(t, d)
		standsAt(t, d, "delivered", 1, nil)
	})
}

// hookManyAgain proves REDL-01 and REDL-03 for many at a time.
func hookManyAgain(t *testing.T, n *apiNode) {
	box := newPostbox(t)
	c, owner := n.console(t, "dan"), n.session(t, "olivia", "shop")
	h := n.hook(t, c, "full", box.URL, "customer.created", "supplier.created")
	box.says(http.StatusInternalServerError)
	early := n.time(t)
	n.customer(t, owner)
	n.Advance(t, "2m")
	middle := n.time(t)
	for range 2 {
		n.customer(t, owner)
		owner.make(t, "/suppliers", object{"displayName": "Mill"})
	}
	n.settle(t)
	late := n.time(t).Add(time.Second)
	n.Advance(t, "9h")
	box.says(http.StatusNoContent)
	again := func(t *testing.T, body object, queued, refused int) {
		t.Helper()
		if got := h.c.act(t, h.path+"/redeliver-failed", body); !same(got, object{"queued": float64(queued), "refused": float64(refused)}) {
			t.Errorf("%v: %v, want %d and %d", body, got, queued, refused)
		}
		n.settle(t)
	}
	span := func(from, to time.Time, types ...string) object {
		o := object{"since": from.Format(time.RFC3339Nano), "until": to.In(time.FixedZone("", 7200)).Format(time.RFC3339Nano)}
		if types != nil {
			o["types"] = types
		}
		return o
	}
	t.Run("REDL-03 refused while a scope is gone", func(t *testing.T) {
		n.granted(t, "shop", without("suppliers:read")...)
		defer n.granted(t, "shop", everyScope...)
		again(t, span(middle, late, "supplier.created"), 0, 2)
		undo := n.stop(t, fullApp, true)
		again(t, span(early, late), 0, 5)
		undo()
	})
	t.Run("REDL-01 of a time", func(t *testing.T) {
		again(t, span(early.Add(-time.Hour), early), 0, 0)
		again(t, span(early, middle), 1, 0)
		again(t, span(early, middle), 0, 0) // it was delivered by now
		if got := len(h.deliveries(t, "?status=delivered")); got != 1 {
			t.Errorf("%d delivered", got)
		}
	})
	t.Run("REDL-01 of a type", func(t *testing.T) {
		again(t, span(early, late, "invoice.paid"), 0, 0)
		again(t, span(early, late, "supplier.created", "invoice.paid"), 2, 0)
	})
	t.Run("REDL-01 of all there are", func(t *testing.T) {
		again(t, span(early, late), 2, 0)
		if got := len(h.deliveries(t, "?status=delivered")); got != 5 {
			t.Errorf("%d delivered", got)
		}
	})
}

// hookRotation proves SIGN-03.
func hookRotation(t *testing.T, n *apiNode) {
	box := newPostbox(t)
	h := n.hook(t, n.console(t, "dan"), "full", box.URL, "customer.created")
	fire := func(t *testing.T) letter {
		t.Helper()
		h.c.make(t, h.path+"/test", nil)
		n.settle(t)
		return box.last(t)
	}
	first := h.secret
	t.Run("SIGN-03 an attempt under way keeps its signature", func(t *testing.T) {
		release := box.holds(http.StatusNoContent)
		h.c.make(t, h.path+"/test", nil)
		box.letters(t, 1)
		before := n.time(t)
		secret, until := h.rotate(t)
		if left := until.Sub(before); !strings.HasPrefix(secret, "whsec_") || secret == first || left < 24*time.Hour || left > 24*time.Hour+slack {
			t.Errorf("%s until %v", secret, until)
		}
		if shown := h.c.get(t, h.path)["previousSecretExpiresAt"]; moment(t, shown) != until {
			t.Errorf("shown is %v", shown)
		}
		release()
		n.settle(t)
		standsAt(t, h.only(t), "delivered", 1, nil)
		box.last(t).signedBy(t, first)
		h.secret = secret
		fire(t).signedBy(t, secret, first)
	})
	second := h.secret
	t.Run("SIGN-03 D-5 a second rotation within the day drops the oldest at once", func(t *testing.T) {
		n.Advance(t, "1h")
		h.c = n.console(t, "dan")
		fire(t).signedBy(t, second, first)
		h.secret, _ = h.rotate(t)
		fire(t).signedBy(t, h.secret, second)
	})
	t.Run("SIGN-03 up to the end of the day, and no longer", func(t *testing.T) {
		third := h.secret
		fourth, until := h.rotate(t)
		h.secret = fourth
		n.setTime(t, until.Add(-5*time.Second))
		h.c = n.console(t, "dan")
		l := fire(t)
		if n.time(t).Before(until) {
			l.signedBy(t, fourth, third)
			if h.c.get(t, h.path)["previousSecretExpiresAt"] == nil && n.time(t).Before(until) {
				t.Error("its end is not shown")
			}
		}
		n.setTime(t, until)
		fire(t).signedBy(t, fourth)
		if shown := h.c.get(t, h.path)["previousSecretExpiresAt"]; shown != nil {
			t.Errorf("over, and shown: %v", shown)
		}
	})
	t.Run("SIGN-03 a retry across the end of the day has one value", func(t *testing.T) {
		fourth := h.secret
		fifth, until := h.rotate(t)
		h.secret = fifth
		n.setTime(t, until.Add(-time.Hour))
		h.c = n.console(t, "dan")
		box.says(http.StatusInternalServerError)
		d := h.c.make(t, h.path+"/test", nil)
		n.Advance(t, "9h")
		h.c = n.console(t, "dan")
		d, attempts := h.detail(t, d)
		standsAt(t, d, "failed", 6, "answered 500")
		body := d["request"].(object)["body"].(string)
		for i, a := range attempts {
			header := a["signature"].(string)
			if moment(t, a["at"]).Before(until) {
				madeBy(t, header, body, fifth, fourth)
			} else {
				madeBy(t, header, body, fifth)
			}
			if two := strings.Count(header, "v1=") == 2; two != (i < 4) {
				t.Errorf("attempt %d carries %s", i+1, header)
			}
		}
		box.says(http.StatusNoContent)
	})
	t.Run("SIGN-03 two who rotate at once both get a secret, and one of them counts", func(t *testing.T) {
		made := atOnce(6, func() string { secret, _ := h.rotate(t); return secret })
		header := fire(t).header.Get("X-Webhook-Signature")
		body, matches := box.last(t).body, 0
		for _, one := range made {
			for _, other := range made {
				if one != other && header == signature(header, body, one, other) {
					matches++
				}
			}
		}
		if matches != 1 || len(slices.Compact(slices.Sorted(slices.Values(made)))) != 6 {
			t.Errorf("%d pairs of %d secrets make the header", matches, len(made))
		}
	})
}

// hookAge proves DLIV-04 and REDL-03: 30 days after its creation a delivery is too old, and with the next clean-up it is gone.
func hookAge(t *testing.T, n *apiNode) {
	box := newPostbox(t)
	h := n.hook(t, n.console(t, "dan"), "full", box.URL, "customer.created")
	failed := h.failed(t, box, n.session(t, "olivia", "shop"))
	was, _ := h.detail(t, object{"id": failed})
	created := moment(t, was["createdAt"])
	end := created.Add(30 * 24 * time.Hour)
	t.Run("REDL-01 DLIV-04 a moment before, it can be redelivered", func(t *testing.T) {
		n.setTime(t, end.Add(-8*time.Second))
		h.c = n.console(t, "dan")
		box.says(http.StatusInternalServerError)
		a := h.redeliver(t, failed)
		if n.time(t).Before(end) && a.Status != http.StatusOK {
			t.Errorf("%d %s", a.Status, a.Body)
		}
	})
	t.Run("REDL-03 at 30 days it is too old", func(t *testing.T) {
		n.setTime(t, end)
		refused(t, h.redeliver(t, failed), http.StatusBadRequest, "DELIVERY_TOO_OLD")
		if d, _ := h.detail(t, was); d["id"] != failed {
			t.Errorf("%v", d)
		}
		got := h.c.act(t, h.path+"/redeliver-failed", object{"since": created.Add(-time.Hour).Format(time.RFC3339), "until": end.Format(time.RFC3339)})
		if got["queued"] != 0.0 {
			t.Errorf("%v", got)
		}
	})
	t.Run("DLIV-04 an hour later it is gone", func(t *testing.T) {
		n.Advance(t, "1h")
		refused(t, h.redeliver(t, failed), http.StatusNotFound, "NOT_FOUND")
		refused(t, h.c.do(t, "GET", h.path+"/deliveries/"+failed, nil), http.StatusNotFound, "NOT_FOUND")
		if list := h.deliveries(t, ""); len(list) != 0 {
			t.Errorf("%v", list)
		}
	})
	t.Run("DLIV-04 delivered or failed, and what is younger stays", func(t *testing.T) {
		box.says(http.StatusNoContent)
		old := h.c.make(t, h.path+"/test", nil)
		n.Advance(t, "3h")
		young := h.c.make(t, h.path+"/test", nil)
		n.settle(t)
		n.setTime(t, moment(t, old["createdAt"]).Add(30*24*time.Hour+time.Hour))
		h.c = n.console(t, "dan")
		if d := h.only(t); d["id"] != young["id"] {
			t.Errorf("%v", d)
		}
		if left := fmt.Sprint(n.attemptsOf(t, n.id(old)), n.attemptsOf(t, n.id(young))); left != "0 1" {
			t.Errorf("attempts left: %s", left)
		}
	})
}
