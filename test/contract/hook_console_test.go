package contract_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"daybook/test/harness"
)

// TestWebhooksInTheConsole proves CONS-06 to CONS-08 of webhooks.
func TestWebhooksInTheConsole(t *testing.T) {
	eachHook(t, func(t *testing.T, n *apiNode) {
		t.Run("life", func(t *testing.T) { hookLife(t, n) })
		t.Run("roles", func(t *testing.T) { hookRoles(t, n) })
		t.Run("strangers", func(t *testing.T) { hookStrangers(t, n) })
		t.Run("refusals", func(t *testing.T) { hookRefusals(t, n) })
		t.Run("addresses", func(t *testing.T) { hookAddresses(t, n) })
		t.Run("ten at most", func(t *testing.T) { hookLimit(t, n) })
		t.Run("secrets", func(t *testing.T) { hookSecrets(t, n) })
	})
}

// shownHook proves that an answer shows a webhook, and gives it.
func shownHook(t *testing.T, a harness.Answer, status int, version float64, more ...string) object {
	t.Helper()
	o := tagged(t, a, status, version)
	want := append(strings.Fields("id url description events enabled previousSecretExpiresAt version createdAt updatedAt"), more...)
	if got := slices.Sorted(maps.Keys(o)); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("members %q", got)
	}
	return o
}

// hookLife proves CONS-08: a webhook is made, shown, changed, switched off and on, and deleted.
func hookLife(t *testing.T, n *apiNode) {
	c, box := n.console(t, "dan"), newPostbox(t)
	made := shownHook(t, c.do(t, "POST", n.hooks("full"), object{"url": box.URL + "/in?a=b", "events": []string{"invoice.paid", "customer.created"}, "description": " billing "}), http.StatusCreated, 1, "secret")
	one := n.hooks("full") + "/" + n.id(made)
	secret, _ := strings.CutPrefix(made["secret"].(string), "whsec_")
	if !strings.HasPrefix(n.id(made), "whk_") || !ulid.MatchString(n.id(made)) || len(secret) != 43 || made["url"] != box.URL+"/in?a=b" ||
		made["description"] != "billing" || made["enabled"] != true || made["previousSecretExpiresAt"] != nil || !same(made["events"], []any{"invoice.paid", "customer.created"}) {
		t.Errorf("made %v", made)
	}
	t.Run("CONS-07 the secret is shown this once", func(t *testing.T) {
		shown := shownHook(t, c.do(t, "GET", one, nil), http.StatusOK, 1)
		for name, value := range shown {
			if !same(made[name], value) {
				t.Errorf("%s was %v, is %v", name, made[name], value)
			}
		}
		list := c.get(t, n.hooks("full"))
		if len(list) != 3 || list["hasMore"] != false || list["nextCursor"] != nil || len(list["data"].([]any)) != 1 || !same(list["data"].([]any)[0], shown) {
			t.Errorf("listed %v, shown %v", list, shown)
		}
	})
	t.Run("CONS-08 with nothing but an address it hears of nothing", func(t *testing.T) {
		h := n.hook(t, c, "full", box.URL)
		if o := shownHook(t, c.do(t, "GET", h.path, nil), http.StatusOK, 1); len(o["events"].([]any)) != 0 || o["enabled"] != true || o["description"] != nil || h.secret == made["secret"] {
			t.Errorf("%v", o)
		}
		off := c.make(t, n.hooks("full"), object{"url": box.URL, "enabled": false, "description": nil, "events": nil})
		if off["enabled"] != false {
			t.Errorf("%v", off)
		}
		gone(t, c.do(t, "DELETE", n.hooks("full")+"/"+n.id(off), nil))
	})
	t.Run("CONS-08 each change counts, and what is nothing new does not", func(t *testing.T) {
		refused(t, c.and("If-Match", `"2"`).do(t, "PATCH", one, object{"enabled": false}), http.StatusPreconditionFailed, "VERSION_CONFLICT")
		o := shownHook(t, c.and("If-Match", `"1"`).do(t, "PATCH", one, object{"enabled": false}), http.StatusOK, 2)
		if o["enabled"] != false || !same(o["events"], made["events"]) || o["url"] != made["url"] {
			t.Errorf("%v", o)
		}
		shownHook(t, c.do(t, "PATCH", one, object{}), http.StatusOK, 2)
		shownHook(t, c.do(t, "PATCH", one, object{"enabled": false, "url": made["url"], "description": "billing"}), http.StatusOK, 2)
		o = shownHook(t, c.and("Content-Type", "application/merge-patch+json").do(t, "PATCH", one, object{
			"enabled": true, "url": box.URL + "/new", "description": nil, "events": []string{"app.uninstalled"},
		}), http.StatusOK, 3)
		if o["enabled"] != true || o["url"] != box.URL+"/new" || o["description"] != nil || !same(o["events"], []any{"app.uninstalled"}) || o["createdAt"] != made["createdAt"] {
			t.Errorf("%v", o)
		}
		if o := shownHook(t, c.do(t, "PATCH", one, object{"events": []string{}}), http.StatusOK, 4); len(o["events"].([]any)) != 0 {
			t.Errorf("%v", o)
		}
	})
	t.Run("CONS-08 a rotation is a change, too", func(t *testing.T) {
		refused(t, c.and("If-Match", `"3"`).do(t, "POST", one+"/rotate-secret", nil), http.StatusPreconditionFailed, "VERSION_CONFLICT")
		said(t, c.and("If-Match", `"4"`).do(t, "POST", one+"/rotate-secret", nil), http.StatusOK)
		if o := shownHook(t, c.do(t, "GET", one, nil), http.StatusOK, 5); o["previousSecretExpiresAt"] == nil {
			t.Errorf("%v", o)
		}
	})
	t.Run("CONS-08 deleted is gone", func(t *testing.T) {
		refused(t, c.and("If-Match", `"1"`).do(t, "DELETE", one, nil), http.StatusPreconditionFailed, "VERSION_CONFLICT")
		gone(t, c.and("If-Match", `"5"`).do(t, "DELETE", one, nil))
		for _, call := range hookCalls(n.hooks("full"), n.id(made), "dlv_"+nowhere) {
			if call.path != n.hooks("full") {
				refused(t, c.do(t, call.method, call.path, call.body), http.StatusNotFound, "NOT_FOUND")
			}
		}
	})
}

