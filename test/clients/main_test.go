// Package clients holds the OAuth server, and the signatures of webhooks, against client libraries that other people wrote,
// as their users get them: nothing in them is patched, and no answer of the server is changed on the way. Where a client and
// the server disagree, the RFCs decide who is right.
//
// The Go library for OAuth runs in this process, the others as programs of test/clients/node and test/clients/stripe.
package clients

import (
	"flag"
	"testing"

	"daybook/test/harness"
)

func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("test.parallel", "16") // not one per processor: most of the time is spent waiting between polls
	harness.Main(m)
}

// redirectURI is registered by every app of the demo world. Nothing listens there: the tests take the answer out of the
// redirect, as it would reach the app.
const redirectURI = "http://127.0.0.1:3000/callback"

// eachStore runs the test against a node on each store, side by side.
func eachStore(t *testing.T, test func(t *testing.T, n *harness.Node)) {
	t.Helper()
	t.Parallel()
	harness.EachStore(t, test)
}

// appOf finds the reviewed app of a type: any business may connect it.
func appOf(t *testing.T, n *harness.Node, clientType string) harness.App {
	t.Helper()
	for _, a := range n.Apps {
		if a.ClientType == clientType && a.ReviewStatus == "APPROVED" {
			return a
		}
	}
	t.Fatalf("there is no reviewed %s app in the demo world", clientType)
	return harness.App{}
}

// clientTypes are both kinds of apps.
var clientTypes = map[string]string{"a confidential app": "CONFIDENTIAL", "a public app": "PUBLIC"}
