package print

import (
	"bytes"
	"io"
	"time"

	"github.com/signintech/gopdf"
)

// The page, in points: A4. What is printed lies between left and right, top and bottom; the foot is below.
const (
	pageWidth, pageHeight = 595.28, 841.89
	left, right           = 56.0, pageWidth - 56
	top, bottom           = 56.0, 780.0
	foot                  = 800.0
)

type colour struct{ r, g, b uint8 }

var (
	ink    = colour{31, 41, 51}
	grey   = colour{107, 114, 128}
	rule   = colour{209, 213, 219}
	band   = colour{243, 244, 246}
	green  = colour{22, 121, 75}
	red    = colour{185, 28, 28}
	faint  = colour{236, 239, 243}
	blush  = colour{251, 230, 228}
	gently = 0.5 // width of a rule
)

// style is how a text looks.
type style struct {
	*face
	size   float64
	colour colour
}

// sheet is a PDF in the making. Its first error is kept; after it nothing is printed any more.
type sheet struct {
	*faces
	pdf   gopdf.GoPdf
	y     float64 // where the next thing goes: the upper edge
	pages int
	// begin prints what stands on every page before anything else.
	begin func()
	err   error
}

func newSheet(title, author string, made time.Time) *sheet {
	s := &sheet{faces: typefaces()}
	s.pdf.Start(gopdf.Config{PageSize: gopdf.Rect{W: pageWidth, H: pageHeight}})
	for _, f := range []*face{&s.regular, &s.bold} {
		s.note(s.pdf.AddTTFFontFromFontContainer(f.family, &s.container))
	}
	s.pdf.SetInfo(gopdf.PdfInfo{Title: title, Author: author, Producer: "Daybook", CreationDate: made})
	return s
}

func (s *sheet) note(err error) {
	if s.err == nil {
		s.err = err
	}
}

// page begins a new page.
func (s *sheet) page() {
	s.pdf.AddPage()
	s.pages++
	s.y = top
	s.begin()
}

// need begins a new page unless there is room for that height.
func (s *sheet) need(height float64) (broke bool) {
	if s.y+height <= bottom {
		return false
	}
	s.page()
	return true
}

// text prints one line with its baseline at y.
func (s *sheet) text(look style, x, y float64, text string) {
	if s.err != nil || text == "" {
		return
	}
	s.note(s.pdf.SetFont(look.family, "", look.size))
	s.pdf.SetTextColor(look.colour.r, look.colour.g, look.colour.b)
	s.pdf.SetXY(x, y)
	s.note(s.pdf.Text(text))
}

// textRight prints one line that ends at x.
func (s *sheet) textRight(look style, x, y float64, text string) {
	s.text(look, x-look.width(text, look.size), y, text)
}

// line draws a horizontal rule.
func (s *sheet) line(x1, x2, y, width float64, c colour) {
	s.pdf.SetStrokeColor(c.r, c.g, c.b)
	s.pdf.SetLineWidth(width)
	s.pdf.Line(x1, y, x2, y)
}

// fill draws an area.
func (s *sheet) fill(x1, y1, x2, y2 float64, c colour) {
	s.pdf.SetFillColor(c.r, c.g, c.b)
	s.pdf.RectFromUpperLeftWithStyle(x1, y1, x2-x1, y2-y1, "F")
}

// write finishes every page and writes the whole.
func (s *sheet) write(w io.Writer, finish func(page int)) error {
	for n := 1; n <= s.pages && s.err == nil; n++ {
		if s.note(s.pdf.SetPage(n)); s.err == nil {
			finish(n)
		}
	}
	if s.err != nil {
		return s.err
	}
	var whole bytes.Buffer // the library does not notice a writer that fails
	if _, err := s.pdf.WriteTo(&whole); err != nil {
		return err
	}
	_, err := whole.WriteTo(w)
	return err
}
