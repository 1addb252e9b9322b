package listing

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"daybook/internal/base/fault"
	"daybook/internal/base/text"
	"daybook/internal/platform/app"
	"daybook/internal/platform/asset"
	"daybook/internal/platform/scope"
)

// The sizes of members, in characters, and how many there may be.
const (
	maxTagline       = 80
	maxDescription   = 5000
	maxPricingText   = 500
	maxJustification = 500
	maxInstructions  = 2000
	maxURL           = 2000
	MaxScreenshots   = 8
	maxLanguages     = 30
)

// Content is what a revision says. Members may be absent until it is submitted.
type Content struct {
	Name                *string                `json:"name"`
	Tagline             *string                `json:"tagline"`
	Description         *string                `json:"description"` // Markdown, see base/markdown
	Category            *Category              `json:"category"`
	IconAssetID         *string                `json:"iconAssetId"`
	ScreenshotAssetIDs  []string               `json:"screenshotAssetIds"`
	WebsiteURL          *string                `json:"websiteUrl"`
	SupportURL          *string                `json:"supportUrl"`
	SupportEmail        *string                `json:"supportEmail"`
	PrivacyURL          *string                `json:"privacyUrl"`
	TermsURL            *string                `json:"termsUrl"`
	Pricing             *Pricing               `json:"pricing"`
	ScopeJustifications map[scope.Scope]string `json:"scopeJustifications"`
	TestInstructions    *string                `json:"testInstructions"` // for reviewers: never shown to others
	Languages           []string               `json:"languages"`
}

// PricingModel says what an app costs.
type PricingModel string

// The models.
const (
	Free     PricingModel = "FREE"
	Paid     PricingModel = "PAID"
	Freemium PricingModel = "FREEMIUM"
)

// Pricing is what an app costs, in a word and in words.
type Pricing struct {
	Model PricingModel `json:"model"`
	Text  *string      `json:"text"`
}

// Member is one that a patch may change: not sent, taken away, or a value.
type Member[T any] struct {
	Set   bool
	Value *T // nil takes it away
}

// Patch changes some members; the others stay as they are.
type Patch struct {
	Name, Tagline, Description                                 Member[string]
	Category                                                   Member[Category]
	IconAssetID                                                Member[string]
	ScreenshotAssetIDs                                         Member[[]string]
	WebsiteURL, SupportURL, SupportEmail, PrivacyURL, TermsURL Member[string]
	Pricing                                                    Member[Pricing]
	ScopeJustifications                                        Member[map[scope.Scope]string]
	TestInstructions                                           Member[string]
	Languages                                                  Member[[]string]
}

// Empty reports whether nothing was sent.
func (p Patch) Empty() bool {
	return !(p.Name.Set || p.Tagline.Set || p.Description.Set || p.Category.Set || p.IconAssetID.Set || p.ScreenshotAssetIDs.Set || p.WebsiteURL.Set || p.SupportURL.Set ||
		p.SupportEmail.Set || p.PrivacyURL.Set || p.TermsURL.Set || p.Pricing.Set || p.ScopeJustifications.Set || p.TestInstructions.Set || p.Languages.Set)
}

func put[T any](m Member[T], into **T) {
	if m.Set {
		*into = m.Value
	}
}

// orEmpty is put for what is never null.
func orEmpty[T any](m Member[T], into *T) {
	if m.Set {
		var empty T
		if *into = empty; m.Value != nil {
			*into = *m.Value
		}
	}
}

// onto applies the patch to a content.
func (p Patch) onto(c Content) Content {
	put(p.Name, &c.Name)
	put(p.Tagline, &c.Tagline)
	put(p.Description, &c.Description)
	put(p.Category, &c.Category)
	put(p.IconAssetID, &c.IconAssetID)
	put(p.WebsiteURL, &c.WebsiteURL)
	put(p.SupportURL, &c.SupportURL)
	put(p.SupportEmail, &c.SupportEmail)
	put(p.PrivacyURL, &c.PrivacyURL)
	put(p.TermsURL, &c.TermsURL)
	put(p.Pricing, &c.Pricing)
	put(p.TestInstructions, &c.TestInstructions)
	orEmpty(p.ScreenshotAssetIDs, &c.ScreenshotAssetIDs)
	orEmpty(p.ScopeJustifications, &c.ScopeJustifications)
	orEmpty(p.Languages, &c.Languages)
	return c
}

// Check says what is wrong with the members that were sent, as far as that does not depend on the app.
func (p Patch) Check() error {
	_, err := p.onto(Content{}).check()
	return err
}

