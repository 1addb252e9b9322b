package torture_test

import (
	"fmt"
	"testing"
	"time"
)

// problems are the first few of a kind; more of the same say nothing new.
type problems struct {
	t     testing.TB
	count map[string]int
}

func newProblems(t testing.TB) *problems { return &problems{t, map[string]int{}} }

func (p *problems) add(kind, format string, args ...any) {
	p.t.Helper()
	p.count[kind]++
	if p.count[kind] <= 3 {
		p.t.Errorf(kind+": "+format, args...)
	}
}

// checkChanges proves that everything acknowledged is there, and that everything that is there was told of exactly once: one
// event for each change, one delivery for each event and webhook that must hear of it (I1, I2, HOOK-04).
func (s *hookState) checkChanges(p *problems, w *hookWorld, writers []*hookWriter) {
	p.t.Helper()
	references := map[string]int{}
	for _, i := range s.invoices {
		references[i.reference]++
	}
	for _, one := range writers {
		for id, issued := range one.acknowledged {
			switch is, there := s.invoices[id]; {
			case !there:
				p.add("lost", "invoice %s was acknowledged and is gone", id)
			case issued && is.status == "DRAFT":
				p.add("lost", "invoice %s was issued, acknowledged, and is a draft", id)
			}
		}
		for _, r := range one.references {
			if references[r] != 1 {
				p.add("repeated", "%s was asked for once and is there %d times", r, references[r])
			}
		}
	}
	told := map[string]int{} // by kind and subject
	for _, e := range s.events {
		told[e.kind+" "+e.subject]++
		if _, there := s.invoices[e.subject]; !there && e.kind != "customer.created" {
			p.add("rumour", "a %s tells of %s, which is not there", e.kind, e.subject)
		}
	}
	for id, i := range s.invoices {
		once := 0
		if i.status != "DRAFT" {
			once = 1
		}
		if a, b, c := told["invoice.created "+id], told["invoice.issued "+id], told["journal_entry.posted "+id]; a != 1 || b != once || c != once {
			p.add("events", "invoice %s is %s and has %d created, %d issued, %d posted", id, i.status, a, b, c)
		}
	}
	s.checkDeliveries(p, w)
}

func (s *hookState) checkDeliveries(p *problems, w *hookWorld) {
	p.t.Helper()
	number := map[string]int{}
	for n := range w.businesses {
		number[hookBusiness(n)] = n
	}
	have := map[[2]string]int{} // by event and path
	for id, d := range s.deliveries {
		if _, known := s.events[d.event]; !known {
			p.add("delivery", "%s is of event %s, which is not there", id, d.event)
		}
		have[[2]string{d.event, s.paths[d.webhook]}]++
	}
	for id, e := range s.events {
		for _, path := range w.told[number[s.businesses[e.business]]][e.kind] {
			if n := have[[2]string{id, path}]; n != 1 {
				p.add("delivery", "%s %s has %d deliveries to %s", e.kind, id, n, path)
			}
			delete(have, [2]string{id, path})
		}
	}
	for what, n := range have {
		p.add("delivery", "%s is told %d times of %s, of which it must not hear", what[1], n, what[0])
	}
}

// ladder is the wait after each failure (DLIV-02).
var ladder = []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour}

// checkAttempts compares what was written down with what came (I5): every attempt that was written down came, in its order and
// not before its time, and nothing came of which the store knows no delivery.
func (s *hookState) checkAttempts(p *problems, got []receipt) {
	p.t.Helper()
	came := map[string]int{}
	for _, r := range got {
		came[r.delivery]++
		d, there := s.deliveries[r.delivery]
		if !there || d.event != r.event || s.paths[d.webhook] != r.path {
			p.add("invented", "%s came at %s and the store has %+v", r.delivery, r.path, d)
		}
	}
	for id, d := range s.deliveries {
		tried := s.attempts[id]
		if len(tried) != d.sent || d.attempts != d.sent || d.sent > 6 || came[id] < len(tried) {
			p.add("attempts", "%s %+v: %d written down, %d came", id, d, len(tried), came[id])
		}
		for i, a := range tried {
			last := i == len(tried)-1
			delivered := a.status != nil && *a.status/100 == 2
			if a.number != i+1 || delivered != (last && d.status == "delivered") {
				p.add("attempts", "%s %+v: attempt %d is number %d, status %v", id, d, i+1, a.number, a.status)
			}
			// An attempt's instant is kept in milliseconds, its duration in full ones.
			if !last && tried[i+1].at.Sub(a.at) < ladder[i]+time.Duration(a.ms-2)*time.Millisecond {
				p.add("ladder", "%s: attempt %d at %v, the next at %v", id, i+1, a.at, tried[i+1].at)
			}
		}
		if ended := d.status == "delivered" || d.status == "failed"; ended != (d.due == nil) || ended && d.owner != nil {
			p.add("attempts", "%s stands at %+v", id, d)
		}
	}
}

// checkLife compares what came from one process with the store before it started and after its end. It tells how many of
// those attempts were not written down, which is what may come again. No delivery comes twice from one process; none that
// was delivered before; none before its time; and what was not written down was in the process's hand.
func checkLife(p *problems, before, after *hookState, life int, got []receipt) (unrecorded int) {
	p.t.Helper()
	seen := map[string]bool{}
	for _, r := range got {
		if r.life != life {
			continue
		}
		if seen[r.delivery] {
			p.add("twice", "%s came twice from process %d", r.delivery, life)
		}
		seen[r.delivery] = true
		recorded := len(after.attempts[r.delivery])
		if before != nil {
			was, there := before.deliveries[r.delivery]
			switch {
			case there && was.due == nil:
				p.add("again", "%s was %s, and came again", r.delivery, was.status)
			case there && r.at.Before(was.due.Add(-2*time.Millisecond)):
				p.add("early", "%s was due at %v and came at %v", r.delivery, was.due, r.at)
			}
			recorded -= len(before.attempts[r.delivery])
		}
		switch is := after.deliveries[r.delivery]; {
		case recorded > 1:
			p.add("attempts", "process %d wrote down %d attempts of %s", life, recorded, r.delivery)
		case recorded == 0:
			unrecorded++
			if is.owner == nil {
				p.add("let go", "%s came from process %d, is not written down, and stands at %s", r.delivery, life, fmt.Sprintf("%+v", is))
			}
		}
	}
	return unrecorded
}
