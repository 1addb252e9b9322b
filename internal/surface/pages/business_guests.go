package pages

import (
	"net/http"
	"net/url"
	"slices"

	"daybook/internal/platform/appdata"
	"daybook/internal/platform/extension"
)

// guests are the pages of apps that are shown with a record.
type guests struct {
	Tabs    []guestTab // of the record, itself first; none: no app has one
	Open    *guest     // the tab that is open; nil: the record itself
	Panels  []guest
	Actions []guest
}

type guestTab struct {
	Path, Name, App string
	Current         bool
}

// guest is a page of an app in a frame, with what static/embed.js tells it and asks for it.
type guest struct {
	ID, App, Label, Title    string
	Address, Origin          string
	ClientID, BusinessID     string
	ResourceType, ResourceID string // empty: it stands by itself
	Locale                   string
}

func (d *atDesk) viewer() extension.Viewer {
	return extension.Viewer{BusinessID: d.business.ID, Access: d.access}
}

func (d *atDesk) guest(g extension.Guest, t appdata.ResourceType, id string) guest {
	return guest{
		ID: g.ID, App: g.AppName, Label: g.Label, Title: g.Label + " by " + g.AppName, Address: g.Address.URL, Origin: g.Address.Origin, ClientID: g.ClientID,
		BusinessID: d.business.ID, ResourceType: string(t), ResourceID: id, Locale: d.who.user.Locale,
	}
}

// guests are those of a record, as the address asks for them. The page around them may frame their origins, and no others.
func (d *atDesk) guests(r *http.Request, t appdata.ResourceType, path, id string) (guests, error) {
	var v guests
	list, err := d.names.site.Extensions.Shown(r.Context(), d.viewer(), t)
	if err != nil {
		return v, err
	}
	here, asked := "/"+path+"/"+id, r.URL.Query().Get("tab")
	for _, g := range list {
		one := d.guest(g, t, id)
		switch g.Kind {
		case extension.Panel:
			v.Panels = append(v.Panels, one)
		case extension.Action:
			v.Actions = append(v.Actions, one)
		case extension.Tab:
			v.Tabs = append(v.Tabs, guestTab{Path: here + "?tab=" + url.QueryEscape(g.ID), Name: g.Label, App: g.AppName, Current: g.ID == asked})
			if g.ID == asked {
				v.Open = &one
			}
		}
	}
	if len(v.Tabs) > 0 {
		v.Tabs = slices.Insert(v.Tabs, 0, guestTab{Path: here, Name: "Record", Current: v.Open == nil})
	}
	shown := v.Actions
	if v.Open != nil {
		shown = append(slices.Clone(shown), *v.Open)
		v.Panels = nil // they stand beside the record itself
	}
	d.framed = originsOf(slices.Concat(shown, v.Panels))
	return v, nil
}

// originsOf are the origins that a page with these guests may frame.
func originsOf(list []guest) []string {
	var origins []string
	for _, g := range list {
		origins = append(origins, g.Origin)
	}
	slices.Sort(origins)
	return slices.Compact(origins)
}

// hostedPath is where a page of an app has its place among ours.
func hostedPath(g extension.Guest) string { return "/apps/" + g.AppID + "/pages/" + g.ID }

var hostedPage = newPage[guest]("business-hosted.html")

// businessHosted is a page of an app that stands by itself.
func (s *Site) businessHosted(w http.ResponseWriter, r *http.Request, d *atDesk) error {
	i := slices.IndexFunc(d.hosted, func(g extension.Guest) bool {
		return g.ID == r.PathValue("extensionId") && g.AppID == r.PathValue("appId")
	})
	if i < 0 {
		return extension.ErrNotShown
	}
	v := d.guest(d.hosted[i], "", "")
	d.framed = []string{v.Origin}
	hostedPage.write(w, r, s, http.StatusOK, d.frame(hostedPath(d.hosted[i]), v.Label), v)
	return nil
}
