package rules

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryRuleHasItsTest is the check on the real tree. go test runs in the package's folder.
func TestEveryRuleHasItsTest(t *testing.T) {
	root := os.DirFS("../..")
	contract, err := fs.ReadFile(root, "docs/contract.md")
	if err != nil {
		t.Fatal(err)
	}
	mentions, err := ReadTests(root, "test/rules")
	if err != nil {
		t.Fatal(err)
	}
	rules := ReadContract(string(contract))
	if len(rules) == 0 {
		t.Fatal("docs/contract.md has no rules")
	}
	t.Log("rules and the tests that name them\n" + Table(rules, mentions))
	for _, wrong := range Check(rules, mentions, Finished) {
		t.Error(wrong)
	}
}

// tree writes files into a folder of their own and reads them as the real check does.
func tree(t *testing.T, files map[string]string) []Mention {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mentions, err := ReadTests(os.DirFS(dir), "test/rules")
	if err != nil {
		t.Fatal(err)
	}
	return mentions
}

func TestEachMistakeIsReported(t *testing.T) {
	const contract = "# T\n\n- DOOR-01 opens\n- DOOR-02 shuts\n- WALL-01 stands\n  - DOOR-09 not at the start of a line\n"
	const both = "package p\nfunc TestDoor(t *testing.T) { t.Run(\"DOOR-01 ajar\", nil) } // DOOR-02\n"
	for _, c := range []struct {
		name, contract, test string
		finished             []string
		want                 []string
	}{
		{"all is well", contract, both, []string{"DOOR"}, nil},
		{"a rule of a finished area without a test", contract, "package p\n// DOOR-01\n", []string{"DOOR"},
			[]string{"contract line 4: no test names DOOR-02"}},
		{"the same in an area that is not finished", contract, "package p\n", nil, nil},
		{"a typo in a known area", contract, both + "// WALL-02 falls\n", []string{"DOOR"},
			[]string{"a_test.go:3: WALL-02 is not in the contract"}},
		{"a word that is no area", contract, both + "// SHA-256, UTF-8\n", []string{"DOOR"}, nil},
		{"an id given twice", contract + "- DOOR-01 again\n", both, []string{"DOOR"},
			[]string{"contract line 7: DOOR-01 is already on line 3"}},
		{"a finished area that does not exist", contract, both, []string{"DOOR", "ROOF"},
			[]string{"finished area ROOF has no rule"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			mentions := tree(t, map[string]string{"a_test.go": c.test})
			got := Check(ReadContract(c.contract), mentions, c.finished)
			if !slices.EqualFunc(got, c.want, strings.Contains) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAMentionKnowsItsTest(t *testing.T) {
	mentions := tree(t, map[string]string{
		"a/a_test.go": `package a

var table = []string{"DOOR-01 in a table"}

// TestDoor proves DOOR-02.
func TestDoor(t *testing.T) {
	t.Log("DOOR-03", ` + "`raw\n\tDOOR-04`" + `)
}

func FuzzDoor(f *testing.F) { /* DOOR-05 */ }

func helper() string { return "\nDOOR-06" }
`,
		"a/a.go":                 "package a\n// DOOR-20: product code proves nothing\n",
		"a/testdata/x_test.go":   "package x\n// DOOR-21\n",
		"test/rules/own_test.go": "package rules\n// DOOR-22\n",
		".hidden/b_test.go":      "package b\n// DOOR-23\n",
	})
	var got []string
	for _, m := range mentions {
		got = append(got, fmt.Sprintf("%s %s %s", m.ID, m.Where, m.Pos))
	}
	slices.Sort(got)
	want := []string{
		"DOOR-01 a/a_test.go a/a_test.go:3",
		"DOOR-02 a.TestDoor a/a_test.go:5",
		"DOOR-03 a.TestDoor a/a_test.go:7",
		"DOOR-04 a.TestDoor a/a_test.go:8",
		"DOOR-05 a.FuzzDoor a/a_test.go:11",
		"DOOR-06 a/a_test.go a/a_test.go:13",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestAnIDStandsAlone(t *testing.T) {
	for text, want := range map[string]string{
		"DOOR-01":           "DOOR-01",
		"DOOR-01, DOOR-02":  "DOOR-01 DOOR-02",
		"(DOOR-01/DOOR-02)": "DOOR-01 DOOR-02",
		"DOOR-01: x":        "DOOR-01",
		"DOOR-01–DOOR-02":   "DOOR-01 DOOR-02",
		"DOOR-2026-0001":    "",
		"MY-DOOR-01":        "",
		"xDOOR-01":          "",
		"DOOR-01DOOR-02":    "",
		"DOOR-01b":          "",
		"DOOR-01_x":         "",
		"door-01":           "",
	} {
		var got []string
		for _, id := range ids(text) {
			got = append(got, text[id[0]:id[1]])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestTheTableShowsEveryRule(t *testing.T) {
	mentions := tree(t, map[string]string{"a/a_test.go": "package a\nfunc TestB(){ _ = `DOOR-01` }\nfunc TestA(){ _ = `DOOR-01` }\n"})
	got := Table(ReadContract("- DOOR-01 opens\n- DOOR-02 shuts\n"), mentions)
	want := "DOOR-01   a.TestA\n          a.TestB\nDOOR-02   (no test yet)\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestATestFileThatIsNoGoIsAnError(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a_test.go"), []byte("not Go"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadTests(os.DirFS(dir), "test/rules"); err == nil {
		t.Error("read as if it were fine")
	}
}
