package pages

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"daybook/internal/platform/webhook"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/identity"
)

func init() {
	for file, both := range map[string]func() (empty, full *httptest.ResponseRecorder){
		"operator-apps.html":   bothWays(operatorAppsPage),
		"operator-app.html":    bothWays(operatorAppPage),
		"operator-users.html":  bothWays(operatorUsersPage),
		"operator-user.html":   bothWays(operatorUserPage),
		"operator-health.html": bothWays(operatorHealthPage),
		"operator-audit.html":  bothWays(operatorAuditPage),
	} {
		everyPage[file] = both
	}
}

func TestHealthIsToldInWords(t *testing.T) {
	in := asOperator{now: noon}
	at := func(before time.Duration) *time.Time { return new(noon.Add(-before)) }
	well := wire.Job{Name: "delivery clean-up", Every: time.Hour, LastAt: at(10 * time.Minute)}
	for name, c := range map[string]struct {
		condition wire.Condition
		tone      string
		words     string
	}{
		"well":               {wire.Condition{Jobs: []wire.Job{well}}, "good", "All is well."},
		"a little late":      {wire.Condition{Queue: webhook.Queue{Waiting: 3, Due: 1, OldestDue: at(30 * time.Second)}}, "good", "All is well."},
		"behind":             {wire.Condition{Queue: webhook.Queue{Due: 9, OldestDue: at(2 * time.Minute)}}, "warn", "Queue of deliveries: behind."},
		"stuck":              {wire.Condition{LimitsAlone: true, Queue: webhook.Queue{Due: 9, OldestDue: at(time.Hour)}}, "bad", "Queue of deliveries: stuck."},
		"Redis is gone":      {wire.Condition{LimitsAlone: true}, "warn", "Limiter: counts alone."},
		"calls are left out": {wire.Condition{LostRequests: 4}, "warn", "Request log: incomplete."},
		"a job failed":       {wire.Condition{Jobs: []wire.Job{well, {Name: "x", Every: time.Hour, LastAt: at(0), Failed: true}}}, "warn", "1 job needs a look."},
		"a job is late":      {wire.Condition{Jobs: []wire.Job{{Name: "x", Every: time.Hour, LastAt: at(5 * time.Hour)}}}, "warn", "1 job needs a look."},
		"a job has not run":  {wire.Condition{Jobs: []wire.Job{{Name: "x", Every: time.Hour}}}, "good", "All is well."},
	} {
		if got := in.healthView(c.condition).Verdict; got.Tone != c.tone || got.Words != c.words {
			t.Errorf("%s: %+v", name, got)
		}
	}
	v := in.healthView(wire.Condition{Jobs: []wire.Job{well}, Queue: webhook.Queue{Waiting: 5, Due: 2, Nodes: []webhook.InHand{{Node: "nod_1", Deliveries: 3}}}})
	if len(v.Kept) != 1 || v.Kept[0].For != "30 days" || v.Kept[0].Last.Ago != "10 min ago" {
		t.Errorf("kept: %+v", v.Kept)
	}
	if tiles := v.Parts[0].Tiles; tiles[0].Figure != "3" || tiles[1].Figure != "2" || tiles[2].Figure != "3" || v.Nodes[0].State.Tone != "warn" {
		t.Errorf("%+v, %+v", tiles, v.Nodes)
	}
}

func TestSizesAreRead(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 999: "999 bytes", 1500: "1.5 kB", 123_456: "123 kB", 7_654_321: "7.7 MB", 12_000_000_000: "12.0 GB", 5_000_000_000_000_000: "5000 TB"} {
		if got := bytesOf(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestDetailsAreReadAsWords(t *testing.T) {
	for details, want := range map[string]string{
		`{}`: "", `{"reason":"sends\u0007 <b>"}`: `reason: sends\x07 <b>`, `{"b":[1,"two"],"a":true,"c":[]}`: "a: true; b: 1, two; c: none", `nonsense`: "details: nonsense",
	} {
		var words []string
		for _, f := range detailWords([]byte(details)) {
			words = append(words, f.Name+": "+f.Value)
		}
		if got := strings.Join(words, "; "); got != want {
			t.Errorf("%s: %q, want %q", details, got, want)
		}
	}
}

func TestWhatHoldsAPersonIsTold(t *testing.T) {
	for want, u := range map[string]identity.User{
		"active": {}, "suspended": {SuspendedAt: &noon}, "restricted": {RestrictedAt: &noon}, "suspended restricted": {SuspendedAt: &noon, RestrictedAt: &noon},
	} {
		var words []string
		for _, s := range userStates(u) {
			words = append(words, s.Word)
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestInstantsOfFilters(t *testing.T) {
	for given, want := range map[string]string{
		"2026-11-14T12:00": "2026-11-14T12:00:00Z", "2026-11-14T12:00:30": "2026-11-14T12:00:30Z", "": "", "yesterday": "", "2026-11-14": "", "2026-13-14T12:00": "",
	} {
		q := newQuery(httptest.NewRequest(http.MethodGet, "/?from="+given, nil), "from")
		got := q.instant("from")
		if want == "" && (!got.IsZero() || q.get("from") != "") || want != "" && got.Format(time.RFC3339) != want {
			t.Errorf("%q: %v", given, got)
		}
	}
}
