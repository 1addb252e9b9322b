package listing

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/app"
	"daybook/internal/platform/asset"
	"daybook/internal/platform/event"
	"daybook/internal/platform/scope"
	"daybook/internal/platform/webhook"
)

// Check names something that is looked at before an app is reviewed.
type Check string

// The checks, in the order in which they are told.
const (
	Incomplete           Check = "LISTING_INCOMPLETE"
	AssetsMissing        Check = "LISTING_ASSETS_MISSING"
	JustificationMissing Check = "SCOPE_JUSTIFICATION_REQUIRED"
	PrivacyEvents        Check = "PRIVACY_EVENTS_REQUIRED"
	PrivacyUnverified    Check = "PRIVACY_WEBHOOK_UNVERIFIED"
	SignatureUnchecked   Check = "SIGNATURE_CHECK_FAILED"
	LoopbackOnly         Check = "REDIRECT_URI_LOOPBACK_ONLY"
	NotPinned            Check = "API_VERSION_NOT_PINNED"
	NearSunset           Check = "API_VERSION_NEAR_SUNSET"
	UnusedScope          Check = "UNUSED_SCOPE"
	NoSandboxActivity    Check = "NO_SANDBOX_ACTIVITY"
)

// Level says what a result means.
type Level string

// The levels. A FAIL keeps a revision from being submitted.
const (
	Pass Level = "PASS"
	Warn Level = "WARN"
	Fail Level = "FAIL"
)

// Result is what a check found.
type Result struct {
	Check   Check          `json:"check"`
	Level   Level          `json:"level"`
	Message string         `json:"message"`
	Params  map[string]any `json:"params"` // the values that the message shows: p0, p1…

	refusal *fault.Fault // that it is reason for; nil: all is well
}

// Lately is how far back deliveries and calls count.
const Lately = 30 * 24 * time.Hour

// sunsetMargin is how long the version that an app is pinned to must still be in use.
const sunsetMargin = 90 * 24 * time.Hour

// facts are all that the checks look at. They are gathered first, and judged then: nothing is asked in between.
type facts struct {
	now      time.Time
	app      app.App
	content  Content
	assets   map[string]asset.Asset
	webhooks []webhook.Webhook
	answered []event.Type // privacy events that were, lately
	probes   []probe
	activity Activity
}

// probe is how an enabled webhook answered something with a wrong signature.
type probe struct {
	url    string
	status int // 0: it did not
}

// Activity is what an app did lately.
type Activity struct {
	// Scopes that calls of the app took.
	Scopes scope.Set
	// Sandbox says that it called in a sandbox business.
	Sandbox bool
}

// finding is what one check has to say: an empty one that all is well.
type finding struct {
	message string
	params  []any
}

var well = finding{}

// row is one check: what it says of good work, how bad the contrary is, and how it looks.
type row struct {
	check Check
	fine  string
	level Level
	look  func(facts) finding
}

// rows are the checks: the same for developers and reviewers.
var rows = []row{
	{Incomplete, "The listing says all that it must.", Fail, completeness},
	{AssetsMissing, "There are an icon and screenshots.", Fail, pictures},
	{JustificationMissing, "Every restricted scope has its reason.", Fail, justifications},
	{PrivacyEvents, "A webhook subscribes to the privacy events.", Fail, privacyEvents},
	{PrivacyUnverified, "Every privacy event was received and answered lately.", Fail, privacyAnswers},
	{SignatureUnchecked, "Webhooks refuse what is wrongly signed.", Fail, signatures},
	{LoopbackOnly, "There is a redirect URI that people elsewhere can return to.", Fail, redirects},
	{NotPinned, "The app is pinned to an API version.", Fail, pin},
	{NearSunset, "The API version has time left.", Fail, sunset},
	{UnusedScope, "Every registered scope was used lately.", Warn, unusedScopes},
	{NoSandboxActivity, "The app was used in a sandbox business lately.", Warn, sandboxActivity},
}

// judge runs every check.
func judge(f facts) []Result {
	results := make([]Result, len(rows))
	for i, r := range rows {
		results[i] = Result{Check: r.check, Level: Pass, Message: r.fine, Params: map[string]any{}}
		found := r.look(f)
		if found.message == "" {
			continue
		}
		told := fault.New(fault.Invalid, string(r.check), found.message).With(found.params...)
		results[i] = Result{Check: r.check, Level: r.level, Message: told.Text(), Params: map[string]any{}, refusal: told}
		for n, p := range found.params {
			results[i].Params["p"+strconv.Itoa(n)] = p
		}
	}
	return results
}

// refusal is the first failure among results, with all of them as its details; nil when there is none.
func refusal(results []Result) error {
	for _, r := range results {
		if r.Level == Fail {
			return r.refusal.WithDetails(results)
		}
	}
	return nil
}

// list is how several names stand in a sentence.
func list[T ~string](names []T) string {
	words := make([]string, len(names))
	for i, n := range names {
		words[i] = string(n)
	}
	return strings.Join(words, ", ")
}

