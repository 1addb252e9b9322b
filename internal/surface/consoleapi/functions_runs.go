package consoleapi

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/platform/event"
	"daybook/internal/platform/function"
	"daybook/internal/platform/webhook"
	"daybook/internal/tenancy/organization"
)

// runRoutes are the runs of a hosted function, and what leads to them.
func (a *API) runRoutes() []Route {
	const one, build = "/developer/apps/{appId}/functions/{functionId}", organization.Build
	return []Route{
		{Method: "POST", Path: one + "/invoke", Needs: build, Summary: "Run a hosted function in a sandbox business, and answer the run",
			About: "Whatever state it is in: the newest version by default, told of a sample of its first event by default.", verb: reads(http.StatusOK, a.invokeFunction)},
		{Method: "GET", Path: one + "/runs", Summary: "List the 100 most recent runs of a hosted function", About: "Runs are kept for 30 days.", verb: list(a.functionRuns, newFunctionRunDoc),
			Params: []Param{{"outcome", "OK, FAILED, TIMEOUT, MEMORY or CRASHED."}, {"trigger", "EVENT, SCHEDULE or MANUAL."}, {"businessId", "Only those in this business."}}},
		{Method: "GET", Path: one + "/runs/{runId}", Summary: "Show a run with its log and its result", verb: show(a.showRun)},
		{Method: "POST", Path: one + "/runs/{runId}/redeliver", Needs: build, Summary: "Queue the failed delivery behind a run again", verb: act(http.StatusOK, a.redeliverRun)},
		{Method: "GET", Path: one + "/deliveries", Summary: "List the 100 most recent deliveries to a hosted function",
			About: "Those that were dropped without a run, too.", verb: list(a.functionDeliveries, newDeliveryDoc),
			Params: []Param{{"status", "queued, retrying, delivered or failed."}, {"type", "The event, such as invoice.created."}, {"businessId", "Only those of this business."}}},
		{Method: "POST", Path: one + "/redeliver-failed", Needs: build, Summary: "Queue failed deliveries to a hosted function again", About: "Up to 1000, the oldest first.",
			verb: reads(http.StatusOK, a.redeliverFunction)},
	}
}

// FunctionRunDoc is a line of the log of runs.
type FunctionRunDoc struct {
	ID         string           `json:"id"`
	FunctionID string           `json:"functionId"`
	VersionID  string           `json:"versionId"`
	BusinessID string           `json:"businessId"`
	Trigger    function.Kind    `json:"trigger" enum:"EVENT,SCHEDULE,MANUAL"`
	Type       event.Type       `json:"type" doc:"The event, or schedule.hourly, schedule.daily."`
	DeliveryID *string          `json:"deliveryId" doc:"Null for a run by hand."`
	Attempt    int              `json:"attempt"`
	StartedAt  string           `json:"startedAt"`
	DurationMS int64            `json:"durationMs"`
	Outcome    function.Outcome `json:"outcome" enum:"OK,FAILED,TIMEOUT,MEMORY,CRASHED"`
	Error      *string          `json:"error"`
	APICalls   int              `json:"apiCalls"`
}

func newFunctionRunDoc(r function.Run) FunctionRunDoc {
	return FunctionRunDoc{
		ID: r.ID, FunctionID: r.FunctionID, VersionID: r.VersionID, BusinessID: r.BusinessID, Trigger: r.Kind, Type: r.Type, DeliveryID: r.DeliveryID, Attempt: r.Attempt,
		StartedAt: instant(r.StartedAt), DurationMS: r.Duration.Milliseconds(), Outcome: r.Outcome, Error: r.Error, APICalls: r.Calls,
	}
}

type functionRunDetailDoc struct {
	FunctionRunDoc
	Log          string          `json:"log"`
	LogTruncated bool            `json:"logTruncated" doc:"More was written than the 32 KiB that are kept."`
	Result       json.RawMessage `json:"result" doc:"What the handler returned; null for nothing."`
}

func newFunctionRunDetailDoc(r function.Run) functionRunDetailDoc {
	d := functionRunDetailDoc{FunctionRunDoc: newFunctionRunDoc(r), Log: r.Log, LogTruncated: r.LogCut, Result: json.RawMessage("null")}
	if r.Result != nil {
		d.Result = json.RawMessage(*r.Result)
	}
	return d
}

