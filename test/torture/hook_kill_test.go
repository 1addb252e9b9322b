package torture_test

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"daybook/internal/schema/dbtest"
	"daybook/test/harness"
)

// hookKills is how often a node that sends is killed; DAYBOOK_TORTURE_HOOK_KILLS asks for more.
func hookKills(t *testing.T) int {
	t.Helper()
	text := os.Getenv("DAYBOOK_TORTURE_HOOK_KILLS")
	if text == "" {
		return 8
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("DAYBOOK_TORTURE_HOOK_KILLS: %q must be a number from 1", text)
	}
	return n
}

const (
	stormBusinesses = 3
	stormWriters    = 6
	writerScopes    = "profile:read invoices:read invoices:write customers:read customers:write taxes:read journal:read"
)

func stormWorld() *hookWorld {
	return newHookWorld(stormBusinesses,
		hookApp{key: "writer", scopes: writerScopes, in: everywhere(stormBusinesses), hooks: []hookSpec{
			{"/quick", "invoice.created invoice.issued customer.created"},
			{"/slow", "invoice.issued journal_entry.posted"},
			{"/moody", "invoice.created"},
			{"/deaf", "payment.received"},
		}},
		hookApp{key: "partly", scopes: "invoices:read", in: []int{0, 1}, hooks: []hookSpec{{"/partly", "invoice.created journal_entry.posted"}}},
		hookApp{key: "blind", scopes: "customers:read", in: everywhere(stormBusinesses), hooks: []hookSpec{{"/blind", "invoice.created invoice.issued"}}},
	)
}

func hashOf(text string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text))
	return h.Sum32()
}

// stormAnswer: the slow one takes 50 to 350 ms, the moody one never takes a third of what it gets.
func stormAnswer(path, delivery string, gone <-chan struct{}) int {
	switch dice := hashOf(delivery); {
	case path == "/slow":
		select {
		case <-time.After(50*time.Millisecond + time.Duration(dice%300)*time.Millisecond):
		case <-gone:
		}
	case path == "/moody" && dice%3 == 0:
		return 500
	}
	return 204
}

// F-01, HOOK-04, HOOK-05: a node that sends is killed at any moment. No change is without its event and no event without
// its deliveries; each delivery comes at least once, and twice only if it was under way at a kill.
func TestHookDeliveriesSurviveKills(t *testing.T) {
	dbtest.EachDatabase(t, func(t *testing.T, database string) {
		t.Parallel()
		s := newStorm(t, database)
		for range hookKills(t) {
			if s.chance.IntN(3) == 0 {
				s.killStarting(t)
			}
			s.start(t)
			s.loadUntilKilled(t)
			s.audit(t)
		}
		s.start(t)
		s.finish(t)
		s.report(t)
	})
}

// storm is a world under load whose node is killed again and again.
type storm struct {
	database string
	options  harness.Options
	world    *hookWorld
	receiver *hookReceiver
	writers  []*hookWriter
	chance   *rand.Rand

	node  *harness.Node
	begun time.Time
	ready time.Time
	// before is the store as the process at hand found it, pending what waited there.
	before  *hookState
	pending map[string]bool
	found   *problems

	kills, early      int
	unrecorded        int
	inHand, most      int
	resumed, starting []time.Duration
	sinceBegun        []time.Duration // resumed, from the start of the process
}

func newStorm(t *testing.T, database string) *storm {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	s := &storm{
		database: database, options: harness.Options{Database: database, Data: t.TempDir(), Env: []string{"DAYBOOK_LIMIT_SCALE=1000000"}},
		world: stormWorld(), receiver: newHookReceiver(t, false, stormAnswer), chance: rand.New(rand.NewPCG(seed, 3)), found: newProblems(t),
	}
	s.receiver.secrets = s.world.secrets()
	s.world.load(t, t.TempDir(), database, filepath.Join(s.options.Data, "daybook.key"), func(path string) string { return s.receiver.URL + path })
	s.start(t)
	shops := shopsOf(t, database)
	for i := range stormWriters {
		business := shops[i%stormBusinesses]
		s.writers = append(s.writers, newHookWriter(t, "writer-"+strconv.Itoa(i), business, hookToken(t, s.node.BaseURL, hookClient, business), s.node.BaseURL))
	}
	s.loadUntilKilled(t)
	s.audit(t)
	return s
}

// shopsOf are the ids of a world's businesses in the order of their numbers.
func shopsOf(t testing.TB, database string) []string {
	t.Helper()
	d := openStore(t, database)
	defer d.Close()
	byName := map[string]string{}
	for id, name := range readHooks(t, d).businesses {
		byName[name] = id
	}
	var list []string
	for n := range len(byName) {
		list = append(list, byName[hookBusiness(n)])
	}
	return list
}

func (s *storm) start(t *testing.T) {
	t.Helper()
	s.begun = time.Now()
	s.node = harness.Dev(t, s.options)
	s.ready = time.Now()
	s.starting = append(s.starting, s.ready.Sub(s.begun))
}

