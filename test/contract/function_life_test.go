package contract_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"daybook/test/harness"
)

// TestFunctionLife proves what becomes of hosted functions that are triggered: the queue is that of webhooks (DLIV-02, DLIV-03, REDL-01,
// HOOK-02), and what they ask of the API is asked by their app (CALL-02, CALL-03, RATE-03).
func TestFunctionLife(t *testing.T) {
	eachHook(t, func(t *testing.T, n *apiNode) {
		t.Run("an invoice", func(t *testing.T) { functionOfAnInvoice(t, n) })
		t.Run("by hand", func(t *testing.T) { functionByHand(t, n) })
		t.Run("access", func(t *testing.T) { functionAccess(t, n) })
		t.Run("drops", func(t *testing.T) { functionDrops(t, n) })
		t.Run("failures", func(t *testing.T) { functionFailures(t, n) })
		t.Run("ladder", func(t *testing.T) { functionLadder(t, n) })
		t.Run("schedule", func(t *testing.T) { functionSchedule(t, n) })
		t.Run("age", func(t *testing.T) { functionAge(t, n) }) // last: the clock goes on for a month
	})
}

// functionOfAnInvoice proves the whole way: deployed, triggered by a real invoice, an API call made, the log seen.
func functionOfAnInvoice(t *testing.T, n *apiNode) {
	dan, owner := n.console(t, "dan"), n.session(t, "olivia", "shop")
	f := n.function(t, dan, "full", on("invoice.created"), `
		export async function handler({ event, business, apiVersion }, ctx) {
			ctx.log("heard of", event.type, business);
			const found = await ctx.api("GET", "/invoices/" + event.data.invoiceId);
			const noted = await ctx.api("PATCH", "/invoices/" + event.data.invoiceId, { notes: "seen by a function" });
			return { status: found.status, same: found.body.id === event.data.invoiceId, noted: noted.status, apiVersion, left: found.headers["ratelimit-remaining"] > 0 };
		}`)
	customer := n.customer(t, owner)
	made := owner.make(t, "/invoices", object{"customerId": customer, "lines": []object{line("5")}})
	n.settle(t)
	run := f.only(t)
	ended(t, run, "OK", "")
	result := run["result"].(object)
	if result["status"] != 200.0 || result["same"] != true || result["noted"] != 200.0 || result["left"] != true || result["apiVersion"] != "2026-06-01" {
		t.Errorf("RATE-03 the function got %v", result)
	}
	log := fmt.Sprintf("heard of invoice.created {\"id\":%q,\"currency\":\"EUR\",\"timeZone\":\"UTC\"}\n", n.ids["shop"])
	if run["log"] != log || run["logTruncated"] != false || run["apiCalls"] != 2.0 || run["attempt"] != 1.0 || run["trigger"] != "EVENT" || run["type"] != "invoice.created" ||
		run["businessId"] != n.ids["shop"] || run["versionId"] != f.shown(t)["activeVersionId"] {
		t.Errorf("%v", run)
	}
	if now := owner.get(t, "/invoices/"+n.id(made)); now["notes"] != "seen by a function" {
		t.Errorf("the call changed nothing: %v", now)
	}
	feed, _ := n.by(t, fullApp, "olivia", "shop").events(t, "?types=invoice.updated")
	if last := feed[len(feed)-1]; last["data"].(object)["actor"].(object)["appId"] != n.ids["full"] {
		t.Errorf("the change is not the app's: %v", last)
	}
	if list := f.runs(t, "?outcome=FAILED"); len(list) != 0 {
		t.Errorf("%v", list)
	}
	if list := f.runs(t, "?outcome=OK&trigger=EVENT&businessId="+n.ids["shop"]); len(list) != 1 || list[0]["log"] != nil {
		t.Errorf("%v", list)
	}
	offends(t, dan.do(t, "GET", f.path+"/runs?outcome=x&trigger=y&businessId=z&q=1", nil), "q")
	offends(t, dan.do(t, "GET", f.path+"/runs?outcome=x&trigger=y&businessId=z", nil), "outcome", "trigger", "businessId")
	refused(t, dan.do(t, "GET", f.path+"/runs/fnr_"+nowhere, nil), http.StatusNotFound, "NOT_FOUND")
	if list := objects(dan.get(t, f.path+"/deliveries")["data"]); len(list) != 1 || list[0]["status"] != "delivered" || list[0]["id"] != run["deliveryId"] {
		t.Errorf("%v", list)
	}
}

