package apiversion_test

import (
	"slices"
	"testing"
	"time"

	"daybook/internal/platform/apiversion"
)

const ms = time.Millisecond

func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func TestHowAVersionStands(t *testing.T) {
	first, second := day(2026, 10, 1), day(2027, 6, 1) // the sunsets
	for _, c := range []struct {
		name, version string
		at            time.Time
		want          apiversion.State
	}{
		{"the oldest, a millisecond before its sunset", "2025-03-01", first.Add(-ms), apiversion.Deprecated},
		{"the oldest, at its sunset", "2025-03-01", first, apiversion.Sunset},
		{"the oldest, a millisecond after it", "2025-03-01", first.Add(ms), apiversion.Sunset},
		{"the oldest, a year later", "2025-03-01", first.AddDate(1, 0, 0), apiversion.Sunset},
		{"the oldest, at its sunset seen from Tokyo", "2025-03-01", first.In(time.FixedZone("Tokyo", 9*3600)), apiversion.Sunset},
		{"the oldest, midnight in Tokyo, which is before its sunset", "2025-03-01", time.Date(2026, 10, 1, 0, 0, 0, 0, time.FixedZone("Tokyo", 9*3600)), apiversion.Deprecated},
		{"the middle one, at the sunset of the oldest", "2025-10-01", first, apiversion.Deprecated},
		{"the middle one, a millisecond before its sunset", "2025-10-01", second.Add(-ms), apiversion.Deprecated},
		{"the middle one, at its sunset", "2025-10-01", second, apiversion.Sunset},
		{"the newest, today", "2026-06-01", day(2026, 11, 14), apiversion.Current},
		{"the newest, after the others are gone", "2026-06-01", second, apiversion.Current},
		{"the newest, in a hundred years", "2026-06-01", day(2126, 1, 1), apiversion.Current},
		{"no version", "", first, apiversion.Unknown},
		{"a day without a release", "2026-06-02", first, apiversion.Unknown},
		{"a version and a space", "2026-06-01 ", first, apiversion.Unknown},
		{"a version of an earlier fashion", "v1", first, apiversion.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := apiversion.StateOf(c.version, c.at); got != c.want {
				t.Errorf("%q", got)
			}
			usable := c.want == apiversion.Current || c.want == apiversion.Deprecated
			if got := apiversion.Usable(c.version, c.at); got != usable {
				t.Errorf("usable: %v", got)
			}
		})
	}
}

func TestTheTableOfVersions(t *testing.T) {
	type row struct{ name, sunset string }
	var got []row
	for _, v := range apiversion.All {
		r := row{name: v.Name}
		if v.Sunset != nil {
			r.sunset = v.Sunset.Format(time.DateOnly)
		}
		got = append(got, r)
		if v.Released.Format(time.DateOnly) != v.Name {
			t.Errorf("%s was released on %v", v.Name, v.Released)
		}
		if found, ok := apiversion.Find(v.Name); !ok || found.Name != v.Name {
			t.Errorf("%s is not found", v.Name)
		}
	}
	want := []row{{"2025-03-01", "2026-10-01"}, {"2025-10-01", "2027-06-01"}, {"2026-06-01", ""}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if apiversion.Latest().Name != "2026-06-01" {
		t.Errorf("the newest is %s", apiversion.Latest().Name)
	}
}

// The promise to partners: the later of 18 months after the release and 12 months after the successor's.
func TestEverySunsetKeepsThePromise(t *testing.T) {
	for i, v := range apiversion.All[:len(apiversion.All)-1] {
		successor := apiversion.All[i+1]
		if !v.Released.Before(successor.Released) {
			t.Errorf("%s does not come before %s", v.Name, successor.Name)
		}
		promised := v.Released.AddDate(0, 18, 0)
		if later := successor.Released.AddDate(0, 12, 0); later.After(promised) {
			promised = later
		}
		if v.Sunset == nil || v.Sunset.Before(promised) {
			t.Errorf("%s ends at %v, promised %v", v.Name, v.Sunset, promised)
		}
	}
	if apiversion.Latest().Sunset != nil {
		t.Error("the newest version has a sunset already")
	}
}