// hookCall is a call of the console about webhooks.
type hookCall struct {
	method, path string
	body         any
	looks        bool // changes nothing
}

// hookCalls are all there are, each in order but for what it is about.
func hookCalls(all, webhook, delivery string) []hookCall {
	one := all + "/" + webhook
	return []hookCall{
		{"GET", all, nil, true},
		{"POST", all, object{"url": "http://127.0.0.1:9/"}, false},
		{"GET", one, nil, true},
		{"PATCH", one, object{"enabled": true}, false},
		{"PATCH", one, object{"url": "http://127.0.0.1:9/"}, false},
		{"DELETE", one, nil, false},
		{"POST", one + "/rotate-secret", nil, false},
		{"POST", one + "/test", nil, false},
		{"GET", one + "/deliveries", nil, true},
		{"GET", one + "/deliveries/" + delivery, nil, true},
		{"POST", one + "/deliveries/" + delivery + "/redeliver", nil, false},
		{"POST", one + "/redeliver-failed", object{"since": "2026-01-01T00:00:00Z", "until": "2036-01-01T00:00:00Z"}, false},
	}
}

// hookRoles proves CONS-06: those of the organization look, and its builders change.
func hookRoles(t *testing.T, n *apiNode) {
	dan, box := n.console(t, "dan"), newPostbox(t)
	h := n.hook(t, dan, "full", box.URL, "customer.created")
	delivery := dan.make(t, h.path+"/test", nil)
	n.settle(t)
	calls := hookCalls(n.hooks("full"), h.id, n.id(delivery))
	t.Run("CONS-06 a viewer looks, and changes nothing", func(t *testing.T) {
		before, vera := dan.do(t, "GET", n.hooks("full"), nil).Body, n.console(t, "vera")
		for _, call := range calls {
			a := vera.do(t, call.method, call.path, call.body)
			if call.looks {
				if mine := dan.do(t, call.method, call.path, nil); a.Status != http.StatusOK || a.Body != mine.Body {
					t.Errorf("%s: %d %s, the owner sees %s", call.path, a.Status, a.Body, mine.Body)
				}
				continue
			}
			refused(t, a, http.StatusForbidden, "ORGANIZATION_ROLE_REQUIRED")
		}
		// A bad address tells a viewer nothing.
		refused(t, vera.do(t, "POST", n.hooks("full"), object{"url": "https://localhost/"}), http.StatusForbidden, "ORGANIZATION_ROLE_REQUIRED")
		refused(t, vera.do(t, "PATCH", h.path, object{"url": "https://localhost/"}), http.StatusForbidden, "ORGANIZATION_ROLE_REQUIRED")
		if after := dan.do(t, "GET", n.hooks("full"), nil).Body; after != before || len(box.letters(t, 1)) != 1 {
			t.Errorf("before\n%s\nafter\n%s", before, after)
		}
	})
	t.Run("CONS-06 a developer does everything", func(t *testing.T) {
		sam := n.console(t, "sam")
		mine := n.hook(t, sam, "full", box.URL)
		said(t, sam.do(t, "PATCH", mine.path, object{"enabled": false}), http.StatusOK)
		mine.rotate(t)
		gone(t, sam.do(t, "DELETE", mine.path, nil))
	})
	t.Run("CONS-06 nobody is signed out and sees something", func(t *testing.T) {
		token := n.by(t, fullApp, "olivia", "shop")
		for _, call := range calls {
			standard(t, n.nobody().do(t, call.method, call.path, call.body), http.StatusUnauthorized)
			refused(t, token.do(t, call.method, call.path, call.body), http.StatusForbidden, "ENDPOINT_NOT_EXPOSED")
		}
	})
}

