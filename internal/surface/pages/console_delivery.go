package pages

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/internal/platform/webhook"
)

type consoleDeliveryView struct {
	ID, EventID, Type, Business, URL string
	Test                             bool
	State                            state
	Rest, Here                       string
	Live                             string // where to ask how it goes; empty when nothing is to come
	// Verdict says in a sentence how it stands.
	Verdict     verdict
	Tiles       []tile
	Attempts    []attemptLine
	Headers     []header
	Pretty, Raw string
	Signature   *signatureView
	May         may
	WhyNot      string // it cannot be sent again
	Created     moment
	Next        *moment
	WebhookPath string
}

// verdict is how a delivery stands, and what to do about it.
type verdict struct{ Tone, Words, Advice string }

type tile struct{ Figure, Words string }

type header struct{ Name, Value string }

type attemptLine struct {
	Number                   int
	Tone, Outcome, Took      string
	Answer, Error, Signature string
	At                       moment
	Exact                    string
	Same                     bool // the same answer as at the attempt after it
}

// signatureView has the parts of the signature of the newest attempt.
type signatureView struct {
	Header, Stamp string
	Values        []string
	Begins        string // what is signed
	Signed        moment
}

var consoleDeliveryPage = newPage[consoleDeliveryView]("console-delivery.html")

// consoleDelivery is the inspector: what was sent, what came back, and why it is where it is.
func (s *Site) consoleDelivery(w http.ResponseWriter, r *http.Request, in inApp) error {
	h, err := s.Webhooks.Get(r.Context(), in.app.ID, in.who.user.ID, r.PathValue("webhookId"))
	if err != nil {
		return err
	}
	d, attempts, err := s.Webhooks.Delivery(r.Context(), in.app.ID, in.who.user.ID, h.ID, r.PathValue("deliveryId"))
	if err != nil {
		return err
	}
	here := in.path("/webhooks/%s/deliveries/%s", h.ID, d.ID)
	v := consoleDeliveryView{
		ID: d.ID, EventID: text(d.EventID), Type: string(d.Type), Business: d.BusinessID, URL: visible(h.URL), Test: d.BusinessID == webhook.TestBusiness,
		State: deliveryState(d.Status), Rest: here, Here: here, Verdict: judge(d, attempts, in.now), Tiles: tiles(d, attempts),
		Headers: headers(d), Pretty: pretty(d.Body), Raw: visible(d.Body), May: in.may(), Created: when(d.CreatedAt, in.now),
		WebhookPath: in.path("/webhooks/%s", h.ID),
	}
	refusal, err := s.Webhooks.MayRedeliver(r.Context(), in.app.ID, in.who.user.ID, h.ID, d.ID)
	if err != nil {
		return err
	}
	if refusal != nil {
		v.WhyNot = refusal.Text()
	}
	if d.Status == webhook.Queued || d.Status == webhook.Retrying {
		v.Live = here
	}
	if d.Status == webhook.Retrying {
		v.Next = whenever(d.DueAt, in.now)
	}
	v.Attempts = in.attemptLines(attempts)
	if n := len(attempts); n > 0 {
		v.Signature = signatureOf(attempts[n-1], d.Body, in.now)
	}
	way := []crumb{{hostOf(h.URL), in.path("/deliveries?webhook=%s", h.ID)}, {string(d.Type), ""}}
	consoleDeliveryPage.write(w, r, s, http.StatusOK, in.frame("Deliveries", string(d.Type), way...), v)
	return nil
}

// pretty is JSON with a member on each line.
func pretty(text string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return visible(text)
	}
	lines := strings.Split(out.String(), "\n")
	for i, line := range lines {
		lines[i] = visible(line)
	}
	return strings.Join(lines, "\n")
}

func headers(d webhook.Delivery) []header {
	all := d.Header()
	var list []header
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, header{name, visible(all[name][0])})
	}
	return list
}

// judge says how a delivery stands.
func judge(d webhook.Delivery, attempts []webhook.Attempt, now time.Time) verdict {
	why := visible(text(d.LastError))
	switch d.Status {
	case webhook.Delivered:
		v := verdict{Tone: "good", Words: "Delivered."}
		if n := len(attempts); n > 0 && attempts[n-1].Status != nil {
			v.Advice = "The receiver answered " + statusWords(*attempts[n-1].Status) + " after " + took(attempts[n-1].Duration) + "."
		}
		return v
	case webhook.Queued:
		return verdict{Tone: "wait", Words: "On its way.", Advice: "This page shows what comes of it."}
	case webhook.Retrying:
		v := verdict{Tone: "warn", Words: "Attempt " + strconv.Itoa(d.Attempts) + " of " + strconv.Itoa(webhook.MaxAttempts) + " failed: " + why + "."}
		if d.DueAt != nil {
			v.Advice = "The next one is due " + ago(*d.DueAt, now) + ". " + adviceFor(d)
		}
		return v
	}
	if d.Attempts == 0 || d.ResponseCode == nil && len(attempts) > 0 && text(attempts[len(attempts)-1].Error) != text(d.LastError) {
		return verdict{Tone: "bad", Words: "Not sent: " + why + ".", Advice: dropAdvice[webhook.Drop(text(d.LastError))]}
	}
	return verdict{
		Tone: "bad", Words: "Failed after " + counted(d.Attempts, "attempt", "attempts") + ": " + why + ".",
		Advice: adviceFor(d) + " Then redeliver: the id stays the same, the signature is fresh.",
	}
}

