package contract_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestListings proves what becomes of a listing between its first save and the marketplace (CONS-01, CONS-02, CONS-06).
func TestListings(t *testing.T) {
	eachHook(t, func(t *testing.T, n *apiNode) {
		t.Run("life", func(t *testing.T) { listingLife(t, n) })
		t.Run("first saves", func(t *testing.T) { firstSaves(t, n) })
		t.Run("refusals", func(t *testing.T) { refusedListings(t, n) })
		t.Run("states", func(t *testing.T) { revisionStates(t, n) })
		t.Run("checks", func(t *testing.T) { preflights(t, n) })
		t.Run("snapshot", func(t *testing.T) { submittedAsItIs(t, n) })
		t.Run("late scopes", func(t *testing.T) { lateScopes(t, n) })
		t.Run("people", func(t *testing.T) { peopleOfListings(t, n) })
		t.Run("trail", func(t *testing.T) { trailOfListings(t, n) })
	})
}

const revisionMembers = `id listingId appId number state name tagline description category iconAssetId screenshotAssetIds websiteUrl supportUrl supportEmail privacyUrl termsUrl
	pricing scopeJustifications testInstructions languages snapshot preflight preflightAt submittedAt submittedBy decidedAt notes version createdAt updatedAt`

func listingLife(t *testing.T, n *apiNode) {
	s := n.newStand(t).tried(t)
	listing := s.path + "/listing"
	refused(t, s.dan.do(t, "GET", listing, nil), http.StatusNotFound, "NOT_FOUND")
	s.saved(t, "ledger-sync")
	t.Run("C.9.1 a listing has exactly the promised members", func(t *testing.T) {
		is := tagged(t, s.dan.do(t, "GET", listing, nil), http.StatusOK, 1)
		has(t, is, "id appId slug listed unlistedAt live open version createdAt updatedAt")
		has(t, is["open"].(object), revisionMembers)
		if is["live"] != nil || is["listed"] != true || is["open"].(object)["state"] != "DRAFT" || is["open"].(object)["number"] != 1.0 || !strings.HasPrefix(n.id(is), "lst_") || !strings.HasPrefix(s.revision, "rev_") {
			t.Errorf("%v", is)
		}
	})
	t.Run("CONS-01 a later save changes the slug and what it names", func(t *testing.T) {
		is := tagged(t, s.dan.and("If-Match", `"1"`).do(t, "PUT", listing, object{"slug": "ledger-sync-2", "tagline": "Second", "supportUrl": "https://app.example/help"}), http.StatusOK, 2)
		open := is["open"].(object)
		if is["slug"] != "ledger-sync-2" || n.id(open) != s.revision || open["tagline"] != "Second" || open["name"] != "Ledger Sync" || open["version"] != 2.0 {
			t.Errorf("%v", is)
		}
		refused(t, s.dan.and("If-Match", `"1"`).do(t, "PUT", listing, object{"slug": "x-y-z"}), http.StatusPreconditionFailed, "VERSION_CONFLICT")
		refused(t, s.dan.and("If-Match", `"1"`).do(t, "PATCH", s.at(""), object{"tagline": "x"}), http.StatusPreconditionFailed, "VERSION_CONFLICT")
	})
	t.Run("C.9.3 from the draft to the marketplace", func(t *testing.T) {
		is := tagged(t, s.dan.and("If-Match", `"2"`).do(t, "POST", s.at("/submit"), nil), http.StatusOK, 3)
		shot := is["snapshot"].(object)
		if is["state"] != "SUBMITTED" || is["submittedAt"] == nil || is["submittedBy"] != n.ids["dan"] || !same(shot["scopes"], []any{"profile:read", "customers:read", "suppliers:read", "journal:write"}) ||
			len(shot["webhooks"].([]any)) != 1 || !same(shot["extensions"], []any{}) || strings.Contains(fmt.Sprint(is), "whsec_") {
			t.Errorf("%v", is)
		}
		refused(t, s.dan.do(t, "PATCH", s.at(""), object{"tagline": "x"}), http.StatusConflict, "REVISION_NOT_EDITABLE")
		refused(t, s.dan.do(t, "PUT", listing, object{"slug": "ledger-sync-2", "tagline": "x"}), http.StatusConflict, "REVISION_NOT_EDITABLE")
		row := rowsOf(s.rosa.get(t, "/operator/queue"))
		i := slices.IndexFunc(row, func(o object) bool { return o["revisionId"] == s.revision })
		if i < 0 || row[i]["state"] != "SUBMITTED" || row[i]["organizationName"] != "Acme Apps" || row[i]["reviewerId"] != nil {
			t.Fatalf("%v", row)
		}
		s.rosa.act(t, s.review("/claim"), nil)
		dossier := s.rosa.get(t, s.review(""))
		has(t, dossier, "revision app listing assets comments changedSinceSubmission")
		if dossier["revision"].(object)["reviewerId"] != n.ids["rosa"] || !same(dossier["changedSinceSubmission"], []any{}) || len(objects(dossier["revision"].(object)["preflight"])) != 11 ||
			len(objects(dossier["assets"])) != 2 || objects(dossier["assets"])[0]["kind"] != "ICON" {
			t.Errorf("%v", dossier)
		}
		is = s.rosa.act(t, s.review("/request-changes"), object{"notes": "Say more."})
		if is["state"] != "CHANGES_REQUESTED" || is["notes"] != "Say more." {
			t.Errorf("%v", is)
		}
		if mine := s.dan.get(t, s.at("")); mine["notes"] != "Say more." || mine["reviewerId"] != nil {
			t.Errorf("%v", mine)
		}
		s.dan.make(t, s.at("/comments"), object{"text": " I did. "})
		s.rosa.make(t, s.review("/comments"), object{"text": "Thanks."})
		said(t, s.dan.do(t, "PATCH", s.at(""), object{"description": "It syncs **all**.", "supportEmail": nil}), http.StatusOK)
		s.submitted(t).approved(t)
	})
	t.Run("C.9.1 the conversation shows both sides, and reviewers without a name", func(t *testing.T) {
		all := rowsOf(s.dan.get(t, s.at("/comments")))
		var texts []string
		for _, c := range all {
			texts = append(texts, c["side"].(string)+": "+c["text"].(string))
			if (c["authorId"] == nil) != (c["side"] == "REVIEWER") {
				t.Errorf("%v", c)
			}
		}
		if !slices.Equal(texts, []string{"REVIEWER: Say more.", "DEVELOPER: I did.", "REVIEWER: Thanks."}) {
			t.Errorf("%v", texts)
		}
		refused(t, s.dan.do(t, "POST", s.at("/comments"), object{"text": "late"}), http.StatusConflict, "REVISION_STATE_CONFLICT")
	})
	t.Run("C.9.2 the approval approves the app", func(t *testing.T) {
		if is := s.dan.get(t, s.path); is["reviewStatus"] != "APPROVED" {
			t.Errorf("%v", is)
		}
	})
	first := s.revision
	t.Run("C.9.3 changing the live one opens a copy, whose approval takes its place", func(t *testing.T) {
		next := said(t, s.dan.do(t, "PATCH", s.at(""), object{"tagline": "Next"}), http.StatusOK)
		if n.id(next) == first || next["state"] != "DRAFT" || next["number"] != 2.0 || next["description"] != "It syncs **all**." || next["submittedAt"] != nil {
			t.Fatalf("%v", next)
		}
		refused(t, s.dan.do(t, "PATCH", s.at(""), object{"tagline": "Other"}), http.StatusConflict, "REVISION_STATE_CONFLICT")
		s.revision = n.id(next)
		s.submitted(t).approved(t)
		var states []string
		for _, r := range rowsOf(s.dan.get(t, listing+"/revisions")) {
			states = append(states, r["state"].(string))
		}
		if !slices.Equal(states, []string{"PUBLISHED", "SUPERSEDED"}) {
			t.Errorf("%v", states)
		}
		if is := s.dan.get(t, listing); n.id(is["live"].(object)) != s.revision || is["open"] != nil {
			t.Errorf("%v", is)
		}
	})
	t.Run("C.9.3 unlisted and listed again", func(t *testing.T) {
		if is := s.dan.act(t, listing+"/unlist", nil); is["listed"] != false || is["unlistedAt"] == nil || is["live"].(object)["state"] != "PUBLISHED" {
			t.Errorf("%v", is)
		}
		if is := s.dan.act(t, listing+"/relist", object{}); is["listed"] != true || is["unlistedAt"] != nil {
			t.Errorf("%v", is)
		}
	})
	t.Run("CONS-02 what is live or open keeps its pictures, what went before does not", func(t *testing.T) {
		live := s.dan.get(t, s.at(""))
		icon := live["iconAssetId"].(string)
		refused(t, s.dan.do(t, "DELETE", s.path+"/assets/"+icon, nil), http.StatusBadRequest, "ASSET_IN_USE")
		other := s.n.id(said(t, s.upload(t, "ICON", jpegOf(512, 512)), http.StatusCreated))
		said(t, s.dan.do(t, "PUT", listing, object{"slug": "ledger-sync-2", "iconAssetId": other}), http.StatusOK)
		s.revision = n.id(s.dan.get(t, listing)["open"].(object))
		for _, id := range []string{icon, other} {
			refused(t, s.dan.do(t, "DELETE", s.path+"/assets/"+id, nil), http.StatusBadRequest, "ASSET_IN_USE")
		}
		s.submitted(t).approved(t)
		gone(t, s.dan.do(t, "DELETE", s.path+"/assets/"+icon, nil))
		refused(t, s.dan.do(t, "DELETE", s.path+"/assets/"+other, nil), http.StatusBadRequest, "ASSET_IN_USE")
	})
}

