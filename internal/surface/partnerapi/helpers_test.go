package partnerapi

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/limit"
	"daybook/internal/base/secret"
	"daybook/internal/books/bulk"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/payment"
	"daybook/internal/books/report"
	"daybook/internal/books/tax"
	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/event"
	"daybook/internal/platform/idem"
	"daybook/internal/platform/install"
	"daybook/internal/platform/oauth"
	"daybook/internal/platform/scope"
	"daybook/internal/schema/dbtest"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
	"daybook/internal/tenancy/organization"
)

var ctx = context.Background()

const (
	origin   = "https://api.example"
	callback = "https://app.example/callback"
	verifier = "correct-horse-battery-staple-correct-horse-battery"
)

// everything is each scope that an app can have.
var everything = func() scope.Set {
	var all []scope.Scope
	for _, e := range scope.Catalog {
		if scope.Partner(e.Scope) {
			all = append(all, e.Scope)
		}
	}
	return scope.Of(all...)
}()

// world is a shop with books, its people, an app, and the API in front of it all.
type world struct {
	*dbtest.Store
	t         testing.TB
	api       *API
	handler   http.Handler
	meter     *meter
	apps      *app.Service
	keys      *secret.Keys
	developer string
	app       app.App
	owner     string
	shop      string
}

// meter remembers what it is told.
type meter struct {
	mu    sync.Mutex
	calls []Call
}

func (m *meter) Count(c Call) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = append(m.calls, c)
}

func (m *meter) last(t testing.TB) Call {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.calls) == 0 {
		t.Fatal("nothing was counted")
	}
	return m.calls[len(m.calls)-1]
}

// each gives the test a world on each database.
func eachStore(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) { test(t, newWorld(t, s)) })
}

func newWorld(t testing.TB, s *dbtest.Store) *world {
	t.Helper()
	w := &world{Store: s, t: t, meter: &meter{}, keys: secret.RandomKeys()}
	a := &API{ServiceName: "Daybook", BaseURL: origin, Clock: s.Clock, Limits: limit.NewLocal(s.Clock), Meter: w.meter}
	a.Identity = &identity.Service{DB: s.DB, IDs: s.IDs, Keys: w.keys}
	a.Businesses = &business.Service{DB: s.DB, IDs: s.IDs, Identity: a.Identity}
	a.Installations = &install.Service{DB: s.DB, IDs: s.IDs}
	a.Idem = &idem.Service{DB: s.DB, Refusal: Refusal}
	a.Events = &event.Feed{DB: s.DB, Log: &event.Log{IDs: s.IDs}, Clock: s.Clock}
	a.Ledger = &ledger.Service{DB: s.DB, IDs: s.IDs, Events: a.Events.Log}
	a.Taxes = &tax.Service{DB: s.DB, Ledger: a.Ledger}
	a.Parties = &party.Service{DB: s.DB, Ledger: a.Ledger, Taxes: a.Taxes}
	a.Invoices = &invoice.Service{DB: s.DB, Ledger: a.Ledger, Parties: a.Parties, Taxes: a.Taxes}
	a.Payments = &payment.Service{DB: s.DB, Ledger: a.Ledger, Parties: a.Parties, Invoices: a.Invoices}
	a.Imports = &bulk.Service{DB: s.DB, Ledger: a.Ledger, Parties: a.Parties, Invoices: a.Invoices, Payments: a.Payments}
	a.Reports = &report.Service{DB: s.DB, Invoices: a.Invoices}
	a.AppData = &appdata.Service{DB: s.DB, IDs: s.IDs, Events: a.Events.Log, Records: allThere{}}
	w.apps = &app.Service{DB: s.DB, IDs: s.IDs, Keys: w.keys}
	a.OAuth = &oauth.Service{DB: s.DB, IDs: s.IDs, Keys: w.keys, Apps: w.apps, Installs: a.Installations, Issuer: origin, Log: slog.New(slog.DiscardHandler)}
	w.api = a

	w.developer, w.owner = s.Person(t), s.Person(t)
	acme, err := (&organization.Service{DB: s.DB, IDs: s.IDs}).Create(ctx, "Acme", w.developer)
	must(t, err)
	w.app = w.newApp(acme.ID)
	w.shop = w.newShop(business.New{Name: "Shop", Country: "NL", Currency: "EUR", Plan: "SCALE"}, w.owner)

	w.handler = w.node(a)
	return w
}

