package contract_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/event"
	"daybook/pkg/webhook"
	"daybook/test/shape"
)

// TestWebhookDeliveries proves what is delivered to whom, and how it is told.
func TestWebhookDeliveries(t *testing.T) {
	eachHook(t, func(t *testing.T, n *apiNode) {
		t.Run("form", func(t *testing.T) { hookForm(t, n) })
		t.Run("gates", func(t *testing.T) { hookGates(t, n) })
		t.Run("answers", func(t *testing.T) { hookAnswers(t, n) })
		t.Run("test deliveries", func(t *testing.T) { hookTests(t, n) })
		t.Run("list", func(t *testing.T) { hookLists(t, n) })
		k := n.clerk(t, n.by(t, fullApp, "olivia", "shop").speaking(newest))
		t.Run("nothing that was undone", func(t *testing.T) { hookRolledBack(t, k) })
		t.Run("versions", func(t *testing.T) { hookVersions(t, k) })
		t.Run("for the app", func(t *testing.T) { hookAudience(t, n) }) // last: the clock goes on for days
	})
}

// envelope proves HOOK-03 on a letter: its members, its headers, and the data as its schema says.
func envelope(t *testing.T, l letter, version string) object {
	t.Helper()
	if !strings.HasPrefix(l.body, `{"id":"dlv_`) {
		t.Fatalf("HOOK-03 %s", l.body)
	}
	o, err := apiversion.Decode([]byte(l.body))
	must(t, err)
	members(t, "HOOK-03 a delivery", o, "id eventId type apiVersion businessId created data", "")
	kind, _ := o["type"].(string)
	want := map[string]any{"Content-Type": "application/json", "X-Webhook-Id": o["id"], "X-Webhook-Event": kind, "X-Webhook-Event-Id": o["eventId"]}
	for name, value := range want {
		got := l.header.Values(name)
		if value == nil && got == nil {
			continue
		}
		if len(got) != 1 || got[0] != value {
			t.Errorf("HOOK-03 %s is %q, want %v", name, got, value)
		}
	}
	if len(o) != 7 || o["apiVersion"] != version || len(l.header.Values("X-Webhook-Signature")) != 1 {
		t.Errorf("HOOK-03 %s", l.body)
	}
	data, _ := o["data"].(map[string]any)
	if o["eventId"] == nil {
		if data["test"] != true {
			t.Errorf("TDEL-01 %s", l.body)
		}
		delete(data, "test")
	}
	if wrong := shape.Fits(event.Schema(version, event.Type(kind)), data, "data"); len(wrong) > 0 {
		t.Errorf("HOOK-03 %s: %s\n%s", kind, strings.Join(wrong, "; "), l.body)
	}
	return o
}

