package clients

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"

	"daybook/pkg/webhook"
)

// signedDelivery is what the programs are told of a delivery.
type signedDelivery struct {
	Name    string   `json:"name"`
	Header  string   `json:"header"`
	Body    string   `json:"body"`
	Secrets []string `json:"secrets"` // each of them must verify it
}

// SIGN-01, SIGN-03: our signatures are of the scheme that Stripe made popular, so its SDKs verify them unchanged, in Node and in
// Go: with the one secret, and after a rotation with either.
func TestStripeSDKs(t *testing.T) {
	t.Parallel()
	var facts []signedDelivery
	for name, rotated := range map[string]bool{"one value": false, "two values": true} {
		header, body, secrets := capture(t, rotated)
		facts = append(facts, signedDelivery{name, header, string(body), secrets})
	}
	t.Run("Node", func(t *testing.T) {
		t.Parallel()
		needsNode(t)
		if err := install(); err != nil {
			t.Fatal(err)
		}
		runProgram(t, "stripe", facts, nil)
	})
	t.Run("Go", func(t *testing.T) {
		t.Parallel()
		runStripeGo(t, facts)
	})
}

// capture gives a delivery as its receiver got it, and the secrets that signed it, the present one first.
func capture(t *testing.T, rotated bool) (header string, body []byte, secrets []string) {
	t.Helper()
	secrets = []string{"whsec_7Vg0b1Yx3kQm5nTz8wLr2cHs6uJp9dEaFi4oKyBXtNM"}
	if rotated {
		secrets = append(secrets, "whsec_Zt-4_hNq8cVb2xKs6wPd0yGm3rJf7uLa1eTi5oQzCXE")
	}
	body = []byte(`{"id":"dlv_1","eventId":"evt_1","type":"invoice.created","apiVersion":"2026-06-01","businessId":"biz_1","created":1794700000,"data":{"customer":"Café Zon ☕ \u2028"}}`)
	return webhook.Sign(time.Now(), body, secrets...), body, secrets
}

// runStripeGo builds and runs the module in the folder stripe.
func runStripeGo(t *testing.T, facts []signedDelivery) {
	t.Helper()
	text, err := json.Marshal(facts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute) // the SDK is large, and compiled once
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "run", ".")
	cmd.Dir = "stripe"
	cmd.Env = append(os.Environ(), "GOWORK=off", "DAYBOOK_FACTS="+string(text))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go run: %v\n%s", err, out)
	}
	t.Logf("go run:\n%s", out)
}
