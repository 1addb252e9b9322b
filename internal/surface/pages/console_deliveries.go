package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"daybook/internal/platform/event"
	"daybook/internal/platform/webhook"
)

// deliveryLine is a delivery in a list.
type deliveryLine struct {
	Path, Type, Business string
	Test                 bool
	State                state
	Attempts             int
	Tries                string // the attempts in words
	Code                 string // of the last answer
	Error                string
	Created              moment
	Next                 *moment // attempt
}

func (in inApp) deliveryLines(list []webhook.Delivery) []deliveryLine {
	out := make([]deliveryLine, len(list))
	for i, d := range list {
		out[i] = deliveryLine{
			Path: in.path("/webhooks/%s/deliveries/%s", d.WebhookID, d.ID), Type: string(d.Type), Business: d.BusinessID, Test: d.BusinessID == webhook.TestBusiness,
			State: deliveryState(d.Status), Attempts: d.Attempts, Tries: counted(d.Attempts, "attempt", "attempts"), Error: visible(text(d.LastError)), Created: when(d.CreatedAt, in.now),
		}
		if d.ResponseCode != nil {
			out[i].Code = strconv.Itoa(*d.ResponseCode)
		}
		if d.Status == webhook.Retrying {
			out[i].Next = whenever(d.DueAt, in.now)
		}
	}
	return out
}

// tones help to see how a delivery stands.
var tones = map[webhook.Status]string{webhook.Queued: "off", webhook.Retrying: "wait", webhook.Delivered: "good", webhook.Failed: "bad"}

func deliveryState(s webhook.Status) state { return state{string(s), tones[s]} }

type choice struct {
	Value, Words string
	Chosen       bool
}

type consoleDeliveriesView struct {
	Here     string
	Webhooks []choice // none: there is nothing to show
	New      string   // where to add a webhook
	Statuses []choice
	Types    []choice
	Business string // the only one whose deliveries are shown
	Filtered bool
	List     []deliveryLine
	Pager    pager
	Rest     string // of the webhook
	Live     string // where the list can be asked for again
	Test     string // where to send one
	Spans    []choice
	Most     int
	May      may
	Saved    string
	Most100  int
}

var consoleDeliveriesPage = newPage[consoleDeliveriesView]("console-deliveries.html")

func (s *Site) consoleDeliveries(w http.ResponseWriter, r *http.Request, in inApp) error {
	hooks, err := s.Webhooks.List(r.Context(), in.app.ID, in.who.user.ID)
	if err != nil {
		return err
	}
	v := consoleDeliveriesView{Here: in.path("/deliveries"), New: in.path("/webhooks/new"), May: in.may(), Spans: spans(), Most: webhook.MaxRedelivered, Most100: webhook.MaxListed, Saved: requeued(r)}
	if len(hooks) == 0 {
		consoleDeliveriesPage.write(w, r, s, http.StatusOK, in.frame("Deliveries", "Deliveries"), v)
		return nil
	}
	params := r.URL.Query()
	chosen := hooks[0]
	if asked := params.Get("webhook"); asked != "" {
		i := slices.IndexFunc(hooks, func(h webhook.Webhook) bool { return h.ID == asked })
		if i < 0 {
			return webhook.ErrNotFound
		}
		chosen = hooks[i]
	}
	for _, h := range hooks {
		v.Webhooks = append(v.Webhooks, choice{Value: h.ID, Words: visible(h.URL), Chosen: h.ID == chosen.ID})
	}
	q := searchQuery(r, "webhook", "status", "type", "business")
	f := webhook.Filter{Status: knownStatus(q.get("status")), Type: knownType(q.get("type")), BusinessID: q.get("business")}
	found, err := s.Webhooks.Search(r.Context(), in.app.ID, in.who.user.ID, chosen.ID, f, params.Get("cursor"))
	if err != nil {
		return err
	}
	v.Statuses, v.Types, v.Filtered, v.List = statusChoices(f.Status), typeChoices(f.Type, chosen.Events), f != webhook.Filter{}, in.deliveryLines(found.Deliveries)
	v.Rest, v.Test, v.Business = in.path("/webhooks/%s", chosen.ID), in.path("/webhooks/%s#test", chosen.ID), visible(f.BusinessID)
	if v.Pager = q.pager(found.Next); v.Pager.First == "" { // what is further back does not change
		v.Live = v.Rest + "/deliveries" + filterQuery(f)
	}
	consoleDeliveriesPage.write(w, r, s, http.StatusOK, in.frame("Deliveries", "Deliveries"), v)
	return nil
}

// filterQuery asks the REST list for the same.
func filterQuery(f webhook.Filter) string {
	q := url.Values{}
	for name, value := range map[string]string{"status": string(f.Status), "type": string(f.Type), "businessId": f.BusinessID} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}

var statusOrder = []webhook.Status{webhook.Queued, webhook.Retrying, webhook.Delivered, webhook.Failed}

// knownStatus and knownType forget what does not exist: an address that somebody changed shows everything.
func knownStatus(word string) webhook.Status {
	if !slices.Contains(statusOrder, webhook.Status(word)) {
		return ""
	}
	return webhook.Status(word)
}

func knownType(word string) event.Type {
	e, _ := event.Find(event.Type(word))
	return e.Type
}

func statusChoices(chosen webhook.Status) []choice {
	list := []choice{{Value: "", Words: "any status"}}
	for _, s := range statusOrder {
		list = append(list, choice{Value: string(s), Words: string(s), Chosen: s == chosen})
	}
	return list
}

// typeChoices offers what the webhook hears of, and what is asked for besides.
func typeChoices(chosen event.Type, heard []event.Type) []choice {
	list := []choice{{Value: "", Words: "any event"}}
	if chosen != "" && !slices.Contains(heard, chosen) {
		heard = append(slices.Clone(heard), chosen)
	}
	for _, t := range heard {
		list = append(list, choice{Value: string(t), Words: string(t), Chosen: t == chosen})
	}
	return list
}

// spans of time, in seconds before now.
func spans() []choice {
	return []choice{{Value: "3600", Words: "the last hour"}, {Value: "86400", Words: "the last 24 hours", Chosen: true}, {Value: "604800", Words: "the last 7 days"}, {Value: "2592000", Words: "the last 30 days"}}
}

// requeued says what came of queuing failed deliveries again.
func requeued(r *http.Request) string {
	q := r.URL.Query()
	if !q.Has("queued") {
		return ""
	}
	queued, err := strconv.Atoi(q.Get("queued"))
	refused, wrong := strconv.Atoi(q.Get("refused"))
	if err != nil || wrong != nil || queued < 0 || refused < 0 {
		return ""
	}
	switch {
	case queued == 0 && refused == 0:
		return "Nothing failed in that time."
	case refused == 0:
		return counted(queued, "delivery is", "deliveries are") + " queued again."
	}
	return counted(queued, "delivery is", "deliveries are") + " queued again; " + counted(refused, "was", "were") + " not, because the app is no longer installed there or lacks the scope."
}