func hookForm(t *testing.T, n *apiNode) {
	c, owner, box := n.console(t, "dan"), n.session(t, "olivia", "shop"), newPostbox(t)
	box.does(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusAccepted)
		_, _ = w.Write([]byte("taken\x00 with \xff thanks" + strings.Repeat(".", 5000)))
	})
	h := n.hook(t, c, "full", box.URL+"/in?key=a%2Fb", "customer.created")
	before := n.time(t)
	id := n.customer(t, owner)
	n.settle(t)
	l := box.last(t)
	t.Run("HOOK-03 what is sent", func(t *testing.T) {
		o := envelope(t, l, newest)
		data := o["data"].(map[string]any)
		if o["type"] != "customer.created" || o["businessId"] != n.ids["shop"] || data["customerId"] != id || data["actor"] == nil || l.path != "POST /in?key=a%2Fb" {
			t.Errorf("%s %s", l.path, l.body)
		}
		if created := fmt.Sprint(o["created"]); created < fmt.Sprint(before.Unix()) || created > fmt.Sprint(n.time(t).Unix()) {
			t.Errorf("created %s", created)
		}
		if got := l.header.Get("User-Agent"); got != "Daybook-Webhooks" || l.header.Get("Cookie")+l.header.Get("Authorization")+l.header.Get("Referer") != "" {
			t.Errorf("%v", l.header)
		}
		event := n.by(t, fullApp, "olivia", "shop").get(t, "/events/"+o["eventId"].(string))
		if event["type"] != o["type"] || event["businessId"] != o["businessId"] || event["data"].(object)["customerId"] != id {
			t.Errorf("the Events API tells %v", event)
		}
	})
	t.Run("SIGN-01 signed with the whole secret over instant and bytes", func(t *testing.T) {
		l.signedBy(t, h.secret)
		header := l.header.Get("X-Webhook-Signature")
		if at := stamp(t, header); at.Before(before.Truncate(time.Second)) || at.After(n.time(t)) {
			t.Errorf("signed at %v", at)
		}
		if err := webhook.Verify(header, []byte(l.body), []string{h.secret}, 5*time.Minute, n.time(t)); err != nil {
			t.Errorf("the receiver kit does not believe it: %v", err)
		}
	})
	t.Run("DLIV-05 what the console shows of it", func(t *testing.T) {
		row := h.only(t)
		standsAt(t, row, "delivered", 1, nil)
		if row["responseCode"] != 202.0 || row["id"] != l.header.Get("X-Webhook-Id") || row["eventId"] != l.header.Get("X-Webhook-Event-Id") ||
			row["type"] != "customer.created" || row["businessId"] != n.ids["shop"] || len(row) != 11 {
			t.Errorf("%v", row)
		}
		d, attempts := h.detail(t, row)
		for name, value := range row {
			if !same(d[name], value) {
				t.Errorf("%s is %v in the list, %v alone", name, value, d[name])
			}
		}
		request, headers := d["request"].(object), d["request"].(object)["headers"].(object)
		if len(d) != 13 || request["body"] != l.body || len(headers) != 4 {
			t.Errorf("%v", d)
		}
		for name, value := range headers {
			if l.header.Get(name) != value {
				t.Errorf("%s was %s, is told as %v", name, l.header.Get(name), value)
			}
		}
		if len(attempts) != 1 || len(attempts[0]) != 7 {
			t.Fatalf("%v", attempts)
		}
		a := attempts[0]
		answer, _ := a["answer"].(string)
		if a["number"] != 1.0 || a["signature"] != l.header.Get("X-Webhook-Signature") || a["responseCode"] != 202.0 || a["error"] != nil ||
			!strings.HasPrefix(answer, "taken") || strings.Contains(answer, "\x00") || len(answer) > 2100 || a["durationMs"].(float64) > 10_000 {
			t.Errorf("%v", a)
		}
		if at := moment(t, a["at"]); at.Before(before) || at.After(n.time(t)) || at.Unix() != stamp(t, a["signature"].(string)).Unix() {
			t.Errorf("%v", a["at"])
		}
	})
	t.Run("CONS-08 each webhook has its own events, secret and delivery", func(t *testing.T) {
		second, elsewhere := newPostbox(t), newPostbox(t)
		other := n.hook(t, c, "full", second.URL, "customer.created", "supplier.created")
		n.hook(t, c, "full", elsewhere.URL, "supplier.created")
		n.customer(t, owner)
		n.settle(t)
		mine, theirs := box.last(t), second.last(t)
		theirs.signedBy(t, other.secret)
		mine.signedBy(t, h.secret)
		if mine.header.Get("X-Webhook-Id") == theirs.header.Get("X-Webhook-Id") || mine.header.Get("X-Webhook-Event-Id") != theirs.header.Get("X-Webhook-Event-Id") {
			t.Errorf("%s\n%s", mine.body, theirs.body)
		}
		if got := elsewhere.letters(t, 0); len(got) != 0 {
			t.Errorf("heard of what it did not choose: %v", got)
		}
	})
	t.Run("CONS-08 switched off it hears nothing, switched on it does again", func(t *testing.T) {
		had := len(box.letters(t, 0))
		said(t, c.do(t, "PATCH", h.path, object{"enabled": false}), http.StatusOK)
		n.customer(t, owner)
		n.settle(t)
		said(t, c.do(t, "PATCH", h.path, object{"enabled": true, "events": []string{"supplier.created"}}), http.StatusOK)
		n.customer(t, owner)
		owner.make(t, "/suppliers", object{"displayName": "Mill"})
		n.settle(t)
		if got := box.letters(t, 0)[had:]; len(got) != 1 || got[0].header.Get("X-Webhook-Event") != "supplier.created" {
			t.Errorf("%v", got)
		}
	})
}

