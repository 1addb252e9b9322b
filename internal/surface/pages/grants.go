package pages

import "daybook/internal/platform/scope"

// grants are scopes in plain words.
func grants(entries []scope.Entry) []grantView {
	list := make([]grantView, len(entries))
	for i, e := range entries {
		list[i] = grantView{Sentence: e.Sentence, Writes: e.Writes()}
	}
	return list
}
