package script

import (
	"bufio"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// Command is the hidden subcommand under which the program runs as a child.
const Command = "run-function"

// Child is the whole of a child process. It ends when the parent closes its standard input, or is gone.
func Child() {
	runtime.GOMAXPROCS(2)            // one runs the script, one hears the parent
	debug.SetMaxStack(maxStackBytes) // what the engine fails to notice ends this process, early
	if err := confine(); err != nil {
		_, _ = os.Stderr.WriteString("cannot confine itself: " + err.Error() + "\n")
		os.Exit(1)
	}
	usedAtStart = peakMemory()
	serve(os.Stdin, os.Stdout)
	os.Exit(0)
}

// usedAtStart is how much memory the process had in use before the first run, in bytes.
var usedAtStart uint64

// maxStackBytes of one goroutine; the engine's own limit of depth needs less.
const maxStackBytes = 256 << 20

// serve carries out orders, one after another. A reader of its own hears when the parent goes away, whatever the script does.
func serve(in io.Reader, out io.Writer) {
	orders, answers := make(chan order), make(chan answer, MaxCalls)
	go func() {
		r := bufio.NewReader(in)
		for {
			var m toChild
			if err := readFrame(r, &m); err != nil {
				os.Exit(0)
			}
			switch {
			case m.Answer != nil:
				answers <- *m.Answer
			case m.Run != nil:
				orders <- *m.Run
			}
		}
	}()
	var mu sync.Mutex
	say := func(m fromChild) error {
		mu.Lock()
		defer mu.Unlock()
		return writeFrame(out, m)
	}
	for o := range orders {
		if err := run(o, say, answers); err != nil {
			_, _ = os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
	}
}
