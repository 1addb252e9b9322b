package contract_test

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/test/harness"
)

// poll is a call that may wait.
type poll struct {
	answer harness.Answer
	err    error
	done   chan struct{}
}

// waits starts a long poll.
func (c caller) waits(t *testing.T, query string) *poll {
	t.Helper()
	p := &poll{done: make(chan struct{})}
	r, err := http.NewRequest("GET", c.base+"/events?"+query, nil)
	must(t, err)
	r.Header = c.header
	go func() {
		defer close(p.done)
		response, err := c.http.Do(r)
		if p.err = err; err != nil {
			return
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		p.answer, p.err = harness.Answer{Status: response.StatusCode, Header: response.Header, Body: string(text)}, err
	}()
	return p
}

// answered is the answer of a poll that is over.
func (p *poll) answered(t *testing.T) harness.Answer {
	t.Helper()
	<-p.done
	must(t, p.err)
	return p.answer
}

func (p *poll) over() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// until moves the clock, second by second, until the poll is answered.
func (p *poll) until(t *testing.T, n *apiNode) {
	t.Helper()
	for range 600 {
		if p.over() {
			return
		}
		n.Advance(t, "1s")
	}
	t.Fatal("a poll is not answered")
}

// eventWaits proves the long poll of EVTS-01.
func eventWaits(t *testing.T, n *apiNode) {
	c := n.by(t, fullApp, "olivia", "shop")
	at := func() string {
		all := n.told(t, "shop")
		return all[len(all)-1].id
	}
	t.Run("EVTS-01 what is there is answered at once", func(t *testing.T) {
		before := n.time(t)
		if list, _ := c.events(t, "?wait=30&limit=1"); len(list) != 1 || n.time(t).Sub(before) > 20*time.Second {
			t.Error(list)
		}
	})
	t.Run("EVTS-01 a write wakes who waits", func(t *testing.T) {
		polls := []*poll{c.waits(t, "wait=30&after="+at()), c.waits(t, "wait=30&types=supplier.created&after="+at())}
		made := c.make(t, "/suppliers", object{"displayName": "Mill"})
		for _, p := range polls {
			list := said(t, p.answered(t), http.StatusOK)["data"].([]any)
			if len(list) != 1 || list[0].(object)["data"].(object)["supplierId"] != made["id"] {
				t.Error(p.answer.Body)
			}
		}
	})
	for wait, least := range map[int]time.Duration{1: time.Second, 30: 30 * time.Second} {
		t.Run("EVTS-01 without one the answer is empty, after "+strconv.Itoa(wait)+" s", func(t *testing.T) {
			cursor, before := at(), n.time(t)
			p := c.waits(t, "wait="+strconv.Itoa(wait)+"&after="+cursor)
			p.until(t, n)
			if waited := n.time(t).Sub(before); waited < least {
				t.Errorf("waited for %v", waited)
			}
			page := said(t, p.answered(t), http.StatusOK)
			if len(page["data"].([]any)) != 0 || page["hasMore"] != false || page["nextCursor"] != cursor {
				t.Error(p.answer.Body)
			}
		})
	}
	t.Run("EVTS-01 a mistake is told at once", func(t *testing.T) {
		refused(t, c.do(t, "GET", "/events?wait=30&after=x", nil), http.StatusBadRequest, "UNKNOWN_CURSOR")
		refused(t, c.do(t, "GET", "/events?wait=30&types=x", nil), http.StatusBadRequest, "UNKNOWN_EVENT_TYPE_TYPES")
		offends(t, c.do(t, "GET", "/events?wait=30&limit=0", nil), "limit")
	})
	t.Run("EVTS-01 CALL-02 whose token was revoked meanwhile hears nothing", func(t *testing.T) {
		// Whether the poll has begun to wait by then or not, the answer is the same.
		other := n.by(t, fullApp, "olivia", "shop")
		p := other.waits(t, "wait=30&types=supplier.archived&after="+at())
		n.post(t, "/oauth/revoke", basic(fullApp, "cs_full"), map[string][]string{"token": {strings.TrimPrefix(other.header.Get("Authorization"), "Bearer ")}})
		made := c.make(t, "/suppliers", object{"displayName": "Mill"})
		c.act(t, "/suppliers/"+n.id(made)+"/archive", nil)
		unauthenticated(t, p.answered(t))
	})
	t.Run("EVTS-01 RATE-03 a poll counts once, however long it waits", func(t *testing.T) {
		before := c.do(t, "GET", "/events?limit=1", nil)
		p := c.waits(t, "wait=2&after="+at())
		p.until(t, n)
		limit, left, _ := limitHeaders(t, p.answered(t))
		if _, had, _ := limitHeaders(t, before); limit == 0 || had-left > 1 {
			t.Errorf("%d left, before %d", left, had)
		}
	})
}

// TestLongPollsEndWithTheNode: a node that is told to stop answers who waits at once, and is not held up.
func TestLongPollsEndWithTheNode(t *testing.T) {
	n := newAPINode(t, harness.Options{Env: []string{"DAYBOOK_LIMIT_SCALE=1000"}})
	c := n.by(t, fullApp, "olivia", "shop")
	all := n.told(t, "shop")
	polls := make([]*poll, 5)
	for i := range polls {
		polls[i] = c.waits(t, "wait=30&after="+all[len(all)-1].id)
	}
	for calls := 1; ; calls++ { // until all of them have come: every call counts
		limit, left, _ := limitHeaders(t, c.do(t, "GET", "/events?limit=1", nil))
		if limit-left-calls == len(polls) {
			break
		}
	}
	begun := time.Now()
	if status := n.Stop(); status != 0 {
		t.Errorf("ended with %d", status)
	}
	if took := time.Since(begun); took > 15*time.Second {
		t.Errorf("stopping took %v", took)
	}
	for _, p := range polls {
		if page := said(t, p.answered(t), http.StatusOK); len(page["data"].([]any)) != 0 || page["nextCursor"] != all[len(all)-1].id {
			t.Error(page)
		}
	}
}
