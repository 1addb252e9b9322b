package browser

import (
	"strings"
	"testing"
)

// TestEveryPage asks of each page, in each state, what every page must be.
func TestEveryPage(t *testing.T) {
	holdChromium(t)
	n := startNode(t)
	for _, s := range sights {
		lookAt(t, n, s)
	}
}

// lookAt goes to a sight in a new window and asks everything of it.
func lookAt(t *testing.T, n *node, s sight) {
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
		}{
			{"nothing moves while it loads", standsStill},
			{"has a title, a language and one heading", isMarkedUp},
			{"has no inline script or style", isPlain},
			{"every control has a name", isNamed},
			{"shows where the focus is", showsFocus},
			{"can be read, light and dark", isReadable},
			{"fits every width", fits},
			{"has targets that a thumb hits", isTouchable},
			{"gives the browser nothing to complain about", func(w *window, _ sight) { seen.complaints(w) }},
			{"asks nobody else", func(w *window, _ sight) { seen.requests(w) }},
		} {
			t.Run(c.name, func(t *testing.T) { c.check(w.in(t), s) })
		}
	})
}
