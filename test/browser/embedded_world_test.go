package browser

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/test/harness"
)

// sync and till are apps of the demo world that are shown in frames here.
const syncClient, tillClient = "cli_demosync", "cli_demotill"

// hosted is a node with a customer and an invoice in the bakery, and who works there.
type hosted struct {
	*node
	dan               *http.Client
	customer, invoice string
}

func newHosted(t *testing.T) *hosted {
	t.Helper()
	h := &hosted{node: startNode(t), dan: harness.Browser(t)}
	h.SignIn(t, h.dan, h.User(t, "dan"))
	h.customer = h.make(t, "/customers", `{"displayName":"Café Zon"}`)
	h.invoice = h.make(t, "/invoices", `{"customerId":"`+h.customer+`","issue":true,"lines":[{"description":"Bread","unitPrice":"12"}]}`)
	return h
}

// connect has Olivia connect an app to the bakery, and gives a token of it.
func (n *node) connect(t *testing.T, clientID string, scopes ...string) (token string) {
	t.Helper()
	olivia := n.User(t, "olivia")
	a := harness.PostJSON(t, http.DefaultClient, n.BaseURL+"/dev/tokens", fmt.Sprintf(
		`{"clientId":%q,"userEmail":%q,"businessId":%q,"scopes":["%s"]}`, clientID, olivia.Email, olivia.Businesses[0].ID, strings.Join(scopes, `","`)))
	token, _ = a.JSON(t)["access_token"].(string)
	if token == "" {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	return token
}

// make adds a record to the bakery and gives its id.
func (h *hosted) make(t *testing.T, path, body string) string {
	t.Helper()
	token := h.connect(t, syncClient, "profile:read", "customers:read", "customers:write", "invoices:read", "invoices:write")
	a := harness.Send(t, http.DefaultClient, http.MethodPost, h.BaseURL+path, http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}}, body)
	id, _ := a.JSON(t)["id"].(string)
	if a.Status != http.StatusCreated {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	return id
}

// appOf is the id of the app with a client id.
func (n *node) appOf(t *testing.T, clientID string) string {
	t.Helper()
	for _, a := range n.Apps {
		if a.ClientID == clientID {
			return a.AppID
		}
	}
	t.Fatalf("there is no app %s", clientID)
	return ""
}

// setURL gives an app its App URL, as its developer.
func (n *node) setURL(t *testing.T, by *http.Client, clientID, appURL string) {
	t.Helper()
	a := harness.Send(t, by, http.MethodPatch, n.BaseURL+"/developer/apps/"+n.appOf(t, clientID), http.Header{"Content-Type": {"application/json"}}, fmt.Sprintf(`{"appUrl":%q}`, appURL))
	if a.Status != http.StatusOK {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
}

// extend adds an extension to an app and gives its id. A resource of nothing makes it a PAGE's.
func (n *node) extend(t *testing.T, by *http.Client, clientID, kind, resource, label, path string) string {
	t.Helper()
	beside := "null"
	if resource != "" {
		beside = `"` + resource + `"`
	}
	a := harness.PostJSON(t, by, n.BaseURL+"/developer/apps/"+n.appOf(t, clientID)+"/extensions", fmt.Sprintf(`{"kind":%q,"resourceType":%s,"label":%q,"path":%q}`, kind, beside, label, path))
	id, _ := a.JSON(t)["id"].(string)
	if a.Status != http.StatusCreated {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	return id
}

// startExample builds and runs examples/embedded against a node, and gives its address: another site than the node's, as in real life.
func startExample(t *testing.T, n *node) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "embedded")
	build := exec.Command("go", "build", "-o", program, "daybook/examples/embedded")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	var secret string
	for _, a := range n.Apps {
		if a.ClientID == syncClient {
			secret = *a.ClientSecret
		}
	}
	address := harness.FreeAddress(t)
	run := exec.Command(program, "-listen", address, "-api", n.BaseURL, "-app", n.AuthURL)
	run.Env = append(os.Environ(), "CLIENT_ID="+syncClient, "CLIENT_SECRET="+secret)
	said, err := run.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = run.Process.Kill()
		_ = run.Wait()
	})
	if line, err := bufio.NewReader(said).ReadString('\n'); err != nil || !strings.Contains(line, "answers at") {
		t.Fatalf("the example does not start: %s %v", line, err)
	}
	_, port, _ := net.SplitHostPort(address)
	return "http://localhost:" + port + "/"
}

// site is somebody's web server: every path is the same small page, which keeps what it hears. It knows what it was asked for.
type site struct {
	url string
	sync.Mutex
	asked []string
}

func newSite(t *testing.T, host string) *site {
	t.Helper()
	s := &site{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Lock()
		s.asked = append(s.asked, r.URL.String())
		s.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(`<!doctype html><html lang="en"><title>A guest</title><link rel="icon" href="data:,"><p>A page of an app.</p><script>heard = []; addEventListener("message", e => heard.push(JSON.stringify(e.data)))</script>`))
	}))
	t.Cleanup(server.Close)
	s.url = strings.Replace(server.URL, "127.0.0.1", host, 1)
	return s
}

// requests are what it was asked for.
func (s *site) requests() []string {
	s.Lock()
	defer s.Unlock()
	return append([]string(nil), s.asked...)
}

// inFrame is the inside of the frame whose address begins so. Its process is another one than the page's, so it is waited for.
func (w *window) inFrame(address string) *window {
	w.t.Helper()
	for range 400 {
		targets, err := chromedp.Targets(w.ctx)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, one := range targets {
			if one.Type != "iframe" || !strings.HasPrefix(one.URL, address) {
				continue
			}
			ctx, closeIt := chromedp.NewContext(w.ctx, chromedp.WithTargetID(one.TargetID), chromedp.WithDetachOnCancel())
			w.t.Cleanup(closeIt)
			if err := chromedp.Do(ctx); err != nil {
				w.t.Fatal(err)
			}
			return &window{w.t, w.node, ctx}
		}
		eval[bool](w, `new Promise(done => setTimeout(() => done(true), 50))`)
	}
	w.t.Fatalf("there is no frame at %s:\n%s", address, w.text("body"))
	return nil
}

// wantInside waits until a frame says these words.
func (w *window) wantInside(words string) {
	w.t.Helper()
	w.await(words, fmt.Sprintf(`document.body.innerText.includes(%q)`, words))
}
