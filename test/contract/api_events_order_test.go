package contract_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/schema/dbtest"
	"daybook/test/harness"
)

// TestEventsAreReadOnceAndInOrder proves EVTS-01, with a stable cursor: while 16 writers write, 4 readers read everything
// exactly once and in order, each in its own way; afterwards so does everybody who begins at any cursor. Set
// DAYBOOK_EVENT_SECONDS to let it run for longer.
func TestEventsAreReadOnceAndInOrder(t *testing.T) {
	seconds := 3
	if s := os.Getenv("DAYBOOK_EVENT_SECONDS"); s != "" {
		n, err := strconv.Atoi(s)
		must(t, err)
		seconds = n
	}
	eachAPI(t, func(t *testing.T, n *apiNode) {
		nodes := []*apiNode{n, n}
		if strings.HasPrefix(n.database, "postgres") { // half of them work on another node
			nodes[1] = n.beside(t)
		}
		var writing, reading sync.WaitGroup
		var over, written atomic.Bool // writers stop, and have stopped
		for i := range 16 {
			c := nodes[i%2].with(strings.TrimPrefix(n.by(t, fullApp, "olivia", "shop").header.Get("Authorization"), "Bearer "))
			writing.Go(func() { write(t, c, i, &over) })
		}
		c := n.by(t, fullApp, "olivia", "shop")
		queries := []string{"limit=100", "limit=7", "wait=1", "wait=1&types=customer.created,invoice.created,invoice.issued,journal_entry.posted"}
		read := make([][]string, len(queries))
		for i, query := range queries {
			reader := caller{nodes[i%2].BaseURL, quick, c.header}
			reading.Go(func() { read[i] = follow(t, reader, query, "", &written) })
		}
		time.Sleep(time.Duration(seconds) * time.Second) // this is how long they write, not a wait for something
		over.Store(true)
		writing.Wait()
		written.Store(true)
		reading.Wait()
		all := n.told(t, "shop")
		t.Logf("%d events", len(all))
		for i, query := range queries {
			inOrder(t, "with "+query, read[i], pick(all, query))
		}
		for i := 0; i < len(all); i += 1 + len(all)/20 {
			inOrder(t, fmt.Sprint("from event ", i), follow(t, c, "limit=100", all[i].id, &written), pick(all[i+1:], ""))
		}
	})
}

// beside is a second node on the same database.
func (n *apiNode) beside(t *testing.T) *apiNode {
	t.Helper()
	return &apiNode{oauthNode: &oauthNode{harness.Dev(t, n.options), n.database}, options: n.options, ids: n.ids}
}

// write makes customers and invoices until it is over: one event in a transaction, or several. The plan of the business has
// room for so many invoices only.
func write(t *testing.T, c caller, writer int, over *atomic.Bool) {
	customer := c.make(t, "/customers", object{"displayName": fmt.Sprint("Writer ", writer)})["id"]
	for i := 0; !over.Load() && !t.Failed(); i++ {
		switch {
		case i%3 == 0 || i > 250:
			c.make(t, "/customers", object{"displayName": "Somebody"})
		default:
			c.make(t, "/invoices", object{"customerId": customer, "issue": i%3 == 1, "lines": []object{line("10")}})
		}
	}
}

// follow reads everything after a cursor until all is written and there is nothing left.
func follow(t *testing.T, c caller, query, cursor string, written *atomic.Bool) (ids []string) {
	for !t.Failed() {
		done := written.Load() // before the look: whatever was written by then is seen
		path := "/events?" + query
		if cursor != "" {
			path += "&after=" + cursor
		}
		page := c.get(t, path)
		for _, one := range page["data"].([]any) {
			ids = append(ids, one.(object)["id"].(string))
		}
		if next, ok := page["nextCursor"].(string); ok {
			cursor = next
		}
		if done && len(page["data"].([]any)) == 0 {
			break
		}
	}
	return ids
}

// pick is what a query shows of all events to an app with every scope.
func pick(all []struct{ id, kind string }, query string) (ids []string) {
	_, types, filtered := strings.Cut(query, "types=")
	for _, e := range all {
		if !filtered || strings.Contains(","+types+",", ","+e.kind+",") {
			ids = append(ids, e.id)
		}
	}
	return ids
}

// inOrder compares what was read with what there is.
func inOrder(t *testing.T, what string, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Errorf("EVTS-01 %s: %d events were read, there are %d; they differ from number %d on", what, len(got), len(want), i)
			return
		}
	}
}

// TestAWriteOnOneNodeWakesAnother: a reader who waits on one node hears within seconds of what was written on another.
func TestAWriteOnOneNodeWakesAnother(t *testing.T) {
	dbtest.Require(t, "DAYBOOK_TEST_POSTGRES")
	dbtest.EachDatabase(t, func(t *testing.T, database string) {
		if !strings.HasPrefix(database, "postgres") {
			t.Skip("one process has an SQLite file to itself")
		}
		n := newAPINode(t, harness.Options{Database: database, Env: []string{"DAYBOOK_LIMIT_SCALE=1000"}})
		c := n.by(t, fullApp, "olivia", "shop")
		all := n.told(t, "shop")
		p := caller{n.beside(t).BaseURL, quick, c.header}.waits(t, "wait=30&after="+all[len(all)-1].id)
		begun := time.Now()
		c.customers(t, 1)
		if list := said(t, p.answered(t), 200)["data"].([]any); len(list) != 1 || time.Since(begun) > 20*time.Second {
			t.Errorf("after %v: %s", time.Since(begun), p.answer.Body)
		}
	})
}
