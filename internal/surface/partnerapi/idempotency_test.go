package partnerapi

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/internal/platform/event"
	"daybook/internal/platform/idem"
	"daybook/internal/platform/scope"
)

func keyed(token, key string) header { return bearer(token).with("Idempotency-Key", key) }

// CALL-07.
func TestTheSameKeyGetsTheSameAnswer(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		token := w.all()
		first := w.call(keyed(token, "k"), "POST", "/customers", `{"displayName":"Ada","notes":"<b>"}`).is(201, "")
		if first.Header().Get("Idempotent-Replayed") != "" {
			t.Error("the first answer claims to be a replay")
		}
		for _, body := range []string{`{"displayName":"Ada","notes":"<b>"}`, "{ \"notes\": \"\\u003cb>\",\n \"displayName\": \"Ada\" }"} {
			again := w.call(keyed(token, "k"), "POST", "/customers", body).is(201, "")
			h := again.Header()
			if again.Body.String() != first.Body.String() || h.Get("Idempotent-Replayed") != "true" || h.Get("ETag") != `"1"` ||
				h.Get("Content-Type") != first.Header().Get("Content-Type") || h.Get("RateLimit-Remaining") == first.Header().Get("RateLimit-Remaining") {
				t.Errorf("%v %s", h, again.Body)
			}
		}
		if n := w.events(event.CustomerCreated); n != 1 {
			t.Errorf("it happened %d times", n)
		}
		for name, send := range map[string]func() answer{
			"another body": func() answer { return w.call(keyed(token, "k"), "POST", "/customers", `{"displayName":"Bob"}`) },
			"another path": func() answer {
				return w.call(keyed(token, "k"), "POST", "/suppliers", `{"displayName":"Ada","notes":"<b>"}`)
			},
			"another method": func() answer { return w.call(keyed(token, "k"), "DELETE", "/customers/x", nil) },
			"another version": func() answer {
				return w.call(keyed(token, "k").with("Daybook-Version", older), "POST", "/customers", `{"displayName":"Ada","notes":"<b>"}`)
			},
			"what is no JSON": func() answer { return w.call(keyed(token, "k"), "POST", "/customers", `{`) },
		} {
			if got := send(); got.Code != http.StatusUnprocessableEntity || got.text("code") != "IDEMPOTENCY_KEY_REUSED" {
				t.Errorf("%s: %d %s", name, got.Code, got.Body)
			}
		}
		w.call(keyed(token, "k"), "GET", "/customers", nil).is(200, "") // reads have no use for it
		w.call(keyed(token, "l"), "POST", "/customers", `{"displayName":"Ada","notes":"<b>"}`).is(201, "")
		// Keys are the app's, whoever it acts for, and each business's own.
		must(t, w.api.Businesses.AddMember(ctx, w.shop, w.owner, w.developer, "ADMIN"))
		if got := w.call(keyed(w.token(w.shop, w.developer, everything...), "k"), "POST", "/customers", `{"displayName":"Ada","notes":"<b>"}`); got.Header().Get("Idempotent-Replayed") != "true" {
			t.Errorf("in another person's name: %d", got.Code)
		}
		session := header{"Cookie", w.cookie(w.owner), "Idempotency-Key", "k"}
		if got := w.call(session, "POST", "/customers", `{"displayName":"Bob"}`).is(201, ""); got.Header().Get("Idempotent-Replayed") != "" {
			t.Error("a person's key is not an app's")
		}
		if got := w.call(session, "POST", "/customers", `{"displayName":"Bob"}`).is(201, ""); got.Header().Get("Idempotent-Replayed") != "true" {
			t.Error("a session has no keys")
		}
		w.Clock.Advance(59 * time.Minute)
		w.Clock.Advance(23*time.Hour + time.Minute)
		if got := w.call(keyed(w.all(), "k"), "POST", "/customers", `{"displayName":"Bob"}`).is(201, ""); got.Header().Get("Idempotent-Replayed") != "" {
			t.Error("kept for more than a day")
		}
	})
}

