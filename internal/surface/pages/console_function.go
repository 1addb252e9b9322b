package pages

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"daybook/internal/platform/event"
	"daybook/internal/platform/function"
)

type consoleFunctionView struct {
	ID, Name, Description string
	Rest, Here, Under     string
	Sandboxes             string // where to make one
	Live                  string // where the runs can be asked for again
	Version               int
	State                 state
	Why                   string // it is off
	On                    bool
	Runs                  string
	Events                []string
	Next                  *moment
	Created               moment
	Versions              []versionLine
	Newer                 bool // the newest version is not the active one
	Places                []choice
	Types                 []choice
	Recent                []runLine
	Filter                []choiceLink
	Kinds                 []choiceLink
	Form                  triggerForm
	May                   may
	Saved                 string
}

type versionLine struct {
	ID, Path, Number, Size string
	Active                 bool
	Created                moment
}

type runLine struct {
	Path, Type, Business, Error, Took, Tries string
	State                                    state
	Started                                  moment
}

var consoleFunctionPage = newPage[consoleFunctionView]("console-function.html")

func (s *Site) consoleFunction(w http.ResponseWriter, r *http.Request, in inApp) error {
	ctx, by := r.Context(), in.who.user.ID
	f, err := s.Functions.Get(ctx, in.app.ID, by, r.PathValue("functionId"))
	if err != nil {
		return err
	}
	versions, err := s.Functions.Versions(ctx, in.app.ID, by, f.ID)
	if err != nil {
		return err
	}
	var asked function.Filter
	if word := function.Outcome(r.URL.Query().Get("outcome")); runTones[word] != "" {
		asked.Outcome = word
	}
	runs, err := s.Functions.Runs(ctx, in.app.ID, by, f.ID, asked)
	if err != nil {
		return err
	}
	places, err := s.Sandboxes.List(ctx, *in.app.OrganizationID, by)
	if err != nil {
		return err
	}
	v := in.functionView(f, versions, runs, asked, function.Kind(r.URL.Query().Get("trigger")))
	v.Saved = saved(r, functionSaved)
	for _, one := range places {
		v.Places = append(v.Places, choice{Value: one.ID, Words: visible(one.Name)})
	}
	consoleFunctionPage.write(w, r, s, http.StatusOK, in.frame("Functions", visible(f.Name), crumb{visible(f.Name), ""}), v)
	return nil
}

var functionSaved = map[string]string{
	"made": "Your function is made. Try it in a sandbox, then activate it.", "saved": "Your changes are saved. They count from now on.", "uploaded": "The version is uploaded. It runs once you activate it.",
	"on": "The function is active: it runs from now on.", "off": "The function is off. What happens meanwhile is not kept for it.", "queued": "The delivery is queued again. Its run appears here by itself.",
}

