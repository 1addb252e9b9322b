package pages

import (
	"strconv"
	"strings"
	"unicode"

	picture "daybook/internal/platform/asset"
	"daybook/internal/platform/listing"
	"daybook/internal/platform/scope"
)

// shownListing is a listing as people see it: in the marketplace, and before that on the pages of those who make and review it.
type shownListing struct {
	Name, Publisher, Tagline string
	Icon                     *pictureView
	Initial                  string // stands in the place of an icon
	Screenshots              []pictureView
	Description              string // Markdown
	Category, CategoryPath   string
	Pricing, PricingText     string
	Languages                string
	Links                    []outLink
	Grants                   []grantView
}

// pictureView is a picture of an app.
type pictureView struct {
	Path, Words   string // Words are for those who do not see it
	Width, Height int
}

// outLink leads to somebody else's page.
type outLink struct{ Name, Address, Words string }

// show prepares what a revision says. scopes are what the app may ask for.
func show(c listing.Content, publisher string, scopes scope.Set, icon *picture.Asset, screenshots []picture.Asset) shownListing {
	v := shownListing{
		Name: visible(text(c.Name)), Publisher: visible(publisher), Tagline: visible(text(c.Tagline)), Description: text(c.Description),
		Pricing: pricingWord(c.Pricing), Languages: languageWords(c.Languages), Links: outLinks(c), Grants: grants(scopes.Entries()),
	}
	v.Initial = initialOf(v.Name)
	if c.Category != nil {
		e, _ := listing.FindCategory(*c.Category)
		v.Category, v.CategoryPath = e.Name, shelfPath(e.Category)
	}
	if c.Pricing != nil {
		v.PricingText = visibleLines(text(c.Pricing.Text))
	}
	if icon != nil {
		v.Icon = &pictureView{Path: icon.Path(), Width: icon.Width, Height: icon.Height}
	}
	for i, one := range screenshots {
		words := "Screenshot " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(screenshots)) + ", in full size"
		v.Screenshots = append(v.Screenshots, pictureView{Path: one.Path(), Words: words, Width: one.Width, Height: one.Height})
	}
	return v
}

// initialOf is the first letter of a name.
func initialOf(name string) string {
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return string(unicode.ToUpper(r))
		}
	}
	return "·"
}

// byID are pictures by their ids.
func byID(all []picture.Asset) map[string]picture.Asset {
	found := map[string]picture.Asset{}
	for _, a := range all {
		found[a.ID] = a
	}
	return found
}

// pick finds the pictures that a content shows among those there are.
func pick(c listing.Content, found map[string]picture.Asset) (icon *picture.Asset, screenshots []picture.Asset) {
	if c.IconAssetID != nil {
		if a, ok := found[*c.IconAssetID]; ok {
			icon = &a
		}
	}
	for _, id := range c.ScreenshotAssetIDs {
		if a, ok := found[id]; ok {
			screenshots = append(screenshots, a)
		}
	}
	return icon, screenshots
}

var pricingWords = map[listing.PricingModel]string{listing.Free: "Free", listing.Paid: "Paid", listing.Freemium: "Free to begin with"}

func pricingWord(p *listing.Pricing) string {
	if p == nil {
		return ""
	}
	return pricingWords[p.Model]
}

// outLinks are the addresses of a listing, in the order in which people look for them.
func outLinks(c listing.Content) []outLink {
	var list []outLink
	add := func(name, address, words string) {
		if address != "" {
			list = append(list, outLink{name, address, visible(words)})
		}
	}
	add("Website", text(c.WebsiteURL), shortAddress(text(c.WebsiteURL)))
	add("Support", text(c.SupportURL), shortAddress(text(c.SupportURL)))
	if c.SupportEmail != nil {
		add("E-mail", "mailto:"+*c.SupportEmail, *c.SupportEmail)
	}
	add("Privacy policy", text(c.PrivacyURL), shortAddress(text(c.PrivacyURL)))
	add("Terms", text(c.TermsURL), shortAddress(text(c.TermsURL)))
	return list
}

// shortAddress is what people read of an address: whose it is, and as much of the rest as fits.
func shortAddress(address string) string {
	const most = 48
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		rest = address
	}
	rest = strings.TrimSuffix(rest, "/")
	if runes := []rune(rest); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return rest
}

// languageNames are the languages that apps are mostly in. Another one is shown by its code.
var languageNames = map[string]string{
	"ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian",
	"fi": "Finnish", "fr": "French", "ga": "Irish", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "is": "Icelandic", "it": "Italian",
	"ja": "Japanese", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "mt": "Maltese", "nb": "Norwegian", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese",
	"ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}

// languageWords are languages as people call them: Portuguese (BR).
func languageWords(codes []string) string {
	names := make([]string, len(codes))
	for i, code := range codes {
		tongue, country, regional := strings.Cut(code, "-")
		name, known := languageNames[tongue]
		switch {
		case !known:
			names[i] = visible(code)
		case regional:
			names[i] = name + " (" + visible(country) + ")"
		default:
			names[i] = name
		}
	}
	return strings.Join(names, ", ")
}
