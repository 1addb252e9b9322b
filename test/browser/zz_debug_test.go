package browser

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

func TestZZ(t *testing.T) {
	holdChromium(t)
	n := startNode(t)
	for _, s := range marketSights {
		if s.name != "console listing texts" && s.name != "operator review" {
			continue
		}
		w := openOn(t, n)
		s.reach(w)
		run(w, toTheTop)
		for range 60 {
			w.press(kb.Tab)
			t.Log(eval[string](w, `(() => { const e = document.activeElement, b = e.getBoundingClientRect(); return (e.name || e.innerText.slice(0,20)) + " top " + b.top + " h " + b.height + " in " + innerHeight + " scroll " + scrollY + " hit " + document.elementFromPoint(b.x+b.width/2, b.y+b.height/2)?.outerHTML.slice(0,60) })()`))
		}
	}
}
