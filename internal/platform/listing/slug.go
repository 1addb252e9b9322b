package listing

import (
	"regexp"
	"slices"

	"daybook/internal/base/fault"
)

// The length of a slug.
const (
	minSlug = 3
	maxSlug = 50
)

var slugForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// reservedSlugs would be taken for pages of the service itself, or pass for it.
var reservedSlugs = []string{
	"about", "account", "admin", "api", "app", "apps", "assets", "browse", "categories", "category", "console", "daybook", "developer", "developers", "docs", "featured",
	"help", "home", "index", "legal", "listing", "listings", "login", "marketplace", "new", "null", "official", "operator", "popular", "privacy", "rest", "search", "security",
	"settings", "sign-in", "sign-out", "static", "support", "terms", "undefined", "verified",
}

func checkSlug(c *fault.Check, slug string) {
	switch {
	case len(slug) < minSlug || len(slug) > maxSlug:
		c.Add("slug", "must have %d to %d characters", minSlug, maxSlug)
	case !slugForm.MatchString(slug):
		c.Add("slug", "must be lower-case letters and digits, with single hyphens between them")
	case slices.Contains(reservedSlugs, slug):
		c.Add("slug", "must be another one: this word is the service's own")
	}
}
