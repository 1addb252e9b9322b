package wire

import (
	"errors"
	"slices"
	"testing"

	"daybook/internal/base/fault"
)

func TestOffencesAreToldTogether(t *testing.T) {
	broken := errors.New("cable")
	coded := fault.New(fault.Conflict, "NO", "No.")
	for _, c := range []struct {
		name        string
		before, err error
		want        error    // itself
		fields      []string // or these
	}{
		{"nothing", nil, nil, nil, nil},
		{"only before", fault.InvalidFields("a x"), nil, nil, []string{"a x"}},
		{"only after", nil, fault.InvalidFields("a x"), nil, []string{"a x"}},
		{"both", fault.InvalidFields("a x"), fault.InvalidFields("b y"), nil, []string{"a x", "b y"}},
		{"what stands in the place of an offence", fault.InvalidFields("a x"), fault.InvalidFields("a is required", "a.0 y", "ab z"), nil, []string{"a x", "ab z"}},
		{"a refusal with a code", fault.InvalidFields("a x"), coded, coded, nil},
		{"a malfunction", fault.InvalidFields("a x"), broken, broken, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Merge(c.before, c.err)
			if c.fields == nil {
				if !errors.Is(got, c.want) {
					t.Errorf("%v", got)
				}
			} else if f := fault.From(got); f == nil || !slices.Equal(f.Fields, c.fields) {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestABodyWithoutWhatOffends(t *testing.T) {
	for _, c := range []struct {
		body     string
		offences []string
		want     string // empty: there is nothing left to judge
	}{
		{`{"a":1,"b":2}`, []string{"a must be"}, `{"b":2}`},
		{`{"a":{"b":1,"c":2}}`, []string{"a.b must be"}, `{"a":{"c":2}}`},
		{`{"a":[{"b":1},{"b":2}]}`, []string{"a.0.b must be", "a.1 must be"}, `{"a":[{},{}]}`},
		{`{"a":1}`, []string{"a.5.x must be", "z must be"}, ""},
		{`{"a":12345678901234567890}`, []string{"b must be"}, ""},
		{`{"a":1}`, []string{"body must be"}, ""},
		{`[1]`, []string{"a must be"}, ""},
		{`null`, []string{"a must be"}, ""},
	} {
		text, ok := Without([]byte(c.body), c.offences)
		if ok != (c.want != "") || ok && string(text) != c.want {
			t.Errorf("%s without %v: %s, %v", c.body, c.offences, text, ok)
		}
	}
}
