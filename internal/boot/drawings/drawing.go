package drawings

import (
	"maps"
	"slices"
)

// Drawing is the pictures of one app.
type Drawing struct {
	// Icon and Screenshot draw a PNG file: of 512 × 512, and of 1280 × 720 pixels.
	Icon, Screenshot func() []byte
}

// drawings by name.
var drawings = map[string]Drawing{
	"LEDGER": {ledgerIcon, ledgerScreen},
	"TILL":   {tillIcon, tillScreen},
}

// Find looks a drawing up.
func Find(name string) (Drawing, bool) {
	d, known := drawings[name]
	return d, known
}

// Names are those of all drawings, in order.
func Names() []string { return slices.Sorted(maps.Keys(drawings)) }

// The sizes of an icon and of a screenshot.
const (
	iconSide     = 512
	screenWidth  = 1280
	screenHeight = 720
)

// ledgerIcon is a sheet with lines, one arrow that leads up and one that leads down.
func ledgerIcon() []byte {
	c := newCanvas(iconSide, iconSide, faint(0, 0))
	c.box(0, 0, iconSide, iconSide, 112, ink(0x1f5f5b))
	c.box(0, 256, iconSide, iconSide, 112, faint(0x174a47, 90))
	c.box(150, 116, 362, 396, 26, ink(0xfdf6e3))
	for i, length := range []float64{138, 104, 138, 76} {
		y := 176 + float64(i)*48
		c.line(18, ink(0xb9cfc6), point{188, y}, point{188 + length, y})
	}
	c.line(24, ink(0xf2a541), point{94, 316}, point{94, 196})
	c.line(24, ink(0xf2a541), point{58, 232}, point{94, 196}, point{130, 232})
	c.line(24, ink(0xf2a541), point{418, 196}, point{418, 316})
	c.line(24, ink(0xf2a541), point{382, 280}, point{418, 316}, point{454, 280})
	return c.file()
}

// tillIcon is a till with its drawer, its keys and a slip of paper.
func tillIcon() []byte {
	c := newCanvas(iconSide, iconSide, faint(0, 0))
	c.box(0, 0, iconSide, iconSide, 112, ink(0xc8553d))
	c.box(0, 256, iconSide, iconSide, 112, faint(0xa64430, 110))
	c.box(196, 84, 316, 216, 12, ink(0xfffaf0))
	c.line(12, ink(0xe3cdb5), point{222, 120}, point{290, 120})
	c.line(12, ink(0xe3cdb5), point{222, 150}, point{268, 150})
	c.box(124, 180, 388, 340, 34, ink(0xfdf0dc))
	c.box(156, 206, 356, 250, 14, ink(0x45302b))
	c.line(12, ink(0xf2a541), point{296, 228}, point{332, 228})
	for row := range 2 {
		for column := range 4 {
			c.dot(176+float64(column)*53, 278+float64(row)*34, 12, ink(0xc8553d))
		}
	}
	c.box(96, 330, 416, 408, 26, ink(0xffd08a))
	c.box(222, 356, 290, 380, 12, ink(0x8a4b2f))
	return c.file()
}
