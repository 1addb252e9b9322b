package reqlog_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"daybook/internal/base/clock"
	"daybook/internal/base/id"
	"daybook/internal/platform/reqlog"
	"daybook/internal/schema/dbtest"
)

// words are what may stand in an entry: usual, empty, ids of whatever, and what hostile callers think of.
func words() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "GET", "/invoices/{id}", "2026-06-01", "NOT_FOUND", "biz_01jd6v3q9x4m8r2t7w5y0z1a2b", "\x00_\x00\x0101jd6v3q9x4m8r2t7w5y0z1a2b",
			"biz_01JD6V3Q9X4M8R2T7W5Y0Z1A2B", "biz_81jd6v3q9x4m8r2t7w5y0z1a2b", "biz", "\xff\xfe\x00", strings.Repeat("é", 700)}),
		rapid.String(), rapid.StringMatching(`[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}`),
	)
}

func bits() *rapid.Generator[id.Bits] {
	return rapid.Custom(func(r *rapid.T) id.Bits {
		b := id.FirstBits(time.UnixMilli(rapid.OneOf(rapid.Int64Range(0, 50), rapid.Int64Range(0, 1<<48-1)).Draw(r, "ms")))
		copy(b[6:], rapid.OneOf(rapid.SliceOfN(rapid.Byte(), 10, 10), rapid.SliceOfN(rapid.ByteRange(0, 1), 10, 10)).Draw(r, "chance"))
		return b
	})
}

func entries() *rapid.Generator[reqlog.Entry] {
	return rapid.Custom(func(r *rapid.T) reqlog.Entry {
		return reqlog.Entry{
			RequestID: bits().Draw(r, "id").ID(id.Request), Method: words().Draw(r, "method"), Route: words().Draw(r, "route"), Code: words().Draw(r, "code"),
			Status: rapid.IntRange(-1, 70_000).Draw(r, "status"), Version: words().Draw(r, "version"), BusinessID: words().Draw(r, "business"), UserID: words().Draw(r, "user"),
			Duration: time.Duration(rapid.OneOf(rapid.Int64Range(-5, 300), rapid.Int64Range(0, 1<<40)).Draw(r, "µs")) * time.Microsecond, Ended: rapid.Bool().Draw(r, "ended"),
		}
	})
}

// kept is what a block makes of entries: in order, each id once.
func kept(list []reqlog.Entry) []reqlog.Entry {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b reqlog.Entry) int { return strings.Compare(a.RequestID, b.RequestID) })
	for i := range list {
		e := &list[i]
		e.Status, e.Duration, e.Ended, e.AppID = max(e.Status, 0), max(e.Duration.Truncate(time.Millisecond), 0), false, ""
		if len(e.Method) > 20 {
			e.Method = strings.ToValidUTF8(e.Method[:20], "")
		}
	}
	return list
}

func TestABlockHoldsWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		list := rapid.SliceOfNDistinct(entries(), 1, 40, func(e reqlog.Entry) string { return e.RequestID }).Draw(r, "calls")
		marks, written := reqlog.WriteBlock(list)
		got, err := reqlog.ReadBlock(written, reqlog.Filter{})
		must(r, err)
		want := kept(list)
		if diff := cmp.Diff(want, got); diff != "" {
			r.Fatal(diff)
		}
		for _, e := range want {
			for _, f := range []reqlog.Filter{{Status: e.Status}, {Code: e.Code}, {Route: e.Route}, {BusinessID: e.BusinessID}, {Status: e.Status, Code: e.Code, Route: e.Route, BusinessID: e.BusinessID}} {
				if !reqlog.MayHold(marks, f) {
					r.Fatalf("the marks deny %+v", f)
				}
				found, err := reqlog.ReadBlock(written, f)
				must(r, err)
				if !slices.Contains(found, e) || slices.ContainsFunc(found, func(e reqlog.Entry) bool { return !fits(f, e) }) {
					r.Fatalf("%+v finds %v", f, found)
				}
			}
		}
	})
}

