package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"daybook/internal/base/fault"
)

// huma reads requests and judges their shape by Go types, and describes them in OpenAPI. It never answers: what it finds
// wrong, and what a handler refuses, comes back from Judge as an error, and the surface writes it in the standard shape.

// NewREST makes the description of a REST surface whose routes are added to mux.
func NewREST(mux humago.Mux, title, version string) huma.API {
	hook()
	config := huma.DefaultConfig(title, version)
	config.Components.Schemas = huma.NewMapRegistry(schemaPrefix, schemaName)
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.CreateHooks = nil // they add members to answers
	format := huma.Format{Marshal: func(io.Writer, any) error { return nil }, Unmarshal: unmarshal}
	config.Formats = map[string]huma.Format{"application/json": format, "json": format}
	return humago.New(mux, config)
}

// verdict is what became of one request.
type verdict struct{ err error }

type verdictKey struct{}

// Judge has huma read a request and, if its shape is right, run the handler. It gives the refusal of either.
func Judge(ctx context.Context, judged http.HandlerFunc, r *http.Request) error {
	var v verdict
	judged(&deaf{}, r.WithContext(context.WithValue(ctx, verdictKey{}, &v)))
	return v.err
}

// JudgePart judges an item of a list that is marked ByItself, and reads it into a pointer to its type.
func JudgePart(registry huma.Registry, text json.RawMessage, into any) error {
	var shapeless any
	if err := unmarshal(text, &shapeless); err != nil {
		return ErrUnreadable.With(err.Error())
	}
	var found huma.ValidateResult
	path := huma.NewPathBuffer([]byte{}, 0)
	path.Push("body")
	huma.Validate(registry, registry.Schema(reflect.TypeOf(into).Elem(), true, ""), path, huma.ModeWriteToServer, shapeless, &found)
	if len(found.Errors) > 0 {
		return fault.InvalidFields(sentences(found.Errors)...)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fault.InvalidFields(sentence(err))
	}
	return nil
}

// hook has huma hand its refusals to the verdict of the request at hand. The function it replaces is a global of huma's: for
// a request that nobody judges here it does what it did before.
var hook = sync.OnceFunc(func() {
	huma.ValidateStrictCasing = true // a member has one name
	before := huma.NewErrorWithContext
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		if ctx != nil {
			if v, ok := ctx.Context().Value(verdictKey{}).(*verdict); ok {
				v.err = refusalOf(status, errs)
				return told(status)
			}
		}
		return before(ctx, status, message, errs...)
	}
})

// told is what huma is given to write, to nobody.
type told int

func (t told) Error() string  { return http.StatusText(int(t)) }
func (t told) GetStatus() int { return int(t) }

// deaf takes what huma writes.
type deaf struct{ header http.Header }

func (d *deaf) Header() http.Header {
	if d.header == nil {
		d.header = http.Header{}
	}
	return d.header
}

func (d *deaf) Write(b []byte) (int, error) { return len(b), nil }

func (d *deaf) WriteHeader(int) {}

// refusalOf turns what huma found into a refusal of ours. It has three statuses: 500 brings a handler's own error, 400 a body
// that cannot be read or is missing, 422 one of the wrong shape.
func refusalOf(status int, errs []error) error {
	switch {
	case status == http.StatusInternalServerError && len(errs) > 0:
		return errs[0]
	case status == http.StatusBadRequest && len(errs) == 0:
		return ErrNothingToRead
	case status == http.StatusBadRequest:
		return ErrUnreadable.With(messageOf(errs[0]))
	}
	return fault.InvalidFields(sentences(errs)...)
}

func messageOf(err error) string {
	var detail *huma.ErrorDetail
	if errors.As(err, &detail) {
		return detail.Message
	}
	return err.Error()
}

// unmarshal reads JSON. For huma's first look, into an any, numbers that are not whole become something that is no number:
// none of our members has a fraction, and 1.0 or 1e3 would pass for a whole number and then not fit into one.
func unmarshal(data []byte, v any) error {
	into, shapeless := v.(*any)
	if !shapeless {
		return json.Unmarshal(data, v)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &syntax):
			return fmt.Errorf("%s, at byte %d", syntax.Error(), syntax.Offset)
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return errors.New("it ends before it is complete")
		}
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is something behind the first value")
	}
	*into = whole(*into)
	return nil
}

// notWhole is a number that no member of ours can have.
type notWhole string

// maxWhole is the largest whole number that every JSON parser reads exactly: 2^53 − 1.
const maxWhole = 1<<53 - 1

func whole(v any) any {
	switch v := v.(type) {
	case json.Number:
		n, err := strconv.ParseInt(v.String(), 10, 64)
		if err == nil && !strings.ContainsAny(v.String(), ".eE") && -maxWhole <= n && n <= maxWhole {
			return n
		}
		return notWhole(v)
	case map[string]any:
		for name, member := range v {
			v[name] = whole(member)
		}
	case []any:
		for i, item := range v {
			v[i] = whole(item)
		}
	}
	return v
}
