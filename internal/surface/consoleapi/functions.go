package consoleapi

import (
	"context"
	"net/http"

	"daybook/internal/base/fault"
	"daybook/internal/books/record"
	"daybook/internal/platform/event"
	"daybook/internal/platform/function"
	"daybook/internal/tenancy/organization"
)

// functionRoutes are an app's hosted functions, with their versions and their configuration.
func (a *API) functionRoutes() []Route {
	const all, one, build = "/developer/apps/{appId}/functions", "/developer/apps/{appId}/functions/{functionId}", organization.Build
	const config = "/developer/apps/{appId}/function-config"
	return []Route{
		{Method: "GET", Path: all, Summary: "List an app's hosted functions", verb: list(a.functions, newFunctionDoc)},
		{Method: "POST", Path: all, Needs: build, Summary: "Create a hosted function",
			About: "With a source, its first version is there at once. It runs when a version is activated.", verb: reads(http.StatusCreated, a.createFunction)},
		{Method: "GET", Path: one, Summary: "Show a hosted function", verb: show(a.showFunction)},
		{Method: "PATCH", Path: one, Needs: build, Versioned: true, Summary: "Change a hosted function", verb: reads(http.StatusOK, a.changeFunction)},
		{Method: "DELETE", Path: one, Needs: build, Versioned: true, Summary: "Delete a hosted function", verb: remove(a.deleteFunction)},
		{Method: "POST", Path: one + "/versions", Needs: build, Summary: "Upload a version",
			About: "One ES module of at most 256 KiB that exports handler, or a default, and imports nothing. It never changes, and runs once it is activated.",
			verb:  reads(http.StatusCreated, a.uploadVersion)},
		{Method: "GET", Path: one + "/versions", Summary: "List the versions of a hosted function, newest first", verb: list(a.functionVersions, newFunctionVersionDoc)},
		{Method: "GET", Path: one + "/versions/{versionId}", Summary: "Show a version with its source", verb: show(a.showFunctionVersion)},
		{Method: "POST", Path: one + "/activate", Needs: build, Versioned: true, Summary: "Have a version run from now on",
			About: "The one named, or the newest. It also switches on what was switched off.", verb: mayRead(http.StatusOK, a.activateFunction)},
		{Method: "POST", Path: one + "/disable", Needs: build, Versioned: true, Summary: "Switch a hosted function off", verb: act(http.StatusOK, a.disableFunction)},
		{Method: "GET", Path: config, Summary: "List the configuration of an app's functions", About: "What they find as ctx.config. Secrets are named and not shown.",
			verb: list(a.functionConfig, newFunctionSettingDoc)},
		{Method: "POST", Path: config, Needs: build, Summary: "Set a value of the configuration", About: "A value of that name is replaced.", verb: reads(http.StatusOK, a.setFunctionConfig)},
		{Method: "DELETE", Path: config + "/{key}", Needs: build, Summary: "Delete a value of the configuration", verb: remove(a.deleteFunctionConfig)},
	}
}

// FunctionTriggerDoc says when a function runs.
type FunctionTriggerDoc struct {
	Type   function.Kind   `json:"type" enum:"EVENT,SCHEDULE,MANUAL"`
	Events []event.Type    `json:"events" nullable:"false" doc:"Of EVENT."`
	Every  *function.Every `json:"every" enum:"HOURLY,DAILY" doc:"Of SCHEDULE: at every full hour, or at midnight UTC."`
}

// FunctionDoc is a hosted function without its source.
type FunctionDoc struct {
	ID              string             `json:"id"`
	Name            string             `json:"name"`
	Description     *string            `json:"description"`
	Trigger         FunctionTriggerDoc `json:"trigger"`
	State           function.State     `json:"state" enum:"DRAFT,ACTIVE,DISABLED"`
	DisabledReason  *function.Why      `json:"disabledReason" enum:"DEVELOPER,FAILURES" doc:"FAILURES: 50 runs in a row failed."`
	ActiveVersionID *string            `json:"activeVersionId" doc:"What runs, or ran last."`
	Failures        int                `json:"failures" doc:"In a row."`
	NextRunAt       *string            `json:"nextRunAt" doc:"Of an ACTIVE function with a schedule."`
	Version         int                `json:"version"`
	CreatedAt       string             `json:"createdAt"`
	UpdatedAt       string             `json:"updatedAt"`
}

func (d FunctionDoc) revision() int { return d.Version }

