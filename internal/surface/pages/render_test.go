package pages

import (
	"html/template"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/tenancy/business"
)

// written renders a page, as a request would get it.
func written[V any](p page[V], f frame, view V) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	p.write(w, httptest.NewRequest("GET", "/", nil), &Site{Name: "Daybook"}, http.StatusOK, f, view)
	return w
}

// The check itself sees what is wrong.
func TestMalformedPagesAreSeen(t *testing.T) {
	const begin = "<!doctype html>"
	for _, page := range []string{
		"<p></p>", begin + "<p>", begin + "</p>", begin + "<p><b></p></b>", begin + `<p id="a"></p><p id="a"></p>`, begin + `<p class="a" class="b"></p>`,
		begin + `<p style="color: red"></p>`, begin + `<p onclick="x()"></p>`, begin + "<script></script>", begin + "a < b", begin + "<p></p> >", begin + `<p title='a'></p>`,
	} {
		if len(faults(page)) == 0 {
			t.Errorf("nothing wrong with %s", page)
		}
	}
	if wrong := faults(begin + `<p class="a>b">x<br><!-- c --></p>`); len(wrong) > 0 {
		t.Errorf("wrong with a good page: %v", wrong)
	}
}

func TestEveryAnswerIsPrivateAndCannotBeFramed(t *testing.T) {
	redirect := httptest.NewRecorder()
	seeOther(redirect, httptest.NewRequest("POST", "/sign-in", nil), "/account")
	if redirect.Code != http.StatusSeeOther {
		t.Errorf("A-6: a form is answered with %d", redirect.Code)
	}
	for name, w := range map[string]*httptest.ResponseRecorder{"a page": written(signInPage, frame{}, signInView{}), "a redirect": redirect} {
		for header, want := range map[string]string{
			"Cache-Control": "no-store", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
			"Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
		} {
			if got := w.Header().Get(header); got != want {
				t.Errorf("%s: %s is %q, want %q", name, header, got, want)
			}
		}
	}
}

func TestABrokenTemplateIsAWholeErrorPage(t *testing.T) {
	broken := page[signInView]{func() *template.Template {
		return template.Must(template.New("frame.html").Parse(`<!doctype html><p>half a page, {{.View.Missing}}`))
	}}
	answer, log := throughFront(t, func(w http.ResponseWriter, r *http.Request) error {
		broken.write(w, r, &Site{}, http.StatusOK, frame{}, signInView{Email: "ada@example.com"})
		return nil
	})
	text := answer.Body.String()
	id := answer.Header().Get("Request-Id")
	if answer.Code != http.StatusInternalServerError || strings.Contains(text, "half a page") || strings.Contains(text, "Missing") {
		t.Errorf("%d: %s", answer.Code, text)
	}
	if !strings.Contains(text, "Something went wrong") || !strings.Contains(text, id) || answer.Header().Get("Content-Security-Policy") != policy {
		t.Errorf("%v %s", answer.Header(), text)
	}
	if !strings.Contains(log, "Missing") || !strings.Contains(log, id) {
		t.Errorf("the log does not say what was wrong: %s", log)
	}
}

func TestWordsForPeople(t *testing.T) {
	if got := roleWord(business.Role("ACCOUNTANT")); got != "Accountant" {
		t.Errorf("got %q", got)
	}
	if got := at(time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)); got != "4 Mar 2026, 05:06" {
		t.Errorf("got %q", got)
	}
	if got := passwordHint(fault.InvalidFields("newPassword must have at least 10 characters")); got != "must have at least 10 characters." {
		t.Errorf("got %q", got)
	}
	if got := passwordHint(fault.New(fault.Conflict, "X", "Not now.")); got != "was not accepted: Not now." {
		t.Errorf("got %q", got)
	}
}

// TestEveryTemplateIsWhole reads them all, since a page is read only when it is first shown.
func TestEveryTemplateIsWhole(t *testing.T) {
	files, err := templateFiles.ReadDir("templates")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d templates: %v", len(files), err)
	}
	for _, f := range files {
		if f.Name() != "frame.html" && !strings.HasSuffix(f.Name(), "parts.html") {
			newPage[any](f.Name()).template()
		}
	}
}
