package cli_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"daybook/internal/schema/dbtest"
	"daybook/test/harness"
)

// listening counts the sockets on which a process accepts connections.
func listening(t *testing.T, pid int) (n int) {
	t.Helper()
	own := map[string]bool{}
	fds, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	must(t, err)
	for _, fd := range fds {
		if link, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", pid, fd.Name())); err == nil {
			own[strings.TrimSuffix(strings.TrimPrefix(link, "socket:["), "]")] = true
		}
	}
	for _, table := range []string{"tcp", "tcp6"} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		must(t, err)
		for _, line := range strings.Split(string(text), "\n") {
			const listen = "0A"
			if f := strings.Fields(line); len(f) > 9 && f[3] == listen && own[f[9]] {
				n++
			}
		}
	}
	return n
}

func TestMetricsHaveAListenerOfTheirOwn(t *testing.T) {
	dbtest.EachDatabase(t, func(t *testing.T, database string) {
		address := harness.FreeAddress(t)
		n := harness.Serve(t, harness.ServeOptions{Args: []string{"--database", database, "--metrics-listen", address}})
		if got := listening(t, n.PID()); got != 3 {
			t.Errorf("it listens on %d sockets", got)
		}
		c := harness.Browser(t)
		harness.Get(t, c, n.BaseURL+"/canary-path?canary=query")
		harness.Get(t, c, n.AuthURL+"/sign-in")
		harness.Send(t, c, "CANARY", n.AuthURL+"/sign-in", nil, "")
		a := harness.Get(t, c, "http://"+address+"/metrics")
		if a.Status != http.StatusOK {
			t.Fatalf("%d %s", a.Status, a.Body)
		}
		for _, series := range []string{
			`daybook_http_request_duration_seconds_count{host="api",method="GET",route="none",status="404"} 1`,
			`daybook_http_request_duration_seconds_count{host="app",method="GET",route="GET /sign-in",status="200"} 1`,
			`daybook_http_request_duration_seconds_count{host="app",method="other",route="none",status="405"} 1`,
			"daybook_build_info{", "daybook_db_writes_total ", "daybook_db_commits_total ", "daybook_db_statements_total ", "daybook_limits_degraded 0", "go_goroutines ",
		} {
			if !strings.Contains(a.Body, series) {
				t.Errorf("no series %s", series)
			}
		}
		if strings.Contains(strings.ToLower(a.Body), "canary") {
			t.Error("the metrics repeat what a caller sent")
		}
	})
}

func TestByDefaultThereAreTwoListeners(t *testing.T) {
	for name, n := range map[string]*harness.Node{"serve": harness.Serve(t, harness.ServeOptions{}), "dev": harness.Dev(t, harness.Options{})} {
		if got := listening(t, n.PID()); got != 2 {
			t.Errorf("%s listens on %d sockets", name, got)
		}
	}
}

// An idle laptop should not notice it: the promise is 60 MiB.
func TestDevIsSmallWhenIdle(t *testing.T) {
	const most = 60 * 1024 // kB
	n := harness.Dev(t, harness.Options{})
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", n.PID()))
	must(t, err)
	_, rest, found := strings.Cut(string(text), "VmRSS:")
	var kB int
	if _, err := fmt.Sscan(rest, &kB); !found || err != nil {
		t.Fatalf("no VmRSS in\n%s", text)
	}
	t.Logf("resident: %d kB", kB)
	if kB >= most {
		t.Errorf("%d kB resident, want less than %d", kB, most)
	}
}

func TestARedisThatIsAwayDoesNotKeepANodeFromStarting(t *testing.T) {
	metrics := harness.FreeAddress(t)
	n := harness.Serve(t, harness.ServeOptions{Args: []string{"--redis", "redis://:" + secretWord + "@" + harness.FreeAddress(t), "--metrics-listen", metrics}})
	c := harness.Browser(t)
	// Nobody has to fail first for the node to know.
	eventually(t, 5*time.Second, "readyz says that limits are counted alone", func() bool {
		a := harness.Get(t, c, n.BaseURL+"/readyz")
		return a.Status == http.StatusOK && a.JSON(t)["limits"] == "in process, because Redis does not answer"
	})
	if a := harness.Get(t, c, "http://"+metrics+"/metrics"); !strings.Contains(a.Body, "daybook_limits_degraded 1") {
		t.Error("the metrics do not tell")
	}
	if strings.Contains(n.Log(), secretWord) {
		t.Errorf("the password is in the log:\n%s", n.Log())
	}
}

// A Redis that goes away while people sign in costs nobody their sign-in.
func TestSigningInWithoutTheRedisThatWasPromised(t *testing.T) {
	n := harness.Dev(t, harness.Options{Args: []string{"--redis", "redis://" + harness.FreeAddress(t)}})
	for range 6 {
		n.SignIn(t, harness.Browser(t), n.User(t, "olivia"))
	}
	if got := harness.Get(t, harness.Browser(t), n.BaseURL+"/readyz").JSON(t)["limits"]; got != "in process, because Redis does not answer" {
		t.Errorf("limits are counted %v", got)
	}
}
