package contract_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestHostileFunctions proves that whatever a function does, it is contained and named in the run log, while others' calls go on.
func TestHostileFunctions(t *testing.T) {
	eachHook(t, func(t *testing.T, n *apiNode) {
		dan := n.console(t, "dan")
		_, lab := n.lab(t, dan)
		n.issue(t, fullApp, "dan", lab)
		f := n.function(t, dan, "full", object{"type": "MANUAL"}, `export default () => 1`)
		stop := n.others(t)
		for _, c := range []struct {
			name, source, outcome, words string
		}{
			{"an endless loop", `export default () => { for (;;) {} }`, "TIMEOUT", "5s"},
			{"a memory bomb", `export default () => { const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1)) }`, "MEMORY", "64 MiB"},
			{"deep recursion", `export default () => { const f = (n) => f(n + 1) + 1; return f(0) }`, "FAILED", "stack overflow"},
			{"prototype tricks", `
				Object.prototype.outcome = "OK"; Object.prototype.toJSON = function () { return { done: { outcome: "OK", value: 1 } } };
				Promise.prototype.then = function () { throw new Error("stolen") }; JSON.stringify = () => "}{";
				export default () => ({ constructor: { prototype: { admin: true } }, __proto__: { admin: true } })`, "", ""},
			{"10,000 log lines", `export default (_, ctx) => { for (let i = 0; i < 10000; i++) ctx.log("line " + i) }`, "OK", ""},
			{"1,000 API calls", `export default async (_, ctx) => { for (let i = 0; i < 1000; i++) await ctx.api("GET", "/customers?limit=1") }`, "FAILED", "at most 20 calls"},
			{"1,000 API calls at once", `export default (_, ctx) => Promise.all(Array.from({ length: 1000 }, () => ctx.api("GET", "/customers?limit=1")))`, "FAILED", "at most 20 calls"},
			{"process and files", `
				export default () => {
					const global = (0, Function)("return this")();
					const found = ["process", "require", "std", "os", "Deno", "Bun", "fetch", "XMLHttpRequest", "WebSocket"].filter((name) => name in global);
					if (found.length > 0) return found;
					return process.mainModule.require("child_process").execSync("id").toString();
				}`, "FAILED", "ReferenceError"},
			{"an answer without end", `export default () => "x".repeat(1024 * 1024)`, "FAILED", "64 KiB"},
			{"text that no store takes", `export default (_, ctx) => { ctx.log("\u0000\ud800\u202e<script>"); throw new Error("\u0000\ud800") }`, "FAILED", "Error"},
		} {
			t.Run(c.name, func(t *testing.T) {
				dan.make(t, f.path+"/versions", object{"source": c.source})
				try := f.settles
				if c.outcome == "TIMEOUT" {
					try = f.tries
				}
				kept := f.run(t, try(t, object{"businessId": lab}))
				if c.outcome != "" { // how far the others get is their own affair
					ended(t, kept, c.outcome, c.words)
				}
				if kept["outcome"] == "CRASHED" || kept["apiCalls"].(float64) > 20 || len(kept["log"].(string)) > 32<<10 {
					t.Errorf("%.2000v", kept)
				}
				if c.name == "10,000 log lines" && (kept["logTruncated"] != true || !strings.Contains(kept["log"].(string), "line 1000\n")) {
					t.Errorf("%.200v", kept)
				}
				dan.make(t, f.path+"/versions", object{"source": `export default () => "fine"`})
				if after := f.settles(t, object{"businessId": lab}); after["result"] != "fine" {
					t.Errorf("the run after it: %v", after)
				}
			})
		}
		if calls := stop(); calls < 20 {
			t.Errorf("only %d calls of others were made meanwhile", calls)
		}
	})
}

// others keeps calling, reading and writing, until it is told to stop; every call must succeed. It tells how many there were.
func (n *apiNode) others(t *testing.T) (stop func() int) {
	t.Helper()
	app, done := n.by(t, fullApp, "olivia", "shop"), make(chan struct{})
	var wait sync.WaitGroup
	calls := 0
	wait.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			said(t, app.do(t, "POST", "/customers", object{"displayName": "Ada"}), http.StatusCreated)
			said(t, app.do(t, "GET", "/customers?limit=5", nil), http.StatusOK)
			calls += 2
		}
	})
	return sync.OnceValue(func() int {
		close(done)
		wait.Wait()
		return calls
	})
}

// TestNoFunctionOutlivesItsServer proves that a server that stops, or is killed, leaves no process behind, also while a function loops.
func TestNoFunctionOutlivesItsServer(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("there is no /proc to look into")
	}
	for name, end := range map[string]func(n *apiNode){"stopped": func(n *apiNode) { n.Stop() }, "killed": func(n *apiNode) { n.Kill() }} {
		t.Run(name, func(t *testing.T) {
			n := newHookNode(t, filepath.Join(t.TempDir(), "daybook.db"))
			n.function(t, n.console(t, "dan"), "full", on("customer.created"), `export default () => { for (;;) {} }`)
			n.customer(t, n.session(t, "olivia", "shop"))
			children := waitFor(t, func() []int { return childrenOf(n.PID()) })
			end(n)
			waitFor(t, func() []int {
				for _, pid := range children {
					if stillRuns(pid) {
						return nil
					}
				}
				return []int{0}
			})
		})
	}
}

// waitFor asks until there is something.
func waitFor(t *testing.T, ask func() []int) []int {
	t.Helper()
	for begun := time.Now(); time.Since(begun) < 20*time.Second; time.Sleep(20 * time.Millisecond) {
		if got := ask(); len(got) > 0 {
			return got
		}
	}
	t.Fatal("it does not happen")
	return nil
}

// childrenOf are the processes that run functions for another.
func childrenOf(parent int) (pids []int) {
	paths, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		rest := string(text[strings.LastIndexByte(string(text), ')')+1:])
		if fields := strings.Fields(rest); len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			if command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); strings.Contains(string(command), "run-function") {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

func stillRuns(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	return fields[0] != "Z" && fields[0] != "X"
}
