package wire

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"daybook/internal/base/fault"
)

// Merge is a refusal with the offences that were found before it. What was found wrong once is not told again for what stands in
// its place.
func Merge(before, err error) error {
	early, late := fault.From(before), fault.From(err)
	switch {
	case early == nil || err != nil && (late == nil || len(late.Fields) == 0):
		return err
	case late == nil:
		return early
	}
	fields := slices.Clone(early.Fields)
	for _, sentence := range late.Fields {
		if !slices.ContainsFunc(early.Fields, func(told string) bool { return covers(told, sentence) }) {
			fields = append(fields, sentence)
		}
	}
	return fault.InvalidFields(fields...)
}

// covers reports whether an offence is about the same member as another, or about one that holds it.
func covers(told, sentence string) bool {
	outer, _, _ := strings.Cut(told, " ")
	inner, _, _ := strings.Cut(sentence, " ")
	return inner == outer || strings.HasPrefix(inner, outer+".")
}

// Without is a body without the members that offend; false where that leaves nothing to judge.
func Without(body []byte, offences []string) ([]byte, bool) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var whole map[string]any
	if decoder.Decode(&whole) != nil || whole == nil {
		return nil, false
	}
	for _, sentence := range offences {
		path, _, _ := strings.Cut(sentence, " ")
		if path == "body" { // all of it, or more than is told
			return nil, false
		}
		cut(whole, strings.Split(path, "."))
	}
	text, err := json.Marshal(whole)
	return text, err == nil && !bytes.Equal(text, body)
}

// cut takes the member at a path out of a value. An item of a list becomes an empty object, so that the others keep their places.
func cut(value any, path []string) {
	switch v := value.(type) {
	case map[string]any:
		if len(path) == 1 {
			delete(v, path[0])
			return
		}
		cut(v[path[0]], path[1:])
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i >= len(v) {
			return
		}
		if len(path) == 1 {
			v[i] = map[string]any{}
			return
		}
		cut(v[i], path[1:])
	}
}
