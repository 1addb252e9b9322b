package pages

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode"

	"daybook/internal/base/markdown"
	"daybook/internal/surface/wire"
)

//go:embed templates/*.html
var templateFiles embed.FS

// frame is what stands around every page.
type frame struct {
	Title string
	// Visitor is the name in the corner; empty for someone who is not signed in.
	Visitor string
	// Desk, if not nil, is a place of work with a list of its pages beside each of them.
	Desk *desk
	// Script lets the page use our one script; without it a page has none.
	Script bool
	// Framed are the origins of apps whose pages are shown in frames, with the script that speaks to them; mostly none.
	Framed []string
}

// page is a template that is rendered only from its own view. It is read when it is first shown: most commands show none.
type page[V any] struct{ template func() *template.Template }

func newPage[V any](file string) page[V] {
	return page[V]{sync.OnceValue(func() *template.Template {
		return template.Must(template.Must(surroundings().Clone()).ParseFS(templateFiles, "templates/"+file))
	})}
}

// surroundings is what pages have in common: the frame and its parts.
var surroundings = sync.OnceValue(func() *template.Template {
	t := template.New("frame.html").Funcs(template.FuncMap{
		"at": at, "exact": exact, "markdown": markdown.HTML,
		"stylesheet": func() string { return stylesheet.path }, "mark": func() string { return mark.path },
		"script": func() string { return script.path }, "embedding": func() string { return embedding.path },
	})
	return template.Must(t.ParseFS(templateFiles, "templates/frame.html", "templates/parts.html", "templates/*-parts.html"))
})

// policy of every page: our own stylesheet, our own forms, nothing else (AUTHZ-18). A page that posts to elsewhere in
// the end, as consent does, sets its own form-action.
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// scriptPolicy is the policy of a page with our script, which calls this host and no other.
const scriptPolicy = policy + "; script-src 'self'; connect-src 'self'"

func (p page[V]) write(w http.ResponseWriter, r *http.Request, s *Site, status int, f frame, view V) {
	p.writeFor(w, r, s, status, f, view, "")
}

// writeFor is write for a form whose answer redirects to another origin: browsers hold form-action against redirects too,
// so the one validated origin is added to the policy.
func (p page[V]) writeFor(w http.ResponseWriter, r *http.Request, s *Site, status int, f frame, view V, origin string) {
	var out bytes.Buffer
	err := p.template().Execute(&out, struct {
		frame
		Service string
		View    V
	}{f, s.Name, view})
	if err != nil {
		wire.LogFailure(r, err)
		status = http.StatusInternalServerError
		out.Reset()
		out.WriteString(lastResort + wire.RequestID(r.Context()) + ".</p>\n")
	}
	h := w.Header()
	setHeaders(h)
	if f.Script {
		h.Set("Content-Security-Policy", scriptPolicy)
	}
	if len(f.Framed) > 0 { // origins that extension has proved to be plain: they end no directive
		h.Set("Content-Security-Policy", scriptPolicy+"; frame-src "+strings.Join(f.Framed, " "))
	}
	if origin != "" {
		h.Set("Content-Security-Policy", strings.Replace(policy, "form-action 'self'", "form-action 'self' "+origin, 1))
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(legible(out.Bytes()))
}

// legible puts a mark in the place of characters that a browser would not show, or that turn the text around them: whatever
// people and apps stored, a page shows what is there.
func legible(page []byte) []byte {
	return bytes.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', r == '\u200e', r == '\u200f', r == '\u061c', r == '\ufeff':
			return unicode.ReplacementChar
		}
		return r
	}, page)
}

// lastResort needs no template.
const lastResort = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Something went wrong</title>` +
	`<h1>Something went wrong</h1><p>The fault is on our side, and it has been logged as `

// setHeaders is what every answer of the app host that people see has in common: it is private, cannot be framed and
// sends no referrer.
func setHeaders(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}

// at shows an instant to people, exact gives it to programs.
func at(t time.Time) string    { return t.Format("2 Jan 2006, 15:04") }
func exact(t time.Time) string { return t.Format(time.RFC3339) }
