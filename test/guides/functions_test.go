package guides

import "testing"

func TestFunctions(t *testing.T) {
	follow(t, "functions.md", `"value": "Thank you"`, "Bearer", `"outcome": "OK"`, `"seen": false`, "heard of invoice.created", `"state": "ACTIVE"`, "invoice.created", `"seen": true`, `"noted": 200`, `"apiCalls": 2`, `"currency": "EUR"`)
}