func TestWhichRefusalsAreKept(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		token := w.all()
		customer := w.customer(token)
		replayed := func(h header, method, path string, body any) (answer, bool) {
			first := w.call(h, method, path, body)
			again := w.call(h, method, path, body)
			if again.Code != first.Code || again.Body.String() != first.Body.String() {
				t.Errorf("%s %s: first %d %s, then %d %s", method, path, first.Code, first.Body, again.Code, again.Body)
			}
			return first, again.Header().Get("Idempotent-Replayed") == "true"
		}
		for _, c := range []struct {
			name, method, path string
			body               any
			extra              header
			status             int
			kept               bool
		}{
			{"a wrong shape", "POST", "/customers", object{"displayName": 5}, nil, 400, true},
			{"a wrong value", "POST", "/customers", object{"displayName": ""}, nil, 400, true},
			{"unreadable", "POST", "/customers", `{`, nil, 400, true},
			{"no body", "POST", "/customers", nil, nil, 400, true},
			{"an unknown parameter", "POST", "/customers?x=1", object{"displayName": "Ada"}, nil, 400, true},
			{"a wrong If-Match", "PATCH", "/customers/" + customer, object{}, header{"If-Match", "3"}, 400, true},
			{"a stale If-Match", "PATCH", "/customers/" + customer, object{"notes": "x"}, header{"If-Match", `"7"`}, 412, true},
			{"nothing there", "POST", "/customers/cus_x/archive", nil, nil, 404, true},
			{"not in this state", "POST", "/customers/" + customer + "/restore", nil, nil, 409, false},
			{"not JSON", "POST", "/customers", "displayName=Ada", header{"Content-Type", "text/plain"}, 415, false},
			{"too large", "POST", "/customers", `{"notes":"` + strings.Repeat("x", 1<<20) + `"}`, nil, 413, false},
		} {
			got, kept := replayed(keyed(token, c.name).with(c.extra...), c.method, c.path, c.body)
			if got.Code != c.status || kept != c.kept {
				t.Errorf("%s: %d, kept %v: %s", c.name, got.Code, kept, got.Body)
			}
		}
		if n := w.events(event.CustomerCreated); n != 1 {
			t.Errorf("of what was refused, %d happened", n-1)
		}
		less := w.token(w.shop, w.owner, scope.ProfileRead)
		if got, kept := replayed(keyed(less, "less"), "POST", "/customers", object{"displayName": "Ada"}); got.Code != 403 || kept {
			t.Errorf("without the scope: %d, kept %v", got.Code, kept)
		}
		w.call(keyed(token, "less"), "POST", "/customers", object{"displayName": "Ada"}).is(201, "")
		for name, key := range map[string]string{"too long": strings.Repeat("k", 256), "not ASCII": "ключ", "empty": ""} {
			if got := w.call(keyed(token, key), "POST", "/customers", object{"displayName": "Ada"}).offences(); len(got) != 1 || !strings.HasPrefix(got[0], "Idempotency-Key must be") {
				t.Errorf("%s: %q", name, got)
			}
		}
		// Verbs with a transaction of their own keep their answers too.
		session := header{"Cookie", w.cookie(w.owner), "Idempotency-Key", "role"}
		body := object{"effect": "GRANT"}
		if got, kept := replayed(session, "PUT", "/roles/ACCOUNTANT/permissions/journal.post", body); got.Code != 200 || !kept {
			t.Errorf("a role: %d %s, kept %v", got.Code, got.Body, kept)
		}
	})
}

func TestOfManyDuplicatesOneHappens(t *testing.T) {
	eachStore(t, func(t *testing.T, w *world) {
		w.api.Limits = generous{}
		other := *w.api
		other.Idem = &idem.Service{DB: w.DB, Refusal: Refusal}
		nodes := []http.Handler{w.handler, w.node(&other)}
		token := w.all()
		const racers, rounds = 32, 3
		for round := range rounds {
			var mu sync.Mutex
			bodies := map[string]int{}
			var wait sync.WaitGroup
			for i := range racers {
				wait.Go(func() {
					got := w.send(ctx, nodes[i%2], keyed(token, fmt.Sprint("race", round)), "POST", "/customers", object{"displayName": "Ada"})
					mu.Lock()
					defer mu.Unlock()
					if got.Code == http.StatusConflict {
						if got.text("code") != "IDEMPOTENCY_IN_PROGRESS" || got.Header().Get("Retry-After") != "1" {
							t.Errorf("%v %s", got.Header(), got.Body)
						}
						return
					}
					bodies[got.is(201, "").Body.String()]++
				})
			}
			wait.Wait()
			if len(bodies) != 1 || w.events(event.CustomerCreated) != round+1 {
				t.Fatalf("%d answers, %d customers", len(bodies), w.events(event.CustomerCreated))
			}
		}
	})
}
