package money

import "strings"

// written is a decimal as it was written: -?\d+(\.\d+)? in ASCII digits, taken apart.
type written struct {
	negative bool
	whole    string
	hasPoint bool
	fraction string
}

// splitDecimal takes text apart; ok is false unless all of it has the form.
func splitDecimal(text string) (w written, ok bool) {
	text, w.negative = strings.CutPrefix(text, "-")
	w.whole, w.fraction, w.hasPoint = strings.Cut(text, ".")
	return w, allDigits(w.whole) && (!w.hasPoint || allDigits(w.fraction))
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
