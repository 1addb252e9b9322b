package extension

import (
	"slices"
	"strings"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/text"
	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
)

// Kind says where an extension is shown.
type Kind string

// The kinds: an entry of the business's list of pages with a page of its own; beside a record; as a tab of one; as an entry of its menu
// that opens a dialog.
const (
	Page   Kind = "PAGE"
	Panel  Kind = "PANEL"
	Tab    Kind = "TAB"
	Action Kind = "ACTION"
)

// Kinds lists them, in the order of documentation.
var Kinds = []Kind{Page, Panel, Tab, Action}

// MaxExtensions an app may have.
const MaxExtensions = 10

const maxLabel = 40

// Extension is a page of an app that is shown inside ours.
type Extension struct {
	ID           string
	AppID        string
	Kind         Kind
	ResourceType *appdata.ResourceType // nil for a PAGE
	Label        string
	Path         string // relative to the App URL; empty is the App URL itself
	Enabled      bool
	Version      int
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// New is what it takes to add one.
type New struct {
	Kind         Kind
	ResourceType *appdata.ResourceType
	Label        string
	Path         *string // nil is refused: nobody says so by accident that it is the App URL itself
	Enabled      bool
}

// Patch is what may change about one; nil leaves a member as it is.
type Patch struct {
	Kind         *Kind
	ResourceType **appdata.ResourceType // to nil: it stands beside no record any more
	Label        *string
	Path         *string
	Enabled      *bool
}

// check makes an extension of it. Whether it fits its app is another question.
func (n New) check() (Extension, error) {
	var c fault.Check
	e := Extension{Kind: n.Kind, ResourceType: n.ResourceType, Enabled: n.Enabled, Version: 1}
	if n.Path != nil {
		e.Path = *n.Path
	}
	c.Require(n.Path != nil, "path", `is required; "" stands for the App URL itself`)
	e.Label = text.Line(&c, "label", n.Label, 1, maxLabel)
	known := slices.Contains(Kinds, n.Kind)
	c.Require(known, "kind", "must be one of %s", joined(Kinds))
	switch {
	case n.ResourceType != nil && !n.ResourceType.Known():
		c.Add("resourceType", "must be one of %s, or null for a PAGE", joined(appdata.ResourceTypes))
	case known && n.Kind == Page && n.ResourceType != nil:
		c.Add("resourceType", "must be null for a PAGE, which stands beside no record")
	case known && n.Kind != Page && n.ResourceType == nil:
		c.Add("resourceType", "must name the sort of record that a %s stands beside", n.Kind)
	}
	return e, c.Err()
}

// with is the extension as a patch leaves it.
func (e Extension) with(p Patch) (Extension, error) {
	n := New{Kind: e.Kind, ResourceType: e.ResourceType, Label: e.Label, Path: &e.Path, Enabled: e.Enabled}
	if p.Kind != nil {
		n.Kind = *p.Kind
	}
	if p.ResourceType != nil {
		n.ResourceType = *p.ResourceType
	}
	if p.Label != nil {
		n.Label = *p.Label
	}
	if p.Path != nil {
		n.Path = p.Path
	}
	if p.Enabled != nil {
		n.Enabled = *p.Enabled
	}
	next, err := n.check()
	next.ID, next.AppID, next.Version, next.CreatedAt = e.ID, e.AppID, e.Version, e.CreatedAt
	return next, err
}

// places reports whether a patch says anew where something leads or stands. Who only renames or switches off an extension that no longer
// fits is not held up by that.
func (p Patch) places(e Extension) bool {
	return p.Kind != nil || p.ResourceType != nil || p.Path != nil || p.Enabled != nil && *p.Enabled && !e.Enabled
}

// Hidden says why an extension is shown nowhere. The words are those of the refusals, where there is one.
type Hidden string

// The reasons.
const (
	Shown         Hidden = "" // it is, wherever the app is installed with the scope
	SwitchedOff   Hidden = "DISABLED"
	AppStopped    Hidden = "APP_NOT_ACTIVE"
	PathInvalid   Hidden = "EXTENSION_PATH_INVALID"
	ScopeRequired Hidden = "EXTENSION_SCOPE_REQUIRED"
)

// fit says whether an extension can be saved for an app as it is now.
func (e Extension) fit(of app.App, home Home) (Address, error) {
	if e.ResourceType != nil && !of.Scopes.Has(e.ResourceType.Scope()) {
		return Address{}, ErrScopeRequired.With(*e.ResourceType, e.ResourceType.Scope())
	}
	address, wrong := Resolve(of.AppURL, e.Path, home)
	if wrong != "" {
		return Address{}, ErrPathInvalid.With(wrong)
	}
	return address, nil
}

// Placed is an extension with where it leads now, or why it is not shown.
type Placed struct {
	Extension
	Address Address // empty: it leads nowhere
	Hidden  Hidden
	// Wrong says about the path what is wrong, if it is.
	Wrong string
}

// place works out where an extension of an app leads.
func (e Extension) place(of app.App, home Home) Placed {
	p := Placed{Extension: e}
	p.Address, p.Wrong = Resolve(of.AppURL, e.Path, home)
	switch {
	case !e.Enabled:
		p.Hidden = SwitchedOff
	case !of.Running():
		p.Hidden = AppStopped
	case p.Wrong != "":
		p.Hidden = PathInvalid
	case e.ResourceType != nil && !of.Scopes.Has(e.ResourceType.Scope()):
		p.Hidden = ScopeRequired
	}
	return p
}

func joined[T ~string](words []T) string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = string(w)
	}
	return strings.Join(list, ", ")
}
