package cli_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/test/harness"
)

// documented is what the JSON of facts must hold, and all that it may hold. The name of a user is an addition to the
// documented members.
type documented struct {
	BaseURL *string    `json:"baseUrl"`
	AuthURL *string    `json:"authUrl"`
	Now     *time.Time `json:"now"`
	Users   []struct {
		ID             *string  `json:"id"`
		Name           string   `json:"name"`
		Email          *string  `json:"email"`
		Password       *string  `json:"password"`
		Operator       *bool    `json:"operator"`
		OrganizationID nullable `json:"organizationId"`
		Businesses     []struct {
			ID      *string `json:"id"`
			Name    *string `json:"name"`
			Role    *string `json:"role"`
			Sandbox *bool   `json:"sandbox"`
		} `json:"businesses"`
	} `json:"users"`
	Apps []struct {
		AppID          *string   `json:"appId"`
		Name           *string   `json:"name"`
		OrganizationID *string   `json:"organizationId"`
		ClientID       *string   `json:"clientId"`
		ClientSecret   nullable  `json:"clientSecret"`
		ClientType     *string   `json:"clientType"`
		RedirectURIs   *[]string `json:"redirectUris"`
		Scopes         *[]string `json:"scopes"`
		ReviewStatus   *string   `json:"reviewStatus"`
	} `json:"apps"`
}

// nullable tells a member that is null from one that is missing.
type nullable struct {
	there bool
	value *string
}

func (n *nullable) UnmarshalJSON(text []byte) error {
	n.there = true
	return json.Unmarshal(text, &n.value)
}

// allThere proves that no member is missing.
func allThere(t *testing.T, path string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			t.Errorf("%s is missing", path)
		}
	case reflect.Slice:
		if v.IsNil() {
			t.Errorf("%s is missing", path)
		}
		for i := range v.Len() {
			allThere(t, path, v.Index(i))
		}
	case reflect.Struct:
		if n, ok := v.Interface().(nullable); ok {
			if !n.there {
				t.Errorf("%s is missing", path)
			}
			return
		}
		for i := range v.NumField() {
			allThere(t, path+"."+v.Type().Field(i).Tag.Get("json"), v.Field(i))
		}
	}
}

var freePorts = []string{"--api", "127.0.0.1:0", "--app", "127.0.0.1:0"}

func TestDevWithJSONPrintsOneLineAndNothingElse(t *testing.T) {
	p := run(t, "\n", append([]string{"dev", "--json", "--data", t.TempDir()}, freePorts...)...)
	var early documented
	must(t, json.Unmarshal([]byte(p.read(&p.stdout)), &early))
	for _, address := range []string{*early.BaseURL + "/healthz", *early.AuthURL + "/sign-in"} { // both hosts answer by now
		if a := harness.Get(t, http.DefaultClient, address); a.Status != http.StatusOK {
			t.Errorf("%s: %d", address, a.Status)
		}
	}
	status, stdout := p.stop(t)
	if status != 0 || strings.Count(stdout, "\n") != 1 || !strings.HasSuffix(stdout, "\n") {
		t.Errorf("status %d, standard output:\n%s", status, stdout)
	}
	var facts documented
	decoder := json.NewDecoder(strings.NewReader(stdout))
	decoder.DisallowUnknownFields()
	must(t, decoder.Decode(&facts))
	allThere(t, "facts", reflect.ValueOf(facts))
}

// The marketplace of a laptop has something in it, with pictures; without the demo's past it is empty.
func TestTheDemoWorldHasAMarketplace(t *testing.T) {
	n := harness.Dev(t, harness.Options{DemoBooks: true})
	shop := string(harness.Get(t, http.DefaultClient, n.AuthURL+"/marketplace").Body)
	for _, name := range []string{"Ledger Sync", "Pocket Till"} {
		if !strings.Contains(shop, name) {
			t.Errorf("%s is not there", name)
		}
	}
	if strings.Contains(shop, "Cash Forecast") {
		t.Error("an app that nobody has reviewed is there")
	}
	pictures := regexp.MustCompile(`/assets/[0-9a-f]{64}\.png`)
	shown := slices.Concat(pictures.FindAllString(shop, -1), pictures.FindAllString(string(harness.Get(t, http.DefaultClient, n.AuthURL+"/marketplace/pocket-till").Body), -1))
	slices.Sort(shown)
	shown = slices.Compact(shown)
	if len(shown) != 3 { // both icons, and a screenshot
		t.Errorf("shown are %v", shown)
	}
	for _, path := range shown {
		if a := harness.Get(t, http.DefaultClient, n.AuthURL+path); a.Status != http.StatusOK || a.Header.Get("Content-Type") != "image/png" {
			t.Errorf("%s: %d %v", path, a.Status, a.Header)
		}
	}
	bare := harness.Dev(t, harness.Options{})
	if a := harness.Get(t, http.DefaultClient, bare.AuthURL+"/marketplace"); a.Status != http.StatusOK || !strings.Contains(string(a.Body), "No app yet") {
		t.Errorf("%d without the demo's past", a.Status)
	}
}

