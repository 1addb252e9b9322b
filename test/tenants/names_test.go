package tenants_test

import (
	"net/http"
	"net/url"
	"strings"
)

// checkNames proves that a name counts only for a record that this very app calls so, here: when it is said to be taken, and
// when an import finds records by it.
func (w *worker) checkNames(c *call, a answer) {
	if a.header.Get("Idempotent-Replayed") != "" {
		return // it was so then
	}
	path, _, _ := strings.Cut(strings.TrimPrefix(c.path, "/"), "/")
	name, _ := c.body["externalId"].(string)
	params, _ := a.json()["params"].(object)
	if taken, _ := params["p0"].(string); a.code() == "DUPLICATE_EXTERNAL_ID" && name != "" {
		w.named(c, a, "/"+path, name, taken)
	}
	if a.status != http.StatusOK || !strings.HasSuffix(c.path, "/bulk-import") {
		return
	}
	row := c.body["invoices"].([]any)[0].(object)
	result := a.json()["results"].([]any)[0].(object)
	invoice, _ := result["invoiceId"].(string)
	switch customer, _ := row["customer"].(object); {
	case result["status"] == "SKIPPED":
		w.named(c, a, "/invoices", row["externalId"].(string), invoice)
	case result["status"] == "CREATED" && customer != nil:
		look := &call{seat: c.seat, method: "GET", path: "/invoices/" + invoice}
		if found, ok := w.send(look); ok && found.status == http.StatusOK {
			w.judge(look, found)
			w.named(c, a, "/customers", customer["externalId"].(string), found.json()["customerId"].(string))
		}
	}
}

// named looks whether the app calls a record so.
func (w *worker) named(c *call, a answer, path, name, id string) {
	look := &call{seat: c.seat, method: "GET", path: path, query: url.Values{"externalId": {name}}}
	found, ok := w.send(look)
	if !ok || found.status == http.StatusForbidden {
		return // it may write, but not read
	}
	w.judge(look, found)
	w.tally["names looked up"]++
	if found.status != http.StatusOK || !strings.Contains(found.body, `"id":"`+id+`"`) {
		w.report(c, a, "the app does not call "+id+" "+name+": "+clip(found.body, 500))
	}
}
