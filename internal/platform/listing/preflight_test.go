package listing

import (
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/platform/app"
	"daybook/internal/platform/asset"
	"daybook/internal/platform/event"
	"daybook/internal/platform/scope"
	"daybook/internal/platform/webhook"
)

func word(s string) *string { return &s }

// perfect are facts that no check has anything against.
func perfect() facts {
	category := Category("TAX")
	return facts{
		now: time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC),
		app: app.App{
			Scopes:       scope.Of(scope.ProfileRead, scope.CustomersRead, scope.SuppliersRead, scope.JournalWrite),
			RedirectURIs: []string{"http://127.0.0.1:3000/callback", "https://app.example/callback"}, PinnedAPIVersion: word("2026-06-01"),
		},
		content: Content{
			Name: word("Sync"), Tagline: word("Syncs"), Description: word("It syncs."), Category: &category, IconAssetID: word("ast_1"), ScreenshotAssetIDs: []string{"ast_2"},
			WebsiteURL: word("https://a.example"), SupportEmail: word("a@a.example"), PrivacyURL: word("https://a.example/p"), TermsURL: word("https://a.example/t"),
			Pricing: &Pricing{Model: Free}, ScopeJustifications: map[scope.Scope]string{scope.JournalWrite: "to post"}, TestInstructions: word("Click."), Languages: []string{"en"},
		},
		assets:   map[string]asset.Asset{"ast_1": {Kind: asset.Icon}, "ast_2": {Kind: asset.Screenshot}},
		webhooks: []webhook.Webhook{{Enabled: true, URL: "https://a.example/hook", Events: webhook.Privacy}},
		answered: webhook.Privacy,
		probes:   []probe{{"https://a.example/hook", 401}},
		activity: Activity{Scopes: scope.Of(scope.ProfileRead, scope.JournalWrite), Sandbox: true},
	}
}