// firstSaves has many save at once.
func firstSaves(t *testing.T, n *apiNode) {
	dan := n.console(t, "dan")
	race := func(path string, who caller, body object) map[int]int {
		statuses := map[int]int{}
		var mu sync.Mutex
		var wait sync.WaitGroup
		start := make(chan struct{})
		for range 32 {
			wait.Go(func() {
				<-start
				a := who.do(t, "PUT", path+"/listing", body)
				mu.Lock()
				defer mu.Unlock()
				statuses[a.Status]++
				switch {
				case a.Status == http.StatusConflict && !strings.Contains(a.Body, `"LISTING_EXISTS"`):
					t.Errorf("%s", a.Body)
				case a.Status != http.StatusOK && a.Status != http.StatusConflict:
					t.Errorf("%d %s", a.Status, a.Body)
				}
			})
		}
		close(start)
		wait.Wait()
		if rows := rowsOf(who.get(t, path+"/listing/revisions")); len(rows) != 1 {
			t.Errorf("%d revisions", len(rows))
		}
		return statuses
	}
	t.Run("CONS-01 of 32 who say that it is the first save, one makes it", func(t *testing.T) {
		path, _ := n.newApp(t, dan, nil)
		if got := race(path, dan.and("If-None-Match", "*"), object{"slug": "raced-first"}); !maps.Equal(got, map[int]int{200: 1, 409: 31}) {
			t.Errorf("%v", got)
		}
		refused(t, dan.and("If-None-Match", "*").do(t, "PUT", path+"/listing", object{"slug": "raced-again"}), http.StatusConflict, "LISTING_EXISTS")
		offends(t, dan.and("If-None-Match", `"1"`).do(t, "PUT", path+"/listing", object{"slug": "raced-again"}), "If-None-Match")
	})
	t.Run("CONS-01 of 32 who came before there was one, one makes it, and nobody writes over it", func(t *testing.T) {
		path, _ := n.newApp(t, dan, nil)
		// Whoever came after it was made saves it once more: all that came before are told.
		if got := race(path, dan, object{"slug": "raced-later"}); got[200] < 1 || got[200]+got[409] != 32 {
			t.Errorf("%v", got)
		}
		said(t, dan.do(t, "PUT", path+"/listing", object{"slug": "raced-later-2"}), http.StatusOK)
	})
	t.Run("CONS-01 a slug is one app's", func(t *testing.T) {
		one, _ := n.newApp(t, dan, nil)
		two, _ := n.newApp(t, dan, nil)
		said(t, dan.do(t, "PUT", one+"/listing", object{"slug": "wanted"}), http.StatusOK)
		r := refused(t, dan.do(t, "PUT", two+"/listing", object{"slug": "wanted"}), http.StatusBadRequest, "SLUG_TAKEN")
		if r.Params["p0"] != "wanted" {
			t.Errorf("%v", r.Params)
		}
		refused(t, dan.do(t, "GET", two+"/listing", nil), http.StatusNotFound, "NOT_FOUND")
		said(t, dan.do(t, "PUT", two+"/listing", object{"slug": "own"}), http.StatusOK)
		refused(t, dan.do(t, "PUT", two+"/listing", object{"slug": "wanted"}), http.StatusBadRequest, "SLUG_TAKEN")
		said(t, dan.do(t, "PUT", one+"/listing", object{"slug": "given-up"}), http.StatusOK)
		said(t, dan.do(t, "PUT", two+"/listing", object{"slug": "wanted"}), http.StatusOK)
	})
}

