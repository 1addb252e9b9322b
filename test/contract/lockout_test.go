package contract_test

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/internal/schema/dbtest"
	"daybook/test/harness"
)

// place is a client that comes from a loopback address of its own, so that tests that share a Redis never meet.
func place(t *testing.T) *http.Client {
	t.Helper()
	from := net.IPv4(127, byte(1+rand.N(250)), byte(rand.N(256)), byte(1+rand.N(254)))
	c := plain(t)
	transport := &http.Transport{DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: from}}).DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	c.Transport = transport
	return c
}

// eachLimiter runs the test on both stores with limits counted in process, and with limits counted in Redis.
func eachLimiter(t *testing.T, test func(t *testing.T, n *harness.Node)) {
	t.Helper()
	harness.EachStore(t, test)
	t.Run("Redis", func(t *testing.T) {
		n := harness.Dev(t, harness.Options{Args: []string{"--redis", dbtest.Require(t, "DAYBOOK_TEST_REDIS")}})
		test(t, n)
		countsInRedis(t, n)
	})
}

// countsInRedis proves that limits are shared. On a busy machine Redis may have been too slow just now: the node asks again every second.
func countsInRedis(t *testing.T, n *harness.Node) {
	t.Helper()
	const want = "shared through Redis"
	got := ""
	for begun := time.Now(); got != want && time.Since(begun) < 20*time.Second; time.Sleep(20 * time.Millisecond) {
		got = facts(t, harness.Get(t, plain(t), n.BaseURL+"/readyz"))["limits"]
	}
	if got != want {
		t.Errorf("limits are counted %s", got)
	}
}

// wrong is a password that is known to be wrong by its length, which spares the machine the slow check.
var wrong = strings.Repeat("w", 900)

// locked proves that a sign-in is refused as one too many, whatever the password.
func locked(t *testing.T, a harness.Answer) {
	t.Helper()
	page(t, a, http.StatusTooManyRequests)
	if wait, err := strconv.Atoi(a.Header.Get("Retry-After")); err != nil || wait < 1 || wait > 60 {
		t.Errorf("Retry-After %q", a.Header.Get("Retry-After"))
	}
	if a.Header.Get("Set-Cookie") != "" {
		t.Error("a cookie was set")
	}
}

func TestTooManyFailuresOfOnePersonLockThem(t *testing.T) {
	eachLimiter(t, func(t *testing.T, n *harness.Node) {
		olivia, sam := n.User(t, "olivia"), n.User(t, "sam")
		here, elsewhere := place(t), place(t)
		for i := range 10 {
			page(t, signIn(t, n, here, olivia.Email, wrong), http.StatusUnauthorized)
			if i == 4 { // a success in between forgives nothing
				seeOther(t, signIn(t, n, here, olivia.Email, olivia.Password), "/")
			}
		}
		seeOther(t, signIn(t, n, here, olivia.Email, olivia.Password), "/") // ten are not too many
		page(t, signIn(t, n, here, strings.ToUpper(olivia.Email), wrong), http.StatusUnauthorized)

		locked(t, signIn(t, n, here, olivia.Email, wrong))
		locked(t, signIn(t, n, here, olivia.Email, olivia.Password))
		locked(t, signIn(t, n, here, " "+strings.ToUpper(olivia.Email), olivia.Password))
		seeOther(t, signIn(t, n, elsewhere, olivia.Email, olivia.Password), "/")
		seeOther(t, signIn(t, n, here, sam.Email, sam.Password), "/")

		n.Advance(t, "30s")
		locked(t, signIn(t, n, here, olivia.Email, olivia.Password)) // which does not prolong the lock
		n.Advance(t, "30s")
		seeOther(t, signIn(t, n, here, olivia.Email, olivia.Password), "/")
		page(t, signIn(t, n, here, olivia.Email, wrong), http.StatusUnauthorized) // counting starts anew
	})
}