// hookGates proves HOOK-01: both gates, at the moment of the event.
func hookGates(t *testing.T, n *apiNode) {
	c, shop, store := n.console(t, "dan"), n.session(t, "olivia", "shop"), n.session(t, "olivia", "store")
	full, twin := newPostbox(t), newPostbox(t)
	all := []string{"customer.created", "customer.redact", "supplier.created", "supplier.redact"}
	h := n.hook(t, c, "full", full.URL, all...)
	n.hook(t, c, "twin", twin.URL, all...)
	happen := func(t *testing.T, owner caller) {
		t.Helper()
		for _, path := range []string{"/customers", "/suppliers"} {
			owner.act(t, path+"/"+n.id(owner.make(t, path, object{"displayName": "Eve"}))+"/redact", nil)
		}
	}
	heard := func(t *testing.T, box *postbox, from int, want ...string) {
		t.Helper()
		n.settle(t)
		var got []string
		for _, l := range box.letters(t, 0)[from:] {
			got = append(got, l.header.Get("X-Webhook-Event"))
			envelope(t, l, newest)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("heard of %v, want %v", got, want)
		}
	}
	t.Run("HOOK-01 installed and granted, business and privacy events alike; elsewhere and others not", func(t *testing.T) {
		happen(t, shop)
		happen(t, store)
		heard(t, full, 0, all...)
		heard(t, twin, 0)
		for _, d := range h.deliveries(t, "") {
			if d["businessId"] != n.ids["shop"] {
				t.Errorf("%v", d)
			}
		}
	})
	t.Run("HOOK-01 a scope that the business did not grant", func(t *testing.T) {
		n.granted(t, "shop", without("customers:read")...)
		defer n.granted(t, "shop", everyScope...)
		had := len(full.letters(t, 0))
		happen(t, shop)
		heard(t, full, had, "supplier.created", "supplier.redact")
	})
	t.Run("HOOK-01 a scope that the app no longer registers", func(t *testing.T) {
		n.registered(t, "full", without("suppliers:read")...)
		defer n.registered(t, "full", everyScope...)
		had := len(full.letters(t, 0))
		happen(t, shop)
		heard(t, full, had, "customer.created", "customer.redact")
	})
	t.Run("HOOK-01 a business that has just installed it", func(t *testing.T) {
		n.issue(t, twinApp, "olivia", n.ids["store"], "customers:read")
		happen(t, store)
		heard(t, twin, 0, "customer.created", "customer.redact")
		n.uninstall(t, store.http, twinApp)
		happen(t, store)
		heard(t, twin, 2)
	})
}

// granted and registered set the scopes of an installation, and those of an app.
func (n *apiNode) granted(t *testing.T, business string, scopes ...string) {
	t.Helper()
	n.sql(t, `UPDATE installations SET granted_scopes = $3 WHERE business_id = $1 AND app_id = $2`, n.ids[business], n.ids["full"], strings.Join(scopes, " "))
}

func (n *apiNode) registered(t *testing.T, app string, scopes ...string) {
	t.Helper()
	n.sql(t, `UPDATE apps SET scopes = $2 WHERE id = $1`, n.ids[app], strings.Join(scopes, " "))
}

