package contract_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/test/harness"
)

// once is the same caller with a name for its request.
func (c caller) once(key string) caller { return c.and("Idempotency-Key", key) }

// again proves that an answer is one that was given before: the same status, bytes and ETag, and marked.
func again(t *testing.T, first, second harness.Answer) {
	t.Helper()
	if second.Status != first.Status || second.Body != first.Body || second.Header.Get("ETag") != first.Header.Get("ETag") {
		t.Errorf("first %d %s\nthen %d %s", first.Status, first.Body, second.Status, second.Body)
	}
	if second.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("not marked as given before: %d %s", second.Status, second.Body)
	}
}

// anew proves that an answer was not given before.
func anew(t *testing.T, a harness.Answer, status int) harness.Answer {
	t.Helper()
	if a.Status != status || a.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("want %d for the first time, got %d %s (replayed %q)", status, a.Status, a.Body, a.Header.Get("Idempotent-Replayed"))
	}
	return a
}

func TestARequestWithANameHappensOnce(t *testing.T) {
	eachAPI(t, func(t *testing.T, n *apiNode) {
		c := n.by(t, fullApp, "olivia", "shop")
		l := n.fill(t, c)
		t.Run("repeated", func(t *testing.T) { repeated(t, n, c, l) })
		t.Run("refusals", func(t *testing.T) { keptRefusals(t, n, c, l) })
		t.Run("at once", func(t *testing.T) { repeatedAtOnce(t, n, c, l) })
		t.Run("a day", func(t *testing.T) { keptForADay(t, n) })
	})
}

