package browser

import (
	"slices"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
)

// ring is how the element with the focus shows it.
const ring = `(() => {
	const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect()
	return {
		page: e == document.body, date: /^date/.test(e.type), name: e.name || e.getAttribute("aria-label") || e.innerText.trim(),
		shown: e.matches(":focus-visible") && style.outlineStyle == "solid" && parseFloat(style.outlineWidth) >= 2 && style.outlineColor != style.backgroundColor,
		inside: document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest("a, button, input, select, textarea, summary") == e,
	}
})()`

type focused struct {
	Page, Date    bool
	Name          string
	Shown, Inside bool
}

// mostStops is how many controls of a page Tab goes through: a longer page, such as the API reference, is asked at its beginning.
const mostStops = 200

// tabThrough presses Tab from the top of the page to its end, or to so many controls.
func (w *window) tabThrough() []focused {
	w.t.Helper()
	run(w, toTheTop)
	var stops []focused
	for range mostStops {
		w.press(kb.Tab)
		stop := eval[focused](w, ring)
		if n := len(stops); stop.Date && n > 0 && stops[n-1].Date && stops[n-1].Name == stop.Name {
			continue // day, month, year and the calendar: the browser's own stops within one field
		}
		if stop.Page || len(stops) > 0 && stop == stops[0] {
			return stops
		}
		stops = append(stops, stop)
	}
	if len(w.controls()) <= mostStops {
		w.t.Fatal("Tab never comes to the end of the page")
	}
	return stops
}

func showsFocus(w *window, _ sight) {
	if first := eval[string](w, `document.querySelector("[autofocus]")?.name ?? ""`); first != "" {
		w.wantFocus(first)
	}
	stops := w.tabThrough()
	if len(stops) < 2 {
		w.t.Errorf("Tab reaches only %v", stops)
	}
	for _, stop := range stops {
		if !stop.Shown || !stop.Inside {
			w.t.Errorf("with the focus on %q: ring %v, in view %v", stop.Name, stop.Shown, stop.Inside)
		}
	}
	if reached, there := len(stops), min(len(w.controls()), mostStops); reached != there {
		w.t.Errorf("Tab reaches %d controls of %d: %v", reached, there, stops)
	}
}

func TestTheKeyboardIsEnough(t *testing.T) {
	w := open(t)
	u := w.node.User(t, "olivia")
	t.Run("to sign in", func(t *testing.T) {
		w := w.in(t)
		w.visit("/sign-in")
		w.wantFocus("email")
		w.press(u.Email)
		w.press(kb.Tab)
		w.wantFocus("password")
		w.press(u.Password)
		w.press(kb.Tab)
		w.wantFocus("Sign in")
		w.enter()
		w.wantPath("/")
		w.visit("/account")
	})
	t.Run("to go through the page in the order of its words", func(t *testing.T) {
		w := w.in(t)
		var names []string
		for _, stop := range w.tabThrough() {
			names = append(names, stop.Name)
		}
		want := []string{"Skip to the page", "Daybook", u.Name, "Sign out", "Switch to " + otherBusiness(w), "Connected apps", "password", "newPassword", "Change password"}
		if !slices.Equal(names, want) {
			t.Error(cmp.Diff(want, names))
		}
	})
	t.Run("to skip the top of the page", func(t *testing.T) {
		w := w.in(t)
		run(w, toTheTop)
		w.press(kb.Tab)
		w.wantFocus("Skip to the page")
		w.press(kb.Enter)
		w.press(kb.Tab)
		w.wantFocus("Switch")
	})
	t.Run("to sign in with Enter in the last field", func(t *testing.T) {
		w := w.in(t)
		w.forget()
		w.visit("/sign-in")
		w.wantFocus("email")
		w.press(u.Email + kb.Tab + u.Password)
		w.enter()
		w.wantPath("/")
	})
}
