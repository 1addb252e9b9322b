package browser

import "strings"

func init() { sights = append(sights, marketSights...) }

// marketSights are the marketplace, and the pages of those who make and review what is in it.
var marketSights = []sight{
	{"market empty", "Marketplace", 200, func(w *window) int {
		w.node = startNode(w.t)
		return w.visit("/marketplace")
	}},
	{"market", "Marketplace", 200, func(w *window) int {
		w.node = startNode(w.t)
		newStall(w, "Night Books", plain...).published("night-books", "Night Books")
		newStall(w, "Till", plain...).published("till-of-the-second-part", "The Very Long Named Till of Donaudampfschifffahrt")
		newStall(w, "Ink", plain...).published("ink-and-paper", "Ink & <b>Paper</b>")
		return w.visit("/marketplace")
	}},
	{"market nothing found", "Payments · Marketplace", 200, func(w *window) int { return w.visit("/marketplace?category=PAYMENTS&search=%3Cb%3Enothing") }},
	{"market listing", "Ink & Well", 200, func(w *window) int {
		newStall(w, "Ink and Well", plain...).published("ink-and-well", "Ink & Well")
		return w.visit("/marketplace/ink-and-well")
	}},
	{"market at a desk", "Marketplace · Bakery Brandt", 200, func(w *window) int {
		newStall(w, "Desk Books", plain...).published("desk-books", "Desk Books")
		w.begin("olivia")
		return w.visit("/marketplace?search=desk")
	}},
	{"market listing for a viewer", "Looked At Books · Bakery Brandt", 200, func(w *window) int {
		newStall(w, "Looked At Books", plain...).published("looked-at-books", "Looked At Books")
		w.begin("vera")
		return w.visit("/marketplace/looked-at-books")
	}},
	{"market no such listing", "Page not found", 404, func(w *window) int { return w.visit("/marketplace/nothing-here") }},
	{"console no listing", "Listing · Night Books", 200, withApp("/listing")},
	{"console listing begun", "Listing · First Draft", 200, func(w *window) int {
		s := newStall(w, "First Draft", plain...)
		s.do("PUT", s.path+"/listing", map[string]any{"slug": "first-draft", "name": "First Draft"})
		w.begin("dan")
		return w.visit(s.path + "/listing")
	}},
	{"console listing checked", "Listing · Checked Draft", 200, func(w *window) int {
		s := newStall(w, "Checked Draft", plain...)
		s.do("POST", s.list("checked-draft", "Checked Draft")+"/preflight", nil)
		w.begin("dan")
		return w.visit(s.path + "/listing")
	}},
	{"console listing texts", "Edit the listing · Draft Texts", 200, func(w *window) int {
		s := newStall(w, "Draft Texts", plain...)
		s.list("draft-texts", "Draft Texts")
		w.begin("dan")
		return w.visit(s.path + "/listing/edit")
	}},
	{"console listing pictures", "Pictures · Draft Pictures", 200, func(w *window) int {
		s := newStall(w, "Draft Pictures", plain...)
		s.list("draft-pictures", "Draft Pictures")
		s.picture("SCREENSHOT", drawn(640, 360, 20))
		s.picture("ICON", drawn(512, 512, 200))
		w.begin("dan")
		return w.visit(s.path + "/listing/pictures")
	}},
	{"console listing preview", "Revision 1 · Draft Preview", 200, func(w *window) int {
		s := newStall(w, "Draft Preview", plain...)
		path := s.list("draft-preview", `"><script>document.title=1</script>`)
		w.begin("dan")
		return w.visit(path)
	}},
	{"console listing with changes requested", "Listing · Asked Again", 200, func(w *window) int {
		s := newStall(w, "Asked Again", plain...)
		review, rosa := s.submitted("asked-again", "Asked Again"), newDeveloper(w, "rosa")
		rosa.do("POST", review+"/claim", nil)
		rosa.do("POST", review+"/request-changes", map[string]any{"notes": hostileReason + "\n\nPlease say what it costs."})
		w.begin("dan")
		return w.visit(s.path + "/listing")
	}},
	{"console listing published", "Listing · Published Books", 200, func(w *window) int {
		s := newStall(w, "Published Books", plain...)
		s.published("published-books", "Published Books")
		w.begin("dan")
		return w.visit(s.path + "/listing")
	}},
	{"operator queue", "Review · Operator", 200, func(w *window) int {
		w.node = startNode(w.t)
		newStall(w, "Night Books", plain...).submitted("night-books", "Night Books")
		review := newStall(w, "Day Books", plain...).submitted("day-books", "Day Books")
		newDeveloper(w, "rosa").do("POST", review+"/claim", nil)
		return asRosa("/operator/review")(w)
	}},
	{"operator empty queue", "Review · Operator", 200, func(w *window) int {
		w.node = startNode(w.t)
		return asRosa("/operator/review?state=IN_REVIEW")(w)
	}},
	{"operator review", "Reviewed Books · Operator", 200, func(w *window) int {
		review := newStall(w, "Reviewed Books", plain...).submitted("reviewed-books", "Reviewed Books")
		newDeveloper(w, "rosa").do("POST", review+"/claim", nil)
		return asRosa(pageOf(review))(w)
	}},
	{"operator review of changes", "Changed Books · Operator", 200, func(w *window) int {
		s := newStall(w, "Changed Books", plain...)
		s.published("changed-books", "Changed Books")
		s.do("PUT", s.path+"/listing", map[string]any{
			"slug": "changed-books", "tagline": hostileReason[:60], "description": "# What it does\n\nEvery night it looks at the **invoices** of the day.\n\n- Matches payments\n- Is new",
			"iconAssetId": s.picture("ICON", drawn(512, 512, 120)), "languages": []string{"en"},
		})
		s.do("PUT", s.path+"/scopes", map[string]any{"scopes": []string{"profile:read", "invoices:read", "taxes:read"}})
		open := s.do("GET", s.path+"/listing", nil)["open"].(map[string]any)["id"].(string)
		s.do("POST", s.path+"/listing/revisions/"+open+"/submit", nil)
		s.do("POST", s.path+"/listing/revisions/"+open+"/comments", map[string]any{"text": hostileReason})
		s.do("PUT", s.path+"/redirect-uris", map[string]any{"redirectUris": []string{"https://elsewhere.example/callback"}})
		return asRosa("/operator/review/" + open)(w)
	}},
}

// plain are the scopes of an app that must hear of one privacy event only.
var plain = []string{"profile:read", "invoices:read", "journal:write"}

// pageOf is the page of a revision's review.
func pageOf(review string) string { return strings.Replace(review, "/revisions/", "/review/", 1) }