func newFunctionDoc(f function.Function) FunctionDoc {
	d := FunctionDoc{
		ID: f.ID, Name: f.Name, Description: f.Description, Trigger: FunctionTriggerDoc{Type: f.Trigger.Kind, Events: f.Trigger.Events}, State: f.State, DisabledReason: f.Why,
		ActiveVersionID: f.ActiveVersion, Failures: f.Failures, NextRunAt: optionalInstant(f.NextAt), Version: f.Version, CreatedAt: instant(f.CreatedAt), UpdatedAt: instant(f.UpdatedAt),
	}
	if f.Trigger.Kind == function.BySchedule {
		d.Trigger.Every = &f.Trigger.Every
	}
	if d.Trigger.Events == nil {
		d.Trigger.Events = []event.Type{}
	}
	return d
}

func functionAnswer(f function.Function, err error) (FunctionDoc, error) {
	if err != nil {
		return FunctionDoc{}, err
	}
	return newFunctionDoc(f), nil
}

// FunctionVersionDoc is a version of a function; its source is in what shows one.
type FunctionVersionDoc struct {
	ID        string `json:"id"`
	Number    int    `json:"number" doc:"Counts from 1."`
	Bytes     int    `json:"bytes" doc:"Of the source."`
	CreatedBy string `json:"createdBy"`
	CreatedAt string `json:"createdAt"`
}

func newFunctionVersionDoc(v function.Version) FunctionVersionDoc {
	return FunctionVersionDoc{ID: v.ID, Number: v.Number, Bytes: v.Size, CreatedBy: v.CreatedBy, CreatedAt: instant(v.CreatedAt)}
}

func (a *API) functions(ctx context.Context, c *call) ([]function.Function, error) {
	return a.Functions.List(ctx, c.app.ID, c.by())
}

// functionTriggerBody is a trigger as it is sent.
type functionTriggerBody struct {
	Type   *function.Kind  `json:"type" nullable:"false"`
	Events eventNames      `json:"events,omitempty"`
	Every  *function.Every `json:"every,omitempty"`
}

func (t functionTriggerBody) asked(c *fault.Check) function.Trigger {
	asked := function.Trigger{Events: eventTypes(c, "trigger.events", t.Events)}
	if t.Type != nil {
		asked.Kind = *t.Type
	}
	if t.Every != nil {
		asked.Every = *t.Every
	}
	return asked
}

type newFunction struct {
	Name        *string              `json:"name" nullable:"false"`
	Description *string              `json:"description,omitempty"`
	Trigger     *functionTriggerBody `json:"trigger" nullable:"false"`
	Source      *string              `json:"source,omitempty" doc:"Of its first version."`
}

type createdFunctionDoc struct {
	FunctionDoc
	LatestVersionID *string `json:"latestVersionId" doc:"Of the source that came along."`
}

func (a *API) createFunction(ctx context.Context, c *call, body newFunction) (createdFunctionDoc, error) {
	var wrong fault.Check
	wrong.Require(body.Name != nil, "name", "is required")
	wrong.Require(body.Trigger != nil, "trigger", "is required")
	n := function.New{Description: body.Description, Source: body.Source}
	if body.Trigger != nil {
		n.Trigger = body.Trigger.asked(&wrong)
	}
	if err := wrong.Err(); err != nil {
		return createdFunctionDoc{}, err
	}
	n.Name = *body.Name
	f, v, err := a.Functions.Create(ctx, c.app.ID, c.by(), n)
	if err != nil {
		return createdFunctionDoc{}, err
	}
	made := createdFunctionDoc{FunctionDoc: newFunctionDoc(f)}
	if v != nil {
		made.LatestVersionID = &v.ID
	}
	return made, nil
}

func (a *API) showFunction(ctx context.Context, c *call) (FunctionDoc, error) {
	return functionAnswer(a.Functions.Get(ctx, c.app.ID, c.by(), c.at("functionId")))
}

type functionPatch struct {
	Name        record.Patch[string]              `json:"name,omitempty"`
	Description record.Patch[string]              `json:"description,omitempty"`
	Trigger     record.Patch[functionTriggerBody] `json:"trigger,omitempty"`
}

func (a *API) changeFunction(ctx context.Context, c *call, body functionPatch) (FunctionDoc, error) {
	var wrong fault.Check
	wrong.Require(!body.Name.Null, "name", "must not be null")
	wrong.Require(!body.Trigger.Null, "trigger", "must not be null")
	patch := function.Patch{Name: given(body.Name), Description: nullable(body.Description)}
	if body.Trigger.Set {
		trigger := body.Trigger.Value.asked(&wrong)
		patch.Trigger = &trigger
	}
	if err := wrong.Err(); err != nil {
		return FunctionDoc{}, err
	}
	return functionAnswer(a.Functions.Change(ctx, c.app.ID, c.by(), c.at("functionId"), c.seen, patch))
}