func TestEveryCheckPassesAndFails(t *testing.T) {
	for _, r := range judge(perfect()) {
		if r.Level != Pass || r.Message == "" || len(r.Params) != 0 {
			t.Fatalf("%+v", r)
		}
	}
	for _, c := range []struct {
		check Check
		level Level
		p0    string // the beginning of what is told; empty: nothing is
		spoil func(f *facts)
	}{
		{Incomplete, Fail, "name, tagline", func(f *facts) { f.content.Name, f.content.Tagline = nil, nil }},
		{Incomplete, Fail, "description, category, websiteUrl", func(f *facts) { f.content.Description, f.content.Category, f.content.WebsiteURL = nil, nil, nil }},
		{Incomplete, Fail, "supportUrl or supportEmail", func(f *facts) { f.content.SupportEmail = nil }},
		{Incomplete, Fail, "privacyUrl, termsUrl, pricing", func(f *facts) { f.content.PrivacyURL, f.content.TermsURL, f.content.Pricing = nil, nil, nil }},
		{Incomplete, Fail, "pricing.text", func(f *facts) { f.content.Pricing = &Pricing{Model: Paid} }},
		{Incomplete, Fail, "testInstructions, languages", func(f *facts) { f.content.TestInstructions, f.content.Languages = nil, nil }},
		{AssetsMissing, Fail, "an icon", func(f *facts) { f.content.IconAssetID = nil }},
		{AssetsMissing, Fail, "an icon", func(f *facts) { delete(f.assets, "ast_1") }},
		{AssetsMissing, Fail, "a screenshot", func(f *facts) { f.content.ScreenshotAssetIDs = nil }},
		{JustificationMissing, Fail, "journal:write", func(f *facts) { f.content.ScopeJustifications = nil }},
		{JustificationMissing, Fail, "accounts:write", func(f *facts) {
			f.app.Scopes = f.app.Scopes.Union(scope.Of(scope.AccountsWrite))
			f.activity.Scopes = f.app.Scopes
		}},
		{PrivacyEvents, Fail, "business.redact, customer.redact, supplier.redact", func(f *facts) { f.webhooks, f.activity.Scopes = nil, f.app.Scopes }},
		{PrivacyEvents, Fail, "business.redact", func(f *facts) { f.webhooks[0].Enabled, f.activity.Scopes = false, f.app.Scopes }},
		{PrivacyEvents, Fail, "supplier.redact", func(f *facts) { f.webhooks[0].Events, f.activity.Scopes = webhook.Privacy[:2], f.app.Scopes }},
		{PrivacyUnverified, Fail, "customer.redact, supplier.redact", func(f *facts) { f.answered = []event.Type{event.BusinessRedact} }},
		{SignatureUnchecked, Fail, "https://a.example/hook (200)", func(f *facts) { f.probes[0].status = 200 }},
		{SignatureUnchecked, Fail, "https://a.example/hook (500)", func(f *facts) { f.probes[0].status = 500 }},
		{SignatureUnchecked, Fail, "https://a.example/hook (302)", func(f *facts) { f.probes[0].status = 302 }},
		{SignatureUnchecked, Fail, "https://a.example/hook (no answer)", func(f *facts) { f.probes[0].status = 0 }},
		{LoopbackOnly, Fail, "", func(f *facts) { f.app.RedirectURIs = f.app.RedirectURIs[:1] }},
		{NotPinned, Fail, "2026-06-01", func(f *facts) { f.app.PinnedAPIVersion = nil }},
		{NearSunset, Fail, "2025-10-01", func(f *facts) {
			f.app.PinnedAPIVersion, f.now = word("2025-10-01"), time.Date(2027, 3, 3, 0, 0, 1, 0, time.UTC)
		}},
		{NearSunset, Fail, "2025-03-01", func(f *facts) { f.app.PinnedAPIVersion = word("2025-03-01") }},
		{UnusedScope, Warn, "profile:read", func(f *facts) { f.activity.Scopes = scope.Of(scope.JournalWrite) }},
		{NoSandboxActivity, Warn, "", func(f *facts) { f.activity.Sandbox = false }},
	} {
		t.Run(string(c.check)+" "+c.p0, func(t *testing.T) {
			f := perfect()
			c.spoil(&f)
			results := judge(f)
			for _, r := range results {
				if r.Check != c.check {
					if r.Level != Pass {
						t.Errorf("another one: %+v", r)
					}
					continue
				}
				p0, _ := r.Params["p0"].(string)
				if r.Level != c.level || !strings.HasPrefix(p0, c.p0) || (c.p0 == "") != (len(r.Params) == 0) || !strings.Contains(r.Message, p0) {
					t.Errorf("%+v", r)
				}
			}
			told := fault.From(refusal(results))
			if (told != nil) != (c.level == Fail) || told != nil && (told.Code != string(c.check) || told.Details == nil) {
				t.Errorf("%v", told)
			}
		})
	}
}

func TestTheChecksStandInTheirOrder(t *testing.T) {
	f := perfect()
	f.content, f.app.PinnedAPIVersion, f.probes[0].status = Content{}, nil, 200
	results := judge(f)
	var failed []Check
	for _, r := range results {
		if r.Level == Fail {
			failed = append(failed, r.Check)
		}
	}
	if !slices.Equal(failed, []Check{Incomplete, AssetsMissing, JustificationMissing, SignatureUnchecked, NotPinned}) {
		t.Errorf("%v", failed)
	}
	if told := fault.From(refusal(results)); told.Code != string(Incomplete) || len(told.Details.([]Result)) != len(rows) {
		t.Errorf("%v", told)
	}
}

// An app that hears of nobody's data needs to act on the end of a business only; one with 90 days left on its version is in time.
func TestWhatIsNotAskedOfEveryApp(t *testing.T) {
	f := perfect()
	f.app.Scopes, f.activity.Scopes = scope.Of(scope.ProfileRead), scope.Of(scope.ProfileRead)
	f.webhooks[0].Events, f.answered = []event.Type{event.BusinessRedact}, []event.Type{event.BusinessRedact}
	f.app.PinnedAPIVersion, f.now = word("2025-10-01"), time.Date(2027, 3, 3, 0, 0, 0, 0, time.UTC)
	f.probes = nil
	for _, r := range judge(f) {
		if r.Level != Pass {
			t.Errorf("%+v", r)
		}
	}
}
