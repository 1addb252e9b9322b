package pages

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"daybook/internal/platform/appdata"
)

type consoleFieldsView struct {
	Groups []fieldGroup
	New    string
	May    may
	Saved  string
}

// fieldGroup is the fields on one sort of record.
type fieldGroup struct {
	Name   string
	Fields []fieldLine
}

type fieldLine struct {
	Path, Label, Key, Type, Rules, Visibility string
}

var consoleFieldsPage = newPage[consoleFieldsView]("console-fields.html")

func (s *Site) consoleFields(w http.ResponseWriter, r *http.Request, in inApp) error {
	list, err := s.AppData.Fields(r.Context(), in.app.ID, in.who.user.ID)
	if err != nil {
		return err
	}
	v := consoleFieldsView{New: in.path("/fields/new"), May: in.may(), Saved: saved(r, map[string]string{
		"made": "The field is declared. Your app can write values to it now.", "saved": "Your changes are saved.", "deleted": "The field is deleted, with its values in every business.",
	})}
	for _, t := range appdata.ResourceTypes {
		g := fieldGroup{Name: shownWord(t)}
		for _, f := range list {
			if f.ResourceType == t {
				g.Fields = append(g.Fields, fieldLine{
					Path: in.path("/fields/%s", f.ID), Label: visible(f.Label), Key: f.Key, Type: kindName(f.Type), Rules: ruleWords(f.Rules), Visibility: visibilityWords[f.Visibility],
				})
			}
		}
		if len(g.Fields) > 0 {
			v.Groups = append(v.Groups, g)
		}
	}
	consoleFieldsPage.write(w, r, s, http.StatusOK, in.frame("Fields", "Fields"), v)
	return nil
}

var visibilityWords = map[appdata.Visibility]string{appdata.Hidden: "hidden", appdata.Read: "shown", appdata.Edit: "can be edited"}

// ruleValues are rules by their names, as texts.
func ruleValues(rules appdata.Rules) map[string]string {
	values := map[string]string{}
	written, err := json.Marshal(rules)
	if err != nil {
		return values // our own types always encode
	}
	var members map[string]any
	_ = json.Unmarshal(written, &members)
	for name, value := range members {
		switch v := value.(type) {
		case string:
			values[name] = v
		case float64:
			values[name] = strconv.FormatFloat(v, 'f', -1, 64)
		case bool:
			values[name] = strconv.FormatBool(v)
		case []any:
			var words []string
			for _, one := range v {
				if s, ok := one.(string); ok {
					words = append(words, s)
				}
			}
			values[name] = strings.Join(words, "\n")
		}
	}
	return values
}

// ruleWords says in a line what a value must be.
func ruleWords(rules appdata.Rules) string {
	values := ruleValues(rules)
	var words []string
	add := func(name, before, after string) {
		if v := values[name]; v != "" {
			words = append(words, before+v+after)
		}
	}
	if values["minLength"] != "0" {
		add("minLength", "at least ", " characters")
	}
	add("maxLength", "up to ", " characters")
	if values["multiline"] == "true" {
		words = append(words, "several lines")
	}
	add("min", "from ", "")
	add("max", "to ", "")
	add("decimals", "up to ", " decimals")
	if v := values["choices"]; v != "" {
		words = append(words, visible(strings.ReplaceAll(v, "\n", ", ")))
	}
	if v := values["currencies"]; v != "" {
		words = append(words, "in "+strings.ReplaceAll(v, "\n", ", "))
	}
	return strings.Join(words, "; ")
}

type consoleNewFieldView struct {
	Here, Rest, Under string
	// Kinds to choose from, while none is chosen.
	Kinds     []kindChoice
	Type      string
	Kind      string
	Resources []choice
	Rules     []ruleField
	Shows     []choice
}

// kindChoice is a type of field in plain words.
type kindChoice struct{ Path, Name, Words string }

// kindWords says what a value of each type is.
var kindWords = map[appdata.Type]string{
	appdata.Text: "A line of text, or several", appdata.Number: "A decimal number, exact", appdata.Boolean: "True or false", appdata.Date: "A day",
	appdata.DateTime: "A moment", appdata.URL: "An https address", appdata.Money: "An amount with its currency", appdata.Choice: "One of a list of texts",
}

// kindName is the name of a type, as people write it.
func kindName(t appdata.Type) string {
	switch t {
	case appdata.URL:
		return "Address"
	case appdata.DateTime:
		return "Date and time"
	case appdata.Boolean:
		return "Yes or no"
	}
	return shownWord(t)
}

// ruleField is a field of the form for one rule.
type ruleField struct {
	Name, Label, Hint, As, Value string
	Long, Yes, Required          bool // a text area; a yes or no; cannot be left empty
	Checked                      bool
}

