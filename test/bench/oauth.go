package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/limit"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/install"
	"daybook/internal/platform/oauth"
	"daybook/internal/platform/scope"
	"daybook/internal/schema"
	"daybook/internal/surface/authapi"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
	"daybook/internal/tenancy/organization"
)

// authorization measures the OAuth endpoints over HTTP against a bare server that reads the same form and Basic header.
func authorization(ctx context.Context, dir string) ([]figure, error) {
	bare, err := openBareForm()
	if err != nil {
		return nil, err
	}
	defer bare.close()
	first, err := usual.measure(bare.refresh, nil)
	if err != nil {
		return nil, err
	}
	figures := []figure{{name: "bare form and Basic server", rate: first, extra: "requests"}}
	databases := []string{filepath.Join(dir, "oauth.db")}
	if server := os.Getenv("DAYBOOK_TEST_POSTGRES"); server != "" {
		database, drop, err := scratch(ctx, server)
		if err != nil {
			return nil, err
		}
		defer drop()
		databases = append(databases, database)
	}
	for _, database := range databases {
		w, err := newWorld(ctx, database)
		if err != nil {
			return nil, err
		}
		more, err := w.measure(ctx, bare)
		w.close()
		if err != nil {
			return nil, err
		}
		figures = append(figures, more...)
	}
	return figures, nil
}

const (
	benchClient   = "cli_bench"
	benchSecret   = "cs_bench"
	benchCallback = "https://bench.example/callback"
	benchVerifier = "0123456789012345678901234567890123456789012345678"
)

// world is an authorization server with one app, one business and one person, on its own listener.
type world struct {
	db       *db.DB
	oauth    *oauth.Service
	app      app.App
	approval install.Approval
	server   *http.Server
	address  string
}

func newWorld(ctx context.Context, database string) (*world, error) {
	d, err := db.Open(ctx, db.Options{Database: database, Clock: clock.System{}})
	if err != nil {
		return nil, err
	}
	if _, err := d.Migrate(ctx, schema.Migrations()); err != nil {
		return nil, err
	}
	ids, keys := id.NewSource(clock.System{}), secret.RandomKeys()
	people := &identity.Service{DB: d, IDs: ids, Keys: keys, Passwords: secret.NewPasswords(1)}
	organizations := &organization.Service{DB: d, IDs: ids}
	businesses := &business.Service{DB: d, IDs: ids, Identity: people}
	apps := &app.Service{DB: d, IDs: ids, Keys: keys}
	user, err := people.Create(ctx, identity.NewUser{Email: "bench@example.test", Password: secret.Of("a few words")})
	if err != nil {
		return nil, err
	}
	organization, err := organizations.Create(ctx, "Bench", user.ID)
	if err != nil {
		return nil, err
	}
	shop, err := businesses.Create(ctx, business.New{Name: "Shop", Country: "NL", Currency: "EUR"}, user.ID)
	if err != nil {
		return nil, err
	}
	create, err := apps.Prepare(organization.ID, user.ID, app.New{
		Name: "Bench", ClientType: app.Confidential, RedirectURIs: []string{benchCallback}, Scopes: scope.Of(scope.InvoicesRead),
	}, app.Given{ClientID: benchClient, ClientSecret: secret.Of(benchSecret), ReviewStatus: app.Approved})
	if err != nil {
		return nil, err
	}
	w := &world{db: d}
	if err := d.Write(ctx, func(tx *db.Tx) error {
		made, err := create(ctx, tx)
		w.app = made.App
		return err
	}); err != nil {
		return nil, err
	}
	w.approval = install.Approval{AppID: w.app.ID, BusinessID: shop.ID, UserID: user.ID, Scopes: w.app.Scopes}
	log := slog.New(slog.NewJSONHandler(io.Discard, nil)) // the work of logging is part of the figure
	limits := limit.Scale(limit.NewLocal(clock.System{}), math.MaxInt32)
	w.oauth = &oauth.Service{DB: d, IDs: ids, Keys: keys, Apps: apps, Installs: &install.Service{DB: d, IDs: ids}, Issuer: "http://127.0.0.1", Limits: limits, Log: log}
	mux := http.NewServeMux()
	(&authapi.API{OAuth: w.oauth, Apps: apps, Limits: limits, BaseURL: "http://127.0.0.1", AuthURL: "http://127.0.0.1", Realm: "Daybook"}).Register(mux)
	front := wire.Front{Host: "api", IDs: ids, Log: log, Fail: wire.WriteErrorAs, Guard: http.NewCrossOriginProtection(), MaxBody: 1 << 20}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	w.server, w.address = &http.Server{Handler: front.Wrap(mux)}, listener.Addr().String()
	go w.server.Serve(listener)
	return w, nil
}

func (w *world) close() {
	_ = w.server.Close()
	w.db.Close()
}

// code takes a person's consent by the ordinary code path.
func (w *world) code(ctx context.Context) (string, error) {
	sum := sha256.Sum256([]byte(benchVerifier))
	ask := oauth.Ask{ClientID: benchClient, RedirectURI: benchCallback, Scopes: w.app.Scopes, Challenge: base64.RawURLEncoding.EncodeToString(sum[:])}
	handle, err := w.oauth.Hold(ctx, w.app, ask, "bench")
	if err != nil {
		return "", err
	}
	target, err := w.oauth.Decide(ctx, handle, oauth.Decision{Allow: true, BusinessID: w.approval.BusinessID, UserID: w.approval.UserID, SessionID: "bench"})
	if err != nil {
		return "", err
	}
	u, err := url.Parse(target)
	if err != nil {
		return "", err
	}
	return u.Query().Get("code"), nil
}

