package cli_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"daybook/test/harness"
)

var generated = regexp.MustCompile(`(?m)^password: ([0-9A-Za-z]{20})$`)

func TestTheFirstOperator(t *testing.T) {
	eachInstallation(t, func(t *testing.T, i installation) {
		status, stdout, stderr := i.run(t, "", "operator", "create", "--email", "ada@example.test", "--name", "Ada", "--database", i.database)
		m := generated.FindStringSubmatch(stdout)
		if status != 0 || m == nil || !strings.Contains(stdout, "ada@example.test") {
			t.Fatalf("exit status %d\n%s%s", status, stdout, stderr)
		}
		if strings.Contains(stderr, m[1]) {
			t.Error("the password is in the log")
		}
		for _, row := range rows(t, i.database) {
			if strings.Contains(row, m[1]) {
				t.Error("the password is in the database")
			}
		}
		n := harness.Serve(t, harness.ServeOptions{Dir: i.dir, Env: []string{"DAYBOOK_DATABASE=" + i.database, "DAYBOOK_KEY_FILE=" + i.key}})
		for email, password := range map[string]string{"ada@example.test": m[1], first: firstPassword} {
			c := harness.Browser(t)
			n.SignIn(t, c, harness.User{Email: email, Password: password})
			if a := harness.Get(t, c, n.AuthURL+"/account"); a.Status != http.StatusOK || !strings.Contains(a.Body, email) || !strings.Contains(a.Body, "Operator") {
				t.Errorf("%s: %d\n%s", email, a.Status, a.Body)
			}
		}
	})
}

func TestOperatorCreateRefuses(t *testing.T) {
	eachInstallation(t, func(t *testing.T, i installation) {
		before, files := rows(t, i.database), folder(t, i.dir)
		for _, c := range []struct{ name, email, password, says string }{
			{"an address that is taken", first, "a-good-password", first},
			{"the same address in capitals", strings.ToUpper(first), "a-good-password", strings.ToUpper(first)},
			{"a short password", "ada@example.test", "ninechars", "password must have at least 10"},
			{"an empty password", "ada@example.test", "", "password must have at least 10"},
			{"an overlong password", "ada@example.test", strings.Repeat("x", 201), "password must have at most 200"},
			{"an address that is none", "ada", "a-good-password", "email must be"},
		} {
			t.Run(c.name, func(t *testing.T) {
				status, stdout, stderr := i.run(t, c.password+"\r\n", "operator", "create", "--password-stdin", "--email", c.email)
				if status != 1 {
					t.Errorf("exit status %d", status)
				}
				told(t, complaints(t, stdout, stderr), []string{c.says})
				if after := rows(t, i.database); !slices.Equal(before, after) {
					t.Errorf("%d rows became %d, or others", len(before), len(after))
				}
			})
		}
		untouchedBut(t, i, files)
	})
}

// untouchedBut proves that nothing but SQLite's own file has changed, whose pages move when it is looked at.
func untouchedBut(t *testing.T, i installation, before map[string]string) {
	t.Helper()
	after := folder(t, i.dir)
	before["daybook.db"], after["daybook.db"] = "", ""
	for name, text := range after {
		if before[name] != text {
			t.Errorf("%s has changed", name)
		}
	}
}

// A mistake that can be seen at once must not leave a database and a key behind where there was none.
func TestAMistypedFirstOperatorLeavesNothingBehind(t *testing.T) {
	for _, args := range [][]string{{"--email", "ada", "--password-stdin"}, {"--email", "ada@example.test", "--password-stdin"}} {
		dir := t.TempDir()
		before := folder(t, dir)
		password := "a-good-password"
		if strings.Contains(args[1], "@") {
			password = "short"
		}
		if status, _, stderr := harness.Run(t, dir, nil, password, append([]string{"operator", "create"}, args...)...); status != 1 {
			t.Errorf("exit status %d\n%s", status, stderr)
		}
		untouched(t, dir, before)
	}
}

func TestTheKeyFileIsPrivate(t *testing.T) {
	dir := t.TempDir()
	if status, _, stderr := harness.Run(t, dir, nil, "", "operator", "create", "--email", "ada@example.test"); status != 0 {
		t.Fatal(stderr)
	}
	info, err := os.Stat(filepath.Join(dir, "daybook.key"))
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the key file is %v", info.Mode())
	}
}

// The database holds password hashes and sealed secrets, so it is no more for everybody than the key.
func TestTheDatabaseIsPrivate(t *testing.T) {
	dir := t.TempDir()
	if status, _, stderr := harness.Run(t, dir, nil, "", "migrate", "up"); status != 0 {
		t.Fatal(stderr)
	}
	info, err := os.Stat(filepath.Join(dir, "daybook.db"))
	must(t, err)
	if info.Mode().Perm()&0o007 != 0 {
		t.Errorf("the database is %v", info.Mode())
	}
}