// rulesOf are the rules that a type knows.
func rulesOf(t appdata.Type, values map[string]string) []ruleField {
	var list []ruleField
	switch t {
	case appdata.Text:
		list = []ruleField{
			{Name: "minLength", Label: "At least so many characters", As: "number"}, {Name: "maxLength", Label: "At most so many characters", Hint: "1 to 2000; 255 when empty.", As: "number"},
			{Name: "multiline", Label: "Several lines are allowed", As: "bool", Yes: true},
		}
	case appdata.Number:
		list = []ruleField{
			{Name: "min", Label: "From", Hint: "A decimal number, such as 0.5.", As: "optional"}, {Name: "max", Label: "To", As: "optional"},
			{Name: "decimals", Label: "Digits behind the point", Hint: "0 to 10; 2 when empty.", As: "number"},
		}
	case appdata.Date:
		list = []ruleField{{Name: "min", Label: "From", Hint: "A day such as 2026-05-04.", As: "optional"}, {Name: "max", Label: "To", As: "optional"}}
	case appdata.DateTime:
		list = []ruleField{{Name: "min", Label: "From", Hint: "A moment such as 2026-05-04T09:30:00Z.", As: "optional"}, {Name: "max", Label: "To", As: "optional"}}
	case appdata.URL:
		list = []ruleField{{Name: "maxLength", Label: "At most so many characters", Hint: "1 to 2000.", As: "number"}}
	case appdata.Money:
		list = []ruleField{
			{Name: "min", Label: "From", Hint: "In the smallest unit of the currency: 1250 is 12.50.", As: "number"}, {Name: "max", Label: "To", As: "number"},
			{Name: "currencies", Label: "Only these currencies", Hint: "Codes such as EUR, GBP; all when empty.", As: "words"},
		}
	case appdata.Choice:
		list = []ruleField{{Name: "choices", Label: "Choices", Hint: "One on each line: 1 to 50 different texts of up to 60 characters.", As: "lines", Long: true, Required: true}}
	}
	for i := range list {
		f := &list[i]
		f.Value, f.Checked = values[f.Name], values[f.Name] == "true"
		if f.As == "words" {
			f.Value = strings.ReplaceAll(f.Value, "\n", ", ")
		}
	}
	return list
}

var consoleNewFieldPage = newPage[consoleNewFieldView]("console-new-field.html")

func (s *Site) consoleNewField(w http.ResponseWriter, r *http.Request, in inApp) error {
	if err := in.mustBuild(); err != nil {
		return err
	}
	v := consoleNewFieldView{Here: in.path("/fields/new"), Rest: in.path("/fields"), Under: in.path("/fields"), Shows: visibilityChoices(appdata.Hidden)}
	kind := appdata.Type(r.URL.Query().Get("type"))
	if slices.Contains(appdata.Types, kind) {
		v.Type, v.Kind, v.Rules = string(kind), kindName(kind), rulesOf(kind, nil)
		for _, t := range appdata.ResourceTypes {
			words := shownWord(t)
			if !in.app.Scopes.Has(t.Scope()) {
				words += " · needs " + string(t.Scope())
			}
			v.Resources = append(v.Resources, choice{Value: string(t), Words: words})
		}
	} else {
		for _, t := range appdata.Types {
			v.Kinds = append(v.Kinds, kindChoice{Path: in.path("/fields/new?type=%s", t), Name: kindName(t), Words: kindWords[t]})
		}
	}
	consoleNewFieldPage.write(w, r, s, http.StatusOK, in.frame("Fields", "Declare a field", crumb{"Declare a field", ""}), v)
	return nil
}

func visibilityChoices(chosen appdata.Visibility) []choice {
	return []choice{
		{string(appdata.Hidden), "Hidden: only your app sees it", chosen == appdata.Hidden},
		{string(appdata.Read), "Shown to people of the business", chosen == appdata.Read},
		{string(appdata.Edit), "Shown, and people may change it", chosen == appdata.Edit},
	}
}

type consoleFieldView struct {
	Rest, Under, Label, Description string
	Key, Type, Resource             string
	Version                         int
	Rules                           []ruleField
	Shows                           []choice
	May                             may
}

var consoleFieldPage = newPage[consoleFieldView]("console-field.html")

func (s *Site) consoleField(w http.ResponseWriter, r *http.Request, in inApp) error {
	list, err := s.AppData.Fields(r.Context(), in.app.ID, in.who.user.ID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(f appdata.Field) bool { return f.ID == r.PathValue("fieldId") })
	if i < 0 {
		return appdata.ErrFieldNotFound
	}
	f := list[i]
	v := consoleFieldView{
		Rest: in.path("/fields/%s", f.ID), Under: in.path("/fields"), Label: f.Label, Description: text(f.Description), Key: f.Key, Type: kindName(f.Type),
		Resource: shownWord(f.ResourceType), Version: f.Version, Rules: rulesOf(f.Type, ruleValues(f.Rules)), Shows: visibilityChoices(f.Visibility), May: in.may(),
	}
	consoleFieldPage.write(w, r, s, http.StatusOK, in.frame("Fields", visible(f.Label), crumb{visible(f.Label), ""}), v)
	return nil
}
