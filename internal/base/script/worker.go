package script

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"daybook/internal/base/clock"
)

// grace is how much longer than its time a run may take until the parent ends its process: the engine stops it by itself, unless
// it is in the middle of something that cannot be interrupted.
const grace = 500 * time.Millisecond

// worker is a child process, as the parent sees it.
type worker struct {
	tenant string
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	words  *lastWords
	mu     sync.Mutex // writing
	row    int        // how many jobs it took while others waited; the pool's
}

func startWorker(command []string, folder, tenant string) (*worker, error) {
	w := &worker{tenant: tenant, words: &lastWords{}}
	w.cmd = exec.Command(command[0], command[1:]...)
	w.cmd.Env, w.cmd.Dir, w.cmd.Stderr = []string{}, folder, w.words
	w.cmd.WaitDelay = time.Second
	in, err := w.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := w.cmd.Start(); err != nil {
		return nil, fmt.Errorf("a process for functions does not start: %w", err)
	}
	w.in, w.out = in, bufio.NewReader(out)
	return w, nil
}

// stop ends the process and waits until it is gone.
func (w *worker) stop() {
	_ = w.cmd.Process.Kill()
	_ = w.in.Close()
	_ = w.cmd.Wait()
}

func (w *worker) write(m toChild) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return writeFrame(w.in, m)
}

// run has the child carry out a job. fit says whether the child may serve again.
func (w *worker) run(ctx context.Context, job Job, limit time.Duration) (r Result, fit bool) {
	elapsed := clock.Stopwatch()
	within, cancel := context.WithCancel(ctx)
	var late atomic.Bool
	alarm := clock.System{}.Alarm(clock.System{}.Now().Add(limit + grace))
	var calls, watch sync.WaitGroup
	watch.Go(func() {
		select {
		case <-alarm.C:
			late.Store(true)
			_ = w.cmd.Process.Kill()
		case <-ctx.Done():
			_ = w.cmd.Process.Kill()
		case <-within.Done():
		}
	})
	err := w.write(toChild{Run: &order{Source: job.Source, Input: job.Input, Config: job.Config, Now: clock.Millis(job.Now), Time: limit.Milliseconds()}})
	if err == nil {
		err = w.listen(within, job, &r, &calls)
	}
	cancel()
	alarm.Stop()
	watch.Wait()
	calls.Wait() // what is asked for another run must not be answered to the next one
	r.Duration = elapsed()
	switch {
	case late.Load():
		r.Outcome, r.Value, r.Error = Timeout, nil, tooLate(limit)
	case err != nil:
		_ = w.cmd.Process.Kill()
		r.Outcome, r.Value, r.Error = Crashed, nil, w.lament(err)
		// A runtime that gives up says why, then what it has in memory: that may be a secret of the function's.
		r.Words, _, _ = strings.Cut(w.words.String(), "\n\n")
	}
	return r, err == nil && (r.Outcome == OK || r.Outcome == Failed)
}

// lament says why a process ended in the middle of a run.
func (w *worker) lament(err error) string {
	_ = w.cmd.Wait() // its last words are complete then
	text := w.words.String()
	switch {
	case strings.Contains(text, "stack exceeds") || strings.Contains(text, "stack overflow"):
		return "the function's process ended: it went too deep"
	case strings.Contains(text, "out of memory") || strings.Contains(text, "cannot allocate memory"):
		return "the function's process ended: it ran out of memory"
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return "the function's process ended before the function did"
	}
	return "the function's process misbehaved: " + err.Error()
}

// listen hears the child out until it is done. It believes nothing that goes beyond the limits.
func (w *worker) listen(ctx context.Context, job Job, r *Result, calls *sync.WaitGroup) error {
	for {
		var m fromChild
		if err := readFrame(w.out, &m); err != nil {
			return err
		}
		if len(r.Log)+len(m.Log) > MaxLog {
			return errors.New("it logs more than it may")
		}
		r.Log, r.Cut = r.Log+m.Log, r.Cut || m.Cut
		if m.Call != nil {
			if r.Calls++; r.Calls > MaxCalls {
				return errors.New("it calls more often than it may")
			}
			q := *m.Call
			calls.Go(func() {
				// A child that no longer listens is noticed by whoever reads from it.
				_ = w.write(toChild{Answer: answerTo(ctx, job, q)})
			})
		}
		if m.Done != nil {
			return r.end(*m.Done)
		}
	}
}

func answerTo(ctx context.Context, job Job, q question) *answer {
	given, err := job.Call(ctx, q.Call)
	switch {
	case err != nil:
		return &answer{ID: q.ID, Error: clip(err.Error(), maxError)}
	case len(given.Body) > MaxAnswer:
		return &answer{ID: q.ID, Error: "the answer is larger than 1 MiB: ask for less at a time"}
	}
	return &answer{ID: q.ID, Given: &given}
}

// end takes the child's word for how a run ended, as far as it can be true.
func (r *Result) end(e ending) error {
	switch e.Outcome {
	case OK, Failed, Timeout, Memory:
	default:
		return errors.New("it ends in a way that there is not")
	}
	if len(e.Value) > MaxResult || e.Value != nil && !json.Valid(e.Value) {
		return errors.New("its result is none")
	}
	r.Outcome, r.Value, r.Error = e.Outcome, e.Value, clip(e.Error, maxError)
	if r.Outcome != OK {
		r.Value = nil
	}
	return nil
}

// lastWords keeps the beginning of what a child writes to its standard error: a runtime that gives up says why at once.
type lastWords struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lastWords) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if room := maxError - l.text.Len(); room > 0 {
		l.text.Write(b[:min(room, len(b))])
	}
	return len(b), nil
}

func (l *lastWords) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
