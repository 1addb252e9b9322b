package contract_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"daybook/test/harness"
)

// consoleRoute is an operation of the console's document.
type consoleRoute struct {
	method, path, role string
	reads              bool // it takes a body
}

func (r consoleRoute) String() string { return r.method + " " + r.path }

var pathPart = regexp.MustCompile(`\{(\w+)\}`)

// at fills the path in. Parts that nobody gave are those of records that nobody has.
func (r consoleRoute) at(ids map[string]string) string {
	return pathPart.ReplaceAllStringFunc(r.path, func(part string) string {
		if id := ids[strings.Trim(part, "{}")]; id != "" {
			return id
		}
		return "xxx_" + nowhere
	})
}

// parts are the names of what the path holds.
func (r consoleRoute) parts() (names []string) {
	for _, m := range pathPart.FindAllStringSubmatch(r.path, -1) {
		names = append(names, m[1])
	}
	return names
}

// consoleRoutes reads the document: everything that the console serves.
func consoleRoutes(t *testing.T, n *apiNode) []consoleRoute {
	t.Helper()
	var document struct {
		OpenAPI string `json:"openapi"`
		Paths   map[string]map[string]struct {
			Role        string `json:"x-role"`
			RequestBody any    `json:"requestBody"`
		} `json:"paths"`
	}
	a := n.nobody().do(t, "GET", "/developer/openapi.json", nil)
	must(t, json.Unmarshal([]byte(a.Body), &document))
	if a.Status != http.StatusOK || document.OpenAPI != "3.1.0" {
		t.Fatalf("%d %.200s", a.Status, a.Body)
	}
	var list []consoleRoute
	for _, path := range slices.Sorted(maps.Keys(document.Paths)) {
		for method, op := range document.Paths[path] {
			list = append(list, consoleRoute{strings.ToUpper(method), path, op.Role, op.RequestBody != nil})
		}
	}
	if len(list) < 20 {
		t.Fatalf("only %d routes", len(list))
	}
	return list
}

// bodies are requests in order, for routes that look at them before they look for the record.
var bodies = map[string]object{
	"PATCH /developer/organization/members/{userId}":                       {"role": "VIEWER"},
	"POST /developer/apps/{appId}/webhooks":                                {"url": "http://127.0.0.1:9/"},
	"POST /developer/apps/{appId}/listing/revisions/{revisionId}/comments": {"text": "hello"},
	"POST /developer/apps/{appId}/webhooks/{webhookId}/redeliver-failed":   {"since": "2026-01-01T00:00:00Z", "until": "2036-01-01T00:00:00Z"},
	"POST /developer/apps/{appId}/functions/{functionId}/versions":         {"source": "export default () => 1"},
	"POST /developer/apps/{appId}/functions/{functionId}/invoke":           {"businessId": "biz_" + nowhere},
	"POST /developer/apps/{appId}/functions/{functionId}/redeliver-failed": {"since": "2026-01-01T00:00:00Z", "until": "2036-01-01T00:00:00Z"},
}

func (r consoleRoute) body() any {
	if b, ok := bodies[r.String()]; ok {
		return b
	}
	if r.reads {
		return object{}
	}
	return nil
}

// consoleRoles proves that each route asks for the role that its row names, and for no higher one.
func consoleRoles(t *testing.T, n *apiNode) {
	reach := map[string]int{"VIEWER": 0, "DEVELOPER": 1, "OWNER": 2}
	people := map[string]caller{"VIEWER": n.console(t, "vera"), "DEVELOPER": n.console(t, "sam"), "OWNER": n.console(t, "dan")}
	path, _ := n.newApp(t, people["OWNER"], nil)
	ids := map[string]string{"appId": strings.TrimPrefix(path, theApps+"/")}
	for _, r := range consoleRoutes(t, n) {
		if r.role == "" || slices.Contains(r.parts(), "businessId") {
			continue // the person alone counts, or a sandbox that is not there
		}
		t.Run("CONS-06 "+r.String(), func(t *testing.T) {
			for role, who := range people {
				// A version that nobody has seen keeps what is allowed from happening.
				a := who.and("If-Match", `"99999"`).do(t, r.method, r.at(ids), r.body())
				if reach[role] < reach[r.role] {
					got := refused(t, a, http.StatusForbidden, "ORGANIZATION_ROLE_REQUIRED")
					if got.Params["p0"] != role {
						t.Errorf("%s", a.Body)
					}
				} else if a.Status == http.StatusForbidden || a.Status == http.StatusUnauthorized || a.Status >= 500 {
					t.Errorf("a %s: %d %s", role, a.Status, a.Body)
				}
			}
			standard(t, n.nobody().do(t, r.method, r.at(ids), r.body()), http.StatusUnauthorized)
		})
	}
}

