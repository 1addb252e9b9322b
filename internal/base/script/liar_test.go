package script

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// liarCommand is the test binary as a child that says what no child says.
const liarCommand = "lie"

func init() {
	if len(os.Args) > 2 && os.Args[1] == liarCommand {
		lie(os.Args[2])
	}
}

func lie(how string) {
	in := bufio.NewReader(os.Stdin)
	var m toChild
	if err := readFrame(in, &m); err != nil {
		os.Exit(0)
	}
	say := func(m fromChild) { _ = writeFrame(os.Stdout, m) }
	switch how {
	case "dies":
		os.Exit(3)
	case "dies aloud":
		_, _ = os.Stderr.WriteString("fatal error: no thread\n\ngoroutine 1: a secret in memory\n")
		os.Exit(2)
	case "kills itself":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "logs too much":
		say(fromChild{Log: strings.Repeat("x", MaxLog+1)})
	case "calls too often":
		for i := range MaxCalls + 1 {
			say(fromChild{Call: &question{ID: i, Call: Call{Method: "GET", Path: "/"}}})
		}
	case "returns too much":
		say(fromChild{Done: &ending{Outcome: OK, Value: json.RawMessage(`"` + strings.Repeat("x", MaxResult) + `"`)}})
	case "ends in a strange way":
		say(fromChild{Done: &ending{Outcome: "SPLENDID"}})
	case "speaks without end":
		_, _ = os.Stdout.Write([]byte{0xff, 0xff, 0xff, 0xff})
	case "speaks no JSON":
		_, _ = os.Stdout.Write([]byte{0, 0, 0, 2, '{', ']'})
	case "says nothing":
	}
	_, _ = io.Copy(io.Discard, in)
	os.Exit(0)
}

// TestAChildThatLiesIsReplaced: whatever comes out of a child, the parent names it, ends the child, and goes on.
func TestAChildThatLiesIsReplaced(t *testing.T) {
	for how, want := range map[string]struct {
		outcome Outcome
		words   string
	}{
		"dies":                  {Crashed, "ended before the function did"},
		"dies aloud":            {Crashed, "ended before the function did"},
		"kills itself":          {Crashed, "ended before the function did"},
		"logs too much":         {Crashed, "misbehaved"},
		"calls too often":       {Crashed, "misbehaved"},
		"returns too much":      {Crashed, "misbehaved"},
		"ends in a strange way": {Crashed, "misbehaved"},
		"speaks without end":    {Crashed, "misbehaved"},
		"speaks no JSON":        {Crashed, "misbehaved"},
		"says nothing":          {Timeout, "stopped after"},
	} {
		t.Run(how, func(t *testing.T) {
			p := &Pool{Command: []string{self(), liarCommand, how}, Most: 1, Time: 10 * time.Minute}
			if want.outcome == Timeout {
				p.Time = 100 * time.Millisecond
			}
			defer p.Close()
			j := Job{Tenant: "a", Input: json.RawMessage(`{}`), Config: json.RawMessage(`{}`), Call: func(context.Context, Call) (Answer, error) { return Answer{Status: 200}, nil }}
			for range 2 {
				r, err := p.Run(t.Context(), j)
				if err != nil || r.Outcome != want.outcome || !strings.Contains(r.Error, want.words) {
					t.Errorf("got %s %q, %v", r.Outcome, r.Error, err)
				}
				if said := map[string]string{"dies aloud": "fatal error: no thread"}[how]; r.Words != said {
					t.Errorf("its last words are %q, want %q", r.Words, said)
				}
			}
			if p.places != 0 || len(p.idle) != 0 {
				t.Errorf("%d places are taken, %d children idle", p.places, len(p.idle))
			}
		})
	}
}

// TestAChildGoesWithItsParent: a child whose parent is gone ends, also while its script loops.
func TestAChildGoesWithItsParent(t *testing.T) {
	w, err := startWorker([]string{self(), Command}, t.TempDir(), "a")
	if err != nil {
		t.Fatal(err)
	}
	o := order{Source: `export default () => { for (;;) {} }`, Input: json.RawMessage(`{}`), Config: json.RawMessage(`{}`), Time: time.Hour.Milliseconds()}
	if err := w.write(toChild{Run: &o}); err != nil {
		t.Fatal(err)
	}
	_ = w.in.Close() // as the kernel does for a parent that is gone
	_, err = w.out.ReadByte()
	if err != io.EOF {
		t.Errorf("it goes on: %v", err)
	}
	_ = w.cmd.Wait()
}

// TestAChildStaysWithItsTenantForAWhile: starting a process costs more than a run, so a child takes several jobs of its tenant in a row
// while others wait, and then it is others' turn.
func TestAChildStaysWithItsTenantForAWhile(t *testing.T) {
	p := &Pool{Most: 1, busy: map[string]int{}}
	w := &worker{tenant: "a"}
	wait := func(tenant string) *ticket {
		one := &ticket{tenant: tenant, turn: make(chan *worker, 1)}
		p.queue = append(p.queue, one)
		return one
	}
	other := wait("b")
	for i := range mostInARow {
		next := wait("a")
		if !p.stay(w) || len(next.turn) != 1 || len(other.turn) != 0 {
			t.Fatalf("job %d did not go to the child that was there", i+1)
		}
	}
	wait("a")
	if p.stay(w) {
		t.Error("others wait for ever")
	}
	if w.row != 0 || len(p.queue) != 2 || p.queue[0] != other {
		t.Errorf("%d in a row, %d wait", w.row, len(p.queue))
	}
	p.queue = nil
	if p.stay(w) {
		t.Error("it stays for nobody")
	}
	first := wait("a")
	if w.row = mostInARow; !p.stay(w) || len(first.turn) != 1 {
		t.Error("who waits longest is kept waiting because of its tenant")
	}
}
