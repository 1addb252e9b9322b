package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"log/slog"
	"net/url"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/install"
	"daybook/internal/platform/scope"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/organization"
)

var ctx = context.Background()

const (
	issuer   = "https://api.example"
	callback = "https://app.example/callback"
	verifier = "correct-horse-battery-staple-correct-horse-battery"
)

// challenge is the S256 challenge of the verifier.
var challenge = challengeOf(verifier)

func challengeOf(v string) string {
	sum := sha256.Sum256([]byte(v))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// registered is what every app here may ask for, asked what it asks for unless a test says otherwise.
var (
	registered = scope.Of(scope.ProfileRead, scope.InvoicesRead, scope.InvoicesWrite, scope.CustomersRead)
	asked      = scope.Of(scope.ProfileRead, scope.InvoicesRead)
)

// client is an app with what it proves itself by.
type client struct {
	app.App
	secret secret.Secret
}

func (c client) proof() Proof {
	if c.secret.Empty() {
		return Proof{ClientID: c.ClientID}
	}
	return Proof{ClientID: c.ClientID, Secret: &c.secret}
}

// world is a shop with an owner, and three apps that passed review.
type world struct {
	*dbtest.Store
	*Service
	businesses    *business.Service
	organizations *organization.Service

	acme, developer   string // the organization behind the apps, and its owner
	mine, other, open client // two that keep a secret, and a public one
	shop              string
	owner             string
	session           string // of the owner

	proofs *sync.Map // by app id: Proof
}

// redeemAt does what the token endpoint of that node does: the client is proven from memory as soon as it is known there.
func redeemAt(s *Service, c client, r Redemption) (Tokens, *Denial, error) {
	proven, failed, err := s.ProveForGrant(ctx, c.proof())
	if failed || err != nil {
		return Tokens{}, denyUnproven, err
	}
	tokens, denial, failed, err := s.Redeem(ctx, proven, r)
	if failed {
		denial = denyUnproven
	}
	return tokens, denial, err
}

// refreshAt: see redeemAt.
func refreshAt(s *Service, c client, r Renewal) (Tokens, *Denial, error) {
	proven, failed, err := s.ProveForGrant(ctx, c.proof())
	if failed || err != nil {
		return Tokens{}, denyUnproven, err
	}
	tokens, denial, failed, err := s.Refresh(ctx, proven, r)
	if failed {
		denial = denyUnproven
	}
	return tokens, denial, err
}

// denyUnproven stands for a client that does not prove itself, or no longer.
var denyUnproven = &Denial{Code: "invalid_client"}

// Refresh is the service's for an app that is beyond doubt, from memory where it is known.
func (w *world) Refresh(ctx context.Context, a app.App, r Renewal) (Tokens, *Denial, error) {
	tokens, denial, failed, err := w.Service.Refresh(ctx, w.client(a), r)
	if failed {
		denial = denyUnproven
	}
	return tokens, denial, err
}

// Redeem: see Refresh.
func (w *world) Redeem(ctx context.Context, a app.App, r Redemption) (Tokens, *Denial, error) {
	tokens, denial, failed, err := w.Service.Redeem(ctx, w.client(a), r)
	if failed {
		denial = denyUnproven
	}
	return tokens, denial, err
}

func (w *world) client(a app.App) Client {
	p, ok := w.proofs.Load(a.ID)
	if c, revision, known := w.memory.client(a.ClientID); ok && known {
		if hash, proven := w.proves(c, p.(Proof)); proven {
			return Client{App: c.App, remembered: true, revision: revision, proof: p.(Proof), hash: hash}
		}
	}
	return Vouch(a)
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) { test(t, newWorld(t, s)) })
}

func newWorld(t tb, s *dbtest.Store) *world {
	t.Helper()
	keys := secret.RandomKeys()
	w := &world{
		proofs: new(sync.Map),
		Store:  s, businesses: &business.Service{DB: s.DB, IDs: s.IDs}, organizations: &organization.Service{DB: s.DB, IDs: s.IDs},
		Service: &Service{
			DB: s.DB, IDs: s.IDs, Keys: keys, Apps: &app.Service{DB: s.DB, IDs: s.IDs, Keys: keys}, Installs: &install.Service{DB: s.DB, IDs: s.IDs},
			Issuer: issuer, Log: slog.New(slog.DiscardHandler),
		},
	}
	w.developer, w.owner = w.person(t), w.person(t)
	o, err := w.organizations.Create(ctx, "Acme", w.developer)
	must(t, err)
	w.acme = o.ID
	w.mine, w.other, w.open = w.newClient(t, app.Confidential), w.newClient(t, app.Confidential), w.newClient(t, app.Public)
	w.shop = w.newBusiness(t)
	w.session = w.signIn(t, w.owner)
	must(t, w.RotateKeys(ctx))
	return w
}

// Store and Service both have a DB and IDs: one and the same.
func (w *world) db() *db.DB { return w.Store.DB }

// person puts a user into the store who never signs in.
func (w *world) person(t tb) (userID string) { t.Helper(); return w.Person(t) }

// signIn opens a session for longer than any test turns the clock.
func (w *world) signIn(t tb, userID string) (sessionID string) {
	t.Helper()
	sessionID = w.Store.IDs.New(id.Session)
	w.exec(t, `INSERT INTO sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at) VALUES ($1, $2, $3, $4, $4, $5)`,
		sessionID, []byte(sessionID), userID, w.Clock.Now(), w.Clock.Now().AddDate(10, 0, 0))
	return sessionID
}

