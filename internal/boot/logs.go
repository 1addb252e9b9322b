package boot

import (
	"context"
	"time"

	"daybook/internal/platform/audit"
	"daybook/internal/platform/reqlog"
	"daybook/internal/surface/wire"
)

// requestLogEvery is how late a call is shown at most, and some: developers look for it while they watch its answer.
const requestLogEvery = 250 * time.Millisecond

// requestMergeEvery leaves 40 small blocks of an app to merge.
const requestMergeEvery = 10 * time.Second

// makeLogs adds to a house what is kept for later looks.
func (h *House) makeLogs() {
	h.Requests = &reqlog.Log{DB: h.DB, Clock: h.Clock}
	h.Audit = &audit.Log{DB: h.DB, IDs: h.IDs}
	h.Identity.Trail, h.Organizations.Trail, h.Businesses.Trail = h.Audit, h.Audit, h.Audit
	h.Apps.Trail, h.Installations.Trail, h.Webhooks.Trail, h.Ledger.Trail = h.Audit, h.Audit, h.Audit, h.Audit
}

// flushLogs writes what has gathered, before the store is closed.
func (n *Node) flushLogs(ctx context.Context) {
	if err := n.House.Requests.Flush(ctx); err != nil {
		n.log.Warn("some calls are not in the request log", "error", err)
	}
	if err := n.House.Identity.KeepFailures(ctx); err != nil {
		n.log.Warn("some sign-ins that failed are not in the audit log", "error", err)
	}
}

// condition is how the node is doing, for operators.
func (n *Node) condition(ctx context.Context) (c wire.Condition, err error) {
	limits := n.limitState()
	c = wire.Condition{Store: n.House.DB.Dialect().String(), Limits: limits, LimitsAlone: limits == limitsDegraded, LostRequests: n.House.Requests.Lost()}
	if c.Queue, err = n.House.Webhooks.Queue(ctx); err != nil {
		return c, err
	}
	if c.StoreSize, err = n.House.DB.Size(ctx); err != nil {
		return c, err
	}
	for _, j := range n.loops.jobs {
		c.Jobs = append(c.Jobs, j.report())
	}
	return c, nil
}

// report tells how a job went the last time.
func (j *job) report() wire.Job {
	j.told.Lock()
	defer j.told.Unlock()
	r := wire.Job{Name: j.name, Every: j.every, Took: j.last.took, Failed: j.last.err != nil}
	if !j.last.at.IsZero() {
		at := j.last.at
		r.LastAt = &at
	}
	return r
}
