package print

import (
	"strings"

	"daybook/internal/base/money"
)

// totals is what the lines add up to. It stays on one page.
func (p *printer) totals() {
	type row struct {
		label string
		text  string
		look  style
	}
	amount := func(a money.Amount) string { return money.Format(a, p.Currency) }
	rows := []row{{"Subtotal", amount(p.Subtotal), p.body}}
	for _, t := range p.Taxes {
		rows = append(rows, row{t.label() + " on " + amount(t.Taxable), amount(t.Amount), p.body})
	}
	total := len(rows)
	rows = append(rows, row{"Total", money.FormatWithCode(p.Total, p.Currency), style{&p.bold, 10.5, ink}})
	if p.Paid != 0 {
		rows = append(rows, row{"Paid", amount(-p.Paid), p.body})
	}
	if p.WrittenOff != 0 {
		rows = append(rows, row{"Written off", amount(-p.WrittenOff), p.body})
	}
	rows = append(rows, row{"Amount due", money.FormatWithCode(p.Due, p.Currency), style{&p.bold, 10.5, ink}})

	const column, apart = 293.0, 6.0
	labels, height := make([][]string, len(rows)), 20.0
	for i, r := range rows {
		labels[i] = p.lines(5, r.look, right-column-20-r.look.width(r.text, r.look.size), r.label)
		height += float64(len(labels[i]))*r.look.size*leading + apart
	}
	p.need(min(height, bottom-top-20))
	p.y += 8
	for i, r := range rows {
		tall := float64(len(labels[i]))*r.look.size*leading + apart
		p.need(tall + 8) // only where there are more taxes than a page holds
		switch i {
		case total:
			p.line(column, right, p.y, 0.8, ink)
			p.y += 3
		case len(rows) - 1:
			p.y += 4
			p.fill(column-8, p.y, right+8, p.y+tall+4, band)
			p.y += 2
		}
		p.block(r.look, column, p.y+apart/2, labels[i])
		p.textRight(r.look, right, p.y+apart/2+r.look.size, r.text)
		p.y += tall
	}
	p.y += 18
}

// label of a tax: VAT 21%. Many names already say the rate.
func (t Tax) label() string {
	if t.Rate == "" || strings.Contains(t.Name, quantity(t.Rate)) {
		return t.Name
	}
	return strings.TrimSpace(t.Name + " " + percent(t.Rate))
}
