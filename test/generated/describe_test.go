package generated_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"daybook/test/harness"
)

// unguarded are the operations for apps that need no permission: they tell an app where it is, and what happened.
var unguarded = []string{"GET /me", "GET /business", "GET /events", "GET /events/{id}"}

// TestTheDocumentIsWholeAndItsExamplesAreRight holds the document against itself.
func TestTheDocumentIsWholeAndItsExamplesAreRight(t *testing.T) {
	n := harness.Dev(t, harness.Options{})
	d := readDocument(t, n)
	held := ownersPermissions(t, n)
	for _, o := range d.operations {
		t.Run(o.String(), func(t *testing.T) {
			if o.summary == "" {
				t.Error("has no summary")
			}
			d.rightExamples(t, o)
			d.describedRefusals(t, o)
			if o.partner && len(o.scopes) == 0 {
				t.Error("is open to apps without a scope")
			}
			switch free := o.public || slices.Contains(unguarded, o.String()); {
			case o.partner && o.permission == "" && len(o.oneOf) == 0 && !free:
				t.Error("does not say which permission the person needs")
			case o.permission != "" && free:
				t.Errorf("says that it needs %s", o.permission)
			case o.permission != "" && !slices.Contains(held, o.permission):
				t.Errorf("needs the permission %s, which not even an owner has", o.permission)
			}
		})
	}
}

// rightExamples proves that there are examples, and that they are what the schemas say.
func (d *document) rightExamples(t *testing.T, o *operation) {
	t.Helper()
	hold := func(what string, s *schema, example json.RawMessage) {
		t.Helper()
		if len(example) == 0 {
			t.Errorf("has no example of its %s", what)
			return
		}
		v, err := decode(example)
		must(t, err)
		for _, offence := range d.schemas.offences(s, v) {
			t.Errorf("the example of its %s: %s", what, offence)
		}
	}
	if o.bodies {
		hold("body", o.body, o.example)
	}
	good := 0
	for status, a := range o.answers {
		if status >= 300 {
			continue
		}
		good++
		switch {
		case status == http.StatusNoContent && a.media != "":
			t.Error("204 is described with a body")
		case status != http.StatusNoContent && a.media == "":
			t.Errorf("%d is described without a body", status)
		case a.media == "application/json":
			hold("answer", a.schema, a.example)
		}
	}
	if good != 1 {
		t.Errorf("is described with %d ways to succeed", good)
	}
}

// describedRefusals proves that the document tells what a caller must be ready for.
func (d *document) describedRefusals(t *testing.T, o *operation) {
	t.Helper()
	expected := []int{400, 429, 500}
	if !o.public {
		expected = append(expected, 401, 403)
	}
	if strings.Contains(o.path, "{") {
		expected = append(expected, 404)
	}
	if o.method != http.MethodGet {
		expected = append(expected, 409, 412, 413, 415, 422)
	}
	for _, status := range expected {
		if a := o.answers[status]; a == nil || a.schema == nil || d.schemas.resolve(a.schema) != d.problem {
			t.Errorf("does not say that a refusal with %d has the standard shape", status)
		}
	}
}

// ownersPermissions is what GET /me says of an owner.
func ownersPermissions(t *testing.T, n *harness.Node) []string {
	t.Helper()
	var me struct{ Permissions []string }
	a := harness.Send(t, http.DefaultClient, "GET", n.BaseURL+"/me", http.Header{"Authorization": {"Bearer " + token(t, n, grant{"cli_demosync", "olivia@brandt.test", ""})}}, "")
	if err := json.Unmarshal([]byte(a.Body), &me); err != nil || a.Status != http.StatusOK || len(me.Permissions) == 0 {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	return me.Permissions
}
