package partnerapi

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"daybook/internal/base/fault"
	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

// Route is one row of the table.
type Route struct {
	Method string
	Path   string // {id} stands for a record's id
	// Scopes that a token needs, all of them.
	Scopes []scope.Scope
	// OneOf are scopes of which the record that a call is about decides: its feature asks for the one, and for the permission
	// that goes with it. A route has these or Scopes.
	OneOf []scope.Scope
	// Permission that the person needs in the business; empty for none.
	Permission business.Permission
	// Resource says which document it answers, and Request which it reads, where versions differ.
	Resource, Request apiversion.Resource
	// Partner routes are open to apps. The others are for our own pages.
	Partner bool
	// AppsOnly, if not nil, is what a person is told of a route that is for apps alone.
	AppsOnly *fault.Fault
	// Public routes need nobody.
	Public  bool
	Summary string
	// About, if not empty, says what the summary cannot.
	About string
	// Params are the query parameters besides those of a list.
	Params []Param
	// MaxBody in bytes; 0 is the usual limit.
	MaxBody int64

	// together says that calls of one caller that come at once may share a transaction: the verb suits books that hold (ledger.Hold).
	together bool

	verb verb
	// refused, if not nil, hears of refusals.
	refused func(ctx context.Context, c *call, err error)
}

// Param is a query parameter.
type Param struct{ Name, About string }

const (
	usualBody   = 1 << 20
	importBytes = 5 << 20
)

func (r *Route) pattern() string { return r.Method + " " + r.Path }

func (r *Route) writes() bool { return r.Method != "GET" }

func (r *Route) maxBody() int64 {
	if r.MaxBody > 0 {
		return r.MaxBody
	}
	return usualBody
}

func (r *Route) paramNames() []string {
	names := make([]string, len(r.Params))
	for i, p := range r.Params {
		names[i] = p.Name
	}
	return names
}

// check finds mistakes in the table: a row that would let an app in without a scope above all (CALL-03).
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
		case r.Public && (len(r.Scopes) > 0 || r.Permission != "" || r.writes()):
			wrong = "is public, and yet asks for something or changes something"
		case r.Partner && !r.Public && len(r.Scopes) == 0 && len(r.OneOf) == 0:
			wrong = "is open to apps without a scope"
		case len(r.OneOf) > 0 && (!r.Partner || r.Public || len(r.Scopes) > 0 || r.Permission != ""):
			wrong = "leaves scope and permission to the record, and yet has some, or is not open to apps"
		case r.AppsOnly != nil && (!r.Partner || r.Public):
			wrong = "is for apps alone, and yet not open to apps alone"
		case !r.Partner && len(r.Scopes) > 0:
			wrong = "has scopes, and yet is not open to apps"
		case strings.Contains(r.Path, ":") || !strings.HasPrefix(r.Path, "/"):
			wrong = "has a path of another fashion"
		}
		for _, s := range slices.Concat(r.Scopes, r.OneOf) {
			if !scope.Partner(s) {
				wrong = fmt.Sprintf("needs %s, which no app can have", s)
			}
		}
		if wrong != "" {
			return fmt.Errorf("route %s %s", r.pattern(), wrong)
		}
		seen[r.pattern()] = true
	}
	return nil
}
