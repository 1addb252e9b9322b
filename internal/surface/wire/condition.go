package wire

import (
	"time"

	"daybook/internal/platform/webhook"
)

// Condition is how a node is doing, for operators: their calls and their page tell the same.
type Condition struct {
	Queue     webhook.Queue
	Store     string // which database
	StoreSize int64  // in bytes
	Limits    string // where limits are counted
	// LimitsAlone says that they should be counted together with other nodes, and are not.
	LimitsAlone bool
	// LostRequests is how many calls are not in the request log since the node started.
	LostRequests int64
	Jobs         []Job
}

// Job is one that must happen every so often, as this node does it.
type Job struct {
	Name   string
	Every  time.Duration
	LastAt *time.Time // nil: not yet
	Took   time.Duration
	Failed bool // the last time; the log says why
}
