package yamlfile_test

import (
	"strings"
	"testing"

	"daybook/internal/base/yamlfile"
)

type doc struct {
	Apps []struct {
		Key    string   `yaml:"key"`
		Scopes []string `yaml:"scopes"`
	} `yaml:"apps"`
}

func TestParse(t *testing.T) {
	var d doc
	if err := yamlfile.Parse([]byte("apps:\n  - {key: sync, scopes: [invoices:read, events:read]}\n"), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Apps) != 1 || len(d.Apps[0].Scopes) != 2 || d.Apps[0].Scopes[1] != "events:read" {
		t.Errorf("read %+v", d)
	}
	if err := yamlfile.Parse(nil, &d); err != nil {
		t.Errorf("an empty file is fine: %v", err)
	}
}

func TestMistakesAreOneLineAndSayWhere(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"an unknown member": {"apps:\n  - {key: a, colour: red}\n", "line 2: field colour is not known here"},
		"a wrong type":      {"apps:\n  - {key: [a]}\n", "line 2: did not expect !!seq"},
		"two of them":       {"x: 1\ny: 2\n", "line 1: field x is not known here; line 2: field y"},
		"broken YAML":       {"apps:\n  - key: a\n    key: [\n", "line "},
		"two documents":     {"apps: []\n---\napps: []\n", "more than one document"},
	} {
		err := yamlfile.Parse([]byte(c.text), new(doc))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
			continue
		}
		if strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "yamlfile_test") {
			t.Errorf("%s: %q", name, err)
		}
	}
}
