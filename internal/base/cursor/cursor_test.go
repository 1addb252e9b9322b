package cursor_test

import (
	"encoding/base64"
	"errors"
	"testing"

	"daybook/internal/base/cursor"
)

type filter struct {
	Name   string
	Status int
}

func TestACursorIsGoodForItsOwnListOnly(t *testing.T) {
	made := cursor.Write("req_1", "requests", "app_1", filter{"a", 200})
	if key, err := cursor.Read(made, "requests", "app_1", filter{"a", 200}); err != nil || key != "req_1" {
		t.Fatalf("%q, %v", key, err)
	}
	for name, list := range map[string][]any{
		"another list":       {"audit", "app_1", filter{"a", 200}},
		"another owner":      {"requests", "app_2", filter{"a", 200}},
		"another filter":     {"requests", "app_1", filter{"a", 201}},
		"words that moved":   {"requests app_1", filter{"a", 200}},
		"nothing to bind to": {},
	} {
		if _, err := cursor.Read(made, list...); !errors.Is(err, cursor.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatIsNoCursorIsRefused(t *testing.T) {
	for _, text := range []string{"x", "%%%", base64.RawURLEncoding.EncodeToString([]byte("req_1")), cursor.Write("", "requests")} {
		if _, err := cursor.Read(text, "requests"); !errors.Is(err, cursor.ErrInvalid) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if key, err := cursor.Read("", "requests"); key != "" || err != nil {
		t.Errorf("without a cursor: %q, %v", key, err)
	}
}
