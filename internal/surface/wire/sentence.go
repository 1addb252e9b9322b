package wire

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// maxSentences are written; an answer must not outgrow what it answers.
const maxSentences = 50

// sentences writes what huma found, each beginning with the member's path, sorted.
func sentences(errs []error) []string {
	var list []string
	for _, err := range errs {
		list = append(list, sentence(err))
	}
	slices.Sort(list)
	list = slices.Compact(list)
	if more := len(list) - maxSentences; more > 0 {
		list = append(list[:maxSentences], fmt.Sprintf("body has %d more offences", more))
	}
	return list
}

func sentence(err error) string {
	var detail *huma.ErrorDetail
	if !errors.As(err, &detail) {
		return "body " + err.Error()
	}
	path := memberPath(detail.Location)
	if name, ok := between(detail.Message, "expected required property ", " to be present"); ok {
		return join(path, name) + " is required"
	}
	if path == "" {
		path = "body"
	}
	return path + " " + demand(detail.Message)
}

// memberPath writes body.lines[0].quantity as lines.0.quantity.
func memberPath(location string) string {
	path := strings.NewReplacer("[", ".", "]", "").Replace(location)
	_, path, _ = strings.Cut(path, ".")
	return clip(path)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// demands are huma's words and ours. What stands behind huma's goes into the %s of ours.
var demands = []struct{ theirs, ours string }{
	{"unexpected property", "is not a member of this request"},
	{"expected boolean", "must be true or false"},
	{"expected integer", "must be a whole number"},
	{"expected number >= ", "must be %s or more"},
	{"expected number > ", "must be more than %s"},
	{"expected number <= ", "must be %s or less"},
	{"expected number < ", "must be less than %s"},
	{"expected number", "must be a number"},
	{"expected length >= ", "must have at least %s characters"},
	{"expected length <= ", "must have at most %s characters"},
	{"expected array length >= ", "must have at least %s entries"},
	{"expected array length <= ", "must have at most %s entries"},
	{"expected array items to be unique", "must not name anything twice"},
	{"expected array", "must be an array"},
	{"expected object", "must be an object"},
	{"expected value to be one of ", "must be one of %s"},
	{"expected string to be ", "must be %s"},
	{"expected string to match pattern ", "must match %s"},
	{"expected string", "must be a string"},
}

func demand(message string) string {
	for _, d := range demands {
		rest, ok := strings.CutPrefix(message, d.theirs)
		if !ok {
			continue
		}
		if strings.Contains(d.ours, "%s") {
			return fmt.Sprintf(d.ours, strings.Trim(rest, `"`))
		}
		return d.ours
	}
	return "must be right: " + clip(message)
}

// between gives what stands between two texts that a third begins and ends with.
func between(s, before, after string) (string, bool) {
	s, ok := strings.CutPrefix(s, before)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(s, after)
}
