package devapi

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/fault"
)

var start = time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)

func TestParseAdvance(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		text string
		want time.Duration
		ok   bool
	}{
		{"61m", 61 * time.Minute, true},
		{"36h", 36 * time.Hour, true},
		{"1h30m", 90 * time.Minute, true},
		{"1.5h", 90 * time.Minute, true},
		{"250ms", 250 * time.Millisecond, true},
		{"0s", 0, true},
		{"0d", 0, true},
		{"1d", day, true},
		{"30d", 30 * day, true},
		{"99999d", 99999 * day, true},
		{"1d12h", day + 12*time.Hour, true},
		{"1d0s", day, true},
		{"", 0, false},
		{"d", 0, false},
		{"1", 0, false},
		{"1d1", 0, false},
		{"1d1d", 0, false},
		{"1w", 0, false},
		{"-1m", 0, false},
		{"-1d", 0, false},
		{"1d-1h", 0, false},
		{"1.5d", 0, false},
		{"100000d", 0, false},
		{" 1m", 0, false},
		{"1m ", 0, false},
		{"99999999999999999999h", 0, false},
		{"99999d2562047h", 0, false}, // together more than a duration can hold
	} {
		got, ok := parseAdvance(c.text)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%q: %v, %v; want %v, %v", c.text, got, ok, c.want, c.ok)
		}
	}
}

// api is a clock at start, and a count of how often due things were run.
func api() (API, *int) {
	ran := 0
	return API{Clock: clock.NewMovable(start), Pass: stay, RunDue: func(context.Context) { ran++ }}, &ran
}

func text(s string) *string { return &s }

func TestMove(t *testing.T) {
	for _, c := range []struct {
		name         string
		advance, set *string
		by           time.Duration
		refused      bool
	}{
		{"by an hour", text("1h"), nil, time.Hour, false},
		{"to an instant", nil, text(start.Add(48 * time.Hour).Format(time.RFC3339)), 48 * time.Hour, false},
		{"to the present second", nil, text(start.Add(time.Second).Format(time.RFC3339)), time.Second, false},
		{"neither", nil, nil, 0, true},
		{"both", text("1h"), text("2027-01-01T00:00:00Z"), 0, true},
		{"back", nil, text("2020-01-01T00:00:00Z"), 0, true},
		{"garbage", text("soon"), nil, 0, true},
		{"more garbage", nil, text("soon"), 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, _ := api()
			_, err := a.move(t.Context(), c.advance, c.set)
			if (err != nil) != c.refused || c.refused && fault.KindOf(err) != fault.Invalid {
				t.Fatalf("%v", err)
			}
			if d := a.Clock.Now().Sub(start) - c.by; d < -clock.Resolution || d > 10*time.Second {
				t.Errorf("moved by %v, want %v", a.Clock.Now().Sub(start), c.by)
			}
		})
	}
	t.Run("back says where the clock stands", func(t *testing.T) {
		a, _ := api()
		_, err := a.move(t.Context(), nil, text("2020-01-01T00:00:00Z"))
		if !errors.Is(err, errBackwards) || !strings.Contains(fault.From(err).Text(), "2026-11-14T12:00") {
			t.Error(err)
		}
	})
}

// Two tools that each advance by an hour have together advanced by two.
func TestAdvancesAddUp(t *testing.T) {
	a, _ := api()
	const callers, each = 8, 200
	var wait sync.WaitGroup
	for range callers {
		wait.Go(func() {
			for range each {
				if _, err := a.move(t.Context(), text("1h"), nil); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	if d := a.Clock.Now().Sub(start) - callers*each*time.Hour; d < -clock.Resolution || d > time.Minute {
		t.Errorf("%d advances of an hour moved the clock by %v", callers*each, a.Clock.Now().Sub(start))
	}
}

func TestWhatIsDueRunsBeforeTheAnswer(t *testing.T) {
	for body, want := range map[string]int{`{"advance":"1h"}`: 1, `{"set":"2020-01-01T00:00:00Z"}`: 0, `{}`: 0} {
		a, ran := api()
		mux := http.NewServeMux()
		a.Register(mux)
		r := httptest.NewRequest(http.MethodPost, "/dev/clock", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		if *ran != want || (w.Code == http.StatusOK) != (want == 1) {
			t.Errorf("%s: %d, due things ran %d times", body, w.Code, *ran)
		}
	}
}

// stay finds nothing due on the way.
func stay(context.Context, time.Duration) (time.Duration, error) { return 0, nil }
