package pages

import (
	"errors"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daybook/internal/base/fault"
	"daybook/internal/surface/wire"
)

const formType = "application/x-www-form-urlencoded"

func TestAFormIsReadFromItsBodyAlone(t *testing.T) {
	filler := strings.Repeat("x", maxForm-len("a="))
	for _, c := range []struct {
		name, kind, body string
		want             url.Values
		refusal          *fault.Fault
	}{
		{"fields", formType, "email=ada%40example.com&password=a+b", url.Values{"email": {"ada@example.com"}, "password": {"a b"}}, nil},
		{"a charset", formType + "; charset=utf-8", "a=%C3%A9", url.Values{"a": {"é"}}, nil},
		{"the type in capitals", strings.ToUpper(formType), "a=b", url.Values{"a": {"b"}}, nil},
		{"an empty body", formType, "", url.Values{}, nil},
		{"an empty field", formType, "a=", url.Values{"a": {""}}, nil},
		{"64 KiB", formType, "a=" + filler, url.Values{"a": {filler}}, nil},

		{"a byte more than 64 KiB", formType, "a=" + filler + "x", nil, wire.ErrTooLarge},
		{"a repeated field", formType, "a=b&c=d&a=b", nil, errRepeated},
		{"a broken escape", formType, "a=%zz", nil, errForm},
		{"a semicolon", formType, "a=b;c=d", nil, errForm},
		{"no type", "", "a=b", nil, errForm},
		{"a broken type", "application/", "a=b", nil, errForm},
		{"JSON", "application/json", `{"a":"b"}`, nil, errForm},
		{"a form with files", "multipart/form-data; boundary=x", "--x--", nil, errForm},
		{"plain text, which needs no leave to be sent across sites", "text/plain", "a=b", nil, errForm},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/?a=query&query=only", strings.NewReader(c.body))
			r.Header.Set("Content-Type", c.kind)
			got, err := readForm(r)
			switch {
			case c.refusal == nil && err != nil:
				t.Fatal(err)
			case c.refusal != nil && !errors.Is(err, c.refusal):
				t.Errorf("got %v, want %v", err, c.refusal)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
