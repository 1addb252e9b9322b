package record_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/books/record"
	"daybook/internal/schema/dbtest"
)

// TestPagesHoldEveryRowOnceAndInOrder has many rows share their sort keys, and lets others come and go between pages.
func TestPagesHoldEveryRowOnceAndInOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		run := 0
		rapid.Check(t, func(t *rapid.T) {
			run++
			by := call
			by.BusinessID = fmt.Sprintf("biz_%d", run)
			type known struct {
				id, name string
				at       int
			}
			var rows []known
			for range rapid.IntRange(0, 12).Draw(t, "rows") {
				k := known{name: rapid.SampledFrom([]string{"a", "b", "B", "é", "z\x00"}).Draw(t, "name"), at: rapid.IntRange(-1, 2).Draw(t, "at")}
				k.id = meet(t, s, by.BusinessID, someone{name: k.name, created: k.at})
				k.name = strings.ReplaceAll(strings.ToLower(k.name), "\x00", "\uFFFD")
				rows = append(rows, k)
			}
			sort := rapid.SampledFrom([]string{"name", "-name", "createdAt", "-createdAt"}).Draw(t, "sort")
			slices.SortFunc(rows, func(a, b known) int {
				order := strings.Compare(a.name, b.name)
				if strings.HasSuffix(sort, "createdAt") {
					order = a.at - b.at
				}
				if order == 0 {
					order = strings.Compare(a.id, b.id)
				}
				if sort[0] == '-' {
					order = -order
				}
				return order
			})
			var wanted []string
			for _, k := range rows {
				wanted = append(wanted, k.id)
			}
			limit := rapid.IntRange(1, 5).Draw(t, "limit")
			got := all(t, s, by, params(fmt.Sprintf("limit=%d&sort=%s", limit, sort)))
			if !slices.Equal(got, wanted) {
				t.Fatalf("got %v\nwant %v", got, wanted)
			}
		})
	})
}

func TestTheLastPageSaysSo(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		for i := range 4 {
			meet(t, s, "biz_1", someone{name: fmt.Sprint(i)})
		}
		for limit, more := range map[int]bool{3: true, 4: false, 5: false} {
			page, err := fetch(s, call, people, source, params(fmt.Sprintf("limit=%d", limit)))
			must(t, err)
			if len(page.Data) != min(limit, 4) || (page.Next != nil) != more {
				t.Errorf("with a limit of %d: %d rows, more: %v", limit, len(page.Data), page.Next != nil)
			}
		}
		other := call
		other.BusinessID = "biz_2"
		if page, err := fetch(s, other, people, source, nil); err != nil || page.Data == nil || len(page.Data) != 0 || page.Next != nil {
			t.Errorf("an empty list is %v, %v", page, err)
		}
	})
}

func TestACursorBelongsToItsList(t *testing.T) {
	list := people
	q, err := list.Parse("biz_1", params("status=ACTIVE&currency=EUR&sort=name&limit=5"))
	must(t, err)
	cursor := record.WriteCursor(q, "key", "cus_1")
	parse := func(l record.List, business, query string) error {
		_, err := l.Parse(business, params(query+"&cursor="+cursor))
		return err
	}
	for _, query := range []string{
		"status=ACTIVE&currency=EUR&sort=name&limit=5", "currency=EUR&status=ACTIVE&sort=name", "currency=EUR&status=ACTIVE&sort=name&limit=100",
	} {
		if err := parse(people, "biz_1", query); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
	for _, query := range []string{
		"status=ACTIVE&currency=EUR&sort=-name", "status=ACTIVE&currency=EUR", "status=ACTIVE&currency=USD&sort=name", "status=ACTIVE&sort=name",
		"status=ACTIVE&currency=EUR&sort=name&late=true", "status=ACTIVE&currency=EUR&sort=name&externalId=x", "sort=name", "status=EUR&currency=ACTIVE&sort=name",
	} {
		if err := parse(people, "biz_1", query); err == nil {
			t.Errorf("%s: passed", query)
		} else if !strings.Contains(query, "status=EUR") { // which is refused for another reason
			want(t, err, record.ErrCursor)
		}
	}
	want(t, parse(people, "biz_2", "status=ACTIVE&currency=EUR&sort=name"), record.ErrCursor)
	list.Kind = record.Supplier
	want(t, parse(list, "biz_1", "status=ACTIVE&currency=EUR&sort=name"), record.ErrCursor)
}

func TestWhatIsNoCursor(t *testing.T) {
	q, err := people.Parse("biz_1", nil)
	must(t, err)
	good := record.WriteCursor(q, int64(5), "cus_1")
	inside, err := base64.RawURLEncoding.DecodeString(good)
	must(t, err)
	encode := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	for name, cursor := range map[string]string{
		"words":              "next page, please",
		"nothing inside":     encode(" "),
		"an object":          encode(`{}`),
		"too little":         encode(`[1]`),
		"too much":           encode(strings.Replace(string(inside), "]", ",1]", 1)),
		"a key of text":      encode(strings.Replace(string(inside), "5,", `"5",`, 1)),
		"a key of halves":    encode(strings.Replace(string(inside), "5,", `5.5,`, 1)),
		"a key too large":    encode(strings.Replace(string(inside), "5,", `9223372036854775808,`, 1)),
		"an id of numbers":   encode(strings.Replace(string(inside), `"cus_1"`, `1`, 1)),
		"another hash":       encode(strings.Replace(string(inside), `"cus_1","`, `"cus_1","x`, 1)),
		"cut":                good[:len(good)-4],
		"padded":             good + "==",
		"in standard base64": "+/" + good,
	} {
		_, err := people.Parse("biz_1", map[string][]string{"cursor": {cursor}})
		t.Run(name, func(t *testing.T) { want(t, err, record.ErrCursor) })
	}
	if _, err := people.Parse("biz_1", map[string][]string{"cursor": {good}}); err != nil {
		t.Error(err)
	}
}
