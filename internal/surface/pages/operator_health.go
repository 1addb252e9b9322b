package pages

import (
	"net/http"
	"strconv"
	"time"

	"daybook/internal/platform/audit"
	"daybook/internal/platform/event"
	"daybook/internal/platform/reqlog"
	"daybook/internal/platform/webhook"
	"daybook/internal/surface/wire"
)

type operatorHealthView struct {
	Verdict  verdict
	Parts    []healthPart
	Nodes    []nodeLine
	Kept     []keptLine
	Jobs     []jobLine
	Unwell   int // jobs
	JobWords string
}

// healthPart is one thing that must work.
type healthPart struct {
	Name  string
	State state
	Tiles []tile
	Words string // what it means
}

type nodeLine struct {
	ID     string
	State  state
	Since  *moment
	InHand string
}

// keptLine says how long something is kept, and whether what is older goes.
type keptLine struct {
	Name, For string
	State     state
	Last      *moment
}

type jobLine struct {
	Name, Every, Took string
	State             state
	Last              *moment
}

var operatorHealthPage = newPage[operatorHealthView]("operator-health.html")

func (s *Site) operatorHealth(w http.ResponseWriter, r *http.Request, in asOperator) error {
	c, err := s.Health(r.Context())
	if err != nil {
		return err
	}
	operatorHealthPage.write(w, r, s, http.StatusOK, in.frame("Health", "Health"), in.healthView(c))
	return nil
}

func (in asOperator) healthView(c wire.Condition) operatorHealthView {
	v := operatorHealthView{Parts: []healthPart{in.queuePart(c.Queue), storePart(c), limitPart(c), logPart(c)}}
	for _, n := range c.Queue.Nodes {
		v.Nodes = append(v.Nodes, in.nodeLine(n))
	}
	byName := map[string]wire.Job{}
	for _, j := range c.Jobs {
		byName[j.Name] = j
		line := in.jobLine(j)
		if line.State.Tone == "bad" || line.State.Tone == "warn" {
			v.Unwell++
		}
		v.Jobs = append(v.Jobs, line)
	}
	for _, k := range retentions {
		if j, ok := byName[k.job]; ok {
			line := in.jobLine(j)
			v.Kept = append(v.Kept, keptLine{k.name, k.length, line.State, line.Last})
		}
	}
	v.JobWords = counted(len(v.Jobs), "job", "jobs") + ", all well"
	if v.Unwell > 0 {
		v.JobWords = counted(v.Unwell, "job needs", "jobs need") + " a look"
	}
	v.Verdict = v.verdict()
	return v
}

// verdict says in a sentence how it all stands.
func (v operatorHealthView) verdict() verdict {
	for _, tone := range []string{"bad", "warn"} {
		for _, p := range v.Parts {
			if p.State.Tone == tone {
				return verdict{tone, p.Name + ": " + p.State.Word + ".", p.Words}
			}
		}
	}
	if v.Unwell > 0 {
		return verdict{"warn", v.JobWords + ".", "The log of the service says why; they are tried again by themselves."}
	}
	return verdict{Tone: "good", Words: "All is well."}
}

// How late the oldest delivery may be before the queue is called behind, or stuck.
const (
	queueBehind = time.Minute
	queueStuck  = 10 * time.Minute
)

func (in asOperator) queuePart(q webhook.Queue) healthPart {
	hands := 0
	for _, n := range q.Nodes {
		hands += n.Deliveries
	}
	p := healthPart{
		Name: "Queue of deliveries", State: state{"keeps up", "good"}, Words: "Whatever is due is sent at once.",
		Tiles: []tile{{grouped(int64(hands)), "under way"}, {grouped(int64(q.Due)), "due now"}, {grouped(int64(q.Waiting - q.Due)), "wait for a later attempt"}},
	}
	if q.OldestDue == nil {
		return p
	}
	late := in.now.Sub(*q.OldestDue)
	p.Tiles = append(p.Tiles, tile{took(max(late, 0)), "the oldest is late"})
	switch {
	case late >= queueStuck:
		p.State, p.Words = state{"stuck", "bad"}, "The oldest delivery should have gone out "+took(late)+" ago. See whether a node is running below, and what its log says."
	case late >= queueBehind:
		p.State, p.Words = state{"behind", "warn"}, "More is due than is sent. Slow receivers hold up their own lane only; add a node if this stays."
	}
	return p
}

