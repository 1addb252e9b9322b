package partnerapi

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"daybook/internal/base/clock"
)

// Whatever the header says, a call speaks a version that is usable now, the very one that was asked for, or is refused in
// few words that name the usable ones.
func FuzzVersionHeader(f *testing.F) {
	for _, header := range []string{"", "2026-06-01", "2025-11-01", "2026-06-01 ", "2026-06-01, 2026-06-01", "latest", strings.Repeat("9", 5000), "ü", strings.Repeat("ü", 60), "\x00"} {
		f.Add(header, false)
		f.Add(header, true)
	}
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	a := &API{ServiceName: "Daybook", Clock: clock.NewHand(now), versionHeader: "Daybook-Version"}
	f.Fuzz(func(t *testing.T, header string, twice bool) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header[a.versionHeader] = []string{header}
		if twice {
			r.Header[a.versionHeader] = []string{header, header}
		}
		w, c := httptest.NewRecorder(), &call{}
		err := a.resolve(c, w, r)
		valid := !twice && slices.Contains(usable(now), header)
		switch {
		case valid != (err == nil):
			t.Fatalf("%q: %v", header, err)
		case valid && (c.version != header || w.Header().Get(a.versionHeader) != header):
			t.Fatalf("%q became %q", header, c.version)
		case !valid && (!errors.Is(err, errVersion) || len(err.Error()) > 600 || !utf8.ValidString(clip(header)) && utf8.ValidString(header)):
			t.Fatalf("%q: refused by %d bytes: %v", header, len(err.Error()), err)
		}
	})
}
