package boot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"daybook/internal/base/limit"
	"daybook/internal/base/outbound"
	"daybook/internal/base/script"
	"daybook/internal/platform/oauth"
	"daybook/internal/platform/webhook"
	"daybook/internal/surface/assets"
	"daybook/internal/surface/authapi"
	"daybook/internal/surface/consoleapi"
	"daybook/internal/surface/devapi"
	"daybook/internal/surface/pages"
	"daybook/internal/surface/partnerapi"
	"daybook/internal/surface/reference"
	"daybook/internal/surface/wire"
)

// Time limits of the servers. Headers in 5 s and a body in 30 s keep slow senders from holding connections; an answer
// may take as long as the longest poll, and some.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 30 * time.Second
	writeTimeout  = 60 * time.Second
	idleTimeout   = 60 * time.Second
	maxHeader     = 32 << 10
	maxBody       = 1 << 20
	// drainTimeout is how long requests under way may take to finish once the node is told to stop.
	drainTimeout = 25 * time.Second
)

// Node is a running program: both hosts answer.
type Node struct {
	House *House
	OAuth *oauth.Service

	settings    settings
	log         *slog.Logger
	limits      limit.Limiter
	limitState  func() string
	closeLimits func()
	outbound    *outbound.Client
	receivers   *outbound.Client // of webhooks
	sender      *webhook.Sender
	scripts     *script.Pool // hosted functions
	metrics     *metrics
	loops       *loops
	servers     []*http.Server
	draining    atomic.Bool
	failed      chan error // a server, or the store, can no longer go on
	cancel      context.CancelFunc
	serving     sync.WaitGroup
}

// Start opens the house and serves it behind the listeners, which it owns from then on. seed, if not nil, runs before
// the doors open.
func Start(ctx context.Context, c Config, l *Listeners, log *slog.Logger, seed func(context.Context, *House) error) (*Node, error) {
	n, err := build(ctx, c, log)
	if err != nil {
		l.Close()
		return nil, err
	}
	if seed != nil {
		if err := seed(ctx, n.House); err != nil {
			l.Close()
			n.closeHouse()
			return nil, err
		}
	}
	if err := n.startSending(ctx); err != nil {
		l.Close()
		n.closeHouse()
		return nil, err
	}
	if err := n.House.Requests.CleanUp(ctx); err != nil { // the first call finds a place for its day
		l.Close()
		n.closeHouse()
		return nil, err
	}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	n.cancel = cancel
	n.loops.start(running)
	n.serve(l.API, n.apiHost())
	n.serve(l.App, n.appHost())
	if l.Metrics != nil {
		n.serve(l.Metrics, n.metrics.handler())
	}
	return n, nil
}

func build(ctx context.Context, c Config, log *slog.Logger) (*Node, error) {
	s, err := c.check()
	if err != nil {
		return nil, err
	}
	n := &Node{settings: s, log: log, failed: make(chan error, 4)}
	n.limits, n.limitState, n.closeLimits, err = openLimits(s, log)
	if err != nil {
		return nil, err
	}
	n.House, err = OpenHouse(ctx, StoreConfig{
		Database: c.Database, KeyFile: c.KeyFile, Clock: c.Clock, NoMigrate: c.NoMigrate, Plans: s.plans, Log: log,
		Development: s.Development != nil, OnBroken: func(err error) { n.failed <- err },
	})
	if err != nil {
		n.closeLimits()
		return nil, err
	}
	n.outbound = outbound.New(outbound.Options{Allow: s.allow, AllowLoopbackHTTP: s.Development != nil, Clock: c.Clock, UserAgent: s.ServiceName})
	n.OAuth = &oauth.Service{
		DB: n.House.DB, IDs: n.House.IDs, Keys: n.House.Keys, Apps: n.House.Apps, Installs: n.House.Installations,
		Issuer: s.base.String(), Outbound: n.outbound, Limits: n.limits, Log: log, Frames: frames{n.House.Extensions},
	}
	n.House.Extensions.Home = s.home()
	if err := n.OAuth.RotateKeys(ctx); err != nil { // session tokens are signed from the first request on
		n.closeHouse()
		return nil, err
	}
	n.metrics = newMetrics(n.House, func() bool { return n.limitState() == limitsDegraded }, c.Version)
	n.makeSender(log)
	n.makeFunctions()
	n.loops = &loops{clock: c.Clock, log: log, jobs: n.jobs()}
	if !s.sharedCookie() {
		log.Warn("base-url and auth-url are different hosts and cookie-domain is not set: people are signed in on the app host only")
	}
	return n, nil
}

func (n *Node) apiHost() http.Handler {
	mux := http.NewServeMux()
	n.health().Register(mux)
	(&authapi.API{
		OAuth: n.OAuth, Apps: n.House.Apps, Limits: n.limits, BaseURL: n.settings.base.String(), AuthURL: n.settings.auth.String(), Realm: n.settings.ServiceName,
	}).Register(mux)
	n.consoleAPI().Register(mux)
	assets.Handler{Assets: n.House.Assets}.Register(mux)
	partner := n.partnerAPI()
	partner.Register(mux)
	n.reference(mux, partner)
	if dev := n.settings.Development; dev != nil {
		devapi.API{Clock: dev.Clock, Pass: n.pass, RunDue: n.runDue, OAuth: n.OAuth, People: n.House.Identity, Businesses: n.House.Businesses}.Register(mux)
	}
	front := n.front("api", wire.WriteErrorAs)
	front.Guard.AddInsecureBypassPattern("/oauth/") // no cookie counts there
	front.Divert = partner.Divert
	return front.Wrap(mux)
}