func storePart(c wire.Condition) healthPart {
	return healthPart{Name: "Store", State: state{"answers", "good"}, Tiles: []tile{{c.Store, "database"}, {bytesOf(c.StoreSize), "on disk"}}, Words: "It answered while this page was made."}
}

func limitPart(c wire.Condition) healthPart {
	p := healthPart{Name: "Limiter", State: state{"counts", "good"}, Tiles: []tile{{c.Limits, "where limits are counted"}}, Words: "Every call is counted before it is carried out."}
	if c.LimitsAlone {
		p.State, p.Words = state{"counts alone", "warn"}, "Redis does not answer. Each node counts for itself until it does, so that limits are looser than they should be."
	}
	return p
}

func logPart(c wire.Condition) healthPart {
	p := healthPart{Name: "Request log", State: state{"complete", "good"}, Tiles: []tile{{grouped(c.LostRequests), "calls left out since the node started"}}, Words: "Every call of an app is written down."}
	if c.LostRequests > 0 {
		p.State, p.Words = state{"incomplete", "warn"}, "Calls came faster than they could be written down. They were answered and counted all the same."
	}
	return p
}

// bytesOf is a size as people read it.
func bytesOf(n int64) string {
	const kilo = 1000
	size, units := float64(n), []string{"bytes", "kB", "MB", "GB", "TB"}
	for size >= kilo && len(units) > 1 {
		size, units = size/kilo, units[1:]
	}
	if size >= 100 || units[0] == "bytes" {
		return strconv.FormatFloat(size, 'f', 0, 64) + " " + units[0]
	}
	return strconv.FormatFloat(size, 'f', 1, 64) + " " + units[0]
}

func (in asOperator) nodeLine(n webhook.InHand) nodeLine {
	line := nodeLine{ID: visible(n.Node), State: state{"runs", "good"}, Since: whenever(n.StartedAt, in.now), InHand: counted(n.Deliveries, "delivery", "deliveries")}
	if n.StartedAt == nil {
		line.State = state{"gone; what it had goes back to the queue", "warn"}
	}
	return line
}

// retentions say what is kept for how long, and which job removes what is older.
var retentions = []struct{ name, length, job string }{
	{"Request log", counted(int(reqlog.Retention/aDay), "day", "days"), "request log clean-up"},
	{"Events", counted(int(event.Life/aDay), "day", "days"), "event clean-up"},
	{"Deliveries", counted(int(webhook.Retention/aDay), "day", "days"), "delivery clean-up"},
	{"Audit log", counted(audit.KeepInMonths, "month", "months"), "audit log clean-up"},
	{"Sessions", "until they end", "session clean-up"},
	{"Codes and tokens", "until they end", "authorization clean-up"},
}

// lateAfter is how many of its spans a job may miss before it is called late.
const lateAfter = 3

func (in asOperator) jobLine(j wire.Job) jobLine {
	line := jobLine{Name: j.Name, Every: "every " + everyWords(j.Every), Took: took(j.Took), State: state{"fine", "good"}, Last: whenever(j.LastAt, in.now)}
	switch {
	case j.LastAt == nil:
		line.State, line.Took = state{"not yet", "off"}, ""
	case j.Failed:
		line.State = state{"failed", "bad"}
	case in.now.Sub(*j.LastAt) > lateAfter*max(j.Every, time.Minute):
		line.State = state{"late", "warn"}
	}
	return line
}

// everyWords is the length of a rhythm.
func everyWords(d time.Duration) string {
	switch {
	case d == time.Second:
		return "second"
	case d == time.Minute:
		return "minute"
	case d == time.Hour:
		return "hour"
	case d < time.Second:
		return took(d)
	case d < time.Minute:
		return count(int(d.Seconds()), "s")
	}
	return took(d)
}
