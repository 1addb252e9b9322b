package contract_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"daybook/test/harness"
)

func TestAPathThatIsNothing(t *testing.T) {
	harness.EachStore(t, func(t *testing.T, n *harness.Node) {
		for _, c := range []struct{ name, path string }{
			{"SERR-03 an unknown path", "/nothing"},
			{"SERR-03 the root of the API host", "/"},
			{"SERR-03 a known path with a slash behind it", "/dev/clock/"},
			{"SERR-03 a known path in capitals", "/DEV/CLOCK"},
			{"SERR-03 something below a known path", "/healthz/x"},
			{"SERR-03 two slashes in front", "//x"},
			{"SERR-03 two slashes before a known path", "//dev/clock"},
			{"SERR-03 two slashes inside", "/dev//clock"},
			{"SERR-03 a step up", "/a/../b"},
			{"SERR-03 a step up to a known path", "/a/../dev/clock"},
			{"SERR-03 a step on the spot", "/dev/./clock"},
			{"SERR-03 an encoded step up", "/a/%2e%2e/dev/clock"},
			{"SERR-03 an encoded slash in place of a real one", "/dev%2Fclock"},
			{"SERR-03 an encoded slash beside a real one", "/dev/%2Fclock"},
			{"SERR-03 a backslash", `/dev%5Cclock`},
			{"SERR-03 an encoded zero byte", "/dev/clock%00"},
			{"SERR-03 an encoded line break", "/dev/clock%0D%0AX:%20y"},
			{"SERR-03 bytes that are no UTF-8", "/%ff%fe"},
			{"SERR-03 a very long path", "/" + strings.Repeat("a", 8000)},
			{"SERR-03 a path that looks like a sentence of ours", "/{0}{1}"},
		} {
			for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
				t.Run(c.name+", "+method, func(t *testing.T) {
					r := standard(t, harness.Send(t, plain(t), method, n.BaseURL+c.path, nil, ""), http.StatusNotFound)
					if r.Code == nil || *r.Code != "NOT_FOUND" || len(r.Params) != 1 {
						t.Errorf("code %v, params %v", r.Code, r.Params)
					}
					if len(r.text) > 1000 {
						t.Errorf("a message of %d characters", len(r.text))
					}
				})
			}
			t.Run(c.name+", on the app host", func(t *testing.T) {
				if c.path == "/" {
					return // the home page
				}
				page(t, harness.Send(t, plain(t), http.MethodGet, n.AuthURL+c.path, nil, ""), http.StatusNotFound)
			})
		}
	})
}

func TestAWrongMethod(t *testing.T) {
	harness.EachStore(t, func(t *testing.T, n *harness.Node) {
		for _, c := range []struct {
			name, method, path string
			allow              []string
		}{
			{"SERR-03 POST to what is only read", http.MethodPost, "/healthz", []string{"GET", "HEAD"}},
			{"SERR-03 DELETE of what is only read", http.MethodDelete, "/readyz", []string{"GET", "HEAD"}},
			{"SERR-03 PUT to what is read and written", http.MethodPut, "/dev/clock", []string{"GET", "HEAD", "POST"}},
			{"SERR-03 OPTIONS", http.MethodOptions, "/dev/clock", []string{"GET", "HEAD", "POST"}},
			{"SERR-03 a method nobody has heard of", "BREW", "/dev/clock", []string{"GET", "HEAD", "POST"}},
		} {
			t.Run(c.name, func(t *testing.T) {
				a := harness.Send(t, plain(t), c.method, n.BaseURL+c.path, nil, "")
				r := standard(t, a, http.StatusMethodNotAllowed)
				if r.Code == nil || *r.Code != "METHOD_NOT_ALLOWED" {
					t.Errorf("code %v", r.Code)
				}
				allows(t, a, c.allow)
			})
		}
		for _, c := range []struct {
			name, method, path string
			allow              []string
		}{
			{"SERR-03 GET of what is only posted, on the app host", http.MethodGet, "/sign-out", []string{"POST"}},
			{"SERR-03 PUT to a page", http.MethodPut, "/sign-in", []string{"GET", "HEAD", "POST"}},
			{"SERR-03 POST to a page that is only read", http.MethodPost, "/account", []string{"GET", "HEAD"}},
			{"SERR-03 POST to health on the app host", http.MethodPost, "/healthz", []string{"GET", "HEAD"}},
		} {
			t.Run(c.name, func(t *testing.T) {
				a := harness.Send(t, plain(t), c.method, n.AuthURL+c.path, nil, "")
				page(t, a, http.StatusMethodNotAllowed)
				allows(t, a, c.allow)
			})
		}
	})
}

func allows(t *testing.T, a harness.Answer, want []string) {
	t.Helper()
	got := strings.Split(a.Header.Get("Allow"), ", ")
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("Allow is %v, want %v", got, want)
	}
}

func TestEveryAnswerHasARequestIDOfItsOwn(t *testing.T) {
	harness.EachStore(t, func(t *testing.T, n *harness.Node) {
		seen := map[string]bool{}
		for _, address := range []string{
			n.BaseURL + "/healthz", n.BaseURL + "/readyz", n.BaseURL + "/dev/clock", n.BaseURL + "/nothing", n.BaseURL + "//",
			n.AuthURL + "/healthz", n.AuthURL + "/sign-in", n.AuthURL + "/account", n.AuthURL + "/nothing", n.AuthURL + "/static/x",
		} {
			for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions, "BREW"} {
				// One that the caller brings along is not taken over.
				a := harness.Send(t, plain(t), method, address, http.Header{"Request-Id": {"req_00000000000000000000000000"}}, "")
				id := requestID(t, a)
				if seen[id] || id == "req_00000000000000000000000000" {
					t.Errorf("%s %s: %s came before", method, address, id)
				}
				seen[id] = true
			}
		}
	})
}

// The one request target that is no path is a request like any other.
func TestAQuestionAboutTheWholeServer(t *testing.T) {
	n := harness.Dev(t, harness.Options{})
	for _, host := range []string{n.BaseURL, n.AuthURL} {
		r := &http.Request{Method: http.MethodOptions, URL: &url.URL{Scheme: "http", Host: strings.TrimPrefix(host, "http://"), Opaque: "*"}}
		response, err := plain(t).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		requestID(t, harness.Answer{Status: response.StatusCode, Header: response.Header})
	}
}
