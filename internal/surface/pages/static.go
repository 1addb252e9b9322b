package pages

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"net/http"
)

var (
	//go:embed static/daybook.css
	css []byte
	//go:embed static/mark.svg
	markSVG []byte
	//go:embed static/console.js
	consoleJS []byte
	//go:embed static/embed.js
	embedJS []byte

	stylesheet = newAsset("daybook", "css", "text/css; charset=utf-8", css)
	mark       = newAsset("mark", "svg", "image/svg+xml", markSVG)
	script     = newAsset("console", "js", "text/javascript; charset=utf-8", consoleJS)
	embedding  = newAsset("embed", "js", "text/javascript; charset=utf-8", embedJS)
)

// asset is a file that pages refer to. Its path names the very bytes, so browsers may keep it for good and never show a
// page in an old dress.
type asset struct {
	path, media string
	content     []byte
}

func newAsset(name, ending, media string, content []byte) asset {
	sum := sha256.Sum256(content)
	return asset{"/static/" + name + "." + hex.EncodeToString(sum[:6]) + "." + ending, media, content}
}

func (a asset) register(mux *http.ServeMux) {
	mux.HandleFunc("GET "+a.path, func(w http.ResponseWriter, _ *http.Request) {
		a.write(w, "public, max-age=31536000, immutable")
	})
}

// RegisterStatic serves the stylesheet and the icon on another host's mux, and tells their paths.
func RegisterStatic(mux *http.ServeMux) (stylesheetPath, iconPath string) {
	stylesheet.register(mux)
	mark.register(mux)
	return stylesheet.path, mark.path
}

// write sends it. An image opened by itself is a document too: it may do nothing, and cannot be framed.
func (a asset) write(w http.ResponseWriter, cache string) {
	h := w.Header()
	h.Set("Content-Type", a.media)
	h.Set("Cache-Control", cache)
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	_, _ = w.Write(a.content)
}

// favicon answers browsers that ask for the icon by its old address, as they do before they have read a page.
func favicon(w http.ResponseWriter, _ *http.Request) { mark.write(w, "public, max-age=86400") }
