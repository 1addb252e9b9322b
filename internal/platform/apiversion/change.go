package apiversion

import (
	"maps"
	"slices"
	"strings"

	"daybook/internal/base/fault"
)

// Resource is a sort of JSON document whose shape may differ between versions.
type Resource string

// The resources that versions tell apart. A document of another sort is the same in all of them.
const (
	Plain    Resource = ""
	Invoice  Resource = "invoice"
	Payment  Resource = "payment"
	Customer Resource = "customer"
	Supplier Resource = "supplier"
	Import   Resource = "import" // the request of a bulk import, which holds customers
)

// Document is a JSON object.
type Document = map[string]any

// change is one difference between a version and the one before it. Handlers and stored events speak the newest shape; up
// brings a document of the older shape to the newer one, down back. Both get a copy of their own and never fail: what
// cannot be brought up is noted as an offence of the request.
type change struct {
	since    string // the version that introduced it
	sentence string // for people, in GET /versions
	up       map[Resource]func(c *fault.Check, path string, d Document)
	down     map[Resource]func(d Document)
	// params brings the parameters of a list up.
	params map[Resource]func(c *fault.Check, params map[string][]string)
	// events brings the payload of events down, by the first word of their name.
	events map[string]func(d Document)
	// downPage changes the envelope of lists, which nobody ever sends.
	downPage func(d Document)
}

// changes is every change there ever was, the oldest first.
var changes = []change{
	{
		since:    "2025-10-01",
		sentence: "Lists answer {data, hasMore, nextCursor}; before, {items, cursor}.",
		downPage: downEnvelope,
	},
	{
		since:    "2026-06-01",
		sentence: "Payments have allocations[] in requests, responses and payment.* events; before, one invoiceId (the first allocation's, or null).",
		up:       map[Resource]func(*fault.Check, string, Document){Payment: upAllocations},
		down:     map[Resource]func(Document){Payment: downAllocations},
		events:   map[string]func(Document){"payment": downAllocations},
	},
	{
		since:    "2026-06-01",
		sentence: "An issued, unpaid invoice has the status OPEN in responses, the status filter and invoice.* events; before, SENT.",
		up:       map[Resource]func(*fault.Check, string, Document){Invoice: upStatus},
		down:     map[Resource]func(Document){Invoice: downStatus},
		params:   map[Resource]func(*fault.Check, map[string][]string){Invoice: upStatusFilter},
		events:   map[string]func(Document){"invoice": downStatus},
	},
	{
		since:    "2026-06-01",
		sentence: "Customers and suppliers have paymentTermsDays, a number of days; before, paymentTerms, a text such as NET_30.",
		up:       map[Resource]func(*fault.Check, string, Document){Customer: upTerms, Supplier: upTerms, Import: upImport},
		down:     map[Resource]func(Document){Customer: downTerms, Supplier: downTerms},
		events:   map[string]func(Document){"customer": downChanges, "supplier": downChanges},
	},
}

// Changes says for people what a version brought.
func Changes(version string) []string {
	list := []string{}
	for _, c := range changes {
		if c.since == version {
			list = append(list, c.sentence)
		}
	}
	return list
}

// newer are the changes that a version does not know yet, the oldest first.
func newer(version string) []change {
	i := slices.IndexFunc(changes, func(c change) bool { return c.since > version }) // dates sort as text
	if i < 0 {
		return nil
	}
	return changes[i:]
}

// Up brings a request from the shape of a version to the newest. Its error names what that version does not allow; the
// document is then as complete as it can be, so that the rest of it can be judged too.
func Up(version string, r Resource, d Document) (Document, error) {
	var c fault.Check
	up := maps.Clone(d)
	for _, change := range newer(version) {
		if step := change.up[r]; step != nil && up != nil {
			step(&c, "", up)
		}
	}
	return up, c.Err()
}

// UpParams brings the parameters of a list up.
func UpParams(version string, r Resource, params map[string][]string) (map[string][]string, error) {
	var c fault.Check
	up := maps.Clone(params)
	for _, change := range newer(version) {
		if step := change.params[r]; step != nil && up != nil {
			step(&c, up)
		}
	}
	return up, c.Err()
}

// Down brings a document from the newest shape to that of a version.
func Down(version string, r Resource, d Document) Document {
	down := maps.Clone(d)
	for _, change := range slices.Backward(newer(version)) {
		if step := change.down[r]; step != nil && down != nil {
			step(down)
		}
	}
	return down
}

// DownPage is Down for a page of a list.
func DownPage(version string, r Resource, page Document) Document {
	down := maps.Clone(page)
	if items, ok := page["data"].([]any); ok {
		list := make([]any, len(items))
		for i, item := range items {
			list[i] = item
			if d, ok := item.(Document); ok {
				list[i] = Down(version, r, d)
			}
		}
		down["data"] = list
	}
	for _, change := range slices.Backward(newer(version)) {
		if change.downPage != nil {
			change.downPage(down)
		}
	}
	return down
}

// DownEvent is Down for the payload of an event.
func DownEvent(version, event string, data Document) Document {
	down := maps.Clone(data)
	family, _, _ := strings.Cut(event, ".")
	for _, change := range slices.Backward(newer(version)) {
		if step := change.events[family]; step != nil && down != nil {
			step(down)
		}
	}
	return down
}
