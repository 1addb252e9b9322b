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
			p := &Pool{Command: []string{self(), liarCommand, how}, Most: 1, Time: 100 * time.Millisecond}
			defer p.Close()
			j := Job{Tenant: "a", Input: json.RawMessage(`{}`), Config: json.RawMessage(`{}`), Call: func(context.Context, Call) (Answer, error) { return Answer{Status: 200}, nil }}
			for range 2 {
				r, err := p.Run(t.Context(), j)
				if err != nil || r.Outcome != want.outcome || !strings.Contains(r.Error, want.words) {
					t.Errorf("got %s %q, %v", r.Outcome, r.Error, err)
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