// TestForeignIDsInTheConsole proves CONS-06 for every route of the console (F-14): what is another organization's looks exactly
// like what nobody has, and no byte of it is shown.
func TestForeignIDsInTheConsole(t *testing.T) {
	eachHook(t, func(t *testing.T, n *apiNode) {
		theirs := fillConsole(t, n)
		rosa, own := n.console(t, "rosa"), map[string]string{"appId": n.ids["other"]}
		before := theirs.picture(t)
		for _, r := range consoleRoutes(t, n) {
			t.Run("CONS-06 "+r.String(), func(t *testing.T) {
				s := strangerAt{rosa, theirs, r}
				switch parts := r.parts(); {
				case slices.Contains(parts, "appId"):
					s.alike(t, r.at(theirs.ids), r.at(map[string]string{"appId": "app_" + nowhere}), true)
					if len(parts) > 1 { // their records, under an app of one's own
						mixed := maps.Clone(theirs.ids)
						mixed["appId"] = own["appId"]
						s.alike(t, r.at(mixed), r.at(own), true)
					}
				case len(parts) > 0:
					s.alike(t, r.at(theirs.ids), r.at(nil), r.role != "")
				}
				if strings.HasPrefix(r.path, theApps) && !strings.Contains(r.path, "{") || strings.HasPrefix(r.path, theOrganization) && r.path != "/developer/organizations" {
					s.alike(t, r.at(theirs.ids)+"?organizationId="+n.ids["acme"], r.at(theirs.ids)+"?organizationId=org_"+nowhere, true)
				}
				if r.method == "GET" { // their own view of what is theirs
					theirs.unseen(t, rosa.do(t, "GET", r.at(own), nil))
				}
			})
		}
		if after := theirs.picture(t); after != before {
			t.Errorf("a stranger changed something: before\n%s\nafter\n%s", before, after)
		}
	})
}

// treasure is an organization whose every record carries a canary.
type treasure struct {
	n     *apiNode
	owner caller
	ids   map[string]string // by the name of the part of a path
	words []string          // that nobody else may see
}

const canary = "Kanarienvogel"

// fillConsole has the owner of acme make one of everything.
func fillConsole(t *testing.T, n *apiNode) treasure {
	t.Helper()
	dan, box := n.console(t, "dan"), newPostbox(t)
	said(t, dan.do(t, "PATCH", theOrganization, object{"name": canary + " organization"}), http.StatusOK)
	path := theApps + "/" + n.ids["full"]
	said(t, dan.do(t, "PATCH", path, object{"name": canary, "description": canary, "supportEmail": canary + "@app.example"}), http.StatusOK)
	h := n.hook(t, dan, "full", box.URL+"/"+canary, "customer.created")
	field := dan.make(t, path+"/fields", object{"resourceType": "CUSTOMER", "key": "canary", "label": canary, "type": "TEXT"})
	said(t, dan.do(t, "PATCH", path, object{"appUrl": "https://" + canary + ".example/"}), http.StatusOK)
	extension := dan.make(t, path+"/extensions", object{"kind": "PAGE", "label": canary, "path": canary})
	picture := said(t, dan.and("Content-Type", "image/png").do(t, "POST", path+"/assets?kind=ICON", pngOf(512, 512)), http.StatusCreated)
	listing := said(t, dan.do(t, "PUT", path+"/listing", object{"slug": "kanarienvogel", "name": canary, "description": canary, "iconAssetId": picture["id"]}), http.StatusOK)
	revision := n.id(listing["open"].(object))
	dan.make(t, path+"/listing/revisions/"+revision+"/comments", object{"text": canary})
	f := n.function(t, dan, "full", on("customer.created"), `export default (_, ctx) => { ctx.log("`+canary+`"); throw new Error("`+canary+`") }`)
	said(t, dan.do(t, "PATCH", f.path, object{"name": canary}), http.StatusOK)
	said(t, dan.do(t, "POST", path+"/function-config", object{"key": canary, "value": canary}), http.StatusOK)
	n.sql(t, `UPDATE businesses SET name = $1 WHERE id = $2`, canary+" shop", n.ids["shop"])
	token := n.by(t, fullApp, "olivia", "shop")
	token.make(t, "/customers", object{"displayName": canary})
	n.settle(t)
	n.Advance(t, "10s")
	installed, _ := n.installation(t, n.in(t, "olivia", n.ids["shop"]), fullApp)
	return treasure{n, dan, map[string]string{
		"appId": n.ids["full"], "userId": n.User(t, "sam").ID, "webhookId": h.id, "deliveryId": n.id(h.only(t)), "fieldId": n.id(field), "extensionId": n.id(extension), "installationId": installed,
		"functionId": f.id, "versionId": f.shown(t)["activeVersionId"].(string), "runId": n.id(f.runs(t, "")[0]), "key": canary,
		"secretId": rowsOf(dan.get(t, path+"/secrets"))[0]["id"].(string), "businessId": n.ids["shop"], "id": n.ids["shop"],
		"revisionId": revision, "assetId": n.id(picture),
	}, []string{canary, "cli_full", n.ids["acme"], "sam@brandt.test"}}
}