func functionByHand(t *testing.T, n *apiNode) {
	dan := n.console(t, "dan")
	_, lab := n.lab(t, dan)
	f := n.function(t, dan, "full", on("invoice.paid"), `export default ({ event, business }, ctx) => ({ type: event.type, data: event.data, business })`)
	first := f.settles(t, object{"businessId": lab})
	if got := first["result"].(object); got["type"] != "invoice.paid" || got["data"].(object)["test"] != true || got["business"].(object)["currency"] != nil {
		t.Errorf("a sample, and nothing of a business that has not installed the app: %v", got)
	}
	n.issue(t, fullApp, "dan", lab)
	second := f.settles(t, object{"businessId": lab, "type": "customer.created", "data": object{"customerId": "cus_1"}})
	if got := second["result"].(object); got["type"] != "customer.created" || got["data"].(object)["customerId"] != "cus_1" || got["business"].(object)["currency"] != "EUR" {
		t.Errorf("%v", got)
	}
	version := n.id(dan.make(t, f.path+"/versions", object{"source": `export default () => "new"`}))
	if got := f.settles(t, object{"businessId": lab}); got["result"] != "new" || got["versionId"] != version || got["trigger"] != "MANUAL" || got["deliveryId"] != nil {
		t.Errorf("the newest version is tried: %v", got)
	}
	if len(f.runs(t, "?trigger=MANUAL")) != 3 || len(f.runs(t, "?trigger=EVENT")) != 0 {
		t.Errorf("%v", f.runs(t, ""))
	}
	refused(t, dan.do(t, "POST", f.path+"/runs/"+n.id(second)+"/redeliver", nil), http.StatusBadRequest, "RUN_NOT_REPEATABLE")
	for _, business := range []string{n.ids["shop"], "biz_" + nowhere, ""} { // no sandbox of the organization's
		refused(t, dan.do(t, "POST", f.path+"/invoke", object{"businessId": business}), http.StatusNotFound, "NOT_FOUND")
	}
	offends(t, dan.do(t, "POST", f.path+"/invoke", object{"type": "", "data": []string{}}), "businessId", "type", "data")
	refused(t, dan.do(t, "POST", f.path+"/invoke", object{"businessId": lab, "type": "invoice.eaten"}), http.StatusBadRequest, "UNKNOWN_EVENT_TYPE")
	refused(t, dan.do(t, "POST", f.path+"/invoke", object{"businessId": lab, "versionId": "fnv_" + nowhere}), http.StatusNotFound, "NOT_FOUND")
}

