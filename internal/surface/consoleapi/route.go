package consoleapi

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"daybook/internal/tenancy/organization"
)

// Route is one row of the table.
type Route struct {
	Method string
	Path   string
	// Of says what it is about, and so whose role counts.
	Of Subject
	// Needs is what the person's role in the organization must allow.
	Needs   organization.Ability
	Summary string
	// About, if not empty, says what the summary cannot.
	About string
	// Versioned says that If-Match may name the version of the record that a change is based on.
	Versioned bool
	// Params are the query parameters.
	Params []Param

	verb verb
}

// Subject is what a route is about.
type Subject int

// The subjects.
const (
	// App is the one in the path. For who does not belong to its organization it does not exist (CONS-06).
	App Subject = iota
	// Organization is the person's own: the first one joined, or the one that the parameter organizationId names.
	Organization
	// Sandbox is the one in the path. For who does not belong to its organization it does not exist.
	Sandbox
	// Person is nothing but who is signed in. What they may see the feature decides.
	Person
)

// Param is a query parameter.
type Param struct{ Name, About string }

// ofOrganization is the parameter that chooses between several organizations.
var ofOrganization = Param{"organizationId", "Which organization, for who belongs to several; by default the one joined first."}

func (r *Route) pattern() string { return r.Method + " " + r.Path }

func (r *Route) writes() bool { return r.Method != "GET" }

// params are all that the route takes.
func (r *Route) params() []Param {
	if r.Of == Organization {
		return append(slices.Clone(r.Params), ofOrganization)
	}
	return r.Params
}

func (r *Route) paramNames() []string {
	var names []string
	for _, p := range r.params() {
		names = append(names, p.Name)
	}
	return names
}

const prefix = "/developer/"

var placeholders = regexp.MustCompile(`\{(\w+)\}`)

// check finds mistakes in the table. One with a mistake does not start.
func check(routes []Route) error {
	seen := map[string]bool{}
	for _, r := range routes {
		var wrong string
		switch {
		case seen[r.pattern()]:
			wrong = "stands in the table twice"
		case r.verb.register == nil:
			wrong = "does nothing"
		case r.Summary == "":
			wrong = "says nothing about itself"
		case !strings.HasPrefix(r.Path, prefix):
			wrong = "is not of the console"
		case strings.Contains(r.Path, "{appId}") != (r.Of == App):
			wrong = "names an app and is not about it, or the other way round"
		case r.writes() && r.Of != Person && r.Needs == organization.Look:
			wrong = "changes something, and yet is open to who may only look"
		}
		if wrong != "" {
			return fmt.Errorf("route %s %s", r.pattern(), wrong)
		}
		seen[r.pattern()] = true
	}
	return nil
}
