package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"daybook/internal/base/fault"
)

// mediaTypeError carries the one refusal whose status (415) no kind stands for.
type mediaTypeError struct{ fault *fault.Fault }

func (e *mediaTypeError) Error() string { return e.fault.Error() }

// ReadJSON reads the one JSON object of a request into v. Unknown members are a validation failure; anything that
// cannot be read is refused with what to do about it.
func ReadJSON(r *http.Request, v any) error {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/json" {
		return &mediaTypeError{ErrMediaType.With("application/json")}
	}
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(v); err != nil {
		return decodeError(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return ErrUnreadable.With("there is something behind the first value")
	}
	return nil
}

// decodeError turns encoding/json's words into ours.
func decodeError(err error) error {
	var large *http.MaxBytesError
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &large):
		return ErrTooLarge.With(large.Limit)
	case errors.Is(err, io.EOF):
		return ErrNothingToRead
	case errors.Is(err, io.ErrUnexpectedEOF):
		return ErrBrokenBody
	case errors.As(err, &syntax):
		return ErrUnreadable.With(fmt.Sprintf("%s, at byte %d", syntax.Error(), syntax.Offset))
	case errors.As(err, &kind):
		field := kind.Field
		if field == "" {
			return fault.InvalidFields("body must be a JSON object")
		}
		return fault.InvalidFields(fmt.Sprintf("%s must be %s", field, article(kind.Type.Kind().String())))
	}
	// The library has no type for this one: json: unknown field "name".
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return fault.InvalidFields(strings.Trim(name, `"`) + " is not a member of this request")
	}
	return ErrUnreadable.With("send well-formed JSON").Because(err)
}

func article(kind string) string {
	switch kind {
	case "string":
		return "a string"
	case "bool":
		return "true or false"
	case "slice", "array":
		return "an array"
	case "struct", "map":
		return "an object"
	}
	return "a whole number"
}

// CheckQuery refuses query parameters that the route does not know.
func CheckQuery(r *http.Request, known ...string) error {
	var c fault.Check
	for name := range r.URL.Query() {
		ok := false
		for _, k := range known {
			ok = ok || k == name
		}
		c.Require(ok, clip(name), "is not a parameter of this request")
	}
	return c.Err()
}