// killStarting starts a process that is killed before, or just after, it is ready.
func (s *storm) killStarting(t *testing.T) {
	t.Helper()
	cmd := exec.Command(harness.Binary(t), "dev", "--json", "--api", "127.0.0.1:0", "--app", "127.0.0.1:0", "--data", s.options.Data, "--database", s.database, "--empty-books")
	must(t, cmd.Start())
	kill := time.AfterFunc(time.Duration(1+s.chance.IntN(400))*time.Millisecond, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait()
	kill.Stop()
	s.early++
	s.audit(t)
}

// loadUntilKilled lets every writer write until the node is killed at a random moment, half of the time not before something
// was sent that a process before it had left.
func (s *storm) loadUntilKilled(t *testing.T) {
	t.Helper()
	var wait sync.WaitGroup
	for _, w := range s.writers {
		own := rand.New(rand.NewPCG(s.chance.Uint64(), s.chance.Uint64()))
		wait.Go(func() {
			for w.step(t, s.node.BaseURL, own) {
			}
		})
	}
	if len(s.pending) > 0 && s.chance.IntN(2) == 0 {
		s.awaitResumption(t)
	}
	time.Sleep(20*time.Millisecond + time.Duration(s.chance.IntN(700))*time.Millisecond)
	s.node.Kill()
	wait.Wait()
	s.kills++
	for _, w := range s.writers {
		w.http.CloseIdleConnections()
	}
}

// awaitResumption measures how long after it was ready the node sends something that waited (HOOK-05). Two seconds are
// promised; ten are failed for, because machines are noisy.
func (s *storm) awaitResumption(t *testing.T) {
	t.Helper()
	s.receiver.mu.Lock()
	life := s.receiver.life
	s.receiver.mu.Unlock()
	soon(t, "a node resumes what was left", func() bool {
		for _, r := range slices.Backward(s.receiver.receipts()) {
			if r.life != life {
				return false
			}
			if s.pending[r.delivery] {
				after := max(r.at.Sub(s.ready), 0) // it may begin before the doors open
				s.resumed = append(s.resumed, after)
				s.sinceBegun = append(s.sinceBegun, r.at.Sub(s.begun))
				if after > 10*time.Second {
					t.Errorf("a restarted node took %v to send what waited", after)
				}
				return true
			}
		}
		return false
	})
}

// audit compares the store, as a dead process left it, with what was acknowledged and what came.
func (s *storm) audit(t *testing.T) {
	t.Helper()
	life := s.receiver.life
	s.receiver.nextLife(t)
	d := openAfterKill(t, s.database)
	defer d.Close()
	after := readHooks(t, d)
	got := s.receiver.receipts()
	after.checkChanges(s.found, s.world, s.writers)
	after.checkAttempts(s.found, got)
	s.unrecorded += checkLife(s.found, s.before, after, life, got)
	owned := 0
	for _, one := range after.deliveries {
		if one.owner != nil {
			owned++
		}
	}
	s.inHand, s.most = s.inHand+owned, max(s.most, owned)
	s.before, s.pending = after, after.pending(time.Now())
}

// finish lets the last node send everything that is due, and proves that every delivery came.
func (s *storm) finish(t *testing.T) {
	t.Helper()
	d := openStore(t, s.database)
	soon(t, "everything due is sent", func() bool { return waiting(t, d) == 0 })
	d.Close()
	if s.node.Stop() != 0 {
		t.Errorf("the last node did not end well:\n%s", s.node.Log())
	}
	s.audit(t)
	came := map[string]bool{}
	for _, r := range s.receiver.receipts() {
		came[r.delivery] = true
	}
	for id, one := range s.before.deliveries {
		if !came[id] {
			s.found.add("lost", "%s never came: %+v", id, one)
		}
		if one.owner != nil {
			s.found.add("held", "%s is still in the hand of %s", id, *one.owner)
		}
	}
	if len(s.before.nodes) != 0 {
		t.Errorf("nodes are listed that have ended: %v", s.before.nodes)
	}
	for _, c := range s.receiver.complaints() {
		t.Errorf("a receiver did not believe what came: %s", c)
	}
	healthy(t, s.database)
}

func (s *storm) report(t *testing.T) {
	t.Helper()
	answered, unknown, replayed, retried := 0, 0, 0, 0
	for _, w := range s.writers {
		answered, unknown, replayed = answered+w.answered, unknown+w.unknown, replayed+w.replayed
	}
	for _, tried := range s.before.attempts {
		retried += len(tried) - 1
	}
	got := s.receiver.receipts()
	again := len(got) - len(s.before.deliveries) - retried
	if again > s.unrecorded {
		t.Errorf("%d deliveries came again, and only %d attempts were not written down at a kill", again, s.unrecorded)
	}
	start, slowest := middle(s.starting)
	half, longest := middle(s.resumed)
	halfBegun, longestBegun := middle(s.sinceBegun)
	t.Logf("%d kills under load, %d while starting; %d changes acknowledged, %d unknown, %d of those had happened; %d events, %d deliveries", s.kills, s.early,
		answered, unknown, replayed, len(s.before.events), len(s.before.deliveries))
	t.Logf("%d requests came: %d again after a kill, %d by the ladder; %d attempts were not written down at a kill; in hand at a kill %d on average, at most %d",
		len(got), again, retried, s.unrecorded, s.inHand/(s.kills+s.early+1), s.most)
	t.Logf("ready in %v, at most %v; the first that waited was sent %v after that, at most %v, and %v after the process began, at most %v (%d measured)",
		start, slowest, half, longest, halfBegun, longestBegun, len(s.resumed))
	if again == 0 || unknown == 0 {
		t.Error("the node was never killed in the middle of something")
	}
}

// middle gives the median and the longest.
func middle(list []time.Duration) (time.Duration, time.Duration) {
	if len(list) == 0 {
		return 0, 0
	}
	slices.Sort(list)
	return list[len(list)/2].Round(time.Millisecond), list[len(list)-1].Round(time.Millisecond)
}
