package contract_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"daybook/test/harness"
)

// visit opens the authorize address of a document's client without a session: the document is looked at before that.
func (n *oauthNode) visit(t *testing.T, id string) harness.Answer {
	t.Helper()
	q, _ := askWith(id)
	return n.authorize(t, plain(t), q)
}

// taken proves that a client was recognised: the person is asked to sign in.
func taken(t *testing.T, a harness.Answer) {
	t.Helper()
	to, err := url.Parse(a.Header.Get("Location"))
	if err != nil || a.Status != http.StatusSeeOther || to.Path != "/sign-in" {
		t.Errorf("want 303 to sign-in, got %d to %q\n%s", a.Status, a.Header.Get("Location"), a.Body)
	}
}

func cachedDocuments(t *testing.T, n *oauthNode, dan *http.Client, site *documents) {
	t.Run("one that has changed counts as it is now", func(t *testing.T) {
		const path = "/changes.json"
		id := site.publish(path, nil)
		q, _ := askWith(id)
		n.held(t, dan, q)
		site.publish(path, map[string]any{"redirect_uris": []string{"https://app.example/cb"}})
		n.held(t, dan, q) // kept for five minutes
		n.setTime(t, n.time(t).Add(5*time.Minute))
		refusalPage(t, n.authorize(t, dan, q), http.StatusBadRequest, "redirect_uri does not match any registered URI")
		q.Set("redirect_uri", "https://app.example/cb")
		n.held(t, dan, q)
	})
	for i, one := range []struct {
		name, header string
		fresh        time.Duration
	}{
		{"without a word about it five minutes", "", 5 * time.Minute},
		{"max-age counts", "public, max-age=900", 15 * time.Minute},
		{"at least five minutes", "max-age=1", 5 * time.Minute},
		{"at most a day", "max-age=864000", 24 * time.Hour},
	} {
		t.Run("kept: "+one.name, func(t *testing.T) {
			path := fmt.Sprintf("/kept/%d", i)
			id, body, fetched := site.URL+path, site.document(path, nil), 1
			site.put(path, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json; charset=utf-8")
				w.Header().Set("Cache-Control", one.header)
				_, _ = w.Write(body)
			})
			before := n.time(t)
			taken(t, n.visit(t, id))
			after := n.time(t)
			taken(t, n.visit(t, id))
			if n.setTime(t, before.Add(one.fresh-10*time.Second)) {
				taken(t, n.visit(t, id))
			}
			if got := site.fetches(path); got != fetched && n.time(t).Before(before.Add(one.fresh)) {
				t.Errorf("fetched %d times while it was fresh", got)
			}
			fetched = site.fetches(path)
			n.setTime(t, after.Add(one.fresh))
			taken(t, n.visit(t, id))
			if got := site.fetches(path); got != fetched+1 {
				t.Errorf("fetched %d times after it was fresh, want one more than %d", got, fetched)
			}
		})
	}
	t.Run("not beyond what it is fresh for", func(t *testing.T) {
		const path = "/vanishes.json"
		id := site.publish(path, nil)
		taken(t, n.visit(t, id))
		site.put(path, nil)
		n.setTime(t, n.time(t).Add(25*time.Hour))
		refusalPage(t, n.visit(t, id), http.StatusBadRequest, "Invalid client_id")
		if site.fetches(path) != 2 {
			t.Errorf("fetched %d times", site.fetches(path))
		}
	})
}

// TestADocumentOnAPrivateAddressIsNotFetched holds the first half of CIMD-02 where it counts: in production. Loopback
// stands for every address that is not public; nothing else is ever dialled here.
func TestADocumentOnAPrivateAddressIsNotFetched(t *testing.T) {
	site := newDocuments(t)
	site.publish("/good.json", nil)
	env := []string{"SSL_CERT_FILE=" + site.authority}
	refusing := &oauthNode{Node: harness.Serve(t, harness.ServeOptions{Env: env})}
	for name, id := range map[string]string{
		"an address": site.URL + "/good.json", "a name that means it": "https://localhost:" + site.port + "/good.json", "written as IPv6": "https://[::ffff:127.0.0.1]:" + site.port + "/good.json",
		"written as a number": "https://2130706433:" + site.port + "/good.json", "written in short": "https://127.1:" + site.port + "/good.json",
	} {
		t.Run("CIMD-02 "+name, func(t *testing.T) {
			refusalPage(t, refusing.visit(t, id), http.StatusBadRequest, "Invalid client_id")
		})
	}
	if got := site.requests(); got != 0 {
		t.Errorf("%d connections or requests reached the private address", got)
	}
	t.Run("CIMD-02 unless the operator allows it", func(t *testing.T) {
		allowing := &oauthNode{Node: harness.Serve(t, harness.ServeOptions{Env: append(env, "DAYBOOK_OUTBOUND_ALLOW=127.0.0.0/8")})}
		taken(t, allowing.visit(t, site.URL+"/good.json"))
		if site.fetches("/good.json") != 1 {
			t.Errorf("fetched %d times", site.fetches("/good.json"))
		}
	})
}