// hookStrangers proves CONS-06: what is another's looks exactly like what nobody has.
func hookStrangers(t *testing.T, n *apiNode) {
	dan, rosa, olivia, box := n.console(t, "dan"), n.console(t, "rosa"), n.console(t, "olivia"), newPostbox(t)
	mine := n.hook(t, dan, "full", box.URL)
	own := n.hook(t, rosa, "other", box.URL) // of another organization
	twin := n.hook(t, dan, "twin", box.URL)
	other := n.hook(t, dan, "full", box.URL)
	delivery, beside := n.id(dan.make(t, mine.path+"/test", nil)), n.id(dan.make(t, other.path+"/test", nil))
	n.settle(t)
	nobodys := "/developer/apps/app_" + nowhere + "/webhooks"
	same404 := func(t *testing.T, who caller, a, b hookCall) {
		t.Helper()
		first, second := who.do(t, a.method, a.path, a.body), who.do(t, b.method, b.path, b.body)
		refused(t, first, http.StatusNotFound, "NOT_FOUND")
		if first.Status != second.Status || first.Body != second.Body {
			t.Errorf("%s %s:\n%d %s\n%d %s", a.method, a.path, first.Status, first.Body, second.Status, second.Body)
		}
	}
	t.Run("CONS-06 another organization's app", func(t *testing.T) {
		theirs, none := hookCalls(n.hooks("full"), mine.id, delivery), hookCalls(nobodys, "whk_"+nowhere, "dlv_"+nowhere)
		for i := range theirs {
			same404(t, rosa, theirs[i], none[i])
			same404(t, olivia, theirs[i], none[i])
		}
		for _, bad := range []object{{"url": "https://localhost/"}, {"url": "nothing"}, {"url": "https://127.0.0.1/", "events": []string{"none"}}} {
			refused(t, rosa.do(t, "POST", n.hooks("full"), bad), http.StatusNotFound, "NOT_FOUND")
		}
	})
	t.Run("CONS-06 a webhook of another app, under one's own", func(t *testing.T) {
		for _, foreign := range []string{own.id, twin.id} {
			theirs, none := hookCalls(n.hooks("full"), foreign, delivery), hookCalls(n.hooks("full"), "whk_"+nowhere, "dlv_"+nowhere)
			for i := range theirs {
				if theirs[i].path != n.hooks("full") {
					same404(t, dan, theirs[i], none[i])
				}
			}
		}
	})
	t.Run("CONS-06 a delivery of another webhook", func(t *testing.T) {
		theirs, none := hookCalls(n.hooks("full"), mine.id, beside), hookCalls(n.hooks("full"), mine.id, "dlv_"+nowhere)
		for i := range theirs {
			if strings.Contains(theirs[i].path, beside) {
				same404(t, dan, theirs[i], none[i])
			}
		}
	})
	t.Run("CONS-06 SERR-03 names that are none", func(t *testing.T) {
		for _, odd := range []string{"x", "%00", "%ff", "whk_" + strings.Repeat("0", 3000), "'--", "%E2%80%A8"} {
			for _, path := range []string{"/developer/apps/" + odd + "/webhooks", n.hooks("full") + "/" + odd, mine.path + "/deliveries/" + odd} {
				refused(t, dan.do(t, "GET", path, nil), http.StatusNotFound, "NOT_FOUND")
			}
			refused(t, dan.do(t, "POST", "/developer/apps/"+odd+"/webhooks", object{"url": box.URL}), http.StatusNotFound, "NOT_FOUND")
			refused(t, dan.do(t, "DELETE", n.hooks("full")+"/"+odd, nil), http.StatusNotFound, "NOT_FOUND")
			refused(t, dan.do(t, "POST", mine.path+"/deliveries/"+odd+"/redeliver", nil), http.StatusNotFound, "NOT_FOUND")
		}
	})
}

