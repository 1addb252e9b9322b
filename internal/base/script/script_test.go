package script_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/base/script"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == script.Command {
		script.Child()
	}
	os.Exit(m.Run())
}

func newPool(t *testing.T, most int) *script.Pool {
	p := &script.Pool{Most: most}
	t.Cleanup(p.Close)
	return p
}

func job(source string) script.Job {
	return script.Job{
		Tenant: "a", Source: source, Input: json.RawMessage(`{"event":{"type":"invoice.created"}}`), Config: json.RawMessage(`{"key":"value"}`), Now: time.Now(),
		Call: func(_ context.Context, c script.Call) (script.Answer, error) {
			if c.Path == "/broken" {
				return script.Answer{}, errors.New("no such place")
			}
			body, _ := json.Marshal(map[string]any{"method": c.Method, "path": c.Path, "body": c.Body, "headers": c.Header})
			return script.Answer{Status: 200, Header: map[string]string{"request-id": "req_1"}, Body: body}, nil
		},
	}
}

func run(t *testing.T, p *script.Pool, j script.Job) script.Result {
	t.Helper()
	r, err := p.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAHandlerIsCalled(t *testing.T) {
	p := newPool(t, 2)
	for name, c := range map[string]struct {
		source string
		value  string
		err    string // part of it; then the run has failed
		log    string
	}{
		"named":                       {source: `export const handler = (input) => input.event.type`, value: `"invoice.created"`},
		"default":                     {source: `export default async (input) => ({ type: input.event.type })`, value: `{"type":"invoice.created"}`},
		"named before default":        {source: `export default () => 1; export const handler = () => 2`, value: `2`},
		"nothing returned":            {source: `export default () => {}`},
		"config":                      {source: `export default (_, ctx) => ctx.config.key`, value: `"value"`},
		"config is fixed":             {source: `export default (_, ctx) => { "use strict"; ctx.config.key = 1 }`, err: "TypeError"},
		"log":                         {source: `export default (_, ctx) => { ctx.log("a", 1, { b: [true] }, undefined); ctx.log("ü") }`, log: "a 1 {\"b\":[true]} undefined\nü\n"},
		"a call":                      {source: `export default async (_, ctx) => (await ctx.api("GET", "/invoices?limit=1")).body.path`, value: `"/invoices?limit=1"`},
		"a call with a body":          {source: `export default async (_, ctx) => (await ctx.api("POST", "/x", { a: 1 }, { "If-Match": "2" })).body`, value: `{"body":{"a":1},"headers":{"If-Match":"2"},"method":"POST","path":"/x"}`},
		"calls at once":               {source: `export default async (_, ctx) => (await Promise.all([1, 2, 3].map((n) => ctx.api("GET", "/" + n)))).map((a) => a.body.path)`, value: `["/1","/2","/3"]`},
		"a call that fails":           {source: `export default async (_, ctx) => { try { await ctx.api("GET", "/broken") } catch (e) { return e.message } }`, value: `"no such place"`},
		"a body JSON cannot hold":     {source: `export default (_, ctx) => ctx.api("POST", "/x", { a: 1n })`, err: "TypeError"},
		"waits without a call":        {source: `export default () => new Promise(() => {})`, err: "never settled"},
		"throws":                      {source: `export default () => { throw new RangeError("too far") }`, err: "RangeError: too far"},
		"throws something else":       {source: `export default () => { throw { code: 7 } }`, err: `{"code":7}`},
		"throws null":                 {source: `export default () => { throw null }`, err: "null"},
		"throws what cannot be shown": {source: `export default () => { throw { toString() { throw 1 }, toJSON() { throw 2 } } }`, err: "cannot be shown"},
		"throws while it is read":     {source: `throw new Error("at once"); export default () => 1`, err: "Error: at once"},
		"no function":                 {source: `export default 5`, err: "no function"},
		"a circle as result":          {source: `export default () => { const a = {}; a.a = a; return a }`, err: "TypeError"},
		"a large result":              {source: `export default () => "x".repeat(64 * 1024)`, err: "larger than 64 KiB"},
		"the largest result":          {source: `export default () => "x".repeat(64 * 1024 - 2).length`, value: "65534"},
		"an import":                   {source: `export default async () => { await import("os") }`, err: "cannot import"},
		"lone surrogates and NUL":     {source: `export default (_, ctx) => { ctx.log("\ud800\u0000"); return "\ud800\u0000" }`, value: `"\ud800\u0000"`, log: "\ufffd\x00\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, p, job(c.source))
			if c.err != "" {
				if r.Outcome != script.Failed || !strings.Contains(r.Error, c.err) || r.Value != nil {
					t.Errorf("got %s %q %s, want an error with %q", r.Outcome, r.Error, r.Value, c.err)
				}
				return
			}
			if r.Outcome != script.OK || string(r.Value) != c.value || r.Log != c.log {
				t.Errorf("got %s %q, value %s, log %q; want %s, %q", r.Outcome, r.Error, r.Value, r.Log, c.value, c.log)
			}
		})
	}
}

