package partnerapi

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"daybook/internal/books/invoice"
	"daybook/internal/books/record"
	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/idem"
	"daybook/internal/surface/wire"
)

// shelf keeps invoices as they are written on the wire, by id and version. A version never changes, so what stands here can
// be out of place but never wrong: each read asks the store which version there is, in which business, and takes it from
// here only if it is that one. Reading many columns and writing them as JSON costs ten times as much.
type shelf struct {
	mu   sync.RWMutex
	docs map[string]*shelved
	size int // bytes
}

// shelved is a document cut where callers differ: before what the calling app calls it, and before whether it is overdue.
type shelved struct {
	version          int
	name, late, rest []byte                        // everything up to externalId's value, up to overdue's, and the rest
	lateAfter        string                        // empty: never
	seen             atomic.Pointer[invoice.Sight] // the last one's that asked for it
}

// maxShelf bytes are kept; a full shelf is cleared, which is simple and rare.
const maxShelf = 32 << 20

func (s *shelf) find(id string) *shelved {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.docs[id]
}

func (s *shelf) put(id string, d *shelved) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.docs == nil || s.size > maxShelf {
		s.docs, s.size = map[string]*shelved{}, 0
	}
	if old := s.docs[id]; old != nil {
		s.size -= old.bytes()
	}
	s.docs[id] = d
	s.size += d.bytes()
}

func (d *shelved) bytes() int { return len(d.name) + len(d.late) + len(d.rest) + 200 }

var (
	noName  = []byte(`"externalId":null`)
	notLate = []byte(`"overdue":false`)
)

// shelve writes an invoice for the shelf. Both cuts are found safely: inside of a text their quotes would be escaped.
func shelve(i invoice.Invoice) (*shelved, error) {
	doc := newInvoiceDoc(i)
	doc.ExternalID, doc.Overdue = nil, false
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	name := bytes.Index(text, noName) + len(noName) - len("null")
	late := bytes.Index(text, notLate) + len(notLate) - len("false")
	return &shelved{
		version: i.Version, lateAfter: i.LateAfter(),
		name: text[:name:name], late: text[name+len("null") : late : late], rest: text[late+len("false"):],
	}, nil
}

// append writes the document as one caller sees it.
func (d *shelved) append(out []byte, externalID *string, today string) []byte {
	out = append(out, d.name...)
	if externalID == nil {
		out = append(out, "null"...)
	} else {
		text, _ := json.Marshal(*externalID) // a text always encodes
		out = append(out, text...)
	}
	out = append(out, d.late...)
	out = strconv.AppendBool(out, d.lateAfter != "" && today > d.lateAfter)
	return append(out, d.rest...)
}

// getInvoice answers an invoice, from the shelf if its version stands there.
func (a *API) getInvoice(ctx context.Context, c *call) (idem.Answer, error) {
	if known := a.shelf.find(c.id()); known != nil {
		before := known.seen.Load()
		seen, err := a.Invoices.Glance(ctx, c.by, c.id(), before)
		if err != nil {
			return idem.Answer{}, err
		}
		if seen != before {
			known.seen.Store(seen)
		}
		if seen.Version == known.version {
			c.writer.Header()["Etag"] = []string{`"` + strconv.Itoa(seen.Version) + `"`} // a map for one header costs more than the header
			return idem.Answer{Status: http.StatusOK, Body: known.append(make([]byte, 0, known.bytes()), seen.ExternalID, seen.Today)}, nil
		}
	}
	i, err := a.Invoices.Get(ctx, c.by, c.id())
	if err != nil {
		return idem.Answer{}, err
	}
	d, err := shelve(i)
	if err != nil {
		return idem.Answer{}, err
	}
	a.shelf.put(i.ID, d)
	return c.render(http.StatusOK, newInvoiceDoc(i))
}

