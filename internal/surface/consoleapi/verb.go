package consoleapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// verb is what a route does. The functions below make the few sorts of verbs there are.
type verb struct {
	status int          // of success
	doc    reflect.Type // of the answer; nil for none
	reads  bool         // a body must be there
	most   int64        // bytes of a body that is a file; 0: it is JSON
	// register has huma judge the requests and run the verb.
	register func(h huma.API, op huma.Operation)
}

// Inputs as huma wants them. A body by pointer may be absent.
type (
	input[B any] struct{ Body B }
	none         struct{}
	nothing      struct{}
)

// revised is a document of a record that has versions: they are its ETag.
type revised interface{ revision() int }

// handle registers a function that leaves its answer in the call.
func handle[I any](do func(ctx context.Context, c *call, in *I) error) func(huma.API, huma.Operation) {
	return func(h huma.API, op huma.Operation) {
		huma.Register(h, op, func(ctx context.Context, in *I) (*none, error) { return nil, do(ctx, callOf(ctx), in) })
	}
}

// show answers a document. Where there are parameters to judge it also runs when something is wrong with the query already, so that
// the caller learns everything at once.
func show[D any](find func(ctx context.Context, c *call) (D, error)) verb {
	return verb{status: http.StatusOK, doc: reflect.TypeFor[D](), register: handle(func(ctx context.Context, c *call, _ *none) error {
		if c.wrong.Err() != nil && len(c.route.Params) == 0 {
			return nil // perform tells it
		}
		doc, err := find(ctx, c)
		return c.answer(http.StatusOK, doc, err)
	})}
}

// pageDoc is a list, or a page of one.
type pageDoc[D any] struct {
	Data       []D     `json:"data" nullable:"false"`
	HasMore    bool    `json:"hasMore"`
	NextCursor *string `json:"nextCursor"`
}

// list answers a list that is shown whole: it has the members of every list, and never more.
func list[T, D any](find func(ctx context.Context, c *call) ([]T, error), doc func(T) D) verb {
	return page(func(ctx context.Context, c *call) ([]T, *string, error) {
		all, err := find(ctx, c)
		return all, nil, err
	}, doc)
}

// page answers a page of a list, and where the next one begins.
func page[T, D any](find func(ctx context.Context, c *call) ([]T, *string, error), doc func(T) D) verb {
	return show(func(ctx context.Context, c *call) (pageDoc[D], error) {
		found, next, err := find(ctx, c)
		return pageDoc[D]{Data: each(found, doc), HasMore: next != nil, NextCursor: next}, err
	})
}

// change reads a B and does something. judge, if not nil, says what is wrong with the values of a B: when the shape is wrong as
// well, nothing is done, and both are told at once (SERR-02).
func change[B, D any](status int, judge func(B) error, do func(ctx context.Context, c *call, body B) (D, error)) verb {
	return verb{status: status, doc: reflect.TypeFor[D](), reads: true, register: handle(func(ctx context.Context, c *call, in *input[B]) error {
		return carryOut(ctx, c, status, in.Body, judge, do)
	})}
}

// act does something that needs no body; {} is fine too.
func act[D any](status int, do func(ctx context.Context, c *call) (D, error)) verb {
	return verb{status: status, doc: reflect.TypeFor[D](), register: handle(func(ctx context.Context, c *call, _ *input[*nothing]) error {
		return carryOut(ctx, c, status, nothing{}, nil, func(ctx context.Context, c *call, _ nothing) (D, error) { return do(ctx, c) })
	})}
}

// reads is change for bodies that huma has no words for: they are read member by member.
func reads[B, D any](status int, do func(ctx context.Context, c *call, body B) (D, error)) verb {
	return reading(true, status, do)
}

// mayRead is reads for a body that may be left out.
func mayRead[B, D any](status int, do func(ctx context.Context, c *call, body B) (D, error)) verb {
	return reading(false, status, do)
}

func reading[B, D any](required bool, status int, do func(ctx context.Context, c *call, body B) (D, error)) verb {
	return verb{status: status, doc: reflect.TypeFor[D](), reads: required, register: func(h huma.API, op huma.Operation) {
		handle(func(ctx context.Context, c *call, _ *none) error {
			var body B
			if required || len(c.body) > 0 {
				if err := c.readBody(&body); err != nil {
					return err
				}
			}
			return carryOut(ctx, c, status, body, nil, do)
		})(h, op)
		// Told only now, it is described and not judged.
		schema := h.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[B](), true, "")
		described(h, op).RequestBody = &huma.RequestBody{Required: required, Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}
	}}
}

// uploads takes in a body that is a file, or a form with one, of at most so many bytes.
func uploads[D any](status int, most int64, do func(ctx context.Context, c *call) (D, error)) verb {
	return verb{status: status, doc: reflect.TypeFor[D](), reads: true, most: most, register: func(h huma.API, op huma.Operation) {
		handle(func(ctx context.Context, c *call, _ *none) error {
			return carryOut(ctx, c, status, nothing{}, nil, func(ctx context.Context, c *call, _ nothing) (D, error) { return do(ctx, c) })
		})(h, op)
		file := &huma.Schema{Type: huma.TypeString, Format: "binary"}
		form := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{"kind": {Type: huma.TypeString}, "file": file}, Required: []string{"kind", "file"}}
		described(h, op).RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"image/png": {Schema: file}, "image/jpeg": {Schema: file}, "multipart/form-data": {Schema: form},
		}}
	}}
}

// described is an operation as the document has it.
func described(h huma.API, op huma.Operation) *huma.Operation {
	path := h.OpenAPI().Paths[op.Path]
	return map[string]*huma.Operation{http.MethodPost: path.Post, http.MethodPut: path.Put, http.MethodPatch: path.Patch}[op.Method]
}

// remove does something after which something is gone.
func remove(do func(ctx context.Context, c *call) error) verb {
	return verb{status: http.StatusNoContent, register: handle(func(ctx context.Context, c *call, _ *input[*nothing]) error {
		if c.wrong.Err() != nil {
			return nil // perform tells it
		}
		c.status = http.StatusNoContent
		return do(ctx, c)
	})}
}

func carryOut[B, D any](ctx context.Context, c *call, status int, body B, judge func(B) error, do func(ctx context.Context, c *call, body B) (D, error)) error {
	if c.wrong.Err() != nil { // perform tells it
		if judge == nil {
			return nil
		}
		return judge(body)
	}
	c.status = status // from here on, what is refused was tried
	doc, err := do(ctx, c, body)
	return c.answer(status, doc, err)
}

func (c *call) answer(status int, doc any, err error) error {
	if err != nil {
		return err
	}
	c.status, c.doc = status, doc
	if r, ok := doc.(revised); ok {
		c.tag = r.revision()
	}
	return nil
}

// each turns every one of a list, [] for none.
func each[T, D any](all []T, doc func(T) D) []D {
	out := make([]D, len(all))
	for i, one := range all {
		out[i] = doc(one)
	}
	return out
}

// words are the names in a list of named strings, [] for none.
func words[T ~string](all []T) []string { return each(all, func(w T) string { return string(w) }) }