// hookRefusals proves SERR-02: every offence is named.
func hookRefusals(t *testing.T, n *apiNode) {
	c, box := n.console(t, "dan"), newPostbox(t)
	h := n.hook(t, c, "full", box.URL, "customer.created")
	failed := h.path + "/redeliver-failed"
	window := func(more object) object {
		o := object{"since": "2026-01-01T00:00:00Z", "until": "2026-01-02T00:00:00Z"}
		for name, value := range more {
			o[name] = value
		}
		return o
	}
	for _, one := range []struct {
		method, path string
		body         any
		named        []string
	}{
		{"POST", n.hooks("full"), object{}, []string{"url"}},
		{"POST", n.hooks("full"), object{"url": nil, "events": []any{1}}, []string{"url", "events.0"}},
		{"POST", n.hooks("full"), object{"url": 1, "events": "x", "enabled": "yes", "description": 5, "secret": "whsec_mine"}, []string{"url", "events", "enabled", "description", "secret"}},
		{"POST", n.hooks("full"), object{"url": box.URL, "description": strings.Repeat("x", 301)}, []string{"description"}},
		{"POST", n.hooks("full"), object{"url": box.URL, "description": "a\x00b"}, []string{"description"}},
		{"POST", n.hooks("full"), object{"url": box.URL, "events": []string{"invoice.paid", "invoice.paid", "invoice.paid"}}, []string{"events"}},
		{"POST", n.hooks("full"), object{"url": box.URL, "events": []any{"invoice.paid", nil}}, []string{"events.1"}},
		{"POST", n.hooks("full") + "?dry=1", object{"url": box.URL}, []string{"dry"}},
		{"GET", n.hooks("full") + "?limit=1&cursor=x", nil, []string{"limit", "cursor"}},
		{"GET", h.path + "?x=y", nil, []string{"x"}},
		{"PATCH", h.path, object{"url": nil, "events": nil, "enabled": nil}, []string{"url", "events", "enabled"}},
		{"PATCH", h.path, object{"id": "whk_1", "version": 3, "secret": "whsec_mine"}, []string{"id", "version", "secret"}},
		{"PATCH", h.path + "?x=y", object{}, []string{"x"}},
		{"DELETE", h.path + "?x=y", nil, []string{"x"}},
		{"POST", h.path + "/rotate-secret", object{"secret": "whsec_mine"}, []string{"secret"}},
		{"POST", h.path + "/rotate-secret?x=y", nil, []string{"x"}},
		{"POST", h.path + "/test", object{"type": 1, "data": object{}}, []string{"type", "data"}},
		{"POST", h.path + "/test", object{"type": ""}, []string{"type"}},
		{"GET", h.path + "/deliveries?status=lost&type=none&businessId=x&limit=5", nil, []string{"limit"}},
		{"GET", h.path + "/deliveries?status=lost&type=none&businessId=x", nil, []string{"status", "type", "businessId"}},
		{"GET", h.path + "/deliveries?status=&type=&businessId=", nil, []string{"status", "type", "businessId"}},
		{"GET", h.path + "/deliveries?status=FAILED&businessId=biz_%00", nil, []string{"status", "businessId"}},
		{"GET", h.path + "/deliveries?status=failed&status=queued", nil, []string{"status"}},
		{"GET", h.path + "/deliveries/dlv_" + nowhere + "?x=y", nil, []string{"x"}},
		{"POST", h.path + "/deliveries/dlv_" + nowhere + "/redeliver", object{"now": true}, []string{"now"}},
		{"POST", failed, object{}, []string{"since", "until"}},
		{"POST", failed, object{"since": "yesterday", "until": 5}, []string{"until"}},
		{"POST", failed, object{"since": "yesterday", "until": "2026-01-02", "types": []any{}}, []string{"since", "until", "types"}},
		{"POST", failed, window(object{"until": "2026-01-01T00:00:00Z"}), []string{"until"}},
		{"POST", failed, window(object{"types": []any{1}, "limit": 3}), []string{"limit"}},
		{"POST", failed, window(object{"types": []any{1}}), []string{"types.0"}},
		{"POST", failed, window(object{"types": []any{"invoice.paid", "invoice.paid"}}), []string{"types"}},
	} {
		t.Run("SERR-02 "+one.method+" "+strings.NewReplacer(h.path, "one", n.hooks("full"), "all").Replace(one.path)+" "+strings.Join(one.named, " "), func(t *testing.T) {
			offends(t, c.do(t, one.method, one.path, one.body), one.named...)
		})
	}
	t.Run("SERR-01 events that do not exist", func(t *testing.T) {
		for _, name := range []string{"invoice.eaten", "", "INVOICE.PAID", strings.Repeat("x", 5000)} {
			for _, a := range []harness.Answer{
				c.do(t, "POST", n.hooks("full"), object{"url": box.URL, "events": []string{"invoice.paid", name}}),
				c.do(t, "PATCH", h.path, object{"events": []string{name}}),
				c.do(t, "POST", failed, window(object{"types": []string{name}})),
			} {
				if r := refused(t, a, http.StatusBadRequest, "UNKNOWN_EVENT_TYPE"); len(r.text) > 300 {
					t.Errorf("a message of %d characters", len(r.text))
				}
			}
		}
		refused(t, c.do(t, "POST", h.path+"/test", object{"type": "invoice.eaten"}), http.StatusBadRequest, "UNKNOWN_EVENT_TYPE")
	})
	t.Run("SERR-03 what cannot be read", func(t *testing.T) {
		standard(t, c.and("Content-Type", "text/plain").do(t, "POST", n.hooks("full"), `{}`), http.StatusUnsupportedMediaType)
		standard(t, c.do(t, "POST", n.hooks("full"), `{"url":`), http.StatusBadRequest)
		standard(t, c.do(t, "POST", failed, nil), http.StatusUnsupportedMediaType)
		standard(t, c.do(t, "PUT", h.path, object{}), http.StatusMethodNotAllowed)
		offends(t, c.and("If-Match", "1").do(t, "PATCH", h.path, object{}), "If-Match")
	})
	t.Run("SERR-02 an answer does not outgrow what it answers", func(t *testing.T) {
		for _, names := range [][]any{repeat(any("invoice.paid"), 20_000), repeat(any(1), 20_000)} {
			if a := c.do(t, "PATCH", h.path, object{"events": names}); a.Status != http.StatusBadRequest || len(a.Body) > 1000 {
				t.Errorf("%d with %d bytes", a.Status, len(a.Body))
			}
		}
	})
	if o := shownHook(t, c.do(t, "GET", h.path, nil), http.StatusOK, 1); !same(o["events"], []any{"customer.created"}) {
		t.Errorf("a refused change changed %v", o)
	}
}

