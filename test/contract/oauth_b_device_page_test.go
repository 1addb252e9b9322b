package contract_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"daybook/test/harness"
)

// prefilled reports whether the page's field for the code shows that value.
func prefilled(text, value string) bool {
	return strings.Contains(text, `name="user_code" value="`+value+`"`)
}

// deviceApproval holds DEVC-10 and the page of DEVC-11.
func deviceApproval(t *testing.T, n *oauthNode) {
	bakery, catering, lab := n.business(t, "Bakery Brandt"), n.business(t, "Brandt Catering"), n.business(t, "Acme Lab")
	olivia, dan, vera := n.worksIn(t, "olivia", "Bakery Brandt"), signedIn(t, n.Node, "dan"), n.worksIn(t, "vera", "Bakery Brandt")
	t.Run("DEVC-11", func(t *testing.T) { deviceForm(t, n, olivia) })
	t.Run("DEVC-11 codes match without regard to case or hyphen", func(t *testing.T) {
		for _, change := range []func(string) string{
			strings.ToLower,
			func(s string) string { return strings.ReplaceAll(s, "-", "") },
			func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "-", "")) },
			func(s string) string { return " " + strings.ToLower(strings.ReplaceAll(s, "-", " ")) + " " },
		} {
			d := n.startDevice(t, tillApp, "invoices:read")
			if text := page(t, n.typeCode(t, olivia, change(d.UserCode)), http.StatusOK); !strings.Contains(text, d.UserCode) || !strings.Contains(text, "Pocket Till") {
				t.Errorf("%q does not find the device:\n%s", change(d.UserCode), text)
			}
			seeOther(t, n.decideDevice(t, olivia, change(d.UserCode), bakery, "allow"), "/device/done?decision=allow")
			tokens(t, n.poll(t, tillApp, d.DeviceCode))
		}
	})
	t.Run("DEVC-10 the chosen business", func(t *testing.T) {
		d := n.approved(t, olivia, syncApp, "profile:read", catering)
		tokens(t, n.poll(t, syncApp, d.DeviceCode))
		other := n.worksIn(t, "olivia", "Bakery Brandt")
		n.switchTo(t, other, catering)
		if id, granted := n.installation(t, other, syncApp); id == "" || len(granted) != 1 {
			t.Errorf("not installed there: %q %v", id, granted)
		}
		n.uninstall(t, other, syncApp)
	})
	t.Run("DEVC-10 without a choice, the business the person is signed into", func(t *testing.T) {
		other := n.worksIn(t, "olivia", "Bakery Brandt")
		n.switchTo(t, other, catering)
		d := n.approved(t, other, syncApp, "profile:read", "")
		set := tokens(t, n.poll(t, syncApp, d.DeviceCode))
		if id, _ := n.installation(t, other, syncApp); id == "" {
			t.Error("not installed in the business they work in")
		}
		n.uninstall(t, other, syncApp)
		n.live(t, "a token of an uninstalled business", syncApp, set.AccessToken, false)
	})
	t.Run("DEVC-10 an app without review", func(t *testing.T) {
		d := n.startDevice(t, draftApp, "invoices:read")
		refusalPage(t, n.typeCode(t, olivia, d.UserCode), http.StatusBadRequest, notReviewed)
		for _, business := range []string{bakery, catering, ""} {
			refusalPage(t, n.decideDevice(t, olivia, d.UserCode, business, "allow"), http.StatusBadRequest, notReviewed)
		}
		pending(t, n.poll(t, draftApp, d.DeviceCode))
		if text := page(t, n.typeCode(t, dan, d.UserCode), http.StatusOK); !strings.Contains(text, lab) || strings.Contains(text, bakery) {
			t.Errorf("the page does not offer the sandbox alone:\n%s", text)
		}
		seeOther(t, n.decideDevice(t, dan, d.UserCode, lab, "allow"), "/device/done?decision=allow")
		tokens(t, n.poll(t, draftApp, d.DeviceCode))
	})
	t.Run("DEVC-10 who may not connect apps there", func(t *testing.T) {
		d := n.startDevice(t, tillApp, "invoices:read")
		for name, a := range map[string]harness.Answer{
			"a viewer":                    n.decideDevice(t, vera, d.UserCode, bakery, "allow"),
			"somebody of another company": n.decideDevice(t, dan, d.UserCode, bakery, "allow"),
			"a business nobody has":       n.decideDevice(t, olivia, d.UserCode, "biz_00000000000000000000000000", "allow"),
		} {
			if a.Status != http.StatusForbidden && a.Status != http.StatusNotFound {
				t.Errorf("%s: %d %s", name, a.Status, a.Body)
			}
		}
		pending(t, n.poll(t, tillApp, d.DeviceCode))
		seeOther(t, n.decideDevice(t, n.worksIn(t, "sam", "Bakery Brandt"), d.UserCode, bakery, "allow"), "/device/done?decision=allow")
		tokens(t, n.poll(t, tillApp, d.DeviceCode))
	})
	t.Run("DEVC-10 an app that is stopped", func(t *testing.T) {
		d := n.startDevice(t, syncApp, "invoices:read")
		undo := n.stop(t, syncApp, true)
		refusalPage(t, n.typeCode(t, olivia, d.UserCode), http.StatusBadRequest, "Invalid client_id")
		refusalPage(t, n.decideDevice(t, olivia, d.UserCode, bakery, "allow"), http.StatusBadRequest, "Invalid client_id")
		oauthError(t, n.poll(t, syncApp, d.DeviceCode), http.StatusUnauthorized, "invalid_client", "*")
		undo()
		pending(t, n.poll(t, syncApp, d.DeviceCode))
	})
}

