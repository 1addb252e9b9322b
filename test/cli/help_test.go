package cli_test

import (
	"runtime"
	"strings"
	"testing"

	"daybook/test/harness"
)

var everyCommand = []string{"dev", "serve", "migrate up", "migrate status", "fixture load", "operator create", "version"}

func TestEveryCommandHasHelpWithExamples(t *testing.T) {
	_, overview, _ := harness.Run(t, "", nil, "", "--help")
	if strings.Contains(overview, "run-function") {
		t.Error("what the program calls itself by is offered to people")
	}
	for _, command := range everyCommand {
		t.Run(command, func(t *testing.T) {
			if !strings.Contains(overview, command) {
				t.Error("the overview does not list it")
			}
			for _, flag := range []string{"--help", "-h"} {
				status, stdout, stderr := harness.Run(t, "", nil, "", append(strings.Fields(command), flag)...)
				if status != 0 || stderr != "" {
					t.Errorf("exit status %d, %s", status, stderr)
				}
				_, examples, found := strings.Cut(stdout, "Example")
				if !found || !strings.Contains(examples, "daybook "+command) {
					t.Errorf("no example in\n%s", stdout)
				}
			}
		})
	}
}

func TestWrongUsage(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
	}{
		{"an unknown command", []string{"fly"}},
		{"an unknown flag", []string{"--fly"}},
		{"half a command", []string{"migrate"}},
		{"an unknown half", []string{"migrate", "down"}},
		{"a file that is missing", []string{"fixture", "load"}},
		{"an address that is missing", []string{"operator", "create"}},
		{"a flag without its value", []string{"serve", "--base-url"}},
		{"a word too many", []string{"version", "please"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			status, stdout, stderr := harness.Run(t, dir, nil, "", c.args...)
			if lines := complaints(t, stdout, stderr); status != 2 || len(lines) != 1 {
				t.Errorf("exit status %d\n%s", status, stderr)
			}
			untouched(t, dir, map[string]string{".": folder(t, dir)["."]})
		})
	}
}

func TestVersion(t *testing.T) {
	status, stdout, stderr := harness.Run(t, "", nil, "", "version")
	if status != 0 || stderr != "" || strings.Count(stdout, "\n") != 1 {
		t.Errorf("exit status %d, %q, %q", status, stdout, stderr)
	}
	for _, word := range []string{"daybook ", "commit ", runtime.Version()} {
		if !strings.Contains(stdout, word) {
			t.Errorf("%q does not say %s", stdout, word)
		}
	}
}
