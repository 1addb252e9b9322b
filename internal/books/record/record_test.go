package record_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/books/record"
	"daybook/internal/schema/dbtest"
)

func TestAMergePatchTellsAbsentNullAndValueApart(t *testing.T) {
	type patch struct {
		Name record.Patch[string]
		Days record.Patch[int]
		List record.Patch[[]string]
	}
	was, days := "was", 7
	for text, c := range map[string]struct {
		name  string // what a member that is never null becomes
		days  *int   // and one that may be
		lists int
	}{
		`{}`:                                     {"was", &days, -1},
		`{"Name": null, "Days": null}`:           {"was", nil, -1},
		`{"Name": "is", "Days": 0, "List": []}`:  {"is", ptr(0), 0},
		`{"Name": "", "Days": 8, "List": ["a"]}`: {"", ptr(8), 1},
	} {
		var p patch
		must(t, json.Unmarshal([]byte(text), &p))
		got := p.Days.Optional(&days)
		if p.Name.Or(was) != c.name || (got == nil) != (c.days == nil) || got != nil && *got != *c.days {
			t.Errorf("%s: %q, %v", text, p.Name.Or(was), got)
		}
		if p.List.Set != (c.lists >= 0) || len(p.List.Or([]string{"x", "y"})) != map[bool]int{true: c.lists, false: 2}[p.List.Set] {
			t.Errorf("%s: %+v", text, p.List)
		}
	}
	var p patch
	must(t, json.Unmarshal([]byte(`{"Name": null}`), &p))
	if !p.Name.Set || !p.Name.Null || p.Days.Set {
		t.Errorf("null is present: %+v", p)
	}
	if err := json.Unmarshal([]byte(`{"Days": "x"}`), &p); err == nil {
		t.Error("a text is no number of days")
	}
	if s, c := record.Setting(5), record.Clearing[int](); !s.Set || s.Null || s.Or(1) != 5 || !c.Set || !c.Null || c.Optional(&days) != nil {
		t.Error("setting and clearing")
	}
}

func TestVersionsThatTheCallerHasSeen(t *testing.T) {
	if record.Fresh(3, nil) != nil || record.Fresh(3, ptr(3)) != nil {
		t.Error("refused")
	}
	err := record.Fresh(3, ptr(2))
	want(t, err, record.ErrStale)
	if f := fault.From(err); f.Params[0] != 3 || f.Params[1] != 2 || f.Kind != fault.Stale {
		t.Errorf("got %+v", f)
	}
}

func TestDates(t *testing.T) {
	for date, fine := range map[string]bool{
		"2026-05-04": true, "1900-01-01": true, "2199-12-31": true, "2024-02-29": true, "2000-02-29": true,
		"1899-12-31": false, "2200-01-01": false, "2026-02-29": false, "2100-02-29": false, "2026-13-01": false, "2026-5-4": false, "": false,
		"2026-05-04T00:00:00Z": false, "04-05-2026": false, "2026-05-04 ": false, "２０２６-05-04": false,
	} {
		var c fault.Check
		if ok := record.CheckDate(&c, "date", date); ok != fine || (c.Err() == nil) != fine {
			t.Errorf("%q: %v, %v", date, ok, c.Err())
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		days := rapid.IntRange(-36500, 36500).Draw(t, "days")
		to := record.AddDays("2026-05-04", days)
		if got := record.DaysBetween("2026-05-04", to); got != days || record.AddDays(to, -days) != "2026-05-04" {
			t.Fatalf("%d days after is %s, which is %d away", days, to, got)
		}
	})
	for days, wanted := range map[int]string{1: "2024-02-29", 2: "2024-03-01", 0: "2024-02-28", -28: "2024-01-31", 366: "2025-02-28"} {
		if got := record.AddDays("2024-02-28", days); got != wanted {
			t.Errorf("%d: %s", days, got)
		}
	}
}

func TestExternalIdsAreCleanAndShort(t *testing.T) {
	var c fault.Check
	if got := record.CheckExternalID(&c, ptr(" a ")); *got != "a" || record.CheckExternalID(&c, nil) != nil || record.CheckExternalID(&c, ptr(" ")) != nil ||
		len(*record.CheckExternalID(&c, ptr(strings.Repeat("x", 100)))) != 100 || c.Err() != nil {
		t.Errorf("got %v, %v", got, c.Err())
	}
	record.CheckExternalID(&c, ptr(strings.Repeat("x", 101)))
	record.CheckExternalID(&c, ptr("a\nb"))
	if got := offences(c.Err()); got != "externalId externalId" {
		t.Errorf("offences are %s", got)
	}
}

// name gives a record an external id in a transaction of its own.
func name(s *dbtest.Store, by record.Call, k record.Kind, recordID string, external *string) error {
	return s.Write(ctx, func(tx *db.Tx) error { return record.SetExternalID(ctx, tx, by, k, recordID, external) })
}

func find(t *testing.T, s *dbtest.Store, by record.Call, k record.Kind, external string) (found string) {
	t.Helper()
	must(t, s.Read(ctx, func(tx *db.Tx) (err error) {
		found, err = record.FindExternal(ctx, tx, by, k, external)
		return err
	}))
	return found
}