// functionAccess proves that a function may do what its app may, and no more, from call to call.
func functionAccess(t *testing.T, n *apiNode) {
	dan, owner := n.console(t, "dan"), n.session(t, "olivia", "shop")
	f := n.function(t, dan, "full", on("customer.created"), `
		export default async (_, ctx) => {
			const ask = async (...call) => { const { status, body } = await ctx.api(...call); return status + " " + (body?.code ?? "") };
			const tried = async (...call) => { try { return await ask(...call) } catch (e) { return e.message } };
			return [
				await ask("GET", "/customers"), await ask("POST", "/journal-entries", {}), await ask("GET", "/developer/apps"), await ask("GET", "/oauth/token"),
				await ask("GET", "/dev/clock"), await ask("GET", "/nowhere"), await tried("GET", "customers"), await tried("GET", "/customers", undefined, { Authorization: "Bearer x" }),
				await tried("GET", "/customers", undefined, { Cookie: "daybook_session=x" }), await ask("POST", "/customers", { displayName: "Twice" }, { "Idempotency-Key": "once" }),
			];
		}`)
	ask := func() []any {
		t.Helper()
		n.customer(t, owner)
		n.settle(t)
		list := f.runs(t, "")
		run := f.run(t, list[0])
		if result, ok := run["result"].([]any); ok {
			return result
		}
		t.Fatalf("%v", run)
		return nil
	}
	// Its own customer is an event, too: what it makes is the same at every run by its key, so this ends.
	got := fmt.Sprint(ask())
	for _, want := range []string{"[200 ", " 400 ", "403 ENDPOINT_NOT_EXPOSED 403 ENDPOINT_NOT_EXPOSED 403 ENDPOINT_NOT_EXPOSED 403 ENDPOINT_NOT_EXPOSED", "must begin with /", `cannot send the header "Authorization"`, `cannot send the header "Cookie"`, "201 ]"} {
		if !strings.Contains(got, want) {
			t.Errorf("CALL-04 want %q in %s", want, got)
		}
	}
	t.Run("CALL-03 without the scope", func(t *testing.T) {
		n.granted(t, "shop", without("journal:write")...)
		defer n.granted(t, "shop", everyScope...)
		if got := fmt.Sprint(ask()); !strings.Contains(got, "403 INSUFFICIENT_SCOPE") {
			t.Errorf("%s", got)
		}
	})
	t.Run("INST-02 access was revoked", func(t *testing.T) {
		installed, _ := n.installation(t, owner.http, fullApp)
		gone(t, owner.do(t, "POST", "/installations/"+installed+"/revoke-access", nil))
		if got := fmt.Sprint(ask()); !strings.HasPrefix(got, "[401 ") {
			t.Errorf("%s", got)
		}
		n.by(t, fullApp, "olivia", "shop")
		if got := fmt.Sprint(ask()); !strings.HasPrefix(got, "[200 ") {
			t.Errorf("%s", got)
		}
	})
}

// functionDrops proves DLIV-03 for functions, and that what was dropped can be replayed (REDL-01).
func functionDrops(t *testing.T, n *apiNode) {
	owner := n.session(t, "olivia", "shop")
	const failing = `export default () => { throw new Error("not yet") }`
	dropped := func(t *testing.T, f hosted, reason string) object {
		t.Helper()
		n.Advance(t, "9h")
		f.c = n.console(t, "dan")
		list := objects(f.c.get(t, f.path+"/deliveries?status=failed")["data"])
		if len(list) != 1 || list[0]["lastError"] != reason || len(f.runs(t, "")) != 1 {
			t.Fatalf("%v and %d runs", list, len(f.runs(t, "")))
		}
		return list[0]
	}
	t.Run("DLIV-03 the app is uninstalled", func(t *testing.T) {
		f := n.function(t, n.console(t, "dan"), "full", on("customer.created"), failing)
		n.customer(t, owner)
		n.settle(t)
		n.uninstall(t, owner.http, fullApp)
		dropped(t, f, "app not installed in the business")
		n.by(t, fullApp, "olivia", "shop")
	})
	owner = n.session(t, "olivia", "shop")
	t.Run("REDL-01 it was switched off, and is tried again", func(t *testing.T) {
		f := n.function(t, n.console(t, "dan"), "full", on("customer.created"), failing)
		n.customer(t, owner)
		n.settle(t)
		said(t, f.c.do(t, "POST", f.path+"/disable", nil), http.StatusOK)
		dropped(t, f, "function switched off")
		f.c = n.console(t, "dan")
		run := f.only(t)
		f.c.make(t, f.path+"/versions", object{"source": `export default ({ event }) => event.id`})
		said(t, f.c.do(t, "POST", f.path+"/activate", nil), http.StatusOK)
		again := said(t, f.c.do(t, "POST", f.path+"/runs/"+n.id(run)+"/redeliver", nil), http.StatusOK)
		n.settle(t)
		if list := f.runs(t, "?outcome=OK"); len(list) != 1 || list[0]["deliveryId"] != again["id"] || f.run(t, list[0])["result"] != again["id"] || list[0]["attempt"] != 2.0 {
			t.Errorf("%v", list)
		}
		refused(t, f.c.do(t, "POST", f.path+"/runs/"+n.id(run)+"/redeliver", nil), http.StatusBadRequest, "DELIVERY_NOT_FAILED")
	})
}

