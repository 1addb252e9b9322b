package cli_test

import (
	"strings"
	"testing"

	"daybook/test/harness"
)

// good are settings without a mistake.
var good = []string{"--base-url", "http://127.0.0.1:8080", "--auth-url", "http://127.0.0.1:8081", "--api-listen", "127.0.0.1:0", "--app-listen", "127.0.0.1:0"}

func TestServeReportsEveryMistakeAtOnce(t *testing.T) {
	for _, c := range []struct {
		name      string
		args, env []string
		says      []string // one line for each mistake
	}{
		{"nothing is set", nil, nil, []string{"base-url: ", "auth-url: "}},
		{"by flags", []string{
			"--database", "", "--base-url", "nonsense", "--auth-url", "http://app.example.com", "--api-listen", "8080", "--app-listen", "example.com:80",
			"--metrics-listen", "127.0.0.1:99999", "--key-file", "", "--service-name", "Day Book", "--trusted-proxies", "10.0.0.0/33", "--outbound-allow", "10.0.0.1/8", "--plans-file", "none.yaml",
		}, nil, []string{"database: ", "base-url: ", "auth-url: ", "api-listen: ", "app-listen: ", "metrics-listen: ", "key-file: ", "service-name: ", "trusted-proxies: ", "outbound-allow: ", "plans-file: "}},
		{"by the environment", nil, []string{
			"DAYBOOK_BASE_URL=https://user:" + secretWord + "@api.example.com", "DAYBOOK_AUTH_URL=https://app.example.com/path", "DAYBOOK_SERVICE_NAME=1", "DAYBOOK_TRUSTED_PROXIES=x", "DAYBOOK_LIMIT_SCALE=10",
		}, []string{"base-url: ", "auth-url: ", "service-name: ", "trusted-proxies: ", "DAYBOOK_LIMIT_SCALE: "}},
		{"a limit scale alone", good, []string{"DAYBOOK_LIMIT_SCALE=1"}, []string{"DAYBOOK_LIMIT_SCALE: "}},
		{"a cookie domain that is no parent", append([]string{"--cookie-domain", "example.org"}, good...), nil, []string{"cookie-domain: "}},
		{"a Redis address that is none", append([]string{"--redis", "http://:" + secretWord + "@x"}, good...), nil, []string{"redis: "}},
		{"a Redis address that cannot be read", append([]string{"--redis", "redis://:" + secretWord + "%zz@x"}, good...), nil, []string{"redis: "}},
		{"a Redis address together with something else", []string{"--redis", "nonsense", "--base-url", "https://a.example.com"}, nil, []string{"auth-url: ", "redis: "}},
		{"an unknown flag", append([]string{"--no-such-flag"}, good...), nil, []string{"--no-such-flag"}},
		{"a public address without a host", []string{"--base-url", "https://:443", "--auth-url", "https://app.example.com"}, nil, []string{"base-url: "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			before := folder(t, dir)
			// Should the settings pass after all, it ends at once: there is no database.
			status, stdout, stderr := harness.Run(t, dir, append(c.env, "DAYBOOK_LOG_LEVEL=error"), "", append([]string{"serve", "--no-migrate"}, c.args...)...)
			if status != 2 {
				t.Errorf("exit status %d", status)
			}
			told(t, complaints(t, stdout, stderr), c.says)
			untouched(t, dir, before)
		})
	}
}

func TestEveryWrongEntryOfAListIsNamed(t *testing.T) {
	for _, setting := range []string{"trusted-proxies", "outbound-allow"} {
		status, stdout, stderr := harness.Run(t, t.TempDir(), nil, "", append([]string{"serve", "--" + setting, "one,10.0.0.0/8,two"}, good...)...)
		if status != 2 {
			t.Errorf("exit status %d", status)
		}
		for _, line := range complaints(t, stdout, stderr) {
			if !strings.Contains(line, setting+": ") {
				t.Errorf("which setting is this about? %s", line)
			}
		}
		if !strings.Contains(stderr, `"one"`) || !strings.Contains(stderr, `"two"`) || strings.Contains(stderr, "10.0.0.0/8,") {
			t.Errorf("%s: %s", setting, stderr)
		}
	}
}

func TestServeRefusesABadPlansFile(t *testing.T) {
	const needed = "plans:\n  - {key: FREE, invoicesPerYear: 1}\n  - {key: SANDBOX, invoicesPerYear: 1}\n"
	for _, c := range []struct{ name, text, says string }{
		{"no YAML", "plans: [", "line "},
		{"an unknown member", needed + "colour: red\n", "colour"},
		{"no plan at all", "", "FREE"},
		{"a plan without invoices", needed + "  - {key: BIG}\n", "invoicesPerYear"},
		{"a plan with a strange key", needed + "  - {key: big one, invoicesPerYear: 1}\n", "key"},
		{"a currency that is none", needed + "  - {key: BIG, invoicesPerYear: 1, turnoverPerYear: {EURO: 1}}\n", "EURO"},
		{"a strange year", needed + "planYear: LEAP\n", "planYear"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "plans.yaml", c.text)
			before := folder(t, dir)
			status, stdout, stderr := harness.Run(t, dir, nil, "", append([]string{"serve", "--plans-file", "plans.yaml"}, good...)...)
			lines := complaints(t, stdout, stderr)
			if status != 2 || len(lines) != 1 || !strings.Contains(lines[0], "plans-file: ") || !strings.Contains(lines[0], "plans.yaml") || !strings.Contains(lines[0], c.says) {
				t.Errorf("exit status %d\n%s", status, stderr)
			}
			untouched(t, dir, before)
		})
	}
}

// Every setting has a flag and a variable of the same name.
func TestServeIsConfiguredByTheEnvironmentToo(t *testing.T) {
	metrics := harness.FreeAddress(t)
	n := harness.Serve(t, harness.ServeOptions{Env: []string{
		"DAYBOOK_DATABASE=elsewhere.db", "DAYBOOK_KEY_FILE=elsewhere.key", "DAYBOOK_SERVICE_NAME=Ledgerline", "DAYBOOK_METRICS_LISTEN=" + metrics,
		"DAYBOOK_TRUSTED_PROXIES=10.0.0.0/8,192.0.2.1", "DAYBOOK_OUTBOUND_ALLOW=10.0.0.0/8", "DAYBOOK_LOG_LEVEL=debug",
	}})
	if a := harness.Get(t, harness.Browser(t), n.AuthURL+"/sign-in"); !strings.Contains(a.Body, "Ledgerline") {
		t.Errorf("the page does not name the service:\n%s", a.Body)
	}
	if a := harness.Get(t, harness.Browser(t), "http://"+metrics+"/metrics"); a.Status != 200 {
		t.Errorf("metrics: %d", a.Status)
	}
	dir := n.Dir()
	for _, name := range []string{"elsewhere.db", "elsewhere.key"} {
		if _, ok := folder(t, dir)[name]; !ok {
			t.Errorf("there is no %s: %v", name, folder(t, dir))
		}
	}
}
