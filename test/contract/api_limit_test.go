package contract_test

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/internal/platform/usage"
	"daybook/internal/schema/dbtest"
	"daybook/test/harness"
)

// TestLimitsOfTheAPI holds RATE-01 to RATE-05 with the limits of production: counted in the process on both stores, and
// counted in Redis.
func TestLimitsOfTheAPI(t *testing.T) {
	all := func(t *testing.T, n *apiNode, perApp bool) {
		t.Run("an app in a business", func(t *testing.T) { perBusinessLimit(t, n) })
		t.Run("every answer", func(t *testing.T) { everyAnswer(t, n) })
		t.Run("analytics", func(t *testing.T) { countedCalls(t, n) })
		t.Run("sessions", func(t *testing.T) { sessionLimit(t, n) })
		if perApp { // ten thousand calls: once for each way of counting
			t.Run("an app", func(t *testing.T) { perAppLimit(t, n) })
		}
	}
	harness.EachDatabase(t, func(t *testing.T, database string) {
		all(t, newAPINode(t, harness.Options{Database: database}), strings.HasSuffix(t.Name(), "/SQLite"))
	})
	t.Run("Redis", func(t *testing.T) {
		n := newAPINode(t, harness.Options{Args: []string{"--redis", dbtest.Require(t, "DAYBOOK_TEST_REDIS")}})
		all(t, n, true)
		countsInRedis(t, n.Node)
	})
}

// tooMany proves that an answer is the refusal of a limit, and gives how long to wait.
func tooMany(t *testing.T, a harness.Answer, code, limit string) (wait int) {
	t.Helper()
	r := refused(t, a, http.StatusTooManyRequests, code)
	if p0, _ := r.Params["p0"].(string); !strings.Contains(p0, limit) {
		t.Errorf("p0 does not name the limit of %s: %s", limit, a.Body)
	}
	wait, err := strconv.Atoi(a.Header.Get("Retry-After"))
	if err != nil || wait < 1 || wait > 60 {
		t.Errorf("Retry-After is %q", a.Header.Get("Retry-After"))
	}
	return wait
}

// stands proves how an app stands in a business.
func stands(t *testing.T, a harness.Answer, remaining int) (reset int) {
	t.Helper()
	limit, left, reset := limitHeaders(t, a)
	if limit != 300 || left != remaining {
		t.Errorf("%d answer: %d of %d left, want %d of 300", a.Status, left, limit, remaining)
	}
	return reset
}

// nextMinute waits until no window is open any more.
func (n *apiNode) nextMinute(t *testing.T) { n.minuteOver(t, n.time(t)) }

func perBusinessLimit(t *testing.T, n *apiNode) {
	app, other := n.by(t, fullApp, "olivia", "shop"), n.by(t, fullApp, "dan", "shop")
	narrow := n.by(t, fullApp, "olivia", "shop", "profile:read")
	begun := n.time(t)
	first := app.do(t, "GET", "/business", nil)
	after := n.time(t)
	if reset := stands(t, first, 299); reset != 60 {
		t.Errorf("a window that has just begun ends in %d seconds", reset)
	}
	// What is refused counts as what is not, of whichever token of the app.
	calls := []func() harness.Answer{
		func() harness.Answer { return app.do(t, "GET", "/business", nil) },
		func() harness.Answer { return other.do(t, "GET", "/business", nil) },
		func() harness.Answer { return narrow.do(t, "GET", "/invoices", nil) },                                   // 403
		func() harness.Answer { return app.do(t, "GET", "/members", nil) },                                       // 403
		func() harness.Answer { return app.do(t, "GET", "/nothing", nil) },                                       // 403
		func() harness.Answer { return app.and("Daybook-Version", "2000-01-01").do(t, "GET", "/business", nil) }, // 400
		func() harness.Answer { return app.do(t, "POST", "/customers", object{}) },                               // 400
		func() harness.Answer { return app.do(t, "GET", "/customers/cus_"+nowhere, nil) },                        // 404
		func() harness.Answer { return app.and("Content-Type", "text/plain").do(t, "POST", "/customers", "{}") }, // 415
		func() harness.Answer { return app.do(t, "POST", "/customers", "{") },                                    // 400
		func() harness.Answer { return app.do(t, "GET", "/invoices?limit=0", nil) },                              // 400
		func() harness.Answer {
			return app.once("name").do(t, "POST", "/suppliers", object{"displayName": "Once"})
		}, // and its repetitions
	}
	t.Run("RATE-02 RATE-03 every call counts, and is told how many are left", func(t *testing.T) {
		for i := range 298 {
			stands(t, calls[i%len(calls)](), 298-i)
		}
	})
	t.Run("RATE-02 a call without a token that counts does not", func(t *testing.T) {
		unauthenticated(t, n.with("at_"+strings.Repeat("A", 43)).do(t, "GET", "/me", nil))
	})
	t.Run("RATE-01 the 300th call is let through", func(t *testing.T) {
		a := app.do(t, "GET", "/business", nil)
		stands(t, a, 0)
		if a.Status != http.StatusOK || a.Header.Get("Retry-After") != "" {
			t.Errorf("%d %v", a.Status, a.Header)
		}
	})
	for what, call := range map[string]func() harness.Answer{
		"the 301st":                     func() harness.Answer { return app.do(t, "GET", "/business", nil) },
		"one for another person":        func() harness.Answer { return other.do(t, "GET", "/business", nil) },
		"one without the scope":         func() harness.Answer { return narrow.do(t, "GET", "/invoices", nil) },
		"one to what is not exposed":    func() harness.Answer { return app.do(t, "GET", "/members", nil) },
		"one to nowhere":                func() harness.Answer { return app.do(t, "GET", "/nothing", nil) },
		"one in a version that is none": func() harness.Answer { return app.and("Daybook-Version", "x").do(t, "GET", "/business", nil) },
		"one that offends":              func() harness.Answer { return app.do(t, "POST", "/customers", object{}) },
		"one that was answered before": func() harness.Answer {
			return app.once("name").do(t, "POST", "/suppliers", object{"displayName": "Once"})
		},
		"one from another place": func() harness.Answer { return app.from(place(t)).do(t, "GET", "/business", nil) },
	} {
		t.Run("RATE-01 refused: "+what+", RATE-02 before anything else is looked at", func(t *testing.T) {
			a := call()
			wait := tooMany(t, a, "APP_RATE_LIMITED", "300")
			if reset := stands(t, a, 0); wait != max(reset, 1) {
				t.Errorf("wait %d seconds, and the window ends in %d", wait, reset)
			}
		})
	}
	t.Run("RATE-01 another business of the app, another app of the business, and the person's own pages", func(t *testing.T) {
		stands(t, n.by(t, fullApp, "olivia", "store").do(t, "GET", "/business", nil), 299)
		stands(t, n.by(t, twinApp, "olivia", "shop").do(t, "GET", "/business", nil), 299)
		n.session(t, "olivia", "shop").get(t, "/business")
	})
	t.Run("RATE-01 a second before the window ends, and when it has", func(t *testing.T) {
		if n.setTime(t, begun.Add(59*time.Second)) && n.time(t).Before(begun.Add(59900*time.Millisecond)) {
			a := app.do(t, "GET", "/business", nil)
			if n.time(t).Before(begun.Add(time.Minute)) { // the machine was quick enough for the question to be fair
				if wait := tooMany(t, a, "APP_RATE_LIMITED", "300"); wait > 2+int(after.Sub(begun).Seconds()) {
					t.Errorf("wait %d seconds", wait)
				}
			}
		}
		n.setTime(t, after.Add(time.Minute))
		a := app.do(t, "GET", "/business", nil)
		if reset := stands(t, a, 299); a.Status != http.StatusOK || reset != 60 {
			t.Errorf("%d, and %d seconds to the end", a.Status, reset)
		}
	})
}

