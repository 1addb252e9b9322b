package webhook

import "testing"

// What comes into the store while a claim is under way may have come too late for it, and is looked for again.
func TestWhatIsExpectedDuringAClaimIsNotForgotten(t *testing.T) {
	traffic := newTraffic()
	l := traffic.lane("whk_1", "app_1")
	traffic.expect(l)
	lanes, takes := traffic.hungry(1)
	if len(lanes) != 1 || traffic.open(l) {
		t.Fatalf("%d lanes claim, open %t", len(lanes), traffic.open(l))
	}
	traffic.expect(l)
	traffic.claimed(l, takes[0], nil)
	if lanes, takes = traffic.hungry(1); len(lanes) != 1 {
		t.Fatal("nobody looks for it")
	}
	traffic.claimed(l, takes[0], nil)
	if lanes, _ = traffic.hungry(1); len(lanes) != 0 || !traffic.open(l) {
		t.Errorf("%d lanes claim without need, open %t", len(lanes), traffic.open(l))
	}
}
