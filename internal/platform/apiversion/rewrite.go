package apiversion

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Newest reports whether a version speaks the newest shape, so that nothing needs to be rewritten.
func Newest(version string) bool { return len(newer(version)) == 0 }

// RewriteDown is Down on bytes. Without a change that concerns the document they are returned as they are.
func RewriteDown(version string, r Resource, body []byte) ([]byte, error) {
	if !slices.ContainsFunc(newer(version), func(c change) bool { return c.down[r] != nil }) {
		return body, nil
	}
	return rewrite(body, func(d Document) Document { return Down(version, r, d) })
}

// RewritePage is DownPage on bytes.
func RewritePage(version string, r Resource, body []byte) ([]byte, error) {
	if !slices.ContainsFunc(newer(version), func(c change) bool { return c.down[r] != nil || c.downPage != nil }) {
		return body, nil
	}
	return rewrite(body, func(d Document) Document { return DownPage(version, r, d) })
}

// RewriteEvent is DownEvent on bytes.
func RewriteEvent(version, event string, data []byte) ([]byte, error) {
	family, _, _ := strings.Cut(event, ".")
	if !slices.ContainsFunc(newer(version), func(c change) bool { return c.events[family] != nil }) {
		return data, nil
	}
	return rewrite(data, func(d Document) Document { return DownEvent(version, event, d) })
}

// Decode reads a JSON object with its numbers as they were written.
func Decode(body []byte) (Document, error) {
	var d Document
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	err := decoder.Decode(&d)
	return d, err
}

func rewrite(body []byte, turn func(Document) Document) ([]byte, error) {
	d, err := Decode(body)
	if err != nil {
		return nil, err
	}
	return json.Marshal(turn(d))
}

// Changed reports whether requests of a sort look different in a version.
func Changed(version string, r Resource) bool {
	return slices.ContainsFunc(newer(version), func(c change) bool { return c.up[r] != nil })
}
