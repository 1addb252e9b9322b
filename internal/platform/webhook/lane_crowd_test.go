package webhook

import (
	"strconv"
	"testing"
)

// fill gives every lane as much as it takes, and starts everything that may start.
func fill(traffic *traffic, lanes []*lane) (under []flight) {
	for _, l := range lanes {
		for traffic.open(l) {
			traffic.add(l, Delivery{})
		}
	}
	for f, ok := traffic.depart(); ok; f, ok = traffic.depart() {
		under = append(under, f)
	}
	return under
}

func manyLanes(traffic *traffic, name string, n int) (lanes []*lane) {
	for i := range n {
		lanes = append(lanes, traffic.lane(name+strconv.Itoa(i), name+strconv.Itoa(i/10)))
	}
	return lanes
}

// A few receivers get all the room they can use; when very many are served at a time, all go back to a few each, so that
// connections are used again instead of being made anew.
func TestACrowdDoesNotGrow(t *testing.T) {
	traffic := newTraffic()
	lanes := manyLanes(traffic, "one", 200)
	few, all := lanes[:4], lanes
	for range 2000 {
		for _, f := range fill(traffic, few) {
			traffic.held--
			traffic.land(f, quick, "")
		}
	}
	for _, l := range few {
		if l.room < mostPerApp/4 { // they are one app's
			t.Fatalf("one of a few has room for %v", l.room)
		}
	}
	under := fill(traffic, all)
	for n := range 100_000 { // as it is: what lands makes place for the next
		f := under[0]
		under = under[1:]
		traffic.held--
		traffic.land(f, quick, "")
		under = append(under, fill(traffic, []*lane{f.lane})...)
		if most := len(all)*laneFew + len(all)/10; n > 10_000 && len(under) > most {
			t.Fatalf("after %d, %d are under way, want at most %d", n, len(under), most)
		}
	}
	for _, l := range all {
		if l.room > 2*laneFew {
			t.Fatalf("one of many has room for %v", l.room)
		}
	}
	for _, f := range under {
		traffic.land(f, troubled, "")
	}
	if traffic.eager != 0 || traffic.flying != 0 {
		t.Errorf("%d and %d are under way when nothing is", traffic.eager, traffic.flying)
	}
}

// Receivers that hang are no crowd: however many there are, one that answers gets its room (DLIV-06).
func TestThoseWhoHangAreNoCrowd(t *testing.T) {
	traffic := newTraffic()
	bad, good := manyLanes(traffic, "bad", 400), manyLanes(traffic, "good", 1)
	for _, f := range fill(traffic, bad) {
		traffic.held--
		traffic.land(f, troubled, "") // each has shrunk once, and hangs from now on
	}
	hanging := fill(traffic, bad)
	for range 2000 {
		for _, f := range fill(traffic, good) {
			if f.lane == good[0] {
				traffic.held--
				traffic.land(f, quick, "")
			}
		}
	}
	if len(hanging) < len(bad) || good[0].room < laneMost-1 {
		t.Errorf("%d hang; the one that answers has room for %v", len(hanging), good[0].room)
	}
}

// A lane that never has anything waiting needs no more room, and has not gathered any when the others need theirs.
func TestRoomGrowsByNeed(t *testing.T) {
	traffic := newTraffic()
	l := traffic.lane("one", "app")
	for range 1000 {
		traffic.add(l, Delivery{})
		f, _ := traffic.depart()
		traffic.held--
		traffic.land(f, quick, "")
	}
	if l.room != laneStart {
		t.Errorf("room for %v", l.room)
	}
}