func refusedListings(t *testing.T, n *apiNode) {
	dan := n.console(t, "dan")
	path, _ := n.newApp(t, dan, nil)
	for name, c := range map[string]struct {
		body  any
		named string
	}{
		"no slug":         {object{}, "slug"},
		"slugs":           {object{"slug": "Not A Slug"}, "slug"},
		"a reserved one":  {object{"slug": "admin"}, "slug"},
		"a null slug":     {object{"slug": nil}, "slug"},
		"a stranger":      {object{"slug": "good-slug", "price": 1}, "price"},
		"wrong types":     {object{"slug": 1, "name": true, "languages": "en", "screenshotAssetIds": []int{1}}, "slug name languages screenshotAssetIds"},
		"values":          {object{"slug": "good-slug", "category": "GAMES", "websiteUrl": "http://a.example", "languages": []string{"English"}, "pricing": object{"model": "CHEAP"}}, "category websiteUrl languages.0 pricing.model"},
		"inside pricing":  {object{"slug": "good-slug", "pricing": object{"model": "FREE", "currency": "EUR"}}, "pricing.currency"},
		"slug and values": {object{"slug": "x", "category": "GAMES"}, "slug category"},
		"pictures":        {object{"slug": "good-slug", "iconAssetId": "ast_" + nowhere, "screenshotAssetIds": []string{n.ids["full"]}}, "iconAssetId screenshotAssetIds.0"},
		"reasons":         {object{"slug": "good-slug", "scopeJustifications": object{"nonsense": "x"}}, "scopeJustifications"},
	} {
		t.Run("SERR-02 "+name, func(t *testing.T) { offends(t, dan.do(t, "PUT", path+"/listing", c.body), strings.Fields(c.named)...) })
	}
	refused(t, dan.do(t, "GET", path+"/listing", nil), http.StatusNotFound, "NOT_FOUND")
	is := said(t, dan.do(t, "PUT", path+"/listing", object{"slug": "good-slug"}), http.StatusOK)
	one := path + "/listing/revisions/" + n.id(is["open"].(object))
	offends(t, dan.do(t, "PATCH", one, object{"slug": "other"}), "slug")
	offends(t, dan.do(t, "POST", one+"/comments", object{"text": "  "}), "text")
	offends(t, dan.do(t, "POST", one+"/comments", object{"text": strings.Repeat("x", 2001)}), "text")
	offends(t, dan.do(t, "POST", one+"/submit", object{"force": true}), "force")
	rosa := n.console(t, "rosa")
	for _, call := range []string{"/request-changes", "/reject"} {
		member := map[string]string{"/request-changes": "notes", "/reject": "reason"}[call]
		for _, body := range []any{nil, object{}, object{member: "  "}, object{member: strings.Repeat("x", 2001)}} {
			offends(t, rosa.do(t, "POST", "/operator/revisions/"+n.id(is["open"].(object))+call, body), member)
		}
	}
	refused(t, rosa.do(t, "POST", "/operator/revisions/rev_"+nowhere+"/claim", nil), http.StatusNotFound, "NOT_FOUND")
	refused(t, rosa.do(t, "GET", "/operator/revisions/rev_"+nowhere, nil), http.StatusNotFound, "NOT_FOUND")
	offends(t, rosa.do(t, "GET", "/operator/queue?state=DRAFT&limit=0", nil), "state", "limit")
}