// consoleAPI is the session calls.
func (n *Node) consoleAPI() *consoleapi.API {
	return &consoleapi.API{
		Cookie: n.cookie(), Identity: n.House.Identity, Businesses: n.House.Businesses, Apps: n.House.Apps, Installations: n.House.Installations, OAuth: n.OAuth, Limits: n.limits,
		AppData: n.House.AppData, Webhooks: n.House.Webhooks, Extensions: n.House.Extensions, Functions: n.House.Functions,
		ServiceName: n.settings.ServiceName, BaseURL: n.settings.base.String(), Organizations: n.House.Organizations, Requests: n.House.Requests,
		Audit: n.House.Audit, Health: n.condition,
		Clock: n.House.Clock, Tally: n.House.Tally, Usage: n.House.Usage, Sandboxes: n.House.Sandboxes, Listings: n.House.Listings, Assets: n.House.Assets,
	}
}

// rest serves the calls of the console and of operators on the app host too, so that the script of their pages stays on its own
// origin.
func (n *Node) rest() http.Handler {
	mux := http.NewServeMux()
	n.consoleAPI().Register(mux)
	return http.StripPrefix("/rest", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern == "" {
			wire.WriteError(w, r, wire.ErrNotFound.With(r.Method+" "+r.URL.Path))
			return
		}
		mux.ServeHTTP(w, r)
	}))
}

// reference serves the readable form of the API's document.
func (n *Node) reference(mux *http.ServeMux, partner *partnerapi.API) {
	stylesheet, icon := pages.RegisterStatic(mux)
	mux.Handle("GET /docs", reference.Page(partner.Document, reference.Options{
		Service: n.settings.ServiceName, BaseURL: n.settings.base.String(), Document: "/openapi.json", Stylesheet: stylesheet, Icon: icon,
	}))
}

func (n *Node) partnerAPI() *partnerapi.API {
	h := n.House
	return &partnerapi.API{
		ServiceName: n.settings.ServiceName, BaseURL: n.settings.base.String(), Clock: h.Clock, Limits: n.limits, Cookie: n.cookie(),
		OAuth: n.OAuth, Identity: h.Identity, Businesses: h.Businesses, Installations: h.Installations, Idem: h.Idem,
		Ledger: h.Ledger, Taxes: h.Taxes, Parties: h.Parties, Invoices: h.Invoices, Payments: h.Payments, Imports: h.Imports, Reports: h.Reports,
		Events: h.Feed, AppData: h.AppData,
		Meter: meter{h.Usage, h.Requests},
	}
}

func (n *Node) appHost() http.Handler {
	mux := http.NewServeMux()
	n.health().Register(mux)
	site := &pages.Site{
		Name: n.settings.ServiceName, Cookie: n.cookie(),
		Limits: n.limits, Identity: n.House.Identity, Organizations: n.House.Organizations, Businesses: n.House.Businesses,
		Apps: n.House.Apps, Installations: n.House.Installations, OAuth: n.OAuth, APIOrigin: n.settings.base.String(),
		Clock: n.House.Clock, AppData: n.House.AppData, Webhooks: n.House.Webhooks, Functions: n.House.Functions, Tally: n.House.Tally, Usage: n.House.Usage, Requests: n.House.Requests, Sandboxes: n.House.Sandboxes,
		Ledger: n.House.Ledger, Parties: n.House.Parties, Invoices: n.House.Invoices, Payments: n.House.Payments, Reports: n.House.Reports, Events: n.House.Feed,
		Audit: n.House.Audit, Health: n.condition, Extensions: n.House.Extensions,
		Listings: n.House.Listings, Assets: n.House.Assets,
	}
	site.Register(mux)
	assets.Handler{Assets: n.House.Assets}.Register(mux)
	rest := n.rest()
	mux.Handle("/rest/developer/", rest)
	mux.Handle("/rest/operator/", rest)
	mux.Handle("/rest/embedded/", rest)
	return n.front("app", site.Fail).Wrap(mux)
}

func (n *Node) cookie() wire.SessionCookie {
	return wire.SessionCookie{Secure: n.settings.auth.Scheme == "https", Domain: n.settings.CookieDomain}
}

func (n *Node) front(host string, fail func(http.ResponseWriter, *http.Request, int, error)) wire.Front {
	guard := http.NewCrossOriginProtection()
	for _, origin := range []string{n.settings.base.String(), n.settings.auth.String()} {
		// Fails only for what is no origin, which check has ruled out.
		_ = guard.AddTrustedOrigin(origin)
	}
	return wire.Front{
		Host: host, IDs: n.House.IDs, Log: n.log, Trusted: n.settings.trusted, Fail: fail, Guard: guard,
		Secure: n.settings.auth.Scheme == "https", MaxBody: maxBody, Observe: n.metrics.observe,
	}
}

