package appdata

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
)

// Type says what a value of a field is.
type Type string

// The types.
const (
	Text     Type = "TEXT"
	Number   Type = "NUMBER"
	Boolean  Type = "BOOLEAN"
	Date     Type = "DATE"
	DateTime Type = "DATETIME"
	URL      Type = "URL"
	Money    Type = "MONEY"
	Choice   Type = "CHOICE"
)

// Types is every type, in the order of the documentation.
var Types = []Type{Text, Number, Boolean, Date, DateTime, URL, Money, Choice}

// Reason is a word for what is wrong with a value.
type Reason string

// The reasons.
const (
	WrongType          Reason = "type"
	TooShort           Reason = "too_short"
	TooLong            Reason = "too_long"
	BelowMin           Reason = "below_min"
	AboveMax           Reason = "above_max"
	TooManyDecimals    Reason = "too_many_decimals"
	NotAChoice         Reason = "not_a_choice"
	CurrencyNotAllowed Reason = "currency_not_allowed"
	Required           Reason = "required"
)

// Rules say what a value of a field must be. Every type has a set of its own, whose members are those of the wire; as JSON
// they are complete, with null for a rule that is not given.
type Rules interface {
	// complete gives the rules that were not given their defaults, and says what is wrong with the others.
	complete() error
	// judge reads a value, which is not null: it gives the form in which it is kept, or everything against it.
	judge(value json.RawMessage) (kept any, against []Reason)
}

// newRules makes the empty set of a type; nil for a type that there is not.
func newRules(t Type) Rules {
	switch t {
	case Text:
		return &textRules{}
	case Number:
		return &numberRules{}
	case Boolean:
		return &booleanRules{}
	case Date:
		return &dateRules{}
	case DateTime:
		return &dateTimeRules{}
	case URL:
		return &urlRules{}
	case Money:
		return &moneyRules{}
	case Choice:
		return &choiceRules{}
	}
	return nil
}

// RuleSet is rules as they were sent: what they are called, and what they say.
type RuleSet map[string]json.RawMessage

// read makes the rules of a type. Members that do not belong or have another shape are noted; what they say is judged by
// complete.
func (s RuleSet) read(c *fault.Check, t Type) Rules {
	rules := newRules(t)
	members := membersOf(rules)
	var strangers []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		into, known := members[name]
		if !known {
			strangers = append(strangers, fmt.Sprintf("%.40q", name))
			continue
		}
		if json.Unmarshal(s[name], into) != nil {
			c.Add("rules."+name, "must be %s", wanted(into))
		}
	}
	if len(strangers) > 0 {
		c.Add("rules", "has what a %s field does not know: %s", t, strings.Join(strangers[:min(len(strangers), 20)], ", "))
	}
	return rules
}

// stored makes the rules of a type from what the store kept of them.
func (s RuleSet) stored(t Type) (Rules, error) {
	var c fault.Check
	rules := s.read(&c, t)
	err := c.Err()
	if err == nil {
		err = rules.complete()
	}
	if err != nil {
		return nil, fmt.Errorf("the stored rules of a %s field: %v", t, err) // no refusal: nobody sent them
	}
	return rules, nil
}

// merge changes rules as a merge patch does. A rule that becomes null is one that is not given: read takes it so.
func (s RuleSet) merge(change RuleSet) RuleSet {
	merged := maps.Clone(s)
	maps.Copy(merged, change)
	return merged
}

// sent are rules as they would be sent.
func sent(r Rules) RuleSet {
	s := RuleSet{}
	text, _ := json.Marshal(r) // made of our own types
	_ = json.Unmarshal(text, &s)
	return s
}

// membersOf gives pointers to the members of a set by their names.
func membersOf(r Rules) map[string]any {
	members := map[string]any{}
	set := reflect.ValueOf(r).Elem()
	for i := range set.NumField() {
		members[set.Type().Field(i).Tag.Get("json")] = set.Field(i).Addr().Interface()
	}
	return members
}

// wanted says what a member must be.
func wanted(into any) string {
	switch into.(type) {
	case **int, **money.Amount:
		return "a whole number"
	case **bool:
		return "true or false"
	case **money.Factor:
		return `a decimal string such as "12.5"`
	case **day:
		return "a date such as 2026-05-04"
	case **instant:
		return "an instant such as 2026-05-04T09:30:00Z"
	case *[]money.Currency:
		return "a list of currency codes such as EUR"
	}
	return "of the right type"
}

// cannot is the refusal of rules that contradict themselves.
func cannot(format string, args ...any) error { return ErrRules.With(fmt.Sprintf(format, args...)) }

// orElse gives a rule its default.
func orElse[T any](rule **T, value T) {
	if *rule == nil {
		*rule = &value
	}
}

// ordered refuses a least value above the greatest.
func ordered[T any](least, most *T, compare func(a, b T) int) error {
	if least != nil && most != nil && compare(*least, *most) > 0 {
		return cannot("min must not be above max")
	}
	return nil
}

// between holds a value against its bounds.
func between[T any](value T, least, most *T, compare func(a, b T) int) []Reason {
	switch {
	case least != nil && compare(value, *least) < 0:
		return []Reason{BelowMin}
	case most != nil && compare(value, *most) > 0:
		return []Reason{AboveMax}
	}
	return nil
}

// str reads a JSON string.
func str(value json.RawMessage) (string, bool) {
	var s string
	if len(value) == 0 || value[0] != '"' || json.Unmarshal(value, &s) != nil {
		return "", false
	}
	return s, true
}
