package browser

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// TestFromADraftToAnInstallation is the whole life of a listing: draft, submission, changes requested, submitted again, approved, found
// in the marketplace and installed.
func TestFromADraftToAnInstallation(t *testing.T) {
	w := open(t)
	s := newStall(w, "Night Books", "profile:read", "invoices:read", "customers:read", "journal:write")
	w.begin("dan")
	seen := watch(w)
	t.Run("a developer begins a listing", func(t *testing.T) {
		w := w.in(t)
		w.visit(s.path)
		w.follow("Listing")
		w.wantWords("Not listed yet")
		w.fill("slug", "Night Books")
		run(w, noValidation)
		w.tap("Begin the listing")
		w.await("what is wrong with the address", `document.querySelector("[name=slug]").ariaInvalid == "true"`)
		w.wantFocus("slug")
		w.fill("slug", "night-books")
		w.click("Begin the listing")
		w.wantPath(s.path + "/listing/edit")
	})
	t.Run("writes the texts", func(t *testing.T) {
		w := w.in(t)
		w.wantWords("Post journal entries", "Up to 80 characters")
		w.fill("tagline", "The books are done when you wake up")
		w.choose("category", "ACCOUNTING")
		w.fill("description", "# What it does\n\nIt works **at night**. <script>document.title='owned'</script>\n\n[click](javascript:document.title='owned')")
		w.fill("languages", "en, pt-BR, English")
		w.fill("websiteUrl", "https://app.example")
		w.fill("supportEmail", "help@app.example")
		w.fill("privacyUrl", "http://app.example/privacy")
		w.fill("termsUrl", "https://app.example/terms")
		w.fill("testInstructions", "Connect it, and wait for the night.")
		w.tap("Save texts")
		w.await("what is wrong with the address", `document.querySelector("[name=privacyUrl]").ariaInvalid == "true"`)
		w.wantWords("Must be an https address", "Must be a language such as en or pt-BR")
		w.fill("privacyUrl", "https://app.example/privacy")
		w.fill("languages", "en, pt-BR")
		w.click("Save texts")
		w.wantWords("Your changes are saved", "draft", "They look at what reviewers look at first")
	})
	t.Run("sees what is missing", func(t *testing.T) {
		w := w.in(t)
		w.click("Run the checks")
		w.wantWords("checks fail", "LISTING_INCOMPLETE", "pricing", "LISTING_ASSETS_MISSING", "SCOPE_JUSTIFICATION_REQUIRED", "PRIVACY_WEBHOOK_UNVERIFIED", "look at this", "fails", "checks pass")
		w.tap("Submit for review")
		w.wantText("[role=alert]", "These members of the listing are missing")
		w.follow("Load this page again")
		w.follow("Give the reasons")
		w.choose("pricing.model", "FREEMIUM")
		w.fill("pricing.text", "Free for 50 invoices a month.")
		w.fill("scopeJustifications.journal:write", "It posts what it found.")
		w.click("Save texts")
		w.wantWords("Something changed since: run them again")
	})
	t.Run("CONS-02 uploads pictures, and puts them in order", func(t *testing.T) {
		w := w.in(t)
		w.follow("Pictures")
		w.attach(0, make([]byte, 1<<20+1))
		w.tap("Upload icon")
		w.wantText("main", "This file has more than 1 MiB")
		w.attach(0, []byte("GIF89a is no icon"))
		w.tap("Upload icon")
		w.wantText("main", "This cannot be an app's picture")
		w.attach(0, drawn(512, 512, 40))
		w.click("Upload icon")
		w.wantWords("The picture is uploaded")
		w.click("Use spare icon 1 as the icon")
		w.wantWords("Your changes are saved", "512 × 512 pixels")
		for _, tint := range []uint8{90, 150, 200} {
			w.attach(1, drawn(800, 450, tint))
			w.click("Upload screenshot")
		}
		for range 3 {
			w.click("Show spare screenshot 1")
		}
		order := func() string {
			return eval[string](w, `[...document.querySelectorAll("ol.gallery img")].map(i => i.src).join()`)
		}
		before := strings.Split(order(), ",")
		w.click("Move screenshot 3 forward")
		if got := strings.Split(order(), ","); got[1] != before[2] || got[2] != before[1] {
			t.Errorf("the order is %v, was %v", got, before)
		}
		w.click("Take screenshot 3 out")
		if got := strings.Split(order(), ","); len(got) != 2 {
			t.Errorf("%d screenshots", len(got))
		}
		if n := eval[int](w, `[...document.images].filter(i => i.complete && i.naturalWidth > 0).length`); n != 4 {
			t.Errorf("%d pictures are seen", n)
		}
	})
	t.Run("CONS-02 learns that a picture is in use", func(t *testing.T) {
		w, other := w.in(t), w.another()
		other.begin("dan")
		other.visit(s.path + "/listing/pictures")
		other.click("Show spare screenshot 1") // meanwhile, in another window
		w.tap("Delete spare screenshot 1")
		w.wantText("[role=alert]", "The live listing or an open revision shows this picture. Take it out there first")
		w.visit(s.path + "/listing/pictures")
		w.click("Take screenshot 3 out")
		w.click("Delete spare screenshot 1")
		w.wantWords("The picture is deleted")
	})
	t.Run("has the privacy events happen, and submits", func(t *testing.T) {
		w := w.in(t)
		s.hears("customer.redact", "business.redact")
		w.visit(s.path + "/listing")
		w.click("Run the checks again")
		w.wantWords("No check fails", "UNUSED_SCOPE")
		w.follow("Preview")
		w.wantWords("What it does", "It works at night.", "English, Portuguese (BR)", "<script>document.title='owned'</script>", "Post journal entries")
		w.follow("Back to the listing")
		w.click("Submit for review")
		w.wantWords("It is submitted", "Withdraw", "waits for a reviewer")
		w.visit(s.path + "/listing/edit")
		w.wantWords("What reviewers look at does not change")
		w.visit(s.path + "/listing")
		w.click("Withdraw")
		w.wantWords("It is yours again")
		w.click("Submit for review")
		w.wantWords("It is submitted")
	})
	r := w.another()
	r.begin("rosa")
	var review string
	t.Run("a reviewer claims it and wants something changed", func(t *testing.T) {
		r := r.in(t)
		r.visit("/operator")
		r.follow("Review")
		r.wantWords("Night Books", "Acme Apps", "first listing", "waiting", "nobody")
		r.follow("Night Books")
		review = r.path()
		r.wantWords("the first listing of this app", "Claim it to decide", "all of it is new", "Connect it, and wait for the night.", "“It posts what it found.”", "personal data", s.server+"/webhooks",
			"business.redact", "https://app.example/callback", "No check fails")
		r.click("Claim it")
		r.wantWords("yours to decide about", "Rosa Lindqvist, that is you")
		r.tap("Request changes…")
		r.fill("notes", "Say what it costs after that.\nAnd <b>how</b> to end it.")
		r.click("Request changes")
		r.wantWords("Its developers see what you want changed", "changes requested")
	})
	t.Run("the developer answers, changes it and submits again", func(t *testing.T) {
		w := w.in(t)
		w.visit(s.path + "/listing")
		w.wantWords("changes requested", "Changes requested", "The reviewers say", "And <b>how</b> to end it.", "Reviewer ·")
		if strings.Contains(w.text("main"), "Rosa") {
			t.Error("the reviewer is named")
		}
		w.fill("text", "It ends with the month.")
		w.click("Send")
		w.wantWords("The reviewers can read it now", "Dan Okafor", "It ends with the month.")
		w.follow("Edit texts")
		w.fill("pricing.text", "Free for 50 invoices a month. Then 9 euros a month; it ends when you say so.")
		w.click("Save texts")
		w.click("Submit for review")
		w.wantWords("It is submitted")
	})
	t.Run("and is published", func(t *testing.T) {
		r := r.in(t)
		r.visit(review)
		r.wantWords("It ends with the month.", "Dan Okafor", "Then 9 euros a month")
		r.click("Claim it")
		r.click("Approve and publish")
		r.wantWords("It is published", "reviewed")
		r.visit("/operator/review")
		r.wantWords("Nothing here")
	})
	t.Run("everybody finds it, without scripts", func(t *testing.T) {
		v := w.in(t).another()
		ask(v, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		v.visit("/marketplace")
		v.wantWords("Night Books", "The books are done when you wake up", "Acme Apps", "Free to begin with")
		v.follow("Payroll and people")
		v.wantWords("Nothing stands here yet in Payroll and people")
		v.follow("Accounting and bookkeeping")
		v.wantWords("Night Books")
		v.fill("search", "wake nothing")
		v.click("Search")
		v.wantWords("Nothing has all the words of “wake nothing” in Accounting and bookkeeping")
		v.fill("search", "wak bo")
		v.click("Search")
		v.followFirst(".apps a")
		v.wantPath("/marketplace/night-books")
		v.wantWords("What it does", "Install", "You are not signed in", strings.TrimPrefix(s.server, "http://"), "See customers and their contact data", "Privacy policy")
		if strings.Contains(v.text("main"), "wait for the night") || strings.Contains(v.text("main"), "It posts what") {
			t.Error("what is for reviewers is told to everybody")
		}
		if n := eval[int](v, `[...document.querySelectorAll(".facts a")].filter(a => a.rel != "nofollow noopener noreferrer ugc").length`); n != 0 {
			t.Errorf("%d links say nothing of whose they are", n)
		}
		if title := eval[string](v, `document.title`); title == "owned" {
			t.Error("a description ran in the page")
		}
		if status := v.visit("/marketplace/night"); status != http.StatusNotFound {
			t.Errorf("another address: %d", status)
		}
	})
	t.Run("a business installs it", func(t *testing.T) {
		o := w.in(t).another()
		o.begin("olivia")
		o.follow("Marketplace")
		o.followFirst(".apps a")
		o.follow("Install")
		o.wantWords("Night Books wants to connect", "reviewed", "See invoices", "Bakery Brandt")
		o.click("Allow")
		o.wantWords("Back at the app")
		if !strings.HasPrefix(o.path(), s.server+"/callback?") || !strings.Contains(o.path(), "code=") {
			t.Errorf("at %s", o.path())
		}
		o.visit("/marketplace/night-books")
		o.wantWords("installed", "in Bakery Brandt", "Open Night Books")
		o.follow("Connected apps")
		o.wantPath("/apps")
		o.wantWords("Night Books", "See invoices")
		staff := o.another()
		staff.begin("sam")
		staff.visit("/marketplace/night-books")
		staff.wantWords("installed")
	})
	t.Run("what changes next is marked", func(t *testing.T) {
		w, r := w.in(t), r.in(t)
		w.visit(s.path + "/listing")
		w.wantWords("Nothing waits to be published", "to everybody")
		w.follow("Edit texts")
		w.fill("description", "# What it does\n\nIt works by day, too.")
		w.fill("tagline", "The books are always done")
		w.click("Save texts")
		w.wantWords("Revision 2", "draft", "published")
		w.click("Submit for review")
		r.visit("/operator/review")
		r.wantWords("revision 2")
		r.follow("Night Books")
		r.wantWords("What it changes", "Tagline", "The books are always done")
		if got := r.text(".diff del") + r.text(".diff ins"); !strings.Contains(got, "It works **at night**.") || !strings.Contains(got, "It works by day, too.") {
			t.Errorf("the differences are %q", got)
		}
		v := w.another()
		v.visit("/marketplace/night-books")
		v.wantWords("It works at night.", "The books are done when you wake up")
	})
	t.Run("and it is hidden and shown", func(t *testing.T) {
		w, v := w.in(t), w.in(t).another()
		w.visit(s.path + "/listing")
		w.tap("Hide the listing…")
		w.click("Hide the listing")
		w.wantWords("The listing is hidden", "hidden")
		if status := v.visit("/marketplace/night-books"); status != http.StatusNotFound {
			t.Errorf("hidden: %d", status)
		}
		v.visit("/marketplace")
		v.wantWords("No app yet")
		w.click("Show it again")
		if status := v.visit("/marketplace/night-books"); status != http.StatusOK {
			t.Errorf("shown again: %d", status)
		}
	})
	seen.complaints(w)
	seen.requests(w)
}

// TestReviewersDoNotGetInEachOthersWay: who has claimed a revision decides about it.
func TestReviewersDoNotGetInEachOthersWay(t *testing.T) {
	w := open(t)
	s := newStall(w, "Night Books", "profile:read", "invoices:read", "journal:write")
	review := s.submitted("night-books", "Night Books")
	page := pageOf(review)
	w.begin("rosa")
	w.visit(page)
	newDeveloper(w, "rosa").do("POST", review+"/claim", nil)
	t.Run("a claim that came too late is told", func(t *testing.T) {
		w := w.in(t)
		w.tap("Claim it")
		w.wantText("[role=alert]", "That cannot be done to a revision that is IN_REVIEW")
	})
	t.Run("an app that changed meanwhile cannot be approved", func(t *testing.T) {
		w := w.in(t)
		s.do("PUT", s.path+"/scopes", map[string]any{"scopes": []string{"profile:read", "invoices:read", "journal:write", "customers:read"}})
		w.visit(page)
		w.wantWords("The app has changed its scopes since this was submitted")
		w.tap("Approve and publish")
		w.wantText("[role=alert]", "has changed its scopes")
		w.tap("Reject…")
		w.fill("reason", "It asks for more than it says.")
		w.click("Reject")
		w.wantWords("It is rejected", "rejected")
	})
	t.Run("to anyone else there is no such page", func(t *testing.T) {
		d := w.in(t).another()
		d.begin("dan")
		if status := d.visit(page); status != http.StatusNotFound {
			t.Errorf("status %d", status)
		}
		d.visit(s.path + "/listing")
		d.wantWords("Rejected", "It asks for more than it says.")
		d.tap("Discard revision 1…")
		d.click("Discard the revision")
		d.wantWords("The revision is discarded", "No revision is open")
		d.follow("Edit texts")
		d.fill("name", "Night Books Two")
		d.click("Save texts")
		d.wantWords("Revision 2", "draft")
	})
}