// hookAnswers proves DLIV-01: what counts as delivered.
func hookAnswers(t *testing.T, n *apiNode) {
	c, box, elsewhere := n.console(t, "dan"), newPostbox(t), newPostbox(t)
	h := n.hook(t, c, "full", box.URL)
	for status, want := range map[int]string{
		200: "delivered", 201: "delivered", 204: "delivered", 226: "delivered", 299: "delivered", 300: "retrying", 301: "retrying", 302: "retrying",
		303: "retrying", 304: "retrying", 307: "retrying", 308: "retrying", 400: "retrying", 404: "retrying", 410: "retrying", 429: "retrying", 500: "retrying", 503: "retrying",
	} {
		t.Run(fmt.Sprint("DLIV-01 an answer of ", status), func(t *testing.T) {
			box.does(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", elsewhere.URL)
				w.Header().Set("Retry-After", "7200") // of no effect
				w.WriteHeader(status)
			})
			d := c.make(t, h.path+"/test", nil)
			n.settle(t)
			d, _ = h.detail(t, d)
			var problem any
			if want == "retrying" {
				problem = fmt.Sprint("answered ", status)
				if wait := moment(t, d["nextAttemptAt"]).Sub(moment(t, d["createdAt"])); wait < time.Minute || wait > time.Minute+slack {
					t.Errorf("the next attempt after %v", wait)
				}
			}
			standsAt(t, d, want, 1, problem)
			if d["responseCode"] != float64(status) {
				t.Errorf("%v", d)
			}
		})
	}
	if got := elsewhere.letters(t, 0); len(got) != 0 {
		t.Errorf("DLIV-01 redirects were followed: %v", got)
	}
	for name, does := range map[string]func(w http.ResponseWriter, r *http.Request){
		"the connection is closed": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"headers without end": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Long", strings.Repeat("x", 20<<10))
			w.WriteHeader(http.StatusNoContent)
		},
	} {
		t.Run("DLIV-01 "+name, func(t *testing.T) {
			box.does(does)
			d := c.make(t, h.path+"/test", nil)
			n.settle(t)
			if d, _ = h.detail(t, d); d["status"] != "retrying" || d["responseCode"] != nil || d["lastError"] == nil {
				t.Errorf("%v", d)
			}
		})
	}
	t.Run("DLIV-01 nobody listens", func(t *testing.T) {
		dead := unopened()
		address := "http://" + dead.Listener.Addr().String()
		must(t, dead.Listener.Close())
		h := n.hook(t, c, "full", address)
		c.make(t, h.path+"/test", nil)
		n.settle(t)
		if d := h.only(t); d["status"] != "retrying" || d["responseCode"] != nil || d["lastError"] == nil {
			t.Errorf("%v", d)
		}
	})
}