func repeated(t *testing.T, n *apiNode, c caller, l library) {
	ada := object{"displayName": "Ada", "email": "ada@example.test", "notes": nil}
	const turned = `{ "notes" : null, "email":"ada\u0040example.test",
		"displayName":"Ada" }`
	t.Run("CALL-07 the same key and body get the first answer, and nothing happens twice", func(t *testing.T) {
		before := len(c.listed(t, "/customers"))
		first := anew(t, c.once("k1").do(t, "POST", "/customers", ada), http.StatusCreated)
		for range 3 {
			again(t, first, c.once("k1").do(t, "POST", "/customers", ada))
		}
		if after := len(c.listed(t, "/customers")); after != before+1 {
			t.Errorf("%d customers, then %d", before, after)
		}
	})
	t.Run("CALL-07 another order of members and other blanks are the same body", func(t *testing.T) {
		a := c.once("k1").do(t, "POST", "/customers", turned)
		if a.Status != http.StatusCreated || a.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%d %s", a.Status, a.Body)
		}
	})
	made := c.once("k2").do(t, "POST", "/customers", ada)
	id := n.id(made.JSON(t))
	for what, other := range map[string]func() harness.Answer{
		"another body": func() harness.Answer { return c.once("k2").do(t, "POST", "/customers", object{"displayName": "Ada"}) },
		"a body with one member more": func() harness.Answer {
			return c.once("k2").do(t, "POST", "/customers", object{"displayName": "Ada", "email": "ada@example.test", "notes": nil, "phone": "1"})
		},
		"another path":   func() harness.Answer { return c.once("k2").do(t, "POST", "/suppliers", ada) },
		"another method": func() harness.Answer { return c.once("k2").do(t, "PATCH", "/customers/"+id, ada) },
		"another version of the API": func() harness.Answer {
			return c.once("k2").and("Daybook-Version", "2025-10-01").do(t, "POST", "/customers", ada)
		},
		"another parameter":                   func() harness.Answer { return c.once("k2").do(t, "POST", "/customers?x=1", ada) },
		"a body that would be refused anyway": func() harness.Answer { return c.once("k2").do(t, "POST", "/customers", object{}) },
		"no body":                             func() harness.Answer { return c.once("k2").do(t, "POST", "/customers", nil) },
	} {
		t.Run("CALL-07 the same key with "+what+" is refused", func(t *testing.T) {
			refused(t, other(), http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REUSED")
			again(t, made, c.once("k2").do(t, "POST", "/customers", ada))
		})
	}
	t.Run("CALL-07 a key belongs to an app and a business", func(t *testing.T) {
		anew(t, n.by(t, twinApp, "olivia", "shop").once("k1").do(t, "POST", "/customers", ada), http.StatusCreated)
		anew(t, n.by(t, fullApp, "olivia", "store").once("k1").do(t, "POST", "/customers", ada), http.StatusCreated)
		anew(t, n.session(t, "olivia", "shop").once("k1").do(t, "POST", "/customers", ada), http.StatusCreated)
		first := c.once("k1").do(t, "POST", "/customers", ada)
		again(t, first, n.by(t, fullApp, "olivia", "shop").once("k1").do(t, "POST", "/customers", ada)) // another token of the app
		again(t, first, n.by(t, fullApp, "dan", "shop").once("k1").do(t, "POST", "/customers", ada))    // for another person
	})
	t.Run("CALL-07 keys differ by case, and by any character up to the 255th", func(t *testing.T) {
		anew(t, c.once("K1").do(t, "POST", "/customers", ada), http.StatusCreated)
		long := strings.Repeat("k", 254)
		first := anew(t, c.once(long+"a").do(t, "POST", "/customers", ada), http.StatusCreated)
		anew(t, c.once(long+"b").do(t, "POST", "/customers", ada), http.StatusCreated)
		again(t, first, c.once(long+"a").do(t, "POST", "/customers", ada))
		anew(t, c.once("~!\"#$%&'()*+,-./ :;<=>?@[]^_`{|}").do(t, "POST", "/customers", ada), http.StatusCreated)
	})
	for what, key := range map[string]string{
		"no character": "", "256 characters": strings.Repeat("k", 256), "a tab": "a\tb", "a letter beyond ASCII": "schlüssel",
	} {
		t.Run("CALL-07 a key of "+what+" is a validation failure", func(t *testing.T) {
			offends(t, c.once(key).do(t, "POST", "/customers", ada), "Idempotency-Key")
		})
	}
	t.Run("CALL-07 two keys are none", func(t *testing.T) {
		offends(t, c.once("a").once("b").do(t, "POST", "/customers", ada), "Idempotency-Key")
	})
	t.Run("CALL-07 a read does not mind a key", func(t *testing.T) {
		for range 2 {
			anew(t, c.once("k1").do(t, "GET", "/customers/"+id, nil), http.StatusOK)
		}
	})
	for _, w := range []struct {
		call   string
		body   any
		status int
	}{
		{"PATCH /customers/" + id, object{"phone": "123"}, 200},
		{"POST /customers/" + id + "/archive", nil, 200},
		{"POST /customers/" + id + "/restore", object{}, 200},
		{"POST /invoices", object{"customerId": l.customer, "lines": []object{line("1")}, "issue": true}, 201},
		{"POST /invoices/preview", object{"customerId": l.customer, "lines": []object{line("1")}}, 200},
		{"POST /invoices/" + l.draft + "/issue", nil, 200},
		{"POST /invoices/" + l.invoice + "/send", object{"channel": "EXTERNAL"}, 200},
		{"POST /payments", object{"kind": "RECEIPT", "date": today(n), "amount": 100, "bankAccountId": l.bank, "customerId": l.customer}, 201},
		{"DELETE /payments/" + l.payment + "/allocations/" + l.allocation, nil, 200},
		{"POST /payments/" + l.payment + "/refund", object{"amount": 1, "date": today(n)}, 201},
		{"POST /journal-entries/" + l.entry + "/post", nil, 200},
		{"POST /journal-entries/" + l.entry + "/reverse", nil, 201},
		{"DELETE /customers/" + id, nil, 204},
	} {
		t.Run("CALL-07 repeated, "+w.call, func(t *testing.T) {
			method, path, _ := strings.Cut(w.call, " ")
			key := "w " + w.call
			first := anew(t, c.once(key).do(t, method, path, w.body), w.status)
			again(t, first, c.once(key).do(t, method, path, w.body))
		})
	}
	t.Run("CALL-07 a repeated answer counts against the limit as any other", func(t *testing.T) {
		_, before, _ := limitHeaders(t, c.once("k1").do(t, "POST", "/customers", ada))
		_, after, _ := limitHeaders(t, c.once("k1").do(t, "POST", "/customers", ada))
		if after != before-1 {
			t.Errorf("%d left, then %d", before, after)
		}
	})
	t.Run("CALL-07 our own pages have it too, with keys of their own", func(t *testing.T) {
		pages := n.session(t, "olivia", "shop")
		first := anew(t, pages.once("p1").do(t, "PUT", "/books/lock", object{"lockDate": nil}), http.StatusOK)
		again(t, first, pages.once("p1").do(t, "PUT", "/books/lock", object{"lockDate": nil}))
		refused(t, pages.once("p1").do(t, "PUT", "/books/lock", object{"lockDate": "2020-01-01"}), http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REUSED")
		first = anew(t, pages.once("p2").do(t, "PUT", "/roles/VIEWER/permissions/invoices.manage", object{"effect": nil}), http.StatusOK)
		again(t, first, pages.once("p2").do(t, "PUT", "/roles/VIEWER/permissions/invoices.manage", object{"effect": nil}))
	})
}

// keptRefusals proves which refusals are repeated: those that would be the same next time.
func keptRefusals(t *testing.T, n *apiNode, c caller, l library) {
	for _, k := range []struct {
		what, call string
		body       any
		status     int
	}{
		{"a body that offends", "POST /customers", object{"displayName": 5}, 400},
		{"a body that names nothing", "POST /invoices", object{"customerId": "cus_" + nowhere}, 400},
		{"another total than computed", "POST /invoices", object{"customerId": l.customer, "lines": []object{line("1")}, "expectedTotal": 99}, 400},
		{"a record that is not there", "PATCH /customers/cus_" + nowhere, object{"notes": "x"}, 404},
	} {
		t.Run("CALL-07 kept: "+k.what, func(t *testing.T) {
			method, path, _ := strings.Cut(k.call, " ")
			first := anew(t, c.once("kept "+k.what).do(t, method, path, k.body), k.status)
			again(t, first, c.once("kept "+k.what).do(t, method, path, k.body))
			standard(t, first, k.status)
		})
	}
	t.Run("CALL-07 kept: a version that is out of date, also when it fits later", func(t *testing.T) {
		customer := n.id(c.make(t, "/customers", object{"displayName": "Versions"}))
		stale := c.once("stale").and("If-Match", `"2"`)
		first := anew(t, stale.do(t, "PATCH", "/customers/"+customer, object{"notes": "x"}), http.StatusPreconditionFailed)
		said(t, c.do(t, "PATCH", "/customers/"+customer, object{"phone": "1"}), http.StatusOK) // now it is at 2
		again(t, first, stale.do(t, "PATCH", "/customers/"+customer, object{"notes": "x"}))
		refused(t, c.once("stale").and("If-Match", `"1"`).do(t, "PATCH", "/customers/"+customer, object{"notes": "x"}), http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REUSED")
	})
	t.Run("CALL-07 not kept: a state, which may change", func(t *testing.T) {
		customer := n.id(c.make(t, "/customers", object{"displayName": "States"}))
		c.act(t, "/customers/"+customer+"/archive", nil)
		body := object{"customerId": customer, "lines": []object{line("1")}}
		anew(t, c.once("state").do(t, "POST", "/invoices", body), http.StatusConflict)
		c.act(t, "/customers/"+customer+"/restore", nil)
		anew(t, c.once("state").do(t, "POST", "/invoices", body), http.StatusCreated)
	})
	t.Run("CALL-07 not kept: a missing scope, a missing permission, a token that does not count", func(t *testing.T) {
		body := object{"displayName": "Later"}
		unauthenticated(t, n.with("at_"+strings.Repeat("A", 43)).once("later").do(t, "POST", "/suppliers", body))
		refused(t, n.by(t, fullApp, "olivia", "shop", "profile:read").once("later").do(t, "POST", "/suppliers", body), http.StatusForbidden, "INSUFFICIENT_SCOPE")
		refused(t, n.by(t, fullApp, "rosa", "shop").once("later").do(t, "POST", "/suppliers", body), http.StatusForbidden, "PERMISSION_DENIED")
		anew(t, c.once("later").do(t, "POST", "/suppliers", body), http.StatusCreated)
	})
	t.Run("CALL-07 who may no longer do it does not get the answer of who could", func(t *testing.T) {
		body := object{"displayName": "Secret"}
		anew(t, c.once("secret").do(t, "POST", "/suppliers", body), http.StatusCreated)
		refused(t, n.by(t, fullApp, "rosa", "shop").once("secret").do(t, "POST", "/suppliers", body), http.StatusForbidden, "PERMISSION_DENIED")
		refused(t, n.by(t, fullApp, "olivia", "shop", "profile:read").once("secret").do(t, "POST", "/suppliers", body), http.StatusForbidden, "INSUFFICIENT_SCOPE")
	})
}

// repeatedAtOnce proves that of many at once one happens, and the others get its answer or are told to come back.
func repeatedAtOnce(t *testing.T, n *apiNode, c caller, l library) {
	const many = 32
	second := c // the same caller at a second node on the same store
	second.base = harness.Dev(t, n.options).BaseURL
	for _, w := range []struct {
		path string
		body object
	}{
		{"/customers", object{"displayName": "At once"}},
		{"/invoices", object{"customerId": l.customer, "lines": []object{line("7")}, "issue": true, "reference": "at once"}},
		{"/payments", object{"kind": "RECEIPT", "date": today(n), "amount": 700, "bankAccountId": l.bank, "customerId": l.customer, "reference": "at once"}},
	} {
		t.Run(fmt.Sprintf("CALL-07 %d times at once, on two nodes, POST %s", many, w.path), func(t *testing.T) {
			before := len(c.listed(t, w.path))
			nodes := make(chan caller, many)
			for range many / 2 {
				nodes <- c
				nodes <- second
			}
			answers := atOnce(many, func() harness.Answer { return (<-nodes).once("at once "+w.path).do(t, "POST", w.path, w.body) })
			ids, fresh := map[string]bool{}, 0
			for _, a := range answers {
				switch a.Status {
				case http.StatusCreated:
					ids[n.id(a.JSON(t))] = true
					if a.Header.Get("Idempotent-Replayed") == "" {
						fresh++
					}
				case http.StatusConflict:
					refused(t, a, http.StatusConflict, "IDEMPOTENCY_IN_PROGRESS")
					if got := a.Header.Get("Retry-After"); got != "1" {
						t.Errorf("Retry-After is %q", got)
					}
				default:
					t.Errorf("%d %s", a.Status, a.Body)
				}
			}
			if len(ids) != 1 || fresh != 1 {
				t.Errorf("%d records were answered, %d of them as new", len(ids), fresh)
			}
			last := second.once("at once "+w.path).do(t, "POST", w.path, w.body)
			if last.Status != http.StatusCreated || last.Header.Get("Idempotent-Replayed") != "true" || !ids[n.id(last.JSON(t))] {
				t.Errorf("afterwards %d %s", last.Status, last.Body)
			}
			if after := len(c.listed(t, w.path)); after != before+1 {
				t.Errorf("%d records before, %d after", before, after)
			}
		})
	}
	t.Run("CALL-07 two different requests of one name at once: one happens, the other is refused", func(t *testing.T) {
		for round := range 5 {
			name := fmt.Sprintf("rivals %d", round)
			rivals := make(chan string, 2)
			rivals <- "One"
			rivals <- "Two"
			answers := atOnce(2, func() harness.Answer {
				return c.once(name).do(t, "POST", "/customers", object{"displayName": <-rivals})
			})
			statuses := []int{answers[0].Status, answers[1].Status}
			slices.Sort(statuses)
			if !slices.Equal(statuses, []int{http.StatusCreated, http.StatusUnprocessableEntity}) {
				t.Errorf("answers %v", statuses)
			}
		}
	})
}

// keptForADay proves how long an answer is repeated. Tokens live an hour, so each step needs a new one.
func keptForADay(t *testing.T, n *apiNode) {
	body := object{"displayName": "Kept"}
	count := 0
	send := func(key string) harness.Answer {
		return n.by(t, fullApp, "olivia", "shop").once(key).do(t, "POST", "/customers", body)
	}
	atEdge(t, n.oauthNode, 24*time.Hour, func() string {
		count++
		key := fmt.Sprintf("day %d", count)
		anew(t, send(key), http.StatusCreated)
		return key
	}, func(key string) {
		t.Run("CALL-07 a second before 24 hours are over the answer is still there", func(t *testing.T) {
			if a := send(key); a.Status != http.StatusCreated || a.Header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("%d %s", a.Status, a.Body)
			}
		})
	}, func(key string) {
		t.Run("CALL-07 after 24 hours the key is free again, for any request", func(t *testing.T) {
			anew(t, n.by(t, fullApp, "olivia", "shop").once(key).do(t, "POST", "/suppliers", body), http.StatusCreated)
			refused(t, send(key), http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REUSED")
		})
	})
}
