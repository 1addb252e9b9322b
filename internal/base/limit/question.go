package limit

import (
	_ "embed"
	"errors"
	"strconv"
	"time"

	"github.com/redis/rueidis"
)

//go:embed script.lua
var script string

// prefix begins every key in Redis. Behind it stand w:, l: or p: (window, lock, ping), the rule's name and the
// key.
const prefix = "daybook:limit:"

// spare is how long Redis keeps a key beyond its span. The life of keys is garbage collection only, in Redis's
// own time; what counts is the instant that comes with each question. It must cover how far the nodes' clocks
// are apart.
const spare = time.Minute

// The verbs of the script.
const (
	verbCount = "count"
	verbLook  = "look"
)

// errGarbled is an answer that Redis cannot have meant. What it says is kept out of the log.
var errGarbled = errors.New("the answer makes no sense")

// item is one key of a question.
type item struct {
	verb, kind, name, key string
	law                   law
}

func hitItems(hits []Hit) []item {
	items := make([]item, len(hits))
	for i := range hits {
		h := &hits[i]
		items[i] = item{verbCount, "w:", h.Rule.Name, h.Key, h.Rule.law()}
	}
	return items
}

func markItems(verb string, marks []Mark) []item {
	items := make([]item, len(marks))
	for i := range marks {
		m := &marks[i]
		items[i] = item{verb, "l:", m.Lockout.Name, m.Key, m.Lockout.law()}
	}
	return items
}

// question is one run of the script. It holds nothing of the caller's slices, because it may outlive the call.
type question struct {
	now        int64
	items      []item
	keys, args []string
}

func ask(items []item, now int64) question {
	q := question{now: now, items: items}
	q.keys = make([]string, 0, len(items))
	q.args = append(make([]string, 0, 2+4*len(items)), decimal(now), decimal(spare.Milliseconds()))
	for i := range items {
		it := &items[i]
		q.keys = append(q.keys, prefix+it.kind+it.name+":"+short(it.key))
		q.args = append(q.args, it.verb, decimal(it.law.max), decimal(it.law.per), decimal(it.law.lock))
	}
	return q
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// read takes the spans from the answer. It believes only what the script can have said: a wrong answer must not
// lock anybody out.
func (q question) read(answer rueidis.RedisResult) ([]span, error) {
	numbers, err := answer.ToArray()
	if err != nil {
		return nil, err
	}
	if len(numbers) != 2*len(q.items) {
		return nil, errGarbled
	}
	spans := make([]span, len(q.items))
	for i := range spans {
		began, err1 := numbers[2*i].ToInt64()
		count, err2 := numbers[2*i+1].ToInt64()
		spans[i] = span{began, count}
		if err1 != nil || err2 != nil || !q.items[i].plausible(spans[i], q.now) {
			return nil, errGarbled
		}
	}
	return spans, nil
}

func (it *item) plausible(s span, now int64) bool {
	if s.count == 0 {
		return it.verb == verbLook
	}
	past := now - s.began
	return s.count > 0 && s.count <= endless && past >= 0 && past <= it.law.length(s)
}
