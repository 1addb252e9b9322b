package browser

import "net/http"

// hostileAnswer is what a receiver says to whoever reads its answers.
const hostileAnswer = "<script>document.title='owned'</script><img src=x onerror=alert(1)>\x1b[31m\u202e\u0000 The ledger is closed for the night."

func init() { sights = append(sights, consoleSights...) }

// consoleSights are the pages of the developer console. Each has an app of its own where it needs one.
var consoleSights = []sight{
	{"console apps", "Apps", 200, asDan("/developer/apps")},
	{"console without an organization", "Apps", 200, func(w *window) int {
		w.begin("sam")
		return w.visit("/developer")
	}},
	{"console new app", "Create an app", 200, asDan("/developer/apps/new")},
	{"console somebody else's app", "Page not found", 404, func(w *window) int {
		app := newDeveloper(w, "dan").app("Night Books", "invoices:read")
		w.begin("olivia")
		return w.visit(app)
	}},
	{"console overview", "Overview · Night Books", 200, func(w *window) int {
		d := newDeveloper(w, "dan")
		app := d.app("Night Books", "invoices:read")
		r := newReceiver(w.t)
		d.webhook(app, r.url, "invoice.paid")
		w.begin("dan")
		return w.visit(app)
	}},
	{"console settings", "Settings · Night Books", 200, withApp("/settings")},
	{"console secrets", "Secrets · Night Books", 200, func(w *window) int {
		d := newDeveloper(w, "dan")
		app := d.app("Night Books", "invoices:read")
		d.do("POST", app+"/secrets", nil)
		w.begin("dan")
		return w.visit(app + "/secrets")
	}},
	{"console scopes", "Scopes · Night Books", 200, withApp("/scopes")},
	{"console no webhook", "Webhooks · Night Books", 200, withApp("/webhooks")},
	{"console no delivery", "Deliveries · Night Books", 200, withApp("/deliveries")},
	{"console new webhook", "Add a webhook · Night Books", 200, withApp("/webhooks/new")},
	{"console webhooks", "Webhooks · Night Books", 200, withHook(func(w *window, d developer, app, hook string) string { return app + "/webhooks" })},
	{"console webhook", "Webhook · Night Books", 200, withHook(func(w *window, d developer, _, hook string) string {
		d.do("POST", hook+"/rotate-secret", nil)
		d.test(hook, "invoice.paid")
		return hook
	})},
	{"console deliveries", "Deliveries · Night Books", 200, withHook(func(w *window, d developer, app, hook string) string {
		for _, kind := range []string{"invoice.paid", "invoice.created", "invoice.paid"} {
			d.test(hook, kind)
		}
		return app + "/deliveries"
	})},
	{"console delivered", "invoice.paid · Night Books", 200, withHook(func(w *window, d developer, _, hook string) string {
		delivery := d.test(hook, "invoice.paid")
		d.becomes(delivery, "delivered")
		return delivery
	})},
	{"console failed delivery", "invoice.paid · Night Books", 200, func(w *window) int {
		w.node = startNode(w.t) // whose clock moves on
		d := newDeveloper(w, "dan")
		app := d.app("Night Books", "invoices:read")
		r := newReceiver(w.t)
		r.answers(http.StatusServiceUnavailable, hostileAnswer)
		delivery := d.test(d.webhook(app, r.url, "invoice.paid"), "invoice.paid")
		w.node.Advance(w.t, "9h")
		w.begin("dan")
		return w.visit(delivery)
	}},
	{"console failures", "Overview · Night Books", 200, func(w *window) int {
		w.node = startNode(w.t)
		d := newDeveloper(w, "dan")
		app := d.app("Night Books", "invoices:read")
		r := newReceiver(w.t)
		r.answers(http.StatusServiceUnavailable, hostileAnswer)
		d.test(d.webhook(app, r.url, "invoice.paid"), "invoice.paid")
		w.node.Advance(w.t, "9h")
		w.begin("dan")
		return w.visit(app)
	}},
	{"console events", "Events · Night Books", 200, withApp("/events")},
	{"console no field", "Fields · Night Books", 200, withApp("/fields")},
	{"console fields", "Fields · Night Books", 200, func(w *window) int {
		d := newDeveloper(w, "dan")
		app := d.app("Night Books", "invoices:read")
		d.declare(app, "shipping_number", "TEXT", map[string]any{"maxLength": 40})
		d.declare(app, "priority", "CHOICE", map[string]any{"choices": []string{"low", "normal", "high <b>"}})
		w.begin("dan")
		return w.visit(app + "/fields")
	}},
	{"console field types", "Declare a field · Night Books", 200, withApp("/fields/new")},
	{"console new field", "Declare a field · Night Books", 200, withApp("/fields/new?type=MONEY")},
	{"console field", "Priority · Night Books", 200, func(w *window) int {
		d := newDeveloper(w, "dan")
		app := d.app("Night Books", "invoices:read")
		field := d.declare(app, "priority", "CHOICE", map[string]any{"choices": []string{"low", "normal", "high"}})
		w.begin("dan")
		return w.visit(field)
	}},
}

// declare declares a field called after its key, and gives its page's path.
func (d developer) declare(app, key, kind string, rules map[string]any) string {
	d.w.t.Helper()
	label := map[string]string{"priority": "Priority", "shipping_number": "Shipping number"}[key]
	return app + "/fields/" + d.do("POST", app+"/fields", map[string]any{"resourceType": "INVOICE", "key": key, "label": label, "type": kind, "rules": rules})["id"].(string)
}

func asDan(path string) func(w *window) int {
	return func(w *window) int {
		w.begin("dan")
		return w.visit(path)
	}
}

// withApp opens a page of a new app.
func withApp(below string) func(w *window) int {
	return func(w *window) int {
		app := newDeveloper(w, "dan").app("Night Books", "invoices:read")
		w.begin("dan")
		return w.visit(app + below)
	}
}

// withHook opens a page about a new app with a webhook.
func withHook(reach func(w *window, d developer, app, hook string) string) func(w *window) int {
	return func(w *window) int {
		d := newDeveloper(w, "dan")
		app := d.app("Night Books", "invoices:read")
		path := reach(w, d, app, d.webhook(app, newReceiver(w.t).url, "invoice.paid", "invoice.created", "payment.received"))
		w.begin("dan")
		return w.visit(path)
	}
}