// functionFailures proves that 50 failures in a row switch a function off, and that nothing before does.
func functionFailures(t *testing.T, n *apiNode) {
	dan, owner := n.console(t, "dan"), n.session(t, "olivia", "shop")
	f := n.function(t, dan, "full", on("customer.created"), `export default ({ event }) => { if (event.data.version) throw new Error("always") }`)
	many := func(count int) {
		var wait sync.WaitGroup
		for range count {
			wait.Go(func() { n.customer(t, owner) })
		}
		wait.Wait()
		n.settle(t)
	}
	many(49)
	if now := f.shown(t); now["state"] != "ACTIVE" || now["failures"] != 49.0 {
		t.Fatalf("after 49 failures: %v", now)
	}
	many(5)
	now := f.shown(t)
	if now["state"] != "DISABLED" || now["disabledReason"] != "FAILURES" || now["failures"].(float64) < 50 {
		t.Errorf("after more than 50 failures: %v", now)
	}
	acts := n.column(t, `SELECT actor || ' ' || action FROM audit_log WHERE object_id = $1 ORDER BY id`, f.id)
	if last := acts[len(acts)-1]; last != "SYSTEM function.switched_off" || strings.Count(strings.Join(acts, "|"), "switched_off") != 1 {
		t.Errorf("%q", acts)
	}
	before := len(f.runs(t, ""))
	many(1)
	if len(f.runs(t, "")) != before {
		t.Error("it runs although it is off")
	}
	f.c.make(t, f.path+"/versions", object{"source": `export default () => 1`})
	if on := said(t, f.c.do(t, "POST", f.path+"/activate", nil), http.StatusOK); on["state"] != "ACTIVE" || on["failures"] != 0.0 || on["disabledReason"] != nil {
		t.Errorf("%v", on)
	}
	many(1)
	if list := f.runs(t, "?outcome=OK"); len(list) != 1 {
		t.Errorf("%v", list)
	}
}

// functionLadder proves DLIV-02 for functions: one move of the clock over nine hours makes all six attempts, each in its time.
func functionLadder(t *testing.T, n *apiNode) {
	f := n.function(t, n.console(t, "dan"), "full", on("customer.created"), `export default (_, ctx) => { ctx.log("trying"); throw new TypeError("no luck") }`)
	n.customer(t, n.session(t, "olivia", "shop"))
	n.Advance(t, "9h")
	f.c = n.console(t, "dan")
	runs := f.runs(t, "")
	if len(runs) != 6 {
		t.Fatalf("DLIV-02 %d runs", len(runs))
	}
	for i, run := range runs {
		ended(t, run, "FAILED", "TypeError: no luck")
		if run["attempt"] != float64(6-i) {
			t.Errorf("DLIV-02 %v", run)
		}
		if i < 5 {
			wait := rungs[4-i]
			if got := moment(t, run["startedAt"]).Sub(moment(t, runs[i+1]["startedAt"])); got < wait || got > wait+slack {
				t.Errorf("DLIV-02 %v before attempt %v, want %v", got, run["attempt"], wait)
			}
		}
	}
	if list := objects(f.c.get(t, f.path+"/deliveries")["data"]); len(list) != 1 || list[0]["status"] != "failed" || list[0]["attempts"] != 6.0 || list[0]["lastError"] != "TypeError: no luck" {
		t.Errorf("%v", list)
	}
	done := said(t, f.c.do(t, "POST", f.path+"/redeliver-failed", object{"since": "2026-01-01T00:00:00Z", "until": "2036-01-01T00:00:00Z"}), http.StatusOK)
	if done["queued"] != 1.0 || done["refused"] != 0.0 {
		t.Errorf("%v", done)
	}
	n.settle(t)
	if len(f.runs(t, "")) != 7 {
		t.Errorf("%d runs after the redelivery", len(f.runs(t, "")))
	}
}