func TestFailuresThatAreSpreadOutLockNobody(t *testing.T) {
	eachLimiter(t, func(t *testing.T, n *harness.Node) {
		olivia, here := n.User(t, "olivia"), place(t)
		for range 3 {
			for range 10 {
				page(t, signIn(t, n, here, olivia.Email, wrong), http.StatusUnauthorized)
			}
			n.Advance(t, "60s")
		}
		seeOther(t, signIn(t, n, here, olivia.Email, olivia.Password), "/")
	})
}

func TestTooManyFailuresFromOnePlaceLockIt(t *testing.T) {
	eachLimiter(t, func(t *testing.T, n *harness.Node) {
		olivia, here := n.User(t, "olivia"), place(t)
		for i := range 100 {
			page(t, signIn(t, n, here, fmt.Sprintf("nobody%d@example.test", i), wrong), http.StatusUnauthorized)
		}
		seeOther(t, signIn(t, n, here, olivia.Email, olivia.Password), "/") // a hundred are not too many
		page(t, signIn(t, n, here, "nobody100@example.test", wrong), http.StatusUnauthorized)

		locked(t, signIn(t, n, here, "nobody101@example.test", wrong))
		locked(t, signIn(t, n, here, olivia.Email, olivia.Password))
		seeOther(t, signIn(t, n, place(t), olivia.Email, olivia.Password), "/")

		n.Advance(t, "60s")
		seeOther(t, signIn(t, n, here, olivia.Email, olivia.Password), "/")
	})
}

func TestNodesThatShareARedisShareTheLock(t *testing.T) {
	redis := dbtest.Require(t, "DAYBOOK_TEST_REDIS")
	one := harness.Dev(t, harness.Options{Args: []string{"--redis", redis}})
	two := harness.Dev(t, harness.Options{Args: []string{"--redis", redis}})
	olivia, here := one.User(t, "olivia"), place(t)
	for i := range 11 {
		node := one
		if i%2 == 1 {
			node = two
		}
		page(t, signIn(t, node, here, olivia.Email, wrong), http.StatusUnauthorized)
	}
	locked(t, signIn(t, one, here, olivia.Email, olivia.Password))
	locked(t, signIn(t, two, here, olivia.Email, olivia.Password))
}

func TestAForgedAddressDoesNotOpenALock(t *testing.T) {
	n := harness.Dev(t, harness.Options{})
	olivia := n.User(t, "olivia")
	here := place(t)
	for range 11 {
		signIn(t, n, here, olivia.Email, wrong)
	}
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "X-Forwarded-For": {"192.0.2.1"}, "X-Real-Ip": {"192.0.2.1"}, "Forwarded": {"for=192.0.2.1"}}
	locked(t, harness.Send(t, here, http.MethodPost, n.AuthURL+"/sign-in", header, "email="+olivia.Email+"&password="+olivia.Password))
}

// Those who all ask at the same moment find the door open together; behind it they must still be counted one by one.
func TestGuessesAtOnceAreNoWayAroundTheLock(t *testing.T) {
	n := harness.Dev(t, harness.Options{})
	olivia, here := n.User(t, "olivia"), place(t)
	const guesses = 60
	statuses := make(chan int, guesses)
	for i := range guesses {
		go func() {
			form := url.Values{"email": {olivia.Email}, "password": {fmt.Sprintf("guess-number-%d", i)}}
			response, err := here.PostForm(n.AuthURL+"/sign-in", form)
			if err != nil {
				statuses <- 0
				return
			}
			_ = response.Body.Close()
			statuses <- response.StatusCode
		}()
	}
	judged := 0
	for range guesses {
		switch status := <-statuses; status {
		case http.StatusUnauthorized:
			judged++
		case http.StatusTooManyRequests:
		default:
			t.Errorf("status %d", status)
		}
	}
	if most := 11 + 2*runtime.NumCPU(); judged > most { // as many as may be under way at once when the lock falls
		t.Errorf("%d guesses were judged, want at most %d", judged, most)
	}
}
