package tenants_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/internal/schema/dbtest"
)

// calls is how many calls each store gets, unless the environment asks for more.
const calls = 10_000

// TestNoTenantSeesAnother proves CALL-06 and the rest of the wall between businesses, and between apps.
func TestNoTenantSeesAnother(t *testing.T) {
	count, seed := number(t, "DAYBOOK_TENANT_CALLS", calls), number(t, "DAYBOOK_TENANT_SEED", 1)
	dbtest.EachDatabase(t, func(t *testing.T, database string) {
		h := open(t, database)
		r, shared := newRegistry(), &told{seen: map[string]bool{}}
		client := &http.Client{
			Transport:     &http.Transport{MaxIdleConnsPerHost: 2 * len(tenants)},
			Timeout:       time.Minute,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
		names := map[string]string{}
		var workers []*worker
		for i, tenant := range tenants {
			w := &worker{
				Rand: rand.New(rand.NewPCG(uint64(seed), uint64(i))), t: t, house: h, registry: r, told: shared, http: client, tenant: tenant, apps: names,
				today: h.Now.UTC().Format(time.DateOnly), kept: map[string]kept{}, tally: map[string]int{},
			}
			w.fill()
			workers = append(workers, w)
		}
		begun := time.Now()
		var wait sync.WaitGroup
		for _, w := range workers {
			wait.Go(func() { w.work(count / len(workers)) })
		}
		wait.Wait()
		sent, tally := 0, map[string]int{}
		for _, w := range workers {
			w.intact()
			sent += w.sent
			for what, n := range w.tally {
				tally[what] += n
			}
		}
		var lines []string
		for _, what := range slices.Sorted(maps.Keys(tally)) {
			lines = append(lines, fmt.Sprintf("%s: %d", what, tally[what]))
		}
		t.Logf("seed %d: %d calls in %.1f s; %s", seed, sent, time.Since(begun).Seconds(), strings.Join(lines, ", "))
		if tally["calls with something of another tenant"] < count/5 || tally["answers replayed"] < count/1000 {
			t.Error("too few of the calls tried anything")
		}
		for line := range strings.Lines(h.Log()) {
			if strings.Contains(line, "level=ERROR") {
				t.Errorf("the log speaks of an error: %s", line)
				break
			}
		}
		if t.Failed() {
			t.Logf("the same choices again: DAYBOOK_TENANT_SEED=%d DAYBOOK_TENANT_CALLS=%d", seed, count)
		}
	})
}

// fill gives the tenant books: records of every kind, made by each of its apps that may.
func (w *worker) fill() {
	full := w.house.seats[w.tenant][0]
	w.harvest(full)
	for _, s := range w.house.seats[w.tenant] {
		if !s.may("invoices:write") {
			continue
		}
		for range 3 {
			w.furnish(s, full)
		}
	}
	w.harvest(full)
}

// furnish makes one record of each kind; what the app may not, the first one does.
func (w *worker) furnish(s, full seat) {
	makes := func(path, scope string, body object) object {
		c := &call{seat: full, method: "POST", path: path, query: url.Values{}, body: body}
		if s.may(scope) {
			c.seat = s
		}
		body["externalId"] = w.external(c)
		if strings.HasPrefix(body["externalId"].(string), "shared-") {
			delete(body, "externalId")
		}
		a, ok := w.send(c)
		if !ok || a.status != http.StatusCreated {
			w.t.Fatalf("%s %s: %d %s", c.seat, path, a.status, a.body)
		}
		w.judge(c, a)
		return a.json()
	}
	line := object{"description": w.note(), "unitPrice": "10", "itemCode": canary(w.tenant)}
	customer := makes("/customers", "customers:write", object{"displayName": w.note(), "legalName": w.note(), "firstName": w.note(), "phone": canary(w.tenant),
		"email": canary(w.tenant) + "@example.test", "notes": w.note(), "taxNumber": canary(w.tenant), "billingAddress": object{"line1": w.note(), "city": w.note()}})
	supplier := makes("/suppliers", "suppliers:write", object{"displayName": w.note(), "notes": w.note(), "address": object{"line1": w.note()}})
	w.count++
	till := makes("/accounts", "accounts:write", object{"code": fmt.Sprintf("T%d", w.count), "name": w.note(), "type": "ASSET", "subtype": "CASH", "description": w.note()})
	if w.till == "" {
		w.till = till["id"].(string)
	}
	makes("/invoices", "invoices:write", object{"customerId": customer["id"], "lines": []any{line}, "reference": w.note(), "notes": w.note()})
	invoice := makes("/invoices", "invoices:write", object{"customerId": customer["id"], "lines": []any{line}, "issue": true, "reference": w.note()})
	w.apps[invoice["source"].(object)["appId"].(string)] = s.app
	makes("/payments", "payments:write", object{"kind": "RECEIPT", "date": w.today, "amount": 400, "bankAccountId": w.bank, "customerId": customer["id"], "memo": w.note(),
		"allocations": []any{object{"invoiceId": invoice["id"]}}})
	makes("/payments", "payments:write", object{"kind": "DISBURSEMENT", "date": w.today, "amount": 400, "bankAccountId": w.bank, "supplierId": supplier["id"], "memo": w.note()})
	for _, draft := range []bool{true, false} {
		makes("/journal-entries", "journal:write", object{"date": w.today, "draft": draft, "memo": w.note(), "lines": w.balanced()})
	}
}

func (w *worker) balanced() []any {
	return []any{object{"accountId": w.till, "debit": 100, "description": w.note()}, object{"accountId": w.bank, "credit": 100, "description": w.note()}}
}

// harvest reads every list to its end, and so learns of all records.
func (w *worker) harvest(s seat) {
	for _, l := range lists {
		for next := ""; ; {
			c := &call{seat: s, method: "GET", path: l.path, query: url.Values{"limit": {"100"}}}
			if next != "" {
				c.query.Set("cursor", next)
			}
			a, ok := w.send(c)
			if !ok || a.status != http.StatusOK {
				w.t.Fatalf("%s: %d %s", l.path, a.status, a.body)
			}
			w.judge(c, a)
			o := a.json()
			if l.path == "/accounts" && w.bank == "" {
				w.bank = accountOf(o, "BANK")
			}
			var more bool
			if next, more = o["nextCursor"].(string); !more {
				break
			}
		}
	}
}

func accountOf(page object, subtype string) string {
	for _, a := range page["data"].([]any) {
		if a.(object)["subtype"] == subtype {
			return a.(object)["id"].(string)
		}
	}
	return ""
}

// intact proves that nobody else has changed the tenant's books: all records that it did not delete itself are there, its
// lists hold nothing of others, and its books balance.
func (w *worker) intact() {
	full := w.house.seats[w.tenant][0]
	w.harvest(full)
	for _, l := range lists {
		ids := w.registry.all(w.tenant, l.prefix)
		for chunk := range slices.Chunk(ids[max(0, len(ids)-400):], 50) {
			c := &call{seat: full, method: "GET", path: l.path, query: url.Values{"limit": {"100"}, "ids": {strings.Join(chunk, ",")}}}
			a, ok := w.send(c)
			if !ok || a.status != http.StatusOK {
				w.t.Fatalf("%s: %d %s", l.path, a.status, a.body)
			}
			w.judge(c, a)
			if found := a.json()["data"].([]any); len(found) != len(chunk) {
				for _, id := range chunk {
					if !strings.Contains(a.body, id) && w.told.first("lost "+l.prefix) {
						w.t.Errorf("%s has lost %s", w.tenant, id)
					}
				}
			}
		}
	}
	c := &call{seat: full, method: "GET", path: "/reports/trial-balance"}
	if a, ok := w.send(c); ok {
		w.judge(c, a)
		if o := a.json(); o["debitTotal"] == nil || o["debitTotal"] != o["creditTotal"] {
			w.t.Errorf("the books of %s: %s", w.tenant, clip(a.body, 300))
		}
	}
}
