package listing_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/platform/listing"
)

func TestBrowsing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		apps := map[string]string{}
		for _, name := range []string{"Zebra Tax", "Ábaco", "Books & Bytes", "über sync", "Middle"} {
			slug := strings.ToLower(strings.NewReplacer("& ", "", " ", "-", "Á", "a", "ü", "u").Replace(name))
			apps[name] = w.newApp(t, "App")
			w.published(t, apps[name], slug, name)
		}
		w.saved(t, w.newApp(t, "App"), "only-a-draft", "Only a draft")
		names := func(f listing.Search) (list []string) {
			t.Helper()
			at := ""
			for {
				page, err := w.listings.Browse(ctx, f, at, 2)
				must(t, err)
				for _, e := range page.Entries {
					list = append(list, *e.Content.Name)
					if e.Icon == nil || len(e.Screenshots) != 1 || e.Content.TestInstructions != nil || e.Publisher != "Acme" || len(e.Scopes) != 2 {
						t.Errorf("%+v", e)
					}
				}
				if page.Next == nil {
					return list
				}
				at = *page.Next
			}
		}
		all := []string{"Ábaco", "Books & Bytes", "Middle", "über sync", "Zebra Tax"}
		for _, c := range []struct {
			search listing.Search
			want   []string
		}{
			{listing.Search{}, all},
			{listing.Search{Category: "TAX"}, all},
			{listing.Search{Category: "PAYROLL"}, nil},
			{listing.Search{Text: "abaco"}, []string{"Ábaco"}},
			{listing.Search{Text: "ABA"}, []string{"Ábaco"}},
			{listing.Search{Text: "UBER Syn"}, []string{"über sync"}},
			{listing.Search{Text: "bytes books"}, []string{"Books & Bytes"}},
			{listing.Search{Text: "ytes"}, nil}, // words are found by their beginnings
			{listing.Search{Text: "keeps step"}, all},
			{listing.Search{Text: "syncs"}, all}, // of the description
			{listing.Search{Text: "%"}, nil}, {listing.Search{Text: "_"}, nil}, {listing.Search{Text: "z_bra"}, nil},
			{listing.Search{Text: "zebra", Category: "TAX"}, []string{"Zebra Tax"}},
		} {
			if got := names(c.search); !slices.Equal(got, c.want) {
				t.Errorf("%+v: %v, want %v", c.search, got, c.want)
			}
		}
		_, err := w.listings.Browse(ctx, listing.Search{}, "nonsense", 2)
		if err == nil {
			t.Error("a cursor of nobody's was taken")
		}
		hidden := func(name string, hide, show func() error) {
			t.Helper()
			slug := "middle"
			must(t, hide())
			if got := names(listing.Search{}); slices.Contains(got, "Middle") {
				t.Errorf("%s: it is still shown", name)
			}
			_, err := w.listings.BySlug(ctx, slug)
			want(t, err, listing.ErrNotFound)
			must(t, show())
			if e, err := w.listings.BySlug(ctx, slug); err != nil || *e.Content.Name != "Middle" {
				t.Errorf("%s: shown again: %+v, %v", name, e, err)
			}
		}
		middle := apps["Middle"]
		hidden("unlisted", func() error { _, err := w.listings.Unlist(ctx, middle, w.developer, 0); return err }, func() error { _, err := w.listings.Relist(ctx, middle, w.developer, 0); return err })
		hidden("suspended", func() error { _, err := w.apps.Suspend(ctx, middle, "because"); return err }, func() error { _, err := w.apps.Unsuspend(ctx, middle); return err })
		hidden("deactivated", func() error { _, err := w.apps.Deactivate(ctx, middle, w.owner, 0); return err }, func() error { _, err := w.apps.Reactivate(ctx, middle, w.owner, 0); return err })
		hidden("revoked", func() error { _, err := w.apps.SetReview(ctx, middle, "REVOKED"); return err }, func() error { _, err := w.apps.SetReview(ctx, middle, "APPROVED"); return err })
	})
}

func TestTheQueueGoesByWaiting(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var order []string
		for _, slug := range []string{"one", "two", "three"} {
			order = append(order, w.submitted(t, w.newApp(t, slug), slug, "App "+slug).ID)
			w.Clock.Advance(time.Minute)
		}
		_, err := w.listings.Claim(ctx, w.rosa, order[1])
		must(t, err)
		ids := func(state listing.State) (list []string) {
			t.Helper()
			at := ""
			for {
				page, err := w.listings.Queue(ctx, state, at, 1)
				must(t, err)
				for _, i := range page.Items {
					list = append(list, i.Revision.ID)
					if i.Organization != "Acme" || i.App.Name == "" || i.Slug == "" {
						t.Errorf("%+v", i)
					}
				}
				if page.Next == nil {
					return list
				}
				at = *page.Next
			}
		}
		for state, want := range map[listing.State][]string{"": order, listing.Submitted: {order[0], order[2]}, listing.InReview: {order[1]}} {
			if got := ids(state); !slices.Equal(got, want) {
				t.Errorf("%q: %v, want %v", state, got, want)
			}
		}
	})
}
