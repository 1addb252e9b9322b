package event

import "daybook/internal/platform/scope"

// Types is a set of events: a bit for each row of the catalog, in its order.
type Types uint64

// places is which bit an event has.
var places = func() map[Type]Types {
	m := map[Type]Types{}
	for i, e := range Catalog {
		m[e.Type] = 1 << i
	}
	return m
}()

// AllTypes is every event there is.
const AllTypes Types = 1<<45 - 1

// Has reports whether an event is in the set.
func (s Types) Has(t Type) bool { return s&places[t] != 0 }

// list is the events of the set, in the order of the catalog.
func (s Types) list() []any {
	var all []any
	for _, e := range Catalog {
		if s.Has(e.Type) {
			all = append(all, e.Type)
		}
	}
	return all
}

// heard are the events that somebody with these scopes may hear of. Those of audience app need none; whose they are is
// asked for each of them.
func heard(scopes scope.Set) Types {
	var s Types
	for i, e := range Catalog {
		if e.Audience == ForApp || scopes.Has(e.Scope) {
			s |= 1 << i
		}
	}
	return s
}
