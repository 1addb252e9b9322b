package generated_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// bounds goes through every member of every body and breaks what the document says of it, one thing at a time. The rest
// being right most of the time, nothing else is to blame when it is taken.
func (w *worker) bounds() {
	d := w.drawer
	for _, op := range w.document.operations {
		if !op.partner || !op.bodies || op.component() == "Nothing" {
			continue
		}
		r := request{op: op, style: nearly, who: w.callers[0], header: http.Header{"Content-Type": {"application/json"}}, version: w.document.version}
		r.target = w.path(&r, false)
		r.subject, r.members = d.subject, d.schemas.resolve(op.body).names
		whole, err := json.Marshal(d.value("", op.body))
		must(w.t, err)
		for i := 0; ; i++ {
			body, err := decode(whole)
			must(w.t, err)
			ways := d.breaches(op.body, &body)
			if i == len(ways) {
				break
			}
			ways[i]()
			text, err := json.Marshal(body)
			must(w.t, err)
			sent := string(text)
			r.body = &sent
			a := w.send(r)
			if a == nil {
				return
			}
			w.judge(r, a)
		}
	}
}

// breaches are all the ways to break one thing in a body.
func (d *drawer) breaches(s *schema, body *any) []func() {
	var list []func()
	for _, p := range d.places("", s, *body, func(v any) { *body = v }, nil) {
		if p.schema == nil {
			continue
		}
		for _, v := range breaking(p.schema) {
			list = append(list, func() { p.set(v) })
		}
		o, _ := p.value.(object)
		for _, name := range p.schema.required {
			list = append(list, func() { delete(o, name) })
		}
		if o != nil && p.schema.closed {
			list = append(list, func() { o["unknown"] = 1 })
		}
	}
	return list
}

// breaking are values that a schema forbids.
func breaking(s *schema) []any {
	var list []any
	if len(s.enum) > 0 {
		list = append(list, "", "NOPE")
		if word, ok := s.enum[0].(string); ok {
			list = append(list, strings.ToLower(word))
		}
	}
	if s.maxLength != nil {
		list = append(list, strings.Repeat("é", *s.maxLength+1))
	}
	if s.minimum != nil {
		list = append(list, json.Number(strconv.Itoa(int(*s.minimum)-1)))
	}
	if s.maximum != nil {
		list = append(list, json.Number(strconv.Itoa(int(*s.maximum)+1)))
	}
	if s.minItems != nil {
		list = append(list, slices.Repeat([]any{object{}}, *s.minItems-1))
	}
	if s.maxItems != nil {
		list = append(list, slices.Repeat([]any{object{}}, *s.maxItems+1))
	}
	if s.format == "int64" {
		list = append(list, json.Number("9223372036854775808"), json.Number("1.5"))
	}
	switch {
	case s.may("string"):
		list = append(list, 7, []any{})
	case s.may("boolean"):
		list = append(list, "true", 1)
	case len(s.types) > 0:
		list = append(list, "text", true)
	}
	return list
}