// dropAdvice says what to do about a delivery that was not even sent.
var dropAdvice = map[webhook.Drop]string{
	webhook.Off:          "Switch the webhook on, then redeliver.",
	webhook.Suspended:    "Only the operator can lift the suspension.",
	webhook.Deactivated:  "Reactivate the app under Settings, then redeliver.",
	webhook.NotInstalled: "The business must connect the app again.",
	webhook.NotHeld:      "Register the scope under Scopes and have it granted, then redeliver.",
	webhook.NotGranted:   "The business must grant the scope at a new consent, then redeliver.",
}

// adviceFor says what to look at, by how the last attempt ended.
func adviceFor(d webhook.Delivery) string {
	if d.ResponseCode == nil {
		return "Check that the address is reachable from outside and answers within 10 seconds."
	}
	switch code := *d.ResponseCode; {
	case code >= 500:
		return "Your receiver ran into an error: look at its log at these times."
	case code == http.StatusUnauthorized || code == http.StatusForbidden || code == http.StatusBadRequest:
		return "Your receiver refused it: check how it verifies the signature, step by step below."
	case code == http.StatusNotFound || code == http.StatusGone || code == http.StatusMethodNotAllowed:
		return "There is nothing at this address that takes a POST: check the path."
	case code >= 300 && code < 400:
		return "Redirects are not followed: enter the address that it leads to."
	case code == http.StatusTooManyRequests:
		return "Your receiver was busy: answer at once, and work afterwards."
	}
	return "Answer with a status from 200 to 299 within 10 seconds."
}

func tiles(d webhook.Delivery, attempts []webhook.Attempt) []tile {
	list := []tile{{strconv.Itoa(d.Attempts) + " of " + strconv.Itoa(webhook.MaxAttempts), "attempts"}}
	n := len(attempts)
	if n == 0 {
		return list
	}
	last := "none"
	if d.ResponseCode != nil {
		last = strconv.Itoa(*d.ResponseCode)
	}
	var slowest time.Duration
	for _, a := range attempts {
		slowest = max(slowest, a.Duration)
	}
	list = append(list, tile{last, "last answer"}, tile{took(slowest), "slowest attempt"})
	if n > 1 {
		list = append(list, tile{took(attempts[n-1].At.Sub(attempts[0].At)), "from first to last"})
	}
	return list
}

// attemptLines are the attempts, newest first. What a receiver answers time after time is shown once.
func (in inApp) attemptLines(attempts []webhook.Attempt) []attemptLine {
	var list []attemptLine
	shown := ""
	for _, a := range slices.Backward(attempts) {
		line := in.attemptLine(a)
		switch {
		case line.Answer == "":
		case line.Answer == shown:
			line.Answer, line.Same = "", true
		default:
			shown = line.Answer
		}
		list = append(list, line)
	}
	return list
}

func (in inApp) attemptLine(a webhook.Attempt) attemptLine {
	line := attemptLine{
		Number: a.Number, Tone: "bad", Outcome: "No answer", Took: took(a.Duration), Answer: visible(text(a.Answer)), Error: visible(text(a.Error)),
		Signature: a.Signature, At: when(a.At, in.now), Exact: a.At.UTC().Format("15:04:05"),
	}
	if a.Status != nil {
		line.Outcome, line.Error = statusWords(*a.Status), "" // it says no more than the status
		if *a.Status >= 200 && *a.Status <= 299 {
			line.Tone = "good"
		}
	}
	return line
}

func statusWords(code int) string {
	if name := http.StatusText(code); name != "" {
		return strconv.Itoa(code) + " " + name
	}
	return strconv.Itoa(code)
}

// signatureOf takes a signature apart.
func signatureOf(a webhook.Attempt, body string, now time.Time) *signatureView {
	v := &signatureView{Header: a.Signature, Signed: when(a.At, now)}
	for part := range strings.SplitSeq(a.Signature, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "t":
			v.Stamp = value
		case "v1":
			v.Values = append(v.Values, value)
		}
	}
	const shown = 60
	begins := []rune(body)
	if len(begins) > shown {
		begins = append(begins[:shown:shown], '…')
	}
	v.Begins = visible(v.Stamp + "." + string(begins))
	return v
}
