package db

import "fmt"

// voyage is a commit on its way to the disk. There is one at a time: while it lasts the writer runs the next group, and commits it when
// the voyage is over.
type voyage struct {
	group   []*job       // those who are told at its end
	owed    func() error // has it on disk
	horizon *horizon

	done chan struct{} // closed at its end; before that, nobody reads what follows
	err  error
}

// arrived is a voyage that is over.
var arrived = func() *voyage {
	v := &voyage{done: make(chan struct{})}
	close(v.done)
	return v
}()

func (v *voyage) underWay() bool { return !isClosed(v.done) }

// sync makes the voyages.
func (w *writer) sync() {
	for v := range w.toSync {
		if err := v.owed(); err != nil {
			v.err = w.breakDown(err)
		}
		w.store.sky.arrive(v.horizon, v.err)
		close(v.done)
		tell(v.group, v.err)
	}
}

// arrived waits for the end of the voyage that is under way.
func (w *writer) arrived() error {
	<-w.voyage.done
	if w.broken == nil {
		w.broken = w.voyage.err
	}
	w.voyage = arrived
	return w.broken
}

// tell tells a group what came of it; lost, if nothing did.
func tell(group []*job, lost error) {
	for _, j := range group {
		if lost != nil && j.err == nil {
			j.err = fmt.Errorf("not written: %w", lost)
		}
		close(j.done)
	}
}
