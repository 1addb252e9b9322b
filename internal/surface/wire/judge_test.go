package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"daybook/internal/base/fault"
)

type thingLine struct {
	Note string `json:"note" maxLength:"3"`
}

type thing struct {
	Name  string      `json:"name" maxLength:"5"`
	Count *int        `json:"count,omitempty" minimum:"1"`
	Done  bool        `json:"done,omitempty"`
	Lines []thingLine `json:"lines,omitempty"`
	Extra *thingLine  `json:"extra,omitempty"`
	Kind  string      `json:"kind,omitempty" enum:"A,B"`
}

// judged is the handler of POST /things, and what it was given.
func judged(t *testing.T, describe bool, do func(*thing) error) http.HandlerFunc {
	t.Helper()
	mux := http.NewServeMux()
	api := NewREST(mux, "Things", "1")
	huma.Register(api, huma.Operation{Method: "POST", Path: "/things", MaxBodyBytes: -1}, func(_ context.Context, in *struct{ Body thing }) (*struct{}, error) {
		return nil, do(&in.Body)
	})
	if describe {
		Describe(api)
	}
	return mux.ServeHTTP
}

func judge(h http.HandlerFunc, body string) error {
	r := httptest.NewRequest(http.MethodPost, "/things", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return Judge(context.Background(), h, r)
}

func TestWhatIsWrongWithAShapeComesBackInOurWords(t *testing.T) {
	ran := 0
	h := judged(t, true, func(*thing) error { ran++; return nil })
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"right", `{"name":"a","count":2,"done":true,"lines":[{"note":"x"}],"extra":null,"kind":"A"}`, nil},
		{"values are for the features", `{"name":"much too long","count":0,"kind":"Z","lines":[{"note":"long"}]}`, nil},
		{"so is what is missing", `{}`, nil},
		{"null for what may be absent", `{"name":"a","count":null,"lines":null,"extra":null}`, nil},
		{"types", `{"name":1,"count":"2","done":"yes","lines":{},"extra":[]}`, []string{"count must be a whole number", "done must be true or false", "extra must be an object", "lines must be an array", "name must be a string"}},
		{"inside", `{"name":"a","lines":[{"note":"x"},{"note":2,"more":1}]}`, []string{"lines.1.more is not a member of this request", "lines.1.note must be a string"}},
		{"fractions", `{"name":"a","count":1.0}`, []string{"count must be a whole number"}},
		{"exponents", `{"name":"a","count":1e2}`, []string{"count must be a whole number"}},
		{"too large for any whole number", `{"name":"a","count":99999999999999999999}`, []string{"count must be a whole number"}},
		{"case matters", `{"Name":"a"}`, []string{"Name is not a member of this request"}},
		{"no object", `[1]`, []string{"body must be an object"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := ran
			err := judge(h, c.body)
			if c.want == nil {
				if err != nil || ran != before+1 {
					t.Errorf("%v, ran %d times", err, ran-before)
				}
				return
			}
			f := fault.From(err)
			if f == nil || f.Code != "" || !slices.Equal(f.Fields, c.want) || ran != before {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestWhatCannotBeReadSaysWhy(t *testing.T) {
	h := judged(t, true, func(*thing) error { t.Error("it ran"); return nil })
	for body, want := range map[string]error{
		``: ErrNothingToRead, `{`: ErrUnreadable, `{"name":}`: ErrUnreadable, `{"name":"a"} x`: ErrUnreadable, `nul`: ErrUnreadable,
	} {
		if err := judge(h, body); !errors.Is(err, want) {
			t.Errorf("%q: %v", body, err)
		}
	}
}

func TestAHandlersOwnErrorComesBackAsItIs(t *testing.T) {
	for _, want := range []error{fault.New(fault.Conflict, "NO", "No."), errors.New("disk")} {
		if err := judge(judged(t, true, func(*thing) error { return want }), `{"name":"a"}`); !errors.Is(err, want) {
			t.Errorf("%v became %v", want, err)
		}
	}
}

// The words for all that huma can say, on a surface that does not leave values to features.
func TestDemandsOnValues(t *testing.T) {
	h := judged(t, false, func(*thing) error { return nil })
	err := judge(h, `{"count":0,"kind":"Z","lines":[{"note":"long"}]}`)
	want := []string{"count must be 1 or more", "kind must be one of A, B", "lines.0.note must have at most 3 characters", "name is required"}
	if f := fault.From(err); f == nil || !slices.Equal(f.Fields, want) {
		t.Errorf("%v", err)
	}
	for theirs, ours := range map[string]string{
		"expected number > 3": "must be more than 3", "expected number <= 9": "must be 9 or less", "expected number < 9": "must be less than 9", "expected number": "must be a number",
		"expected length >= 2": "must have at least 2 characters", "expected array length >= 1": "must have at least 1 entries", "expected array length <= 2": "must have at most 2 entries",
		"expected string to be a date": "must be a date", "expected string to match pattern ^a$": "must match ^a$", "expected array items to be unique": "must not name anything twice",
		"something new": "must be right: something new",
	} {
		if got := demand(theirs); got != ours {
			t.Errorf("%q became %q", theirs, got)
		}
	}
}

func TestTheDocumentTellsWhatIsNotEnforced(t *testing.T) {
	mux := http.NewServeMux()
	api := NewREST(mux, "Things", "1")
	huma.Register(api, huma.Operation{Method: "POST", Path: "/things"}, func(context.Context, *struct{ Body thing }) (*struct{}, error) { return nil, nil })
	text := string(Describe(api)())
	for _, part := range []string{`"maxLength":5`, `"enum":["A","B"]`, `"minimum":1`, `"required":["name"]`, `"anyOf":[{"$ref":"#/components/schemas/ThingLine"},{"type":"null"}]`} {
		if !strings.Contains(text, part) {
			t.Errorf("no %s in %s", part, text)
		}
	}
	var document any
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Error(err)
	}
}

// The hook is a global of huma's: an API of somebody else in the same process keeps its own errors.
func TestAnotherAPIOfThisProcessIsNotTouched(t *testing.T) {
	judged(t, true, func(*thing) error { return nil })
	mux := http.NewServeMux()
	other := humago.New(mux, huma.DefaultConfig("Other", "1"))
	huma.Register(other, huma.Operation{Method: "POST", Path: "/x"}, func(context.Context, *struct{ Body thing }) (*struct{}, error) { return nil, nil })
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/x", strings.NewReader(`{"name":5}`)))
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "expected string") || w.Header().Get("Content-Type") != "application/problem+json" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestBearerTokens(t *testing.T) {
	for _, c := range []struct {
		lines []string
		says  bool
		token string
	}{
		{nil, false, ""}, {[]string{""}, false, ""}, {[]string{"Bearer at_1"}, true, "at_1"}, {[]string{"bEARER   at_1 "}, true, "at_1"}, {[]string{"Bearer"}, true, ""},
		{[]string{"Bearer "}, true, ""}, {[]string{"Bearers at_1"}, false, ""}, {[]string{"Basic at_1"}, false, ""}, {[]string{"at_1"}, false, ""},
		{[]string{"Bearer at_1", "Bearer at_2"}, true, ""}, {[]string{"Basic x", "Bearer at_2"}, false, ""},
	} {
		r := &http.Request{Header: http.Header{}}
		if c.lines != nil {
			r.Header["Authorization"] = c.lines
		}
		if HasBearer(r) != c.says || Bearer(r).Reveal() != c.token {
			t.Errorf("%q: %v, %q", c.lines, HasBearer(r), Bearer(r).Reveal())
		}
	}
}

func TestAHandlerMayTakeALargerBodyThanItsHost(t *testing.T) {
	for _, c := range []struct {
		size, most int
		ok         bool
	}{{900, 1000, true}, {1500, 2000, true}, {2000, 2000, true}, {2001, 2000, false}, {600, 500, false}, {0, 500, true}} {
		f, _, _ := front() // whose limit is 1000
		var got []byte
		w := serve(f, "POST /x", JSON(func(w http.ResponseWriter, r *http.Request) (err error) {
			if got, err = ReadBody(w, r, int64(c.most)); err != nil {
				return err
			}
			w.WriteHeader(http.StatusNoContent)
			return nil
		}), httptest.NewRequest(http.MethodPost, "/x", strings.NewReader(strings.Repeat("x", c.size))))
		if c.ok != (w.Code == http.StatusNoContent) || c.ok && len(got) != c.size || !c.ok && w.Code != http.StatusRequestEntityTooLarge {
			t.Errorf("%d bytes of %d: %d, read %d", c.size, c.most, w.Code, len(got))
		}
	}
	f, _, _ := front()
	w := serve(f, "POST /x", JSON(func(w http.ResponseWriter, r *http.Request) error {
		_, err := ReadBody(w, r, 500)
		return err
	}), httptest.NewRequest(http.MethodPost, "/x", io.MultiReader(strings.NewReader("abc"), broken{})))
	if w.Code != http.StatusBadRequest || members(t, w)["code"] != "BODY_UNREADABLE" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("cable") }

func TestRequestsMayBeDiverted(t *testing.T) {
	f, _, seen := front()
	var asked []string
	f.Divert = func(r *http.Request, pattern string) http.Handler {
		asked = append(asked, r.URL.Path+" "+pattern)
		if r.Header.Get("X-Away") == "" {
			return nil
		}
		return handle(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	}
	for path, status := range map[string]int{"/x": 200, "/y": 404, "//y": 404} {
		for _, away := range []string{"", "1"} {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.URL.Path = path
			r.Header.Set("X-Away", away)
			want := status
			if away != "" {
				want = http.StatusTeapot
			}
			if w := serve(f, "GET /x", handle(func(http.ResponseWriter, *http.Request) {}), r); w.Code != want {
				t.Errorf("%s, away %q: %d", path, away, w.Code)
			}
		}
	}
	if !slices.Contains(asked, "/x GET /x") || !slices.Contains(asked, "/y ") || !slices.Contains(asked, "//y ") || len(*seen) != 6 {
		t.Errorf("asked %q", asked)
	}
}

func TestABearerTokenIsNoCookie(t *testing.T) {
	f, _, _ := front()
	for authorization, want := range map[string]int{"": 403, "Basic YTpi": 403, "Bearer at_1": 200} {
		r := httptest.NewRequest(http.MethodPost, "/x", nil)
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		r.Header.Set("Authorization", authorization)
		if w := serve(f, "POST /x", handle(func(http.ResponseWriter, *http.Request) {}), r); w.Code != want {
			t.Errorf("%q: %d", authorization, w.Code)
		}
	}
}

func TestARefusalForKeepingIsTheOneThatIsAnswered(t *testing.T) {
	for _, err := range []error{
		fault.New(fault.NotFound, "NOT_FOUND", "No {0}.").With("thing"), fault.InvalidFields("name is required"), fault.New(fault.Stale, "OLD", "Old."),
		&mediaTypeError{ErrMediaType.With("application/json")},
	} {
		status, text := Refusal(err)
		if w := serveError(err); w.Code != status || w.Body.String() != string(text) {
			t.Errorf("%v: kept %d %s, answered %d %s", err, status, text, w.Code, w.Body)
		}
	}
}
