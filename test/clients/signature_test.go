package clients

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
	"time"

	"daybook/pkg/webhook"
	"daybook/test/harness"
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
	n := harness.Dev(t, harness.Options{})
	var facts []signedDelivery
	for name, rotated := range map[string]bool{"one value": false, "two values": true} {
		header, body, secrets := capture(t, n, rotated)
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

// capture has a node deliver a test, and gives it as its receiver got it, with the secrets that signed it, the present one
// first.
func capture(t *testing.T, n *harness.Node, rotated bool) (header string, body []byte, secrets []string) {
	t.Helper()
	type letter struct {
		header string
		body   []byte
	}
	got := make(chan letter, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		bytes, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusNoContent)
		got <- letter{r.Header.Get(webhook.Header), bytes}
	}))
	t.Cleanup(receiver.Close)
	developer := harness.Browser(t)
	n.SignIn(t, developer, n.User(t, "dan"))
	post := func(path, body string, status int) map[string]any {
		t.Helper()
		a := harness.PostJSON(t, developer, n.BaseURL+"/developer/apps/"+appOf(t, n, "CONFIDENTIAL").AppID+"/webhooks"+path, body)
		if a.Status != status {
			t.Fatalf("%s: %d %s", path, a.Status, a.Body)
		}
		return a.JSON(t)
	}
	made := post("", `{"url":"`+receiver.URL+`","events":["invoice.created"]}`, http.StatusCreated)
	one := "/" + made["id"].(string)
	secrets = []string{made["secret"].(string)}
	if rotated {
		secrets = append([]string{post(one+"/rotate-secret", "{}", http.StatusOK)["secret"].(string)}, secrets...)
	}
	post(one+"/test", "{}", http.StatusCreated)
	select {
	case l := <-got:
		return l.header, l.body, secrets
	case <-time.After(20 * time.Second):
		t.Fatal("nothing was delivered")
		return "", nil, nil
	}
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