func (w *world) newBusiness(t tb) (businessID string) {
	t.Helper()
	b, err := w.businesses.Create(ctx, business.New{Name: "Shop", Country: "NL", Currency: "EUR"}, w.owner)
	must(t, err)
	return b.ID
}

func (w *world) newClient(t tb, kind app.ClientType) (c client) {
	t.Helper()
	create, err := w.Apps.Prepare(w.acme, w.developer, app.New{
		Name: "Ledger", ClientType: kind, RedirectURIs: []string{callback}, Scopes: registered,
	}, app.Given{ReviewStatus: app.Approved})
	must(t, err)
	must(t, w.db().Write(ctx, func(tx *db.Tx) error {
		made, err := create(ctx, tx)
		c = client{made.App, made.ClientSecret}
		return err
	}))
	w.proofs.Store(c.ID, c.proof())
	return c
}

// hold keeps a request of the client for the owner's browser.
func (w *world) hold(t tb, c client) secret.Secret {
	t.Helper()
	handle, err := w.Hold(ctx, c.App, Ask{ClientID: c.ClientID, RedirectURI: callback, Scopes: asked, Challenge: challenge}, w.session)
	must(t, err)
	return handle
}

func (w *world) yes() Decision {
	return Decision{Allow: true, BusinessID: w.shop, UserID: w.owner, SessionID: w.session}
}

// code goes through the consent page.
func (w *world) code(t tb, c client) secret.Secret {
	t.Helper()
	target, err := w.Decide(ctx, w.hold(t, c), w.yes())
	must(t, err)
	return codeIn(t, target)
}

func codeIn(t tb, target string) secret.Secret {
	t.Helper()
	u, err := url.Parse(target)
	must(t, err)
	if u.Query().Get("code") == "" {
		t.Fatalf("no code in %q", target)
	}
	return secret.Of(u.Query().Get("code"))
}

func right(code secret.Secret) Redemption {
	return Redemption{Code: code, RedirectURI: callback, Verifier: verifier}
}

// tokens are those of a new family.
func (w *world) tokens(t tb, c client) Tokens {
	t.Helper()
	return granted(t)(w.Redeem(ctx, c.App, right(w.code(t, c))))
}

// tokensOf gives the client tokens in the name of another member.
func (w *world) tokensOf(t tb, c client, userID string) Tokens {
	t.Helper()
	session := w.signIn(t, userID)
	handle, err := w.Hold(ctx, c.App, Ask{ClientID: c.ClientID, RedirectURI: callback, Scopes: asked, Challenge: challenge}, session)
	must(t, err)
	target, err := w.Decide(ctx, handle, Decision{Allow: true, BusinessID: w.shop, UserID: userID, SessionID: session})
	must(t, err)
	return granted(t)(w.Redeem(ctx, c.App, right(codeIn(t, target))))
}

// deviceStart mints a device code for the client.
func (w *world) deviceStart(t tb, c client) DeviceStart {
	t.Helper()
	start, denial, err := w.StartDevice(ctx, c.App, asked, "127.0.0.1")
	must(t, err)
	if denial != nil {
		t.Fatalf("denied: %+v", *denial)
	}
	return start
}

// sessionToken is one for the client's page in the owner's browser.
func (w *world) sessionToken(t tb, c client) secret.Secret {
	t.Helper()
	token, err := w.IssueSessionToken(ctx, Embedding{ClientID: c.ClientID, BusinessID: w.shop, UserID: w.owner, SessionID: w.session, Locale: "en"})
	must(t, err)
	return token
}

// install connects the client to the shop without a code.
func (w *world) install(t tb, c client) install.Approved {
	t.Helper()
	done, err := w.Installs.Approve(ctx, install.Approval{AppID: c.ID, BusinessID: w.shop, UserID: w.owner, Scopes: asked})
	must(t, err)
	return done
}

// live tells whether the client's introspection finds the token active.
func (w *world) live(t tb, c client, token secret.Secret) bool {
	t.Helper()
	in, failed, err := w.Introspect(ctx, c.proof(), token)
	must(t, err)
	if failed {
		t.Fatal("the client did not prove itself")
	}
	return in.Active
}

func (w *world) exec(t tb, sql string, args ...any) {
	t.Helper()
	must(t, w.db().Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	}))
}

func (w *world) count(t tb, sql string, args ...any) (n int) {
	t.Helper()
	must(t, w.db().Read(ctx, func(tx *db.Tx) (err error) {
		n, err = db.One(ctx, tx, db.Value[int], sql, args...)
		return err
	}))
	return n
}

// granted fails the test unless a grant gave tokens.
func granted(t tb) func(Tokens, *Denial, error) Tokens {
	return func(tokens Tokens, denial *Denial, err error) Tokens {
		t.Helper()
		must(t, err)
		if denial != nil {
			t.Fatalf("denied: %+v", *denial)
		}
		return tokens
	}
}

// denied fails the test unless a grant was denied in exactly this way.
func denied(t tb, want *Denial) func(Tokens, *Denial, error) {
	return func(tokens Tokens, denial *Denial, err error) {
		t.Helper()
		must(t, err)
		if tokens.Access != (secret.Secret{}) || tokens.Refresh != (secret.Secret{}) {
			t.Errorf("tokens in spite of %v", denial)
		}
		if say(denial) != say(want) {
			t.Errorf("told %q, want %q", say(denial), say(want))
		}
	}
}

// say puts a denial into one word and its sentence.
func say(d *Denial) string {
	switch {
	case d == nil:
		return "tokens"
	case d.Description == "":
		return d.Code
	}
	return d.Code + ": " + d.Description
}

func at(t time.Time) *time.Time { return &t }

func must(t tb, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tb is what helpers need of a test, be it Go's or rapid's.
type tb interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}
