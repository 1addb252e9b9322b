package rules

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Mention is a rule id in a test file.
type Mention struct {
	ID    string
	Where string // the test's name with its folder ("internal/base/fault.TestX"), or the file outside any test
	Pos   string // file:line
}

var (
	word   = regexp.MustCompile(`[\w-]+`)
	wholly = regexp.MustCompile(`^[A-Z]+-\d+$`)
	escape = regexp.MustCompile(`\\[a-z]`)
)

// ids finds the words that look like rule ids, by their offsets: start and end. An id stands alone: INVO-2026-0001
// is an invoice number.
func ids(text string) [][]int {
	return slices.DeleteFunc(word.FindAllStringIndex(text, -1), func(at []int) bool {
		return !wholly.MatchString(text[at[0]:at[1]])
	})
}

// ReadTests finds the mentions in all test files below root, except those in the folder own.
func ReadTests(root fs.FS, own string) ([]Mention, error) {
	var all []Mention
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == own || ignored(entry.Name())):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		source, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		found, err := readFile(name, source)
		all = append(all, found...)
		return err
	})
	return all, err
}

// ignored are the folders that the go command does not look into either.
func ignored(dir string) bool {
	return dir == "testdata" || dir == "vendor" || dir != "." && strings.HasPrefix(dir, ".") || strings.HasPrefix(dir, "_")
}

func readFile(name string, source []byte) ([]Mention, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var found []Mention
	add := func(pos token.Pos, text string) {
		for _, id := range ids(text) {
			line := fset.Position(pos).Line + strings.Count(text[:id[0]], "\n")
			found = append(found, Mention{
				ID:    text[id[0]:id[1]],
				Where: enclosing(file, name, pos),
				Pos:   fmt.Sprintf("%s:%d", name, line),
			})
		}
	}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			add(comment.Pos(), comment.Text)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			// As written, for the sake of the line; the letter of an escape (\nCODE-03) is not part of a word.
			add(literal.Pos(), escape.ReplaceAllString(literal.Value, " "))
		}
		return true
	})
	return found, nil
}

// enclosing names the test around a position, its comment included.
func enclosing(file *ast.File, name string, pos token.Pos) string {
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Test") && !strings.HasPrefix(f.Name.Name, "Fuzz") {
			continue
		}
		start := f.Pos()
		if f.Doc != nil {
			start = f.Doc.Pos()
		}
		if start <= pos && pos < f.End() {
			return path.Dir(name) + "." + f.Name.Name
		}
	}
	return name
}
