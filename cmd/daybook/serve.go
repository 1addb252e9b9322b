package main

import (
	"context"
	"errors"
	"os"

	"daybook/internal/base/clock"
	"daybook/internal/base/secret"
	"daybook/internal/boot"
)

// storeFlags say where the data is.
type storeFlags struct {
	Database string `help:"A file path (SQLite) or a postgres:// URL." default:"daybook.db" env:"DAYBOOK_DATABASE" placeholder:"FILE|URL"`
}

type keyFlags struct {
	KeyFile string `help:"The key that seals secrets at rest; created on the first start. Keep a copy apart from the database." default:"daybook.key" env:"DAYBOOK_KEY_FILE" placeholder:"FILE"`
}

type serveCommand struct {
	storeFlags
	keyFlags
	logFlags
	Redis          secret.Secret `help:"redis:// URL, to share limits between nodes." env:"DAYBOOK_REDIS" placeholder:"URL"`
	BaseURL        string        `help:"Public address of the API host. Required." env:"DAYBOOK_BASE_URL" placeholder:"URL"`
	AuthURL        string        `help:"Public address of the app host. Required." env:"DAYBOOK_AUTH_URL" placeholder:"URL"`
	APIListen      string        `name:"api-listen" help:"Where the API host listens." default:"127.0.0.1:8080" env:"DAYBOOK_API_LISTEN" placeholder:"ADDRESS"`
	AppListen      string        `help:"Where the app host listens." default:"127.0.0.1:8081" env:"DAYBOOK_APP_LISTEN" placeholder:"ADDRESS"`
	MetricsListen  string        `help:"Where Prometheus finds /metrics; off by default." env:"DAYBOOK_METRICS_LISTEN" placeholder:"ADDRESS"`
	ServiceName    string        `help:"Name of the service, the version header's prefix and the realm." default:"Daybook" env:"DAYBOOK_SERVICE_NAME" placeholder:"NAME"`
	TrustedProxies []string      `help:"Address ranges whose X-Forwarded-For is believed." env:"DAYBOOK_TRUSTED_PROXIES" placeholder:"CIDR,…"`
	OutboundAllow  []string      `help:"Address ranges that webhooks and client documents may reach although they are not public." env:"DAYBOOK_OUTBOUND_ALLOW" placeholder:"CIDR,…"`
	PlansFile      string        `help:"Plan ceilings; built in by default." env:"DAYBOOK_PLANS_FILE" placeholder:"FILE"`
	CookieDomain   string        `help:"Shared parent domain of both hosts." env:"DAYBOOK_COOKIE_DOMAIN" placeholder:"DOMAIN"`
	NoMigrate      bool          `help:"Refuse to start on an old schema instead of migrating it." env:"DAYBOOK_NO_MIGRATE"`
}

// Help implements kong.HelpProvider.
func (serveCommand) Help() string {
	return `Every setting is a flag or an environment variable; all mistakes are reported at once.

Examples:

  One node on one file, behind a TLS proxy on the same machine:

    daybook serve --base-url https://api.example.com --auth-url https://app.example.com \
      --cookie-domain example.com --trusted-proxies 127.0.0.1

  Several nodes:

    DAYBOOK_DATABASE=postgres://daybook@db/daybook DAYBOOK_REDIS=redis://cache:6379 daybook serve …

SIGTERM drains: no new connections, requests under way finish, exit 0.`
}

// limitScale is a variable of development mode that must never weaken production.
const limitScale = "DAYBOOK_LIMIT_SCALE"

func (c *serveCommand) config() boot.Config {
	return boot.Config{
		Database: c.Database, Redis: c.Redis, BaseURL: c.BaseURL, AuthURL: c.AuthURL, APIListen: c.APIListen, AppListen: c.AppListen,
		MetricsListen: c.MetricsListen, KeyFile: c.KeyFile, ServiceName: c.ServiceName, TrustedProxies: c.TrustedProxies,
		OutboundAllow: c.OutboundAllow, PlansFile: c.PlansFile, CookieDomain: c.CookieDomain, NoMigrate: c.NoMigrate,
		Version: version(), Clock: clock.System{},
	}
}

// Run implements the command.
func (c *serveCommand) Run(ctx context.Context, s streams) error {
	config := c.config()
	err := config.Check()
	if os.Getenv(limitScale) != "" {
		var mistakes boot.Mistakes
		errors.As(err, &mistakes)
		err = append(mistakes, limitScale+": is for daybook dev only; unset it")
	}
	if err != nil {
		return err
	}
	log := c.forPrograms(s.err)
	doors, err := boot.Listen(config)
	if err != nil {
		return err
	}
	node, err := boot.Start(ctx, config, doors, log, nil)
	if err != nil {
		return err
	}
	log.Info("ready", "api", config.APIListen, "app", config.AppListen, "baseUrl", config.BaseURL, "authUrl", config.AuthURL,
		"store", node.House.DB.Dialect().String(), "version", config.Version)
	return node.Run(ctx)
}