func TestNamesThatAppsGiveToRecords(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		other, elsewhere, person := call, call, call
		other.Actor.AppID, elsewhere.BusinessID, person.Actor.AppID = "app_2", "biz_2", ""
		k := record.Invoice
		must(t, name(s, call, k, "inv_1", ptr("a")))
		must(t, name(s, call, k, "inv_1", ptr("a"))) // again
		must(t, name(s, call, k, "inv_2", ptr("A"))) // case counts
		err := name(s, call, k, "inv_2", ptr("a"))
		want(t, err, record.ErrExternalID)
		if f := fault.From(err); f.Params[0] != "inv_1" {
			t.Errorf("it names %v", f.Params)
		}
		if find(t, s, call, k, "A") != "inv_2" {
			t.Error("a refused name must leave the old one")
		}
		must(t, name(s, other, k, "inv_2", ptr("a")))              // another app's
		must(t, name(s, elsewhere, k, "inv_3", ptr("a")))          // another business's
		must(t, name(s, call, record.Payment, "pay_1", ptr("a")))  // another kind's
		must(t, name(s, person, k, "inv_9", ptr("nobody's name"))) // nothing
		for who, wanted := range map[record.Call]string{call: "inv_1", other: "inv_2", elsewhere: "inv_3", person: ""} {
			if got := find(t, s, who, k, "a"); got != wanted {
				t.Errorf("%+v finds %q", who, got)
			}
		}
		must(t, name(s, call, k, "inv_1", ptr("b"))) // renamed: the old name is free
		must(t, name(s, call, k, "inv_2", ptr("a")))
		must(t, name(s, call, k, "inv_1", nil)) // nameless
		must(t, name(s, call, k, "inv_1", nil))
		if find(t, s, call, k, "b") != "" || find(t, s, call, k, "a") != "inv_2" || find(t, s, other, k, "a") != "inv_2" {
			t.Error("the names are mixed up")
		}
		must(t, s.Write(ctx, func(tx *db.Tx) error { return record.ForgetExternalIDs(ctx, tx, "inv_2") }))
		if find(t, s, call, k, "a") != "" || find(t, s, other, k, "a") != "" || find(t, s, elsewhere, k, "a") != "inv_3" {
			t.Error("a deleted record has no names, others keep theirs")
		}
	})
}

func TestRowsAreWrittenInPiecesWhateverTheirNumber(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		for _, n := range []int{0, 1, 2, 8, 9, 15, 16, 63, 64, 65, 127, 200, 333} {
			by := call
			by.BusinessID = fmt.Sprint("biz_", n)
			var list []record.Named
			var names []string
			for i := range n {
				names = append(names, fmt.Sprint("name ", i))
				list = append(list, record.Named{Kind: record.Invoice, Name: names[i], RecordID: fmt.Sprintf("inv_%d_%d", n, i)})
			}
			counting, statements := db.Counting(ctx)
			must(t, s.Write(ctx, func(tx *db.Tx) error { return record.SetExternalIDs(counting, tx, by, list) }))
			if most := int64(n/64 + 5); statements.Load() > most {
				t.Errorf("%d rows took %d statements, not %d", n, statements.Load(), most)
			}
			must(t, s.Read(ctx, func(tx *db.Tx) error {
				found, err := record.FindExternals(ctx, tx, by, record.Invoice, names)
				if err == nil && len(found) != n {
					t.Errorf("of %d rows %d are there", n, len(found))
				}
				for i, name := range names {
					if found[name] != fmt.Sprintf("inv_%d_%d", n, i) {
						t.Errorf("of %d rows, %q is %q", n, name, found[name])
					}
				}
				return err
			}))
		}
	})
}

func TestListsShowTheCallersNamesOnly(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		ann, bob := meet(t, s, "biz_1", someone{name: "Ann", created: 1}), meet(t, s, "biz_1", someone{name: "Bob", created: 2})
		other, person := call, call
		other.Actor.AppID, person.Actor.AppID = "app_2", ""
		must(t, name(s, call, record.Customer, ann, ptr("a")))
		must(t, name(s, other, record.Customer, ann, ptr("x")))
		must(t, name(s, other, record.Customer, bob, ptr("a")))
		for who, wanted := range map[record.Call]string{call: "- a", other: "a x", person: "- -"} {
			page, err := fetch(s, who, people, source, nil)
			must(t, err)
			var names []string
			for _, r := range page.Data {
				shown := "-"
				if r.externalID != nil {
					shown = *r.externalID
				}
				names = append(names, shown)
			}
			if got := strings.Join(names, " "); got != wanted {
				t.Errorf("%s sees %s", who.Actor.AppID, got)
			}
		}
		for who, wanted := range map[record.Call]string{call: ann, other: bob, person: ""} {
			if got := strings.Join(all(t, s, who, params("externalId=a")), " "); got != wanted {
				t.Errorf("%s finds %s", who.Actor.AppID, got)
			}
		}
	})
}

func TestOfManyWhoWantANameOneGetsIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		for round := range 10 {
			external := strings.Repeat("n", round+1)
			var wait sync.WaitGroup
			var mu sync.Mutex
			var winner string
			refusals := map[any]int{}
			for i := range 12 {
				wait.Go(func() {
					recordID := "inv_" + external + string(rune('a'+i))
					err := name(s, call, record.Invoice, recordID, &external)
					mu.Lock()
					defer mu.Unlock()
					switch {
					case err == nil && winner == "":
						winner = recordID
					case err == nil:
						t.Errorf("both %s and %s", winner, recordID)
					case errors.Is(err, record.ErrExternalID):
						refusals[fault.From(err).Params[0]]++
					default:
						t.Error(err)
					}
				})
			}
			wait.Wait()
			if len(refusals) != 1 || refusals[winner] != 11 || find(t, s, call, record.Invoice, external) != winner {
				t.Errorf("%s won, the others were told %v", winner, refusals)
			}
		}
	})
}

func TestAbsentRecordsAreNamedByTheirKind(t *testing.T) {
	if got := fault.From(record.Missing(record.JournalEntry)); got.Kind != fault.NotFound || got.Params[0] != record.JournalEntry {
		t.Errorf("got %+v", got)
	}
}
