package webhook

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/outbound"
	"daybook/internal/base/secret"
)

// Sender brings deliveries to their receivers. Any number of processes may send from one store: a delivery is in the hand of
// one of them at a time.
//
// A delivery that is due in the store is claimed by the process that has room for it; one that was just written goes straight
// into its lane. From there an attempt flies, what came of it is written down together with others, and the delivery is in
// nobody's hand again.
type Sender struct {
	DB       *db.DB
	IDs      *id.Source
	Keys     *secret.Keys
	Outbound Courier
	// Host runs hosted functions.
	Host Host
	Log  *slog.Logger
	// Clock is the product's: what is due, and when something was sent.
	Clock clock.Clock
	// Machine is the machine's clock, for signs of life between processes. Turning the product's clock must not make a
	// process look dead.
	Machine clock.Clock
	// Observe, if not nil, is told of every attempt, for metrics.
	Observe func(Observation)

	memory    memory
	revisions revisions
	node      node

	mu      sync.Mutex
	traffic *traffic
	stopped bool // nothing more takes off
	hurry   int  // those who wait for everything due: nobody rests meanwhile
	hand    map[holding]bool
	missing map[holding]bool // at the last look

	records  recorder
	wanted   wanted
	wake     chan struct{} // the claimer: something may be due, or a lane has room again
	progress broadcast     // something was written down

	ctx     context.Context // of the attempts under way
	cancel  context.CancelFunc
	loops   sync.WaitGroup // pilots among them
	flights sync.WaitGroup
	next    chan flight  // to a pilot who rests
	resting atomic.Int64 // how many do
	quit    chan struct{}
}

// Courier makes one request to an address that a stranger chose. *outbound.Client is the one that guards.
type Courier interface {
	Do(context.Context, outbound.Request) (*outbound.Response, error)
}

// Observation is one attempt, or one delivery that was dropped instead, for metrics.
type Observation struct {
	Delivered bool
	Dropped   bool
	Duration  time.Duration
}

// sweepEvery is how often the store is asked for what has become due: retries, and what other processes left.
const sweepEvery = time.Second

// Start shows a sign of life, takes back what dead processes had in hand, and begins to send.
func (s *Sender) Start(ctx context.Context) error {
	s.traffic = newTraffic()
	s.wake = make(chan struct{}, 1)
	s.quit = make(chan struct{})
	s.next = make(chan flight)
	s.records.wake = make(chan struct{}, 1)
	s.wanted.wake = make(chan struct{}, 1)
	s.ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if err := s.enter(ctx); err != nil {
		return err
	}
	if err := s.releaseDead(ctx); err != nil {
		return err
	}
	for _, loop := range []func(){s.claimLoop, s.recordLoop, s.rememberLoop, s.tendLoop} {
		s.loops.Go(loop)
	}
	return nil
}

// Stop lets attempts under way finish until ctx ends, writes down what came of them, and puts the rest back for others.
func (s *Sender) Stop(ctx context.Context) {
	s.mu.Lock()
	s.stopped = true
	s.mu.Unlock()
	landed := make(chan struct{})
	go func() {
		s.flights.Wait()
		close(landed)
	}()
	select {
	case <-landed:
	case <-ctx.Done():
		s.cancel() // what is under way is given up, and made again elsewhere
		<-landed
	}
	close(s.quit)
	s.loops.Wait()
	s.cancel()
	s.leave(context.WithoutCancel(ctx))
}

// adopt decides which new deliveries this process sends itself, and has them sent once they are committed. The others are
// looked for in the store.
func (s *Sender) adopt(tx *db.Tx, list []Delivery) {
	var mine, others []Delivery
	owner := s.node.id()
	s.mu.Lock()
	for i := range list {
		d := &list[i]
		if owner != nil && !s.stopped && s.traffic.open(s.traffic.lane(d.WebhookID, d.AppID)) {
			d.Owner = owner
			mine = append(mine, *d)
		} else {
			others = append(others, *d)
		}
	}
	s.mu.Unlock()
	tx.AfterCommit(func() {
		s.mu.Lock()
		s.take(mine)
		for _, d := range mine {
			s.traffic.add(s.traffic.lane(d.WebhookID, d.AppID), d)
		}
		for _, d := range others {
			s.traffic.expect(s.traffic.lane(d.WebhookID, d.AppID))
		}
		s.launch()
		for _, d := range mine {
			s.traffic.lane(d.WebhookID, d.AppID).judgeAgain()
		}
		s.mu.Unlock()
		if len(others) > 0 {
			s.notice()
		}
	})
}

// expect has the store asked for a webhook's due deliveries.
func (s *Sender) expect(webhookID, appID string) {
	s.mu.Lock()
	s.traffic.expect(s.traffic.lane(webhookID, appID))
	s.mu.Unlock()
	s.notice()
}