// functionView is what the page of a function shows; kind is the trigger that its form is for, if another one was chosen.
func (in inApp) functionView(f function.Function, versions []function.Version, runs []function.Run, asked function.Filter, kind function.Kind) consoleFunctionView {
	here := in.path("/functions/%s", f.ID)
	v := consoleFunctionView{
		ID: f.ID, Name: f.Name, Description: text(f.Description), Rest: here, Here: here, Under: in.path("/functions"), Sandboxes: sandboxesPath + "/new", Live: here + "/runs",
		Version: f.Version, State: functionState(f), On: f.State == function.Active, Runs: triggerWords(f.Trigger), Next: whenever(f.NextAt, in.now), Created: when(f.CreatedAt, in.now),
		May: in.may(), Recent: in.runLines(runs), Form: in.triggerForm(kind, f.Trigger),
	}
	if v.Form.Kind == "" {
		v.Form = in.triggerForm(f.Trigger.Kind, f.Trigger)
	}
	if asked.Outcome != "" {
		v.Live += "?outcome=" + string(asked.Outcome)
	}
	if f.Why != nil && *f.Why == function.ByFailures {
		v.Why = "It failed 50 times in a row. Look at its runs, upload a version that does better, and activate that."
	}
	for _, t := range f.Trigger.Events {
		v.Events = append(v.Events, string(t))
	}
	for i, one := range versions {
		active := f.ActiveVersion != nil && *f.ActiveVersion == one.ID
		v.Newer = v.Newer || i == 0 && f.ActiveVersion != nil && !active
		v.Versions = append(v.Versions, versionLine{
			ID: one.ID, Path: here + "/versions/" + one.ID, Number: strconv.Itoa(one.Number), Size: bytesWords(one.Size), Active: active, Created: when(one.CreatedAt, in.now),
		})
	}
	for _, k := range functionKinds {
		v.Kinds = append(v.Kinds, choiceLink{Name: k.name, Path: here + "?trigger=" + string(k.kind) + "#trigger", Chosen: string(k.kind) == v.Form.Kind})
	}
	v.Filter = []choiceLink{{Name: "All", Path: here + "#runs", Chosen: asked.Outcome == ""}}
	for _, o := range function.Outcomes {
		v.Filter = append(v.Filter, choiceLink{Name: runWords[o], Path: here + "?outcome=" + string(o) + "#runs", Chosen: o == asked.Outcome})
	}
	v.Types = sampleTypes(f.Trigger)
	return v
}

// sampleTypes are what a function can be told of by hand, its own events first.
func sampleTypes(t function.Trigger) []choice {
	list := []choice{{Value: "", Words: "what it is made for"}}
	for _, own := range t.Events {
		list = append(list, choice{Value: string(own), Words: string(own)})
	}
	for _, e := range event.Catalog {
		if !slices.Contains(t.Events, e.Type) {
			list = append(list, choice{Value: string(e.Type), Words: string(e.Type)})
		}
	}
	return list
}

// How runs end, in words.
var (
	runWords = map[function.Outcome]string{function.OK: "done", function.Failed: "failed", function.Timeout: "out of time", function.Memory: "out of memory", function.Crashed: "crashed"}
	runTones = map[function.Outcome]string{function.OK: "good", function.Failed: "bad", function.Timeout: "bad", function.Memory: "bad", function.Crashed: "bad"}
)

func runState(o function.Outcome) state { return state{runWords[o], runTones[o]} }

func (in inApp) runLines(list []function.Run) []runLine {
	out := make([]runLine, len(list))
	for i, r := range list {
		out[i] = runLine{
			Path: in.path("/functions/%s/runs/%s", r.FunctionID, r.ID), Type: string(r.Type), Business: r.BusinessID, Error: visible(firstLine(text(r.Error))), Took: took(r.Duration),
			Tries: attemptWords(r), State: runState(r.Outcome), Started: when(r.StartedAt, in.now),
		}
	}
	return out
}

func attemptWords(r function.Run) string {
	if r.DeliveryID == nil {
		return "by hand"
	}
	return "attempt " + strconv.Itoa(r.Attempt)
}

type consoleFunctionVersionView struct {
	Number, Size, Source, ID string
	Active                   bool
	Rest, Here               string
	Version                  int
	Created                  moment
	May                      may
}

var consoleFunctionVersionPage = newPage[consoleFunctionVersionView]("console-function-version.html")

func (s *Site) consoleFunctionVersion(w http.ResponseWriter, r *http.Request, in inApp) error {
	f, err := s.Functions.Get(r.Context(), in.app.ID, in.who.user.ID, r.PathValue("functionId"))
	if err != nil {
		return err
	}
	one, err := s.Functions.VersionOf(r.Context(), in.app.ID, in.who.user.ID, f.ID, r.PathValue("versionId"))
	if err != nil {
		return err
	}
	here := in.path("/functions/%s", f.ID)
	v := consoleFunctionVersionView{
		Number: strconv.Itoa(one.Number), Size: bytesWords(one.Size), Source: codeText(one.Source), ID: one.ID, Active: f.State == function.Active && f.ActiveVersion != nil && *f.ActiveVersion == one.ID,
		Rest: here, Here: here, Version: f.Version, Created: when(one.CreatedAt, in.now), May: in.may(),
	}
	way := []crumb{{visible(f.Name), here}, {"Version " + v.Number, ""}}
	consoleFunctionVersionPage.write(w, r, s, http.StatusOK, in.frame("Functions", "Version "+v.Number, way...), v)
	return nil
}

