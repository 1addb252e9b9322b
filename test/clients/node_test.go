package clients

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"daybook/test/harness"
)

// programs are the clients of the folder node, one file each.
var programs = []string{"openid-client", "oauth4webapi", "mcp"}

func TestNodeClientsRunEveryFlow(t *testing.T) {
	needsNode(t)
	eachStore(t, func(t *testing.T, n *harness.Node) { runPrograms(t, nodeFacts(t, n)) })
}

func runPrograms(t *testing.T, facts worldFacts, env ...string) {
	t.Helper()
	if err := install(); err != nil {
		t.Fatal(err)
	}
	for _, name := range programs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runProgram(t, name, facts, env)
		})
	}
}

// runProgram runs a client to its end, which it reaches only if every step was well.
func runProgram(t *testing.T, name string, facts any, env []string) {
	t.Helper()
	text, err := json.Marshal(facts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", name+".mjs")
	cmd.Dir = "node"
	cmd.Env = append(append(os.Environ(), "DAYBOOK_FACTS="+string(text)), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("node %s.mjs: %v\n%s", name, err, out)
	}
	t.Logf("node %s.mjs:\n%s", name, out)
}

type (
	appFacts struct {
		ID     string `json:"id"`
		Secret string `json:"secret,omitempty"`
	}
	personFacts struct {
		Email    string `json:"email"`
		Password string `json:"password"`
	}
	// worldFacts is what the programs are told.
	worldFacts struct {
		BaseURL      string      `json:"baseUrl"`
		AuthURL      string      `json:"authUrl"`
		Insecure     bool        `json:"insecure"` // http: the clients must be told that this is meant
		RedirectURI  string      `json:"redirectUri"`
		Scope        string      `json:"scope"`
		Confidential appFacts    `json:"confidential"`
		Public       appFacts    `json:"public"`
		Owner        personFacts `json:"owner"`
		Developer    personFacts `json:"developer"`
	}
)

func nodeFacts(t *testing.T, n *harness.Node) worldFacts {
	t.Helper()
	confidential := appOf(t, n, "CONFIDENTIAL")
	return worldFacts{
		BaseURL: n.BaseURL, AuthURL: n.AuthURL, Insecure: true, RedirectURI: redirectURI, Scope: "invoices:read events:read",
		Confidential: appFacts{confidential.ClientID, *confidential.ClientSecret},
		Public:       appFacts{ID: appOf(t, n, "PUBLIC").ClientID},
		Owner:        personOf(n.User(t, "olivia")),
		Developer:    personOf(n.User(t, "dan")), // with a sandbox: an app that registered itself goes nowhere else
	}
}

func personOf(u harness.User) personFacts { return personFacts{u.Email, u.Password} }

// needsNode skips the test without Node, and fails it where skipping is forbidden.
func needsNode(t *testing.T) {
	t.Helper()
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err == nil {
			continue
		}
		if os.Getenv("DAYBOOK_TEST_REQUIRE") != "" {
			t.Fatalf("%s is not installed, and DAYBOOK_TEST_REQUIRE forbids skipping", program)
		}
		t.Skipf("%s is not installed: run `make test`, or install Node.js 18 or later with npm", program)
	}
}

// install runs `npm ci`, unless what is there came from this very lock file. The copy of it is written last, so that an
// installation that was broken off is done again.
var install = sync.OnceValue(func() error {
	lock, err := os.ReadFile("node/package-lock.json")
	if err != nil {
		return err
	}
	copied := filepath.Join("node", "node_modules", ".installed-lock.json")
	if had, err := os.ReadFile(copied); err == nil && bytes.Equal(had, lock) {
		return nil
	}
	cmd := exec.Command("npm", "ci", "--no-progress")
	cmd.Dir = "node"
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci: %w\n%s", err, out)
	}
	return os.WriteFile(copied, lock, 0o644)
})
