package print

import "daybook/internal/base/money"

// column of figures, right-aligned.
type column struct {
	title string
	cells []string
	right float64
	width float64
}

const (
	gap       = 14.0  // between columns
	narrowest = 150.0 // the least a description gets
	padding   = 4.5   // above and below a row
	// longestFigure is wider than any that the books can hold.
	longestFigure = 180.0
)

// table prints the lines. Columns are as wide as their widest figure; descriptions get the rest.
func (p *printer) table() {
	figures := style{&p.regular, 9, ink}
	columns := p.columns(&figures)
	described := columns[0].right - columns[0].width - gap - left
	p.tableHead(columns)
	for i, l := range p.Lines {
		lines := p.described(l, described)
		height := 2 * padding
		for _, line := range lines {
			height += line.size * leading
		}
		if p.need(min(height, bottom-top-50)) { // a row that fits on a page is not torn
			p.tableHead(columns)
		}
		p.y += padding
		for _, c := range columns {
			p.textRight(figures, c.right, p.y+p.body.size, c.cells[i])
		}
		for _, line := range lines {
			if p.need(line.size * leading) {
				p.tableHead(columns)
			}
			p.y = p.block(line.style, left, p.y, []string{line.text})
		}
		p.y += padding
		p.line(left, right, p.y, gently, rule)
	}
	if p.TaxIncluded {
		p.need(20)
		p.y = p.block(p.small, left, p.y+4, []string{"Prices include tax."})
	}
}

// textLine is a line of a description.
type textLine struct {
	style
	text string
}

// described is what stands in the first column of a row: the description, and below it the code of the item.
func (p *printer) described(l Line, width float64) (lines []textLine) {
	for _, text := range wrap(p.body.face, p.body.size, width, legible(l.Description)) {
		lines = append(lines, textLine{p.body, text})
	}
	if len(lines) == 0 {
		lines = append(lines, textLine{p.body, ""}) // a row is at least a line high
	}
	for _, text := range wrap(p.small.face, p.small.size, width, legible(l.Code)) {
		lines = append(lines, textLine{p.small, text})
	}
	return lines
}

func (p *printer) tableHead(columns []column) {
	p.y += 2
	baseline := p.y + p.label.size
	p.text(p.label, left, baseline, "DESCRIPTION")
	for _, c := range columns {
		p.textRight(p.label, c.right, baseline, c.title)
	}
	p.y = baseline + 6
	p.line(left, right, p.y, 0.8, ink)
}

// columns lays the figures out from the right; those without a cell are left out. When figures are so long that no room is left
// for descriptions, they are set smaller.
func (p *printer) columns(figures *style) []column {
	all := []column{{title: "QUANTITY"}, {title: "UNIT PRICE"}, {title: "DISCOUNT"}, {title: "TAX"}, {title: "AMOUNT"}}
	if !p.Currency.IsZero() {
		all[4].title = "AMOUNT " + p.Currency.Code()
	}
	for _, l := range p.Lines {
		for i, cell := range []string{
			quantity(l.Quantity), price(l.UnitPrice, p.Currency), l.Discount.text(p.Currency), percent(l.TaxRate), money.Format(l.Amount, p.Currency),
		} {
			all[i].cells = append(all[i].cells, clip(figures.face, figures.size, longestFigure, legible(cell)))
		}
	}
	var kept []column
	sum := 0.0
	for _, c := range all {
		used := c.title == all[4].title
		for _, cell := range c.cells {
			used = used || cell != ""
			c.width = max(c.width, figures.width(cell, figures.size))
		}
		if used {
			kept = append(kept, c)
			sum += c.width
		}
	}
	room := right - left - narrowest - gap*float64(len(kept))
	scale := 1.0
	if sum > room {
		scale = room / sum
		figures.size *= scale
	}
	x := right
	for i := len(kept) - 1; i >= 0; i-- {
		c := &kept[i]
		c.width = max(c.width*scale, p.label.width(c.title, p.label.size))
		c.right = x
		x -= c.width + gap
	}
	return kept
}
