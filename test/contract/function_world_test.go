package contract_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"daybook/internal/base/db"
)

// functionsOf is the path of an app's hosted functions.
func (n *apiNode) functionsOf(app string) string { return theApps + "/" + n.ids[app] + "/functions" }

// hosted is a function with whoever made it.
type hosted struct {
	n    *apiNode
	c    caller
	id   string
	path string
}

// function makes one of an app's, with a source, and activates it. It is gone when the test is over.
func (n *apiNode) function(t *testing.T, c caller, app string, trigger object, source string) hosted {
	t.Helper()
	made := c.make(t, n.functionsOf(app), object{"name": "Fn", "trigger": trigger, "source": source})
	f := hosted{n: n, c: c, id: n.id(made), path: n.functionsOf(app) + "/" + n.id(made)}
	said(t, c.do(t, "POST", f.path+"/activate", nil), http.StatusOK)
	t.Cleanup(func() {
		select {
		case <-n.Ended():
		default:
			if a := c.do(t, "DELETE", f.path, nil); a.Status == http.StatusUnauthorized { // the clock went far
				n.console(t, "dan").do(t, "DELETE", f.path, nil)
			}
		}
	})
	return f
}

// on is a trigger by events.
func on(events ...string) object { return object{"type": "EVENT", "events": events} }

// shown is the function as it stands.
func (f hosted) shown(t *testing.T) object { t.Helper(); return f.c.get(t, f.path) }

// runs of a function, newest first.
func (f hosted) runs(t *testing.T, query string) []object {
	t.Helper()
	return objects(f.c.get(t, f.path+"/runs"+query)["data"])
}

// run is one run with its log and its result.
func (f hosted) run(t *testing.T, listed object) object {
	t.Helper()
	return f.c.get(t, f.path+"/runs/"+f.n.id(listed))
}

// only is the one run of a function, in full.
func (f hosted) only(t *testing.T) object {
	t.Helper()
	list := f.runs(t, "")
	if len(list) != 1 {
		t.Fatalf("%d runs: %v", len(list), list)
	}
	return f.run(t, list[0])
}

// tries runs a function by hand.
func (f hosted) tries(t *testing.T, body object) object {
	t.Helper()
	return said(t, f.c.do(t, "POST", f.path+"/invoke", body), http.StatusOK)
}

// settles runs the function until it ends by itself. Its five seconds are the wall's: a machine busy with other tests may use them up before the function gets anywhere.
func (f hosted) settles(t *testing.T, body object) (run object) {
	t.Helper()
	for range 12 {
		if run = f.tries(t, body); run["outcome"] != "TIMEOUT" {
			break
		}
	}
	return run
}

// ended proves how a run ended.
func ended(t *testing.T, run object, outcome, words string) {
	t.Helper()
	told, _ := run["error"].(string)
	if run["outcome"] != outcome || !strings.Contains(told, words) || (outcome == "OK") != (run["error"] == nil) {
		t.Errorf("want %s with %q, got %v", outcome, words, run)
	}
}

// column reads a column of text in the store.
func (n *apiNode) column(t *testing.T, query string, args ...any) (all []string) {
	t.Helper()
	ctx := context.Background()
	must(t, n.store(t).Read(ctx, func(tx *db.Tx) (err error) {
		all, err = db.All(ctx, tx, db.Value[string], query, args...)
		return err
	}))
	return all
}