// hookAddresses proves CONS-07 and DLIV-07 in development mode: http is for loopback only, and nothing private else.
func hookAddresses(t *testing.T, n *apiNode) {
	c, box := n.console(t, "dan"), newPostbox(t)
	h := n.hook(t, c, "full", box.URL)
	for _, url := range append(badAddresses(), "http://example.com/", "http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/") {
		t.Run("CONS-07 DLIV-07 "+url[:min(len(url), 60)], func(t *testing.T) {
			r := refused(t, c.do(t, "POST", n.hooks("full"), object{"url": url}), http.StatusBadRequest, "WEBHOOK_URL_INVALID")
			again := refused(t, c.do(t, "PATCH", h.path, object{"url": url}), http.StatusBadRequest, "WEBHOOK_URL_INVALID")
			if r.text != again.text {
				t.Errorf("%s, and %s", r.text, again.text)
			}
		})
	}
	t.Run("CONS-07 the form that is kept", func(t *testing.T) {
		o := c.make(t, n.hooks("full"), object{"url": "HTTPS://93.184.216.34:443/In?Q=%2f"})
		if o["url"] != "https://93.184.216.34/In?Q=%2f" {
			t.Errorf("%v", o["url"])
		}
		gone(t, c.do(t, "DELETE", n.hooks("full")+"/"+n.id(o), nil))
	})
}

