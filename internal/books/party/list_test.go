package party_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/books/party"
	"daybook/internal/books/record"
)

// crowd makes parties a minute apart and returns their ids by name.
func (w *world) crowd(t *testing.T) map[string]string {
	t.Helper()
	ids := map[string]string{}
	for _, n := range []party.New{
		{DisplayName: "Zebra", Email: pointer("Info@Zebra.example")},
		{DisplayName: "apple", Type: pointer(party.Individual), Email: pointer("apple@example.com")},
		{DisplayName: "Mango"},
		{DisplayName: "apricot", Type: pointer(party.Individual)},
		{DisplayName: "Éclair", Email: pointer("mangrove@example.com")},
	} {
		ids[n.DisplayName] = w.make(t, n).ID
		w.Clock.Advance(time.Minute)
	}
	_, err := run(w, w.Archive(w.app, w.kind, ids["Mango"], nil)) // at 12:05
	must(t, err)
	return ids
}

// names are what a list shows.
func (w *world) names(t *testing.T, by record.Call, params map[string][]string) string {
	t.Helper()
	page, err := w.List(ctx, by, w.kind, params)
	must(t, err)
	var list []string
	for _, p := range page.Data {
		list = append(list, p.DisplayName)
	}
	return strings.Join(list, " ")
}

func TestPartiesAreListed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, w.kind = range kinds {
			begun := w.Clock.Now()
			ids := w.crowd(t)
			for _, c := range []struct{ params, want string }{
				{"", "Éclair apricot Mango apple Zebra"},
				{"sort=createdAt", "Zebra apple Mango apricot Éclair"},
				{"sort=-updatedAt", "Mango Éclair apricot apple Zebra"},
				{"sort=displayName", "apple apricot Mango Zebra Éclair"},
				{"sort=-displayName", "Éclair Zebra Mango apricot apple"},
				{"status=ARCHIVED", "Mango"},
				{"status=ACTIVE,ARCHIVED&sort=createdAt", "Zebra apple Mango apricot Éclair"},
				{"status=REDACTED", ""},
				{"type=INDIVIDUAL", "apricot apple"},
				{"type=INDIVIDUAL&status=ARCHIVED", ""},
				{"email=info@zebra.example", "Zebra"},
				{"email=INFO@ZEBRA.EXAMPLE,apple@EXAMPLE.com", "apple Zebra"},
				{"email=info@zebra", ""},
				{"q=AP", "apricot apple"},
				{"q=ap&type=COMPANY", ""},
				{"q=mang", "Éclair Mango"}, // a name and an e-mail address
				{"q=pple", ""},
				{"q=ÉC", "Éclair"},
				{"q=info@", "Zebra"},
				{"q=z%", ""},
				{"ids=" + ids["apple"] + "," + ids["Zebra"], "apple Zebra"},
				{"ids=" + ids["apple"][:len("cus_")] + strings.Repeat("7", 26), ""},
				{"updatedSince=" + begun.Add(4*time.Minute).Format(time.RFC3339), "Éclair Mango"},
				{"externalId=nothing", ""},
			} {
				if got := w.names(t, w.app, query(c.params)); got != c.want {
					t.Errorf("%s %q lists %q, want %q", w.kind, c.params, got, c.want)
				}
			}
			if got := w.names(t, w.abroad, nil); got != "" {
				t.Errorf("another business sees %q", got)
			}
			for _, bad := range []string{"status=GONE", "type=company", "q=a", "sort=email", "limit=101", "limit=0", "nonsense=1"} {
				name, _, _ := strings.Cut(bad, "=")
				if _, err := w.List(ctx, w.app, w.kind, query(bad)); offences(err) != name {
					t.Errorf("%s: %v", bad, err)
				}
			}
		}
	})
}

// query reads a=b&c=d.
func query(text string) map[string][]string {
	params := map[string][]string{}
	for _, part := range strings.Split(text, "&") {
		if name, value, ok := strings.Cut(part, "="); ok {
			params[name] = []string{value}
		}
	}
	return params
}

func TestPartiesArePagedThrough(t *testing.T) {
	eachKind(t, func(t *testing.T, w *world) {
		ids := w.crowd(t)
		for _, name := range []string{"Mango", "Zebra"} { // the same name twice: the id decides
			w.make(t, party.New{DisplayName: name})
		}
		for _, sort := range []string{"displayName", "-displayName", "createdAt", "-createdAt", "updatedAt", "-updatedAt"} {
			whole, err := w.List(ctx, w.app, w.kind, query("sort="+sort))
			must(t, err)
			for _, limit := range []string{"1", "2", "3", "7"} {
				var paged []string
				params := query("sort=" + sort + "&limit=" + limit)
				for more := true; more; {
					page, err := w.List(ctx, w.app, w.kind, params)
					must(t, err)
					for _, p := range page.Data {
						paged = append(paged, p.ID)
					}
					if more = page.Next != nil; more {
						params["cursor"] = []string{*page.Next}
					}
				}
				if wanted := idsOf(whole.Data); !slices.Equal(paged, wanted) || len(paged) != len(ids)+2 {
					t.Errorf("by %s in pages of %s: %v, want %v", sort, limit, paged, wanted)
				}
			}
		}
	})
}

func idsOf(list []party.Party) []string {
	var ids []string
	for _, p := range list {
		ids = append(ids, p.ID)
	}
	return ids
}

func TestACursorBelongsToItsList(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.crowd(t)
		page, err := w.List(ctx, w.app, w.kind, query("limit=2"))
		must(t, err)
		cursor := "&cursor=" + *page.Next
		for _, c := range []struct {
			by     record.Call
			kind   record.Kind
			params string
		}{
			{w.abroad, record.Customer, "limit=2"}, {w.app, record.Supplier, "limit=2"}, {w.app, record.Customer, "status=ACTIVE"},
			{w.app, record.Customer, "sort=createdAt"},
		} {
			_, err := w.List(ctx, c.by, c.kind, query(c.params+cursor))
			want(t, err, record.ErrCursor)
		}
		if got := w.names(t, w.app, query("limit=3"+cursor)); got != "Mango apple Zebra" {
			t.Errorf("the rest is %q", got)
		}
	})
}
