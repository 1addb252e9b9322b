package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// currentBusiness is the one the page says the person works in; otherBusiness is the first that they could switch to.
func currentBusiness(w *window) string {
	w.t.Helper()
	return firstLine(eval[string](w, `document.querySelector("tr:has(.status.good) th").innerText`))
}

func otherBusiness(w *window) string {
	w.t.Helper()
	return firstLine(eval[string](w, `document.querySelector("tr:has(button) th").innerText`))
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func TestSwitchingTheBusinessAndBack(t *testing.T) {
	w := open(t)
	w.signIn("olivia")
	elsewhere := w.another()
	elsewhere.signIn("olivia")
	first, second := currentBusiness(w), otherBusiness(w)

	w.click("Switch to " + second)
	w.wantPath("/account")
	if got := currentBusiness(w); got != second {
		t.Errorf("works in %s, want %s", got, second)
	}
	w.visit("/account")
	if got := currentBusiness(w); got != second {
		t.Errorf("works in %s after a reload, want %s", got, second)
	}
	elsewhere.visit("/account")
	if got := currentBusiness(elsewhere); got != first {
		t.Errorf("another session works in %s, want %s as before", got, first)
	}

	w.click("Switch to " + first)
	if got := currentBusiness(w); got != first {
		t.Errorf("works in %s, want %s", got, first)
	}
}

func TestChangingThePassword(t *testing.T) {
	w := open(t)
	u := w.signIn("vera")
	t.Run("a short one is not even sent", func(t *testing.T) {
		w := w.in(t)
		w.fill("password", u.Password)
		w.fill("newPassword", "too short")
		w.press(kb.Enter)
		w.wantPath("/account")
		if !eval[bool](w, `document.querySelector("[name=newPassword]").validity.tooShort`) {
			t.Error("the browser took it")
		}
		w.wantFocus("newPassword")
	})
	t.Run("the other sessions end", func(t *testing.T) {
		w := w.in(t)
		elsewhere := w.another()
		elsewhere.signIn("vera")
		const fresh = "vera looks on, still"
		changePassword(w, u.Password, fresh)
		w.wantPath("/account?done=password")
		if got := w.text("[role=status]"); got != "Your password is changed. Everywhere else you are signed out." {
			t.Errorf("it says %q", got)
		}
		if below := eval[float64](w, `document.querySelector("[role=status]").getBoundingClientRect().bottom - innerHeight`); below > 0 {
			t.Errorf("what happened is told %.0f px below the window", below)
		}
		elsewhere.wantSignedOut()
		if status := elsewhere.signInAs(u.Email, u.Password); status != 401 {
			t.Errorf("the old password: %d", status)
		}
		elsewhere.signInAs(u.Email, fresh)
		elsewhere.wantPath("/")
		w.visit("/account")
		w.wantPath("/account")
	})
}
