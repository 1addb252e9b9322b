package browser

import (
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Steps in the page's own scripting, which it has no use for itself.
var (
	// noValidation lets the server judge what the browser would not even send.
	noValidation = chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("form").forEach(form => form.noValidate = true)`)
	// toTheTop takes the focus off everything, so that Tab leads to the first stop of the page.
	toTheTop = chromedp.Evaluate[chromedp.Void](`{ const b = document.body; b.tabIndex = -1; b.focus(); b.removeAttribute("tabindex") }`)
)

// byHand makes an expression count as something that a person did.
func byHand(p *runtime.EvaluateParams) { p.UserGesture = new(true) }
