package contract_test

import (
	"net/http"
	"testing"
	"time"

	"daybook/test/harness"
)

// now reads the instant of an answer of /dev/clock.
func now(t *testing.T, a harness.Answer) time.Time {
	t.Helper()
	if a.Status != http.StatusOK {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	body := a.JSON(t)
	text, _ := body["now"].(string)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || len(body) != 1 || at.Location() != time.UTC {
		t.Fatalf("not one instant in UTC: %s", a.Body)
	}
	return at
}

// slack is how long a request may take on a busy machine: the clock runs on meanwhile.
const slack = 10 * time.Second

func about(t *testing.T, what string, got, want time.Time) {
	t.Helper()
	if d := got.Sub(want); d < 0 || d > slack {
		t.Errorf("%s: the clock shows %v, want %v and a little", what, got, want)
	}
}

func TestTheClockCanBeMovedForward(t *testing.T) {
	harness.EachStore(t, func(t *testing.T, n *harness.Node) {
		address, c := n.BaseURL+"/dev/clock", plain(t)
		about(t, "at first", now(t, harness.Get(t, c, address)), n.Now)
		for _, step := range []struct {
			text string
			by   time.Duration
		}{
			{"0s", 0}, {"61m", 61 * time.Minute}, {"36h", 36 * time.Hour}, {"1h30m15s", 90*time.Minute + 15*time.Second},
			{"1d", 24 * time.Hour}, {"30d", 30 * 24 * time.Hour}, {"2d12h", 60 * time.Hour}, {"1500ms", 1500 * time.Millisecond},
		} {
			before := now(t, harness.Get(t, c, address))
			about(t, "advance "+step.text, now(t, harness.PostJSON(t, c, address, `{"advance":"`+step.text+`"}`)), before.Add(step.by))
			about(t, "after advance "+step.text, now(t, harness.Get(t, c, address)), before.Add(step.by))
		}
		to := now(t, harness.Get(t, c, address)).Add(400 * 24 * time.Hour).Truncate(time.Second)
		about(t, "set", now(t, harness.PostJSON(t, c, address, `{"set":"`+to.Format(time.RFC3339)+`"}`)), to)
		to = to.Add(time.Hour)
		amsterdam := to.In(time.FixedZone("", 3600)).Format(time.RFC3339)
		about(t, "set in another zone", now(t, harness.PostJSON(t, c, address, `{"set":"`+amsterdam+`"}`)), to)
	})
}

func TestTheClockRefuses(t *testing.T) {
	harness.EachStore(t, func(t *testing.T, n *harness.Node) {
		address, c := n.BaseURL+"/dev/clock", plain(t)
		before := now(t, harness.Get(t, c, address))
		for _, one := range []struct{ name, body string }{
			{"neither", `{}`},
			{"both", `{"advance":"1m","set":"2099-01-01T00:00:00Z"}`},
			{"both, one of them garbage", `{"advance":"1m","set":"x"}`},
			{"an empty duration", `{"advance":""}`},
			{"a number without a unit", `{"advance":"61"}`},
			{"a negative duration", `{"advance":"-1m"}`},
			{"a negative part behind days", `{"advance":"1d-1h"}`},
			{"negative days", `{"advance":"-1d"}`},
			{"days at the end", `{"advance":"1h1d"}`},
			{"a word", `{"advance":"tomorrow"}`},
			{"blanks", `{"advance":" 1m "}`},
			{"an instant for a duration", `{"advance":"2099-01-01T00:00:00Z"}`},
			{"a duration for an instant", `{"set":"1m"}`},
			{"a date without a time", `{"set":"2099-01-01"}`},
			{"an instant without a zone", `{"set":"2099-01-01T00:00:00"}`},
			{"a day that does not exist", `{"set":"2099-02-30T00:00:00Z"}`},
			{"an empty instant", `{"set":""}`},
			{"a member in capitals", `{"ADVANCE":"1d"}`},
		} {
			t.Run("SERR-02 "+one.name, func(t *testing.T) {
				if r := standard(t, harness.PostJSON(t, c, address, one.body), http.StatusBadRequest); len(r.fields) == 0 {
					t.Errorf("no array: %q", r.text)
				}
			})
		}
		for _, back := range []string{before.Add(-time.Minute).Format(time.RFC3339), "0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z"} {
			t.Run("SERR-01 back to "+back[:4], func(t *testing.T) {
				r := standard(t, harness.PostJSON(t, c, address, `{"set":"`+back+`"}`), http.StatusBadRequest)
				if r.Code == nil || *r.Code != "CLOCK_BACKWARDS" || len(r.Params) != 1 {
					t.Errorf("%q, params %v", r.text, r.Params)
				}
			})
		}
		about(t, "after all refusals", now(t, harness.Get(t, c, address)), before)
	})
}

// The clock keeps its promise at the far end too: it never shows an earlier instant than before, and it stands where it
// was put.
func TestTheClockAtTheEndOfTime(t *testing.T) {
	n := harness.Dev(t, harness.Options{})
	address, c := n.BaseURL+"/dev/clock", plain(t)
	last := now(t, harness.Get(t, c, address))
	for _, body := range []string{
		`{"set":"2200-01-01T00:00:00Z"}`, `{"advance":"99999d"}`, `{"advance":"99999d"}`, `{"advance":"99999d2562047h"}`,
		`{"set":"9999-12-31T23:59:59Z"}`, `{"advance":"99999d"}`,
	} {
		a := harness.PostJSON(t, c, address, body)
		if a.Status != http.StatusOK && a.Status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", body, a.Status, a.Body)
		}
		at := now(t, harness.Get(t, c, address))
		if at.Before(last) {
			t.Errorf("%s: the clock went back from %v to %v", body, last, at)
		}
		if a.Status == http.StatusOK && body == `{"set":"9999-12-31T23:59:59Z"}` && at.Year() < 9999 {
			t.Errorf("%s was accepted, and the clock shows %v", body, at)
		}
		last = at
	}
}
