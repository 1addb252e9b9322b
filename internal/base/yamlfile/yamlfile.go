// Package yamlfile reads YAML that people write: unknown members are mistakes, and every mistake is one line that
// says where.
package yamlfile

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Parse reads one document into v, a pointer to a struct. An empty document leaves v as it is.
func Parse(text []byte, v any) error {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(v); err != nil && !errors.Is(err, io.EOF) {
		return plain(err)
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return errors.New("there is more than one document in the file")
	}
	return nil
}

var goType = regexp.MustCompile(` (in type|into) [\w.\[\]*]+`)

// plain takes the library's and Go's own words out of its errors.
func plain(err error) error {
	var many *yaml.TypeError
	lines := []string{err.Error()}
	if errors.As(err, &many) {
		lines = many.Errors
	}
	for i, line := range lines {
		line = strings.TrimPrefix(line, "yaml: ")
		line = strings.ReplaceAll(line, "cannot unmarshal", "did not expect")
		line = strings.ReplaceAll(line, "not found", "is not known here")
		lines[i] = goType.ReplaceAllString(line, "")
	}
	return errors.New(strings.Join(lines, "; "))
}
