package reference

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"
	"net/http"
	"sync"

	"daybook/internal/surface/wire"
)

//go:embed page.html
var text string

var page = template.Must(template.New("reference").Parse(text))

// policy lets the page load its stylesheet and icon, and nothing else.
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'"

// Options say where things are.
type Options struct {
	Service          string
	BaseURL          string
	Document         string // path of the OpenAPI document
	Stylesheet, Icon string // paths on the same host
}

// Page makes the handler of an OpenAPI document's page. The page is made when it is first asked for.
func Page(openAPI func() []byte, o Options) http.Handler {
	made := sync.OnceValues(func() ([]byte, error) { return render(openAPI(), o) })
	return wire.JSON(func(w http.ResponseWriter, r *http.Request) error {
		if err := wire.CheckQuery(r); err != nil {
			return err
		}
		text, err := made()
		if err != nil {
			return err
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", policy)
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "public, max-age=300")
		_, _ = w.Write(text)
		return nil
	})
}

func render(openAPI []byte, o Options) ([]byte, error) {
	var d document
	if err := json.Unmarshal(openAPI, &d); err != nil {
		return nil, err
	}
	v := view(&d)
	v.Service, v.BaseURL, v.Document, v.Stylesheet, v.Icon = o.Service, o.BaseURL, o.Document, o.Stylesheet, o.Icon
	var out bytes.Buffer
	err := page.Execute(&out, v)
	return out.Bytes(), err
}
