// Package markdown shows a small part of Markdown, and nothing else: paragraphs, headings, lists, bold, italic, code, and links to http
// and https addresses. It is for texts that strangers write and others see, so it works the other way round than most: a text is
// taken apart into a tree of the few things there are, every letter of it is escaped, and only our own tags are written around
// them. There is no way for a tag, an attribute or an address of another sort to come out.
package markdown

import (
	"html"
	"html/template"
	"regexp"
	"strings"
)

// HTML shows a text. Headings begin at h3: the page has its own above them.
func HTML(source string) template.HTML {
	var b strings.Builder
	for _, block := range parse(source) {
		block.write(&b)
	}
	return template.HTML(b.String()) //nolint:gosec // every letter of the source was escaped
}

// Text is the words of a text, without its signs.
func Text(source string) string {
	var b strings.Builder
	for _, block := range parse(source) {
		for _, line := range block.lines {
			for _, s := range inline(line, 0) {
				s.writeText(&b)
			}
			b.WriteByte('\n')
		}
	}
	return strings.TrimSpace(b.String())
}

// block is a paragraph, a heading, or a list with a line for each of its items.
type block struct {
	tag   string // p, h3, h4, h5, ul, ol
	lines []string
}

var (
	headingLine = regexp.MustCompile(`^(#{1,3}) +(.*?) *#*$`)
	bulletLine  = regexp.MustCompile(`^[-*+] +(.*)$`)
	numberLine  = regexp.MustCompile(`^[0-9]{1,3}[.)] +(.*)$`)
)

// headingTags by the number of signs before it.
var headingTags = map[int]string{1: "h3", 2: "h4", 3: "h5"}

// parse takes a text apart line by line.
func parse(source string) []block {
	var all []block
	open := false // the last block goes on
	for line := range strings.SplitSeq(source, "\n") {
		line = strings.TrimSpace(line)
		tag, text := classify(line)
		switch last := len(all) - 1; {
		case line == "":
			open = false
		case strings.HasPrefix(tag, "h"):
			all, open = append(all, block{tag, []string{text}}), false
		case open && tag == "p": // goes on with whatever stands before it
			lines := all[last].lines
			lines[len(lines)-1] += " " + text
		case open && tag == all[last].tag:
			all[last].lines = append(all[last].lines, text)
		default:
			all, open = append(all, block{tag, []string{text}}), true
		}
	}
	return all
}

// classify says what a line is, and what it says.
func classify(line string) (tag, text string) {
	if m := headingLine.FindStringSubmatch(line); m != nil {
		return headingTags[len(m[1])], m[2]
	}
	if m := bulletLine.FindStringSubmatch(line); m != nil {
		return "ul", m[1]
	}
	if m := numberLine.FindStringSubmatch(line); m != nil {
		return "ol", m[1]
	}
	return "p", line
}

func (b block) write(out *strings.Builder) {
	out.WriteString("<" + b.tag + ">")
	for _, line := range b.lines {
		item := b.tag == "ul" || b.tag == "ol"
		if item {
			out.WriteString("<li>")
		}
		for _, s := range inline(line, 0) {
			s.write(out)
		}
		if item {
			out.WriteString("</li>")
		}
	}
	out.WriteString("</" + b.tag + ">\n")
}

// span is a part of a line: plain text, or a tag around others.
type span struct {
	tag  string // empty: text; strong, em, code, a
	text string // of text and code
	href string // of a link
	in   []span
}

func (s span) write(out *strings.Builder) {
	switch s.tag {
	case "":
		out.WriteString(html.EscapeString(s.text))
		return
	case "code":
		out.WriteString("<code>" + html.EscapeString(s.text) + "</code>")
		return
	case "a":
		out.WriteString(`<a href="` + html.EscapeString(s.href) + `" rel="nofollow noopener noreferrer ugc">`)
	default:
		out.WriteString("<" + s.tag + ">")
	}
	for _, one := range s.in {
		one.write(out)
	}
	out.WriteString("</" + s.tag + ">")
}

func (s span) writeText(out *strings.Builder) {
	out.WriteString(s.text)
	for _, one := range s.in {
		one.writeText(out)
	}
}

// maxDepth of tags in tags. What is deeper is text.
const maxDepth = 4

var (
	link = regexp.MustCompile(`^\[([^\[\]]{1,200})\]\((https?://[^\s()<>"\\]{1,500})\)`)
	// escaped is a sign that stands for itself.
	escaped = regexp.MustCompile("^\\\\([\\\\`*_\\[\\](){}#+.!-])")
)

// inline takes a line apart.
func inline(line string, depth int) []span {
	var all []span
	var plain strings.Builder
	flush := func() {
		if plain.Len() > 0 {
			all = append(all, span{text: plain.String()})
			plain.Reset()
		}
	}
	for len(line) > 0 {
		if m := escaped.FindStringSubmatch(line); m != nil {
			plain.WriteString(m[1])
			line = line[len(m[0]):]
			continue
		}
		if depth < maxDepth {
			if s, size := special(line, depth); size > 0 {
				flush()
				all = append(all, s)
				line = line[size:]
				continue
			}
		}
		// Signs without an end, and all else, are text; a run of the same sign is one.
		size := 1
		for size < len(line) && line[size] == line[0] && strings.IndexByte("*_`", line[0]) >= 0 {
			size++
		}
		plain.WriteString(line[:size])
		line = line[size:]
	}
	flush()
	return all
}

// special is the tag that a line begins with, and how many bytes it takes; 0: it begins with none.
func special(line string, depth int) (span, int) {
	switch line[0] {
	case '[':
		if m := link.FindStringSubmatch(line); m != nil {
			return span{tag: "a", href: m[2], in: withoutLinks(inline(m[1], depth+1))}, len(m[0])
		}
	case '`':
		if end := strings.IndexByte(line[1:], '`'); end > 0 {
			return span{tag: "code", text: line[1 : 1+end]}, end + 2
		}
	case '*', '_':
		return emphasis(line, depth)
	}
	return span{}, 0
}

// emphasis is **bold** or *italic*, with either sign: it begins and ends at something that is no space.
func emphasis(line string, depth int) (span, int) {
	sign, tag := line[:1], "em"
	if strings.HasPrefix(line[1:], sign) {
		sign, tag = line[:2], "strong"
	}
	rest := line[len(sign):]
	end := strings.Index(rest, sign)
	if end <= 0 || rest[0] == ' ' || rest[end-1] == ' ' {
		return span{}, 0
	}
	return span{tag: tag, in: inline(rest[:end], depth+1)}, len(sign)*2 + end
}

// withoutLinks keeps links out of links.
func withoutLinks(all []span) []span {
	for i := range all {
		all[i].in = withoutLinks(all[i].in)
		if all[i].tag == "a" {
			all[i].tag = "em"
		}
	}
	return all
}
