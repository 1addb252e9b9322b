package torture_test

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/schema/dbtest"
	"daybook/test/harness"
)

const browsers = 12

// F-01 in short: every acknowledged write survives a kill at any moment (I1).
func TestNothingAcknowledgedIsLostByAKill(t *testing.T) {
	dbtest.EachDatabase(t, func(t *testing.T, database string) {
		t.Parallel()
		seed := uint64(time.Now().UnixNano())
		t.Logf("seed %d", seed)
		chance := rand.New(rand.NewPCG(seed, 1))
		options := harness.Options{Database: database, Data: t.TempDir()}
		node := harness.Dev(t, options)
		var all []*browser
		for i := range browsers {
			all = append(all, &browser{person: node.User(t, []string{"olivia", "sam"}[i%2])})
		}
		var over ended
		var ready []time.Duration
		var switches, signIns, signOuts, unknown int64
		for range kills(t) {
			c := newClient(node)
			audit(t, c, all, &over)
			for i, b := range all {
				if b.token == "" && i > 1 { // two sign in under load
					c.signIn(t, b, &over)
				}
			}
			loadUntilKilled(t, node, c, all, &over, chance)
			c.http.CloseIdleConnections()
			switches, signIns, signOuts, unknown = switches+c.switches.Load(), signIns+c.signIns.Load(), signOuts+c.signOuts.Load(), unknown+c.unknown.Load()
			begun := time.Now()
			node = harness.Dev(t, options)
			ready = append(ready, time.Since(begun))
		}
		audit(t, newClient(node), all, &over)
		if node.Stop() != 0 {
			t.Errorf("the last node did not end well:\n%s", node.Log())
		}
		healthy(t, database)
		slices.Sort(ready)
		t.Logf("%d kills; acknowledged: %d switches, %d sign-ins, %d sign-outs; unknown: %d; ready again in %v, at most %v",
			len(ready), switches, signIns, signOuts, unknown, ready[len(ready)/2].Round(time.Millisecond), ready[len(ready)-1].Round(time.Millisecond))
		if switches == 0 || unknown == 0 {
			t.Error("the node was never killed in the middle of something")
		}
	})
}

// loadUntilKilled lets every browser do one thing after another until the node is killed, 50 to 400 ms from now.
func loadUntilKilled(t *testing.T, node *harness.Node, c *client, all []*browser, over *ended, chance *rand.Rand) {
	t.Helper()
	var wait sync.WaitGroup
	for _, b := range all {
		own := rand.New(rand.NewPCG(chance.Uint64(), chance.Uint64()))
		wait.Go(func() {
			for c.step(t, b, own, over) {
			}
		})
	}
	time.AfterFunc(50*time.Millisecond+time.Duration(chance.IntN(350))*time.Millisecond, func() { node.Signal(os.Kill) })
	<-node.Ended()
	wait.Wait()
}

// healthy proves that SQLite finds nothing wrong with its file, and that every reference leads somewhere.
func healthy(t *testing.T, database string) {
	t.Helper()
	if db.IsPostgres(database) {
		return
	}
	ctx := context.Background()
	d, err := db.Open(ctx, db.Options{Database: database, Clock: clock.System{}})
	must(t, err)
	defer d.Close()
	must(t, d.Read(ctx, func(tx *db.Tx) error {
		verdict, err := db.All(ctx, tx, db.Value[string], `SELECT integrity_check FROM pragma_integrity_check`)
		if err != nil || !slices.Equal(verdict, []string{"ok"}) {
			t.Errorf("integrity check: %v, %v", verdict, err)
		}
		dangling, err := db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM pragma_foreign_key_check`)
		if dangling != 0 {
			t.Errorf("%d references lead nowhere", dangling)
		}
		return err
	}))
}

// A very first start that is killed at any moment (migrating, making the key, loading the world) leaves something that
// the next start can go on from.
func TestAFirstStartMayBeKilled(t *testing.T) {
	dbtest.EachDatabase(t, func(t *testing.T, database string) {
		t.Parallel()
		seed := uint64(time.Now().UnixNano())
		t.Logf("seed %d", seed)
		chance := rand.New(rand.NewPCG(seed, 2))
		data := t.TempDir()
		if !db.IsPostgres(database) {
			must(t, os.Remove(database))
		}
		for range 8 {
			cmd := exec.Command(harness.Binary(t), "dev", "--json", "--api", "127.0.0.1:0", "--app", "127.0.0.1:0", "--data", data, "--database", database, "--empty-books")
			must(t, cmd.Start())
			time.AfterFunc(time.Duration(1+chance.IntN(300))*time.Millisecond, func() { _ = cmd.Process.Kill() })
			_ = cmd.Wait()
		}
		node := harness.Dev(t, harness.Options{Database: database, Data: data})
		for _, u := range node.Users {
			node.SignIn(t, harness.Browser(t), u)
		}
		node.Stop()
		healthy(t, database)
		files, err := os.ReadDir(data)
		must(t, err)
		for _, f := range files {
			if f.Name() != "daybook.key" {
				t.Logf("a killed start left %s behind", f.Name())
			}
		}
	})
}
