package torture_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"
)

// hookWriter writes invoices in one business over the API, and keeps a journal of it.
type hookWriter struct {
	name     string
	business string // its id
	token    string
	customer string
	rate     string
	http     *http.Client

	count int
	draft string // an invoice that is to be issued next
	// asked is a request that was not answered: nobody knows whether it happened until it is asked again.
	asked *hookCall
	// acknowledged tells for every invoice that was answered whether it was issued.
	acknowledged map[string]bool
	references   []string // of those, one each

	answered, unknown, replayed int
}

// hookCall is a request that changes something, under a name of its own.
type hookCall struct{ path, key, body, reference string }

func newHookWriter(t *testing.T, name, business, token, base string) *hookWriter {
	t.Helper()
	w := &hookWriter{name: name, business: business, token: token, http: newRunner(t, 1), acknowledged: map[string]bool{}}
	var customer struct{ ID string }
	w.setUp(t, base, http.MethodPost, "/customers", `{"displayName":"`+name+`"}`, &customer)
	var rates struct{ Data []struct{ ID string } }
	w.setUp(t, base, http.MethodGet, "/tax-rates?category=STANDARD", "", &rates)
	if customer.ID == "" || len(rates.Data) == 0 {
		t.Fatal("no customer or no rate of tax")
	}
	w.customer, w.rate = customer.ID, rates.Data[0].ID
	return w
}

func (w *hookWriter) setUp(t *testing.T, base, method, path, body string, into any) {
	t.Helper()
	status, text, _, err := w.send(base, method, hookCall{path: path, body: body})
	must(t, err)
	if status >= 300 {
		t.Fatalf("%s %s: %d\n%s", method, path, status, text)
	}
	must(t, json.Unmarshal(text, into))
}

// step asks for one change. It is false when the node no longer answers.
func (w *hookWriter) step(t *testing.T, base string, chance *rand.Rand) bool {
	if w.asked == nil {
		w.count++
		key := fmt.Sprintf("%s-%d", w.name, w.count)
		switch {
		case w.draft != "":
			w.asked = &hookCall{path: "/invoices/" + w.draft + "/issue", key: key, body: `{}`}
		default:
			w.asked = &hookCall{path: "/invoices", key: key, reference: key, body: fmt.Sprintf(
				`{"customerId":%q,"issue":%v,"reference":%q,"lines":[{"description":"Bread","quantity":"3","unitPrice":"10.07","taxRateId":%q}]}`,
				w.customer, chance.IntN(2) == 0, key, w.rate)}
		}
	}
	status, text, header, err := w.send(base, http.MethodPost, *w.asked)
	if err != nil {
		w.unknown++
		return false
	}
	var invoice struct{ ID, Status string }
	if err := json.Unmarshal(text, &invoice); err != nil || status >= 300 || invoice.ID == "" {
		t.Errorf("POST %s: %d\n%s", w.asked.path, status, text)
		return false
	}
	w.answered++
	if header.Get("Idempotent-Replayed") != "" {
		w.replayed++
	}
	if w.asked.reference != "" {
		w.references = append(w.references, w.asked.reference)
	}
	w.asked, w.draft = nil, ""
	w.acknowledged[invoice.ID] = invoice.Status != "DRAFT"
	if invoice.Status == "DRAFT" && chance.IntN(4) > 0 {
		w.draft = invoice.ID
	}
	return true
}

func (w *hookWriter) send(base, method string, c hookCall) (status int, text []byte, header http.Header, err error) {
	r, err := http.NewRequest(method, base+c.path, strings.NewReader(c.body))
	if err != nil {
		return 0, nil, nil, err
	}
	r.Header.Set("Authorization", "Bearer "+w.token)
	if c.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.key != "" {
		r.Header.Set("Idempotency-Key", c.key)
	}
	answer, err := w.http.Do(r)
	if err != nil {
		return 0, nil, nil, err
	}
	defer answer.Body.Close()
	text, err = io.ReadAll(answer.Body)
	return answer.StatusCode, text, answer.Header, err
}

// hookToken has an app's token given for a business, by the endpoint of development mode.
func hookToken(t testing.TB, base, clientID, business string) string {
	t.Helper()
	body := fmt.Sprintf(`{"clientId":%q,"userEmail":"hana@example.test","businessId":%q}`, clientID, business)
	answer, err := (&http.Client{Timeout: 30 * time.Second}).Post(base+"/dev/tokens", "application/json", strings.NewReader(body))
	must(t, err)
	defer answer.Body.Close()
	var given struct {
		AccessToken string `json:"access_token"`
	}
	text, err := io.ReadAll(answer.Body)
	must(t, err)
	if err := json.Unmarshal(text, &given); err != nil || given.AccessToken == "" {
		t.Fatalf("no token: %d\n%s", answer.StatusCode, text)
	}
	return given.AccessToken
}
