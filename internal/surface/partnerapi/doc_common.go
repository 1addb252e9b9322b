package partnerapi

import (
	"reflect"
	"slices"
	"time"

	"daybook/internal/base/money"
)

// instant is how REST writes a time: UTC, milliseconds, Z.
func instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// instantOrNull is instant for a time that may not have come.
func instantOrNull(t *time.Time) *string {
	if t == nil {
		return nil
	}
	text := instant(*t)
	return &text
}

// words are the names in a list of named strings, [] for none.
func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

// each turns every one of a list, [] for none.
func each[T, D any](list []T, doc func(T) D) []D {
	out := make([]D, len(list))
	for i, one := range list {
		out[i] = doc(one)
	}
	return out
}

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

// amount is money in minor units; decimal an exact number, written as a string.
type (
	amount  = money.Amount
	decimal = money.Factor
)

func sorted(names []string) []string {
	slices.Sort(names)
	return names
}