func (n *Node) health() wire.Health {
	return wire.Health{
		Checks: map[string]func(context.Context) error{"database": n.House.DB.Ping},
		Facts: func() map[string]string {
			return map[string]string{"store": n.House.DB.Dialect().String(), "limits": n.limitState()}
		},
		Draining: n.draining.Load,
	}
}

func (n *Node) serve(l net.Listener, h http.Handler) {
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		DisableGeneralOptionsHandler: true, // OPTIONS * is refused like any other path
		MaxHeaderBytes:               maxHeader, ErrorLog: slog.NewLogLogger(n.log.Handler(), slog.LevelDebug),
	}
	n.servers = append(n.servers, server)
	n.serving.Go(func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			n.failed <- fmt.Errorf("listening on %s: %w", l.Addr(), err)
		}
	})
}

// Run waits until ctx ends (a signal to stop) or something breaks, then takes the node down: it stops accepting, lets
// requests under way finish, ends the background, and closes the store.
func (n *Node) Run(ctx context.Context) error {
	TuneMemory()
	var broken error
	select {
	case <-ctx.Done():
		n.log.Info("stopping: no new connections, finishing what is under way")
	case broken = <-n.failed:
		n.log.Error("stopping: cannot go on", "error", broken)
	}
	return errors.Join(broken, n.stop())
}

func (n *Node) stop() error {
	n.draining.Store(true)
	n.House.Feed.Drain()
	limit, cancel := context.WithTimeout(context.Background(), drainTimeout)
	defer cancel()
	var wait sync.WaitGroup
	late := make([]error, len(n.servers))
	for i, server := range n.servers {
		wait.Go(func() {
			if err := server.Shutdown(limit); err != nil {
				late[i] = fmt.Errorf("requests were still under way after %v and were cut off", drainTimeout)
				_ = server.Close()
			}
		})
	}
	wait.Wait()
	n.serving.Wait()
	n.cancel()
	n.loops.wait.Wait()
	n.sender.Stop(limit)
	n.scripts.Close()
	if err := n.OAuth.NoteUses(limit); err != nil {
		n.log.Warn("the last use of some installations was not written down", "error", err)
	}
	if err := n.House.Usage.Flush(limit); err != nil {
		n.log.Warn("some calls were not counted", "error", err)
	}
	n.flushLogs(limit)
	n.closeHouse()
	return errors.Join(late...)
}

func (n *Node) closeHouse() {
	n.outbound.Close()
	n.receivers.Close()
	n.closeLimits()
	n.House.Close()
}

// jobs are what must happen every so often. Each is safe on several nodes at once.
func (n *Node) jobs() []*job {
	return []*job{
		{name: "session clean-up", every: 10 * time.Minute, run: n.House.Identity.CleanUp},
		{name: "authorization clean-up", every: 10 * time.Minute, run: n.OAuth.CleanUp},
		{name: "idle app clean-up", every: time.Hour, run: n.OAuth.CleanUpApps},
		{name: "last use of installations", every: 30 * time.Second, run: n.OAuth.NoteUses},
		{name: "signing key rotation", every: time.Hour, run: n.OAuth.RotateKeys},
		{name: "usage counts", every: 5 * time.Second, run: n.House.Usage.Flush},
		{name: "usage roll-up", every: 10 * time.Minute, run: n.House.Usage.RollUp},
		{name: "idempotency key clean-up", every: 10 * time.Minute, run: n.House.Idem.CleanUp},
		{name: "event clean-up", every: time.Hour, run: n.House.Feed.CleanUp},
		{name: "events of other nodes", every: time.Second, run: n.House.Feed.Listen},
		{name: "redaction after uninstalling", every: time.Minute, run: n.House.redactDue},
		{name: "listing clean-up", every: time.Hour, run: n.House.Listings.CleanUp},
		{name: "delivery clean-up", every: time.Hour, run: n.House.Webhooks.CleanUp},
		{name: "hours of deliveries", every: 10 * time.Minute, run: n.House.Tally.CountHours},
		{name: "scheduled functions", every: 15 * time.Second, run: n.House.Functions.RunDue},
		{name: "function run clean-up", every: time.Hour, run: n.House.Functions.CleanUp},
		{name: "request log", every: requestLogEvery, run: n.House.Requests.Flush},
		{name: "request log merging", every: requestMergeEvery, run: n.House.Requests.Merge},
		{name: "failed sign-ins", every: time.Minute, run: n.House.Identity.KeepFailures},
		{name: "audit log clean-up", every: time.Hour, run: n.House.Audit.CleanUp},
		{name: "request log clean-up", every: time.Hour, run: n.House.Requests.CleanUp},
		{name: "sandboxes left half emptied", every: time.Minute, run: n.House.Sandboxes.Finish},
		{name: "overdue invoices", every: 15 * time.Minute, run: n.House.Invoices.NoteOverdue},
	}
}
