package walls

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// File is what the law looks at in one source file.
type File struct {
	Path    string // from the module's root, with slashes
	Imports []Mention
	Clock   []Mention // calls that ask the machine for the time: "time.Now"
}

// Mention is something a file names, and where.
type Mention struct {
	What string
	Line int
}

// Parse reads every source file below root that is not a test, whatever system it is built for.
func Parse(root fs.FS) ([]File, error) {
	var files []File
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && ignored(entry.Name()):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		source, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		file, err := parse(name, source)
		files = append(files, file)
		return err
	})
	return files, err
}

// ignored are the folders that the go command does not look into either.
func ignored(dir string) bool {
	return dir == "testdata" || dir == "vendor" || dir != "." && strings.HasPrefix(dir, ".") || strings.HasPrefix(dir, "_")
}

func parse(name string, source []byte) (File, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
	if err != nil {
		return File{}, err
	}
	at := func(what string, n ast.Node) Mention { return Mention{what, fset.Position(n.Pos()).Line} }
	file := File{Path: name}
	timeName := ""
	for _, spec := range tree.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return File{}, err
		}
		file.Imports = append(file.Imports, at(imported, spec))
		if imported == "time" {
			timeName = "time"
			if spec.Name != nil {
				timeName = spec.Name.Name
			}
			if timeName == "." {
				file.Clock = append(file.Clock, at("time as .", spec)) // its functions could not be told from ours
			}
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := selector.X.(*ast.Ident); ok && x.Name == timeName && machineTime[selector.Sel.Name] {
			file.Clock = append(file.Clock, at("time."+selector.Sel.Name, selector))
		}
		return true
	})
	return file, nil
}