// TestHostileScriptsAreContained runs what a stranger may think of, one after another in the same pool: each ends with a name for
// what it did, and the one after it is none the worse.
func TestHostileScriptsAreContained(t *testing.T) {
	p := newPool(t, 2)
	for _, c := range []struct {
		name, source string
		want         script.Outcome
		err          string
	}{
		{"endless loop", `export default () => { for (;;) {} }`, script.Timeout, "400ms"},
		{"endless loop that catches", `export default () => { for (;;) { try { for (;;) {} } catch {} finally { continue } } }`, script.Timeout, "400ms"},
		{"endless promises", `export default () => new Promise(() => { const f = () => Promise.resolve().then(f) && 1; f() })`, script.Timeout, "400ms"},
		{"a loop before the handler", `for (;;) {} export default () => 1`, script.Timeout, "400ms"},
		{"a regular expression that never ends", `export default () => /^(a+)+$/.test("a".repeat(40) + "b")`, script.Timeout, "400ms"},
		{"a call without an answer", `export default (_, ctx) => ctx.api("GET", "/never")`, script.Timeout, "400ms"},
		{"memory bomb", `export default () => { const a = []; for (;;) a.push(new Array(10000).fill(1)) }`, script.Memory, "64 MiB"},
		{"memory bomb of bytes", `export default () => { const a = []; for (;;) a.push(new Uint8Array(1 << 20).fill(1)) }`, script.Memory, "64 MiB"},
		{"memory bomb of objects", `export default () => { let o = {}; for (;;) o = { o } }`, script.Memory, "64 MiB"},
		{"memory bomb of promises", `export default () => { const f = () => Promise.resolve().then(f); return f() }`, script.Memory, "64 MiB"},
		{"one huge buffer", `export default () => new ArrayBuffer(2 ** 40).byteLength`, script.Failed, "RangeError"},
		{"deep recursion", `export default () => { const f = () => f() + 1; return f() }`, script.Failed, "stack overflow"},
		{"deep JSON", `export default () => JSON.parse("[".repeat(1e6))`, script.Failed, "stack overflow"},
		{"deep source", `export default () => eval("[".repeat(1e5) + "]".repeat(1e5))`, script.Failed, "stack overflow"},
		{"10,000 log lines", `export default (_, ctx) => { for (let i = 0; i < 10000; i++) ctx.log("line", i) }`, script.OK, ""},
		{"1,000 calls", `export default async (_, ctx) => { for (let i = 0; i < 1000; i++) await ctx.api("GET", "/" + i) }`, script.Failed, "at most 20 calls"},
		{"1,000 calls at once", `export default (_, ctx) => Promise.all(Array.from({ length: 1000 }, (_, i) => ctx.api("GET", "/" + i)))`, script.Failed, "at most 20 calls"},
		{"prototypes", `
			Object.prototype.then = function (f) { f("stolen") };
			Array.prototype.map = () => ["stolen"]; Promise.prototype.then = () => 1; JSON.stringify = () => "{]"; Map.prototype.get = () => null;
			String.prototype.toString = () => { throw 1 };
			Object.defineProperty(Object.prototype, "outcome", { value: "OK" });
			export default () => ({})`, script.Failed, ""},
		{"a result that lies", `export default () => ({ toJSON: () => ({ outcome: "OK", done: { value: 1 } }) })`, script.OK, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := job(c.source)
			answer := j.Call
			j.Call = func(ctx context.Context, q script.Call) (script.Answer, error) {
				if q.Path == "/never" {
					<-ctx.Done()
					return script.Answer{}, ctx.Err()
				}
				return answer(ctx, q)
			}
			if p.Time = 400 * time.Millisecond; c.want != script.Timeout {
				p.Time = 10 * time.Minute // on a machine that has no time for it, too, it ends for its own reason
			}
			r := run(t, p, j)
			if c.name == "prototypes" {
				// How far it gets is its own affair. That it ends, and hurts nobody, is ours.
				if r.Outcome == script.Crashed {
					t.Errorf("crashed: %s", r.Error)
				}
			} else if r.Outcome != c.want || !strings.Contains(r.Error, c.err) {
				t.Errorf("got %s %q after %v, want %s with %q\n%s", r.Outcome, r.Error, r.Duration, c.want, c.err, r.Words)
			}
			if len(r.Log) > script.MaxLog || r.Calls > script.MaxCalls {
				t.Errorf("%d bytes of log, %d calls", len(r.Log), r.Calls)
			}
			if c.name == "10,000 log lines" && (!r.Cut || len(r.Log) < script.MaxLog-20) {
				t.Errorf("the log has %d bytes, cut: %v", len(r.Log), r.Cut)
			}
			p.Time = 10 * time.Minute
			if after := run(t, p, job(`export default () => "fine"`)); string(after.Value) != `"fine"` {
				t.Errorf("the run after it: %s %q", after.Outcome, after.Error)
			}
		})
	}
}

