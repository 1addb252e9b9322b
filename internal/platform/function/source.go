package function

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"

	"daybook/internal/base/fault"
)

// MaxSource is how many bytes a source has at most.
const MaxSource = 256 << 10

// CheckSource says what keeps a text from being the source of a function: one ES module, without imports, that exports a handler
// (CONS-05). It is read, and not run.
func CheckSource(source string) error {
	var c fault.Check
	c.Require(len(source) <= MaxSource, "source", "must be at most 256 KiB: it has %d bytes", len(source))
	c.Require(utf8.ValidString(source) && !strings.Contains(source, "\x00"), "source", "must be text in UTF-8")
	if err := c.Err(); err != nil {
		return err
	}
	m, err := parse(source)
	if err != nil {
		return err
	}
	switch {
	case len(m.imports) > 0:
		return ErrImports.With(clip(m.imports[0], 60))
	case !m.esm || !slices.Contains(m.exports, "handler") && !slices.Contains(m.exports, "default"):
		return ErrNoHandler.With("it exports neither handler nor default")
	}
	return nil
}

// module is what a source says about itself.
type module struct {
	esm     bool
	exports []string
	imports []string
}

// metafile is the part that matters of what esbuild tells.
type metafile struct {
	Inputs  map[string]struct{ Format string }
	Outputs map[string]struct {
		Exports []string
		Imports []struct{ Path string }
	}
}

// parse reads a source as an ES module.
func parse(source string) (m module, err error) {
	result := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: source, Sourcefile: "function.js", Loader: api.LoaderJS},
		Format: api.FormatESModule, Target: api.ESNext, Outfile: "function.out.js", Metafile: true, LogLevel: api.LogLevelSilent,
	})
	if len(result.Errors) > 0 {
		return m, ErrNoHandler.With(complaint(result.Errors[0]))
	}
	var told metafile
	if err := json.Unmarshal([]byte(result.Metafile), &told); err != nil {
		return m, err
	}
	for _, in := range told.Inputs {
		m.esm = in.Format == "esm"
	}
	for _, out := range told.Outputs {
		m.exports = out.Exports
		for _, i := range out.Imports {
			m.imports = append(m.imports, i.Path)
		}
	}
	return m, nil
}

func complaint(e api.Message) string {
	if e.Location == nil {
		return clip(e.Text, 200)
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Location.Line, e.Location.Column+1, clip(e.Text, 200))
}

// clip cuts a text to at most n bytes, between characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
