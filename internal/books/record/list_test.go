package record_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/books/record"
	"daybook/internal/schema/dbtest"
)

func TestAListNamesEveryOffence(t *testing.T) {
	good := "cus_01jd6v3q9x4m8r2t7w5y0z1a2b"
	for query, wanted := range map[string]string{
		"limit=0":                           "limit",
		"limit=101":                         "limit",
		"limit=-1":                          "limit",
		"limit=1.5":                         "limit",
		"limit=ten":                         "limit",
		"limit=99999999999999999999":        "limit",
		"sort=email":                        "sort",
		"sort=--name":                       "sort",
		"sort=Name":                         "sort",
		"name=x":                            "name",
		"updatedSince=2026-05-04":           "updatedSince",
		"updatedSince=1777896000":           "updatedSince",
		"ids=x":                             "ids",
		"ids=" + good + ",":                 "ids",
		"ids=sup" + good[3:]:                "ids",
		"ids=" + repeat(good, 51):           "ids",
		"status=OPEN":                       "status",
		"status=ACTIVE,OPEN":                "status",
		"status=active":                     "status",
		"status=":                           "status",
		"currency=" + repeat("EUR", 51):     "currency",
		"email=" + repeat("a@b", 51):        "email",
		"q=a":                               "q",
		"q= a ":                             "q",
		"q=":                                "q",
		"termsFrom=x":                       "termsFrom",
		"termsTo=1.5":                       "termsTo",
		"terms=1,x":                         "terms",
		"termsFrom=9223372036854775808":     "termsFrom",
		"dateFrom=2026-02-29":               "dateFrom",
		"dateTo=20260504":                   "dateTo",
		"late=yes":                          "late",
		"late=":                             "late",
		"limit=5&limit=6":                   "limit",
		"status=ACTIVE&status=ARCHIVED":     "status",
		"cursor=a&cursor=b":                 "cursor",
		"updatedSince=x&updatedSince=y":     "updatedSince updatedSince", // twice, and no instant
		"zebra=1&limit=0&late=x&status=x":   "zebra limit status late",
		strings.Repeat("n", 200) + "=1":     strings.Repeat("n", 50) + "…",
		"limit=0&cursor=not+a+cursor":       "limit",
		"dateFrom=2026-05-01&dateTo=x&q=ab": "dateTo",
	} {
		_, err := people.Parse("biz_1", params(query))
		if got := offences(err); got != wanted {
			t.Errorf("%.60s: offences are %s", query, got)
		}
	}
	for query, wanted := range map[string]string{"updatedSince=x": "updatedSince", "externalId=x": "externalId", "sort=-updatedAt": "no validation failure: <nil>"} {
		_, err := bare.Parse("biz_1", params(query))
		if got := offences(err); got != wanted {
			t.Errorf("%s: offences are %s", query, got)
		}
	}
}

func TestTheEdgesOfParametersAreFine(t *testing.T) {
	good := "cus_01jd6v3q9x4m8r2t7w5y0z1a2b"
	for _, query := range []string{
		"", "limit=1", "limit=100", "limit=", "cursor=", "sort=", "sort=-name", "ids=" + repeat(good, 50), "status=ACTIVE,ARCHIVED,ACTIVE",
		"currency=" + repeat("EUR", 50), "q=ab", "q=éé", "termsFrom=-9223372036854775808", "updatedSince=2026-05-04T12:00:00Z",
		"updatedSince=2026-05-04T12:00:00.123+02:00",
	} {
		if _, err := people.Parse("biz_1", params(query)); err != nil {
			t.Errorf("%.60s: %v", query, err)
		}
	}
}

func repeat(value string, n int) string { return strings.TrimSuffix(strings.Repeat(value+",", n), ",") }

func TestAListWithOneOrderIsNotSortedOtherwise(t *testing.T) {
	one := record.List{Kind: "lines", Sorts: people.Sorts, OneOrder: true, NoExternalID: true, NoUpdated: true}
	if got := one.Parameters(); !slices.Equal(got, []string{"limit", "cursor"}) {
		t.Errorf("it takes %v", got)
	}
	_, err := one.Parse("biz_1", params("sort=name&ids=x"))
	if got := offences(err); got != "ids sort" {
		t.Errorf("offences are %s", got)
	}
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		b, a := meet(t, s, "biz_1", someone{name: "b", created: 1}), meet(t, s, "biz_1", someone{name: "a", created: 2})
		page, err := fetch(s, call, one, source, nil)
		must(t, err)
		if len(page.Data) != 2 || page.Data[0].id != a || page.Data[1].id != b {
			t.Errorf("got %v", page.Data)
		}
	})
}

