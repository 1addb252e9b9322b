// Bench measures what the house is built on, in one run: each figure stands beside a bare net/http server measured
// moments before on the same cores, because machines are noisy and only ratios travel. It asserts nothing.
//
// PostgreSQL and Redis are measured when DAYBOOK_TEST_POSTGRES and DAYBOOK_TEST_REDIS are set (`make bench` does). -only
// measures a part, -profile keeps what the calls of the business API spend their time on.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"daybook/internal/base/script"
	"daybook/internal/boot"
)

// span is how long each measurement runs; workers is how many ask at once.
const (
	span    = 2 * time.Second
	workers = 64
)

var (
	only     = flag.String("only", "", "parts to measure, separated by commas: stores, limiters, pages, console, authorization, deliveries, functions, hostile, books, growth")
	profiles = flag.String("profile", "", "folder for profiles of the processor, a file for each call of the business API")
)

// parts are what is measured.
var parts = []struct {
	name    string
	measure func(ctx context.Context, dir string) ([]figure, error)
}{
	{"stores", stores}, {"limiters", limiters}, {"pages", pages}, {"console", console}, {"authorization", authorization}, {"deliveries", deliveries}, {"functions", functions}, {"hostile", hostile}, {"books", books}, {"growth", growth},
}

// figure is one line of the result.
type figure struct {
	name  string
	rate  float64 // per second
	extra string
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == script.Command {
		script.Child()
	}
	flag.Parse()
	boot.TuneMemory() // as the service does; what it is measured against has it as good
	if *receive {
		fmt.Fprintln(os.Stderr, "bench:", receiver())
		os.Exit(1)
	}
	dir, err := os.MkdirTemp("", "daybook-bench-")
	if err == nil {
		defer os.RemoveAll(dir)
		err = run(context.Background(), dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string) error {
	bare, err := bareHello()
	if err != nil {
		return err
	}
	figures := []figure{bare}
	wanted := strings.Split(*only, ",")
	for _, part := range parts {
		if *only != "" && !slices.Contains(wanted, part.name) {
			continue
		}
		more, err := part.measure(ctx, dir)
		if err != nil {
			return err
		}
		figures = append(figures, more...)
	}
	fmt.Printf("%d cores, %d callers at once, %v each; %s\n\n", runtime.GOMAXPROCS(0), workers, span, runtime.Version())
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "what\tper second\tns each\tratio to bare\t\t")
	for _, f := range figures {
		fmt.Fprintf(t, "%s\t%.0f\t%.0f\t%.2f\t  %s\t\n", f.name, f.rate, 1e9/f.rate, f.rate/bare.rate, f.extra)
	}
	return t.Flush()
}