// lateScopes proves that what was registered after a review is not granted outside of sandboxes until the next one (C.9.3).
func lateScopes(t *testing.T, n *apiNode) {
	s := n.newStand(t).tried(t).saved(t, "late-scopes").submitted(t).approved(t)
	shop, olivia := n.ids["shop"], n.in(t, "olivia", n.ids["shop"])
	_, lab := n.lab(t, s.dan)
	allow := func(scopes string) (status int, text string) {
		q := ask(s.clientID, scopes)
		withPKCE(q)
		handle := n.held(t, olivia, q)
		if page := get(t, olivia, n.AuthURL+"/oauth/consent?request="+handle); page.Status != http.StatusOK {
			return page.Status, page.Body
		}
		a := n.decide(t, olivia, handle, shop, "allow")
		return a.Status, a.Body
	}
	if status, text := allow("profile:read customers:read journal:write"); status != http.StatusSeeOther {
		t.Fatalf("what was reviewed: %d %s", status, text)
	}
	said(t, s.dan.do(t, "PUT", s.path+"/scopes", object{"scopes": []string{"profile:read", "customers:read", "suppliers:read", "journal:write", "accounts:write", "customers:write", "invoices:read"}}), http.StatusOK)
	for scopes, ok := range map[string]bool{"profile:read journal:write invoices:read": true, "profile:read accounts:write": false, "customers:write": false} {
		status, text := allow(scopes)
		if ok != (status == http.StatusSeeOther) || !ok && !strings.Contains(text, "registered after its review") {
			t.Errorf("%s: %d %s", scopes, status, text)
		}
	}
	n.issue(t, s.clientID, "dan", lab, "accounts:write", "customers:write") // a sandbox needs no review
	s.revision = n.id(said(t, s.dan.do(t, "PATCH", s.at(""), object{"scopeJustifications": object{"journal:write": "It posts.", "accounts:write": "It makes accounts."}}), http.StatusOK))
	s.submitted(t).approved(t)
	if status, text := allow("profile:read accounts:write customers:write"); status != http.StatusSeeOther {
		t.Errorf("after the next review: %d %s", status, text)
	}
}

