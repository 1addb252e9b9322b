package limit_test

import (
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/limit"
)

// With the machine's own clock, many callers, and a server that fails in every way, one after the other: every
// call gets a sane answer, nothing stalls, and in the end Redis counts again.
func TestUnderFire(t *testing.T) {
	p := newProxy(t, newFakeRedis(t).address())
	back := make(chan struct{}, 100)
	l := limit.NewResilient(limit.Parts{
		Redis: openRedis(t, p.url(), clock.System{}), Local: limit.NewLocal(clock.System{}), Clock: clock.System{},
		Log: slog.New(slog.DiscardHandler),
		OnChange: func(degraded bool) {
			if !degraded {
				back <- struct{}{}
			}
		},
	})
	defer l.Close()
	troubles := []func(){p.hold, p.cut, func() { p.garble("*1\r\n:x\r\n") }, p.pass, p.hold, p.pass, p.cut}

	r, o := rule(50, time.Hour), lockout(20, time.Hour, time.Hour)
	var calls, trouble atomic.Int64
	crowd(8, func() {
		for range 400 {
			if calls.Add(1)%400 == 0 {
				troubles[int(trouble.Add(1)-1)%len(troubles)]()
			}
			if w := take(l, r, "k"); w.Limit != 50 || w.Remaining < 0 || w.Remaining > 49 || w.Reset <= 0 || w.Reset > time.Hour {
				t.Errorf("window %+v", w)
			}
			fail(l, o, "k", 1)
			if rest := locked(l, o, "k"); rest < 0 || rest > time.Hour {
				t.Errorf("locked for %v", rest)
			}
		}
	})
	p.pass()
	for l.Degraded() {
		<-back
	}
	if take(l, r, "k").Allowed || locked(l, o, "k") == 0 {
		t.Error("the counts were lost")
	}
}