type functionInvocation struct {
	BusinessID *string         `json:"businessId" nullable:"false" doc:"A sandbox business of the app's organization."`
	VersionID  *string         `json:"versionId,omitempty" doc:"The newest by default."`
	Type       *event.Type     `json:"type,omitempty" doc:"The event that the function is told of; its first one by default."`
	Data       json.RawMessage `json:"data,omitempty" doc:"What the event says; a sample by default."`
}

func (a *API) invokeFunction(ctx context.Context, c *call, body functionInvocation) (functionRunDetailDoc, error) {
	var wrong fault.Check
	wrong.Require(body.BusinessID != nil, "businessId", "is required")
	wrong.Require(body.Type == nil || *body.Type != "", "type", "must not be empty")
	if body.Data != nil {
		var object map[string]json.RawMessage
		wrong.Require(json.Unmarshal(body.Data, &object) == nil && object != nil, "data", "must be an object")
	}
	versionID, err := optionalID("versionId", body.VersionID)
	wrong.Require(err == nil, "versionId", "must not be empty")
	if err := wrong.Err(); err != nil {
		return functionRunDetailDoc{}, err
	}
	trial := function.Trial{BusinessID: *body.BusinessID, VersionID: versionID, Data: body.Data}
	if body.Type != nil {
		trial.Type = *body.Type
	}
	r, err := a.Functions.Invoke(ctx, c.app.ID, c.by(), c.at("functionId"), trial)
	if err != nil {
		return functionRunDetailDoc{}, err
	}
	return newFunctionRunDetailDoc(r), nil
}

// kinds of runs that a list can be narrowed to.
var kinds = []function.Kind{function.ByEvent, function.BySchedule, function.ByHand}

func (a *API) functionRuns(ctx context.Context, c *call) ([]function.Run, error) {
	if c.wrong.Err() != nil {
		return nil, nil // perform tells it
	}
	var f function.Filter
	var wrong fault.Check
	if p := c.param("outcome"); p != nil {
		f.Outcome = function.Outcome(*p)
		wrong.Require(slices.Contains(function.Outcomes, f.Outcome), "outcome", "must be one of OK, FAILED, TIMEOUT, MEMORY, CRASHED")
	}
	if p := c.param("trigger"); p != nil {
		f.Kind = function.Kind(*p)
		wrong.Require(slices.Contains(kinds, f.Kind), "trigger", "must be EVENT, SCHEDULE or MANUAL")
	}
	if p := c.param("businessId"); p != nil {
		f.BusinessID = *p
		wrong.Require(id.Valid(id.Business, f.BusinessID), "businessId", "must be the id of a business")
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	return a.Functions.Runs(ctx, c.app.ID, c.by(), c.at("functionId"), f)
}

func (a *API) showRun(ctx context.Context, c *call) (functionRunDetailDoc, error) {
	r, err := a.Functions.RunOf(ctx, c.app.ID, c.by(), c.at("functionId"), c.at("runId"))
	if err != nil {
		return functionRunDetailDoc{}, err
	}
	return newFunctionRunDetailDoc(r), nil
}

func (a *API) redeliverRun(ctx context.Context, c *call) (DeliveryDoc, error) {
	return deliveryAnswer(a.Functions.RedeliverRun(ctx, c.app.ID, c.by(), c.at("functionId"), c.at("runId")))
}

func (a *API) functionDeliveries(ctx context.Context, c *call) ([]webhook.Delivery, error) {
	if c.wrong.Err() != nil {
		return nil, nil // perform tells it
	}
	f, err := deliveryFilter(c)
	if err != nil {
		return nil, err
	}
	return a.Functions.Deliveries(ctx, c.app.ID, c.by(), c.at("functionId"), f)
}

func (a *API) redeliverFunction(ctx context.Context, c *call, body redeliveryBody) (redeliveredDoc, error) {
	span, err := body.span()
	if err != nil {
		return redeliveredDoc{}, err
	}
	done, err := a.Functions.RedeliverFailed(ctx, c.app.ID, c.by(), c.at("functionId"), span)
	return redeliveredDoc{done.Queued, done.Refused}, err
}
