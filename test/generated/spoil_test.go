package generated_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// place is somewhere in a body, with what the schema says of it.
type place struct {
	name   string
	schema *schema
	value  any
	set    func(any)
	remove func() // nil where nothing can be taken away
}

// places lists everywhere in a body, in a stable order.
func (d *drawer) places(name string, s *schema, v any, set func(any), remove func()) []place {
	if s != nil {
		s = d.schemas.resolve(s)
		for len(s.choices) > 0 {
			s = d.schemas.resolve(s.choices[0])
		}
	}
	list := []place{{name, s, v, set, remove}}
	switch v := v.(type) {
	case object:
		for _, member := range slices.Sorted(maps.Keys(v)) {
			var inner *schema
			if s != nil {
				inner = s.properties[member]
			}
			list = append(list, d.places(member, inner, v[member], func(x any) { v[member] = x }, func() { delete(v, member) })...)
		}
	case []any:
		for i := range v {
			var inner *schema
			if s != nil {
				inner = s.items
			}
			list = append(list, d.places(name, inner, v[i], func(x any) { v[i] = x }, nil)...)
		}
	}
	return list
}

// spoil changes a body in so many places; most of what comes out is wrong.
func (d *drawer) spoil(s *schema, body any, times int) any {
	for range times {
		list := d.places("", s, body, func(x any) { body = x }, nil)
		p := list[d.IntN(len(list))]
		if len(list) > 1 && d.chance(90) {
			p = list[1+d.IntN(len(list)-1)] // not the whole
		}
		d.spoilAt(p)
	}
	return body
}

func (d *drawer) spoilAt(p place) {
	o, isObject := p.value.(object)
	switch {
	case p.remove != nil && d.chance(15):
		p.remove()
	case isObject && d.chance(40):
		o[one(d, "unknown", "", "__proto__", "ID", "id", "businessId", "business_id", "version", "status", strings.Repeat("n", 300), "a.b", "é")] = d.odd()
	case isObject && p.schema != nil && len(p.schema.names) > 0 && d.chance(50): // another member, drawn by itself
		name := one(d, p.schema.names...)
		o[name] = d.value(name, p.schema.properties[name])
	case d.chance(40) && p.schema != nil:
		p.set(d.edge(p))
	default:
		p.set(d.odd())
	}
}

// edge is a value of about the right kind: at a bound, or just beyond it.
func (d *drawer) edge(p place) any {
	s := p.schema
	if kinds[p.name] != "" && d.chance(70) {
		return one(d, d.madeUp(kinds[p.name]), d.madeUp("xyz"), strings.ToUpper(d.id(p.name)), d.id(p.name)+" ", " "+d.id(p.name), d.madeUp(kinds[p.name])[:20], "",
			d.id("supplierId"), d.id("journalEntryId"), "\x00"+d.id(p.name), kinds[p.name]+"_", "'", d.corpus.pick(d.Rand, kinds[p.name], nil))
	}
	switch {
	case len(s.enum) > 0:
		word, _ := one(d, s.enum...).(string)
		return one(d, strings.ToLower(word), word+" ", word+"\x00", "", "OTHER", "NONE", "DRAFT")
	case s.may("integer"):
		numbers := []string{"0", "-1", "1", "9007199254740991", "9007199254740992", "-9007199254740992", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e3", "1.0", "0.5", "-0"}
		if s.minimum != nil {
			numbers = append(numbers, strconv.Itoa(int(*s.minimum)-1))
		}
		if s.maximum != nil {
			numbers = append(numbers, strconv.Itoa(int(*s.maximum)), strconv.Itoa(int(*s.maximum)+1))
		}
		return json.RawMessage(one(d, numbers...))
	case s.may("array"):
		list, _ := p.value.([]any)
		switch {
		case d.chance(25) || len(list) == 0:
			return []any{}
		case d.chance(50):
			return append(slices.Clone(list), list[0]) // twice the same
		case s.maxItems != nil && d.chance(40):
			return slices.Repeat(list[:1], *s.maxItems+d.IntN(2))
		case d.chance(20):
			return slices.Repeat(list[:1], 501)
		}
		return list[:len(list)-1]
	case s.may("string"):
		if s.maxLength != nil && d.chance(50) {
			return strings.Repeat(one(d, "x", "é", "𝄞"), *s.maxLength+d.IntN(2))
		}
		return one(d, edges...)
	}
	return nil
}

// edges are texts that have tripped others: dates, numbers and currencies that are none.
var edges = []string{
	"", " ", "0000-00-00", "2026-02-30", "2026-2-3", "9999-12-31", "1899-12-31", "2200-01-01", "2026-05-04T00:00:00Z", "20260504", "٢٠٢٦-٠٥-٠٤",
	"1e5", "0x10", "NaN", "Infinity", "-0", "+1", " 1", "1,5", "1.", ".5", "1_000", "0.0000001", "999999999999999999999", "-99999999999", "9007199254740991",
	"90071992547409.91", "0.00000000000000000000000000001", "１２", "eur", "EURO", "XXX", "XAU", "a@b", "a@@b", "@", "null", "true", "undefined",
}

// odd is a value that fits nowhere, or only by chance.
func (d *drawer) odd() any {
	return one[any](d,
		nil, true, false, 0, -1, 42, 1<<40, "", "text", "\x00", "a\x00b", "\u202egnirts", "e\u0301\u0301\u0301", "\ufeffbom", "\uffff", "\U0010ffff", "🏳️‍🌈", "a\nb\tc\r", "\u2028",
		strings.Repeat("long ", 5000), []any{}, []any{nil}, object{}, object{"a": object{"b": []any{1}}}, one(d, edges...), d.madeUp("cus"),
		json.RawMessage("1e400"), json.RawMessage("-1E-400"), json.RawMessage("123456789012345678901234567890"), json.RawMessage("0.1"), json.RawMessage(`"\ud800"`), json.RawMessage(`"\ud83d\ude00\udc00"`),
		json.RawMessage(strings.Repeat("[", 200)+strings.Repeat("]", 200)), json.RawMessage(`{"a":1,"a":2}`),
	)
}

// garble makes a text out of a body that is broken as a text.
func (d *drawer) garble(text string) string {
	switch d.IntN(14) {
	case 0:
		return text[:d.IntN(len(text)+1)]
	case 1:
		return text + "x"
	case 2:
		return text + text
	case 3:
		return "\xef\xbb\xbf" + text
	case 4:
		return strings.Replace(text, `"`, `'`, 2)
	case 5:
		before := one(d, ":", `":"`)
		return strings.Replace(text, before, before+"\xff\xfe", 1)
	case 6:
		return one(d, "", " ", "null", "[]", `"x"`, "0", "true", "{", "}", "{]", "nul", "\x00", "[{}]", "{}", "{}{}", "{},", "// no\n{}")
	case 7:
		return strings.Repeat("[", 20_000)
	case 8:
		return strings.Repeat(`{"a":`, 11_000) + "1" + strings.Repeat("}", 11_000)
	case 9:
		return "\n\n  " + strings.ReplaceAll(text, ",", " ,\n\t") + "  \r\n"
	case 10: // a member twice, of which the later counts
		return strings.Replace(text, "{", `{"displayName":5,"date":7,"lines":3,`, 1)
	case 11:
		return strings.ReplaceAll(text, `"`, "\u201c")
	case 12:
		if d.chance(20) {
			return `{"notes":"` + strings.Repeat("x", 1<<20) + `"}`
		}
		return `{"notes":"` + strings.Repeat("x", 100_000) + `"}`
	}
	return strings.Replace(text, "}", ",}", 1)
}
