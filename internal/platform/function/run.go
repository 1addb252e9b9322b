package function

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/script"
	"daybook/internal/platform/app"
	"daybook/internal/platform/event"
	"daybook/internal/platform/webhook"
)

// Outcome is how a run ended; the words are script's.
type Outcome = script.Outcome

// The outcomes.
const (
	OK      = script.OK
	Failed  = script.Failed
	Timeout = script.Timeout
	Memory  = script.Memory
	Crashed = script.Crashed
)

// Outcomes are all of them.
var Outcomes = []Outcome{OK, Failed, Timeout, Memory, Crashed}

// Run is one call of a function.
type Run struct {
	ID         string
	FunctionID string
	VersionID  string
	AppID      string
	BusinessID string
	Kind       Kind
	Type       event.Type // or schedule.hourly, schedule.daily
	DeliveryID *string    // nil: by hand
	Attempt    int
	StartedAt  time.Time
	Duration   time.Duration
	Outcome    Outcome
	Error      *string
	Log        string
	LogCut     bool
	Calls      int
	Result     *string // JSON
}

// Run implements webhook.Host: it has the active version make an attempt.
func (s *Service) Run(ctx context.Context, d webhook.Delivery, number int) (webhook.Ran, error) {
	w, err := s.prepare(ctx, d.AppID, d.WebhookID, d.BusinessID, "")
	if errors.Is(err, errSealed) { // an operator's mistake, and no reason to try again and again
		text := err.Error()
		return webhook.Ran{Error: &text}, nil
	}
	if err != nil {
		return webhook.Ran{}, err
	}
	r := w.run
	r.Type, r.DeliveryID, r.Attempt = d.Type, &d.ID, number
	if r, err = s.carryOut(ctx, w, r, d.Body); err != nil {
		return webhook.Ran{}, err
	}
	ran := webhook.Ran{Duration: r.Duration, Error: r.Error, Keep: func(ctx context.Context, tx *db.Tx) error { return s.keep(ctx, tx, r) }}
	if ran.Error != nil {
		line, _, _ := strings.Cut(*ran.Error, "\n")
		ran.Error = &line
	}
	if r.Result != nil {
		text := clip(*r.Result, keptAnswer)
		ran.Answer = &text
	}
	return ran, nil
}

// keptAnswer is how much of a result the delivery's own log keeps, in bytes.
const keptAnswer = 2 << 10

// work is what a run needs, read in one snapshot.
type work struct {
	run      Run
	source   string
	config   map[string]string
	business businessFacts
	pin      *string
}

// businessFacts are what a function is told about the business. What an app that is not installed there may not know is nil.
type businessFacts struct {
	ID       string  `json:"id"`
	Currency *string `json:"currency"`
	TimeZone *string `json:"timeZone"`
}

// prepare reads what a run needs: of the active version, or of the one named.
func (s *Service) prepare(ctx context.Context, appID, functionID, businessID, versionID string) (work, error) {
	var w work
	var settings []Setting
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		f, err := current(ctx, tx, appID, functionID, 0)
		if err != nil {
			return err
		}
		if versionID == "" {
			if f.ActiveVersion == nil {
				return ErrUnsent
			}
			versionID = *f.ActiveVersion
		}
		w.run = Run{FunctionID: f.ID, VersionID: versionID, AppID: appID, BusinessID: businessID, Kind: f.Trigger.Kind, Attempt: 1}
		if w.source, err = s.source(ctx, tx, versionID); err != nil {
			return err
		}
		if w.business, w.pin, err = findFacts(ctx, tx, appID, businessID); err != nil {
			return err
		}
		settings, err = listConfig(ctx, tx, appID)
		return err
	})
	if err != nil {
		return w, err
	}
	w.config, err = s.open(appID, settings)
	return w, err
}

