package pages

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"net/http"
)

//go:embed static/daybook.css
var css []byte

// stylesheetPath names the very bytes, so browsers may keep them for good and never show a page in an old dress.
var stylesheetPath = func() string {
	sum := sha256.Sum256(css)
	return "/static/daybook." + hex.EncodeToString(sum[:6]) + ".css"
}()

func stylesheet(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	_, _ = w.Write(css)
}
