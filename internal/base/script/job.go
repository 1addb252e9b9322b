package script

import (
	"context"
	"encoding/json"
	"time"
)

// Limits of a run.
const (
	MaxTime   = 5 * time.Second
	MaxMemory = 64 << 20 // bytes, of the engine
	MaxCalls  = 20
	MaxLog    = 32 << 10
	MaxResult = 64 << 10
	// MaxAnswer is how large an answer to a call may be.
	MaxAnswer = 1 << 20
	maxError  = 4 << 10
)

// Job is one call of a handler.
type Job struct {
	// Tenant is whose script it is: tenants never share a process.
	Tenant string
	// Source is the text of an ES module without imports.
	Source string
	// Input is the handler's first argument, JSON.
	Input json.RawMessage
	// Config is what the script finds as ctx.config, a JSON object.
	Config json.RawMessage
	// Now is what the script's Date begins with.
	Now time.Time
	// Call answers ctx.api. It may be called several times at once, and its context ends with the run.
	Call func(context.Context, Call) (Answer, error)
}

// Call is what a script asks for by ctx.api.
type Call struct {
	Method string            `json:"method"`
	Path   string            `json:"path"`
	Body   json.RawMessage   `json:"body,omitempty"` // absent: none
	Header map[string]string `json:"headers,omitempty"`
}

// Answer is what comes back to it.
type Answer struct {
	Status int               `json:"status"`
	Header map[string]string `json:"headers"`
	Body   json.RawMessage   `json:"body"`
}

// Outcome is how a run ended.
type Outcome string

// The outcomes.
const (
	OK      Outcome = "OK"
	Failed  Outcome = "FAILED"  // the script's own error
	Timeout Outcome = "TIMEOUT" // it took longer than MaxTime
	Memory  Outcome = "MEMORY"  // it wanted more than MaxMemory
	Crashed Outcome = "CRASHED" // its process ended or misbehaved
)

// Result is what came of a run.
type Result struct {
	Outcome  Outcome
	Value    json.RawMessage // what the handler returned; nil: nothing
	Error    string          // why there is no value
	Words    string          // the last of a process that crashed, for those who run the platform
	Log      string
	Cut      bool // the log is not all that was written
	Calls    int
	Duration time.Duration
}
