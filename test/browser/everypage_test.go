package browser

import (
	"os"
	"strings"
	"testing"
)

// TestEveryPage asks of each page, in each state, what every page must be. The slow questions go to every fifth of them, unless
// DAYBOOK_EVERY_PAGE is set, as `make pages` does.
func TestEveryPage(t *testing.T) {
	holdChromium(t)
	n := startNode(t)
	for i, s := range sights {
		lookAt(t, n, s, short(i))
	}
}

// short reports whether the slow questions are left out for the i-th page.
func short(i int) bool { return i%5 != 0 && os.Getenv("DAYBOOK_EVERY_PAGE") == "" }

// lookAt goes to a sight in a new window and asks everything of it.
func lookAt(t *testing.T, n *node, s sight, short bool) {
	t.Run(s.name, func(t *testing.T) {
		t.Parallel()
		w := openOn(t, n)
		seen := watch(w)
		if status := s.reach(w); status != s.status {
			t.Fatalf("status %d, want %d:\n%s", status, s.status, w.text("body"))
		}
		s.title = strings.Replace(s.title, "{h1}", w.text("h1"), 1) // of a record that is another one every day
		for _, c := range []struct {
			name  string
			check func(w *window, s sight)
			slow  bool
		}{
			{"nothing moves while it loads", standsStill, true},
			{"has a title, a language and one heading", isMarkedUp, false},
			{"has no inline script or style", isPlain, false},
			{"every control has a name", isNamed, false},
			{"shows where the focus is", showsFocus, true},
			{"can be read, light and dark", isReadable, true},
			{"fits every width", fits, true},
			{"has targets that a thumb hits", isTouchable, true},
			{"gives the browser nothing to complain about", func(w *window, _ sight) { seen.complaints(w) }, false},
			{"asks nobody else", func(w *window, _ sight) { seen.requests(w) }, false},
		} {
			if short && c.slow {
				continue
			}
			t.Run(c.name, func(t *testing.T) { c.check(w.in(t), s) })
		}
	})
}
