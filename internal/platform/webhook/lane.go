package webhook

import "time"

// How many attempts are under way at a time. A webhook begins with one, so that a node that starts with much to send does not
// connect to everybody at once; each quick success while more is waiting allows one more, each failure and each slow answer
// halves its room. So a fast receiver gets as much as it takes, and one that hangs holds next to nothing, whatever is waiting
// for it (DLIV-06).
const (
	laneStart   = 1
	laneLeast   = 1
	laneFew     = 4
	laneMost    = 64
	mostPerApp  = 128
	MostPerHost = 128 // so many connections to a receiver are worth keeping
	mostFlying  = 2048
	slowAnswer  = 3 * time.Second
	slowBody    = 500 * time.Millisecond // of an answer that is broken off for it: each takes a connection of its own
)

// loss is what an attempt left of its connection. A new one costs more than everything else about a delivery: a few dozen
// receivers that throw theirs away would have this process do nothing but shake hands.
type loss int

const (
	spared    loss = iota // it can be used again, was closed after a proper answer, was never made, or took its time to fail
	brokenOff             // it was broken off: delivered, and no end of the answer in sight
	wasted                // it is gone, and nothing was delivered
)

// Some connections thrown away are nobody's concern. A process bears wasteBorne at once and wasteRate a second, from all webhooks
// together, and lossesBorne in a row from each. Who goes on beyond that rests after each attempt, and makes them one at a time,
// until one does better; what is due meanwhile waits. The more webhooks rest, the longer each does, so that what they cost
// together stays the same, however many they are.
const (
	lossesBorne = 4
	wasteBorne  = 64
	wasteRate   = 32 // a second
	restLeast   = time.Second
	restMost    = time.Minute
	restsEnding = 50 // a second
)

// waste is what of the allowance for connections thrown away is left.
type waste struct {
	left float64
	at   time.Time
}

// spend takes one from the allowance, and reports whether there was one.
func (w *waste) spend(now time.Time) bool {
	w.left = min(w.left+max(now.Sub(w.at).Seconds(), 0)*wasteRate, wasteBorne)
	w.at = now
	if w.left < 1 {
		return false
	}
	w.left--
	return true
}

// crowd is how many attempts at receivers that answer this process does well with. Each takes a connection, and more than can
// be kept open cost a handshake each: throughput falls, and in the end healthy receivers are given up for lack of time here.
// While there are more, nobody's room grows, and what it has grown is given back.
const crowd = 512

// mostHeld is how many deliveries this process has in hand: waiting in lanes, under way, or not yet written down. A lane with
// nothing to do may take a few beyond it, so that receivers that hang cannot use up what the others need.
const mostHeld = 8192

// lane is the queue to one webhook in this process.
type lane struct {
	webhookID string
	app       *group
	host      *group // nil until an attempt has told which it is
	waiting   []Delivery
	flying    int
	room      float64 // how many may fly
	backlog   bool    // there may be more in the store, due and in nobody's hand
	claiming  bool
	wanting   bool // among those that want to claim
	listed    bool // in the ring, or parked at a group
	losses    int  // connections in a row that it has thrown away
	resting   bool
	paced     bool // it has rested, and has not done better since
	troubled  bool // it has failed, or was slow, and has not come back to a few since
}

// most is how much a lane has waiting at most: some of what it sends at a time.
func (l *lane) most() int { return max(4*int(l.room), 4*laneFew) }

// may is how many attempts may fly.
func (l *lane) may() int {
	switch {
	case l.resting:
		return 0
	case l.paced:
		return 1
	}
	return int(l.room)
}

// judgeAgain has everything that waits judged again before it is sent. What was judged is at the end.
func (l *lane) judgeAgain() {
	for i := len(l.waiting) - 1; i >= 0 && l.waiting[i].judged != nil; i-- {
		l.waiting[i].judged = nil
	}
}

// group is what lanes share: an app or a host.
type group struct {
	name   string
	most   int
	flying int
	parked []*lane
}

func (g *group) full() bool { return g != nil && g.flying >= g.most }

