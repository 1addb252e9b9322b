package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/secret"
	"daybook/internal/boot"
	"daybook/internal/boot/fixture"
)

type devCommand struct {
	logFlags
	API      string        `name:"api" help:"Where the API host listens, on loopback." default:"127.0.0.1:8080" placeholder:"ADDRESS"`
	App      string        `help:"Where the app host listens, on loopback." default:"127.0.0.1:8081" placeholder:"ADDRESS"`
	Data     string        `help:"Folder for the database and its key." default:".daybook" placeholder:"DIR"`
	Database string        `help:"Use this database instead of one in the folder: a file path or a postgres:// URL." placeholder:"FILE|URL"`
	Redis    secret.Secret `help:"redis:// URL, to count limits there as several nodes would." placeholder:"URL"`
	Fresh    bool          `help:"Start from an empty folder."`
	Clock    string        `help:"Start the clock there, for example 2026-12-31T23:59:00Z. It runs on from then and can be moved by POST /dev/clock." placeholder:"RFC3339"`
	JSON     bool          `help:"Print the facts as one line of JSON instead of a summary."`

	EmptyBooks bool `help:"Leave out the year of demo books and the listings of apps: businesses start with a chart of accounts and rates of tax only, and the marketplace is empty."`
}

// Help implements kong.HelpProvider.
func (devCommand) Help() string {
	return `Everything in one process, nothing to install. The demo world has people with passwords and apps with
secrets, all printed when both hosts answer. They are the same on every machine, so this only listens on loopback.

Examples:

  daybook dev
  daybook dev --fresh --clock 2026-12-31T23:59:00Z
  daybook dev --json --api 127.0.0.1:0 --app 127.0.0.1:0 --data "$(mktemp -d)"    (free ports, for scripts)

  curl -d '{"advance":"61m"}' -H 'Content-Type: application/json' http://127.0.0.1:8080/dev/clock

DAYBOOK_LIMIT_SCALE=N multiplies every rate limit and lockout threshold, for load tests.`
}

func (c *devCommand) demo() fixture.File {
	demo := fixture.Demo()
	if c.EmptyBooks {
		for i := range demo.Businesses {
			demo.Businesses[i].Books = "EMPTY"
		}
		for i := range demo.Apps {
			demo.Apps[i].Listing = nil
		}
	}
	return demo
}

// The files of a development folder.
const (
	devDatabase = "daybook.db"
	devKey      = "daybook.key"
)

// Run implements the command.
func (c *devCommand) Run(ctx context.Context, s streams) error {
	config, err := c.config()
	if err != nil {
		return usageError{err}
	}
	doors, err := boot.Listen(config)
	if err != nil {
		return fmt.Errorf("%w (--api and --app choose)", err)
	}
	config.BaseURL, config.AuthURL = "http://"+doors.API.Addr().String(), "http://"+doors.App.Addr().String()
	if err := c.prepareFolder(); err != nil {
		doors.Close()
		return err
	}
	line := newProgress(s.err)
	world, demo := fixture.Result{}, c.demo()
	node, err := boot.Start(ctx, config, doors, c.forPeople(s.err), func(ctx context.Context, house *boot.House) (err error) {
		world, err = fixture.Load(ctx, house, demo, line.show)
		return err
	})
	line.clear()
	if err != nil {
		return err
	}
	boot.GiveBack()
	facts := newFacts(config, demo, world)
	if c.JSON {
		facts.writeJSON(s.out)
	} else {
		facts.writeSummary(s.out)
	}
	return node.Run(ctx)
}

func (c *devCommand) config() (boot.Config, error) {
	start, scale := time.Time{}, 1
	var wrong []error
	if c.Clock != "" {
		var err error
		if start, err = time.Parse(time.RFC3339, c.Clock); err != nil {
			wrong = append(wrong, fmt.Errorf("--clock: %q must be an instant such as 2026-12-31T23:59:00Z", c.Clock))
		} else if start.Year() < 1970 || start.After(clock.End) {
			wrong = append(wrong, fmt.Errorf("--clock: %q must lie between 1970 and 2200", c.Clock))
		}
	}
	if text := os.Getenv(limitScale); text != "" {
		var err error
		if scale, err = strconv.Atoi(text); err != nil || scale < 1 {
			wrong = append(wrong, fmt.Errorf("%s: %q must be a whole number from 1", limitScale, text))
		}
	}
	wrong = append(wrong, checkLoopback("--api", c.API), checkLoopback("--app", c.App))
	if err := boot.CheckRedis(c.Redis); err != nil {
		wrong = append(wrong, fmt.Errorf("--redis: %w", err))
	}
	moved := clock.NewMovable(clock.System{}.Now())
	if !start.IsZero() {
		moved = clock.NewMovable(start)
	}
	database := c.Database
	if database == "" {
		database = filepath.Join(c.Data, devDatabase)
	} else if c.Fresh {
		wrong = append(wrong, errors.New("--fresh empties the folder of --data; it does not go with --database"))
	}
	return boot.Config{
		Database: database, Redis: c.Redis, KeyFile: filepath.Join(c.Data, devKey), APIListen: c.API, AppListen: c.App,
		ServiceName: "Daybook", Version: version(), Clock: moved, Development: &boot.Development{Clock: moved, LimitScale: scale},
	}, errors.Join(wrong...)
}

// checkLoopback keeps the demo world, whose passwords everybody knows, on this machine.
func checkLoopback(flag, address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%s: %q must be an address and a port such as 127.0.0.1:8080", flag, address)
	}
	ip, err := netip.ParseAddr(host)
	if host != "localhost" && (err != nil || !ip.IsLoopback()) {
		return fmt.Errorf("%s: %q is not a loopback address; daybook dev has well-known passwords and stays on this machine, daybook serve does not", flag, address)
	}
	return nil
}

// prepareFolder makes the folder, or with --fresh removes what an earlier run left there: our own files, nothing else.
func (c *devCommand) prepareFolder() error {
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("--data: cannot make the folder: %w", err)
	}
	if !c.Fresh {
		return nil
	}
	for _, name := range []string{devDatabase, devDatabase + "-wal", devDatabase + "-shm", devKey} {
		if err := os.Remove(filepath.Join(c.Data, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("--fresh: %w", err)
		}
	}
	return nil
}

// progress is a line that says what is being done, and is gone afterwards. Without a terminal there is none.
type progress struct {
	w        io.Writer
	terminal bool
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w}
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil {
			p.terminal = info.Mode()&os.ModeCharDevice != 0
		}
	}
	return p
}

// lineStart goes to the start of the line and empties it.
const lineStart = "\r\x1b[K"

func (p *progress) show(what string) {
	if p.terminal {
		fmt.Fprint(p.w, lineStart+"Making the demo world: "+what+" …")
	}
}

func (p *progress) clear() {
	if p.terminal {
		fmt.Fprint(p.w, lineStart)
	}
}
