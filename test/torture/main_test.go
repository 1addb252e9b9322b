// Package torture_test does to the real binary what must not harm it: kills it in the middle of writes, speaks hostile
// HTTP to it, and lets two of it race for what only one may have.
package torture_test

import (
	"os"
	"strconv"
	"testing"

	"daybook/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

// kills is how often a node is killed; DAYBOOK_TORTURE_KILLS asks for more.
func kills(t *testing.T) int {
	t.Helper()
	text := os.Getenv("DAYBOOK_TORTURE_KILLS")
	if text == "" {
		return 20
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("DAYBOOK_TORTURE_KILLS: %q must be a number from 1", text)
	}
	return n
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
