package torture_test

import (
	"sync"
	"testing"

	"daybook/test/harness"
)

// browser is one person's browser as a journal: what was acknowledged, and what was asked for and not answered. It
// belongs to one goroutine at a time.
type browser struct {
	person harness.User
	token  string // the session's cookie value, empty while signed out
	// current is the business of the last acknowledged switch.
	current string
	// asked are the businesses of later switches that were never answered: any of them may have happened.
	asked map[string]bool
	// leaving is set when a request that ends the session was never answered.
	leaving bool
}

// begin notes a new session, which works in the person's first business.
func (b *browser) begin(token string) {
	*b = browser{person: b.person, token: token, current: b.person.Businesses[0].ID, asked: map[string]bool{}}
}

// acknowledged notes an answered switch.
func (b *browser) acknowledged(business string) {
	b.current, b.asked = business, map[string]bool{}
}

// ended are the sessions whose end was acknowledged: none may ever come back.
type ended struct {
	mu     sync.Mutex
	tokens []string
}

func (e *ended) add(token string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.tokens = append(e.tokens, token)
}

// audit proves that a node that has just come back knows everything that was acknowledged, and nothing that cannot be.
func audit(t *testing.T, c *client, all []*browser, over *ended) {
	t.Helper()
	for i, b := range all {
		if b.token == "" {
			continue
		}
		switch business, alive := c.account(t, b); {
		case !alive && !b.leaving:
			t.Errorf("browser %d: an acknowledged session is gone", i)
			b.token = ""
		case !alive:
			over.add(b.token)
			b.token = ""
		case business != b.current && !b.asked[business]:
			t.Errorf("browser %d: it works in %s; acknowledged was %s, asked for %v", i, business, b.current, b.asked)
			b.acknowledged(business)
		}
	}
	for _, token := range over.tokens {
		if _, alive := c.account(t, &browser{token: token}); alive {
			t.Errorf("a session whose end was acknowledged is back")
		}
	}
}
