package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"daybook/internal/base/fault"
)

// mediaTypeError carries the one refusal whose status (415) no kind stands for.
type mediaTypeError struct{ fault *fault.Fault }

func (e *mediaTypeError) Error() string { return e.fault.Error() }

func (e *mediaTypeError) Unwrap() error { return e.fault }

// CheckMediaType refuses a body that is not sent as JSON. A patch may also be called by its own name.
func CheckMediaType(r *http.Request) error {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err == nil && (media == "application/json" || media == "application/merge-patch+json" && r.Method == http.MethodPatch) {
		return nil
	}
	return &mediaTypeError{ErrMediaType.With("application/json")}
}

// ReadJSON reads the one JSON object of a request into v, a pointer to a struct. Every member that is unknown or of the
// wrong type is named, in the order in which it was sent; what cannot be read at all is refused with what to do about it.
func ReadJSON(r *http.Request, v any) error {
	if err := CheckMediaType(r); err != nil {
		return err
	}
	members, err := readMembers(r.Body)
	if err != nil {
		return err
	}
	var c fault.Check
	fields := fieldsOf(v)
	strangers := map[string]bool{}
	for _, m := range members {
		field, known := fields[m.name]
		if !known {
			if !strangers[m.name] && len(strangers) < maxStrangers {
				c.Add(clip(m.name), "is not a member of this request")
			}
			strangers[m.name] = true
			continue
		}
		if err := decodeMember(m.value, field); err != nil {
			c.Add(err.path(m.name), "%s", err.wants)
		}
	}
	if more := len(strangers) - maxStrangers; more > 0 {
		c.Add("body", "has %d more members that do not belong here", more)
	}
	return c.Err()
}

// maxStrangers are named; an answer must not outgrow what it answers.
const maxStrangers = 20

type member struct {
	name  string
	value json.RawMessage
}

// readMembers reads an object member by member; of two with one name the later counts, as in JavaScript.
func readMembers(body io.Reader) ([]member, error) {
	decoder := json.NewDecoder(body)
	start, err := decoder.Token()
	if err != nil {
		return nil, unreadable(err)
	}
	if start != json.Delim('{') {
		return nil, fault.InvalidFields("body must be a JSON object")
	}
	var members []member
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, inside(err)
		}
		m := member{name: name.(string)} // the decoder lets nothing else stand before a colon
		if err := decoder.Decode(&m.value); err != nil {
			return nil, inside(err)
		}
		members = append(members, m)
	}
	if _, err := decoder.Token(); err != nil {
		return nil, inside(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return nil, unreadable(err)
		}
		return nil, ErrUnreadable.With("there is something behind the first value")
	}
	return members, nil
}

// inside is unreadable for an object that has begun: its end is missing, not its beginning.
func inside(err error) error {
	if errors.Is(err, io.EOF) {
		return ErrBrokenBody
	}
	return unreadable(err)
}

// unreadable turns encoding/json's words into ours.
func unreadable(err error) error {
	var large *http.MaxBytesError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &large):
		return ErrTooLarge.With(large.Limit)
	case errors.Is(err, io.EOF):
		return ErrNothingToRead
	case errors.Is(err, io.ErrUnexpectedEOF):
		return ErrBrokenBody
	case errors.As(err, &syntax):
		return ErrUnreadable.With(fmt.Sprintf("%s, at byte %d", syntax.Error(), syntax.Offset))
	}
	return ErrUnreadable.With("send well-formed JSON").Because(err)
}

// fieldsOf gives pointers to a struct's fields by their JSON names.
func fieldsOf(v any) map[string]any {
	fields := map[string]any{}
	value := reflect.ValueOf(v).Elem()
	for i := range value.NumField() {
		name, _, _ := strings.Cut(value.Type().Field(i).Tag.Get("json"), ",")
		fields[name] = value.Field(i).Addr().Interface()
	}
	return fields
}

// memberError says what a member must be, and where inside it the offence is.
type memberError struct{ inside, wants string }

func (e *memberError) path(name string) string {
	if e.inside == "" {
		return name
	}
	return name + "." + e.inside
}

func decodeMember(raw json.RawMessage, into any) *memberError {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil {
		return nil
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return &memberError{kind.Field, "must be " + article(kind.Type.Kind().String())}
	}
	// The library has no type for this one: json: unknown field "name".
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return &memberError{strings.Trim(name, `"`), "is not a member of this request"}
	}
	return &memberError{"", "must be well-formed"}
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

// CheckQuery refuses query parameters that the route does not know, or that are given twice.
func CheckQuery(r *http.Request, known ...string) error {
	if r.URL.RawQuery == "" {
		return nil
	}
	params, err := Query(r)
	if err != nil {
		return err
	}
	var c fault.Check
	for _, name := range slices.Sorted(maps.Keys(params)) {
		c.Require(slices.Contains(known, name), clip(name), "is not a parameter of this request")
		c.Require(len(params[name]) == 1, clip(name), "must be given once")
	}
	return c.Err()
}

// Query reads the parameters of a request. What cannot be read is refused: left out, it would seem to have had no effect.
func Query(r *http.Request) (map[string][]string, error) {
	params, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, fault.InvalidFields("query must be well-formed: name=value, joined by &, in percent-encoding")
	}
	return params, nil
}

// ReadBody reads a whole body of at most so many bytes, which may be more than the host takes by default.
func ReadBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	body := r.Body
	if unlimited := aboutOf(r.Context()).body; unlimited != nil {
		body = unlimited
	}
	if body == nil || r.ContentLength == 0 {
		return nil, nil
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, body, most))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, ErrTooLarge.With(most)
	case err != nil:
		return nil, ErrBrokenBody.Because(err)
	}
	return text, nil
}
