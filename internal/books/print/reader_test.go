package print_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// run is a piece of text on a page.
type run struct {
	text        string
	x, y, width float64
	size        float64
	font        string
}

// page is what stands on a page, in the order of drawing.
type page []run

func (p page) texts() (list []string) {
	for _, r := range p {
		list = append(list, r.text)
	}
	return list
}

func (p page) String() string { return strings.Join(p.texts(), "\n") }

// find is the run with that text.
func (p page) find(t testing.TB, text string) run {
	t.Helper()
	i := slices.IndexFunc(p, func(r run) bool { return r.text == text })
	if i < 0 {
		t.Fatalf("%q is not on the page:\n%v", text, p)
	}
	return p[i]
}

// file is a PDF taken apart, as far as ours go: objects by number, streams inflated.
type file struct {
	t       testing.TB
	objects map[string]string
	streams map[string]string
}

var (
	objectHead = regexp.MustCompile(`^(\d+) 0 obj\n`)
	length     = regexp.MustCompile(`/Length (\d+)`)
	reference  = regexp.MustCompile(`(\d+) 0 R`)
	fontName   = regexp.MustCompile(`/(F\d+) (\d+) 0 R`)
	descendant = regexp.MustCompile(`/DescendantFonts \[(\d+) 0 R\]`)
	toUnicode  = regexp.MustCompile(`/ToUnicode (\d+) 0 R`)
	glyphWidth = regexp.MustCompile(`(\d+)\[(\d+)\]`)
	glyphText  = regexp.MustCompile(`<([0-9A-F]{4})><[0-9A-F]{4}><([0-9A-F]{4})>`)
	shown      = regexp.MustCompile(`([\d.-]+) ([\d.-]+) TD\n/(F\d+) ([\d.]+) Tf [^\n]*\n(?:[^\n\[]*\n)?\[<([0-9A-F]*)>\] TJ`)
)

// read takes a PDF apart by its table of objects, so a wrong table is found.
func read(t testing.TB, pdf []byte) []page {
	t.Helper()
	f := &file{t: t, objects: map[string]string{}, streams: map[string]string{}}
	text := string(pdf)
	if !strings.HasPrefix(text, "%PDF-1.") || !strings.HasSuffix(text, "%%EOF\n") {
		t.Fatalf("not a PDF: %.20q", text)
	}
	_, tail, _ := strings.Cut(text, "startxref\n")
	at, err := strconv.Atoi(strings.TrimSuffix(tail, "\n%%EOF\n"))
	if err != nil || at >= len(text) || !strings.HasPrefix(text[at:], "xref\n0 ") {
		t.Fatalf("startxref points to %d", at)
	}
	rows := strings.Split(text[at:], "\n")
	n, _ := strconv.Atoi(strings.TrimPrefix(rows[1], "0 "))
	for i := 1; i < n; i++ {
		offset, err := strconv.Atoi(rows[2+i][:10])
		if err != nil || offset >= len(text) {
			t.Fatalf("object %d: %q", i, rows[2+i])
		}
		f.object(strconv.Itoa(i), text[offset:])
	}
	return f.pages()
}

func (f *file) object(number, text string) {
	head := objectHead.FindStringSubmatch(text)
	if head == nil || head[1] != number {
		f.t.Fatalf("object %s is not where the table says: %.20q", number, text)
	}
	text = text[len(head[0]):]
	dict, rest, hasStream := strings.Cut(text, "stream\n")
	if end := strings.Index(text, "endobj"); !hasStream || end >= 0 && end < len(dict) {
		f.objects[number] = text[:end]
		return
	}
	f.objects[number] = dict
	n, _ := strconv.Atoi(length.FindStringSubmatch(dict)[1])
	data := rest[:n]
	if after := strings.TrimPrefix(rest[n:], "\n"); !strings.HasPrefix(after, "endstream") {
		f.t.Fatalf("the stream of object %s has another length than it says: %.20q", number, after)
	}
	if strings.Contains(dict, "FlateDecode") {
		r, err := zlib.NewReader(strings.NewReader(data))
		var plain bytes.Buffer
		if err == nil {
			_, err = io.Copy(&plain, r)
		}
		if err != nil {
			f.t.Fatalf("object %s: %v", number, err)
		}
		data = plain.String()
	}
	f.streams[number] = data
}

// font is how glyphs are read back.
type glyphs struct {
	text  map[string]string
	width map[string]float64
}

func (f *file) fonts() map[string]glyphs {
	fonts := map[string]glyphs{}
	for _, object := range f.objects {
		for _, m := range fontName.FindAllStringSubmatch(object, -1) {
			g := glyphs{text: map[string]string{}, width: map[string]float64{}}
			font := f.objects[m[2]]
			for _, w := range glyphWidth.FindAllStringSubmatch(f.objects[descendant.FindStringSubmatch(font)[1]], -1) {
				index, _ := strconv.Atoi(w[1])
				g.width[fmt.Sprintf("%04X", index)], _ = strconv.ParseFloat(w[2], 64)
			}
			for _, c := range glyphText.FindAllStringSubmatch(f.streams[toUnicode.FindStringSubmatch(font)[1]], -1) {
				code, _ := strconv.ParseInt(c[2], 16, 32)
				g.text[c[1]] = string(rune(code))
			}
			fonts[m[1]] = g
		}
	}
	return fonts
}

func (f *file) pages() (pages []page) {
	fonts := f.fonts()
	for _, object := range f.objects {
		if !strings.Contains(object, "/Kids") {
			continue
		}
		_, kids, _ := strings.Cut(object, "/Kids")
		kids, _, _ = strings.Cut(kids, "]")
		for _, kid := range reference.FindAllStringSubmatch(kids, -1) {
			_, contents, _ := strings.Cut(f.objects[kid[1]], "/Contents")
			pages = append(pages, runs(f.streams[reference.FindStringSubmatch(contents)[1]], fonts))
		}
	}
	return pages
}

func runs(stream string, fonts map[string]glyphs) (p page) {
	for _, m := range shown.FindAllStringSubmatch(stream, -1) {
		r := run{font: m[3]}
		r.x, _ = strconv.ParseFloat(m[1], 64)
		r.y, _ = strconv.ParseFloat(m[2], 64)
		r.size, _ = strconv.ParseFloat(m[4], 64)
		for code := range slices.Chunk([]byte(m[5]), 4) {
			r.text += fonts[m[3]].text[string(code)]
			r.width += fonts[m[3]].width[string(code)] * r.size / 1000
		}
		p = append(p, r)
	}
	return p
}

// tidy finds what a page must not have: text beyond its margins, over its foot, or over other text of the same line.
func tidy(t testing.TB, pages []page) {
	t.Helper()
	for i, p := range pages {
		var lines []run
		for _, r := range p {
			if r.size > 100 {
				continue // a stamp lies across the page
			}
			if r.x < 55.9 || r.x+r.width > 539.4 || r.y > 790 || r.y < 61 && r.y != 41.89 {
				t.Errorf("page %d: %.30q lies at %.1f to %.1f, %.1f", i+1, r.text, r.x, r.x+r.width, r.y)
			}
			for _, o := range lines {
				if r.y == o.y && r.x < o.x+o.width && o.x < r.x+r.width {
					t.Errorf("page %d: %.30q and %.30q lie over each other", i+1, r.text, o.text)
				}
			}
			lines = append(lines, r)
		}
	}
}
