package pages

import (
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"daybook/internal/platform/reqlog"
)

type consoleRequestsView struct {
	Here                                       string
	RequestID, Status, Code, Route, BusinessID string // the filters
	From, To                                   string
	Filtered                                   bool
	List                                       []requestLine
	Pager                                      pager
	Days                                       int // that the log goes back
}

// requestLine is one call that the app made.
type requestLine struct {
	RequestID, Method, Route        string
	State                           state
	Code, Version, Took, BusinessID string
	At                              moment
}

var consoleRequestsPage = newPage[consoleRequestsView]("console-requests.html")

// maxRequests is how many a page of the log shows.
const maxRequests = 50

// longestFilter of the log, in bytes: nothing that is kept is longer.
const longestFilter = 500

func (s *Site) consoleRequests(w http.ResponseWriter, r *http.Request, in inApp) error {
	q := searchQuery(r, "id", "status", "code", "route", "business", "from", "to")
	f := reqlog.Filter{RequestID: q.get("id"), Status: knownAnswer(q.get("status")), Code: q.get("code"), Route: q.get("route"), BusinessID: q.get("business"), From: q.instant("from"), To: q.instant("to")}
	found, err := s.Requests.List(r.Context(), in.app.ID, in.who.user.ID, f, r.URL.Query().Get("cursor"), maxRequests)
	if err != nil {
		return err
	}
	v := consoleRequestsView{
		Here: in.path("/requests"), RequestID: visible(f.RequestID), Code: visible(f.Code), Route: visible(f.Route), BusinessID: visible(f.BusinessID), From: q.get("from"), To: q.get("to"), Filtered: f != reqlog.Filter{},
		List: in.requestLines(found.Entries), Pager: q.pager(found.Next), Days: int(reqlog.Retention / aDay),
	}
	if f.Status != 0 {
		v.Status = strconv.Itoa(f.Status)
	}
	consoleRequestsPage.write(w, r, s, http.StatusOK, in.frame("Requests", "Requests"), v)
	return nil
}

// searchQuery reads the filters of a log; what it cannot hold is forgotten.
func searchQuery(r *http.Request, filters ...string) query {
	q := newQuery(r, filters...)
	for name, values := range q.given {
		if name != "cursor" && !searchable(values[0]) {
			q.given.Del(name)
		}
	}
	return q
}

// searchable reports whether the log could hold such a word.
func searchable(word string) bool {
	return len(word) <= longestFilter && utf8.ValidString(word) && !strings.ContainsRune(word, 0)
}

// instant reads a filter by a form's field for date and time, which stands for UTC; what is none is forgotten.
func (q query) instant(name string) time.Time {
	for _, form := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if t, err := time.Parse(form, q.get(name)); err == nil {
			return t
		}
	}
	q.given.Del(name)
	return time.Time{}
}

// knownAnswer is a status to look for; what is none is forgotten.
func knownAnswer(word string) int {
	n, err := strconv.Atoi(word)
	if err != nil || n < 100 || n > 599 {
		return 0
	}
	return n
}

func (in inApp) requestLines(list []reqlog.Entry) []requestLine {
	out := make([]requestLine, len(list))
	for i, e := range list {
		out[i] = requestLine{
			RequestID: e.RequestID, Method: visible(e.Method), Route: visible(e.Route), State: answerState(e.Status), Code: visible(e.Code), Version: visible(e.Version), Took: took(e.Duration),
			BusinessID: e.BusinessID, At: when(e.At(), in.now),
		}
		if e.Route == "" {
			out[i].Route = "an address that does not exist"
		}
	}
	return out
}

// answerState is the status of an answer.
func answerState(status int) state {
	tone := "good"
	switch {
	case status >= http.StatusInternalServerError:
		tone = "bad"
	case status >= http.StatusBadRequest:
		tone = "warn"
	}
	return state{strconv.Itoa(status), tone}
}
