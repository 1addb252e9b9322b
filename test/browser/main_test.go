// Package browser proves the pages in a real browser: what people see, what the keyboard reaches, what a browser keeps,
// sends and refuses. The path of Chromium is in DAYBOOK_TEST_CHROMIUM.
//
// The tests share one browser process and run side by side, each in private windows. Nothing here sleeps: a step ends
// with the page it leads to. With DAYBOOK_SCREENSHOTS=FOLDER, TestEveryPage leaves a picture of every page there, in
// several widths, light and dark.
package browser

import (
	"testing"

	"daybook/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }
