package torture_test

import (
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/schema/dbtest"
	"daybook/test/harness"
)

// twoNodes are two processes on one database, with the same key.
func twoNodes(t *testing.T, database string) [2]*harness.Node {
	t.Helper()
	first, second := t.TempDir(), t.TempDir()
	one := harness.Dev(t, harness.Options{Database: database, Data: first})
	key, err := os.ReadFile(filepath.Join(first, "daybook.key"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(second, "daybook.key"), key, 0o600))
	return [2]*harness.Node{one, harness.Dev(t, harness.Options{Database: database, Data: second})}
}

// oauthRounds is how often two processes race for each artifact; DAYBOOK_RACE_ROUNDS asks for more, up to what the limits
// of the token endpoint let through.
func oauthRounds(t *testing.T) int {
	t.Helper()
	text := os.Getenv("DAYBOOK_RACE_ROUNDS")
	if text == "" {
		return 100
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("DAYBOOK_RACE_ROUNDS: %q must be a number from 1", text)
	}
	return min(n, 100)
}

// runners are connections that are open before the race begins, two to each node, each from a place of its own.
func runners(t *testing.T, nodes [2]*harness.Node) (clients [4]*http.Client) {
	t.Helper()
	for i := range clients {
		dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(2+i))}}
		transport := &http.Transport{DialContext: dialer.DialContext}
		clients[i] = &http.Client{Transport: transport, Timeout: 30 * time.Second}
		t.Cleanup(transport.CloseIdleConnections)
		harness.Get(t, clients[i], nodes[i%2].BaseURL+"/healthz")
	}
	return clients
}

// raceFor sends the same grant four times at once to two nodes: one gets tokens, the others exactly that description.
func raceFor(t *testing.T, c *oauthClient, nodes [2]*harness.Node, clients [4]*http.Client, grant url.Values, loser string) (won harness.Answer) {
	t.Helper()
	var answers [4]harness.Answer
	gate := make(chan struct{})
	var wait sync.WaitGroup
	for i := range answers {
		wait.Go(func() {
			<-gate
			answers[i] = c.token(t, clients[i], nodes[i%2], grant, nil)
		})
	}
	close(gate)
	wait.Wait()
	wins := 0
	for _, a := range answers {
		switch body := a.JSON(t); {
		case a.Status == http.StatusOK:
			won = a
			wins++
		case a.Status != http.StatusBadRequest || body["error"] != "invalid_grant" || body["error_description"] != loser:
			t.Fatalf("a loser was told %d\n%s", a.Status, a.Body)
		}
	}
	if wins != 1 {
		t.Fatalf("%d won", wins)
	}
	return won
}

// F-06, TOK-09: two processes on one PostgreSQL race for codes and refresh tokens. One wins, the others are told so, and
// nothing that was won outlives the replay.
func TestTwoProcessesRaceForCodesAndRefreshTokens(t *testing.T) {
	dbtest.EachDatabase(t, func(t *testing.T, database string) {
		if !db.IsPostgres(database) {
			t.Skip("a SQLite file belongs to one process")
		}
		nodes := twoNodes(t, database)
		c, clients, n := newOAuthClient(t, nodes[0]), runners(t, nodes), oauthRounds(t)
		begun := time.Now()
		for i := range n {
			code := c.code(t, nodes[0], c.request(t, nodes[0]))
			won := raceFor(t, c, nodes, clients, c.redemption(code), "code already used")
			for _, name := range []string{"access_token", "refresh_token"} {
				if c.active(t, nodes[i%2], member(t, won, http.StatusOK, name)) {
					t.Fatalf("round %d: the %s outlives the replay of its code", i, name)
				}
			}
		}
		t.Logf("%d rounds for codes in %v", n, time.Since(begun).Round(time.Millisecond))
		begun = time.Now()
		for _, node := range nodes {
			node.Advance(t, "2m") // the limits of the token endpoint begin anew
		}
		for i := range n {
			given := harness.PostJSON(t, c.browser, nodes[i%2].BaseURL+"/dev/tokens",
				`{"clientId":"`+c.app.ClientID+`","userEmail":"`+c.person.Email+`","businessId":"`+c.business+`","scopes":["profile:read"]}`)
			won := raceFor(t, c, nodes, clients, renewal(member(t, given, http.StatusOK, "refresh_token")), "refresh token reuse detected")
			for _, answer := range []harness.Answer{given, won} {
				for _, name := range []string{"access_token", "refresh_token"} {
					if c.active(t, nodes[i%2], member(t, answer, http.StatusOK, name)) {
						t.Fatalf("round %d: the %s outlives its burnt family", i, name)
					}
				}
			}
		}
		t.Logf("%d rounds for refresh tokens in %v", n, time.Since(begun).Round(time.Millisecond))
	})
}