// hookTests proves TDEL-01.
func hookTests(t *testing.T, n *apiNode) {
	c, box := n.console(t, "dan"), newPostbox(t)
	fire := func(t *testing.T, h hook, body any) object {
		t.Helper()
		d := c.make(t, h.path+"/test", body)
		if len(d) != 11 || d["eventId"] != nil || d["businessId"] != "test" || d["status"] != "queued" || d["attempts"] != 0.0 {
			t.Errorf("TDEL-01 %v", d)
		}
		n.settle(t)
		l := box.last(t)
		o := envelope(t, l, newest)
		if o["eventId"] != nil || l.header["X-Webhook-Event-Id"] != nil || o["businessId"] != "test" || o["type"] != d["type"] || o["id"] != d["id"] ||
			!strings.Contains(l.body, `"eventId":null`) || !strings.Contains(l.body, `"test":true`) {
			t.Errorf("TDEL-01 %v\n%s", l.header, l.body)
		}
		l.signedBy(t, h.secret)
		d, attempts := h.detail(t, d)
		standsAt(t, d, "delivered", 1, nil)
		if len(attempts) != 1 || d["request"].(object)["body"] != l.body || d["request"].(object)["headers"].(object)["X-Webhook-Event-Id"] != nil {
			t.Errorf("TDEL-01 %v", d)
		}
		return d
	}
	t.Run("TDEL-01 the first event that was chosen", func(t *testing.T) {
		h := n.hook(t, c, "full", box.URL, "payment.received", "app.installed")
		for _, body := range []any{nil, object{}, object{"type": nil}} {
			if d := fire(t, h, body); d["type"] != "payment.received" {
				t.Errorf("%v", d)
			}
		}
		if d := fire(t, h, object{"type": "app.installed"}); d["type"] != "app.installed" {
			t.Errorf("%v", d)
		}
		refused(t, c.do(t, "POST", h.path+"/test", object{"type": "invoice.paid"}), http.StatusBadRequest, "EVENT_NOT_SUBSCRIBED")
	})
	t.Run("TDEL-01 invoice.created when there is none", func(t *testing.T) {
		if d := fire(t, n.hook(t, c, "full", box.URL), nil); d["type"] != "invoice.created" {
			t.Errorf("%v", d)
		}
	})
	t.Run("TDEL-01 of every event there is", func(t *testing.T) {
		var every []string
		for _, e := range event.Catalog {
			every = append(every, string(e.Type))
		}
		h := n.hook(t, c, "full", box.URL, every...)
		for _, kind := range every {
			c.make(t, h.path+"/test", object{"type": kind})
		}
		n.settle(t)
		got := map[string]bool{}
		for _, l := range box.letters(t, 0) {
			got[envelope(t, l, newest)["type"].(string)] = true
		}
		if len(got) != 45 {
			t.Errorf("%d sorts of tests", len(got))
		}
	})
	t.Run("TDEL-01 whatever is installed or granted", func(t *testing.T) {
		h := n.hook(t, c, "twin", box.URL, "customer.created") // of an app that nobody has installed
		fire(t, h, nil)
	})
	t.Run("TDEL-01 tried again like a real one", func(t *testing.T) {
		h := n.hook(t, c, "full", box.URL)
		box.says(http.StatusTeapot)
		c.make(t, h.path+"/test", nil)
		n.settle(t)
		standsAt(t, h.only(t), "retrying", 1, "answered 418")
		box.says(http.StatusOK)
		n.Advance(t, "61s")
		standsAt(t, h.only(t), "delivered", 2, nil)
		l := box.last(t)
		envelope(t, l, newest)
		l.signedBy(t, h.secret)
	})
	t.Run("TDEL-01 not to a webhook that is off", func(t *testing.T) {
		h := n.hook(t, c, "full", box.URL)
		said(t, c.do(t, "PATCH", h.path, object{"enabled": false}), http.StatusOK)
		had := len(box.letters(t, 0))
		c.make(t, h.path+"/test", nil)
		n.settle(t)
		standsAt(t, h.only(t), "failed", 0, "webhook switched off")
		if got := len(box.letters(t, 0)); got != had {
			t.Errorf("%d letters more", got-had)
		}
	})
}

// hookLists proves DLIV-05.
func hookLists(t *testing.T, n *apiNode) {
	c, owner, box := n.console(t, "dan"), n.session(t, "olivia", "shop"), newPostbox(t)
	h := n.hook(t, c, "full", box.URL, "customer.created", "supplier.created")
	n.customer(t, owner)
	var made []string
	for range 102 {
		made = append(made, n.id(c.make(t, h.path+"/test", nil)))
	}
	box.letters(t, 103)
	n.settle(t)
	t.Run("DLIV-05 the 100 most recent, newest first", func(t *testing.T) {
		list := h.deliveries(t, "")
		if len(list) != 100 {
			t.Fatalf("%d deliveries", len(list))
		}
		for i, d := range list {
			if d["id"] != made[101-i] {
				t.Fatalf("number %d is %v, want %s", i, d["id"], made[101-i])
			}
		}
	})
	t.Run("DLIV-05 what is older is found by what it is", func(t *testing.T) {
		box.says(http.StatusBadGateway)
		owner.make(t, "/suppliers", object{"displayName": "Mill"})
		n.settle(t)
		for query, want := range map[string]int{
			"?businessId=" + n.ids["shop"]: 2, "?businessId=test": 100, "?businessId=" + n.ids["store"]: 0, "?type=supplier.created": 1,
			"?type=customer.created": 100, "?type=invoice.paid": 0, "?status=delivered": 100, "?status=retrying": 1, "?status=failed": 0, "?status=queued": 0,
			"?status=delivered&businessId=" + n.ids["shop"]: 1, "?status=retrying&type=supplier.created&businessId=" + n.ids["shop"]: 1,
			"?status=retrying&type=customer.created": 0,
		} {
			if got := h.deliveries(t, query); len(got) != want {
				t.Errorf("%s finds %d, want %d", query, len(got), want)
			}
		}
		h.deliveries(t, "?businessId=biz_"+nowhere)
	})
}