// flight is one attempt under way.
type flight struct {
	lane      *lane
	app, host *group
	delivery  Delivery
	eager     bool // its receiver was in no trouble
}

// traffic decides what flies next: round and round over the lanes that have something to send, one from each. It is not
// safe for concurrent use; it knows nothing of time, store or network.
type traffic struct {
	lanes  map[string]*lane
	apps   map[string]*group
	hosts  map[string]*group
	ring   []*lane
	wants  []*lane // to claim, in the order in which they began to
	flying int
	eager  int // those of them whose receivers were in no trouble
	held   int

	waste   waste
	resting int // lanes that do
}

func newTraffic() *traffic {
	return &traffic{lanes: map[string]*lane{}, apps: map[string]*group{}, hosts: map[string]*group{}, waste: waste{left: wasteBorne}}
}

func (t *traffic) lane(webhookID, appID string) *lane {
	l := t.lanes[webhookID]
	if l == nil {
		l = &lane{webhookID: webhookID, room: laneStart}
		t.lanes[webhookID] = l
	}
	if l.app == nil && appID != "" {
		l.app = groupOf(t.apps, appID, mostPerApp)
	}
	return l
}

func groupOf(groups map[string]*group, name string, most int) *group {
	g := groups[name]
	if g == nil {
		g = &group{name: name, most: most}
		groups[name] = g
	}
	return g
}

// room reports whether a lane may take more in hand.
func (t *traffic) room(l *lane) bool {
	return len(l.waiting) < l.most() && (t.held < mostHeld || len(l.waiting)+l.flying < 2)
}

// open reports whether a new delivery may go straight into the lane: nothing older waits in the store, and there is room.
func (t *traffic) open(l *lane) bool { return !l.backlog && !l.claiming && t.room(l) }

// add puts deliveries that this process has in hand into their lane.
func (t *traffic) add(l *lane, list ...Delivery) {
	l.waiting = append(l.waiting, list...)
	t.held += len(list)
	t.list(l)
	t.want(l)
}

// expect notes that there may be something due in the store.
func (t *traffic) expect(l *lane) {
	l.backlog = true
	t.want(l)
}

// want puts a lane that has less in hand than it could send soon among those that claim.
func (t *traffic) want(l *lane) {
	if l.backlog && !l.claiming && !l.wanting && len(l.waiting) <= int(l.room) {
		l.wanting = true
		t.wants = append(t.wants, l)
	}
}

// list puts a lane that has something to send at the end of the ring.
func (t *traffic) list(l *lane) {
	if !l.listed && len(l.waiting) > 0 && l.flying < l.may() {
		l.listed = true
		t.ring = append(t.ring, l)
	}
}

// depart takes what may fly next; nothing when everything waits for something.
func (t *traffic) depart() (flight, bool) {
	for t.flying < mostFlying && len(t.ring) > 0 {
		l := t.ring[0]
		t.ring[0], t.ring = nil, t.ring[1:]
		l.listed = false
		if len(l.waiting) == 0 || l.flying >= l.may() {
			continue
		}
		if full := firstFull(l.app, l.host); full != nil {
			l.listed = true
			full.parked = append(full.parked, l)
			continue
		}
		f := flight{lane: l, app: l.app, host: l.host, delivery: l.waiting[0], eager: !l.troubled}
		if l.waiting[0] = (Delivery{}); len(l.waiting) == 1 {
			l.waiting = l.waiting[:0] // its room is good for the next one
		} else {
			l.waiting = l.waiting[1:]
		}
		t.flying++
		if f.eager {
			t.eager++
		}
		l.flying++
		f.app.count(1)
		f.host.count(1)
		t.list(l)
		return f, true
	}
	return flight{}, false
}

func firstFull(groups ...*group) *group {
	for _, g := range groups {
		if g.full() {
			return g
		}
	}
	return nil
}

func (g *group) count(n int) {
	if g != nil {
		g.flying += n
	}
}

// verdict is what an attempt says about its receiver.
type verdict int

const (
	neither verdict = iota // it was not sent
	quick
	troubled
)

