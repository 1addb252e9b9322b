// Package generated_test sends the real binary thousands of requests that are made up from its own description
// (GET /openapi.json): right ones, nearly right ones and hostile ones, and holds every answer against the description.
//
// Two numbers in the environment: DAYBOOK_GENERATED_REQUESTS says how many requests each store gets, and
// DAYBOOK_GENERATED_SEED which ones. The same seed makes the same choices; ids and instants are the server's.
package generated_test

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
