package browser

import (
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

func TestSigningIn(t *testing.T) {
	w := open(t)
	u := w.node.User(t, "olivia")
	t.Run("a wrong password keeps the address and asks for the password", func(t *testing.T) {
		w := w.in(t)
		if status := w.signInAs(u.Email, "not her password"); status != 401 {
			t.Errorf("status %d", status)
		}
		if got := w.text("[role=alert]"); got != "Email or password is not right. Check both and try again." {
			t.Errorf("it says %q", got)
		}
		if got := eval[string](w, `document.querySelector("[name=email]").value`); got != u.Email {
			t.Errorf("the address is now %q", got)
		}
		if got := eval[string](w, `document.querySelector("[name=password]").value`); got != "" {
			t.Errorf("the page holds the password %q", got)
		}
		w.wantFocus("password")
		w.press(u.Password) // nothing else to do
		w.enter()
		w.wantPath("/")
	})
	t.Run("leads to where one wanted", func(t *testing.T) {
		w := w.in(t)
		w.forget()
		w.visit("/account?done=password")
		w.wantPath("/sign-in?next=" + url.QueryEscape("/account?done=password"))
		w.fill("email", u.Email)
		w.fill("password", "not her password")
		w.click("Sign in") // a refusal keeps the way, too
		w.fill("password", u.Password)
		w.click("Sign in")
		w.wantPath("/account?done=password")
		w.visit("/sign-in?next=%2Faccount%3Fhere")
		w.wantPath("/account?here") // already signed in
	})
	t.Run("never leads elsewhere", func(t *testing.T) {
		w := w.in(t)
		elsewhere := otherSite(t, "localhost", "<h1>Caught</h1>")
		host := strings.TrimPrefix(elsewhere, "http://")
		// FuzzNext has the many; these are the ones that browsers read in their own way.
		for _, next := range []string{elsewhere, "//" + host, `/\` + host, "/\t/" + host} {
			w.forget()
			w.visit("/sign-in?next=" + url.QueryEscape(next))
			w.fill("email", u.Email)
			w.fill("password", u.Password)
			w.click("Sign in")
			w.wantPath("/")
		}
	})
}

func TestPagesWorkWithoutScripts(t *testing.T) {
	w := open(t)
	ask(w, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	w.visit(otherSite(t, "127.0.0.1", `<p>off</p><script>document.querySelector("p").textContent = "on"</script>`))
	if got := w.text("p"); got != "off" {
		t.Fatalf("scripts are %s: this test proves nothing", got)
	}
	u := w.signIn("olivia")
	second := otherBusiness(w)
	w.click("Switch to " + second)
	if got := currentBusiness(w); got != second {
		t.Errorf("works in %s, want %s", got, second)
	}
	changePassword(w, u.Password, "olivia owns it all")
	w.wantPath("/account?done=password")
	w.click("Sign out")
	w.wantPath("/sign-in")
	w.wantSignedOut()
}
