package script

import (
	"cmp"
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"
)

// Pool keeps a few child processes and has them carry out jobs. A child that is done waits for the next job of its tenant, until
// its place is needed for another.
type Pool struct {
	// Command starts a child; empty stands for this very program.
	Command []string
	// Most is how many children there are at a time; 0 stands for as many as there are processors, two at least.
	Most int
	// Time is how long a run may take; 0 stands for MaxTime.
	Time time.Duration

	mu      sync.Mutex
	folder  string // where children are: empty, and theirs alone
	busy    map[string]int
	running map[*worker]bool
	idle    []*worker // those used last are at the end
	queue   []*ticket
	places  int // taken by children, busy and idle
	closed  bool
}

// ErrClosed is what a pool answers that is closed.
var ErrClosed = errors.New("functions are no longer run here")

// ticket is somebody who waits for a child. A nil worker stands for a place to start one in.
type ticket struct {
	tenant string
	turn   chan *worker
}

// Run carries out a job. An error means that it did not run, or was given up because the context ended.
func (p *Pool) Run(ctx context.Context, job Job) (Result, error) {
	w, err := p.take(ctx, job.Tenant)
	if err != nil {
		return Result{}, err
	}
	r, fit := w.run(ctx, job, cmp.Or(p.Time, MaxTime))
	if !fit {
		w.stop()
	}
	p.giveBack(job.Tenant, w, fit)
	return r, ctx.Err()
}

func (p *Pool) most() int {
	if p.Most > 0 {
		return p.Most
	}
	return max(runtime.GOMAXPROCS(0), 2)
}

// mostOf is how many of the children one tenant keeps busy: one is always left for the others.
func (p *Pool) mostOf() int { return max(p.most()-1, 1) }

// take waits for a child of the tenant's.
func (p *Pool) take(ctx context.Context, tenant string) (*worker, error) {
	t := &ticket{tenant: tenant, turn: make(chan *worker, 1)}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	p.queue = append(p.queue, t)
	p.next()
	p.mu.Unlock()
	select {
	case w, open := <-t.turn:
		return p.ready(t, w, open)
	case <-ctx.Done():
		p.mu.Lock()
		i := slices.Index(p.queue, t)
		if i >= 0 {
			p.queue = slices.Delete(p.queue, i, i+1)
		}
		p.mu.Unlock()
		if i < 0 { // its turn had come meanwhile
			if w, open := <-t.turn; open {
				p.giveBack(tenant, w, w != nil)
			}
		}
		return nil, ctx.Err()
	}
}

// ready is the child of a ticket whose turn has come; if there is none, it is started.
func (p *Pool) ready(t *ticket, w *worker, open bool) (*worker, error) {
	if !open {
		return nil, ErrClosed
	}
	if w == nil || w.tenant != t.tenant {
		if w != nil {
			w.stop()
		}
		started, err := p.start(t.tenant)
		if err != nil {
			p.giveBack(t.tenant, nil, false)
			return nil, err
		}
		w = started
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running == nil {
		p.running = map[*worker]bool{}
	}
	p.running[w] = true
	return w, nil
}

func (p *Pool) start(tenant string) (*worker, error) {
	p.mu.Lock()
	folder, err := p.folder, error(nil)
	if folder == "" {
		if folder, err = os.MkdirTemp("", "daybook-functions-"); err == nil {
			p.folder = folder
		}
	}
	p.mu.Unlock()
	if err != nil {
		return nil, err
	}
	command := p.Command
	if len(command) == 0 {
		command = []string{self(), Command}
	}
	return startWorker(command, folder, tenant)
}

// next gives places to those who wait longest, leaving out tenants that have as many as they may. The caller holds mu.
func (p *Pool) next() {
	if p.busy == nil {
		p.busy = map[string]int{}
	}
	for i := 0; i < len(p.queue); {
		t := p.queue[i]
		if p.busy[t.tenant] >= p.mostOf() {
			i++
			continue
		}
		w, ok := p.place(t.tenant)
		if !ok {
			return
		}
		p.busy[t.tenant]++
		p.queue = slices.Delete(p.queue, i, i+1)
		t.turn <- w
	}
}

// place finds an idle child of the tenant's, room for another, or the idle child of another tenant that was used least recently.
func (p *Pool) place(tenant string) (*worker, bool) {
	for i := len(p.idle) - 1; i >= 0; i-- {
		if w := p.idle[i]; w.tenant == tenant {
			p.idle = slices.Delete(p.idle, i, i+1)
			return w, true
		}
	}
	if p.places < p.most() {
		p.places++
		return nil, true
	}
	if len(p.idle) > 0 {
		w := p.idle[0]
		p.idle = slices.Delete(p.idle, 0, 1)
		return w, true
	}
	return nil, false
}

// giveBack ends a tenant's use of a place, whose child may serve again if it is fit.
func (p *Pool) giveBack(tenant string, w *worker, fit bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.running, w)
	if p.busy[tenant]--; p.busy[tenant] == 0 {
		delete(p.busy, tenant)
	}
	if fit && !p.closed {
		if p.stay(w) {
			return
		}
		p.idle = append(p.idle, w)
	} else {
		p.places--
		if fit {
			w.stop()
		}
	}
	p.next()
}

// mostInARow is how many jobs of one tenant a child takes before those who wait longer: a child for another tenant has to be started.
const mostInARow = 16

// stay has a child go on with the next job of its tenant, if there is one and it is not yet others' turn. The caller holds mu.
func (p *Pool) stay(w *worker) bool {
	i := slices.IndexFunc(p.queue, func(t *ticket) bool { return t.tenant == w.tenant })
	if i < 0 || i > 0 && w.row >= mostInARow {
		w.row = 0
		return false
	}
	t := p.queue[i]
	p.queue = slices.Delete(p.queue, i, i+1)
	p.busy[t.tenant]++
	w.row++
	t.turn <- w
	return true
}

// Close ends every child, those that are at work included.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, t := range p.queue {
		close(t.turn)
	}
	p.queue = nil
	for w := range p.running {
		_ = w.cmd.Process.Kill() // whoever waits for it sees it end
	}
	for _, w := range p.idle {
		w.stop()
	}
	p.places -= len(p.idle)
	p.idle = nil
	if p.folder != "" {
		_ = os.RemoveAll(p.folder)
	}
}

// self is this program, also when its file was replaced since it started.
func self() string {
	if _, err := os.Stat("/proc/self/exe"); err == nil {
		return "/proc/self/exe"
	}
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}
