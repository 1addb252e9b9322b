package drawings

import (
	"image/color"
	"math"
)

// window draws what both screens have: a bar with the app's mark, and a side with places to go.
func window(bar, ground, mark color.NRGBA) canvas {
	c := newCanvas(screenWidth, screenHeight, ground)
	c.box(0, 0, screenWidth, 64, 0, bar)
	c.box(28, 16, 60, 48, 9, mark)
	c.line(12, faint(0xffffff, 220), point{86, 32}, point{210, 32})
	c.line(10, faint(0xffffff, 110), point{980, 32}, point{1080, 32})
	c.dot(1232, 32, 16, faint(0xffffff, 190))
	return c
}

// card is a white sheet with a heading.
func (c canvas) card(left, top, right, bottom float64) {
	c.box(left, top+3, right, bottom+3, 14, faint(0x1d2b2a, 22))
	c.box(left, top, right, bottom, 14, ink(0xffffff))
	c.line(10, ink(0x53605f), point{left + 28, top + 32}, point{left + 28 + min(150, (right-left)/3), top + 32})
}

// figure is a card with a large number, as far as one sees it from afar.
func (c canvas) figure(left, top, width float64, tint color.NRGBA, long float64) {
	c.card(left, top, left+width, top+132)
	c.line(24, tint, point{left + 36, top + 84}, point{left + 36 + long, top + 84})
	c.line(8, ink(0xc3cbc9), point{left + 28, top + 114}, point{left + 150, top + 114})
}

// row is a line of a table: a word, more words, an amount, and how it stands.
func (c canvas) row(left, right, y, word, amount float64, state color.NRGBA) {
	c.line(9, ink(0x7d8a88), point{left, y}, point{left + word, y})
	c.line(9, ink(0xc3cbc9), point{left + 240, y}, point{left + 240 + word*0.8, y})
	c.line(9, ink(0x53605f), point{right - 150 - amount, y}, point{right - 150, y})
	c.box(right-98, y-12, right, y+12, 12, state)
	c.line(1.5, ink(0xe8ecea), point{left, y + 25}, point{right, y + 25})
}

// ledgerScreen is a page that shows how two sets of books were brought together.
func ledgerScreen() []byte {
	green, amber, deep := ink(0x2f8f7f), ink(0xf2a541), ink(0x1f5f5b)
	c := window(deep, ink(0xf3f5f2), amber)
	c.figure(48, 104, 376, green, 170)
	c.figure(452, 104, 376, amber, 96)
	c.figure(856, 104, 376, deep, 132)
	c.card(48, 272, 800, 672)
	good, waits := ink(0xcdeadf), ink(0xfbe3bb)
	for i, r := range []struct {
		word, amount float64
		state        color.NRGBA
	}{{168, 70, good}, {130, 92, good}, {186, 58, waits}, {148, 84, good}, {110, 66, good}, {172, 100, good}, {140, 52, waits}} {
		c.row(76, 772, 342+float64(i)*46, r.word, r.amount, r.state)
	}
	c.card(828, 272, 1232, 672)
	var curve, before []point
	for i := range 25 {
		x := 860 + float64(i)*14.2
		curve = append(curve, point{x, 540 - float64(i)*5.2 - 26*math.Sin(float64(i)/2.6)})
		before = append(before, point{x, 590 - float64(i)*3.1 - 16*math.Sin(float64(i)/3.4+1)})
	}
	for y := 380.0; y <= 620; y += 60 {
		c.line(1.5, ink(0xe8ecea), point{856, y}, point{1204, y})
	}
	c.line(5, ink(0xc3cbc9), before...)
	c.line(7, green, curve...)
	c.dot(curve[24].x, curve[24].y, 10, amber)
	return c.file()
}

// tillScreen is a page on which somebody sells: what there is, and what the customer has taken.
func tillScreen() []byte {
	red, amber, dark := ink(0xc8553d), ink(0xf2a541), ink(0x45302b)
	c := window(dark, ink(0xfaf5ee), red)
	tints := []color.NRGBA{ink(0xf6d9a8), ink(0xf3c5b5), ink(0xd9e2c4), ink(0xe6d3e4), ink(0xcfe0e6), ink(0xf1e0c0)}
	for i := range 12 {
		left, top := 48+float64(i%4)*196, 104+float64(i/4)*192
		c.box(left, top+3, left+176, top+175, 16, faint(0x45302b, 24))
		c.box(left, top, left+176, top+172, 16, ink(0xffffff))
		c.box(left+12, top+12, left+164, top+108, 10, tints[(i*5+i/4)%len(tints)])
		c.dot(left+88, top+60, 24+float64(i%3)*4, faint(0xffffff, 170))
		c.line(9, ink(0x6d5a52), point{left + 22, top + 130}, point{left + 84 + float64(i*29%44), top + 130})
		c.line(9, red, point{left + 22, top + 152}, point{left + 66, top + 152})
	}
	c.card(852, 104, 1232, 660)
	for i, long := range []float64{128, 96, 148, 110} {
		y := 188 + float64(i)*58
		c.dot(892, y, 15, tints[i])
		c.line(9, ink(0x6d5a52), point{924, y}, point{924 + long, y})
		c.line(9, ink(0x53605f), point{1148, y}, point{1198, y})
		c.line(1.5, ink(0xefe6da), point{880, y + 29}, point{1204, y + 29})
	}
	c.line(10, ink(0x8d7d74), point{884, 470}, point{960, 470})
	c.line(22, dark, point{1096, 470}, point{1192, 470})
	c.box(880, 520, 1204, 580, 16, red)
	c.line(12, ink(0xffffff), point{992, 550}, point{1092, 550})
	c.box(880, 596, 1034, 640, 14, ink(0xf6ead9))
	c.box(1050, 596, 1204, 640, 14, ink(0xf6ead9))
	c.line(9, amber, point{926, 618}, point{988, 618})
	c.line(9, amber, point{1096, 618}, point{1158, 618})
	return c.file()
}
