package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/internal/base/db"
	"daybook/test/harness"
)

// startBusiness starts a node whose businesses have a year of books, with an app that shows fields on invoices and customers.
func startBusiness(t *testing.T) *node {
	t.Helper()
	n := startWith(t, harness.Options{DemoBooks: true})
	dan := harness.Browser(t)
	n.SignIn(t, dan, n.User(t, "dan"))
	for _, field := range []string{
		`{"resourceType":"INVOICE","key":"delivery_day","label":"Delivery day","description":"When the van comes.","type":"DATE","visibility":"EDIT"}`,
		`{"resourceType":"INVOICE","key":"mood","label":"Mood of the customer","type":"CHOICE","rules":{"choices":["Glad","Calm","Cross"]},"visibility":"EDIT"}`,
		`{"resourceType":"INVOICE","key":"note","label":"Note <b>to</b> the driver","type":"TEXT","rules":{"maxLength":200,"multiline":true},"visibility":"EDIT"}`,
		`{"resourceType":"INVOICE","key":"deposit","label":"Deposit","type":"MONEY","rules":{"min":0},"visibility":"EDIT"}`,
		`{"resourceType":"INVOICE","key":"route","label":"Route","type":"TEXT","visibility":"READ"}`,
		`{"resourceType":"INVOICE","key":"tracking","label":"Tracking","type":"URL","visibility":"READ"}`,
		`{"resourceType":"INVOICE","key":"inner","label":"Inner working","type":"TEXT","visibility":"HIDDEN"}`,
		`{"resourceType":"CUSTOMER","key":"grade","label":"Grade","type":"NUMBER","visibility":"READ"}`,
	} {
		a := harness.PostJSON(t, dan, n.BaseURL+"/developer/apps/"+n.app(t, "Ledger Sync")+"/fields", field)
		if a.Status != http.StatusCreated {
			t.Fatalf("%s: %d %s", field, a.Status, a.Body)
		}
	}
	return n
}

// app is the id of an app of the demo world.
func (n *node) app(t *testing.T, name string) string {
	t.Helper()
	for _, a := range n.Apps {
		if a.Name == name {
			return a.AppID
		}
	}
	t.Fatalf("there is no app %s", name)
	return ""
}

// keep has the app write a value on a record of the bakery.
func (n *node) keep(t *testing.T, resource, id, key, value string) {
	t.Helper()
	olivia := n.User(t, "olivia")
	a := harness.PostJSON(t, http.DefaultClient, n.BaseURL+"/dev/tokens", fmt.Sprintf(
		`{"clientId":"cli_demosync","userEmail":%q,"businessId":%q,"scopes":["profile:read","invoices:read","customers:read","events:read"]}`, olivia.Email, olivia.Businesses[0].ID))
	token, _ := a.JSON(t)["access_token"].(string)
	a = harness.Send(t, http.DefaultClient, http.MethodPut, n.BaseURL+"/app-data", http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}},
		fmt.Sprintf(`{"values":[{"resourceType":%q,"resourceId":%q,"key":%q,"value":%s}]}`, resource, id, key, value))
	if a.Status != http.StatusOK {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
}

// events are those that the app hears of, of one type, in the bakery.
func (n *node) events(t *testing.T, kind string) []map[string]any {
	t.Helper()
	olivia := n.User(t, "olivia")
	a := harness.PostJSON(t, http.DefaultClient, n.BaseURL+"/dev/tokens", fmt.Sprintf(
		`{"clientId":"cli_demosync","userEmail":%q,"businessId":%q,"scopes":["events:read"]}`, olivia.Email, olivia.Businesses[0].ID))
	token, _ := a.JSON(t)["access_token"].(string)
	a = harness.Send(t, http.DefaultClient, http.MethodGet, n.BaseURL+"/events?types="+kind, http.Header{"Authorization": {"Bearer " + token}}, "")
	var page struct {
		Data []struct{ Data map[string]any }
	}
	if err := json.Unmarshal([]byte(a.Body), &page); err != nil {
		t.Fatalf("%v: %s", err, a.Body)
	}
	var list []map[string]any
	for _, e := range page.Data {
		list = append(list, e.Data)
	}
	return list
}

