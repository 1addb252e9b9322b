// Package guides runs what the guides tell people to type.
package guides

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"daybook/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

var blocks = regexp.MustCompile("(?s)```sh\n(.*?)```")

// script is all lines of a guide, one after another, as one person types them.
func script(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for _, block := range blocks.FindAllStringSubmatch(string(text), -1) {
		lines.WriteString(block[1])
	}
	return lines.String()
}

// needs skips the test without the programs, and fails it where skipping is forbidden.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("DAYBOOK_TEST_REQUIRE") != "" {
				t.Fatalf("%s is missing, and DAYBOOK_TEST_REQUIRE forbids skipping", program)
			}
			t.Skipf("%s is missing", program)
		}
	}
}

// follow types what a guide says, on a node of its own, and looks for some of what must come back.
func follow(t *testing.T, guide string, wanted ...string) {
	t.Helper()
	for _, program := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("DAYBOOK_TEST_REQUIRE") != "" {
				t.Fatalf("%s is missing, and DAYBOOK_TEST_REQUIRE forbids skipping", program)
			}
			t.Skipf("%s is missing", program)
		}
	}
	n := harness.Dev(t, harness.Options{})
	text := script(t, filepath.Join("..", "..", "docs", "guides", guide))
	if !strings.Contains(text, "http://127.0.0.1:8080") {
		t.Fatal("the guide no longer names the default address")
	}
	text = strings.NewReplacer("http://127.0.0.1:8080", n.Facts.BaseURL, "http://127.0.0.1:8081", n.Facts.AuthURL).Replace(text)
	command := exec.Command("bash", "-euo", "pipefail", "-c", text)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range wanted {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %s in what came back:\n%s", want, out)
		}
	}
}

func TestTheFirstInvoice(t *testing.T) {
	follow(t, "first-invoice.md", `"business": "Bakery Brandt"`, `"subtotal": 3021`, `"taxTotal": 634`, `"total": 3655`, `"allocatedAmount": 3655`, `"status": "PAID"`,
		`"amountDue": 0`, `"debitTotal"`)
}

func TestTheEvents(t *testing.T) {
	follow(t, "events.md", "app.installed evt_", "customer.created evt_", `"type": "customer.created"`, `"by": "APP"`, `"version": "2026-06-01"`, `"created": `, "UNKNOWN_CURSOR")
}