// functionSchedule proves that a schedule runs in every business that has the app, once for each instant.
func functionSchedule(t *testing.T, n *apiNode) {
	n.by(t, fullApp, "olivia", "store")
	places := len(n.column(t, `SELECT id FROM installations WHERE app_id = $1 AND status = 'ACTIVE'`, n.ids["full"]))
	hourly := n.function(t, n.console(t, "dan"), "full", object{"type": "SCHEDULE", "every": "HOURLY"}, `export default ({ event }, ctx) => [event.type, event.data.scheduledFor, event.eventId]`)
	daily := n.function(t, n.console(t, "dan"), "full", object{"type": "SCHEDULE", "every": "DAILY"}, `export default () => 1`)
	next := moment(t, hourly.shown(t)["nextRunAt"])
	if next.Minute() != 0 || next.Second() != 0 || !next.After(n.time(t)) {
		t.Errorf("the next run is at %v", next)
	}
	n.setTime(t, next.Add(150*60e9))
	hourly.c, daily.c = n.console(t, "dan"), n.console(t, "dan")
	in := map[any]int{}
	for _, run := range hourly.runs(t, "?trigger=SCHEDULE") {
		ended(t, run, "OK", "")
		in[run["businessId"]]++
		result := hourly.run(t, run)["result"].([]any)
		if at := moment(t, result[1]); result[0] != "schedule.hourly" || result[2] != nil || at.Minute() != 0 || moment(t, run["startedAt"]).Sub(at) > slack {
			t.Errorf("started at %v: %v", run["startedAt"], result)
		}
	}
	if len(in) != places || in[n.ids["shop"]] != 3 || in[n.ids["store"]] != 3 {
		t.Errorf("three instants in %d businesses: %v", places, in)
	}
	said(t, hourly.c.do(t, "POST", hourly.path+"/disable", nil), http.StatusOK)
	if off := hourly.shown(t); off["nextRunAt"] != nil {
		t.Errorf("%v", off)
	}
	before := len(daily.runs(t, ""))
	n.Advance(t, "48h")
	hourly.c, daily.c = n.console(t, "dan"), n.console(t, "dan")
	if got := len(daily.runs(t, "")) - before; got != 2*places {
		t.Errorf("%d runs in two days and %d businesses", got, places)
	}
	if len(hourly.runs(t, "")) != 3*places {
		t.Error("it runs although it is off")
	}
}

// functionAge proves that runs are kept for 30 days.
func functionAge(t *testing.T, n *apiNode) {
	dan := n.console(t, "dan")
	_, lab := n.lab(t, dan)
	f := n.function(t, dan, "full", object{"type": "MANUAL"}, `export default () => 1`)
	run := f.settles(t, object{"businessId": lab})
	n.Advance(t, "719h")
	f.c = n.console(t, "dan")
	if len(f.runs(t, "")) == 0 {
		t.Error("a run is gone before its time")
	}
	n.Advance(t, "3h")
	f.c = n.console(t, "dan")
	if len(f.runs(t, "")) != 0 {
		t.Error("a run outlives its time")
	}
	refused(t, f.c.do(t, "GET", f.path+"/runs/"+n.id(run), nil), http.StatusNotFound, "NOT_FOUND")
}

// TestFunctionsCountAgainstTheLimitsOfTheirApp proves RATE-01 for ctx.api: what functions ask for is counted with what their app asks for.
func TestFunctionsCountAgainstTheLimitsOfTheirApp(t *testing.T) {
	o := harness.Options{Database: filepath.Join(t.TempDir(), "daybook.db"), Data: t.TempDir()}
	putWorld(t, o.Database, filepath.Join(o.Data, "daybook.key"), hookWorld)
	n := openHookNode(t, o)
	dan := n.console(t, "dan")
	_, lab := n.lab(t, dan)
	app := n.with(n.issue(t, fullApp, "dan", lab).AccessToken)
	f := n.function(t, dan, "full", object{"type": "MANUAL"}, `
		export default async (_, ctx) => {
			const all = await Promise.all(Array.from({ length: 20 }, () => ctx.api("GET", "/customers?limit=1")))
			return { good: all.filter((a) => a.status === 200).length, late: all.filter((a) => a.status === 429 && a.body.code === "APP_RATE_LIMITED").length }
		}`)
	good, late := 0.0, 0.0
	for range 16 {
		result := f.settles(t, object{"businessId": lab})["result"].(object)
		good, late = good+result["good"].(float64), late+result["late"].(float64)
	}
	if good+late != 320 || good > 300 || late < 20 {
		t.Errorf("RATE-01 of 320 calls %v succeeded and %v were too many", good, late)
	}
	refused(t, app.do(t, "GET", "/customers?limit=1", nil), http.StatusTooManyRequests, "APP_RATE_LIMITED")
}
