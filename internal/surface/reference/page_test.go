package reference

import (
	"encoding/json"
	"html"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// The page of the document that we serve names every operation with its scope, its refusals and its examples.
func TestThePageTellsWhatTheDocumentSays(t *testing.T) {
	text, err := os.ReadFile("../../../api/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	page := Page(func() []byte { return text }, Options{Service: "Daybook", BaseURL: "https://api.example", Document: "/openapi.json", Stylesheet: "/static/a.css", Icon: "/static/a.svg"})
	out := httptest.NewRecorder()
	page.ServeHTTP(out, httptest.NewRequest("GET", "/docs", nil))
	body := html.UnescapeString(out.Body.String())
	if out.Code != 200 || out.Header().Get("Content-Type") != "text/html; charset=utf-8" || out.Header().Get("Content-Security-Policy") != policy {
		t.Errorf("%d %v", out.Code, out.Header())
	}
	if strings.Contains(body, "<script") || strings.Contains(body, "style=") {
		t.Error("scripts or styles inside")
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	operations := 0
	for path, methods := range d.Paths {
		for method, op := range methods {
			operations++
			at := strings.Index(body, `<article id="`+op.OperationID+`"`)
			if at < 0 {
				t.Errorf("%s %s is missing", method, path)
				continue
			}
			article, _, _ := strings.Cut(body[at:], "</article>")
			if !strings.Contains(article, strings.ToUpper(method)+" "+path) || !strings.Contains(article, op.Summary) {
				t.Errorf("%s %s does not say what it does", method, path)
			}
			for _, s := range op.Security {
				for _, scope := range s["oauth"] {
					if !strings.Contains(article, "<code>"+scope+"</code>") {
						t.Errorf("%s %s does not name %s", method, path, scope)
					}
				}
			}
			if op.RequestBody != nil && !strings.Contains(article, "Example request") {
				t.Errorf("%s %s has no example of its body", method, path)
			}
		}
	}
	if operations < 70 {
		t.Errorf("only %d operations", operations)
	}
	out = httptest.NewRecorder()
	page.ServeHTTP(out, httptest.NewRequest("GET", "/docs?x=1", nil))
	if out.Code != 400 {
		t.Errorf("an unknown parameter: %d", out.Code)
	}
	out = httptest.NewRecorder()
	Page(func() []byte { return []byte("{") }, Options{}).ServeHTTP(out, httptest.NewRequest("GET", "/docs", nil))
	if out.Code != 500 {
		t.Errorf("a broken document made a page: %d", out.Code)
	}
}
