package generated_test

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// corpus is what a worker has seen of its business: later requests name real records, so that their states are gone through.
type corpus struct {
	ids     map[string][]string // by prefix, in the order of their appearance
	records map[string]object   // as last answered, by id
	cursors []walk
	keys    []string // Idempotency-Keys that were sent
	gone    []string // ids of records that were deleted
}

// walk is a list that can be read on.
type walk struct{ path, query, cursor string }

func newCorpus() *corpus { return &corpus{ids: map[string][]string{}, records: map[string]object{}} }

// learn takes every record out of an answer.
func (c *corpus) learn(v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			c.learn(item)
		}
	case object:
		if id, ok := v["id"].(string); ok {
			if _, known := c.records[id]; !known {
				prefix, _, _ := strings.Cut(id, "_")
				c.ids[prefix] = append(c.ids[prefix], id)
			}
			c.records[id] = v
		}
		for _, name := range []string{"data", "items", "allocations", "lines"} {
			c.learn(v[name])
		}
	}
}

// recent is how many of the newest records of a kind are used: old ones have come to the end of their lives.
const recent = 40

// pick is an id of that kind whose record passes the test; empty for none.
func (c *corpus) pick(r *rand.Rand, prefix string, fits func(object) bool) string {
	list := c.ids[prefix]
	if prefix != "acc" && prefix != "tax" { // of those the first are the ones that the books need
		list = list[max(0, len(list)-recent):]
	}
	if fits != nil {
		list = slices.DeleteFunc(slices.Clone(list), func(id string) bool { return !fits(c.records[id]) })
	}
	if len(list) == 0 {
		return ""
	}
	return list[r.IntN(len(list))]
}

// forget strikes a record out that is no longer there.
func (c *corpus) forget(id string) {
	if c.records[id] == nil {
		return
	}
	prefix, _, _ := strings.Cut(id, "_")
	c.ids[prefix] = slices.DeleteFunc(c.ids[prefix], func(other string) bool { return other == id })
	delete(c.records, id)
	c.gone = append(c.gone, id)
}

// has is a test for a member of a record.
func has(name string, values ...string) func(object) bool {
	return func(o object) bool {
		for _, v := range values {
			if o[name] == v {
				return true
			}
		}
		return false
	}
}
