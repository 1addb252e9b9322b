package boot

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/limit"
	"daybook/internal/base/secret"
	"daybook/internal/books/bulk"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/payment"
	"daybook/internal/books/report"
	"daybook/internal/books/sandbox"
	"daybook/internal/books/tax"
	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/asset"
	"daybook/internal/platform/audit"
	"daybook/internal/platform/event"
	"daybook/internal/platform/extension"
	"daybook/internal/platform/function"
	"daybook/internal/platform/idem"
	"daybook/internal/platform/install"
	"daybook/internal/platform/listing"
	"daybook/internal/platform/reqlog"
	"daybook/internal/platform/tally"
	"daybook/internal/platform/usage"
	"daybook/internal/platform/webhook"
	"daybook/internal/schema"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
	"daybook/internal/tenancy/organization"
)

// House is the store and the services on it, without any listener.
type House struct {
	Clock         clock.Clock
	DB            *db.DB
	IDs           *id.Source
	Keys          *secret.Keys
	Identity      *identity.Service
	Organizations *organization.Service
	Businesses    *business.Service
	Apps          *app.Service
	Installations *install.Service
	Events        *event.Log
	AppData       *appdata.Service
	Extensions    *extension.Service
	Listings      *listing.Service
	Assets        *asset.Service
	Webhooks      *webhook.Service
	Functions     *function.Service
	Feed          *event.Feed
	Ledger        *ledger.Service
	Taxes         *tax.Service
	Parties       *party.Service
	Invoices      *invoice.Service
	Payments      *payment.Service
	Imports       *bulk.Service
	Reports       *report.Service
	Sandboxes     *sandbox.Service
	Idem          *idem.Service
	Tally         *tally.Service
	Usage         *usage.Meter
	Requests      *reqlog.Log
	Audit         *audit.Log
}

// StoreConfig is what it takes to open a House.
type StoreConfig struct {
	Database  string
	KeyFile   string
	Clock     clock.Clock
	NoMigrate bool
	Plans     *business.Plans // nil stands for the built-in ones
	// Development: its passwords are printed where it starts, so hashing them need not cost anybody time.
	Development bool
	// OnBroken: see db.Options.
	OnBroken func(error)
	Log      *slog.Logger
}

// OpenHouse opens the store, brings its schema up to date, proves the key file, and makes the services. A key file that
// cannot be read stops it before anything is written.
func OpenHouse(ctx context.Context, c StoreConfig) (*House, error) {
	if err := readableKey(c.KeyFile); err != nil {
		return nil, err
	}
	d, err := OpenStore(ctx, c)
	if err != nil {
		return nil, err
	}
	keys, err := openKeys(ctx, d, c.KeyFile)
	if err != nil {
		d.Close()
		return nil, err
	}
	h := &House{Clock: c.Clock, DB: d, IDs: id.NewSource(c.Clock), Keys: keys}
	h.Identity = &identity.Service{DB: d, IDs: h.IDs, Keys: keys, Passwords: c.passwords()}
	h.Organizations = &organization.Service{DB: d, IDs: h.IDs}
	h.Businesses = &business.Service{DB: d, IDs: h.IDs, Identity: h.Identity, Plans: c.Plans}
	h.Apps = &app.Service{DB: d, IDs: h.IDs, Keys: keys}
	h.Installations = &install.Service{DB: d, IDs: h.IDs}
	h.makeBooks(c.Plans)
	if err := h.openMissingBooks(ctx, c); err != nil {
		d.Close()
		return nil, err
	}
	return h, nil
}

func (c StoreConfig) passwords() *secret.Passwords {
	if c.Development {
		return secret.NewLightPasswords(runtime.GOMAXPROCS(0))
	}
	return secret.NewPasswords(runtime.GOMAXPROCS(0))
}

// openMissingBooks gives books to businesses that were created before there were any.
func (h *House) openMissingBooks(ctx context.Context, c StoreConfig) error {
	n, err := h.Ledger.OpenMissing(ctx)
	if n > 0 {
		c.Log.Info("books opened for businesses that had none", "businesses", n)
	}
	return err
}

// OpenStore opens the database and brings its schema up to date, or with NoMigrate only proves that it is.
func OpenStore(ctx context.Context, c StoreConfig) (*db.DB, error) {
	if c.NoMigrate {
		if err := DatabaseExists(c.Database); err != nil {
			return nil, fmt.Errorf("%w; run: daybook migrate up", err)
		}
	}
	d, err := db.Open(ctx, db.Options{Database: c.Database, Clock: c.Clock, OnBroken: c.OnBroken})
	if err != nil {
		return nil, err
	}
	if c.NoMigrate {
		if err = d.CheckSchema(ctx, schema.Migrations()); err != nil {
			err = fmt.Errorf("%w; run: daybook migrate up", err)
		}
	} else {
		var applied []db.Migration
		applied, err = d.Migrate(ctx, schema.Migrations())
		for _, m := range applied {
			c.Log.Info("migrated", "step", fmt.Sprintf("%04d_%s", m.Version, m.Name))
		}
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// Close closes the store.
func (h *House) Close() { h.DB.Close() }

// Where limits are counted, as /readyz tells it.
const (
	limitsLocal    = "in process"
	limitsShared   = "shared through Redis"
	limitsDegraded = "in process, because Redis does not answer"
)

// openLimits makes the limiter: shared through Redis when there is one, else in process.
func openLimits(s settings, log *slog.Logger) (limits limit.Limiter, state func() string, closeIt func(), err error) {
	local := limit.NewLocal(s.Clock)
	limits, state, closeIt = local, func() string { return limitsLocal }, func() {}
	if address := s.Redis.Reveal(); address != "" {
		redis, err := limit.OpenRedis(address, s.Clock)
		if err != nil {
			return nil, nil, nil, Mistakes{"redis: " + err.Error()}
		}
		shared := limit.NewResilient(limit.Parts{Redis: redis, Local: local, Clock: s.Clock, Log: log})
		shared.Check()
		limits, closeIt = shared, shared.Close
		state = func() string {
			if shared.Degraded() {
				return limitsDegraded
			}
			return limitsShared
		}
	}
	if s.Development != nil && s.Development.LimitScale > 1 {
		limits = limit.Scale(limits, s.Development.LimitScale)
	}
	return limits, state, closeIt, nil
}

// DatabaseExists keeps a command that only looks from creating an empty file.
func DatabaseExists(database string) error {
	if db.IsPostgres(database) {
		return nil
	}
	if info, err := os.Stat(database); err != nil || info.Size() == 0 {
		return fmt.Errorf("there is no database at %s", database)
	}
	return nil
}