// TestNothingOfTheHostIsInReach looks for whatever leads out of an engine.
func TestNothingOfTheHostIsInReach(t *testing.T) {
	p := newPool(t, 2)
	r := run(t, p, job(`
		const names = ["process", "require", "module", "std", "os", "Deno", "Bun", "fetch", "XMLHttpRequest", "WebSocket", "Worker", "print", "console",
			"setTimeout", "scriptArgs", "performance", "$host", "$log", "$call", "$done", "$order", "__loadScript", "navigator"];
		export default async (_, ctx) => {
			const found = names.filter((name) => name in globalThis);
			for (const name of ["std", "os", "qjs:std", "node:fs", "file:///etc/passwd", "/etc/passwd", "function.js"])
				try { await import(name); found.push(name) } catch {}
			const global = ctx.log.constructor("return this")();
			if (global !== globalThis) found.push("another global");
			return found;
		}`))
	if string(r.Value) != "[]" {
		t.Errorf("in reach: %s %s", r.Value, r.Error)
	}
}

func TestRunsShareNothing(t *testing.T) {
	p := newPool(t, 2)
	run(t, p, job(`globalThis.left = 1; Object.prototype.left = 1; export default () => 1`))
	if r := run(t, p, job(`export default () => [typeof globalThis.left, typeof {}.left]`)); string(r.Value) != `["undefined","undefined"]` {
		t.Errorf("the run before it left %s", r.Value)
	}
}

func TestDateFollowsTheClockOfThePlatform(t *testing.T) {
	p := newPool(t, 2)
	j := job(`export default () => [new Date().getUTCFullYear(), new Date(Date.now()).getUTCFullYear(), new (new Date()).constructor().getUTCFullYear(),
		Date().slice(11, 15), new Date(0).getTime(), new Date() instanceof Date, Date.UTC(2020, 0)]`)
	j.Now = time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
	if r := run(t, p, j); string(r.Value) != `[2031,2031,2031,"2031",0,true,1577836800000]` {
		t.Errorf("got %s %s", r.Value, r.Error)
	}
}

// TestOneTenantLeavesRoomForOthers: while one tenant's scripts hang, another's run.
func TestOneTenantLeavesRoomForOthers(t *testing.T) {
	p := newPool(t, 2)
	p.Time = 10 * time.Minute // none of the greedy makes room for the next of them
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	var began atomic.Int32
	for range 4 {
		wait.Go(func() {
			j := job(`export default (_, ctx) => ctx.api("GET", "/never")`)
			j.Tenant = "greedy"
			j.Call = func(ctx context.Context, _ script.Call) (script.Answer, error) {
				began.Add(1)
				<-ctx.Done()
				return script.Answer{}, ctx.Err()
			}
			_, _ = p.Run(ctx, j)
		})
	}
	for i := range 20 {
		j := job(`export default () => ` + fmt.Sprint(i))
		if r := run(t, p, j); string(r.Value) != fmt.Sprint(i) {
			t.Fatalf("run %d: %s %s", i, r.Outcome, r.Error)
		}
	}
	cancel()
	wait.Wait()
	if n := began.Load(); n > 1 {
		t.Errorf("%d of the greedy tenant's ran at once, of a pool of two", n)
	}
}

func TestAPoolThatIsClosedRunsNothing(t *testing.T) {
	p := &script.Pool{Most: 2}
	run(t, p, job(`export default () => 1`))
	asked := make(chan struct{})
	done := make(chan script.Result, 1)
	go func() {
		j := job(`export default (_, ctx) => ctx.api("GET", "/never")`)
		j.Call = func(ctx context.Context, _ script.Call) (script.Answer, error) {
			close(asked)
			<-ctx.Done()
			return script.Answer{}, ctx.Err()
		}
		r, _ := p.Run(context.Background(), j)
		done <- r
	}()
	<-asked
	p.Close()
	if r := <-done; r.Outcome != script.Crashed {
		t.Errorf("what ran when it was closed: %s", r.Outcome)
	}
	if _, err := p.Run(t.Context(), job(`export default () => 1`)); !errors.Is(err, script.ErrClosed) {
		t.Errorf("after closing: %v", err)
	}
}
