package function

import (
	"slices"
	"strings"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/text"
	"daybook/internal/platform/app"
	"daybook/internal/platform/event"
	"daybook/internal/platform/webhook"
)

// MaxPerApp is how many functions an app has at most.
const MaxPerApp = 20

// MaxFailures in a row switch a function off.
const MaxFailures = 50

// Kind is what has a function run.
type Kind string

// The kinds.
const (
	ByEvent    Kind = "EVENT"
	BySchedule Kind = "SCHEDULE"
	ByHand     Kind = "MANUAL"
)

// Every is the rhythm of a schedule.
type Every string

// The rhythms: at every full hour, and at midnight UTC.
const (
	Hourly Every = "HOURLY"
	Daily  Every = "DAILY"
)

// after is the first instant of the rhythm that is later than now.
func (e Every) after(now time.Time) time.Time {
	step := time.Hour
	if e == Daily {
		step = 24 * time.Hour
	}
	return now.UTC().Truncate(step).Add(step)
}

// occasion is what a function is told that runs by a schedule.
func (e Every) occasion() event.Type { return event.Type("schedule." + strings.ToLower(string(e))) }

// State of a function.
type State string

// The states: DRAFT until it is activated for the first time, then ACTIVE or DISABLED.
const (
	Draft    State = "DRAFT"
	Active   State = "ACTIVE"
	Disabled State = "DISABLED"
)

// Why a function is DISABLED.
type Why string

// The reasons.
const (
	ByDeveloper Why = "DEVELOPER"
	ByFailures  Why = "FAILURES"
)

// Trigger says when a function runs.
type Trigger struct {
	Kind   Kind
	Events []event.Type // of EVENT
	Every  Every        // of SCHEDULE
}

// Function is a function of an app.
type Function struct {
	ID            string
	AppID         string
	Name          string
	Description   *string
	Trigger       Trigger
	State         State
	Why           *Why    // of DISABLED
	ActiveVersion *string // what runs, or ran last
	Failures      int     // in a row
	NextAt        *time.Time
	Version       int
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// target is the function as webhooks know it.
func (f Function) target() webhook.Target {
	t := webhook.Target{FunctionID: f.ID, AppID: f.AppID, Enabled: f.State == Active}
	if f.Trigger.Kind == ByEvent {
		t.Events = f.Trigger.Events
	}
	return t
}

// plan sets when it runs next by its schedule.
func (f *Function) plan(now time.Time) {
	f.NextAt = nil
	if f.State == Active && f.Trigger.Kind == BySchedule {
		at := f.Trigger.Every.after(now)
		f.NextAt = &at
	}
}

// New is a function about to be created.
type New struct {
	Name        string
	Description *string
	Trigger     Trigger
	Source      *string // of its first version; nil: there is none yet
}

// Patch changes a function; nil leaves a member as it is.
type Patch struct {
	Name        *string
	Description **string
	Trigger     *Trigger
}

const (
	maxName        = 60
	maxDescription = 300
)

// check cleans a new function, or says what is wrong with it.
func (n New) check() (New, error) {
	var c fault.Check
	n.Name = text.Line(&c, "name", n.Name, 1, maxName)
	n.Description = text.Optional(&c, "description", n.Description, maxDescription)
	n.Trigger.check(&c)
	if err := c.Err(); err != nil {
		return n, err
	}
	if n.Source != nil {
		if err := CheckSource(*n.Source); err != nil {
			return n, err
		}
	}
	_, err := webhook.CheckEvents("trigger.events", n.Trigger.Events)
	return n, err
}

func (p Patch) check() (Patch, error) {
	var c fault.Check
	if p.Name != nil {
		name := text.Line(&c, "name", *p.Name, 1, maxName)
		p.Name = &name
	}
	if p.Description != nil {
		words := text.Optional(&c, "description", *p.Description, maxDescription)
		p.Description = &words
	}
	if p.Trigger != nil {
		p.Trigger.check(&c)
	}
	if err := c.Err(); err != nil {
		return p, err
	}
	if p.Trigger != nil {
		if _, err := webhook.CheckEvents("trigger.events", p.Trigger.Events); err != nil {
			return p, err
		}
	}
	return p, nil
}

// check notes what is wrong with the shape of a trigger.
func (t Trigger) check(c *fault.Check) {
	switch t.Kind {
	case ByEvent:
		c.Require(len(t.Events) > 0, "trigger.events", "must name an event")
		c.Require(t.Every == "", "trigger.every", "is for a trigger of type SCHEDULE")
	case BySchedule:
		c.Require(t.Every == Hourly || t.Every == Daily, "trigger.every", "must be HOURLY or DAILY")
		c.Require(len(t.Events) == 0, "trigger.events", "are for a trigger of type EVENT")
	case ByHand:
		c.Require(t.Every == "", "trigger.every", "is for a trigger of type SCHEDULE")
		c.Require(len(t.Events) == 0, "trigger.events", "are for a trigger of type EVENT")
	default:
		c.Add("trigger.type", "must be EVENT, SCHEDULE or MANUAL")
	}
}

// visible refuses events that the app will never hear of: it does not register their scope.
func (t Trigger) visible(of app.App) error {
	for _, name := range t.Events {
		if e, _ := event.Find(name); e.Audience != event.ForApp && !of.Scopes.Has(e.Scope) {
			return ErrNotVisible.With(name, e.Scope)
		}
	}
	return nil
}

func (t Trigger) equal(o Trigger) bool {
	return t.Kind == o.Kind && t.Every == o.Every && slices.Equal(t.Events, o.Events)
}

// apply reports what changes, by name.
func (p Patch) apply(f *Function) []string {
	changes := []string{}
	if p.Description != nil && !equal(*p.Description, f.Description) {
		f.Description = *p.Description
		changes = append(changes, "description")
	}
	if p.Name != nil && *p.Name != f.Name {
		f.Name = *p.Name
		changes = append(changes, "name")
	}
	if p.Trigger != nil && !p.Trigger.equal(f.Trigger) {
		f.Trigger = *p.Trigger
		changes = append(changes, "trigger")
	}
	return changes
}

func equal(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

func joinEvents(list []event.Type) string {
	words := make([]string, len(list))
	for i, t := range list {
		words[i] = string(t)
	}
	return strings.Join(words, " ")
}

func splitEvents(text string) []event.Type {
	list := []event.Type{}
	for word := range strings.FieldsSeq(text) {
		list = append(list, event.Type(word))
	}
	return list
}
