package pages

import (
	"errors"
	"mime"
	"net/http"
	"net/url"

	"daybook/internal/base/fault"
	"daybook/internal/surface/wire"
)

// maxForm is far more than any of our forms needs.
const maxForm = 64 << 10

var (
	errForm     = fault.New(fault.Invalid, "FORM_UNREADABLE", "The form could not be read. Go back, reload the page and send it again.")
	errRepeated = fault.New(fault.Invalid, "FORM_REPEATED_FIELD", "The field {0} was sent more than once. Go back, reload the page and send it again.")
)

// readForm reads a posted form: from the body only, each field once.
func readForm(r *http.Request) (url.Values, error) {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/x-www-form-urlencoded" {
		return nil, errForm
	}
	r.Body = http.MaxBytesReader(nil, r.Body, maxForm)
	var large *http.MaxBytesError
	if err := r.ParseForm(); errors.As(err, &large) {
		return nil, wire.ErrTooLarge.With(large.Limit)
	} else if err != nil {
		return nil, errForm.Because(err)
	}
	for name, values := range r.PostForm {
		if len(values) > 1 {
			return nil, errRepeated.With(name)
		}
	}
	return r.PostForm, nil
}
