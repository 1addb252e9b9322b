package partnerapi

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"daybook/internal/platform/apiversion"
)

// resolve finds the version that a call speaks: by header, else by the app's pin, else the newest (VERS-01). The answer
// names it, and says when its end is near.
func (a *API) resolve(c *call, w http.ResponseWriter, r *http.Request) error {
	now := a.Clock.Now()
	name := apiversion.Latest().Name
	refuse := errVersion
	if sent := r.Header[a.versionHeader]; len(sent) > 0 {
		name = strings.Join(sent, ", ")
	} else if c.app != nil && c.app.PinnedAPIVersion != nil {
		name, refuse = *c.app.PinnedAPIVersion, errPinned
	}
	if !apiversion.Usable(name, now) {
		return refuse.With(clip(name), strings.Join(usable(now), ", "))
	}
	c.version = name
	h := w.Header()
	h.Set(a.versionHeader, name)
	if !apiversion.Newest(name) {
		a.warn(h, name)
	}
	return nil
}

// warn says that a version is deprecated (RFC 9745) and when it ends (RFC 8594).
func (a *API) warn(h http.Header, name string) {
	for i, v := range apiversion.All[:len(apiversion.All)-1] {
		if v.Name != name {
			continue
		}
		h.Set("Deprecation", "@"+strconv.FormatInt(apiversion.All[i+1].Released.Unix(), 10))
		if v.Sunset != nil {
			h.Set("Sunset", v.Sunset.Format(http.TimeFormat))
		}
		h.Set("Link", "<"+a.BaseURL+`/versions>; rel="deprecation"`)
	}
}

func usable(now time.Time) []string {
	var names []string
	for _, v := range apiversion.All {
		if apiversion.Usable(v.Name, now) {
			names = append(names, v.Name)
		}
	}
	return names
}

// clip keeps a hostile value from filling an answer.
func clip(s string) string {
	if len(s) > 100 {
		return strings.ToValidUTF8(s[:100], "") + "…"
	}
	return s
}
