package pages

import (
	"net/http"
	"slices"
	"strings"

	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/extension"
)

type consoleExtensionsView struct {
	Extensions    []extensionLine
	New, Settings string
	AppURL        string // empty: there is none that paths could be relative to
	Full          bool
	May           may
	Saved         string
}

type extensionLine struct {
	Path, Label, Kind, On, Address string
	State                          state
	Why                            string // it is not shown
}

var consoleExtensionsPage = newPage[consoleExtensionsView]("console-extensions.html")

func (s *Site) consoleExtensions(w http.ResponseWriter, r *http.Request, in inApp) error {
	list, err := s.Extensions.List(r.Context(), in.app.ID, in.who.user.ID)
	if err != nil {
		return err
	}
	v := consoleExtensionsView{New: in.path("/extensions/new"), Settings: in.path("/settings"), AppURL: text(in.app.AppURL), Full: len(list) >= extension.MaxExtensions, May: in.may(), Saved: saved(r, map[string]string{
		"made": "The extension is added. Businesses that have your app see it now.", "saved": "Your changes are saved.", "deleted": "The extension is deleted.",
	})}
	for _, e := range list {
		line := extensionLine{Path: in.path("/extensions/%s", e.ID), Label: visible(e.Label), Kind: kindNames[e.Kind], On: besides(e), Address: visible(e.Address.URL), Why: whyHidden(e, in.app)}
		line.State = extensionState(e)
		v.Extensions = append(v.Extensions, line)
	}
	consoleExtensionsPage.write(w, r, s, http.StatusOK, in.frame("Extensions", "Extensions"), v)
	return nil
}

// kindNames are the kinds as people call them.
var kindNames = map[extension.Kind]string{extension.Page: "Page", extension.Panel: "Panel", extension.Tab: "Tab", extension.Action: "Action"}

// kindPlaces says where each kind is shown.
var kindPlaces = map[extension.Kind]string{
	extension.Page: "An entry in the list of pages, with a page of its own", extension.Panel: "Beside a record, always in view",
	extension.Tab: "A tab of a record, opened by a click", extension.Action: "An entry in the menu of a record that opens a dialog",
}

// besides is the sort of record that an extension stands beside.
func besides(e extension.Placed) string {
	if e.ResourceType == nil {
		return ""
	}
	return shownWord(*e.ResourceType)
}

func extensionState(e extension.Placed) state {
	switch e.Hidden {
	case extension.Shown:
		return state{Word: "shown", Tone: "good"}
	case extension.SwitchedOff:
		return state{Word: "switched off", Tone: "off"}
	}
	return state{Word: "not shown", Tone: "warn"}
}

// whyHidden says why an extension is not shown anywhere, and what to do about it.
func whyHidden(e extension.Placed, of app.App) string {
	switch e.Hidden {
	case extension.SwitchedOff:
		return "It is switched off."
	case extension.AppStopped:
		return "The app is " + strings.ToLower(shownWord(of.Status())) + ". Extensions are shown again when it is active."
	case extension.PathInvalid:
		return "Its path cannot be used: " + visible(e.Wrong) + ". Change the path, or the App URL in the settings."
	case extension.ScopeRequired:
		return "The app no longer registers " + string(e.ResourceType.Scope()) + ". Add the scope again, or choose another sort of record."
	}
	return ""
}

type consoleNewExtensionView struct {
	Here, Rest, Under, Settings string
	// Kinds to choose from, while none is chosen.
	Kinds        []kindChoice
	Kind, Name   string
	Place        string
	Resources    []choice // none: it stands beside no record
	AppURL, Base string   // Base is where the path x would lead
}

var consoleNewExtensionPage = newPage[consoleNewExtensionView]("console-new-extension.html")

func (s *Site) consoleNewExtension(w http.ResponseWriter, r *http.Request, in inApp) error {
	if err := in.mustBuild(); err != nil {
		return err
	}
	v := consoleNewExtensionView{
		Here: in.path("/extensions/new"), Rest: in.path("/extensions"), Under: in.path("/extensions"), Settings: in.path("/settings"), AppURL: text(in.app.AppURL), Base: s.example(in.app),
	}
	kind := extension.Kind(r.URL.Query().Get("kind"))
	if slices.Contains(extension.Kinds, kind) {
		v.Kind, v.Name, v.Place = string(kind), kindNames[kind], kindPlaces[kind]
		if kind != extension.Page {
			v.Resources = resourceChoices(in.app, "")
		}
	} else {
		for _, k := range extension.Kinds {
			v.Kinds = append(v.Kinds, kindChoice{Path: in.path("/extensions/new?kind=%s", k), Name: kindNames[k], Words: kindPlaces[k]})
		}
	}
	consoleNewExtensionPage.write(w, r, s, http.StatusOK, in.frame("Extensions", "Add an extension", crumb{"Add an extension", ""}), v)
	return nil
}

// example is where the path invoice leads, to show how addresses are resolved; empty where it leads nowhere.
func (s *Site) example(of app.App) string {
	address, _ := extension.Resolve(of.AppURL, "invoice", s.Extensions.Home)
	return visible(address.URL)
}

// resourceChoices are the sorts of records, with the scope that those need which the app may not read.
func resourceChoices(of app.App, chosen appdata.ResourceType) []choice {
	var list []choice
	for _, t := range appdata.ResourceTypes {
		words := shownWord(t)
		if !of.Scopes.Has(t.Scope()) {
			words += " · needs " + string(t.Scope())
		}
		list = append(list, choice{Value: string(t), Words: words, Chosen: t == chosen})
	}
	return list
}

type consoleExtensionView struct {
	Rest, Under, Label, ExtensionPath string
	ID, Name, Place                   string
	Address, Base, AppURL             string
	Enabled                           bool
	Version                           int
	Resources                         []choice
	Why                               string
	May                               may
}

var consoleExtensionPage = newPage[consoleExtensionView]("console-extension.html")

func (s *Site) consoleExtension(w http.ResponseWriter, r *http.Request, in inApp) error {
	list, err := s.Extensions.List(r.Context(), in.app.ID, in.who.user.ID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(e extension.Placed) bool { return e.ID == r.PathValue("extensionId") })
	if i < 0 {
		return extension.ErrNotFound
	}
	e := list[i]
	v := consoleExtensionView{
		Rest: in.path("/extensions/%s", e.ID), Under: in.path("/extensions"), Label: e.Label, ExtensionPath: e.Path, ID: e.ID, Name: kindNames[e.Kind], Place: kindPlaces[e.Kind],
		Address: visible(e.Address.URL), Base: s.example(in.app), AppURL: text(in.app.AppURL), Enabled: e.Enabled, Version: e.Version, Why: whyHidden(e, in.app), May: in.may(),
	}
	if e.ResourceType != nil {
		v.Resources = resourceChoices(in.app, *e.ResourceType)
	}
	consoleExtensionPage.write(w, r, s, http.StatusOK, in.frame("Extensions", visible(e.Label), crumb{visible(e.Label), ""}), v)
	return nil
}
