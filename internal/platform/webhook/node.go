package webhook

import (
	"context"
	"encoding/binary"
	"slices"
	"sync"
	"time"

	"crypto/rand"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

// node is this process among those that send.
//
// A process shows a sign of life that the store itself takes down when the process ends (db.Presence); whoever sees it gone
// puts back what that process had in hand. A process that stands still without ending keeps its sign: it is taken for dead
// when its beat has not risen for staleAfter, and what it writes afterwards does not count.
type node struct {
	mu       sync.Mutex
	name     string // empty: not entered
	presence *db.Presence

	looking sync.Mutex          // one look at the others at a time
	seen    map[string]sighting // of the others, at the last one
}

// sighting is when a node's beat was last seen to rise, by this machine's clock.
type sighting struct {
	beat int64
	at   time.Time
}

const (
	tendEvery  = time.Second
	beatEvery  = 10 * time.Second
	staleAfter = 40 * time.Second
)

// id names the node; nil while it has no sign of life.
func (n *node) id() *string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.name == "" {
		return nil
	}
	name := n.name
	return &name
}

// enter shows a sign of life, and only then puts the node on the list: nobody finds it listed without one.
func (s *Sender) enter(ctx context.Context) error {
	var random [8]byte
	rand.Read(random[:]) // never fails: crypto/rand.Read ends the process instead
	key := int64(binary.BigEndian.Uint64(random[:]) >> 1)
	presence, err := s.DB.Present(ctx, key)
	if err != nil {
		return err
	}
	name := s.IDs.New(id.Node)
	if err := s.DB.Write(ctx, func(tx *db.Tx) error { return insertNode(ctx, tx, name, key) }); err != nil {
		presence.Close()
		return err
	}
	s.node.mu.Lock()
	s.node.name, s.node.presence = name, presence
	s.node.mu.Unlock()
	return nil
}

// leave puts back what is still in hand, and takes the sign down.
func (s *Sender) leave(ctx context.Context) {
	owner := s.node.id()
	s.node.mu.Lock()
	presence := s.node.presence
	s.node.name, s.node.presence = "", nil
	s.node.mu.Unlock()
	if owner != nil {
		err := s.DB.Write(ctx, func(tx *db.Tx) error { return removeNode(ctx, tx, *owner) })
		if err != nil {
			s.trouble(ctx, "deliveries in hand were not put back; others find them", err)
		}
	}
	if presence != nil {
		presence.Close()
	}
}

// tendLoop looks after this node's sign of life, and after what dead nodes left.
func (s *Sender) tendLoop() {
	var beaten time.Time
	for s.pause(tendEvery) {
		if err := s.tend(s.ctx, &beaten); err != nil {
			s.trouble(s.ctx, "the nodes were not looked after", err)
		}
	}
}

func (s *Sender) tend(ctx context.Context, beaten *time.Time) error {
	alive := true
	if now := s.Machine.Now(); now.Sub(*beaten) >= beatEvery {
		*beaten = now
		var err error
		if alive, err = s.beat(ctx); err != nil {
			return err
		}
		if err := s.lookAgain(ctx); err != nil {
			return err
		}
	}
	if !alive || s.lost() {
		s.Log.Warn("webhooks: this process was taken for dead, or the store has lost sight of it; it begins anew")
		s.forsake()
		if err := s.enter(ctx); err != nil {
			return err
		}
	}
	return s.releaseDead(ctx)
}

// beat shows that this node works, and reports whether it is still on the list.
func (s *Sender) beat(ctx context.Context) (alive bool, err error) {
	name := s.node.id()
	if name == nil {
		return false, nil
	}
	err = s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		alive, err = raiseBeat(ctx, tx, *name)
		return err
	})
	return alive, err
}

func (s *Sender) lost() bool {
	s.node.mu.Lock()
	defer s.node.mu.Unlock()
	if s.node.presence == nil {
		return true
	}
	select {
	case <-s.node.presence.Lost():
		return true
	default:
		return false
	}
}

// forsake lets go of everything in hand under a name that others take for dead. Attempts under way run on; what comes of
// them is not written down if someone else has taken the delivery.
func (s *Sender) forsake() {
	s.node.mu.Lock()
	presence := s.node.presence
	s.node.name, s.node.presence = "", nil
	s.node.mu.Unlock()
	if presence != nil {
		presence.Close()
	}
	s.mu.Lock()
	for _, l := range s.traffic.lanes {
		s.traffic.held -= len(l.waiting)
		for _, d := range l.waiting {
			delete(s.hand, holding{*d.Owner, d.ID})
		}
		l.waiting = nil
	}
	s.mu.Unlock()
}

// releaseDead puts back what dead nodes have in hand, and strikes them off the list. Owners that are not on the list are
// dead, too: something may be committed in a node's name after it was struck off.
func (s *Sender) releaseDead(ctx context.Context) error {
	s.node.looking.Lock()
	defer s.node.looking.Unlock()
	var listed []listedNode
	var having []string
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if listed, err = nodes(ctx, tx); err != nil {
			return err
		}
		having, err = owners(ctx, tx)
		return err
	})
	if err != nil {
		return err
	}
	dead, living, err := s.judge(ctx, listed)
	if err != nil {
		return err
	}
	for _, owner := range having {
		if !slices.Contains(living, owner) && !slices.Contains(dead, owner) {
			dead = append(dead, owner)
		}
	}
	var put int64
	for _, name := range dead {
		err := s.DB.Write(ctx, func(tx *db.Tx) (err error) {
			if put, err = release(ctx, tx, name); err != nil {
				return err
			}
			return deleteNode(ctx, tx, name)
		})
		if err != nil {
			return err
		}
		s.Log.Info("webhooks: a process that sent has ended", "node", name, "deliveries_put_back", put)
	}
	if len(dead) > 0 {
		s.sweep(ctx)
	}
	return nil
}

// judge tells the dead from the living. A node does not take itself for dead because its own beat is late: it is at work here, and
// if others have struck it off meanwhile, it learns so from its next beat.
func (s *Sender) judge(ctx context.Context, listed []listedNode) (dead, living []string, err error) {
	keys := make([]int64, len(listed))
	for i, n := range listed {
		keys[i] = n.presence
	}
	gone, err := s.DB.Gone(ctx, keys)
	if err != nil {
		return nil, nil, err
	}
	now, own := s.Machine.Now(), s.node.id()
	seen := map[string]sighting{}
	for _, n := range listed {
		was, known := s.node.seen[n.name]
		if !known || was.beat != n.beat {
			was = sighting{n.beat, now}
		}
		seen[n.name] = was
		if own != nil && n.name == *own {
			living = append(living, n.name)
			continue
		}
		if slices.Contains(gone, n.presence) || now.Sub(was.at) >= staleAfter {
			dead = append(dead, n.name)
		} else {
			living = append(living, n.name)
		}
	}
	s.node.seen = seen
	return dead, living, nil
}