type consoleRunView struct {
	Type, ID, Business, Delivery, VersionPath string
	Tries                                     string
	State                                     state
	Words                                     string
	Tiles                                     []tile
	Error, Log, Result                        string
	Cut                                       bool
	Started                                   moment
	Exact                                     string
	Rest, Function                            string
	Again                                     bool // its delivery may be repeated
	May                                       may
}

var consoleRunPage = newPage[consoleRunView]("console-run.html")

func (s *Site) consoleRun(w http.ResponseWriter, r *http.Request, in inApp) error {
	f, err := s.Functions.Get(r.Context(), in.app.ID, in.who.user.ID, r.PathValue("functionId"))
	if err != nil {
		return err
	}
	run, err := s.Functions.RunOf(r.Context(), in.app.ID, in.who.user.ID, f.ID, r.PathValue("runId"))
	if err != nil {
		return err
	}
	way := []crumb{{visible(f.Name), in.path("/functions/%s", f.ID)}, {"Run", ""}}
	consoleRunPage.write(w, r, s, http.StatusOK, in.frame("Functions", "Run of "+visible(f.Name), way...), in.runView(run))
	return nil
}

func (in inApp) runView(r function.Run) consoleRunView {
	here := in.path("/functions/%s", r.FunctionID)
	v := consoleRunView{
		Type: string(r.Type), ID: r.ID, Business: r.BusinessID, Delivery: text(r.DeliveryID), VersionPath: here + "/versions/" + r.VersionID, Tries: attemptWords(r), State: runState(r.Outcome),
		Words: outcomeAdvice[r.Outcome], Tiles: []tile{{Figure: took(r.Duration), Words: "it took"}, {Figure: strconv.Itoa(r.Calls), Words: "calls of ctx.api, of 20"}},
		Error: codeText(text(r.Error)), Log: codeText(r.Log), Cut: r.LogCut, Started: when(r.StartedAt, in.now), Exact: r.StartedAt.UTC().Format("15:04:05"),
		Rest: here + "/runs/" + r.ID, Function: here, Again: r.DeliveryID != nil && r.Outcome != function.OK, May: in.may(),
	}
	if r.Result != nil {
		v.Result = pretty(*r.Result)
	}
	return v
}

// outcomeAdvice says what to make of how a run ended.
var outcomeAdvice = map[function.Outcome]string{
	function.OK: "The handler returned.", function.Failed: "The handler threw an error, or what it returned could not be taken.",
	function.Timeout: "A run has 5 seconds, calls of ctx.api included. Do less at a time, or wait for fewer answers one after another.",
	function.Memory:  "A run has 64 MiB. Keep less of what you read, and read it in pages.",
	function.Crashed: "Its process ended before the handler did. Very deep recursion does that; it is not the platform's other work that failed.",
}

// codeText is visible for code and logs: lines and tabs stay.
func codeText(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		parts := strings.Split(line, "\t")
		for j, part := range parts {
			parts[j] = visible(part)
		}
		lines[i] = strings.Join(parts, "\t")
	}
	return strings.Join(lines, "\n")
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// bytesWords is a size in words.
func bytesWords(n int) string {
	if n < 1<<10 {
		return counted(n, "byte", "bytes")
	}
	return strconv.FormatFloat(float64(n)/(1<<10), 'f', 1, 64) + " KiB"
}