func (a *API) deleteFunction(ctx context.Context, c *call) error {
	return a.Functions.Delete(ctx, c.app.ID, c.by(), c.at("functionId"), c.seen)
}

type newFunctionVersion struct {
	Source *string `json:"source" nullable:"false"`
}

// uploadVersion takes a source (CONS-05).
func (a *API) uploadVersion(ctx context.Context, c *call, body newFunctionVersion) (FunctionVersionDoc, error) {
	if body.Source == nil {
		return FunctionVersionDoc{}, fault.InvalidFields("source is required")
	}
	v, err := a.Functions.Upload(ctx, c.app.ID, c.by(), c.at("functionId"), *body.Source)
	if err != nil {
		return FunctionVersionDoc{}, err
	}
	return newFunctionVersionDoc(v), nil
}

func (a *API) functionVersions(ctx context.Context, c *call) ([]function.Version, error) {
	return a.Functions.Versions(ctx, c.app.ID, c.by(), c.at("functionId"))
}

type functionSourceDoc struct {
	FunctionVersionDoc
	Source string `json:"source"`
}

func (a *API) showFunctionVersion(ctx context.Context, c *call) (functionSourceDoc, error) {
	v, err := a.Functions.VersionOf(ctx, c.app.ID, c.by(), c.at("functionId"), c.at("versionId"))
	if err != nil {
		return functionSourceDoc{}, err
	}
	return functionSourceDoc{newFunctionVersionDoc(v), v.Source}, nil
}

type functionActivation struct {
	VersionID *string `json:"versionId,omitempty" doc:"The newest by default."`
}

func (a *API) activateFunction(ctx context.Context, c *call, body functionActivation) (FunctionDoc, error) {
	versionID, err := optionalID("versionId", body.VersionID)
	if err != nil {
		return FunctionDoc{}, err
	}
	return functionAnswer(a.Functions.Activate(ctx, c.app.ID, c.by(), c.at("functionId"), c.seen, versionID))
}

// optionalID is an id that may be left out, but not be empty.
func optionalID(at string, given *string) (string, error) {
	if given == nil {
		return "", nil
	}
	if *given == "" {
		return "", fault.InvalidFields(at + " must not be empty")
	}
	return *given, nil
}

func (a *API) disableFunction(ctx context.Context, c *call) (FunctionDoc, error) {
	return functionAnswer(a.Functions.Disable(ctx, c.app.ID, c.by(), c.at("functionId"), c.seen))
}

type functionSettingDoc struct {
	Key       string  `json:"key"`
	Secret    bool    `json:"secret"`
	Value     *string `json:"value" doc:"Null for a secret."`
	UpdatedAt string  `json:"updatedAt"`
}

func newFunctionSettingDoc(s function.Setting) functionSettingDoc {
	d := functionSettingDoc{Key: s.Key, Secret: s.Secret, UpdatedAt: instant(s.UpdatedAt)}
	if !s.Secret {
		d.Value = &s.Value
	}
	return d
}

func (a *API) functionConfig(ctx context.Context, c *call) ([]function.Setting, error) {
	return a.Functions.Config(ctx, c.app.ID, c.by())
}

type newFunctionSetting struct {
	Key    *string `json:"key" nullable:"false"`
	Value  *string `json:"value" nullable:"false"`
	Secret *bool   `json:"secret,omitempty" doc:"A secret is sealed, and never shown again."`
}

func (a *API) setFunctionConfig(ctx context.Context, c *call, body newFunctionSetting) (functionSettingDoc, error) {
	var wrong fault.Check
	wrong.Require(body.Key != nil, "key", "is required")
	wrong.Require(body.Value != nil, "value", "is required")
	if err := wrong.Err(); err != nil {
		return functionSettingDoc{}, err
	}
	s, err := a.Functions.SetConfig(ctx, c.app.ID, c.by(), *body.Key, *body.Value, body.Secret != nil && *body.Secret)
	if err != nil {
		return functionSettingDoc{}, err
	}
	return newFunctionSettingDoc(s), nil
}

func (a *API) deleteFunctionConfig(ctx context.Context, c *call) error {
	return a.Functions.DeleteConfig(ctx, c.app.ID, c.by(), c.at("key"))
}
