package record_test

import (
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/books/record"
	"daybook/internal/schema"
	"daybook/internal/schema/dbtest"
)

// FuzzCursor proves that no cursor makes Parse fail otherwise than by its own refusal, and that one that passes names the
// same place when it is written again.
func FuzzCursor(f *testing.F) {
	for _, sort := range []string{"name", "-createdAt"} {
		q, err := people.Parse("biz_1", map[string][]string{"sort": {sort}})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(record.WriteCursor(q, "key", "cus_1"), sort)
		f.Add(record.WriteCursor(q, int64(-5), "cus_1"), sort)
		f.Add(record.WriteCursor(q, nil, ""), sort)
	}
	f.Add("W10", "name")
	f.Fuzz(func(t *testing.T, cursor, sort string) {
		given := map[string][]string{"cursor": {cursor}, "sort": {sort}}
		q, err := people.Parse("biz_1", given)
		if err != nil {
			if !errors.Is(err, record.ErrCursor) && offences(err) != "sort" {
				t.Fatal(err)
			}
			return
		}
		key, place, present := q.After()
		if !present {
			if cursor != "" {
				t.Fatal("the cursor was lost")
			}
			return
		}
		given["cursor"] = []string{record.WriteCursor(q, key, place)}
		again, err := people.Parse("biz_1", given)
		if err != nil {
			t.Fatal(err)
		}
		if k, p, _ := again.After(); k != key || p != place {
			t.Fatalf("%v %q became %v %q", key, place, k, p)
		}
		if _, err := people.Parse("biz_2", given); !errors.Is(err, record.ErrCursor) {
			t.Fatal("it passes for another business")
		}
	})
}

// FuzzListParameters runs whatever passes on a store: no text of a query makes a statement fail, or another one run.
func FuzzListParameters(f *testing.F) {
	for _, query := range []string{
		"", "limit=5&sort=-name", "status=ACTIVE,ARCHIVED&late=true", "q=an&termsFrom=1&termsTo=5", "ids=cus_01jd6v3q9x4m8r2t7w5y0z1a2b", "externalId=x&noted=true",
		"updatedSince=2026-05-04T12:00:00Z", "email=A@b,c&dateFrom=2026-05-04&taxed={},$1", "q=%00%ff&currency=';--", "limit=5&limit=6", "cursor=W10",
	} {
		f.Add(query)
	}
	hand := clock.NewHand(dbtest.Start)
	d, err := db.Open(ctx, db.Options{Database: filepath.Join(f.TempDir(), "fuzz.db"), Clock: hand})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(d.Close)
	if _, err := d.Migrate(ctx, schema.Migrations()); err != nil {
		f.Fatal(err)
	}
	s := &dbtest.Store{DB: d, Clock: hand, IDs: id.NewSource(hand)}
	mine := meet(f, s, "biz_1", someone{name: "Ann"})
	meet(f, s, "biz_2", someone{name: "Ann"})
	f.Fuzz(func(t *testing.T, query string) {
		given, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		page, err := fetch(s, call, people, source, given)
		switch {
		case err == nil:
			if len(page.Data) > 1 || len(page.Data) == 1 && page.Data[0].id != mine {
				t.Fatalf("found %v", page.Data)
			}
		case !errors.Is(err, record.ErrCursor) && strings.HasPrefix(offences(err), "no validation failure"):
			t.Fatal(err)
		}
	})
}
