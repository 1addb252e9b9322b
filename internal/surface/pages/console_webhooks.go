package pages

import (
	"net/http"
	"strings"

	"daybook/internal/platform/event"
	"daybook/internal/platform/scope"
	"daybook/internal/platform/webhook"
)

type consoleWebhooksView struct {
	Webhooks []webhookLine
	New      string // where to add one; empty when that is not possible
	Full     bool
	May      may
	Saved    string
}

type webhookLine struct {
	Path, URL, Description string
	Events                 int
	State                  state
}

var consoleWebhooksPage = newPage[consoleWebhooksView]("console-webhooks.html")

func (s *Site) consoleWebhooks(w http.ResponseWriter, r *http.Request, in inApp) error {
	list, err := s.Webhooks.List(r.Context(), in.app.ID, in.who.user.ID)
	if err != nil {
		return err
	}
	v := consoleWebhooksView{
		New: in.path("/webhooks/new"), Full: len(list) >= webhook.MaxPerApp, May: in.may(),
		Saved: saved(r, map[string]string{"deleted": "The webhook is deleted. What waited for it is dropped."}),
	}
	for _, h := range list {
		v.Webhooks = append(v.Webhooks, webhookLine{
			Path: in.path("/webhooks/%s", h.ID), URL: visible(h.URL), Description: visible(text(h.Description)), Events: len(h.Events), State: webhookState(h),
		})
	}
	consoleWebhooksPage.write(w, r, s, http.StatusOK, in.frame("Webhooks", "Webhooks"), v)
	return nil
}

func webhookState(h webhook.Webhook) state {
	if h.Enabled {
		return state{"on", "good"}
	}
	return state{"off", "off"}
}

// eventGroup is events about one sort of thing.
type eventGroup struct {
	Name   string
	Events []eventChoice
}

// eventChoice is an event in plain words, as an app sees it.
type eventChoice struct {
	Type, Words string
	Scope       string // that it needs; empty for none
	Held        bool   // by the app
	Chosen      bool
	Sample      string
}

// eventGroups is the whole catalog in groups, as it stands for an app.
func (in inApp) eventGroups(chosen []event.Type) []eventGroup {
	var groups []eventGroup
	for _, e := range event.Catalog {
		name := groupOf(e)
		if len(groups) == 0 || groups[len(groups)-1].Name != name {
			groups = append(groups, eventGroup{Name: name})
		}
		c := eventChoice{Type: string(e.Type), Words: eventWords[e.Type], Scope: string(e.Scope), Held: e.Scope == "" || in.app.Scopes.Has(e.Scope)}
		for _, t := range chosen {
			c.Chosen = c.Chosen || t == e.Type
		}
		last := &groups[len(groups)-1]
		last.Events = append(last.Events, c)
	}
	return groups
}

// groupOf is what an event is about, in a word for people.
func groupOf(e event.Entry) string {
	switch e.Audience {
	case event.ForApp:
		return "Your app"
	case event.ForPrivacy:
		return "Privacy"
	}
	subject, _, _ := strings.Cut(string(e.Type), ".")
	switch subject {
	case "journal_entry":
		return "Journal"
	case "books", "business":
		return "Books and business"
	case "tax_rate":
		return "Tax rates"
	}
	return shownWord(subject) + "s"
}

type consoleNewWebhookView struct {
	Rest, Under string
	Groups      []eventGroup
}

var consoleNewWebhookPage = newPage[consoleNewWebhookView]("console-new-webhook.html")

func (s *Site) consoleNewWebhook(w http.ResponseWriter, r *http.Request, in inApp) error {
	if err := in.mustBuild(); err != nil {
		return err
	}
	v := consoleNewWebhookView{Rest: in.path("/webhooks"), Under: in.path("/webhooks"), Groups: in.eventGroups(nil)}
	consoleNewWebhookPage.write(w, r, s, http.StatusOK, in.frame("Webhooks", "Add a webhook", crumb{"Add a webhook", ""}), v)
	return nil
}

type consoleWebhookView struct {
	ID, URL, Description string
	Rest, Here, Under    string
	Deliveries           string // where they are listed
	Version              int
	Enabled              bool
	State                state
	Groups               []eventGroup
	// Heard are the events of the webhook; Silent those whose scope the app does not hold.
	Heard, Silent []string
	Overlap       *moment // until when the secret before the present one signs
	Created       moment
	May           may
	Saved         string
	Recent        []deliveryLine
}

var consoleWebhookPage = newPage[consoleWebhookView]("console-webhook.html")

// maxRecent is how many deliveries a webhook's page shows.
const maxRecent = 5

func (s *Site) consoleWebhook(w http.ResponseWriter, r *http.Request, in inApp) error {
	h, err := s.Webhooks.Get(r.Context(), in.app.ID, in.who.user.ID, r.PathValue("webhookId"))
	if err != nil {
		return err
	}
	recent, err := s.Webhooks.Deliveries(r.Context(), in.app.ID, in.who.user.ID, h.ID, webhook.Filter{})
	if err != nil {
		return err
	}
	here := in.path("/webhooks/%s", h.ID)
	v := consoleWebhookView{
		ID: h.ID, URL: h.URL, Description: text(h.Description), Rest: here, Here: here, Under: in.path("/webhooks"), Deliveries: in.path("/deliveries?webhook=%s", h.ID),
		Version: h.Version, Enabled: h.Enabled, State: webhookState(h), Groups: in.eventGroups(h.Events), Overlap: whenever(h.PreviousUntil, in.now),
		Created: when(h.CreatedAt, in.now), May: in.may(), Recent: in.deliveryLines(recent[:min(len(recent), maxRecent)]),
		Saved: saved(r, map[string]string{
			"saved": "Your changes are saved. They count from now on.", "on": "The webhook is on: it hears of what happens from now on.",
			"off": "The webhook is off. What happens meanwhile is not kept for it.",
		}),
	}
	v.Heard, v.Silent = heardOf(h.Events, in.app.Scopes)
	consoleWebhookPage.write(w, r, s, http.StatusOK, in.frame("Webhooks", "Webhook", crumb{hostOf(h.URL), ""}), v)
	return nil
}

// heardOf is what a webhook is subscribed to, and what of it never comes because the app lacks the scope.
func heardOf(events []event.Type, held scope.Set) (heard, silent []string) {
	for _, t := range events {
		heard = append(heard, string(t))
		if e, _ := event.Find(t); e.Scope != "" && !held.Has(e.Scope) {
			silent = append(silent, string(t))
		}
	}
	return heard, silent
}

// hostOf is what people tell addresses apart by.
func hostOf(address string) string {
	rest := address
	if _, after, ok := strings.Cut(address, "://"); ok {
		rest = after
	}
	host, _, _ := strings.Cut(rest, "/")
	return visible(host)
}
