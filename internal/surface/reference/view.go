package reference

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// The page, as its template sees it.
type (
	pageView struct {
		Title, Service, Version, Introduction, Stylesheet, Icon string
		BaseURL, Document                                       string
		Groups                                                  []groupView
		Scopes                                                  []scopeView
		Refusals                                                []refusalView
		Types                                                   []typeView
	}
	groupView struct {
		Name, Anchor string
		Operations   []operationView
	}
	operationView struct {
		Anchor, Method, Path, Summary, Description string
		Scopes                                     []string
		Between                                    string // the scopes: and, or
		Public, FirstParty                         bool
		Parameters                                 []memberView
		Body                                       []memberView
		BodyType                                   string
		Request, Answer                            string // examples
		Status                                     string
		AnswerType                                 string
		Refusals                                   []string
	}
	memberView struct {
		Name, Kind, About, In string
		Required              bool
	}
	scopeView   struct{ Name, About string }
	refusalView struct{ Status, About string }
	typeView    struct {
		Name, Anchor string
		Members      []memberView
	}
)

var methods = []string{"get", "post", "put", "patch", "delete"}

func view(d *document) pageView {
	v := pageView{Title: d.Info.Title, Version: d.Info.Version, Introduction: d.Info.Description}
	groups := map[string]*groupView{}
	var order []string
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range methods {
			op, ok := d.Paths[path][method]
			if !ok {
				continue
			}
			name := "other"
			if len(op.Tags) > 0 {
				name = op.Tags[0]
			}
			if groups[name] == nil {
				groups[name] = &groupView{Name: title(name), Anchor: name}
				order = append(order, name)
			}
			groups[name].Operations = append(groups[name].Operations, d.operation(path, method, op))
		}
	}
	for _, name := range order {
		v.Groups = append(v.Groups, *groups[name])
	}
	scopes := d.Components.SecuritySchemes["oauth"].Flows.AuthorizationCode.Scopes
	for _, name := range slices.Sorted(maps.Keys(scopes)) {
		v.Scopes = append(v.Scopes, scopeView{name, scopes[name]})
	}
	for _, name := range slices.Sorted(maps.Keys(d.Components.Responses)) {
		status := strings.TrimLeft(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
		v.Refusals = append(v.Refusals, refusalView{status, d.Components.Responses[name].Description})
	}
	for _, name := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		if members := d.members(d.Components.Schemas[name]); len(members) > 0 {
			v.Types = append(v.Types, typeView{Name: name, Anchor: "type-" + name, Members: members})
		}
	}
	return v
}

func (d *document) operation(path, method string, op operation) operationView {
	v := operationView{
		Anchor: op.OperationID, Method: strings.ToUpper(method), Path: path, Summary: op.Summary, Description: op.Description,
		Public: len(op.Security) == 0,
	}
	open := v.Public
	for _, s := range op.Security {
		if scopes, ok := s["oauth"]; ok {
			if v.Between = " and "; len(v.Scopes) > 0 { // several ways in: any of them will do
				v.Between = " or "
			}
			v.Scopes, open = append(v.Scopes, scopes...), true
		}
	}
	v.FirstParty = !open
	for _, p := range op.Parameters {
		if p.In != "header" { // the same everywhere: told once
			v.Parameters = append(v.Parameters, memberView{Name: p.Name, About: p.Description, In: p.In, Required: p.Required})
		}
	}
	if op.RequestBody != nil {
		for _, m := range op.RequestBody.Content {
			found, name := d.resolve(m.Schema)
			v.Body, v.BodyType, v.Request = d.members(found), name, pretty(m.Example)
		}
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		r := op.Responses[status]
		if !strings.HasPrefix(status, "2") {
			v.Refusals = append(v.Refusals, status)
			continue
		}
		n, _ := strconv.Atoi(status)
		v.Status = status + " " + http.StatusText(n)
		for _, m := range r.Content {
			_, v.AnswerType = d.resolve(m.Schema)
			v.Answer = pretty(m.Example)
		}
	}
	return v
}

// members of an object, the required ones first, else by name.
func (d *document) members(s schema) []memberView {
	var list []memberView
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		list = append(list, memberView{Name: name, Kind: d.say(p), About: p.Description, Required: slices.Contains(s.Required, name)})
	}
	slices.SortStableFunc(list, func(a, b memberView) int { return cmp.Compare(rank(a), rank(b)) })
	return list
}

func rank(m memberView) int {
	if m.Required {
		return 0
	}
	return 1
}

func pretty(text json.RawMessage) string {
	var out bytes.Buffer
	if len(text) == 0 || json.Indent(&out, text, "", "  ") != nil {
		return ""
	}
	return out.String()
}

// title makes a heading of a path segment.
func title(name string) string {
	name = strings.ReplaceAll(name, "-", " ")
	return strings.ToUpper(name[:1]) + name[1:]
}