func TestMarksTellMostBlocksApart(t *testing.T) {
	for _, n := range []int{1, 5, 60, 500, 2000} {
		var list []reqlog.Entry
		for i := range n {
			e := reqlog.Entry{RequestID: id.At(id.Request, time.UnixMilli(int64(i))), Method: "GET", Status: 200, Route: "/invoices", BusinessID: fmt.Sprint("biz_", i)}
			list = append(list, e)
		}
		marks, _ := reqlog.WriteBlock(list)
		wrong := 0
		const tries = 5000
		for i := range tries {
			if reqlog.MayHold(marks, reqlog.Filter{BusinessID: fmt.Sprint("biz_none_", i)}) {
				wrong++
			}
		}
		if wrong > tries*3/100 || len(marks) > 8+4*n {
			t.Errorf("%d businesses, %d bytes: %d of %d are taken for one of them", n, len(marks), wrong, tries)
		}
	}
}

func TestABlockIsCompact(t *testing.T) {
	hand := clock.NewHand(dbtest.Start)
	ids := id.NewSource(hand)
	var list []reqlog.Entry
	for i := range reqlog.Fullest {
		hand.Advance(7 * time.Millisecond)
		list = append(list, reqlog.Entry{
			RequestID: ids.New(id.Request), Method: "GET", Route: fmt.Sprint("/route/", i%20), Status: 200, Version: "2026-06-01", Duration: time.Duration(i%40) * time.Millisecond,
			BusinessID: fmt.Sprint("biz_", i%30), UserID: fmt.Sprint("usr_", i%30),
		})
	}
	if marks, written := reqlog.WriteBlock(list); len(written)+len(marks) > 20*len(list) {
		t.Errorf("%d bytes a call", (len(written)+len(marks))/len(list))
	}
}

// FuzzReadBlock: whatever bytes there are, they are refused, or are calls that can be written and read again.
func FuzzReadBlock(f *testing.F) {
	for n := range 4 {
		var list []reqlog.Entry
		for i := range n * n {
			list = append(list, entries().Example(i))
		}
		_, written := reqlog.WriteBlock(list)
		f.Add(written)
	}
	f.Add([]byte{})
	f.Add([]byte{1, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1})
	f.Fuzz(func(t *testing.T, written []byte) {
		list, err := reqlog.ReadBlock(written, reqlog.Filter{})
		if err != nil {
			if !errors.Is(err, reqlog.ErrDamaged) {
				t.Fatal(err)
			}
			return
		}
		_, again := reqlog.WriteBlock(list)
		got, err := reqlog.ReadBlock(again, reqlog.Filter{})
		must(t, err)
		if diff := cmp.Diff(kept(list), got); diff != "" {
			t.Error(diff)
		}
	})
}

// What ends early is noticed wherever it ends; a byte that changed may make another block, and breaks nothing.
func TestADamagedBlockIsRefused(t *testing.T) {
	var list []reqlog.Entry
	for i := range 30 {
		list = append(list, entries().Example(i))
	}
	_, written := reqlog.WriteBlock(list)
	for n := range written {
		if _, err := reqlog.ReadBlock(written[:n], reqlog.Filter{}); !errors.Is(err, reqlog.ErrDamaged) {
			t.Fatalf("the first %d of %d bytes: %v", n, len(written), err)
		}
		changed := bytes.Clone(written)
		changed[n] ^= 0x81
		_, _ = reqlog.ReadBlock(changed, reqlog.Filter{})
	}
	// No words, one kind with status 1, one whom, two calls, of which the second has all bytes of its id from the first.
	twice := slices.Concat([]byte{1, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 2, 0}, make([]byte, 15), []byte{7, 0, 0, 3, 16, 0, 0, 3})
	once := append(slices.Concat(twice[:11], []byte{1}), twice[12:len(twice)-4]...)
	if got, err := reqlog.ReadBlock(once, reqlog.Filter{}); err != nil || len(got) != 1 || got[0].Status != 1 || got[0].Duration != 3*time.Millisecond {
		t.Errorf("%v, %v", got, err)
	}
	for name, bad := range map[string][]byte{
		"bytes behind it": append(bytes.Clone(written), 0), "a form of later": append([]byte{2}, written[1:]...), "an id twice": twice,
	} {
		if _, err := reqlog.ReadBlock(bad, reqlog.Filter{}); !errors.Is(err, reqlog.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
