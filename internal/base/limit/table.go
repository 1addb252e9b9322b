package limit

import (
	"hash/maphash"
	"strings"
	"sync"
)

// shards is how many locks share the keys of a table; a power of two.
const shards = 64

// table keeps spans in memory, by rule and key.
//
// Each shard has two generations. A span that is used moves to the young one; now and then the young one
// becomes the old one and the old one is dropped as a whole. That happens
//
//   - when as much time has passed as the longest span lasts: everything dropped had ended, so stale keys leave
//     by themselves (at the next use of their shard);
//   - when the young generation is full: dropped are the keys that were not used while as many others were.
//     They start anew as if never seen. A flood of distinct keys thus costs exactness, never memory, and a key
//     in steady use keeps its count.
type table struct {
	seed   maphash.Seed
	half   int // the most spans of one generation of one shard
	shards [shards]shard
}

type shard struct {
	mu         sync.Mutex
	young, old map[ident]*span
	turned     int64    // when the generations last changed, ms
	length     int64    // of the longest span seen, ms
	_          [24]byte // to a cache line, so that neighbours do not slow each other
}

type ident struct{ name, key string }

// newTable makes a table of at most size spans.
func newTable(size int) *table {
	t := &table{seed: maphash.MakeSeed(), half: max(size/shards/2, 1)}
	for i := range t.shards {
		t.shards[i].young = map[ident]*span{}
	}
	return t
}

func (t *table) shard(key string) *shard {
	return &t.shards[maphash.String(t.seed, key)%shards]
}

// count counts once for the key and returns where it stands then.
func (t *table) count(name, key string, w law, now int64) span {
	key = short(key)
	sh := t.shard(key)
	sh.mu.Lock()
	kept := sh.find(ident{name, key}, w, now, t.half)
	if kept == nil {
		kept = sh.add(ident{name, key}, t.half)
	}
	*kept = w.count(*kept, now)
	s := *kept
	sh.mu.Unlock()
	return s
}

// look returns where the key stands.
func (t *table) look(name, key string, w law, now int64) span {
	key = short(key)
	sh := t.shard(key)
	sh.mu.Lock()
	var s span
	if kept := sh.find(ident{name, key}, w, now, t.half); kept != nil {
		*kept = w.settle(*kept, now)
		s = *kept
	}
	sh.mu.Unlock()
	return s
}

// follow takes over what another counter shows for the key, where that is the later word.
func (t *table) follow(name, key string, w law, seen span, now int64) {
	if seen.count == 0 {
		return
	}
	key = short(key)
	sh := t.shard(key)
	sh.mu.Lock()
	kept := sh.find(ident{name, key}, w, now, t.half)
	if kept == nil {
		kept = sh.add(ident{name, key}, t.half)
	}
	*kept = w.later(*kept, seen, now)
	sh.mu.Unlock()
}

// entries is how many spans are held, stale ones included.
func (t *table) entries() (n int) {
	for i := range t.shards {
		sh := &t.shards[i]
		sh.mu.Lock()
		n += len(sh.young) + len(sh.old)
		sh.mu.Unlock()
	}
	return n
}

func (sh *shard) find(id ident, w law, now int64, half int) *span {
	sh.age(w, now)
	if kept, ok := sh.young[id]; ok {
		return kept
	}
	kept, ok := sh.old[id]
	if !ok {
		return nil
	}
	delete(sh.old, id)
	sh.put(id, kept, half)
	return kept
}

// add makes room for a new key. It keeps a copy of the key, which may be a small part of a large request.
func (sh *shard) add(id ident, half int) *span {
	id.key = strings.Clone(id.key)
	kept := &span{}
	sh.put(id, kept, half)
	return kept
}

func (sh *shard) put(id ident, kept *span, half int) {
	if len(sh.young) >= half {
		sh.turn()
	}
	sh.young[id] = kept
}

// age turns the generations when the old one can only hold spans that ended.
func (sh *shard) age(w law, now int64) {
	sh.length = max(sh.length, w.per, w.lock)
	switch since := now - sh.turned; {
	case since >= sh.length:
		sh.turn()
		sh.turned = now
	case since < 0: // the clock stepped back
		sh.turned = now
	}
}

func (sh *shard) turn() {
	sh.old, sh.young = sh.young, map[ident]*span{}
}
