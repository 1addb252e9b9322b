package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestHostileFrames proves what a page in a frame cannot do, whoever wrote it. Two apps stand beside an invoice, on another site than ours;
// what they try is typed into their pages.
func TestHostileFrames(t *testing.T) {
	holdChromium(t)
	h := newHosted(t)
	one, other := newSite(t, "localhost"), newSite(t, "localhost")
	evil := newSite(t, "127.0.0.1") // a port of our own host
	h.connect(t, tillClient, "invoices:read")
	h.setURL(t, h.dan, syncClient, one.url+"/")
	h.setURL(t, h.dan, tillClient, other.url+"/")
	h.extend(t, h.dan, syncClient, "PANEL", "INVOICE", "One", "one")
	h.extend(t, h.dan, tillClient, "PANEL", "INVOICE", "Other", "other")
	w := openOn(t, h.node)
	w.begin("olivia")
	path := "/invoices/" + h.invoice
	fresh := func(t *testing.T) (page, frame *window) {
		page = w.in(t)
		page.visit(path)
		return page, page.inFrame(one.url + "/one")
	}
	t.Run("the policy names the origins of the apps at hand", func(t *testing.T) {
		page, _ := fresh(t)
		origins := []string{one.url, other.url}
		slices.Sort(origins)
		if got := page.policyOf(path); !strings.HasSuffix(got, "; frame-src "+strings.Join(origins, " ")) {
			t.Error(got)
		}
	})
	t.Run("a frame hears its own answers, and no other does", func(t *testing.T) {
		page, frame := fresh(t)
		neighbour := page.inFrame(other.url + "/other")
		if n := page.asks(frame, `{version: 1, type: "getSessionToken", id: "a"}`); n != 1 {
			t.Fatalf("%d tokens were asked for", n)
		}
		frame.await("a token", `heard.some(m => m.includes('"type":"sessionToken"') && m.includes('"id":"a"'))`)
		run(neighbour, chromedp.Evaluate[chromedp.Void](`parent.postMessage({version: 1, type: "ready", id: "b"}, "*")`))
		neighbour.await("its context", `heard.length > 0`)
		if got := eval[string](neighbour, `heard.join()`); strings.Contains(got, "sessionToken") || !strings.Contains(got, `"type":"INVOICE","id":"`+h.invoice+`"`) || strings.Contains(got, "biz_") {
			t.Errorf("the neighbour hears %s", got)
		}
	})
	t.Run("messages that are none", func(t *testing.T) {
		page, frame := fresh(t)
		for _, message := range []string{
			`{type: "getSessionToken"}`, `{version: "1", type: "getSessionToken"}`, `{version: 2, type: "getSessionToken"}`, `{version: 1, type: "getsessiontoken"}`, `{version: 1, type: "constructor"}`,
			`{version: 1, type: "__proto__"}`, `{version: 1, type: ["getSessionToken"]}`, `{version: 1, type: "getSessionToken", id: 5}`, `{version: 1, type: "getSessionToken", id: "x".repeat(101)}`,
			`'{"version":1,"type":"getSessionToken"}'`, `null`, `[1, "getSessionToken"]`,
		} {
			if n := page.asks(frame, message); n != 0 {
				t.Errorf("%s is heard", message)
			}
		}
	})
	t.Run("the right window at another origin", func(t *testing.T) {
		page, frame := fresh(t)
		run(frame, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`location = %q`, other.url+"/stolen"))) // the policy allows it: another app's
		stolen := page.inFrame(other.url + "/stolen")
		if n := page.asks(stolen, `{version: 1, type: "getSessionToken", id: "a"}`); n != 0 {
			t.Errorf("%d tokens were asked for", n)
		}
	})
	t.Run("the right origin in another window", func(t *testing.T) {
		page, frame := fresh(t)
		n := page.counts(func() {
			run(frame, chromedp.Evaluate[chromedp.Void](`{
				const nested = document.createElement("iframe")
				document.body.append(nested)
				nested.contentWindow.Function("top.postMessage({version: 1, type: 'getSessionToken', id: 'a'}, '*'); top.postMessage('fence', '*')")()
			}`))
		})
		if n != 0 {
			t.Errorf("a frame inside the frame gets %d tokens", n)
		}
		if n := page.counts(func() {
			run(page, chromedp.Evaluate[chromedp.Void](`postMessage({version: 1, type: "getSessionToken", id: "a"}); postMessage("fence")`))
		}); n != 0 {
			t.Errorf("the page itself gets %d tokens", n)
		}
	})
	t.Run("an answer on its way to a frame that went elsewhere", func(t *testing.T) {
		page, frame := fresh(t)
		run(page, chromedp.Evaluate[chromedp.Void](`{
			const gate = new Promise(open => release = open)
			asked = new Promise(done => fetch = async () => { done(true); await gate; return { ok: true, json: async () => ({ sessionToken: "secret", expiresIn: 60 }) } })
		}`))
		run(frame, chromedp.Evaluate[chromedp.Void](`parent.postMessage({version: 1, type: "getSessionToken", id: "late"}, "*")`))
		eval[bool](page, `asked`)
		run(frame, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`location = %q`, other.url+"/late")))
		late := page.inFrame(other.url + "/late")
		late.await("its script", `!!heard`)
		// What follows the release are a few promises, all of them kept when the next task comes.
		eval[bool](page, `new Promise(done => { release(); setTimeout(() => done(true)) })`)
		run(page, chromedp.Evaluate[chromedp.Void](`document.querySelector("iframe[data-origin='`+one.url+`']").contentWindow.postMessage("fence", "*")`))
		late.await("the fence", `heard.includes('"fence"')`)
		if got := eval[string](late, `heard.join()`); got != `"fence"` {
			t.Errorf("another origin hears %s", got)
		}
	})
	t.Run("to go anywhere but to its own and the other apps' pages", func(t *testing.T) {
		page, frame := fresh(t)
		run(page, chromedp.Evaluate[chromedp.Void](`violated = new Promise(done => document.addEventListener("securitypolicyviolation", e => done(e.effectiveDirective + " " + e.blockedURI)))`))
		run(frame, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`location = %q`, evil.url+"/")))
		if got := eval[string](page, `violated`); !strings.HasPrefix(got, "frame-src "+evil.url) {
			t.Errorf("the browser reports %q", got)
		}
		if asked := evil.requests(); len(asked) != 0 {
			t.Errorf("asked for %v", asked)
		}
	})
	t.Run("to move the page around it", func(t *testing.T) {
		page, frame := fresh(t)
		for _, move := range []string{
			`top.location = "` + evil.url + `/"`, `top.location.href = "` + evil.url + `/"`, `parent.location.replace("` + evil.url + `/")`, `open("` + evil.url + `/", "_top") ?? (() => { throw { name: "SecurityError" } })()`,
		} {
			if got := run(frame, chromedp.Evaluate[string](fmt.Sprintf(`(() => { try { %s; return "moved" } catch (e) { return e.name } })()`, move), byHand)); got != "SecurityError" {
				t.Errorf("%s: %s", move, got)
			}
		}
		for _, message := range []string{
			`{version: 1, type: "navigate", resourceType: "INVOICE", resourceId: "../sign-out"}`, `{version: 1, type: "navigate", resourceType: "constructor", resourceId: "` + h.customer + `"}`,
			`{version: 1, type: "navigate", resourceType: "CUSTOMER", resourceId: ["` + h.customer + `"]}`, `{version: 1, type: "navigate", url: "` + evil.url + `"}`,
			`{version: 1, type: "navigate", resourceType: "//` + strings.TrimPrefix(evil.url, "http://") + `", resourceId: "` + h.customer + `"}`,
		} {
			page.asks(frame, message)
			page.wantPath(path)
		}
		if asked := evil.requests(); len(asked) != 0 {
			t.Errorf("asked for %v", asked)
		}
	})
	t.Run("to move the page to a record when nobody has clicked", func(t *testing.T) {
		page, frame := fresh(t)
		page.asks(frame, `{version: 1, type: "navigate", resourceType: "CUSTOMER", resourceId: "`+h.customer+`"}`)
		page.wantPath(path)
	})
	t.Run("to read the page around it, or to call us in its name", func(t *testing.T) {
		_, frame := fresh(t)
		for _, look := range []string{`parent.document`, `top.document.cookie`, `parent.localStorage`, `parent.location.href`, `frameElement.parentNode`} {
			if got := eval[string](frame, fmt.Sprintf(`(() => { try { return String(%s) } catch (e) { return e.name } })()`, look)); got != "SecurityError" && got != "TypeError" {
				t.Errorf("%s: %s", look, got)
			}
		}
		for _, call := range []string{"/rest/embedded/session-token", "/account", "/rest/developer/apps"} {
			got := eval[string](frame, fmt.Sprintf(`fetch(%q, {method: "POST", credentials: "include", headers: {"Content-Type": "text/plain"}, body: '{"clientId":"cli_demosync"}'}).then(r => r.text(), e => e.name)`, h.AuthURL+call))
			if got != "TypeError" {
				t.Errorf("%s can be read: %s", call, got)
			}
		}
		if eval[string](frame, `document.cookie + document.referrer`) != "" {
			t.Error("it is told where it stands")
		}
	})
	t.Run("to fill the page", func(t *testing.T) {
		page, frame := fresh(t)
		for height, want := range map[string]string{"1e9": "4000", "-5": "40", "200.4": "200"} {
			page.asks(frame, `{version: 1, type: "resize", height: `+height+`}`)
			if got := eval[string](page, `document.querySelector("iframe[data-origin='`+one.url+`']").height`); got != want {
				t.Errorf("%s makes it %s high", height, got)
			}
		}
		for _, height := range []string{`"9999"`, "NaN", "Infinity", "{}"} {
			page.asks(frame, `{version: 1, type: "resize", height: `+height+`}`)
		}
		for i := range 5 {
			page.asks(frame, fmt.Sprintf(`{version: 1, type: "toast", text: "<img src=x onerror=alert(1)>%d\u202e" + "x".repeat(1000)}`, i))
		}
		toasts := eval[[]string](page, `[...document.querySelectorAll("#toasts p")].map(p => p.innerText)`)
		if len(toasts) != 3 || len([]rune(toasts[0])) > 220 || !strings.HasPrefix(toasts[0], "Ledger Sync <img src=x onerror=alert(1)>0") || strings.Contains(strings.Join(toasts, ""), "\u202e") {
			t.Errorf("%d toasts: %.80q", len(toasts), toasts)
		}
		if eval[bool](page, `!!document.querySelector("#toasts img")`) {
			t.Error("markup of the app acts on the page")
		}
	})
	t.Run("to ask for tokens without end", func(t *testing.T) {
		page, frame := fresh(t)
		run(page, chromedp.Evaluate[chromedp.Void](`fetch = async () => Response.json({sessionToken: "x", expiresIn: 60})`))
		n := page.counts(func() {
			run(frame, chromedp.Evaluate[chromedp.Void](`for (let i = 0; i < 40; i++) parent.postMessage({version: 1, type: "getSessionToken", id: "a" + i}, "*"); parent.postMessage("fence", "*")`))
		})
		if n != 30 {
			t.Errorf("%d tokens were asked for in a row", n)
		}
		frame.await("a refusal", `heard.some(m => m.includes("TOO_MANY"))`)
	})
}

// asks has a frame send the page a message, and tells how many tokens the page asks for because of it.
func (w *window) asks(frame *window, message string) int {
	w.t.Helper()
	return w.counts(func() {
		run(frame, chromedp.Evaluate[chromedp.Void](`parent.postMessage(`+message+`, "*"); parent.postMessage("fence", "*")`))
	})
}

// counts tells how many calls the page makes because of messages whose last one is a fence. Messages come in order, and the page's own
// script hears them first; so when the fence is here, everything before it was decided.
func (w *window) counts(send func()) int {
	w.t.Helper()
	run(w, chromedp.Evaluate[chromedp.Void](`{
		calls = 0
		const real = globalThis.real ??= fetch
		fetch = (...a) => { calls++; return real(...a) }
		fenced = new Promise(done => addEventListener("message", function here(e) { if (e.data == "fence") { removeEventListener("message", here); done(true) } }))
	}`))
	send()
	return eval[int](w, `fenced.then(() => calls)`)
}