// notice wakes the claimer.
func (s *Sender) notice() { signal(s.wake) }

func signal(wake chan struct{}) {
	select {
	case wake <- struct{}{}:
	default: // it is about to look anyway
	}
}

// launch starts every attempt that may start now. The caller holds mu.
func (s *Sender) launch() {
	for !s.stopped {
		f, ok := s.traffic.depart()
		if !ok {
			return
		}
		s.flights.Add(1)
		select {
		case s.next <- f:
		default: // no pilot rests
			s.loops.Go(func() { s.pilot(f) })
		}
	}
}

// mostResting is how many pilots wait for their next flight rather than end. A new goroutine would first have to grow its stack to
// what a request takes, which costs as much as writing its outcome down.
const mostResting = 64

// pilot makes one flight after another.
func (s *Sender) pilot(f flight) {
	for {
		rest := s.fly(f)
		s.flights.Done()
		if !rest {
			return
		}
		select {
		case f = <-s.next:
			s.resting.Add(-1)
		case <-s.quit:
			return
		}
	}
}

// fly makes an attempt, and reports whether its pilot may rest.
func (s *Sender) fly(f flight) (rest bool) {
	o := s.attempt(s.ctx, f.delivery)
	s.records.add(o)
	if rest = s.resting.Add(1) <= mostResting; !rest {
		s.resting.Add(-1)
	}
	s.mu.Lock()
	var pause time.Duration
	if o.attempt != nil && s.hurry == 0 {
		pause = s.traffic.charge(f.lane, o.loss, s.Machine.Now())
	}
	s.traffic.land(f, o.verdict, o.host)
	s.launch()
	wants := len(s.traffic.wants) > 0
	s.mu.Unlock()
	if pause > 0 {
		s.loops.Go(func() { s.rest(f.lane, pause) })
	}
	if wants {
		s.notice()
	}
	return rest
}

// rest ends a lane's rest after a while.
func (s *Sender) rest(l *lane, pause time.Duration) {
	if !s.pause(pause) {
		return
	}
	s.mu.Lock()
	s.traffic.wake(l)
	s.launch()
	s.mu.Unlock()
}

// claimLoop takes due deliveries from the store whenever there may be some and there is room.
func (s *Sender) claimLoop() {
	for {
		s.sweep(s.ctx)
		alarm := s.Clock.Alarm(s.Clock.Now().Add(sweepEvery))
		for again := true; again; {
			select {
			case <-s.quit:
				alarm.Stop()
				return
			case <-s.wake:
				s.claimAll(s.ctx)
			case <-alarm.C:
				again = false
			}
		}
	}
}

// sweep asks the store which webhooks have something due, and claims it.
func (s *Sender) sweep(ctx context.Context) {
	var due []string
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		due, err = dueWebhooks(ctx, tx, s.Clock.Now())
		return err
	})
	if err != nil {
		s.trouble(ctx, "the store was not asked for due deliveries", err)
		return
	}
	s.mu.Lock()
	s.traffic.tidy()
	for _, webhookID := range due {
		s.traffic.expect(s.traffic.lane(webhookID, ""))
	}
	s.mu.Unlock()
	s.claimAll(ctx)
}

// claimTogether is how many lanes are served by one transaction.
const claimTogether = 64

// claimAll claims for every lane that has room, until none wants more.
func (s *Sender) claimAll(ctx context.Context) {
	for {
		s.mu.Lock()
		var lanes []*lane
		var takes []int
		owner := s.node.id()
		if !s.stopped && owner != nil {
			lanes, takes = s.traffic.hungry(claimTogether)
		}
		s.mu.Unlock()
		if len(lanes) == 0 {
			return
		}
		claimed, err := s.claim(ctx, *owner, lanes, takes)
		s.mu.Lock()
		for i, l := range lanes {
			s.take(claimed[i])
			s.traffic.claimed(l, takes[i], claimed[i])
		}
		s.launch()
		s.mu.Unlock()
		if err != nil {
			s.trouble(ctx, "due deliveries were not claimed", err)
			return
		}
	}
}

func (s *Sender) claim(ctx context.Context, owner string, lanes []*lane, takes []int) ([][]Delivery, error) {
	claimed := make([][]Delivery, len(lanes)) // nothing, if it fails: the next sweep finds it again
	err := s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		for i, l := range lanes {
			if claimed[i], err = claim(ctx, tx, l.webhookID, owner, takes[i]); err != nil {
				return err
			}
			sortDeliveries(claimed[i])
		}
		return nil
	})
	if err != nil {
		clear(claimed)
	}
	return claimed, err
}

// trouble logs what a loop could not do. It is tried again in its rhythm.
func (s *Sender) trouble(ctx context.Context, what string, err error) {
	if ctx.Err() == nil && !errors.Is(err, context.Canceled) {
		s.Log.Error("webhooks: "+what, "error", err)
	}
}