// charge counts what an attempt left of its connection, and tells how long its lane rests from now on; 0: it goes on.
func (t *traffic) charge(l *lane, what loss, now time.Time) time.Duration {
	if what == spared {
		l.losses, l.paced = 0, false
		return 0
	}
	l.losses++
	if t.waste.spend(now) || l.losses <= lossesBorne || l.resting {
		return 0
	}
	l.resting, l.paced = true, true
	t.resting++
	pause := min(max(time.Duration(t.resting)*time.Second/restsEnding, restLeast), restMost)
	if what == brokenOff {
		pause /= 4 // it gets its deliveries
	}
	return pause
}

// wake ends a lane's rest.
func (t *traffic) wake(l *lane) {
	if l.resting {
		l.resting = false
		t.resting--
	}
	t.list(l)
}

// wakeAll ends every rest.
func (t *traffic) wakeAll() {
	for _, l := range t.lanes {
		if l.resting {
			t.wake(l)
		}
	}
}

// land ends a flight. host is where it went, if that is known.
func (t *traffic) land(f flight, v verdict, host string) {
	l := f.lane
	crowded := t.eager > crowd
	t.flying--
	if f.eager {
		t.eager--
	}
	l.flying--
	t.leave(f.app)
	t.leave(f.host)
	switch {
	case v == troubled:
		l.room, l.troubled = max(l.room/2, laneLeast), true
	case v == quick && crowded && l.room >= laneFew:
		l.room = max(l.room-1, laneFew)
	case v == quick && (len(l.waiting) > 0 || l.backlog):
		l.room = min(l.room+1/l.room, laneMost)
	}
	l.troubled = l.troubled && l.room < laneFew
	if host != "" && (l.host == nil || l.host.name != host) {
		l.host = groupOf(t.hosts, host, MostPerHost)
	}
	t.list(l)
	t.want(l)
}

// leave gives a place in a group back, and to whoever waited longest for it.
func (t *traffic) leave(g *group) {
	if g == nil {
		return
	}
	g.flying--
	if len(g.parked) > 0 {
		l := g.parked[0]
		g.parked[0], g.parked = nil, g.parked[1:]
		l.listed = false
		t.list(l)
	}
}

// hungry takes lanes that want to claim, and tells how much each should take.
func (t *traffic) hungry(most int) (list []*lane, takes []int) {
	later := t.wants[:0:0]
	for len(t.wants) > 0 && len(list) < most {
		l := t.wants[0]
		t.wants[0], t.wants = nil, t.wants[1:]
		if !t.room(l) {
			later = append(later, l)
			continue
		}
		l.wanting, l.claiming, l.backlog = false, true, false
		take := 2 * int(l.room)
		if t.held >= mostHeld {
			take = 1
		}
		list, takes = append(list, l), append(takes, take)
	}
	t.wants = append(later, t.wants...)
	return list, takes
}

// claimed ends a claim that took some of what it asked for. What was expected meanwhile it may not have seen.
func (t *traffic) claimed(l *lane, asked int, list []Delivery) {
	l.claiming, l.backlog = false, l.backlog || len(list) == asked
	if len(list) > 0 && l.app == nil {
		l.app = groupOf(t.apps, list[0].AppID, mostPerApp)
	}
	t.add(l, list...)
}

// tidy forgets lanes and groups that have nothing to do, once there are many.
func (t *traffic) tidy() {
	if len(t.lanes) < 1024 {
		return
	}
	for id, l := range t.lanes {
		if len(l.waiting) == 0 && l.flying == 0 && !l.backlog && !l.claiming && !l.wanting && !l.listed && !l.resting {
			delete(t.lanes, id)
		}
	}
	for _, groups := range []map[string]*group{t.apps, t.hosts} {
		used := map[string]bool{}
		for _, l := range t.lanes {
			for _, g := range []*group{l.app, l.host} {
				if g != nil {
					used[g.name] = true
				}
			}
		}
		for name, g := range groups {
			if g.flying == 0 && len(g.parked) == 0 && !used[name] {
				delete(groups, name)
			}
		}
	}
}
