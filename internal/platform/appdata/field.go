package appdata

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/text"
)

// Visibility says what people of the business see of a field on our own pages.
type Visibility string

// The visibilities.
const (
	Hidden Visibility = "HIDDEN"
	Read   Visibility = "READ"
	Edit   Visibility = "EDIT"
)

// MaxFields an app may declare for a sort of record.
const MaxFields = 25

// Field is what an app declared: a key under which it keeps values on a sort of record.
type Field struct {
	ID           string
	AppID        string
	ResourceType ResourceType
	Key          string
	Label        string
	Description  *string
	Type         Type
	Rules        Rules
	Visibility   Visibility
	Version      int
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// NewField is what it takes to declare one.
type NewField struct {
	ResourceType ResourceType
	Key          string
	Label        string
	Description  *string
	Type         Type
	Rules        RuleSet
	Visibility   *Visibility // nil stands for HIDDEN
}

// FieldPatch is what may change about a field; nil leaves a member as it is.
type FieldPatch struct {
	Label       *string
	Description *string // empty takes it away
	// Rules are merged with the present ones; NoRules takes the present ones away first.
	Rules      RuleSet
	NoRules    bool
	Visibility *Visibility
}

var keyForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// check makes a field of it. What rules say is judged only where the rest is right.
func (n NewField) check() (Field, error) {
	var c fault.Check
	f := Field{ResourceType: n.ResourceType, Key: n.Key, Type: n.Type, Visibility: Hidden, Version: 1}
	c.Require(n.ResourceType.Known(), "resourceType", "must be one of %s", joined(ResourceTypes))
	c.Require(keyForm.MatchString(n.Key), "key", "must begin with a letter a to z and have up to 39 more letters, digits and underscores")
	f.describe(&c, n.Label, n.Description)
	if n.Visibility != nil {
		f.show(&c, *n.Visibility)
	}
	if !slices.Contains(Types, n.Type) {
		c.Add("type", "must be one of %s", joined(Types))
		return f, c.Err()
	}
	f.Rules = n.Rules.read(&c, n.Type)
	if err := c.Err(); err != nil {
		return f, err
	}
	return f, f.Rules.complete()
}

// with is the field as a patch leaves it.
func (f Field) with(p FieldPatch) (Field, error) {
	var c fault.Check
	label, description := f.Label, f.Description
	if p.Label != nil {
		label = *p.Label
	}
	if p.Description != nil {
		description = p.Description
	}
	f.describe(&c, label, description)
	if p.Visibility != nil {
		f.show(&c, *p.Visibility)
	}
	present := sent(f.Rules)
	if p.NoRules {
		present = RuleSet{}
	}
	f.Rules = present.merge(p.Rules).read(&c, f.Type)
	if err := c.Err(); err != nil {
		return f, err
	}
	return f, f.Rules.complete()
}

func (f *Field) describe(c *fault.Check, label string, description *string) {
	f.Label = text.Line(c, "label", label, 1, 60)
	f.Description = text.Optional(c, "description", description, 300)
}

func (f *Field) show(c *fault.Check, v Visibility) {
	c.Require(v == Hidden || v == Read || v == Edit, "visibility", "must be HIDDEN, READ or EDIT")
	f.Visibility = v
}

func joined[T ~string](words []T) string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = string(w)
	}
	return strings.Join(list, ", ")
}