// node is a process that serves the API.
func (w *world) node(a *API) http.Handler {
	mux := http.NewServeMux()
	a.Register(mux)
	mux.Handle("GET /installations", wire.JSON(func(w http.ResponseWriter, _ *http.Request) error {
		wire.WriteJSON(w, http.StatusOK, map[string]string{"by": "session"})
		return nil
	}))
	return wire.Front{
		Host: "api", IDs: w.IDs, Log: slog.New(slog.DiscardHandler), Fail: wire.WriteErrorAs, Guard: http.NewCrossOriginProtection(), MaxBody: 1 << 20,
		Divert: a.Divert,
	}.Wrap(mux)
}

func (w *world) newApp(organizationID string) (a app.App) {
	w.t.Helper()
	create, err := w.apps.Prepare(organizationID, w.developer, app.New{
		Name: "Sync", ClientType: app.Confidential, RedirectURIs: []string{callback}, Scopes: everything,
	}, app.Given{ReviewStatus: app.Approved})
	must(w.t, err)
	must(w.t, w.Write(ctx, func(tx *db.Tx) error {
		made, err := create(ctx, tx)
		a = made.App
		return err
	}))
	return a
}

// newShop makes a business with books.
func (w *world) newShop(n business.New, owner string) (businessID string) {
	w.t.Helper()
	b, err := w.api.Businesses.Create(ctx, n, owner)
	must(w.t, err)
	must(w.t, w.Write(ctx, func(tx *db.Tx) error {
		if err := w.api.Ledger.OpenBooks(ctx, tx, b.ID); err != nil {
			return err
		}
		return w.api.Taxes.OpenRates(ctx, tx, b.ID, n.Country)
	}))
	return b.ID
}

// member is one more person in the shop.
func (w *world) member(role business.Role) (userID string) {
	w.t.Helper()
	userID = w.Person(w.t)
	must(w.t, w.api.Businesses.AddMember(ctx, w.shop, w.owner, userID, role))
	return userID
}

// token goes through consent and code: the app, in the name of that user, in that business.
func (w *world) token(businessID, userID string, scopes ...scope.Scope) string {
	w.t.Helper()
	sum := sha256.Sum256([]byte(verifier))
	handle, err := w.api.OAuth.Hold(ctx, w.app, oauth.Ask{
		ClientID: w.app.ClientID, RedirectURI: callback, Scopes: scope.Of(scopes...), Challenge: base64.RawURLEncoding.EncodeToString(sum[:]),
	}, "session")
	must(w.t, err)
	target, err := w.api.OAuth.Decide(ctx, handle, oauth.Decision{Allow: true, BusinessID: businessID, UserID: userID, SessionID: "session"})
	must(w.t, err)
	back, err := url.Parse(target)
	must(w.t, err)
	tokens, denial, failed, err := w.api.OAuth.Redeem(ctx, oauth.Vouch(w.app), oauth.Redemption{
		Code: secret.Of(back.Query().Get("code")), RedirectURI: callback, Verifier: verifier,
	})
	must(w.t, err)
	if denial != nil || failed {
		w.t.Fatalf("no tokens: %v", denial)
	}
	return tokens.Access.Reveal()
}

// all is a token of the owner with every scope.
func (w *world) all() string { return w.token(w.shop, w.owner, everything...) }

