package listing

import (
	"errors"
	"strings"
	"testing"

	"daybook/internal/base/fault"
	"daybook/internal/platform/scope"
)

func set[T any](v T) Member[T] { return Member[T]{Set: true, Value: &v} }

func TestWhatIsWrongWithMembers(t *testing.T) {
	nine := strings.Fields("a b c d e f g h i")
	for name, c := range map[string]struct {
		patch Patch
		named string
	}{
		"all is well": {Patch{Name: set("Sync"), Description: set("# A\n\nb"), Category: set(Category("TAX")), WebsiteURL: set("https://a.example/x"), SupportEmail: set("a@a.example"),
			Pricing: set(Pricing{Model: Freemium, Text: word("5 a month")}), Languages: set([]string{"en", "pt-BR"}), ScopeJustifications: set(map[scope.Scope]string{scope.JournalWrite: "x"})}, ""},
		"taken away":             {Patch{Name: Member[string]{Set: true}, Pricing: Member[Pricing]{Set: true}, Languages: Member[[]string]{Set: true}}, ""},
		"too long":               {Patch{Name: set(strings.Repeat("n", 51)), Tagline: set(strings.Repeat("t", 81)), Description: set(strings.Repeat("d", 5001)), TestInstructions: set(strings.Repeat("i", 2001))}, "name tagline description testInstructions"},
		"a name that deceives":   {Patch{Name: set("Daybook Sync")}, "name"},
		"no category":            {Patch{Category: set(Category("GAMES"))}, "category"},
		"addresses":              {Patch{WebsiteURL: set("http://a.example"), SupportURL: set("javascript:alert(1)"), PrivacyURL: set("https://u:p@a.example"), TermsURL: set("https://")}, "websiteUrl supportUrl privacyUrl termsUrl"},
		"no e-mail address":      {Patch{SupportEmail: set("a")}, "supportEmail"},
		"no pricing":             {Patch{Pricing: set(Pricing{Model: "CHEAP", Text: word(strings.Repeat("p", 501))})}, "pricing.model pricing.text"},
		"too many screenshots":   {Patch{ScreenshotAssetIDs: set(nine)}, "screenshotAssetIds"},
		"a screenshot twice":     {Patch{ScreenshotAssetIDs: set([]string{"a", "a"})}, "screenshotAssetIds.1"},
		"languages":              {Patch{Languages: set([]string{"en", "English", "en"})}, "languages.2 languages.1"},
		"reasons for no scope":   {Patch{ScopeJustifications: set(map[scope.Scope]string{"console:manage": "x", "nonsense": "y"})}, "scopeJustifications scopeJustifications"},
		"a reason that is long":  {Patch{ScopeJustifications: set(map[scope.Scope]string{scope.JournalWrite: strings.Repeat("x", 501)})}, "scopeJustifications.journal:write"},
		"a control character in": {Patch{Tagline: set("a\x00b")}, "tagline"},
	} {
		t.Run(name, func(t *testing.T) {
			var paths []string
			if f := fault.From(c.patch.Check()); f != nil {
				for _, sentence := range f.Fields {
					path, _, _ := strings.Cut(sentence, " ")
					paths = append(paths, path)
				}
			}
			sortWords := func(s []string) string { return strings.Join(sorted(s), " ") }
			if got, want := sortWords(paths), sortWords(strings.Fields(c.named)); got != want {
				t.Errorf("named %q, want %q", got, want)
			}
		})
	}
}

func TestSlugs(t *testing.T) {
	for slug, good := range map[string]bool{
		"ledger-sync": true, "abc": true, "a1-b2-c3": true, "123": true, strings.Repeat("a", 50): true,
		"": false, "ab": false, strings.Repeat("a", 51): false, "Ledger": false, "a_b": false, "a--b": false, "-ab": false, "ab-": false, "a b": false, "bücher": false, "../x": false, "abc\n": false,
		"admin": false, "search": false, "daybook": false, "sign-in": false,
	} {
		if err := (Saving{Slug: slug}).Check(); (err == nil) != good {
			t.Errorf("%q: %v", slug, err)
		}
	}
	both := fault.From(Saving{Slug: "A", Patch: Patch{Category: set(Category("x"))}}.Check())
	if both == nil || len(both.Fields) != 2 || errors.Is(both, ErrSlugTaken) {
		t.Errorf("%v", both)
	}
}

func TestWords(t *testing.T) {
	c := Content{Name: word("Café SYNC"), Tagline: word("sync, everything"), Description: word("# Über\n\n**bold** [site](https://a.example/hidden) 100%")}
	if got := c.words(); got != " cafe sync everything uber bold site 100 " {
		t.Errorf("%q", got)
	}
}
