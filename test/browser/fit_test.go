package browser

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

const phone, desk = 360, 1280

// standsStill: buffered shifts are told to their observer before the navigation, which there always is, to the next.
func standsStill(w *window, _ sight) {
	for _, shift := range eval[[]string](w, `new Promise(done => {
		const shifts = [], where = r => [r.x, r.y, r.width, r.height].join(" ")
		new PerformanceObserver(list => {
			for (const shift of list.getEntries()) for (const s of shift.sources) shifts.push((s.node?.outerHTML ?? s.node?.data ?? "?").slice(0, 80) + ": " + where(s.previousRect) + " → " + where(s.currentRect))
		}).observe({type: "layout-shift", buffered: true})
		new PerformanceObserver(() => done(shifts)).observe({type: "navigation", buffered: true})
	})`) {
		w.t.Errorf("moved: %s", shift)
	}
}

// standsStillOnASlowLine: columns take their widths from what is in them, so that half a page has others than the whole. The
// frame therefore asks to be shown when its end is there.
func standsStillOnASlowLine(t *testing.T, n *node) {
	w := openOn(t, n)
	w.begin("olivia")
	w.visit("/invoices")
	whole := eval[string](w, `"<!doctype html>" + document.documentElement.outerHTML`)
	first, second, found := strings.Cut(whole, "<button>Show</button>")
	if !found {
		t.Fatal(whole)
	}
	app, err := url.Parse(n.AuthURL)
	if err != nil {
		t.Fatal(err)
	}
	rest := make(chan struct{})
	mux := http.NewServeMux()
	mux.Handle("/", httputil.NewSingleHostReverseProxy(app)) // stylesheet and script
	mux.HandleFunc("/rest", func(http.ResponseWriter, *http.Request) { close(rest) })
	mux.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		// Half a second is many frames: the half page would have been painted.
		_, _ = io.WriteString(w, first+`<script>setTimeout(() => fetch("/rest"), 500)</script>`)
		_ = http.NewResponseController(w).Flush()
		select {
		case <-rest:
		case <-r.Context().Done():
		}
		_, _ = io.WriteString(w, "<button>Show</button>"+second)
	})
	line := httptest.NewServer(mux)
	t.Cleanup(line.Close)
	w.visit(line.URL + "/page")
	standsStill(w, sight{})
}

func fits(w *window, s sight) {
	for _, width := range []int64{320, phone, 390, 768, desk} {
		w.resize(width)
		if wide := eval[int64](w, `document.documentElement.scrollWidth`); wide > width {
			w.t.Errorf("%d wide in a window of %d: it scrolls sideways", wide, width)
		}
		for _, text := range eval[[]string](w, clipped) {
			w.t.Errorf("at %d this does not fit its box: %s", width, text)
		}
		w.takePictures(fmt.Sprintf("%s %d", s.name, width))
	}
}

// clipped are the boxes that hide a part of what is in them, but for the visitor's name, which is meant to be cut, what is
// only read aloud, and the list of pages, which scrolls.
const clipped = `[...document.querySelectorAll("body *")]
	.filter(e => e.checkVisibility() && getComputedStyle(e).overflowX != "visible" && e.scrollWidth > e.clientWidth && !e.matches(".visitor a, input, .unseen, .pages"))
	.map(e => (e.innerText || e.outerHTML).slice(0, 80))`

func isTouchable(w *window, _ sight) {
	w.resize(phone)
	small := eval[[]string](w, `[...document.querySelectorAll("a, button, input, select, textarea, summary")]
		.map(e => e.type == "checkbox" ? e.closest("label") : e) // the whole line can be hit
		.filter(e => e.checkVisibility() && !e.matches(".skip, p a") && e.getBoundingClientRect().height < 44)
		.map(e => (e.name || e.innerText) + ": " + e.getBoundingClientRect().height + " px")`)
	for _, target := range small {
		w.t.Errorf("less than 44 px high on a phone: %s", target)
	}
}

// resize makes the window a phone or a desk, by its width.
func (w *window) resize(width int64) {
	w.t.Helper()
	height, options := int64(800), []chromedp.EmulateViewportOption{}
	if width < 600 {
		height, options = 740, append(options, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulateScale(2))
	}
	run(w, chromedp.EmulateViewport(width, height, options...))
}

// scheme makes the window light or dark.
func (w *window) scheme(name string) {
	w.t.Helper()
	ask(w, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
}

// takePictures leaves the whole page, light and dark, in the folder that DAYBOOK_SCREENSHOTS names.
func (w *window) takePictures(name string) {
	w.t.Helper()
	folder := os.Getenv("DAYBOOK_SCREENSHOTS")
	if folder == "" {
		return
	}
	for _, scheme := range []string{"light", "dark"} {
		w.scheme(scheme)
		picture := ask(w, page.CaptureScreenshot, page.CaptureScreenshotParams{CaptureBeyondViewport: new(true)})
		file := strings.ReplaceAll(name+" "+scheme, " ", "-") + ".png"
		if err := os.WriteFile(filepath.Join(folder, file), picture.Data, 0o644); err != nil {
			w.t.Fatal(err)
		}
	}
}