// codes are made beforehand, so that only their redemption is measured.
const codes = 40_000

func (w *world) measure(ctx context.Context, bare *bareForm) ([]figure, error) {
	name := w.db.Dialect().String()
	made := make(chan string, codes)
	var wait sync.WaitGroup
	var failed error
	var once sync.Once
	for range workers {
		wait.Go(func() {
			for range codes / workers {
				code, err := w.code(ctx)
				if err != nil {
					once.Do(func() { failed = err })
					return
				}
				made <- code
			}
		})
	}
	wait.Wait()
	if failed != nil {
		return nil, failed
	}
	lines, err := dialAll(w.address)
	if err != nil {
		return nil, err
	}
	defer closeAll(lines)
	access, refresh := make([]string, workers), make([]string, workers)
	keep := func(worker int, body string) {
		access[worker], refresh[worker] = member(body, "access_token"), member(body, "refresh_token")
	}
	redeem := func(worker, _ int) error {
		var code string
		select {
		case code = <-made:
		default:
			return errNoMoreCodes
		}
		body, err := lines[worker].post("/oauth/token", url.Values{
			"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {benchCallback}, "code_verifier": {benchVerifier},
		})
		keep(worker, body)
		return err
	}
	introspect := func(worker, _ int) error {
		body, err := lines[worker].post("/oauth/introspect", url.Values{"token": {access[worker]}})
		if err == nil && !strings.Contains(body, `"active":true`) {
			err = fmt.Errorf("inactive: %s", body)
		}
		return err
	}
	rotate := func(worker, _ int) error {
		body, err := lines[worker].post("/oauth/token", url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh[worker]}})
		keep(worker, body)
		return err
	}
	var figures []figure
	for _, one := range []struct {
		name string
		do   func(worker, n int) error
	}{{"code exchange, PKCE", redeem}, {"introspect", introspect}, {"refresh", rotate}} {
		f, err := bare.beside(name+": "+one.name, one.do)
		if err != nil {
			return nil, err
		}
		figures = append(figures, f)
	}
	return figures, nil
}

func member(body, name string) string {
	_, rest, _ := strings.Cut(body, `"`+name+`":"`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// line is one connection of a thin client.
type line struct {
	conn net.Conn
	in   *bufio.Reader
}

func dialAll(address string) ([]*line, error) {
	lines := make([]*line, workers)
	for i := range lines {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return nil, err
		}
		lines[i] = &line{conn, bufio.NewReader(conn)}
	}
	return lines, nil
}

func closeAll(lines []*line) {
	for _, l := range lines {
		_ = l.conn.Close()
	}
}

var benchBasic = base64.StdEncoding.EncodeToString([]byte(benchClient + ":" + benchSecret))

func (l *line) post(path string, form url.Values) (string, error) {
	body := form.Encode()
	_, err := fmt.Fprintf(l.conn, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Basic %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s",
		path, benchBasic, len(body), body)
	if err != nil {
		return "", err
	}
	answer, err := http.ReadResponse(l.in, nil)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d: %s", answer.StatusCode, text)
	}
	return string(text), err
}

// bareForm is the yardstick here: a net/http server that reads the form and the Basic header and answers as many bytes.
type bareForm struct {
	server *http.Server
	lines  []*line
	token  string
}

func openBareForm() (*bareForm, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &bareForm{token: secret.Mint(secret.RefreshToken).Reveal()}
	answer := []byte(`{"access_token":"` + secret.Mint(secret.AccessToken).Reveal() + `","token_type":"Bearer","expires_in":3600,"refresh_token":"` +
		b.token + `","scope":"invoices:read"}`)
	b.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, ok := r.BasicAuth()
		if err := r.ParseForm(); err != nil || !ok || user != benchClient || password != benchSecret || r.PostForm.Get("grant_type") == "" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer)
	})}
	go b.server.Serve(listener)
	b.lines, err = dialAll(listener.Addr().String())
	return b, err
}

func (b *bareForm) close() {
	closeAll(b.lines)
	_ = b.server.Close()
}

func (b *bareForm) refresh(worker, _ int) error {
	_, err := b.lines[worker].post("/oauth/token", url.Values{"grant_type": {"refresh_token"}, "refresh_token": {b.token}})
	return err
}

// beside measures a call of the service and this server in turns.
func (b *bareForm) beside(name string, do func(worker, n int) error) (figure, error) {
	end, err := profiling(name)
	if err != nil {
		return figure{}, err
	}
	bare, here, err := usual.compare(
		func(l load) (float64, error) { return l.unprofiled().measure(b.refresh, nil) },
		func(l load) (float64, error) { return l.measure(do, errNoMoreCodes) },
	)
	if err != nil {
		return figure{}, err
	}
	return figure{name: name, rate: here.rate, extra: fmt.Sprintf("%.0f %% of the bare form server, %.1f times its processor",
		100*here.rate/bare.rate, here.cost/bare.cost)}, end()
}
