package partnerapi

import (
	"context"
	"mime"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"daybook/internal/base/fault"
	"daybook/internal/books/record"
	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/idem"
	"daybook/internal/surface/wire"
)

// verb is what a route does. The functions below make the few sorts of verbs there are.
type verb struct {
	status int          // of success
	doc    reflect.Type // of the answer; nil for none
	media  string       // of an answer that is no JSON
	list   *record.List // for lists
	feed   bool         // a list of another sort, whose parameters its feature judges all the same
	// register has huma judge the requests and run the verb.
	register func(h huma.API, op huma.Operation)
}

// pages reports whether it answers a page of a list.
func (v verb) pages() bool { return v.list != nil || v.feed }

// Inputs as huma wants them. A body by pointer may be absent.
type (
	input[B any] struct{ Body B }
	none         struct{}
)

// nothing is the body of requests that have none; {} is fine too.
type nothing struct{}

// handle registers a function that reads a B and leaves its answer in the call. It does not run when something is wrong
// with the request already.
func handle[I any](do func(ctx context.Context, c *call, in *I) error) func(huma.API, huma.Operation) {
	return handleAny(func(ctx context.Context, c *call, in *I) error {
		if c.wrong.Err() != nil {
			return nil // merge tells it
		}
		return do(ctx, c, in)
	})
}

// handleAny is handle for a function that also runs when something is wrong with the request: see run.
func handleAny[I any](do func(ctx context.Context, c *call, in *I) error) func(huma.API, huma.Operation) {
	return func(h huma.API, op huma.Operation) {
		huma.Register(h, op, func(ctx context.Context, in *I) (*none, error) { return nil, do(ctx, callOf(ctx), in) })
	}
}

// show answers a document.
func show[D any](find func(ctx context.Context, c *call) (D, error)) verb {
	return verb{status: http.StatusOK, doc: reflect.TypeFor[D](), register: handle(func(ctx context.Context, c *call, _ *none) error {
		doc, err := find(ctx, c)
		if err != nil {
			return err
		}
		c.answer, err = c.render(http.StatusOK, doc)
		return err
	})}
}

// file answers something that is no JSON.
func file(media string, find func(ctx context.Context, c *call) (name string, content []byte, err error)) verb {
	return verb{status: http.StatusOK, media: media, register: handle(func(ctx context.Context, c *call, _ *none) error {
		name, content, err := find(ctx, c)
		if err != nil {
			return err
		}
		c.answer = idem.Answer{Status: http.StatusOK, Body: content, Header: map[string]string{
			"Content-Type": media, "Content-Disposition": mime.FormatMediaType("inline", map[string]string{"filename": name}),
		}}
		return nil
	})}
}

// pageDoc is a page of a list.
type pageDoc[D any] struct {
	Data       []D     `json:"data" nullable:"false"`
	HasMore    bool    `json:"hasMore"`
	NextCursor *string `json:"nextCursor"`
}

// page answers a page of a list, whose parameters the feature judges.
func page[T, D any](l *record.List, fetch func(ctx context.Context, c *call, params map[string][]string) (record.Page[T], error), doc func(T) D) verb {
	return verb{status: http.StatusOK, doc: reflect.TypeFor[pageDoc[D]](), list: l, register: handle(func(ctx context.Context, c *call, _ *none) error {
		return paging(ctx, c, fetch, doc)
	})}
}

func paging[T, D any](ctx context.Context, c *call, fetch func(ctx context.Context, c *call, params map[string][]string) (record.Page[T], error), doc func(T) D) error {
	params, err := wire.Query(c.request)
	if err != nil {
		return err
	}
	params, err = apiversion.UpParams(c.version, c.route.Resource, params)
	c.check(err) // merge tells it, with what the feature finds
	found, err := fetch(ctx, c, params)
	if err != nil {
		return err
	}
	out := pageDoc[D]{Data: make([]D, len(found.Data)), HasMore: found.Next != nil, NextCursor: found.Next}
	for i, one := range found.Data {
		out.Data[i] = doc(one)
	}
	c.answer, err = c.render(http.StatusOK, out)
	return err
}

// change reads a B and runs a step of a feature, whose outcome it answers.
func change[B, T, D any](status int, step func(c *call, body B) (idem.Step[T], error), doc func(T) D) verb {
	return verb{status: status, doc: reflect.TypeFor[D](), register: handleAny(func(ctx context.Context, c *call, in *input[B]) error {
		s, err := step(c, in.Body)
		if err != nil {
			return err
		}
		return run(ctx, c, s, func(t T) (idem.Answer, error) { return c.render(status, doc(t)) })
	})}
}

// act is change for a body that may be absent.
func act[B, T, D any](status int, step func(c *call, body B) (idem.Step[T], error), doc func(T) D) verb {
	return verb{status: status, doc: reflect.TypeFor[D](), register: handleAny(func(ctx context.Context, c *call, in *input[*B]) error {
		var body B
		if in.Body != nil {
			body = *in.Body
		}
		s, err := step(c, body)
		if err != nil {
			return err
		}
		return run(ctx, c, s, func(t T) (idem.Answer, error) { return c.render(status, doc(t)) })
	})}
}

// remove runs a step whose outcome is that something is gone.
func remove[T any](step func(c *call) idem.Step[T]) verb {
	return verb{status: http.StatusNoContent, register: handle(func(ctx context.Context, c *call, _ *input[*nothing]) error {
		return run(ctx, c, step(c), func(T) (idem.Answer, error) { return idem.Answer{Status: http.StatusNoContent}, nil })
	})}
}

// run carries a step out and keeps the answer. When something is wrong with the request already, the step is only tried, so that
// the caller learns everything that is wrong at once (SERR-02).
func run[T any](ctx context.Context, c *call, step idem.Step[T], render func(T) (idem.Answer, error)) error {
	if c.wrong.Err() != nil {
		if f := fault.From(idem.Try(ctx, c.api.Idem, step)); f != nil && len(f.Fields) > 0 {
			return f
		}
		return nil // merge tells the rest
	}
	c.ran = true
	var err error
	c.answer, err = idem.RunTogether(ctx, c.api.Idem, c.claim, c.company(), step, render)
	return err
}

// company is what calls that may share a transaction have in common; nil for those that may not.
func (c *call) company() any {
	if !c.route.together {
		return nil
	}
	return c.by
}

// manages is change for a verb that has a transaction of its own: its answer is kept after it.
func manages[B, D any](status int, do func(ctx context.Context, c *call, body B) (D, error)) verb {
	return verb{status: status, doc: reflect.TypeFor[D](), register: handle(func(ctx context.Context, c *call, in *input[B]) error {
		doc, err := do(ctx, c, in.Body)
		if err != nil {
			return err
		}
		if c.answer, err = c.render(status, doc); err != nil {
			return err
		}
		return c.done(ctx)
	})}
}

// dismisses is manages for a verb after which something is gone.
func dismisses(do func(ctx context.Context, c *call) error) verb {
	return verb{status: http.StatusNoContent, register: handle(func(ctx context.Context, c *call, _ *input[*nothing]) error {
		if err := do(ctx, c); err != nil {
			return err
		}
		c.answer = idem.Answer{Status: http.StatusNoContent}
		return c.done(ctx)
	})}
}

func (c *call) done(ctx context.Context) error {
	if c.claim == nil {
		return nil
	}
	return c.api.Idem.Done(ctx, c.claim, c.answer)
}
