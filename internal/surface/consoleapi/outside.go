package consoleapi

import (
	"net/http"

	"daybook/internal/surface/wire"
)

// What routes outside of the table use: those of businesses and of operators.

// newListBody is a list that is shown whole.
func newListBody[T, B any](list []T, body func(T) B) pageDoc[B] {
	return pageDoc[B]{Data: each(list, body)}
}

// readOptional reads a body that may be left out.
func readOptional(r *http.Request, v any) error {
	if r.ContentLength == 0 {
		return nil
	}
	return wire.ReadJSON(r, v)
}