// followFirst goes where the first link that the selector finds leads to.
func (w *window) followFirst(css string) (status int) {
	w.t.Helper()
	to := eval[string](w, fmt.Sprintf(`document.querySelector(%q)?.href ?? ""`, css))
	if to == "" {
		w.t.Fatalf("there is no link %s at %s:\n%s", css, w.path(), w.text("main"))
	}
	return w.visit(to)
}

// at leads somebody to a page.
func at(name, path string) func(w *window) int {
	return func(w *window) int {
		w.begin(name)
		return w.visit(path)
	}
}

// firstOf leads Olivia to the first record of a list.
func firstOf(list string) func(w *window) int {
	return func(w *window) int {
		w.begin("olivia")
		w.visit(list)
		return w.followFirst("tbody th a")
	}
}

// hostileName is a name that would break out of an element, and what a browser shows of it.
const hostileName = `"><script>document.title='owned'</script><b>Bakery & Söns`

const hostileEmail, hostilePassword = "mallory@example.test", "mallory writes names"

// loadHostile adds a business, a person, an app and records whose names are markup; the store refuses control characters, so
// those are written past it.
func loadHostile(t *testing.T, n *node) {
	t.Helper()
	q := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	file := filepath.Join(t.TempDir(), "hostile.yaml")
	world := strings.Join([]string{
		"users:", "  - {key: m, email: " + hostileEmail + ", password: " + hostilePassword + ", name: " + q("<i>Mallory</i>") + "}",
		"organizations:", "  - {key: o, name: " + q("<u>Markup Ltd</u>") + ", members: [{user: m, role: OWNER}]}",
		"businesses:", "  - {key: b, name: " + q(hostileName) + ", country: NL, currency: EUR, plan: FREE, books: EMPTY, members: [{user: m, role: OWNER}]}",
		"apps:", "  - {key: a, organization: o, name: " + q("<s>App</s>") + ", clientType: PUBLIC, clientId: cli_hostile, redirectUris: [\"http://127.0.0.1:3000/callback\"], scopes: [customers:read, customers:write, invoices:read, invoices:write], review: APPROVED}",
		"installations:", "  - {app: a, business: b, user: m, scopes: [customers:read, customers:write, invoices:read, invoices:write]}", "",
	}, "\n")
	if err := os.WriteFile(file, []byte(world), 0o600); err != nil {
		t.Fatal(err)
	}
	n.fixture(t, file)
}

// hostileRecords has the hostile app add a customer; what the store would refuse is written past it.
func (n *node) hostileRecords(t *testing.T) {
	t.Helper()
	client := harness.Browser(t)
	n.SignIn(t, client, harness.User{Email: hostileEmail, Password: hostilePassword})
	var business string
	n.past(t, func(ctx context.Context, tx *db.Tx) (err error) {
		business, err = db.One(ctx, tx, db.Value[string], `SELECT id FROM businesses WHERE name = $1`, hostileName)
		return err
	})
	a := harness.PostJSON(t, http.DefaultClient, n.BaseURL+"/dev/tokens", fmt.Sprintf(
		`{"clientId":"cli_hostile","userEmail":%q,"businessId":%q,"scopes":["customers:read","customers:write","invoices:read","invoices:write"]}`, hostileEmail, business))
	token, _ := a.JSON(t)["access_token"].(string)
	header := http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}}
	a = harness.Send(t, http.DefaultClient, http.MethodPost, n.BaseURL+"/customers", header, `{"displayName":"<img src=x onerror=alert(1)>","notes":"<script>alert(2)</script>"}`)
	if a.Status != http.StatusCreated {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	id, _ := a.JSON(t)["id"].(string)
	a = harness.Send(t, http.DefaultClient, http.MethodPost, n.BaseURL+"/invoices", header,
		`{"customerId":"`+id+`","issue":true,"lines":[{"description":"<b>bold</b>","unitPrice":"10"}]}`)
	if a.Status != http.StatusCreated {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	n.past(t, func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE parties SET display_name = display_name || $1 WHERE id = $2`, " \u202etxt.exe\x1b", id)
		return err
	})
}

// chooses picks an option of a list, sets fills a field that is not typed into, such as a date.
func chooses(name, value string) chromedp.Action[chromedp.Void] { return sets(name, value) }

func sets(name, value string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelector('main [name="%[1]s"], .switch [name="%[1]s"]').value = %[2]q`, name, value))
}
