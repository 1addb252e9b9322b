// Package api holds the OpenAPI document of the partner API, as a file that other programs can read without running ours.
package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"testing"

	"daybook/internal/surface/partnerapi"
)

const file = "openapi.json"

// The document in the tree is the one that is served. `make openapi` writes it anew.
func TestTheDocumentIsTheOneThatIsServed(t *testing.T) {
	a := &partnerapi.API{ServiceName: "Daybook", BaseURL: "http://127.0.0.1:8080"}
	a.Register(http.NewServeMux())
	var want bytes.Buffer
	if err := json.Indent(&want, a.Document(), "", " "); err != nil {
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
