package authapi

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

func params(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("p%d=%d", i, i))
	}
	return strings.Join(list, "&")
}

func TestForms(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       string // the parameters, or the refusal
	}{
		{"nothing", "", ""},
		{"one", "a=1", "a=1"},
		{"an empty one counts as absent", "a=&b=1", "b=1"},
		{"without a sign", "a&b=1", "b=1"},
		{"encoded", "a=%41+b%00", "a=A b\x00"},
		{"twice", "a=1&a=1", "a parameter was sent more than once"},
		{"twice, once empty", "a=&a=1", "a parameter was sent more than once"},
		{"twice, empty both times", "a=&a=", "a parameter was sent more than once"},
		{"twice in two encodings", "a=1&%61=1", "a parameter was sent more than once"},
		{"resource twice", "resource=1&resource=2", "resource=1 resource=2"},
		{"resource twice, once empty: told as such later", "resource=&resource=2", "resource= resource=2"},
		{"a semicolon", "a=1;b=2", "the body is not valid form encoding"},
		{"a broken escape", "a=%zz", "the body is not valid form encoding"},
		{"a broken escape in a name", "%=1", "the body is not valid form encoding"},
		{"64 parameters", params(64), "64 parameters"},
		{"65 parameters", params(65), "more than 64 parameters"},
		{"65 empty ones", strings.Repeat("&", 64), "more than 64 parameters"},
		{"63 separators", strings.Repeat("&", 63), ""},
	} {
		f, no := parseForm(c.text)
		got := ""
		switch {
		case no != nil:
			if got = no.denial.Description; no.status != 400 || no.denial.Code != "invalid_request" || f != nil {
				t.Errorf("%s: %v", c.name, no)
			}
		case len(f) > 10:
			got = fmt.Sprintf("%d parameters", len(f))
		default:
			var list []string
			for _, name := range []string{"a", "b", "resource"} {
				for _, v := range f[name] {
					list = append(list, name+"="+v)
				}
			}
			got = strings.Join(list, " ")
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TOK-01: a form, in the body, of a bounded size.
func TestBodies(t *testing.T) {
	const formed = "application/x-www-form-urlencoded"
	for _, c := range []struct {
		name, address, contentType, body, want string
	}{
		{"a form", "/", formed, "a=1", ""},
		{"a form with a charset", "/", formed + "; charset=UTF-8", "a=1", ""},
		{"a form in capitals", "/", strings.ToUpper(formed), "a=1", ""},
		{"JSON", "/", "application/json", `{"a":1}`, "the body must be form-encoded: Content-Type " + formed},
		{"no type", "/", "", "a=1", "the body must be form-encoded: Content-Type " + formed},
		{"a broken type", "/", formed + "; =", "a=1", "the body must be form-encoded: Content-Type " + formed},
		{"parameters in the address", "/?a=1", formed, "b=1", "parameters belong in the body, not in the address"},
		{"64 KiB", "/", formed, "a=" + strings.Repeat("x", 64<<10-2), ""},
		{"a byte more", "/", formed, "a=" + strings.Repeat("x", 64<<10-1), "the body has more than 65536 bytes"},
	} {
		r := httptest.NewRequest(http.MethodPost, c.address, strings.NewReader(c.body))
		r.Header.Set("Content-Type", c.contentType)
		_, no := readForm(r)
		if got := description(no); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	broken := httptest.NewRequest(http.MethodPost, "/", io.NopCloser(failing{}))
	broken.Header.Set("Content-Type", formed)
	if _, no := readForm(broken); description(no) != "the body could not be read" {
		t.Errorf("a broken body: %v", no)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func description(no *refusal) string {
	if no == nil {
		return ""
	}
	return no.denial.Description
}

// A form that is read holds every parameter once, as the standard library reads it, and no empty one.
func FuzzForm(f *testing.F) {
	for _, s := range []string{"", "a=1&b=2", "a=&a=", "resource=1&resource=", "%61=1&a=2", "a;b", "&&&", "a=%ff%00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		form, no := parseForm(text)
		values, err := url.ParseQuery(text)
		if no != nil {
			if form != nil || no.status != 400 || !utf8.ValidString(no.denial.Description) {
				t.Fatalf("%q: %v", text, no)
			}
			return
		}
		if err != nil || strings.Count(text, "&") > 63 {
			t.Fatalf("%q passed", text)
		}
		for name, list := range values {
			if len(list) > 1 && name != "resource" {
				t.Fatalf("%q passed with %q twice", text, name)
			}
			if want := strings.Join(list, ""); strings.Join(form[name], "") != want || want != "" && name != "resource" && form.get(name) != want {
				t.Fatalf("%q: %q is %q", text, name, form[name])
			}
		}
		for name, list := range form {
			for _, v := range list {
				if v == "" && (name != "resource" || len(list) == 1) || len(values[name]) == 0 {
					t.Fatalf("%q: %q holds %q", text, name, list)
				}
			}
		}
	})
}
