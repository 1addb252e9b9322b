package pages

import (
	"net/http"
	"slices"
	"strconv"

	"daybook/internal/platform/event"
	"daybook/internal/platform/function"
)

type consoleFunctionsView struct {
	Functions []functionLine
	New       string
	Full      bool
	Most      int
	Config    []settingLine
	Rest      string // of the configuration
	Here      string
	May       may
	Saved     string
}

type functionLine struct {
	Path, Name, Description, Runs string
	State                         state
}

type settingLine struct {
	Key, Value string
	Secret     bool
	Rest       string
}

var consoleFunctionsPage = newPage[consoleFunctionsView]("console-functions.html")

func (s *Site) consoleFunctions(w http.ResponseWriter, r *http.Request, in inApp) error {
	list, err := s.Functions.List(r.Context(), in.app.ID, in.who.user.ID)
	if err != nil {
		return err
	}
	config, err := s.Functions.Config(r.Context(), in.app.ID, in.who.user.ID)
	if err != nil {
		return err
	}
	v := consoleFunctionsView{
		New: in.path("/functions/new"), Full: len(list) >= function.MaxPerApp, Most: function.MaxPerApp, Rest: in.path("/function-config"), Here: in.path("/functions"), May: in.may(),
		Saved: saved(r, map[string]string{
			"deleted": "The function is deleted. What waited for it is dropped.", "set": "The value is set. Runs that begin from now on find it.", "unset": "The value is deleted.",
		}),
	}
	for _, f := range list {
		v.Functions = append(v.Functions, functionLine{
			Path: in.path("/functions/%s", f.ID), Name: visible(f.Name), Description: visible(text(f.Description)), Runs: triggerWords(f.Trigger), State: functionState(f),
		})
	}
	for _, one := range config {
		v.Config = append(v.Config, settingLine{Key: one.Key, Value: visible(one.Value), Secret: one.Secret, Rest: in.path("/function-config/%s", one.Key)})
	}
	consoleFunctionsPage.write(w, r, s, http.StatusOK, in.frame("Functions", "Functions"), v)
	return nil
}

// triggerWords say what has a function run.
func triggerWords(t function.Trigger) string {
	switch {
	case t.Kind == function.ByEvent && len(t.Events) == 1:
		return "on " + string(t.Events[0])
	case t.Kind == function.ByEvent:
		return "on " + strconv.Itoa(len(t.Events)) + " events"
	case t.Every == function.Hourly:
		return "every hour"
	case t.Every == function.Daily:
		return "every day"
	}
	return "by hand"
}

func functionState(f function.Function) state {
	switch {
	case f.State == function.Active:
		return state{"active", "good"}
	case f.State == function.Draft:
		return state{"draft", "off"}
	case f.Why != nil && *f.Why == function.ByFailures:
		return state{"switched off after failures", "bad"}
	}
	return state{"off", "off"}
}

type consoleNewFunctionView struct {
	Here, Rest, Under string
	// Kinds to choose from, while none is chosen.
	Kinds []kindChoice
	Form  triggerForm
}

// triggerForm is the part of a form that says when a function runs.
type triggerForm struct {
	Kind   string // empty: not chosen yet
	Words  string
	Groups []eventGroup
	Every  []choice
}

// functionKinds are the ways to have a function run, in plain words.
var functionKinds = []struct {
	kind        function.Kind
	name, words string
}{
	{function.ByEvent, "When something happens", "An invoice is paid, a customer is added: any event that your app may hear of"},
	{function.BySchedule, "On a schedule", "Every hour or every day, once in every business that has your app"},
	{function.ByHand, "By hand", "Only when somebody tries it here"},
}

// triggerForm is the form for a kind of trigger; the zero one for a word that is none.
func (in inApp) triggerForm(kind function.Kind, now function.Trigger) triggerForm {
	for _, k := range functionKinds {
		if k.kind != kind {
			continue
		}
		f := triggerForm{Kind: string(kind), Words: k.name}
		switch kind {
		case function.ByEvent:
			f.Groups = in.heldEvents(now.Events)
		case function.BySchedule:
			f.Every = []choice{{string(function.Hourly), "Every hour, at the full hour", now.Every == function.Hourly}, {string(function.Daily), "Every day, at midnight UTC", now.Every == function.Daily}}
		}
		return f
	}
	return triggerForm{}
}

// heldEvents is the part of the catalog that the app may hear of.
func (in inApp) heldEvents(chosen []event.Type) []eventGroup {
	groups := in.eventGroups(chosen)
	for i := range groups {
		groups[i].Events = slices.DeleteFunc(groups[i].Events, func(e eventChoice) bool { return !e.Held })
	}
	return slices.DeleteFunc(groups, func(g eventGroup) bool { return len(g.Events) == 0 })
}

var consoleNewFunctionPage = newPage[consoleNewFunctionView]("console-new-function.html")

func (s *Site) consoleNewFunction(w http.ResponseWriter, r *http.Request, in inApp) error {
	if err := in.mustBuild(); err != nil {
		return err
	}
	v := consoleNewFunctionView{Here: in.path("/functions/new"), Rest: in.path("/functions"), Under: in.path("/functions")}
	v.Form = in.triggerForm(function.Kind(r.URL.Query().Get("trigger")), function.Trigger{})
	if v.Form.Kind == "" {
		for _, k := range functionKinds {
			v.Kinds = append(v.Kinds, kindChoice{Path: in.path("/functions/new?trigger=%s", k.kind), Name: k.name, Words: k.words})
		}
	}
	consoleNewFunctionPage.write(w, r, s, http.StatusOK, in.frame("Functions", "Add a function", crumb{"Add a function", ""}), v)
	return nil
}
