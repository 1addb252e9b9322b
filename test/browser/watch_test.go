package browser

import (
	"context"
	"iter"
	"strings"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// watcher keeps what the browser says and sends on the way to a page. The browser's events come in order, so a stream is
// read up to an event that the check itself has caused.
type watcher struct {
	entries iter.Seq2[log.EventEntryAdded, error]
	issues  iter.Seq2[audits.EventIssueAdded, error]
	sent    iter.Seq2[network.EventRequestWillBeSent, error]
}

func watch(w *window) watcher {
	w.t.Helper()
	ask(w, audits.Enable, cdp.Empty{})
	return watcher{chromedp.Events(w.ctx, log.EntryAdded), chromedp.Events(w.ctx, audits.IssueAdded), chromedp.Events(w.ctx, network.RequestWillBeSent)}
}

// until reads a stream up to the event that ends it, or for as long as patience lasts.
func until[E any](w *window, what string, stream iter.Seq2[E, error], last func(E) bool) []E {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	var before []E
	done := make(chan error, 1)
	go func() {
		for e, err := range stream {
			if err != nil || last(e) {
				done <- err
				return
			}
			before = append(before, e)
		}
		done <- context.Canceled
	}()
	select {
	case err := <-done:
		if err != nil {
			w.t.Fatal(err)
		}
	case <-ctx.Done():
		w.t.Fatalf("waited in vain for %s", what)
	}
	return before
}

// complaints breaks the content policy on purpose: everything the browser complained about before that is ours. It also
// shows that the policy works and that this test would see a breach.
func (s watcher) complaints(w *window) {
	home := eval[string](w, `location.origin`)
	run(w, chromedp.Evaluate[chromedp.Void](`document.body.setAttribute("style", "color: red")`))
	for _, e := range until(w, "the log entry of a breach", s.entries, func(e log.EventEntryAdded) bool { return strings.Contains(e.Entry.Text, "inline style") }) {
		ownStatus := e.Entry.Source == log.EntrySourceNetwork && strings.Contains(e.Entry.Text, "the server responded with a status of")
		// This test may type before the browser gets to place the focus; people see nothing of it.
		if e.Entry.Level == log.EntryLevelInfo && strings.HasPrefix(e.Entry.Text, "Autofocus processing was blocked") {
			continue
		}
		if !ownStatus || !strings.HasPrefix(e.Entry.URL, home) || strings.Contains(e.Entry.URL, "/static/") {
			w.t.Errorf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL)
		}
	}
	for _, e := range until(w, "the issue of a breach", s.issues, func(e audits.EventIssueAdded) bool { return e.Issue.Details.ContentSecurityPolicyIssueDetails != nil }) {
		w.t.Errorf("issue: %s %+v", e.Issue.Code, e.Issue.Details.GenericIssueDetails)
	}
}

// requests looks at what our pages asked for; it leaves the page.
func (s watcher) requests(w *window) {
	home := eval[string](w, `location.origin`)
	w.visit(home + "/healthz")
	styles := 0
	for _, e := range until(w, "the last request", s.sent, func(e network.EventRequestWillBeSent) bool { return strings.HasSuffix(e.Request.URL, "/healthz") }) {
		if !strings.HasPrefix(e.DocumentURL, home) {
			continue // another site, on the way to us
		}
		if strings.HasPrefix(e.Request.URL, "data:image/svg+xml;base64,") {
			continue // the browser's own picture of a calendar, on a field for dates
		}
		if !strings.HasPrefix(e.Request.URL, home) {
			w.t.Errorf("asked elsewhere: %s", e.Request.URL)
		}
		if referrer, _ := e.Request.Headers["Referer"].(string); strings.HasPrefix(referrer, home) {
			w.t.Errorf("told %s that we come from %s", e.Request.URL, referrer)
		}
		if e.Type == network.ResourceTypeStylesheet {
			styles++
		}
	}
	if styles == 0 {
		w.t.Error("no stylesheet was asked for: this test sees nothing")
	}
}