func TestParametersOfAList(t *testing.T) {
	wanted := []string{"limit", "cursor", "sort", "ids", "updatedSince", "externalId", "status", "currency", "email", "q", "termsFrom", "termsTo", "terms",
		"dateFrom", "dateTo", "late", "noted", "taxed"}
	if got := people.Parameters(); !slices.Equal(got, wanted) {
		t.Errorf("got %v", got)
	}
	if got := bare.Parameters(); !slices.Equal(got, []string{"limit", "cursor", "sort", "ids"}) {
		t.Errorf("got %v", got)
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		names := map[string]string{}
		for _, p := range []someone{
			{name: "Ann", created: 1000, updated: 9000, terms: 10, date: "2026-05-03", email: "ann@x.nl"},
			{name: "ánn", created: 1000, updated: 8000, terms: 20, date: "2026-05-04", currency: "USD", phone: "AN-1"},
			{name: "annabel", created: 3000, updated: 7000, status: "ARCHIVED", date: "2026-05-05", tax: "T1"},
			{name: "Bob_%", created: 4000, updated: 6000, terms: -5, tax: "T2", currency: "GBP", email: "bob@x.nl"},
		} {
			names[meet(t, s, "biz_1", p)] = p.name
		}
		meet(t, s, "biz_2", someone{name: "Annie", created: 1, updated: 9999, terms: 10, email: "ann@x.nl", tax: "T1"})
		ids := map[string]string{}
		for id, name := range names {
			ids[name] = id
		}
		for query, wanted := range map[string]string{
			"":                                 "Bob_% annabel ánn Ann",
			"sort=createdAt":                   "Ann ánn annabel Bob_%",
			"sort=-updatedAt":                  "Ann ánn annabel Bob_%",
			"sort=name&status=ACTIVE":          "Ann Bob_% ánn",
			"status=ARCHIVED,ACTIVE&sort=name": "Ann annabel Bob_% ánn",
			"currency=USD,GBP":                 "Bob_% ánn",
			"currency=usd":                     "",
			"email=ANN@X.nl,nobody":            "Ann",
			"q=AN&sort=name":                   "Ann annabel ánn", // ánn by the phone
			"q=ann&sort=name":                  "Ann annabel",
			"q=annabel":                        "annabel",
			"q=annabelle":                      "",
			"q=Á%&sort=name":                   "", // no wildcards
			"q=án":                             "ánn",
			"q=bob_":                           "Bob_%",
			"q=b%":                             "",
			"termsFrom=10":                     "ánn Ann",
			"termsTo=10&sort=createdAt":        "Ann Bob_%",
			"termsFrom=10&termsTo=10":          "Ann",
			"terms=-5,20":                      "Bob_% ánn",
			"dateFrom=2026-05-04":              "annabel ánn",
			"dateTo=2026-05-04":                "ánn Ann",
			"late=true":                        "Ann",
			"late=false":                       "annabel ánn",
			"noted=true":                       "annabel ánn Ann",
			"noted=false":                      "Bob_% annabel ánn Ann", // has no condition of its own
			"taxed=T1,T2":                      "Bob_% annabel",
			"taxed=T1&late=false&q=an":         "annabel",
			"updatedSince=1970-01-01T00:00:07Z&limit=2":     "annabel ánn Ann",
			"updatedSince=1970-01-01T00:00:07.001Z":         "ánn Ann",
			"updatedSince=1970-01-01T00:00:07Z&sort=name":   "Ann annabel ánn",
			"updatedSince=1970-01-01T02:00:09+02:00":        "Ann",
			"ids=" + ids["Ann"] + "," + ids["Bob_%"]:        "Bob_% Ann",
			"ids=" + ids["Ann"] + "&status=ARCHIVED":        "",
			"externalId=x":                                  "",
			"currency=x' OR '1'='1":                         "",
			"limit=1&late=false&terms=20&sort=name":         "ánn",
			"limit=1&late=true&noted=true&currency=EUR,USD": "Ann",
		} {
			var got []string
			for _, id := range all(t, s, call, params(query)) {
				got = append(got, names[id])
			}
			if strings.Join(got, " ") != wanted {
				t.Errorf("%s: %s", query, strings.Join(got, " "))
			}
		}
	})
}

func TestAStatementThatDoesNotMentionTheAppStillRuns(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		meet(t, s, "biz_1", someone{name: "Ann"})
		person := call
		person.Actor.AppID = ""
		for _, by := range []record.Call{call, person} {
			page, err := fetch(s, by, bare, record.Source{Columns: "r.id, r.notes", From: "parties r"}, nil)
			if err != nil || len(page.Data) != 1 || page.Next != nil {
				t.Errorf("got %v, %v", page, err)
			}
		}
	})
}

// TestNoParameterMakesAStatementFail runs what Parse lets through.
func TestNoParameterMakesAStatementFail(t *testing.T) {
	t.Parallel()
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", "\x00", "\xff", "ACTIVE", "true", "-9223372036854775808", "2026-05-04", "0000-01-01", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z", "name", "-createdAt",
		"50", "a,b,,c", "{}", "$1", "$today", "'", "%", "\U0010FFFF\U0010FFFF", "cus_01jd6v3q9x4m8r2t7w5y0z1a2b",
	}))
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		meet(t, s, "biz_1", someone{name: "Ann"})
		ran := 0
		rapid.Check(t, func(t *rapid.T) {
			given := map[string][]string{}
			for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(people.Parameters()), 0, 3, rapid.ID).Draw(t, "names") {
				if name != "cursor" {
					given[name] = []string{text.Draw(t, name)}
				}
			}
			q, err := people.Parse("biz_1", given)
			if err != nil {
				if strings.HasPrefix(offences(err), "no validation failure") {
					t.Fatal(err)
				}
				return
			}
			ran++
			given["cursor"] = []string{record.WriteCursor(q, keyOf(t, given, text), text.Draw(t, "id"))}
			if _, err := fetch(s, call, people, source, given); err != nil {
				t.Fatalf("%q: %v", fmt.Sprint(given), err)
			}
		})
		if ran == 0 {
			t.Error("nothing got as far as a statement")
		}
	})
}

// keyOf draws a sort key of the kind that the list is sorted by.
func keyOf(t *rapid.T, given map[string][]string, text *rapid.Generator[string]) any {
	if sort := given["sort"]; len(sort) > 0 && strings.HasSuffix(sort[0], "name") {
		return text.Draw(t, "key")
	}
	return rapid.Int64().Draw(t, "key")
}