// carryOut runs the source and tells what came of it.
func (s *Service) carryOut(ctx context.Context, w work, r Run, body string) (Run, error) {
	var told struct {
		APIVersion string `json:"apiVersion"`
	}
	if err := json.Unmarshal([]byte(body), &told); err != nil {
		return r, err
	}
	input, err := json.Marshal(map[string]any{"event": json.RawMessage(body), "business": w.business, "apiVersion": told.APIVersion})
	if err != nil {
		return r, err
	}
	config, err := json.Marshal(w.config)
	if err != nil {
		return r, err
	}
	r.ID, r.StartedAt = s.IDs.New(id.FunctionRun), s.Clock.Now()
	result, err := s.Engine.Run(ctx, script.Job{
		Tenant: r.AppID, Source: w.source, Input: input, Config: config, Now: r.StartedAt,
		Call: func(ctx context.Context, c script.Call) (script.Answer, error) {
			return s.API.Call(ctx, r.AppID, r.BusinessID, c)
		},
	})
	if err != nil {
		return r, err
	}
	r.note(result)
	if r.Outcome == Crashed { // the developer is told that it did; what the runtime said is the operator's
		s.Log.Warn("a function's process crashed", "run", r.ID, "function", r.FunctionID, "app", r.AppID, "why", result.Error, "said", result.Words)
	}
	return r, nil
}

// note takes over what came of a run, in a form that a store can keep.
func (r *Run) note(result script.Result) {
	r.Duration, r.Outcome, r.Calls = result.Duration, result.Outcome, result.Calls
	r.Log, r.LogCut = storable(result.Log), result.Cut
	if result.Outcome != script.OK {
		text := storable(result.Error)
		r.Error = &text
	}
	if result.Value != nil {
		text := storable(string(result.Value))
		r.Result = &text
	}
}

// storable is a text as both stores can hold it.
func storable(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\x00", "\ufffd")
}

// keep writes down a run that counts, and what it means for its function.
func (s *Service) keep(ctx context.Context, tx *db.Tx, r Run) error {
	if err := insertRun(ctx, tx, r); err != nil {
		return err
	}
	if r.Outcome == script.OK {
		return resetFailures(ctx, tx, r.FunctionID)
	}
	failures, err := countFailure(ctx, tx, r.FunctionID)
	if err != nil || failures < MaxFailures {
		return err
	}
	return s.switchOff(ctx, tx, r)
}

// switchOff is the only thing that happens to a function by itself. Of any number of runs that would, one does.
func (s *Service) switchOff(ctx context.Context, tx *db.Tx, r Run) error {
	did, err := disableFailing(ctx, tx, r.FunctionID)
	if err != nil || !did {
		return err
	}
	f, err := current(ctx, tx, r.AppID, r.FunctionID, 0)
	if err != nil {
		return err
	}
	if err := webhook.PutTarget(ctx, tx, f.target()); err != nil {
		return err
	}
	of, err := app.Find(ctx, tx, r.AppID)
	if err != nil {
		return err
	}
	return s.leave(ctx, tx, of, "", actFailed, objectOf(f.ID), map[string]any{"failures": f.Failures, "runId": r.ID})
}

// MaxListed is how many runs a list shows: the most recent ones.
const MaxListed = 100

// Filter narrows a list of runs; an empty member does not.
type Filter struct {
	Outcome    Outcome
	Kind       Kind
	BusinessID string
}

// Runs lists the most recent runs of a function, newest first, without their logs and results.
func (s *Service) Runs(ctx context.Context, appID, by, functionID string, f Filter) ([]Run, error) {
	var all []Run
	err := s.look(ctx, appID, by, functionID, func(tx *db.Tx, _ Function) (err error) {
		all, err = listRuns(ctx, tx, functionID, f, MaxListed)
		return err
	})
	return all, err
}

// RunOf reads one run.
func (s *Service) RunOf(ctx context.Context, appID, by, functionID, runID string) (Run, error) {
	var r Run
	err := s.look(ctx, appID, by, functionID, func(tx *db.Tx, _ Function) (err error) {
		r, err = foundRun(ctx, tx, functionID, runID)
		return err
	})
	return r, err
}

func foundRun(ctx context.Context, tx *db.Tx, functionID, runID string) (Run, error) {
	r, err := findRun(ctx, tx, functionID, runID)
	if errors.Is(err, db.ErrNoRows) {
		err = ErrNoRun
	}
	return r, err
}