func TestTheDemoWorldHasWhatIsPromised(t *testing.T) {
	n := harness.Dev(t, harness.Options{})
	var operators, developers, viewers, staff, ownersOfTwo int
	for _, u := range n.Users {
		roles := map[string]int{}
		for _, b := range u.Businesses {
			roles[b.Role]++
			if b.Sandbox != (u.OrganizationID != nil) {
				t.Errorf("%s and the sandbox %s do not go together", u.Email, b.Name)
			}
		}
		operators += count(u.Operator)
		developers += count(u.OrganizationID != nil)
		viewers += count(roles["VIEWER"] > 0)
		staff += count(roles["STAFF"] > 0)
		ownersOfTwo += count(roles["OWNER"] == 2)
	}
	if operators != 1 || developers < 1 || viewers < 1 || staff < 1 || ownersOfTwo != 1 {
		t.Errorf("operators %d, developers %d, viewers %d, staff %d, owners of two %d", operators, developers, viewers, staff, ownersOfTwo)
	}
	kinds := map[string]int{}
	for _, a := range n.Apps {
		kinds[a.ClientType+" "+a.ReviewStatus]++
		if (a.ClientSecret != nil) != (a.ClientType == "CONFIDENTIAL") || !strings.Contains(strings.Join(a.RedirectURIs, " "), "http://127.0.0.1:3000/callback") {
			t.Errorf("app %+v", a)
		}
	}
	for _, kind := range []string{"CONFIDENTIAL APPROVED", "PUBLIC APPROVED", "CONFIDENTIAL UNREVIEWED"} {
		if kinds[kind] != 1 {
			t.Errorf("%d apps are %s", kinds[kind], kind)
		}
	}
	for _, u := range n.Users {
		n.SignIn(t, harness.Browser(t), u)
	}
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func TestDevPrintsASummaryForPeople(t *testing.T) {
	dir := t.TempDir()
	facts := harness.Dev(t, harness.Options{Data: dir})
	facts.Stop()
	p := run(t, "/dev/clock", append([]string{"dev", "--data", dir}, freePorts...)...)
	_, text := p.stop(t)
	want := []string{"http://127.0.0.1:", "/oauth/authorize?", "response_type=code", "client_id=", "redirect_uri=http%3A%2F%2F127.0.0.1%3A3000%2Fcallback"}
	for _, u := range facts.Users {
		want = append(want, u.Email, u.Password)
	}
	for _, a := range facts.Apps {
		want = append(want, a.ClientID, a.Name)
		if a.ClientSecret != nil {
			want = append(want, *a.ClientSecret)
		}
	}
	for _, word := range want {
		if !strings.Contains(text, word) {
			t.Errorf("the summary does not say %s", word)
		}
	}
	for _, step := range []string{"1. ", "2. ", "3. "} {
		if !strings.Contains(text, step) {
			t.Errorf("the summary has no step %s", step)
		}
	}
	for _, line := range strings.Split(text, "\n") {
		if len(line) > 250 {
			t.Errorf("a line of %d characters: %s", len(line), line)
		}
	}
}

// ids are the ids of a world, by what they name.
func ids(f harness.Facts) map[string]string {
	all := map[string]string{}
	for _, u := range f.Users {
		all[u.Email] = u.ID
		for _, b := range u.Businesses {
			all[b.Name] = b.ID
		}
	}
	for _, a := range f.Apps {
		all[a.ClientID] = a.AppID
		all["organization of "+a.ClientID] = a.OrganizationID
	}
	return all
}

func TestASecondStartFindsTheSameWorld(t *testing.T) {
	dir := t.TempDir()
	first := harness.Dev(t, harness.Options{Data: dir})
	if status := first.Stop(); status != 0 {
		t.Fatalf("exit status %d\n%s", status, first.Log())
	}
	before := rows(t, filepath.Join(dir, "daybook.db"))
	second := harness.Dev(t, harness.Options{Data: dir})
	second.Stop()
	if !reflect.DeepEqual(ids(first.Facts), ids(second.Facts)) {
		t.Errorf("first %v\nthen %v", ids(first.Facts), ids(second.Facts))
	}
	if after := rows(t, filepath.Join(dir, "daybook.db")); !reflect.DeepEqual(before, after) {
		t.Errorf("%d rows became %d, or others", len(before), len(after))
	}

	foreign := write(t, dir, "notes.txt", "mine")
	must(t, os.Mkdir(filepath.Join(dir, "daybook.db.backup"), 0o755))
	write(t, dir, "daybook.db.backup/daybook.db", "mine too")
	fresh := harness.Dev(t, harness.Options{Data: dir, Args: []string{"--fresh"}})
	for name, id := range ids(fresh.Facts) {
		if id == ids(first.Facts)[name] {
			t.Errorf("%s still has the id %s", name, id)
		}
	}
	for path, want := range map[string]string{foreign: "mine", filepath.Join(dir, "daybook.db.backup", "daybook.db"): "mine too"} {
		if text, err := os.ReadFile(path); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
}

func TestTheClockStartsWhereItIsTold(t *testing.T) {
	for _, start := range []string{"2031-05-06T07:08:09Z", "2019-01-01T00:00:00+02:00"} {
		want, err := time.Parse(time.RFC3339, start)
		must(t, err)
		n := harness.Dev(t, harness.Options{Args: []string{"--clock", start}})
		text, _ := harness.Get(t, http.DefaultClient, n.BaseURL+"/dev/clock").JSON(t)["now"].(string)
		shown, err := time.Parse(time.RFC3339, text)
		must(t, err)
		for _, now := range []time.Time{n.Now, shown} {
			if d := now.Sub(want); d < 0 || d > 30*time.Second {
				t.Errorf("--clock %s: the clock shows %v", start, now)
			}
		}
		n.SignIn(t, harness.Browser(t), n.User(t, "olivia"))
	}
}

func TestTheFolderOfDevIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	harness.Dev(t, harness.Options{Data: dir})
	for path, most := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "daybook.key"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&^most != 0 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}
