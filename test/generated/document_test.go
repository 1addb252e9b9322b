package generated_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"daybook/test/harness"
)

// document is what GET /openapi.json tells, as the tests need it.
type document struct {
	operations []*operation // in the order of their paths
	schemas    schemas
	problem    *schema // of refusals
	version    string  // the newest
}

// operation is a method on a path.
type operation struct {
	method, path string
	summary      string
	// partner: open to apps, which need the scopes; public: open to everybody.
	partner, public bool
	scopes          []string
	permission      string   // that the person needs; empty for none
	oneOf           []string // permissions of which the record decides, as it does of the scopes
	query           []param
	bodies          bool // takes a body
	body            *schema
	example         json.RawMessage
	answers         map[int]*answer
}

func (o *operation) String() string { return o.method + " " + o.path }

// pages reports whether the answer is a page of a list.
func (o *operation) pages() bool {
	return slices.ContainsFunc(o.query, func(p param) bool { return p.Name == "cursor" })
}

type param struct{ Name, In, Description string }

// answer is what the document says of a status.
type answer struct {
	media   string // empty for no body
	schema  *schema
	example json.RawMessage
}

// The document as it is written.
type (
	written struct {
		Info       struct{ Version string }
		Paths      map[string]map[string]writtenOperation
		Components struct {
			Schemas   schemas
			Responses map[string]writtenAnswer
		}
	}
	writtenOperation struct {
		Summary, Description string
		Parameters           []param
		Security             []map[string][]string
		RequestBody          *struct{ Content map[string]writtenMedia }
		Responses            map[string]writtenAnswer
	}
	writtenAnswer struct {
		Ref     string `json:"$ref"`
		Content map[string]writtenMedia
	}
	writtenMedia struct {
		Schema  *schema
		Example json.RawMessage
	}
)

var (
	needsPermission  = regexp.MustCompile(`\bpermission ([a-z]+\.[a-z]+)`)
	oneOfPermissions = regexp.MustCompile(`\bone of the permissions ([a-z]+\.[a-z]+(?:, [a-z]+\.[a-z]+)*)`)
)

// readDocument asks a node what it offers.
func readDocument(t *testing.T, n *harness.Node) *document {
	t.Helper()
	a := harness.Get(t, http.DefaultClient, n.BaseURL+"/openapi.json")
	if a.Status != http.StatusOK {
		t.Fatalf("the document: %d %s", a.Status, a.Body)
	}
	var w written
	must(t, json.Unmarshal([]byte(a.Body), &w))
	d := &document{schemas: w.Components.Schemas, problem: w.Components.Schemas["Error"], version: w.Info.Version}
	if d.problem == nil {
		t.Fatal("the document does not say what a refusal looks like: there is no schema Error")
	}
	for _, path := range slices.Sorted(maps.Keys(w.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(w.Paths[path])) {
			d.operations = append(d.operations, w.operation(t, path, method))
		}
	}
	if len(d.operations) == 0 {
		t.Fatal("the document describes nothing")
	}
	return d
}

func (w written) operation(t *testing.T, path, method string) *operation {
	t.Helper()
	from := w.Paths[path][method]
	o := &operation{method: strings.ToUpper(method), path: path, summary: from.Summary, public: len(from.Security) == 0, answers: map[int]*answer{}}
	for _, way := range from.Security {
		if scopes, ok := way["oauth"]; ok {
			o.partner, o.scopes = true, append(o.scopes, scopes...)
		}
	}
	if m := needsPermission.FindStringSubmatch(from.Description); m != nil {
		o.permission = m[1]
	}
	if m := oneOfPermissions.FindStringSubmatch(from.Description); m != nil {
		o.oneOf = strings.Split(m[1], ", ")
	}
	for _, p := range from.Parameters {
		if p.In == "query" {
			o.query = append(o.query, p)
		}
	}
	if from.RequestBody != nil {
		o.bodies = true
		media := from.RequestBody.Content["application/json"]
		o.body, o.example = media.Schema, media.Example
	}
	for status, a := range from.Responses {
		if name, ok := strings.CutPrefix(a.Ref, "#/components/responses/"); ok {
			a = w.Components.Responses[name]
		}
		n, err := strconv.Atoi(status)
		must(t, err)
		o.answers[n] = &answer{}
		for media, m := range a.Content {
			o.answers[n] = &answer{media: media, schema: m.Schema, example: m.Example}
		}
	}
	return o
}

// component is the name of the schema of an operation's body.
func (o *operation) component() string {
	if o.body == nil {
		return ""
	}
	return cmp.Or(o.body.ref, "nameless")
}
