// Package tenants_test tries to see one business from another. Several businesses of different owners, with several apps
// installed in some of them, are full of canaries: words that only one of them has. Then tokens of all apps and businesses
// call everything there is, with ids, cursors, keys and names of one another, and no answer may sing another's song.
//
// DAYBOOK_TENANT_CALLS says how many calls each store gets, and DAYBOOK_TENANT_SEED which.
package tenants_test

import (
	"os"
	"strconv"
	"testing"

	"daybook/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

// number reads a number from the environment.
func number(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s: %q must be a number from 1", variable, text)
	}
	return n
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// object is a JSON object.
type object = map[string]any
