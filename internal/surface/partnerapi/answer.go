package partnerapi

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/idem"
	"daybook/internal/surface/wire"
)

// revised is a document of a record that has versions: they are its ETag.
type revised interface{ revision() int }

// render writes a document as the caller's version shows it.
func (c *call) render(status int, doc any) (idem.Answer, error) {
	text, err := json.Marshal(doc)
	if err != nil {
		return idem.Answer{}, err
	}
	if !apiversion.Newest(c.version) {
		if text, err = c.down(text); err != nil {
			return idem.Answer{}, err
		}
	}
	answer := idem.Answer{Status: status, Body: text}
	if r, ok := doc.(revised); ok {
		answer.Header = map[string]string{"ETag": `"` + strconv.Itoa(r.revision()) + `"`}
	}
	return answer, nil
}

func (c *call) down(text []byte) ([]byte, error) {
	if c.route.verb.pages() {
		return apiversion.RewritePage(c.version, c.route.Resource, text)
	}
	return apiversion.RewriteDown(c.version, c.route.Resource, text)
}

// write sends the answer.
func (c *call) write(w http.ResponseWriter) {
	h := w.Header()
	for name, value := range c.answer.Header {
		h.Set(name, value)
	}
	if c.answer.Replayed {
		h.Set("Idempotent-Replayed", "true")
	}
	wire.WriteText(w, c.answer.Status, c.answer.Body)
}

func (c *call) metered(status int, took time.Duration) Call {
	who := c.app
	if who == nil {
		who = &c.ended
	}
	m := Call{
		AppID: who.AppID, BusinessID: who.BusinessID, UserID: who.UserID, InstallationID: who.InstallationID, Ended: c.app == nil,
		Method: c.request.Method, Status: status, Code: c.code, Version: c.version, RateLimited: c.limited, Duration: took - c.waited, At: c.api.Clock.Now(), RequestID: wire.RequestID(c.request.Context()),
	}
	if c.route != nil {
		m.Route = c.route.Path
	}
	return m
}

// keptCode is the code of a refusal that is answered as it was kept under its key.
func keptCode(a idem.Answer) string {
	if a.Status < http.StatusBadRequest {
		return ""
	}
	var kept struct{ Code string }
	_ = json.Unmarshal(a.Body, &kept) // our own words
	return kept.Code
}

func codeOf(err error) string {
	if f := fault.From(err); f != nil {
		return f.Code
	}
	return ""
}
