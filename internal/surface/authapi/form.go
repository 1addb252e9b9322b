package authapi

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
)

const (
	// maxBody of an OAuth request, and maxParameters in it.
	maxBody       = 64 << 10
	maxParameters = 64
)

// readBody reads a bounded body.
func readBody(r *http.Request) ([]byte, *refusal) {
	text, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return nil, badRequest("the body has more than %d bytes", maxBody)
	}
	if err != nil {
		return nil, badRequest("the body could not be read")
	}
	return text, nil
}

func mediaType(r *http.Request) string {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return media
}

// form is the parameters of a request: each once, empty ones dropped (RFC 6749, 3.2), except resource, whose repetition
// has a refusal of its own.
type form map[string][]string

func (f form) get(name string) string {
	if v := f[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

const formType = "application/x-www-form-urlencoded"

// readForm reads a form-encoded body. Nothing is taken from the query: a secret there would end up in logs.
func readForm(r *http.Request) (form, *refusal) {
	if mediaType(r) != formType {
		return nil, badRequest("the body must be form-encoded: Content-Type %s", formType)
	}
	if r.URL.RawQuery != "" {
		return nil, badRequest("parameters belong in the body, not in the address")
	}
	text, no := readBody(r)
	if no != nil {
		return nil, no
	}
	return parseForm(string(text))
}

func parseForm(text string) (form, *refusal) {
	if strings.Count(text, "&") >= maxParameters {
		return nil, badRequest("more than %d parameters", maxParameters)
	}
	values, err := url.ParseQuery(text)
	if err != nil {
		return nil, badRequest("the body is not valid form encoding")
	}
	f := form{}
	for name, list := range values {
		if len(list) > 1 && name != "resource" {
			return nil, badRequest("a parameter was sent more than once")
		}
		if len(list) > 1 { // counted as sent, empty ones too
			f[name] = list
			continue
		}
		for _, v := range list {
			if v != "" {
				f[name] = append(f[name], v)
			}
		}
	}
	return f, nil
}
