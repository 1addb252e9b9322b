package pages

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	picture "daybook/internal/platform/asset"
	"daybook/internal/platform/listing"
)

// difference is a member that a revision changes.
type difference struct {
	Name          string
	Before, After string     // of a short one
	Lines         []diffLine // of a long one
	Was, Is       []pictureView
}

// diffLine is a line of a text: kept, added or taken away.
type diffLine struct {
	Text           string
	Added, Removed bool
}

// differences are what a revision changes of the live one, member by member.
func differences(before, after listing.Content, found map[string]picture.Asset) []difference {
	var list []difference
	short := func(name, was, is string) {
		if was != is {
			list = append(list, difference{Name: name, Before: visibleLines(was), After: visibleLines(is)})
		}
	}
	long := func(name, was, is string) {
		if was != is {
			list = append(list, difference{Name: name, Lines: diffLines(was, is)})
		}
	}
	shots := func(name string, was, is []string) {
		if !slices.Equal(was, is) {
			list = append(list, difference{Name: name, Was: picturesOf(was, found), Is: picturesOf(is, found)})
		}
	}
	short("Name", text(before.Name), text(after.Name))
	short("Tagline", text(before.Tagline), text(after.Tagline))
	short("Category", categoryName(before.Category), categoryName(after.Category))
	long("Description", text(before.Description), text(after.Description))
	shots("Icon", oneOrNone(before.IconAssetID), oneOrNone(after.IconAssetID))
	shots("Screenshots", before.ScreenshotAssetIDs, after.ScreenshotAssetIDs)
	short("Languages", strings.Join(before.Languages, ", "), strings.Join(after.Languages, ", "))
	short("Price", priceOf(before.Pricing), priceOf(after.Pricing))
	short("Website", text(before.WebsiteURL), text(after.WebsiteURL))
	short("Support page", text(before.SupportURL), text(after.SupportURL))
	short("Support e-mail", text(before.SupportEmail), text(after.SupportEmail))
	short("Privacy policy", text(before.PrivacyURL), text(after.PrivacyURL))
	short("Terms", text(before.TermsURL), text(after.TermsURL))
	long("Reasons for scopes", reasonsOf(before), reasonsOf(after))
	long("How to test it", text(before.TestInstructions), text(after.TestInstructions))
	return list
}

func categoryName(c *listing.Category) string {
	if c == nil {
		return ""
	}
	e, _ := listing.FindCategory(*c)
	return e.Name
}

func priceOf(p *listing.Pricing) string {
	if p == nil || text(p.Text) == "" {
		return pricingWord(p)
	}
	return pricingWord(p) + ": " + *p.Text
}

// reasonsOf are the reasons for scopes, each on a line of its own.
func reasonsOf(c listing.Content) string {
	var lines []string
	for _, s := range slices.Sorted(maps.Keys(c.ScopeJustifications)) {
		lines = append(lines, string(s)+": "+c.ScopeJustifications[s])
	}
	return strings.Join(lines, "\n")
}

func oneOrNone(id *string) []string {
	if id == nil {
		return nil
	}
	return []string{*id}
}

func picturesOf(ids []string, found map[string]picture.Asset) []pictureView {
	var list []pictureView
	for i, id := range ids {
		if a, ok := found[id]; ok {
			list = append(list, pictureView{Path: a.Path(), Words: "Picture " + strconv.Itoa(i+1), Width: a.Width, Height: a.Height})
		}
	}
	return list
}

// maxCompared is how many pairs of lines are compared; longer texts are shown as taken away and added whole.
const maxCompared = 250_000

// diffLines is how one text becomes another, line by line: the longest common row of lines stays.
func diffLines(before, after string) []diffLine {
	a, b := linesOf(before), linesOf(after)
	if len(a)*len(b) > maxCompared {
		return append(marked(a, diffLine{Removed: true}), marked(b, diffLine{Added: true})...)
	}
	// common[i][j] is how many lines a[i:] and b[j:] have in common.
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var list []diffLine
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			list = append(list, diffLine{Text: visible(a[i])})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			list = append(list, diffLine{Text: visible(a[i]), Removed: true})
			i++
		default:
			list = append(list, diffLine{Text: visible(b[j]), Added: true})
			j++
		}
	}
	return list
}

func linesOf(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

func marked(lines []string, as diffLine) []diffLine {
	list := make([]diffLine, len(lines))
	for i, line := range lines {
		as.Text = visible(line)
		list[i] = as
	}
	return list
}
