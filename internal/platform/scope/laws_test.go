package scope_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/platform/scope"
)

// names are scopes of the catalog and words that merely look like some.
var names = rapid.OneOf(
	rapid.Custom(func(t *rapid.T) scope.Scope { return rapid.SampledFrom(scope.Catalog).Draw(t, "entry").Scope }),
	rapid.Custom(func(t *rapid.T) scope.Scope {
		return scope.Scope(rapid.StringMatching(`[!#-\[\]-~]{1,6}`).Draw(t, "word")) // RFC 6749, 3.3
	}),
)

var lists = rapid.SliceOfN(names, 0, 12)

func draw(t *rapid.T, label string) scope.Set { return scope.Of(lists.Draw(t, label)...) }

func TestOfIsIdempotentAndDoesNotCareForOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := lists.Draw(t, "list")
		set := scope.Of(list...)
		if again := scope.Of(set...); !slices.Equal(again, set) {
			t.Fatalf("%q became %q", set, again)
		}
		shuffled := slices.Clone(list)
		chance := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		chance.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if other := scope.Of(append(shuffled, list...)...); !slices.Equal(other, set) || other.String() != set.String() {
			t.Fatalf("%q and %q from the same names", set, other)
		}
		for _, s := range list {
			if !set.Has(s) {
				t.Fatalf("%q lost %q", set, s)
			}
		}
		seen := map[scope.Scope]bool{}
		for _, s := range set {
			if seen[s] || !slices.Contains(list, s) {
				t.Fatalf("%q holds %q twice, or from nowhere", set, s)
			}
			seen[s] = true
		}
	})
}

func TestParseUndoesString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := draw(t, "set")
		if got := scope.Parse(set.String()); !slices.Equal(got, set) {
			t.Fatalf("%q became %q", set, got)
		}
	})
}

// Every law of the algebra follows from what is a member of what.
func TestUnionAndMinusKeepTheirLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := draw(t, "a"), draw(t, "b"), draw(t, "c")
		for _, s := range slices.Concat(a, b, c) {
			if a.Union(b).Has(s) != (a.Has(s) || b.Has(s)) || a.Minus(b).Has(s) != (a.Has(s) && !b.Has(s)) {
				t.Fatalf("%q is wrongly in or out of a union or difference", s)
			}
		}
		equal := func(law string, x, y scope.Set) {
			if !slices.Equal(x, y) || !x.Equal(y) || x.String() != y.String() {
				t.Fatalf("%s: %q and %q", law, x, y)
			}
		}
		equal("a ∪ b = b ∪ a", a.Union(b), b.Union(a))
		equal("(a ∪ b) ∪ c = a ∪ (b ∪ c)", a.Union(b).Union(c), a.Union(b.Union(c)))
		equal("a ∪ a = a", a.Union(a), a)
		equal("a ∪ ∅ = a", a.Union(nil), a)
		equal("a ∖ ∅ = a", a.Minus(nil), a)
		equal("a ∖ a = ∅", a.Minus(a), scope.Of())
		equal("∅ ∖ a = ∅", scope.Of().Minus(a), scope.Of())
		equal("(a ∪ b) ∖ b = a ∖ b", a.Union(b).Minus(b), a.Minus(b))
		equal("(a ∖ b) ∪ b = a ∪ b", a.Minus(b).Union(b), a.Union(b))
		equal("a ∖ (b ∪ c) = (a ∖ b) ∖ c", a.Minus(b.Union(c)), a.Minus(b).Minus(c))
		if !a.Within(a.Union(b)) || !a.Minus(b).Within(a) || !scope.Of().Within(a) {
			t.Fatal("a part is not within the whole")
		}
		if a.Within(b) != (len(a.Minus(b)) == 0) || a.Equal(b) != slices.Equal(a, b) {
			t.Fatalf("within or equal is wrong for %q and %q", a, b)
		}
	})
}