// hookRolledBack proves HOOK-04: as many deliveries as events, and none of what did not happen.
func hookRolledBack(t *testing.T, k clerk) {
	n := k.n
	c, box := n.console(t, "dan"), newPostbox(t)
	h := n.hook(t, c, "full", box.URL, "invoice.created", "invoice.issued", "customer.created", "journal_entry.posted")
	n.customer(t, k.caller)
	n.settle(t)
	had := len(box.letters(t, 0))
	t.Run("HOOK-04 an import that is rejected as a whole", func(t *testing.T) {
		rows := append(k.many("undone", 3), object{"externalId": "bad", "customerId": "cus_" + nowhere, "lines": []object{line("1")}})
		a := k.do(t, "POST", "/invoices/bulk-import", object{"mode": "ATOMIC", "invoices": rows})
		if a.Status < 400 && !strings.Contains(a.Body, `"created":0`) {
			t.Fatalf("%d %s", a.Status, a.Body)
		}
		n.settle(t)
		if got := len(box.letters(t, 0)); got != had {
			t.Errorf("told of %d things that did not happen", got-had)
		}
	})
	t.Run("HOOK-04 one delivery for each event, and for each event one", func(t *testing.T) {
		k.invoice(t, nil, line("12"))
		k.and("Idempotency-Key", "once-and-no-more-than-once").make(t, "/customers", object{"displayName": "Once"})
		k.and("Idempotency-Key", "once-and-no-more-than-once").make(t, "/customers", object{"displayName": "Once"})
		n.settle(t)
		got, want := map[string]string{}, map[string]string{}
		for _, l := range box.letters(t, 0) {
			got[l.header.Get("X-Webhook-Event-Id")] += l.header.Get("X-Webhook-Event")
		}
		for _, d := range h.deliveries(t, "") {
			want[d["eventId"].(string)] += d["type"].(string)
		}
		logged := 0
		for _, e := range n.told(t, "shop") {
			if want[e.id] != "" {
				logged++
			}
		}
		if !same(got, want) || logged != len(want) || len(want) < had+4 {
			t.Errorf("letters %v\ndeliveries %v\n%d in the log", got, want, logged)
		}
	})
}

