package browser

import (
	"context"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/internal/schema/dbtest"
)

// chromium is the one browser process. Every test holds it before it goes parallel, so all of them hold it when the
// first one goes on, and the last one to end closes it.
var chromium struct {
	sync.Mutex
	holders int
	ctx     context.Context
	stop    func()
	err     error
}

// holdChromium gives a test the browser and makes it parallel.
func holdChromium(t *testing.T) {
	t.Helper()
	path := dbtest.Require(t, "DAYBOOK_TEST_CHROMIUM")
	if err := takeHold(t, path); err != nil {
		t.Fatalf("%s does not start: %v", path, err)
	}
	t.Parallel()
}

func takeHold(t *testing.T, path string) error {
	chromium.Lock()
	defer chromium.Unlock()
	if chromium.holders == 0 {
		chromium.ctx, chromium.stop, chromium.err = startChromium(path)
	}
	chromium.holders++
	t.Cleanup(func() {
		chromium.Lock()
		defer chromium.Unlock()
		if chromium.holders--; chromium.holders == 0 {
			chromium.stop()
		}
	})
	return chromium.err
}

// startChromium starts it on a new profile folder, which is removed when it stops.
func startChromium(path string) (context.Context, func(), error) {
	allocator, stop := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("site-per-process", true))...) // as browsers with windows do: frames of others are processes of their own
	ctx, _ := chromedp.NewContext(allocator)
	err := chromedp.Do(ctx)
	return ctx, func() {
		_ = chromedp.Cancel(ctx) // waits until it is gone
		stop()
	}, err
}
