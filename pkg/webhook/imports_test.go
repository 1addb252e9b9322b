package webhook

import (
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// People copy this package into their own module: it must bring nothing along. The first word of a path of the standard
// library has no dot, and is not our own module.
func TestOnlyTheStandardLibrary(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range tree.Imports {
			first, _, _ := strings.Cut(strings.Trim(i.Path.Value, `"`), "/")
			if strings.Contains(first, ".") || first == "daybook" {
				t.Errorf("%s imports %s", f.Name(), i.Path.Value)
			}
		}
	}
}
