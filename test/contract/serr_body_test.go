package contract_test

import (
	"net/http"
	"strings"
	"testing"

	"daybook/test/harness"
)

const mebibyte = 1 << 20

// padded is a request that moves the clock by nothing, brought to that size by blanks.
func padded(size int, behind bool) string {
	const body = `{"advance":"0s"}`
	blanks := strings.Repeat(" ", size-len(body))
	if behind {
		return body + blanks
	}
	return blanks + body
}

func TestABodyThatCannotBeRead(t *testing.T) {
	harness.EachStore(t, func(t *testing.T, n *harness.Node) {
		for _, c := range []struct {
			name, body string
			status     int
			code       string
			params     int
		}{
			{"SERR-03 nothing at all", "", 400, "BODY_REQUIRED", 0},
			{"SERR-03 only blanks", " \n\t ", 400, "BODY_REQUIRED", 0},
			{"SERR-03 an object that ends early", `{"advance":"1m"`, 400, "BODY_UNREADABLE", 0},
			{"SERR-03 a string that ends early", `{"advance":"1`, 400, "BODY_UNREADABLE", 0},
			{"SERR-03 a word that is no JSON", `advance`, 400, "BODY_UNREADABLE", 1},
			{"SERR-03 a comma too many", `{"advance":"1m",}`, 400, "BODY_UNREADABLE", 1},
			{"SERR-03 single quotes", `{'advance':'1m'}`, 400, "BODY_UNREADABLE", 1},
			{"SERR-03 a byte order mark", "\ufeff{}", 400, "BODY_UNREADABLE", 1},
			{"SERR-03 a form", "advance=1m", 400, "BODY_UNREADABLE", 1},
			{"SERR-03 two objects", `{"advance":"0s"}{"advance":"0s"}`, 400, "BODY_UNREADABLE", 1},
			{"SERR-03 something behind the object", `{"advance":"0s"} x`, 400, "BODY_UNREADABLE", 1},
			{"SERR-03 a byte more than a mebibyte", padded(mebibyte+1, false), 413, "BODY_TOO_LARGE", 1},
			{"SERR-03 a byte more than a mebibyte, blanks behind", padded(mebibyte+1, true), 413, "BODY_TOO_LARGE", 1},
			{"SERR-03 far more than a mebibyte", `{"advance":"` + strings.Repeat("1", 3*mebibyte) + `"}`, 413, "BODY_TOO_LARGE", 1},
		} {
			t.Run(c.name, func(t *testing.T) {
				r := standard(t, harness.PostJSON(t, plain(t), n.BaseURL+"/dev/clock", c.body), c.status)
				if r.Code == nil || *r.Code != c.code || len(r.Params) != c.params {
					t.Errorf("want code %s and %d params, got %q, %v", c.code, c.params, *r.Code, r.Params)
				}
			})
		}
		for _, behind := range []bool{false, true} {
			if a := harness.PostJSON(t, plain(t), n.BaseURL+"/dev/clock", padded(mebibyte, behind)); a.Status != http.StatusOK {
				t.Errorf("exactly a mebibyte: %d\n%s", a.Status, a.Body)
			}
		}
	})
}

func TestAWrongContentType(t *testing.T) {
	harness.EachStore(t, func(t *testing.T, n *harness.Node) {
		for _, c := range []struct {
			name, contentType string
			status            int
		}{
			{"SERR-03 no content type", "", 415},
			{"SERR-03 a form", "application/x-www-form-urlencoded", 415},
			{"SERR-03 plain text", "text/plain", 415},
			{"SERR-03 a relative of JSON", "application/json-patch+json", 415},
			{"SERR-03 nonsense", ";;;", 415},
			{"SERR-03 two at once", "text/plain, application/json", 415},
			{"JSON", "application/json", 200},
			{"JSON with a character set", "application/json; charset=utf-8", 200},
			{"JSON in capitals", "Application/JSON", 200},
		} {
			t.Run(c.name, func(t *testing.T) {
				header := http.Header{}
				if c.contentType != "" {
					header.Set("Content-Type", c.contentType)
				}
				a := harness.Send(t, plain(t), http.MethodPost, n.BaseURL+"/dev/clock", header, `{"advance":"0s"}`)
				if c.status == http.StatusOK {
					if a.Status != http.StatusOK {
						t.Errorf("got %d: %s", a.Status, a.Body)
					}
					return
				}
				r := standard(t, a, c.status)
				if r.Code == nil || *r.Code != "UNSUPPORTED_MEDIA_TYPE" || r.Params["p0"] != "application/json" {
					t.Errorf("code %v, params %v", r.Code, r.Params)
				}
			})
		}
	})
}

func TestAValidationFailureNamesEveryField(t *testing.T) {
	harness.EachStore(t, func(t *testing.T, n *harness.Node) {
		for _, c := range []struct {
			name, body string
			names      []string
		}{
			{"SERR-02 an unknown member", `{"later":"1m"}`, []string{"later"}},
			{"SERR-02 two unknown members", `{"later":"1m","sooner":"1m"}`, []string{"later", "sooner"}},
			{"SERR-02 an unknown member beside a right one", `{"advance":"0s","later":1}`, []string{"later"}},
			{"SERR-02 a number for a string", `{"advance":61}`, []string{"advance"}},
			{"SERR-02 an object for a string", `{"set":{}}`, []string{"set"}},
			{"SERR-02 two members of the wrong type", `{"advance":61,"set":true}`, []string{"advance", "set"}},
			{"SERR-02 a wrong type beside an unknown member", `{"advance":61,"later":1}`, []string{"advance", "later"}},
			{"SERR-02 a value that cannot be read", `{"advance":"soon"}`, []string{"advance"}},
			{"SERR-02 both members", `{"advance":"1m","set":"2030-01-01T00:00:00Z"}`, []string{"advance"}},
			{"SERR-02 neither member", `{}`, []string{"advance"}},
			{"SERR-02 null", `null`, []string{"body"}},
			{"SERR-02 an array", `[]`, []string{"body"}},
			{"SERR-02 a string", `"advance"`, []string{"body"}},
			{"SERR-02 a number", `1`, []string{"body"}},
		} {
			t.Run(c.name, func(t *testing.T) {
				r := standard(t, harness.PostJSON(t, plain(t), n.BaseURL+"/dev/clock", c.body), http.StatusBadRequest)
				if len(r.fields) != len(c.names) {
					t.Errorf("want %d sentences, about %v; got %q", len(c.names), c.names, r.fields)
				}
				for _, name := range c.names {
					found := false
					for _, sentence := range r.fields {
						found = found || strings.HasPrefix(sentence, name+" ")
					}
					if !found {
						t.Errorf("no sentence begins with %s: %q", name, r.fields)
					}
				}
			})
		}
		t.Run("SERR-02 unknown parameters", func(t *testing.T) {
			r := standard(t, harness.Get(t, plain(t), n.BaseURL+"/dev/clock?a=1&b=2"), http.StatusBadRequest)
			if len(r.fields) != 2 {
				t.Errorf("got %q", r.fields)
			}
		})
		t.Run("SERR-02 an unknown member of half a mebibyte is not repeated in full", func(t *testing.T) {
			a := harness.PostJSON(t, plain(t), n.BaseURL+"/dev/clock", `{"`+strings.Repeat("x", mebibyte/2)+`":1}`)
			standard(t, a, http.StatusBadRequest)
			if len(a.Body) > 4096 {
				t.Errorf("an answer of %d bytes", len(a.Body))
			}
		})
	})
}
