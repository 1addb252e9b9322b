package pages

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

func TestTheNameOfAFileChangesWithItsContent(t *testing.T) {
	one, other := newAsset("a", "css", "text/css", []byte("a{}")), newAsset("a", "css", "text/css", []byte("b{}"))
	if one.path == other.path {
		t.Errorf("both are %s", one.path)
	}
	if again := newAsset("a", "css", "text/css", []byte("a{}")); again.path != one.path {
		t.Errorf("the same content is %s and %s", one.path, again.path)
	}
}

func TestFilesAreServedForGood(t *testing.T) {
	mux := http.NewServeMux()
	(&Site{}).Register(mux)
	const forGood = "public, max-age=31536000, immutable"
	for path, want := range map[string]struct {
		media, cache string
		content      []byte
	}{
		stylesheet.path: {"text/css; charset=utf-8", forGood, css},
		script.path:     {"text/javascript; charset=utf-8", forGood, consoleJS},
		mark.path:       {"image/svg+xml", forGood, markSVG},
		"/favicon.ico":  {"image/svg+xml", "public, max-age=86400", markSVG}, // its address says nothing about its content
	} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		h := w.Header()
		if w.Code != 200 || h.Get("Content-Type") != want.media || h.Get("Cache-Control") != want.cache || !bytes.Equal(w.Body.Bytes(), want.content) {
			t.Errorf("%s: %d, %v, %d bytes", path, w.Code, h, w.Body.Len())
		}
		if !strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'; frame-ancestors 'none'") {
			t.Errorf("%s: policy %q", path, h.Get("Content-Security-Policy"))
		}
	}
}

// The mark is shown under its own content policy, too: shapes and their attributes, nothing that acts.
func TestTheMarkIsADrawing(t *testing.T) {
	d := xml.NewDecoder(bytes.NewReader(markSVG))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			if !slices.Contains([]string{"svg", "rect", "path"}, e.Name.Local) {
				t.Errorf("has a %s", e.Name.Local)
			}
			for _, a := range e.Attr {
				if a.Name.Local == "style" || strings.HasPrefix(a.Name.Local, "on") || strings.HasSuffix(a.Name.Local, "href") {
					t.Errorf("has a %s", a.Name.Local)
				}
			}
		}
	}
}
