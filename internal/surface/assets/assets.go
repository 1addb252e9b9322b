// Package assets serves the pictures of apps, on both hosts. They come from strangers: each was encoded anew when it was kept, is served
// as what it is and nothing else, and may do nothing when it is opened by itself. Its address names the very bytes, so whoever has
// it may keep it for good. No cookie is read here, and none is set.
package assets

import (
	"bytes"
	"net/http"
	"time"

	"daybook/internal/platform/asset"
	"daybook/internal/surface/wire"
)

// Handler serves pictures.
type Handler struct{ Assets *asset.Service }

// Register adds the route.
func (h Handler) Register(mux *http.ServeMux) { mux.Handle("GET /assets/{name}", wire.JSON(h.serve)) }

func (h Handler) serve(w http.ResponseWriter, r *http.Request) error {
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	f, err := h.Assets.Serve(r.Context(), r.PathValue("name"))
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", f.Media)
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("Content-Disposition", `attachment; filename="`+r.PathValue("name")+`"`) // pages show it all the same; opened by itself it is a file
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	header.Set("ETag", `"`+f.Hash+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.Content)) // answers 304 to who has it
	return nil
}