func deviceForm(t *testing.T, n *oauthNode, olivia *http.Client) {
	d := n.startDevice(t, tillApp, "invoices:read")
	t.Run("signed out it leads through sign-in and back", func(t *testing.T) {
		a := harness.Get(t, plain(t), d.Complete)
		to, err := url.Parse(a.Header.Get("Location"))
		if err != nil || a.Status != http.StatusSeeOther || to.Path != "/sign-in" || to.Query().Get("next") != "/device?user_code="+d.UserCode {
			t.Errorf("%d to %q", a.Status, a.Header.Get("Location"))
		}
		for _, decision := range []string{"", "allow"} {
			if a := n.decideDevice(t, plain(t), d.UserCode, "", decision); a.Status != http.StatusSeeOther || !strings.HasPrefix(a.Header.Get("Location"), "/sign-in") {
				t.Errorf("posting %q signed out: %d to %q", decision, a.Status, a.Header.Get("Location"))
			}
		}
	})
	t.Run("it is filled from user_code, and from nothing else", func(t *testing.T) {
		if text := page(t, harness.Get(t, olivia, d.Complete), http.StatusOK); !prefilled(text, d.UserCode) {
			t.Errorf("not filled with %s:\n%s", d.UserCode, text)
		}
		lower := n.AuthURL + "/device?user_code=" + strings.ToLower(strings.ReplaceAll(d.UserCode, "-", ""))
		if text := page(t, harness.Get(t, olivia, lower), http.StatusOK); !prefilled(text, d.UserCode) {
			t.Errorf("not filled as the device shows it:\n%s", text)
		}
		if text := page(t, harness.Get(t, olivia, n.AuthURL+"/device"), http.StatusOK); !prefilled(text, "") {
			t.Errorf("not empty:\n%s", text)
		}
		if text := page(t, harness.Get(t, olivia, n.AuthURL+"/device?user_code=%22%3E%3Cscript%3E"), http.StatusOK); strings.Contains(text, "<script>") {
			t.Errorf("what is no code is shown:\n%s", text)
		}
	})
	t.Run("looking approves nothing", func(t *testing.T) {
		text := page(t, n.typeCode(t, olivia, d.UserCode), http.StatusOK)
		for _, want := range []string{d.UserCode, "Pocket Till", "Acme Apps", "Bakery Brandt", "Brandt Catering", "See invoices", `value="allow"`, `value="deny"`} {
			if !strings.Contains(text, want) {
				t.Errorf("the page does not show %q:\n%s", want, text)
			}
		}
		pending(t, n.poll(t, tillApp, d.DeviceCode))
	})
	t.Run("AUTHZ-18 the pages are guarded", func(t *testing.T) {
		for _, a := range []harness.Answer{harness.Get(t, olivia, d.Complete), n.typeCode(t, olivia, d.UserCode), n.typeCode(t, olivia, "BCDF-0000")} {
			csp := a.Header.Get("Content-Security-Policy")
			if !strings.Contains(csp, "frame-ancestors 'none'") || !strings.Contains(csp, "default-src 'none'") || a.Header.Get("Referrer-Policy") != "no-referrer" {
				t.Errorf("%d: %q, %q", a.Status, csp, a.Header.Get("Referrer-Policy"))
			}
		}
		header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Origin": {"https://elsewhere.example"}, "Sec-Fetch-Site": {"cross-site"}}
		a := harness.Send(t, olivia, http.MethodPost, n.AuthURL+"/device", header, url.Values{"user_code": {d.UserCode}, "decision": {"allow"}}.Encode())
		page(t, a, http.StatusForbidden)
	})
	t.Run("a button that does not exist", func(t *testing.T) {
		page(t, n.decideDevice(t, olivia, d.UserCode, "", "maybe"), http.StatusBadRequest)
		n.setTime(t, n.time(t).Add(5*time.Second))
		pending(t, n.poll(t, tillApp, d.DeviceCode))
	})
}