// badAddresses are refused in every mode.
func badAddresses() []string {
	return []string{
		"", "nothing", "ftp://example.com/", "https://", "https:///x", "//example.com/", "https:example.com", "javascript:alert(1)",
		"https://user@93.184.216.34/", "https://user:pass@93.184.216.34/", "https://93.184.216.34/#part", "https://93.184.216.34/a b", "https://93.184.216.34/\n",
		`https://93.184.216.34\@10.0.0.1/`, "https://93.184.216.34:0/", "https://93.184.216.34:70000/", "https://bücher.example/", "https://-x.example/",
		"https://10.0.0.1/", "https://192.168.1.1/", "https://172.16.0.1/", "https://169.254.169.254/", "https://100.64.0.1/", "https://0.0.0.0/", "https://224.0.0.1/",
		"https://[fd00::1]/", "https://[fe80::1]/", "https://[::ffff:10.0.0.1]/", "https://[64:ff9b::a00:1]/", "https://[fe80::1%25eth0]/",
		"https://2130706433/", "https://0x7f.1/", "https://017700000001/", "https://nowhere.invalid/", "https://93.184.216.34/" + strings.Repeat("x", 2048),
	}
}

// hookLimit proves that an app has at most 10 webhooks, however many are made at once.
func hookLimit(t *testing.T, n *apiNode) {
	c, box := n.console(t, "dan"), newPostbox(t)
	answers := atOnce(32, func() harness.Answer { return c.do(t, "POST", n.hooks("twin"), object{"url": box.URL}) })
	var made []string
	for _, a := range answers {
		if a.Status == http.StatusCreated {
			made = append(made, n.id(a.JSON(t)))
		} else {
			refused(t, a, http.StatusBadRequest, "WEBHOOK_LIMIT_REACHED")
		}
	}
	listed := objects(c.get(t, n.hooks("twin"))["data"])
	if len(made) != 10 || len(listed) != 10 {
		t.Errorf("CONS-08 %d of 32 were made, %d are listed", len(made), len(listed))
	}
	n.hook(t, c, "full", box.URL) // another app has its own
	gone(t, c.do(t, "DELETE", n.hooks("twin")+"/"+made[0], nil))
	made[0] = n.id(c.make(t, n.hooks("twin"), object{"url": box.URL}))
	refused(t, c.do(t, "POST", n.hooks("twin"), object{"url": box.URL}), http.StatusBadRequest, "WEBHOOK_LIMIT_REACHED")
	for _, id := range made {
		gone(t, c.do(t, "DELETE", n.hooks("twin")+"/"+id, nil))
	}
}

// hookSecrets proves CONS-07: a secret is in the two answers, and nowhere else.
func hookSecrets(t *testing.T, n *apiNode) {
	c, box := n.console(t, "dan"), newPostbox(t)
	h := n.hook(t, c, "full", box.URL, "customer.created")
	first, _ := h.rotate(t)
	second, _ := h.rotate(t)
	secrets := []string{h.secret, first, second}
	c.make(t, h.path+"/test", nil)
	n.settle(t)
	d := h.only(t)
	said(t, c.do(t, "PATCH", h.path, object{"description": "x"}), http.StatusOK)
	places := map[string]string{
		"the webhook": c.do(t, "GET", h.path, nil).Body, "the list": c.do(t, "GET", n.hooks("full"), nil).Body,
		"the delivery": c.do(t, "GET", h.path+"/deliveries/"+n.id(d), nil).Body, "the deliveries": c.do(t, "GET", h.path+"/deliveries", nil).Body,
		"the store": n.everything(t), "the log": n.Log(), "what is sent": box.last(t).body,
	}
	if !strings.Contains(places["the store"], h.id) || !strings.Contains(places["the log"], "rotate-secret") {
		t.Fatal("this is not the whole store, or not the log")
	}
	for _, secret := range secrets {
		for place, text := range places {
			if strings.Contains(text, strings.TrimPrefix(secret, "whsec_")) {
				t.Errorf("CONS-07 a secret is in %s", place)
			}
		}
	}
	if len(slices.Compact(slices.Sorted(slices.Values(secrets)))) != 3 {
		t.Error("SIGN-03 a secret came twice")
	}
}
