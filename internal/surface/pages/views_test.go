package pages

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"reflect"
	"strings"
	"testing"
	"time"
)

// everyPage has each template with its page. A new one needs a line here.
var everyPage = map[string]func() (empty, full *httptest.ResponseRecorder){
	"sign-in.html":     bothWays(signInPage),
	"account.html":     bothWays(accountPage),
	"failure.html":     bothWays(failurePage),
	"refusal.html":     bothWays(refusalPage),
	"consent.html":     bothWays(consentPage),
	"connected.html":   bothWays(connectedPage),
	"device-code.html": bothWays(deviceCodePage),
	"device.html":      bothWays(devicePage),
	"device-done.html": bothWays(deviceDonePage),
}

// bothWays renders a page from a view that has nothing, and from one that has everything, all of it hostile.
func bothWays[V any](p page[V]) func() (empty, full *httptest.ResponseRecorder) {
	return func() (empty, full *httptest.ResponseRecorder) {
		var nothing, everything V
		var around frame
		n := 0
		fill(reflect.ValueOf(&everything).Elem(), &n)
		fill(reflect.ValueOf(&around).Elem(), &n)
		return written(p, frame{}, nothing), written(p, around, everything)
	}
}

// hostile is a text that would break out of an element and of an attribute.
const hostile = `"><script>alert('x')</script><b title='`

// fill sets every member to something; no two texts are the same, because some are ids.
func fill(v reflect.Value, n *int) {
	*n++
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprint(hostile, *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 3, 3))
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	default:
		panic("fill: a view has a " + v.Type().String())
	}
}

func TestEveryPageIsWellFormed(t *testing.T) {
	files, err := fs.Glob(templateFiles, "templates/*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := path.Base(file)
		if name == "frame.html" || strings.HasSuffix(name, "parts.html") {
			continue // in all of them
		}
		if everyPage[name] == nil {
			t.Errorf("%s is not in everyPage", name)
			continue
		}
		empty, full := everyPage[name]()
		for state, w := range map[string]*httptest.ResponseRecorder{"empty": empty, "full": full} {
			t.Run(name+" "+state, func(t *testing.T) {
				if w.Code != http.StatusOK {
					t.Fatalf("status %d: %s", w.Code, w.Body)
				}
				page := w.Body.String()
				for _, wrong := range faults(page) {
					t.Error(wrong)
				}
				if n := strings.Count(page, "<h1>"); n != 1 {
					t.Errorf("%d headings of the first order", n)
				}
				if state == "full" && !strings.Contains(page, "&#34;&gt;&lt;script&gt;") {
					t.Error("nothing hostile in it: this test proves nothing")
				}
			})
		}
	}
}
