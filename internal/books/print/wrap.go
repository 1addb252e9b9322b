package print

import "strings"

// wrap breaks a legible text into lines of a width, between words where it can. Empty lines at its end are left out.
func wrap(f *face, size, width float64, text string) []string {
	limit := int(width * 1000 / size)
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		lines = append(lines, wrapParagraph(f, limit, paragraph)...)
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func wrapParagraph(f *face, limit int, text string) (lines []string) {
	line, width := "", 0
	for word := range strings.FieldsSeq(text) {
		w := f.units(word)
		if line != "" && width+f.widths[' ']+w <= limit {
			line, width = line+" "+word, width+f.widths[' ']+w
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for w > limit { // wider than a line: it breaks anywhere
			n, units := f.fit(word, limit)
			if n == len(word) {
				break
			}
			lines = append(lines, word[:n])
			word, w = word[n:], w-units
		}
		line, width = word, w
	}
	return append(lines, line)
}

// fit is how much of a text has room, in bytes, and how wide that is. It is one letter at least.
func (f *face) fit(text string, limit int) (n, units int) {
	for i, r := range text {
		if i > 0 && units+f.widths[r] > limit {
			return i, units
		}
		units += f.widths[r]
	}
	return len(text), units
}

// clip shortens a legible text to one line of a width.
func clip(f *face, size, width float64, text string) string {
	text = strings.ReplaceAll(text, "\n", " ")
	if f.width(text, size) <= width {
		return text
	}
	n, _ := f.fit(text, int(width*1000/size)-f.widths['…'])
	return strings.TrimRight(text[:n], " …") + "…"
}

// atMost wraps a text into a number of lines. What is cut off shows.
func atMost(most int, f *face, size, width float64, text string) []string {
	lines := wrap(f, size, width, text)
	if len(lines) <= most {
		return lines
	}
	lines = lines[:most]
	lines[most-1] = clip(f, size, width, lines[most-1]+"…")
	return lines
}
