package pages

import (
	"errors"
	"net/http"

	"daybook/internal/base/fault"
	"daybook/internal/surface/wire"
)

type failureView struct{ Title, Text, RequestID string }

var failurePage = newPage[failureView]("failure.html")

// Fail is how the app host refuses, whatever happened: a page.
func (s *Site) Fail(w http.ResponseWriter, r *http.Request, status int, err error) {
	v := failureView{RequestID: wire.RequestID(r.Context())}
	f := fault.From(err)
	if f == nil || status == http.StatusInternalServerError {
		wire.LogFailure(r, err)
		v.Title, v.Text = "Something went wrong", "The fault is on our side, and it has been logged. Try again; if it stays, tell the operator the request id below."
	} else {
		v.Title, v.Text = titleOf(status), textOf(r, f)
		wire.SetRetryAfter(w, f.RetryAfter)
	}
	failurePage.write(w, r, s, status, frame{Title: v.Title}, v)
}

func titleOf(status int) string {
	switch status {
	case http.StatusNotFound:
		return "Page not found"
	case http.StatusMethodNotAllowed:
		return "Not a page to open"
	case http.StatusForbidden:
		return "Not allowed"
	case http.StatusRequestEntityTooLarge:
		return "Too much at once"
	case http.StatusTooManyRequests:
		return "Too many tries"
	case http.StatusConflict, http.StatusPreconditionFailed:
		return "That did not work"
	case http.StatusServiceUnavailable:
		return "Not available right now"
	}
	return "This request could not be understood"
}

// textOf is the refusal's own sentence, but for those that every host shares: they speak to programs, and here a person
// reads.
func textOf(r *http.Request, f *fault.Fault) string {
	switch {
	case errors.Is(f, wire.ErrNotFound):
		return "There is no page at " + shorten(r.URL.Path) + ". Check the address, or begin at the start."
	case errors.Is(f, wire.ErrMethod):
		return "This address only takes what a form on one of our pages sends. Begin at the start and use the buttons there."
	case errors.Is(f, wire.ErrTooLarge):
		return "What was sent is larger than any of our forms needs. Go back and send less."
	}
	return f.Text()
}

// shorten keeps an address to what a person reads of it.
func shorten(path string) string {
	const most = 80
	runes := []rune(path)
	if len(runes) <= most {
		return path
	}
	return string(runes[:most]) + "…"
}