func submittedAsItIs(t *testing.T, n *apiNode) {
	s := n.newStand(t).tried(t).saved(t, "as-it-is").submitted(t)
	s.rosa.act(t, s.review("/claim"), nil)
	before := s.dan.get(t, s.path)
	said(t, s.dan.do(t, "PUT", s.path+"/redirect-uris", object{"redirectUris": []string{"https://elsewhere.example/callback"}}), http.StatusOK)
	r := refused(t, s.rosa.do(t, "POST", s.review("/approve"), nil), http.StatusConflict, "REVISION_SNAPSHOT_CHANGED")
	if r.Params["p0"] != "redirect URIs" || !same(s.rosa.get(t, s.review(""))["changedSinceSubmission"], []any{"redirect URIs"}) {
		t.Errorf("%v", r.Params)
	}
	if s.dan.get(t, s.path)["reviewStatus"] != "UNREVIEWED" || s.state(t) != "IN_REVIEW" {
		t.Error("it was approved all the same")
	}
	said(t, s.dan.do(t, "PUT", s.path+"/redirect-uris", object{"redirectUris": before["redirectUris"]}), http.StatusOK)
	s.rosa.act(t, s.review("/approve"), nil)
}

// peopleOfListings proves who may look, change and review.
func peopleOfListings(t *testing.T, n *apiNode) {
	s := n.newStand(t).saved(t, "people-of")
	calls := [][2]string{
		{"GET", s.path + "/listing"}, {"PUT", s.path + "/listing"}, {"POST", s.path + "/listing/unlist"}, {"POST", s.path + "/listing/relist"}, {"GET", s.path + "/listing/revisions"},
		{"GET", s.at("")}, {"PATCH", s.at("")}, {"DELETE", s.at("")}, {"POST", s.at("/preflight")}, {"POST", s.at("/submit")}, {"POST", s.at("/withdraw")}, {"GET", s.at("/comments")}, {"POST", s.at("/comments")},
		{"GET", s.path + "/assets"}, {"POST", s.path + "/assets"}, {"DELETE", s.path + "/assets/x"},
	}
	t.Run("CONS-06 a viewer looks, a stranger sees nothing, nobody has to sign in", func(t *testing.T) {
		vera, olivia := n.console(t, "vera"), n.console(t, "olivia")
		for _, c := range calls {
			var body any
			if c[0] != "GET" {
				body = object{}
			}
			refused(t, olivia.do(t, c[0], c[1], body), http.StatusNotFound, "NOT_FOUND")
			standard(t, n.nobody().do(t, c[0], c[1], body), http.StatusUnauthorized)
			if c[0] == "GET" {
				said(t, vera.do(t, c[0], c[1], nil), http.StatusOK)
				continue
			}
			refused(t, vera.do(t, c[0], c[1], body), http.StatusForbidden, "ORGANIZATION_ROLE_REQUIRED")
		}
	})
	t.Run("CONS-06 a developer is no reviewer", func(t *testing.T) {
		for _, who := range []caller{s.dan, n.console(t, "olivia"), n.nobody()} {
			for _, c := range [][2]string{{"GET", "/operator/queue"}, {"GET", s.review("")}, {"POST", s.review("/claim")}, {"POST", s.review("/release")}, {"POST", s.review("/approve")},
				{"POST", s.review("/reject")}, {"POST", s.review("/request-changes")}, {"POST", s.review("/comments")}, {"POST", s.review("/preflight")}} {
				refused(t, who.do(t, c[0], c[1], nil), http.StatusNotFound, "NOT_FOUND")
			}
		}
	})
	t.Run("C.9.3 of many reviewers who claim at once one does", func(t *testing.T) {
		s := n.newStand(t).tried(t).saved(t, "claimed-once").submitted(t)
		var mu sync.Mutex
		statuses := map[int]int{}
		var wait sync.WaitGroup
		for range 16 {
			wait.Go(func() {
				a := s.rosa.do(t, "POST", s.review("/claim"), nil)
				mu.Lock()
				defer mu.Unlock()
				statuses[a.Status]++
			})
		}
		wait.Wait()
		if !maps.Equal(statuses, map[int]int{200: 1, 409: 15}) {
			t.Errorf("%v", statuses)
		}
	})
}