// cookie signs a person in.
func (w *world) cookie(userID string) string {
	w.t.Helper()
	token := secret.Mint(secret.SessionID)
	must(w.t, w.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at) VALUES ($1, $2, $3, $4, $4, $5)`,
			w.IDs.New("ses"), w.keys.Hash("session", token), userID, w.Clock.Now(), w.Clock.Now().AddDate(1, 0, 0))
		return err
	}))
	return w.api.Cookie.Name() + "=" + token.Reveal()
}

// answer is what came back.
type answer struct {
	t testing.TB
	*httptest.ResponseRecorder
}

// header lines of a request, in pairs.
type header []string

func bearer(token string) header { return header{"Authorization", "Bearer " + token} }

func (h header) with(more ...string) header { return append(append(header{}, h...), more...) }

// call sends a request. A body that is not text is written as JSON.
func (w *world) call(h header, method, path string, body any) answer {
	w.t.Helper()
	return w.send(ctx, w.handler, h, method, path, body)
}

func (w *world) send(ctx context.Context, node http.Handler, h header, method, path string, body any) answer {
	w.t.Helper()
	var reader io.Reader
	if body != nil {
		text, ok := body.(string)
		if !ok {
			bytes, err := json.Marshal(body)
			must(w.t, err)
			text = string(bytes)
		}
		reader = strings.NewReader(text)
	}
	r := httptest.NewRequestWithContext(ctx, method, origin+path, reader)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(h); i += 2 {
		r.Header.Set(h[i], h[i+1])
	}
	out := httptest.NewRecorder()
	node.ServeHTTP(out, r)
	return answer{w.t, out}
}

type object = map[string]any

// object is the body, whose numbers stay as they were written.
func (a answer) object() object {
	a.t.Helper()
	var o object
	d := json.NewDecoder(strings.NewReader(a.Body.String()))
	d.UseNumber()
	if err := d.Decode(&o); err != nil {
		a.t.Fatalf("%d %q: %v", a.Code, a.Body, err)
	}
	return o
}

// is fails unless the answer has that status and, for a refusal, that code.
func (a answer) is(status int, code string) answer {
	a.t.Helper()
	if a.Code != status {
		a.t.Fatalf("%d, want %d: %s", a.Code, status, a.Body)
	}
	if status < 400 {
		return a
	}
	o := a.object()
	if got, _ := o["code"].(string); got != code || o["error"] != http.StatusText(status) || o["statusCode"].(json.Number).String() != strings.Fields(a.Result().Status)[0] {
		a.t.Fatalf("want code %q: %s", code, a.Body)
	}
	return a
}

// offences are the messages of a validation failure.
func (a answer) offences() []string {
	a.t.Helper()
	a.is(http.StatusBadRequest, "")
	list, ok := a.object()["message"].([]any)
	if !ok {
		a.t.Fatalf("no array: %s", a.Body)
	}
	var out []string
	for _, m := range list {
		out = append(out, m.(string))
	}
	return out
}

// text is a member of the body, which must be a string.
func (a answer) text(member string) string {
	a.t.Helper()
	s, ok := a.object()[member].(string)
	if !ok {
		a.t.Fatalf("no %s in %s", member, a.Body)
	}
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// customer makes one, by the owner.
func (w *world) customer(token string) string {
	w.t.Helper()
	return w.call(bearer(token), "POST", "/customers", object{"displayName": "Ada", "paymentTermsDays": 14}).is(201, "").text("id")
}

// invoice makes one that is issued.
func (w *world) invoice(token, customerID string) string {
	w.t.Helper()
	return w.call(bearer(token), "POST", "/invoices", object{
		"customerId": customerID, "issue": true, "lines": []object{{"description": "Bread", "quantity": "2", "unitPrice": "12.50"}},
	}).is(201, "").text("id")
}

// account is the one with that code.
func (w *world) account(token, code string) string {
	w.t.Helper()
	list := w.call(bearer(token), "GET", "/accounts?code="+code, nil).is(200, "").object()["data"].([]any)
	return list[0].(object)["id"].(string)
}

// events counts the events of a type in the shop.
func (w *world) events(eventType event.Type) (n int) {
	w.t.Helper()
	must(w.t, w.Read(ctx, func(tx *db.Tx) (err error) {
		n, err = db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM events WHERE business_id = $1 AND type = $2`, w.shop, eventType)
		return err
	}))
	return n
}
