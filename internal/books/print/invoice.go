package print

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"
)

// Invoice writes an invoice as a PDF.
func Invoice(w io.Writer, in Document) error {
	made, _ := time.Parse(time.DateOnly, in.IssueDate) // without a date the PDF has none
	name := legible(strings.TrimSpace("Invoice " + in.Number))
	p := &printer{Document: in, sheet: newSheet(name, legible(in.Business.Name), made), name: name}
	p.styles()
	p.begin = p.pageHead
	p.page()
	p.head()
	p.parties()
	p.table()
	p.totals()
	p.notes()
	return p.write(w, p.pageFoot)
}

// printer is one invoice on its way to paper.
type printer struct {
	Document
	*sheet
	name string // Invoice INV-000123

	body, strong, small, label, large, title style
}

func (p *printer) styles() {
	p.body = style{&p.regular, 9, ink}
	p.strong = style{&p.bold, 9, ink}
	p.small = style{&p.regular, 8, grey}
	p.label = style{&p.bold, 7.5, grey}
	p.large = style{&p.bold, 15, ink}
	p.title = style{&p.regular, 24, ink}
}

const leading = 1.38 // lines are so many times their size apart

// block prints lines of one look below each other, from the upper edge y, and returns the lower edge.
func (p *printer) block(look style, x, y float64, lines []string) float64 {
	for _, line := range lines {
		y += look.size * leading
		p.text(look, x, y-look.size*(leading-1), line)
	}
	return y
}

// head is the top of the first page: who sends what.
func (p *printer) head() {
	const column = 300.0
	y := p.block(p.large, left, p.y, p.lines(6, p.large, column, p.Business.Name)) + 3
	facts := []string{p.Business.LegalName, "", p.Business.Country}
	if p.Business.LegalName == p.Business.Name {
		facts[0] = ""
	}
	if p.Business.TaxNumber != "" {
		facts[1] = "Tax number " + p.Business.TaxNumber
	}
	for _, fact := range facts {
		y = p.block(p.small, left, y, p.lines(4, p.small, column, fact))
	}
	below := p.y + p.large.size // the baseline of the name
	p.textRight(p.title, right, below, "Invoice")
	if p.Stamp != NoStamp {
		below = p.stamp(below + 14)
	}
	p.y = max(y, below) + 30
}

// lines of a text in a place that must not grow without end.
func (p *printer) lines(most int, look style, width float64, text string) []string {
	return atMost(most, look.face, look.size, width, legible(text))
}

// stamp prints the state in a frame below the title, and returns its lower edge.
func (p *printer) stamp(y float64) float64 {
	const height, padding = 19.0, 10.0
	look := style{&p.bold, 10, p.Stamp.colour()}
	text := clip(look.face, look.size, 120, legible(string(p.Stamp)))
	x := right - look.width(text, look.size) - 2*padding
	p.pdf.SetStrokeColor(look.colour.r, look.colour.g, look.colour.b)
	p.pdf.SetLineWidth(1.2)
	p.note(p.pdf.Rectangle(x, y, right-0.6, y+height, "D", 3, 8))
	p.text(look, x+padding, y+height/2+look.size*0.36, text)
	return y + height
}

func (s Stamp) colour() colour {
	switch s {
	case Paid:
		return green
	case Void:
		return red
	}
	return grey
}

// parties is who it is for, and beside that its number and dates.
func (p *printer) parties() {
	const column, facts, values = 240.0, 330.0, 420.0
	name := style{&p.bold, 10, ink}
	y := p.block(p.label, left, p.y, []string{"BILL TO"}) + 3
	y = p.block(name, left, y, p.lines(6, name, column, p.BillTo.Name))
	address := p.BillTo.Address
	if p.BillTo.TaxNumber != "" {
		address = append(address[:len(address):len(address)], "Tax number "+p.BillTo.TaxNumber)
	}
	y = p.block(p.body, left, y, p.lines(20, p.body, column, strings.Join(address, "\n")))
	beside := p.y
	for _, fact := range [][2]string{
		{"Invoice number", cmp.Or(p.Number, "–")}, {"Issue date", date(p.IssueDate)}, {"Due date", date(p.DueDate)}, {"Reference", p.Reference},
	} {
		if fact[1] == "" {
			continue
		}
		p.block(style{&p.regular, 9, grey}, facts, beside, []string{fact[0]})
		for _, line := range p.lines(6, p.strong, right-values, fact[1]) {
			p.textRight(p.strong, right, beside+p.strong.size, line)
			beside += p.strong.size * leading
		}
		beside += 3.5
	}
	p.y = max(y, beside) + 26
}

// notes are what the business has to say.
func (p *printer) notes() {
	lines := wrap(p.body.face, p.body.size, right-left, legible(p.Notes))
	if len(lines) == 0 {
		return
	}
	p.need(40)
	p.y = p.block(p.label, left, p.y, []string{"NOTES"}) + 3
	for _, line := range lines {
		p.need(p.body.size * leading)
		p.y = p.block(p.body, left, p.y, []string{line})
	}
}

// pageHead stands on every page: the stamp across it, and from the second on which invoice it is.
func (p *printer) pageHead() {
	if p.Stamp == Draft || p.Stamp == Void {
		look := style{&p.bold, 120, faint}
		if p.Stamp == Void {
			look.colour = blush
		}
		const x, y = pageWidth / 2, pageHeight / 2
		p.pdf.Rotate(52, x, y)
		p.text(look, x-look.width(string(p.Stamp), look.size)/2, y+look.size*0.36, string(p.Stamp))
		p.pdf.RotateReset()
	}
	if p.pages == 1 {
		return
	}
	who := clip(p.small.face, p.small.size, 300, legible(p.Business.Name))
	p.text(p.small, left, top, who)
	p.textRight(p.small, right, top, clip(p.small.face, p.small.size, 170, p.name))
	p.line(left, right, top+7, gently, rule)
	p.y = top + 20
}

// pageFoot is printed when it is known how many pages there are.
func (p *printer) pageFoot(page int) {
	p.line(left, right, foot-14, gently, rule)
	who := []string{cmp.Or(p.Business.LegalName, p.Business.Name)}
	if p.Business.TaxNumber != "" {
		who = append(who, "Tax number "+p.Business.TaxNumber)
	}
	p.text(p.small, left, foot, clip(p.small.face, p.small.size, 400, legible(strings.Join(who, " · "))))
	p.textRight(p.small, right, foot, fmt.Sprintf("%d / %d", page, p.pages))
}
