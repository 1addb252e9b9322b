package walls

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// TestTheHouseKeepsItsWalls is the law on the real tree. go test runs in the package's folder.
func TestTheHouseKeepsItsWalls(t *testing.T) {
	root := os.DirFS("../..")
	if _, err := fs.Stat(root, "go.mod"); err != nil {
		t.Fatal("not the module's root: ", err)
	}
	files, err := Parse(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no source file found")
	}
	for _, offence := range Check(files) {
		t.Error(offence)
	}
}

// source writes a file that imports the packages.
func source(imports ...string) string {
	var b strings.Builder
	b.WriteString("package p\n")
	for _, i := range imports {
		b.WriteString("import _ \"" + i + "\"\n")
	}
	return b.String()
}

func TestEachWallHolds(t *testing.T) {
	const clock = "package p\nimport \"time\"\nvar x = time.Now()\n"
	for _, c := range []struct {
		name, file, source string
		want               string // part of the one offence; empty when there is none
	}{
		{"a room on each floor", "internal/books/invoice/a.go", source("fmt"), ""},
		{"a package of internal without a floor", "internal/util/a.go", source(), "internal/util/a.go:1: package internal/util has no floor"},
		{"a package of internal itself", "internal/a.go", source(), "has no floor"},
		{"a floor's name as the start of another word", "internal/basement/a.go", source(), "has no floor"},

		{"down by one floor", "internal/books/invoice/a.go", source("daybook/internal/platform/event"), ""},
		{"down by many floors", "cmd/daybook/a.go", source("daybook/internal/base/id"), ""},
		{"up by one floor", "internal/platform/event/a.go", source("daybook/internal/books/invoice"), "a.go:2: looks up to internal/books/invoice"},
		{"up from the lowest floor to the highest of internal", "internal/base/id/a.go", source("daybook/internal/boot"), "looks up"},
		{"a feature that asks for the migrations", "internal/tenancy/identity/a.go", source("daybook/internal/schema"), "looks up"},
		{"boot takes the migrations", "internal/boot/a.go", source("daybook/internal/schema"), ""},
		{"a package of no floor at all, at the top", "api/a.go", source("embed"), ""},
		{"such a package imported from below", "internal/base/id/a.go", source("daybook/api"), ""},
		{"such a package that imports ours", "api/a.go", source("daybook/internal/base/id"), "looks up"},

		{"a sibling of the table", "internal/platform/install/a.go", source("daybook/internal/platform/app"), ""},
		{"a sibling against the arrow", "internal/platform/app/a.go", source("daybook/internal/platform/install"), "platform/app may not import its sibling platform/install"},
		{"a sibling that nobody drew", "internal/books/tax/a.go", source("daybook/internal/books/report"), "may not import its sibling"},
		{"a sibling everybody may use", "internal/base/limit/a.go", source("daybook/internal/base/clock"), ""},
		{"another base package", "internal/base/limit/a.go", source("daybook/internal/base/db"), "may not import its sibling"},
		{"a room's own inner rooms", "internal/surface/pages/a.go", source("daybook/internal/surface/pages/view"), ""},
		{"boot and its parts", "internal/boot/a.go", source("daybook/internal/boot/config"), ""},
		{"parts of boot", "internal/boot/config/a.go", source("daybook/internal/boot"), ""},

		{"HTTP in a feature", "internal/platform/webhook/a.go", source("net/http"), "imports net/http:"},
		{"HTTP by its helpers", "internal/platform/webhook/a.go", source("net/http/httputil"), "imports net/http/httputil:"},
		{"HTTP at the surface", "internal/surface/wire/a.go", source("net/http"), ""},
		{"HTTP at the door to the outside", "internal/base/outbound/a.go", source("net/http"), ""},

		{"the store in a surface", "internal/surface/pages/a.go", source("daybook/internal/base/db"), "a surface knows no SQL"},
		{"the store in a feature", "internal/tenancy/identity/a.go", source("daybook/internal/base/db"), ""},

		{"chance", "internal/tenancy/identity/a.go", source("math/rand"), "imports math/rand:"},
		{"chance, second edition", "internal/tenancy/identity/a.go", source("math/rand/v2"), "imports math/rand/v2:"},
		{"true chance", "internal/tenancy/identity/a.go", source("crypto/rand"), ""},

		{"the machine's time", "internal/tenancy/identity/a.go", clock, "a.go:3: time.Now: the time comes from base/clock"},
		{"the machine's time under another name", "internal/boot/a.go", "package p\nimport t \"time\"\nfunc f() { t.Sleep(t.Second) }\n", "time.Sleep"},
		{"the machine's time as a value", "cmd/daybook/a.go", "package p\nimport \"time\"\nvar f = time.After\n", "time.After"},
		{"the machine's time without a name", "internal/boot/a.go", "package p\nimport . \"time\"\nvar x = Now()\n", "time as ."},
		{"durations are harmless", "internal/boot/a.go", "package p\nimport \"time\"\nvar x = time.Second\n", ""},
		{"a Now of something else", "internal/boot/a.go", "package p\nimport _ \"time\"\nvar x = clock.Now()\n", ""},
		{"the machine's time in the clock", "internal/base/clock/a.go", clock, ""},

		{"test support in the product", "internal/tenancy/identity/a.go", source("daybook/internal/schema/dbtest"), "which is for tests"},
		{"test support sees every floor below boot", "internal/schema/dbtest/a.go", source("daybook/internal/schema", "daybook/internal/surface/wire", "net/http", "math/rand/v2"), ""},
		{"test support that wants boot", "test/harness/a.go", source("daybook/internal/boot"), "it may import what lies below boot"},
		{"the benchmark puts a node together", "test/bench/a.go", source("daybook/internal/boot"), ""},
		{"test support among itself", "test/bench/a.go", source("daybook/test/load", "daybook/internal/schema/dbtest"), ""},
		{"the machine's time in test support", "test/bench/a.go", clock, ""},

		{"tests themselves are free", "internal/base/id/a_test.go", source("daybook/internal/boot", "math/rand"), ""},
		{"testdata is no code", "internal/base/id/testdata/a.go", "not Go", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files, err := Parse(fstest.MapFS{c.file: {Data: []byte(c.source)}})
			if err != nil {
				t.Fatal(err)
			}
			got := Check(files)
			switch {
			case c.want == "" && len(got) > 0:
				t.Errorf("complains: %q", got)
			case c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)):
				t.Errorf("got %q, want one with %q", got, c.want)
			}
		})
	}
}

func TestEveryClockCallIsSeen(t *testing.T) {
	for name := range machineTime {
		files, err := Parse(fstest.MapFS{"internal/boot/a.go": {Data: []byte("package p\nimport \"time\"\nvar x = time." + name + "\n")}})
		if err != nil {
			t.Fatal(err)
		}
		if got := Check(files); len(got) != 1 {
			t.Errorf("time.%s: %q", name, got)
		}
	}
}

func TestASourceFileThatIsNoGoIsAnError(t *testing.T) {
	if _, err := Parse(fstest.MapFS{"internal/boot/a.go": {Data: []byte("not Go")}}); err == nil {
		t.Error("read as if it were fine")
	}
}

func TestTheTablesNameKnownFloors(t *testing.T) {
	for who, whom := range siblings {
		for _, room := range append(whom, who) {
			if !within("internal/"+strings.Split(room, "/")[0], floors...) {
				t.Errorf("siblings: %q stands on no floor", room)
			}
		}
	}
}
