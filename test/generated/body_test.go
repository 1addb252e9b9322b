package generated_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
)

// drawBody draws a body by the schema of the operation.
func (w *worker) drawBody(r *request, spoiled bool) {
	d := w.drawer
	if !r.op.bodies {
		return
	}
	optional := r.op.component() == "Nothing" || len(d.schemas.resolve(r.op.body).required) == 0 && r.op.method == http.MethodPost
	if optional && d.chance(40) {
		return
	}
	r.members = d.schemas.resolve(r.op.body).names
	v := d.value("", r.op.body)
	if r.version != "" && r.version < "2026-06-01" && d.chance(90) {
		aged(v)
	}
	switch {
	case r.style == hostile:
		v = d.spoil(r.op.body, v, 1+d.IntN(4))
	case spoiled:
		v = d.spoil(r.op.body, v, 1)
	}
	encoded, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	text := string(encoded)
	media := "application/json"
	if r.style == hostile {
		if d.chance(15) {
			text = d.garble(text)
		}
		if d.chance(10) {
			media = one(d, "", "text/plain", "application/x-www-form-urlencoded", "application/merge-patch+json", "application/json; charset=latin1", "application/json;;", "multipart/form-data", "*/*", "é")
		}
	}
	if text != "" { // else there is none
		r.body = &text
	}
	r.header["Content-Type"] = []string{media}
}

// aged gives a body the names that members had before 2026-06-01.
func aged(v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			aged(item)
		}
	case object:
		if days, there := v["paymentTermsDays"]; there {
			delete(v, "paymentTermsDays")
			v["paymentTerms"] = nil
			if days != nil {
				v["paymentTerms"] = "NET_" + short(days)
			}
		}
		if list, ok := v["allocations"].([]any); ok {
			delete(v, "allocations")
			if len(list) > 0 {
				v["invoiceId"] = list[0].(object)["invoiceId"]
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			aged(v[name])
		}
	}
}