// everyAnswer proves RATE-03 on every sort of answer there is.
func everyAnswer(t *testing.T, n *apiNode) {
	n.nextMinute(t)
	app := n.by(t, fullApp, "olivia", "shop")
	customer := n.id(app.make(t, "/customers", object{"displayName": "Headers"}))
	for status, a := range map[int]harness.Answer{
		200: app.do(t, "GET", "/customers/"+customer, nil),
		201: app.do(t, "POST", "/customers", object{"displayName": "More"}),
		400: app.do(t, "GET", "/customers?limit=x", nil),
		403: n.by(t, fullApp, "rosa", "shop").do(t, "POST", "/suppliers", object{"displayName": "x"}),
		404: app.do(t, "GET", "/invoices/inv_"+nowhere, nil),
		409: app.do(t, "POST", "/accounts", object{"code": "1000", "name": "Again", "type": "ASSET"}),
		412: app.and("If-Match", `"7"`).do(t, "PATCH", "/customers/"+customer, object{"notes": "x"}),
		413: app.do(t, "POST", "/customers", strings.Repeat(" ", 1<<20)+"{}"),
		415: app.and("Content-Type", "text/csv").do(t, "POST", "/customers", "x"),
		422: func() harness.Answer {
			app.once("y").do(t, "POST", "/customers", object{})
			return app.once("y").do(t, "POST", "/suppliers", object{})
		}(),
		204: app.do(t, "DELETE", "/customers/"+customer, nil),
	} {
		t.Run("RATE-03 "+strconv.Itoa(status), func(t *testing.T) {
			if a.Status != status {
				t.Fatalf("got %d %s", a.Status, a.Body)
			}
			if limit, _, _ := limitHeaders(t, a); limit != 300 {
				t.Errorf("a limit of %d", limit)
			}
			if exposed := a.Header.Get("Access-Control-Expose-Headers"); !strings.Contains(exposed, "RateLimit-Remaining") || !strings.Contains(exposed, "Retry-After") {
				t.Errorf("a page of a partner may read %q", exposed)
			}
		})
	}
}

// countedCalls proves RATE-04.
func countedCalls(t *testing.T, n *apiNode) {
	n.nextMinute(t)
	app := n.by(t, twinApp, "olivia", "stall")
	from := n.time(t)
	for range 290 {
		app.get(t, "/business")
	}
	for range 10 {
		refused(t, app.do(t, "GET", "/members", nil), http.StatusForbidden, "ENDPOINT_NOT_EXPOSED")
	}
	for range 7 {
		tooMany(t, app.do(t, "GET", "/business", nil), "APP_RATE_LIMITED", "300")
	}
	n.Advance(t, "10s") // what was counted is written down every few seconds
	business := n.ids["stall"]
	meter := &usage.Meter{DB: n.store(t)}
	got, err := meter.Series(context.Background(), n.ids["twin"], usage.Query{From: from.Add(-time.Minute), To: n.time(t).Add(time.Minute), BusinessID: &business})
	must(t, err)
	t.Run("RATE-04 a refused request is a call, an error and rate-limited", func(t *testing.T) {
		if s := got.Totals; s.Calls != 307 || s.Errors != 17 || s.RateLimited != 7 {
			t.Errorf("of 307 calls, 10 of them refused and 7 by the limit, %+v are counted", s)
		}
	})
}
