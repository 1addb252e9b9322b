package tenants_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// registry knows whose every record is, of all tenants: an id belongs to the tenant in whose answers it appears first.
type registry struct {
	mu      sync.RWMutex
	owner   map[string]string              // tenant by id
	ids     map[string]map[string][]string // by tenant and prefix
	cursors map[string][]cursor            // by tenant
	names   map[string][]string            // what apps call records, by tenant
	keys    []string                       // Idempotency-Keys that anybody has sent
}

// cursor continues a list.
type cursor struct{ path, query, text string }

func newRegistry() *registry {
	r := &registry{owner: map[string]string{}, ids: map[string]map[string][]string{}, cursors: map[string][]cursor{}, names: map[string][]string{}}
	for _, tenant := range tenants {
		r.ids[tenant] = map[string][]string{}
	}
	return r
}

var idForm = regexp.MustCompile(`\b[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}\b`)

// claim says whose an id is; the first who asks has it.
func (r *registry) claim(id, tenant string) (owner string) {
	r.mu.RLock()
	owner = r.owner[id]
	r.mu.RUnlock()
	if owner != "" {
		return owner
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if owner = r.owner[id]; owner == "" {
		owner = tenant
		r.owner[id] = tenant
		r.ids[tenant][id[:3]] = append(r.ids[tenant][id[:3]], id)
	}
	return owner
}

// strike takes a record out of the draws that is no longer there. Whose it was stays known.
func (r *registry) strike(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	tenant := r.owner[id]
	r.ids[tenant][id[:3]] = slices.DeleteFunc(slices.Clone(r.ids[tenant][id[:3]]), func(other string) bool { return other == id })
}

// recent is how many of the newest records of a kind are drawn from: the older ones have come to the end of their lives.
const recent = 50

// draw is an id of a tenant; empty when it has none of that kind.
func (r *registry) draw(rnd *rand.Rand, tenant, prefix string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	list := r.ids[tenant][prefix]
	if prefix != "acc" && prefix != "tax" {
		list = list[max(0, len(list)-recent):]
	}
	if len(list) == 0 {
		return ""
	}
	return list[rnd.IntN(len(list))]
}

func (r *registry) all(tenant, prefix string) []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.ids[tenant][prefix])
}

// note keeps what others may try: cursors, names and keys.
func (r *registry) note(tenant string, c *cursor, name, key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c != nil {
		list := append(r.cursors[tenant], *c)
		r.cursors[tenant] = slices.Clone(list[max(0, len(list)-40):])
	}
	if name != "" {
		r.names[tenant] = append(r.names[tenant], name)
	}
	if key != "" {
		r.keys = append(r.keys, key)
	}
}

// drawCursor is a cursor of a list of a tenant.
func (r *registry) drawCursor(rnd *rand.Rand, tenant, path string) (cursor, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var fitting []cursor
	for _, c := range r.cursors[tenant] {
		if c.path == path {
			fitting = append(fitting, c)
		}
	}
	if len(fitting) == 0 {
		return cursor{}, false
	}
	return fitting[rnd.IntN(len(fitting))], true
}

func (r *registry) drawName(rnd *rand.Rand, tenant string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if list := r.names[tenant]; len(list) > 0 {
		return list[rnd.IntN(len(list))]
	}
	return ""
}

func (r *registry) drawKey(rnd *rand.Rand) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if len(r.keys) > 0 {
		return r.keys[rnd.IntN(len(r.keys))]
	}
	return ""
}

const crockford = "0123456789abcdefghjkmnpqrstvwxyz"

// like is an id of the same form that nobody has.
func like(rnd *rand.Rand, id string) string {
	b := []byte(id)
	for i := len(b) - 12; i < len(b); i++ {
		b[i] = crockford[rnd.IntN(len(crockford))]
	}
	return string(b)
}

// madeUp is an id of that kind that nobody has.
func madeUp(rnd *rand.Rand, prefix string) string {
	return like(rnd, prefix+"_01"+strings.Repeat("m", 24))
}