// trailOfListings proves that everything that was done is kept, and who did it.
func trailOfListings(t *testing.T, n *apiNode) {
	s := n.newStand(t).tried(t)
	by := func(who string, more object) object {
		members := object{"userId": n.ids[who], "organizationId": n.ids["acme"]}
		maps.Copy(members, more)
		return members
	}
	icon := s.upload(t, "ICON", pngOf(512, 512))
	n.kept(t, s.rosa, icon, "asset.uploaded", by("dan", object{"objectType": "asset", "objectId": icon.JSON(t)["id"]}))
	body := s.words(t)
	body["slug"] = "trailed"
	a := s.dan.do(t, "PUT", s.path+"/listing", body)
	s.revision = n.id(said(t, a, http.StatusOK)["open"].(object))
	n.kept(t, s.rosa, a, "listing.created", by("dan", object{"objectType": "listing", "details": object{"appId": s.appID, "slug": "trailed"}}))
	for _, step := range []struct {
		who          caller
		name, method string
		path, action string
		body         any
	}{
		{s.dan, "dan", "PATCH", s.at(""), "revision.changed", object{"tagline": "Other"}},
		{s.dan, "dan", "POST", s.at("/submit"), "revision.submitted", nil},
		{s.dan, "dan", "POST", s.at("/withdraw"), "revision.withdrawn", nil},
		{s.dan, "dan", "POST", s.at("/submit"), "revision.submitted", nil},
		{s.rosa, "rosa", "POST", s.review("/claim"), "revision.claimed", nil},
		{s.rosa, "rosa", "POST", s.review("/release"), "revision.released", nil},
		{s.rosa, "rosa", "POST", s.review("/claim"), "revision.claimed", nil},
		{s.rosa, "rosa", "POST", s.review("/comments"), "revision.commented", object{"text": "Hm."}},
		{s.rosa, "rosa", "POST", s.review("/reject"), "revision.rejected", object{"reason": "No."}},
		{s.dan, "dan", "DELETE", s.at(""), "revision.discarded", nil},
	} {
		a := step.who.do(t, step.method, step.path, step.body)
		if a.Status >= 300 {
			t.Fatalf("%s: %d %s", step.action, a.Status, a.Body)
		}
		n.kept(t, s.rosa, a, step.action, by(step.name, object{"objectType": "revision", "objectId": s.revision, "details": object{"appId": s.appID}}))
	}
	gone := s.dan.do(t, "DELETE", s.path+"/assets/"+icon.JSON(t)["id"].(string), nil)
	n.kept(t, s.rosa, gone, "asset.deleted", by("dan", object{"objectType": "asset"}))
}