// hookVersions proves VERS-03.
func hookVersions(t *testing.T, k clerk) {
	n := k.n
	c, box := n.console(t, "dan"), newPostbox(t)
	h := n.hook(t, c, "full", box.URL, "invoice.issued", "payment.received")
	for _, version := range []string{"", newest, older, oldest} {
		want := version
		if version == "" {
			want = newest
		}
		t.Run("VERS-03 pinned to "+version, func(t *testing.T) {
			n.pin(t, "full", version)
			defer n.pin(t, "full", "")
			had := len(box.letters(t, 0))
			invoice := n.id(k.invoice(t, nil, line("5")))
			k.receipt(t, 200, nil, invoice)
			c.make(t, h.path+"/test", nil)
			n.settle(t)
			got := box.letters(t, 0)[had:]
			if len(got) != 3 {
				t.Fatalf("%d letters", len(got))
			}
			for _, l := range got {
				o := envelope(t, l, want)
				data := o["data"].(map[string]any)
				switch _, list := data["allocations"]; {
				case o["type"] == "invoice.issued" && o["eventId"] != nil:
					if status := map[bool]string{true: "OPEN", false: "SENT"}[want == newest]; data["status"] != status {
						t.Errorf("%s", l.body)
					}
				case o["type"] == "payment.received":
					if list != (want == newest) || !list && data["invoiceId"] != invoice {
						t.Errorf("%s", l.body)
					}
				}
			}
			if version == oldest { // past its sunset: calls that rely on the pin fail, deliveries go on
				unsupported(t, n.by(t, fullApp, "olivia", "shop").do(t, "GET", "/invoices", nil))
			}
		})
	}
	t.Run("VERS-03 what was queued keeps its shape", func(t *testing.T) {
		n.pin(t, "full", older)
		defer n.pin(t, "full", "")
		box.says(http.StatusInternalServerError)
		k.make(t, "/invoices", object{"customerId": k.customer, "lines": []object{line("5")}, "issue": true})
		n.settle(t)
		first := box.last(t)
		n.pin(t, "full", "")
		box.says(http.StatusNoContent)
		n.Advance(t, "61s")
		if again := box.last(t); again.body != first.body || again.header.Get("X-Webhook-Id") != first.header.Get("X-Webhook-Id") {
			t.Errorf("%s\n%s", first.body, again.body)
		}
		envelope(t, first, older)
	})
}

// hookAudience proves HOOK-02: what concerns the app itself comes whatever is installed.
func hookAudience(t *testing.T, n *apiNode) {
	c, box, other := n.console(t, "dan"), newPostbox(t), newPostbox(t)
	all := []string{"app.installed", "app.uninstalled", "app.scopes_updated", "business.redact"}
	h := n.hook(t, c, "twin", box.URL, all...)
	n.hook(t, c, "full", other.URL, all...)
	last := func(t *testing.T, kind string) {
		t.Helper()
		n.settle(t)
		l := box.last(t)
		if o := envelope(t, l, newest); o["type"] != kind || o["businessId"] != n.ids["store"] {
			t.Errorf("want %s, got %s", kind, l.body)
		}
	}
	t.Run("HOOK-02 installed, with more scopes, uninstalled", func(t *testing.T) {
		n.issue(t, twinApp, "olivia", n.ids["store"], "profile:read")
		last(t, "app.installed")
		n.issue(t, twinApp, "olivia", n.ids["store"], "profile:read", "invoices:read")
		last(t, "app.scopes_updated")
		n.uninstall(t, n.session(t, "olivia", "store").http, twinApp)
		last(t, "app.uninstalled")
	})
	t.Run("HOOK-02 DLIV-03 a retry after the uninstall is not dropped", func(t *testing.T) {
		box.says(http.StatusInternalServerError)
		n.issue(t, twinApp, "olivia", n.ids["store"], "profile:read")
		n.settle(t)
		n.uninstall(t, n.session(t, "olivia", "store").http, twinApp)
		n.settle(t)
		box.says(http.StatusNoContent)
		n.Advance(t, "61s")
		list := h.deliveries(t, "")
		standsAt(t, list[0], "delivered", 2, nil)
		standsAt(t, list[1], "delivered", 2, nil)
		if list[0]["type"] != "app.uninstalled" || list[1]["type"] != "app.installed" {
			t.Errorf("%v", list)
		}
	})
	t.Run("HOOK-02 two days later business.redact", func(t *testing.T) {
		n.Advance(t, "48h1m")
		last(t, "business.redact")
		if got := len(box.letters(t, 0)); got != 8 {
			t.Errorf("%d letters", got)
		}
	})
	t.Run("HOOK-02 another app hears nothing of it", func(t *testing.T) {
		if got := other.letters(t, 0); len(got) != 0 {
			t.Errorf("%v", got)
		}
	})
}
