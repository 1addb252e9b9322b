package wire

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"daybook/internal/base/fault"
)

// sample has a member of every sort that requests have.
type sample struct {
	Text   string   `json:"text"`
	Number int      `json:"number"`
	Yes    bool     `json:"yes"`
	List   []string `json:"list"`
	Inner  struct {
		Text string `json:"text"`
	} `json:"inner"`
}

func readSample(contentType, body string, most int64) (sample, error) {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	r.Body = http.MaxBytesReader(httptest.NewRecorder(), r.Body, most)
	var s sample
	err := ReadJSON(r, &s)
	return s, err
}

func TestReadJSON(t *testing.T) {
	s, err := readSample("application/json", ` {"text":"a","number":7,"yes":true,"list":["b"],"inner":{"text":"c"}} `, 1000)
	if err != nil || s.Text != "a" || s.Number != 7 || !s.Yes || s.List[0] != "b" || s.Inner.Text != "c" {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, c := range []struct {
		name, body string
		fields     []string
	}{
		{"a number for a string", `{"text":1}`, []string{"text must be a string"}},
		{"a string for a number", `{"number":"1"}`, []string{"number must be a whole number"}},
		{"a fraction for a whole number", `{"number":1.5}`, []string{"number must be a whole number"}},
		{"a number beyond counting", `{"number":99999999999999999999}`, []string{"number must be a whole number"}},
		{"a string for a flag", `{"yes":"true"}`, []string{"yes must be true or false"}},
		{"a string for a list", `{"list":"b"}`, []string{"list must be an array"}},
		{"a number in a list", `{"list":["a",1]}`, []string{"list"}},
		{"a list for an object", `{"inner":[]}`, []string{"inner must be an object"}},
		{"a wrong type further in", `{"inner":{"text":1}}`, []string{"inner.text must be a string"}},
		{"an unknown member", `{"more":1}`, []string{"more is not a member of this request"}},
		{"two unknown members", `{"more":1,"most":2}`, []string{"more is not", "most is not"}},
		{"two wrong types", `{"text":1,"number":"x"}`, []string{"text must be", "number must be"}},
	} {
		t.Run("SERR-02 "+c.name, func(t *testing.T) {
			_, err := readSample("application/json", c.body, 1000)
			f := fault.From(err)
			if f == nil || f.Kind != fault.Invalid || f.Code != "" || len(f.Fields) != len(c.fields) {
				t.Fatalf("%v, want %q", err, c.fields)
			}
			for i, want := range c.fields {
				if !strings.HasPrefix(f.Fields[i], want) {
					t.Errorf("%q, want %q", f.Fields[i], want)
				}
			}
		})
	}
}

func TestCheckQuery(t *testing.T) {
	for query, fields := range map[string]int{"": 0, "a=1": 0, "a=1&b=2": 0, "c=1": 1, "a=1&c=1&d": 2, "A=1": 1} {
		err := CheckQuery(httptest.NewRequest(http.MethodGet, "/?"+query, nil), "a", "b")
		if f := fault.From(err); (f == nil) != (fields == 0) || f != nil && len(f.Fields) != fields {
			t.Errorf("%q: %v", query, err)
		}
	}
}
