package harness

import "strings"

// CurrentBusiness is the id of the business that an account page shows as the one worked in: the only one of the
// person's businesses that it does not offer to switch to. It is empty when there is no such business, or several.
func CurrentBusiness(page string, u User) string {
	current := ""
	for _, b := range u.Businesses {
		switch {
		case strings.Contains(page, `name="business" value="`+b.ID+`"`):
		case current != "":
			return ""
		default:
			current = b.ID
		}
	}
	return current
}