// listInvoices answers a page, each invoice from the shelf if its version stands there; the others are read together.
func (a *API) listInvoices(ctx context.Context, c *call, params map[string][]string) (idem.Answer, error) {
	page, err := a.Invoices.Glances(ctx, c.by, params)
	if err != nil {
		return idem.Answer{}, err
	}
	docs := make([]*shelved, len(page.Data))
	var missing []string
	for n, seen := range page.Data {
		if d := a.shelf.find(seen.ID); d != nil && d.version == seen.Version {
			docs[n] = d
		} else {
			missing = append(missing, seen.ID)
		}
	}
	if len(missing) > 0 {
		if err := a.fetch(ctx, c, page.Data, docs, missing); err != nil {
			return idem.Answer{}, err
		}
	}
	c.sheet = sheets.Get().(*[]byte)
	out := append((*c.sheet)[:0], `{"data":[`...)
	first := true
	for n, d := range docs {
		if d == nil { // deleted between the two looks
			continue
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		out = d.append(out, page.Data[n].ExternalID, page.Data[n].Today)
	}
	*c.sheet = appendEnd(out, page.Next)
	return idem.Answer{Status: http.StatusOK, Body: *c.sheet}, nil
}

// sheets are buffers for pages: most are larger than what the allocator has at hand.
var sheets = sync.Pool{New: func() any { return new([]byte) }}

// maxSheet is what is worth keeping: the largest page of ordinary invoices.
const maxSheet = 1 << 20

// dispose gives the buffer of an answer that was sent back.
func (c *call) dispose() {
	if c.sheet != nil && cap(*c.sheet) <= maxSheet {
		sheets.Put(c.sheet)
	}
	c.sheet, c.answer.Body = nil, nil
}

func appendEnd(out []byte, next *string) []byte {
	out = append(out, `],"hasMore":`...)
	out = strconv.AppendBool(out, next != nil)
	out = append(out, `,"nextCursor":`...)
	if next == nil {
		return append(out, "null}"...)
	}
	return append(append(append(out, '"'), *next...), `"}`...) // base64url: nothing to escape
}

// fetch reads what the shelf lacks.
func (a *API) fetch(ctx context.Context, c *call, seen []invoice.Sight, docs []*shelved, missing []string) error {
	found, err := a.Invoices.GetMany(ctx, c.by, missing)
	if err != nil {
		return err
	}
	fresh := make(map[string]*shelved, len(found))
	for _, i := range found {
		d, err := shelve(i)
		if err != nil {
			return err
		}
		a.shelf.put(i.ID, d)
		fresh[i.ID] = d
	}
	for n := range docs {
		if docs[n] == nil {
			docs[n] = fresh[seen[n].ID]
		}
	}
	return nil
}

// invoiceVerb and invoicesVerb are show and page for invoices: from the shelf in the newest version, the ordinary way in others.
func (a *API) invoiceVerb() verb {
	usual := func(ctx context.Context, c *call) (invoiceDoc, error) {
		i, err := a.Invoices.Get(ctx, c.by, c.id())
		return newInvoiceDoc(i), err
	}
	v := show(usual)
	v.register = handle(func(ctx context.Context, c *call, _ *none) (err error) {
		if apiversion.Newest(c.version) {
			c.answer, err = a.getInvoice(ctx, c)
			return err
		}
		doc, err := usual(ctx, c)
		if err != nil {
			return err
		}
		c.answer, err = c.render(http.StatusOK, doc)
		return err
	})
	return v
}

func (a *API) invoicesVerb() verb {
	usual := func(ctx context.Context, c *call, params map[string][]string) (record.Page[invoice.Invoice], error) {
		return a.Invoices.List(ctx, c.by, params)
	}
	v := page(&invoice.Listing, usual, newInvoiceDoc)
	v.register = handle(func(ctx context.Context, c *call, in *none) (err error) {
		if apiversion.Newest(c.version) {
			params, err := wire.Query(c.request)
			if err != nil {
				return err
			}
			c.answer, err = a.listInvoices(ctx, c, params)
			return err
		}
		return paging(ctx, c, usual, newInvoiceDoc)
	})
	return v
}