// picture is all that the owner sees.
func (p treasure) picture(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, path := range []string{
		theOrganization, theMembers, theApps, theApps + "/" + p.ids["appId"], theApps + "/" + p.ids["appId"] + "/secrets", theApps + "/" + p.ids["appId"] + "/webhooks",
		theApps + "/" + p.ids["appId"] + "/fields", theApps + "/" + p.ids["appId"] + "/extensions", theApps + "/" + p.ids["appId"] + "/installations/" + p.ids["installationId"],
		theApps + "/" + p.ids["appId"] + "/webhooks/" + p.ids["webhookId"] + "/deliveries",
		theApps + "/" + p.ids["appId"] + "/functions", theApps + "/" + p.ids["appId"] + "/functions/" + p.ids["functionId"] + "/versions",
		theApps + "/" + p.ids["appId"] + "/functions/" + p.ids["functionId"] + "/runs", theApps + "/" + p.ids["appId"] + "/function-config",
		theApps + "/" + p.ids["appId"] + "/listing", theApps + "/" + p.ids["appId"] + "/listing/revisions/" + p.ids["revisionId"] + "/comments", theApps + "/" + p.ids["appId"] + "/assets",
	} {
		a := p.owner.do(t, "GET", path, nil)
		if a.Status != http.StatusOK {
			t.Errorf("%s: %d %s", path, a.Status, a.Body)
		}
		b.WriteString(a.Body + "\n")
	}
	return b.String()
}

// unseen proves that an answer shows nothing of it.
func (p treasure) unseen(t *testing.T, a harness.Answer) {
	t.Helper()
	for _, word := range p.words {
		if strings.Contains(strings.ToLower(a.Body), strings.ToLower(word)) {
			t.Errorf("%s is shown: %d %s", word, a.Status, a.Body)
		}
	}
}

// strangerAt is somebody of another organization at a route.
type strangerAt struct {
	who    caller
	theirs treasure
	route  consoleRoute
}

// alike proves that two addresses are answered alike, and without a byte of what is theirs; must says that it has to be 404.
func (s strangerAt) alike(t *testing.T, theirs, nobodys string, must bool) {
	t.Helper()
	a, b := s.who.do(t, s.route.method, theirs, s.route.body()), s.who.do(t, s.route.method, nobodys, s.route.body())
	if a.Status != b.Status || a.Body != b.Body {
		t.Errorf("%s: %d %s\n%s: %d %s", theirs, a.Status, a.Body, nobodys, b.Status, b.Body)
	}
	if must {
		refused(t, a, http.StatusNotFound, "NOT_FOUND")
	} else if a.Status < 400 || a.Status >= 500 {
		t.Errorf("%s: %d %s", theirs, a.Status, a.Body)
	}
	s.theirs.unseen(t, a)
}