func completeness(f facts) finding {
	var missing []string
	c := f.content
	for _, m := range []struct {
		name string
		has  bool
	}{
		{"name", c.Name != nil}, {"tagline", c.Tagline != nil}, {"description", c.Description != nil}, {"category", c.Category != nil}, {"websiteUrl", c.WebsiteURL != nil},
		{"supportUrl or supportEmail", c.SupportURL != nil || c.SupportEmail != nil}, {"privacyUrl", c.PrivacyURL != nil}, {"termsUrl", c.TermsURL != nil},
		{"pricing", c.Pricing != nil}, {"pricing.text", c.Pricing == nil || c.Pricing.Model == Free || c.Pricing.Text != nil},
		{"testInstructions", c.TestInstructions != nil}, {"languages", len(c.Languages) > 0},
	} {
		if !m.has {
			missing = append(missing, m.name)
		}
	}
	if len(missing) == 0 {
		return well
	}
	return finding{"These members of the listing are missing: {0}. Fill them in.", []any{list(missing)}}
}

func pictures(f facts) finding {
	var missing []string
	if f.content.IconAssetID == nil || f.assets[*f.content.IconAssetID].Kind != asset.Icon {
		missing = append(missing, "an icon")
	}
	shown := slices.DeleteFunc(slices.Clone(f.content.ScreenshotAssetIDs), func(id string) bool { return f.assets[id].Kind != asset.Screenshot })
	if len(shown) == 0 {
		missing = append(missing, "a screenshot")
	}
	if len(missing) == 0 {
		return well
	}
	return finding{"The listing has no picture of these: {0}. Upload them, and name them in the revision.", []any{list(missing)}}
}

func justifications(f facts) finding {
	var missing []scope.Scope
	for _, e := range f.app.Scopes.Entries() {
		if e.Class == scope.Restricted && f.content.ScopeJustifications[e.Scope] == "" {
			missing = append(missing, e.Scope)
		}
	}
	if len(missing) == 0 {
		return well
	}
	return finding{"These scopes are restricted: {0}. Say in scopeJustifications what the app needs each of them for, or take them away.", []any{list(missing)}}
}

// privacyNeeds are the privacy events that an app with these scopes must hear of.
func privacyNeeds(scopes scope.Set) []event.Type {
	return slices.DeleteFunc(slices.Clone(webhook.Privacy), func(t event.Type) bool {
		e, _ := event.Find(t)
		return e.Scope != "" && !scopes.Has(e.Scope)
	})
}

func privacyEvents(f facts) finding {
	missing := slices.DeleteFunc(privacyNeeds(f.app.Scopes), func(t event.Type) bool {
		return slices.ContainsFunc(f.webhooks, func(w webhook.Webhook) bool { return w.Enabled && slices.Contains(w.Events, t) })
	})
	if len(missing) == 0 {
		return well
	}
	return finding{"No enabled webhook subscribes to {0}. The app must erase data when it is told to: subscribe to them.", []any{list(missing)}}
}

func privacyAnswers(f facts) finding {
	missing := slices.DeleteFunc(privacyNeeds(f.app.Scopes), func(t event.Type) bool { return slices.Contains(f.answered, t) })
	if len(missing) == 0 {
		return well
	}
	return finding{"In the last 30 days no webhook has answered {0} with a 2xx. Trigger them in a sandbox business where the app is installed.", []any{list(missing)}}
}

func signatures(f facts) finding {
	var bad []string
	for _, p := range f.probes {
		if p.status >= 400 && p.status <= 499 {
			continue
		}
		how := "no answer"
		if p.status != 0 {
			how = strconv.Itoa(p.status)
		}
		bad = append(bad, p.url+" ("+how+")")
	}
	if len(bad) == 0 {
		return well
	}
	return finding{"These webhooks did not refuse a wrongly signed request with a 4xx: {0}. Verify every signature before anything else.", []any{list(bad)}}
}

func redirects(f facts) finding {
	for _, uri := range f.app.RedirectURIs {
		if u, err := url.Parse(uri); err == nil && !app.IsLoopback(u.Hostname()) {
			return well
		}
	}
	return finding{message: "Every redirect URI leads to the person's own computer. Register the https address of the app."}
}

func pin(f facts) finding {
	if f.app.PinnedAPIVersion != nil {
		return well
	}
	return finding{"The app is not pinned to an API version, so the next one may break it. Pin it to {0}.", []any{apiversion.Latest().Name}}
}

func sunset(f facts) finding {
	if f.app.PinnedAPIVersion == nil {
		return well
	}
	v, _ := apiversion.Find(*f.app.PinnedAPIVersion)
	if v.Sunset == nil || !v.Sunset.Before(f.now.Add(sunsetMargin)) {
		return well
	}
	return finding{"Version {0} is refused from {1} on, which is less than 90 days away. Move the app to {2} first.", []any{v.Name, v.Sunset.Format(time.DateOnly), apiversion.Latest().Name}}
}

func unusedScopes(f facts) finding {
	used := f.activity.Scopes
	for _, w := range f.webhooks {
		for _, t := range w.Events {
			if e, _ := event.Find(t); w.Enabled && e.Scope != "" {
				used = used.Union(scope.Of(e.Scope)) // to hear of something is to use it
			}
		}
	}
	unused := f.app.Scopes.Minus(used)
	if len(unused) == 0 {
		return well
	}
	return finding{"These scopes are registered, and no call of the last 30 days needed them: {0}. Ask people for no more than the app uses.", []any{list(unused)}}
}

func sandboxActivity(f facts) finding {
	if f.activity.Sandbox {
		return well
	}
	return finding{message: "The app has not been used in a sandbox business in the last 30 days. Reviewers will try it in one: do so before them."}
}
