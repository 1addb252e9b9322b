package webhook

import (
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// What flies keeps to every limit, whatever happens in whatever order; what waits flies once there is room; and nothing is
// forgotten.
func TestTrafficKeepsToItsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		traffic := newTraffic()
		var under []flight
		store := map[string]int{} // what waits in the store, by webhook
		added, landed := 0, 0
		some := func() *lane {
			n := rapid.IntRange(0, 5).Draw(t, "lane")
			return traffic.lane("whk_"+strconv.Itoa(n), "app_"+strconv.Itoa(n%2))
		}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				l := some()
				for range rapid.IntRange(1, 200).Draw(t, "n") {
					if added++; traffic.open(l) {
						traffic.add(l, Delivery{WebhookID: l.webhookID, AppID: l.app.name})
					} else {
						store[l.webhookID]++
						traffic.expect(l)
					}
				}
			},
			"depart": func(t *rapid.T) {
				for range rapid.IntRange(1, 300).Draw(t, "n") {
					f, ok := traffic.depart()
					if !ok {
						break
					}
					under = append(under, f)
				}
			},
			"land": func(t *rapid.T) {
				for range rapid.IntRange(1, 100).Draw(t, "n") {
					if len(under) == 0 {
						return
					}
					i := rapid.IntRange(0, len(under)-1).Draw(t, "which")
					f := under[i]
					under = append(under[:i], under[i+1:]...)
					landed++
					traffic.held--
					traffic.charge(f.lane, loss(rapid.SampledFrom([]int{0, 1, 2, 2, 2}).Draw(t, "loss")), time.Time{})
					traffic.land(f, verdict(rapid.IntRange(0, 2).Draw(t, "verdict")), "host"+f.lane.webhookID[4:5])
				}
			},
			"wake": func(*rapid.T) { traffic.wake(some()) },
			"claim": func(t *rapid.T) {
				lanes, takes := traffic.hungry(rapid.IntRange(1, 4).Draw(t, "most"))
				for i, l := range lanes {
					n := min(takes[i], store[l.webhookID])
					store[l.webhookID] -= n
					traffic.claimed(l, takes[i], make([]Delivery, n))
				}
			},
			"": func(t *rapid.T) {
				perLane, perApp, perHost := map[*lane]int{}, map[*group]int{}, map[*group]int{}
				for _, f := range under {
					perLane[f.lane]++
					perApp[f.app]++
					perHost[f.host]++
				}
				waiting, stored := 0, 0
				for _, l := range traffic.lanes {
					waiting += len(l.waiting)
					if l.flying != perLane[l] || l.flying > laneMost || l.room < laneLeast || l.room > laneMost {
						t.Fatalf("%+v has %d under way", l, perLane[l])
					}
					if store[l.webhookID] > 0 && !l.backlog && !l.claiming {
						t.Fatalf("%s does not know of %d in the store", l.webhookID, store[l.webhookID])
					}
				}
				for _, n := range store {
					stored += n
				}
				for g, n := range perApp {
					if g != nil && (n != g.flying || n > mostPerApp) {
						t.Fatalf("%d of %s under way, it says %d", n, g.name, g.flying)
					}
				}
				for g, n := range perHost {
					if g != nil && (n != g.flying || n > MostPerHost) {
						t.Fatalf("%d to %s under way, it says %d", n, g.name, g.flying)
					}
				}
				if added != landed+len(under)+waiting+stored || traffic.flying != len(under) || traffic.held != waiting+len(under) {
					t.Fatalf("%d added; %d landed, %d under way, %d waiting, %d in the store; held %d", added, landed, len(under), waiting, stored, traffic.held)
				}
			},
		})
		// In the end everything flies.
		traffic.wakeAll()
		for range 100_000 {
			for f, ok := traffic.depart(); ok; f, ok = traffic.depart() {
				under = append(under, f)
			}
			lanes, takes := traffic.hungry(4)
			for i, l := range lanes {
				n := min(takes[i], store[l.webhookID])
				store[l.webhookID] -= n
				traffic.claimed(l, takes[i], make([]Delivery, n))
			}
			if len(under) == 0 && len(lanes) == 0 {
				break
			}
			for _, f := range under {
				landed++
				traffic.held--
				traffic.land(f, quick, "")
			}
			under = nil
		}
		if landed != added {
			t.Fatalf("of %d only %d have flown", added, landed)
		}
	})
}

// One that hangs takes next to nothing from the others (DLIV-06).
func TestALaneThatHangsShrinks(t *testing.T) {
	traffic := newTraffic()
	bad, good := traffic.lane("bad", "a"), traffic.lane("good", "b")
	flown := map[*lane]int{}
	for range 200 {
		for _, l := range []*lane{bad, good} {
			for traffic.open(l) {
				traffic.add(l, Delivery{})
			}
		}
		var under []flight
		for f, ok := traffic.depart(); ok; f, ok = traffic.depart() {
			under = append(under, f)
		}
		for _, f := range under {
			flown[f.lane]++
			traffic.held--
			if f.lane == bad {
				traffic.land(f, troubled, "")
			} else {
				traffic.land(f, quick, "")
			}
		}
	}
	if int(bad.room) != laneLeast || good.room < 30 || flown[bad] > 300 || flown[good] < 3000 {
		t.Errorf("room %v and %v, flown %d and %d", bad.room, good.room, flown[bad], flown[good])
	}
}
