// Daybook is a self-hostable accounting service with a partner platform: one binary, everything in it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	_ "time/tzdata" // businesses have time zones, and not every machine knows them

	"github.com/alecthomas/kong"

	"daybook/internal/base/script"
	"daybook/internal/boot"
)

// commands is the whole command line.
type commands struct {
	Dev      devCommand      `cmd:"" help:"Run the whole platform on loopback, with a demo world."`
	Serve    serveCommand    `cmd:"" help:"Run in production."`
	Migrate  migrateCommand  `cmd:"" help:"Bring the database schema up to date, or show how it stands."`
	Fixture  fixtureCommand  `cmd:"" help:"Load a world of people, businesses and apps from a file."`
	Operator operatorCommand `cmd:"" help:"Create the people who run this service."`
	Version  versionCommand  `cmd:"" help:"Show version, commit and Go version."`
}

// The exit statuses.
const (
	exitFailure = 1
	exitUsage   = 2
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == script.Command {
		script.Child() // a child that runs functions, and nothing else
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	// A second signal ends the process at once: the handler is gone as soon as the first has arrived.
	context.AfterFunc(ctx, stop)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// streams are where a command writes: facts to out, everything else to err.
type streams struct{ out, err io.Writer }

// run is main without the process.
func run(ctx context.Context, args []string, out, errOut io.Writer) (code int) {
	var c commands
	exited := -1
	parser, err := kong.New(&c,
		kong.Name("daybook"),
		kong.Description("Accounting with a partner platform, in one binary. Start with: daybook dev"),
		kong.Writers(out, errOut),
		kong.Exit(func(status int) { exited = status }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(streams{out, errOut}),
	)
	if err != nil {
		return complain(errOut, err)
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if exited >= 0 { // help was asked for and shown
		return exited
	}
	if err != nil {
		return complain(errOut, usageError{err})
	}
	if err := parsed.Run(); err != nil {
		return complain(errOut, err)
	}
	return 0
}

// usageError is a mistake in how the command was called.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// complain says what went wrong, a line for each mistake, and picks the exit status.
func complain(w io.Writer, err error) int {
	for _, line := range strings.Split(err.Error(), "\n") {
		fmt.Fprintln(w, "daybook: "+line)
	}
	var usage usageError
	var mistakes boot.Mistakes
	if errors.As(err, &usage) || errors.As(err, &mistakes) {
		return exitUsage
	}
	return exitFailure
}