// check cleans the members, and names all that is wrong with them.
func (c Content) check() (Content, error) {
	var wrong fault.Check
	c.Name = checkName(&wrong, c.Name)
	c.Tagline = text.Optional(&wrong, "tagline", c.Tagline, maxTagline)
	c.Description = text.Lines(&wrong, "description", c.Description, maxDescription)
	if c.Category != nil {
		_, known := FindCategory(*c.Category)
		wrong.Require(known, "category", "must be one of the categories, such as %s", Categories[0].Category)
	}
	for _, m := range []struct {
		at  string
		url **string
	}{
		{"websiteUrl", &c.WebsiteURL}, {"supportUrl", &c.SupportURL}, {"privacyUrl", &c.PrivacyURL}, {"termsUrl", &c.TermsURL},
	} {
		*m.url = checkURL(&wrong, m.at, *m.url)
	}
	if c.SupportEmail = text.Optional(&wrong, "supportEmail", c.SupportEmail, 254); c.SupportEmail != nil {
		wrong.Require(text.IsEmail(*c.SupportEmail), "supportEmail", "must be an e-mail address")
	}
	c.Pricing = c.Pricing.check(&wrong)
	c.TestInstructions = text.Lines(&wrong, "testInstructions", c.TestInstructions, maxInstructions)
	c.ScreenshotAssetIDs = checkList(&wrong, "screenshotAssetIds", c.ScreenshotAssetIDs, MaxScreenshots)
	c.ScopeJustifications = checkJustifications(&wrong, c.ScopeJustifications)
	c.Languages = checkLanguages(&wrong, c.Languages)
	return c, wrong.Err()
}

// checkName holds names in the marketplace to the rules of those on the consent page: both are there to be trusted.
func checkName(c *fault.Check, name *string) *string {
	if name == nil || text.Clean(*name) == "" {
		return nil
	}
	checked := app.CheckName(c, *name)
	return &checked
}

// checkURL takes https addresses only: strangers will follow them.
func checkURL(c *fault.Check, at string, value *string) *string {
	value = text.Optional(c, at, value, maxURL)
	if value == nil {
		return nil
	}
	u, err := url.Parse(*value)
	c.Require(err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil && !strings.ContainsAny(*value, "\\ \"<>"), at, "must be an https address")
	return value
}

func (p *Pricing) check(c *fault.Check) *Pricing {
	if p == nil {
		return nil
	}
	c.Require(slices.Contains([]PricingModel{Free, Paid, Freemium}, p.Model), "pricing.model", "must be FREE, PAID or FREEMIUM")
	return &Pricing{p.Model, text.Lines(c, "pricing.text", p.Text, maxPricingText)}
}

// checkList bounds a list, and wants its entries to differ.
func checkList(c *fault.Check, at string, list []string, most int) []string {
	if len(list) > most {
		c.Add(at, "must have at most %d entries", most)
		return list[:most]
	}
	seen := map[string]bool{}
	for i, one := range list {
		c.Require(!seen[one], fmt.Sprintf("%s.%d", at, i), "must not be listed twice")
		seen[one] = true
	}
	return append([]string{}, list...)
}

func checkJustifications(c *fault.Check, given map[scope.Scope]string) map[scope.Scope]string {
	out := map[scope.Scope]string{}
	for _, s := range slices.Sorted(maps.Keys(given)) {
		words := given[s]
		if !scope.Partner(s) {
			c.Add("scopeJustifications", "must name scopes that an app may register, and %q is none", clip(string(s)))
			continue
		}
		if kept := text.Lines(c, "scopeJustifications."+string(s), &words, maxJustification); kept != nil {
			out[s] = *kept
		}
	}
	return out
}

// clip keeps a stranger's text short.
func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// languageForm is a language, and perhaps a country: en, pt-BR.
var languageForm = regexp.MustCompile(`^[a-z]{2,3}(-[A-Z]{2})?$`)

func checkLanguages(c *fault.Check, list []string) []string {
	list = checkList(c, "languages", list, maxLanguages)
	for i, one := range list {
		c.Require(languageForm.MatchString(one), fmt.Sprintf("languages.%d", i), "must be a language such as en or pt-BR")
	}
	return list
}

// assets are the pictures that the content refers to.
func (c Content) assets() []string {
	if c.IconAssetID == nil {
		return c.ScreenshotAssetIDs
	}
	return append([]string{*c.IconAssetID}, c.ScreenshotAssetIDs...)
}

// checkAssets says which of the pictures are not there, or of another kind. found are those of the app.
func (c Content) checkAssets(found map[string]asset.Asset) error {
	var wrong fault.Check
	if c.IconAssetID != nil {
		wrong.Require(found[*c.IconAssetID].Kind == asset.Icon, "iconAssetId", "must be the id of an icon that the app has uploaded")
	}
	for i, one := range c.ScreenshotAssetIDs {
		wrong.Require(found[one].Kind == asset.Screenshot, fmt.Sprintf("screenshotAssetIds.%d", i), "must be the id of a screenshot that the app has uploaded")
	}
	return wrong.Err()
}
