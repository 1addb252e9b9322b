// Package api holds the OpenAPI documents of the partner API and of the developer console, as files that other programs can read
// without running ours.
package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"testing"

	"daybook/internal/surface/consoleapi"
	"daybook/internal/surface/partnerapi"
)

const service, origin = "Daybook", "http://127.0.0.1:8080"

// The documents in the tree are those that are served. `make openapi` writes them anew.
func TestTheDocumentsAreThoseThatAreServed(t *testing.T) {
	partner := &partnerapi.API{ServiceName: service, BaseURL: origin}
	partner.Register(http.NewServeMux())
	console := &consoleapi.API{ServiceName: service, BaseURL: origin}
	console.Register(http.NewServeMux())
	for file, document := range map[string][]byte{"openapi.json": partner.Document(), "console-openapi.json": console.Document()} {
		t.Run(file, func(t *testing.T) { served(t, file, document) })
	}
}

func served(t *testing.T, file string, document []byte) {
	var want bytes.Buffer
	if err := json.Indent(&want, document, "", " "); err != nil {
		t.Fatal(err)
	}
	want.WriteByte('\n')
	if os.Getenv("DAYBOOK_WRITE_OPENAPI") != "" {
		if err := os.WriteFile(file, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s is not what the program serves; run: make openapi", file)
	}
}
