package drawings

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
)

// point of a picture, in pixels.
type point struct{ x, y float64 }

// shape is an outline: how far a point is from it, in pixels, negative inside.
type shape func(p point) float64

// rounded is a box with round corners.
func rounded(left, top, right, bottom, radius float64) shape {
	cx, cy, hx, hy := (left+right)/2, (top+bottom)/2, (right-left)/2-radius, (bottom-top)/2-radius
	return func(p point) float64 {
		dx, dy := math.Abs(p.x-cx)-hx, math.Abs(p.y-cy)-hy
		return far(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - radius
	}
}

// disc is a filled circle.
func disc(x, y, radius float64) shape {
	return func(p point) float64 { return far(p.x-x, p.y-y) - radius }
}

// stroke is a straight line of some width, with round ends.
func stroke(width float64, a, b point) shape {
	dx, dy := b.x-a.x, b.y-a.y
	return func(p point) float64 {
		along := min(max(((p.x-a.x)*dx+(p.y-a.y)*dy)/(dx*dx+dy*dy), 0), 1)
		return far(p.x-a.x-along*dx, p.y-a.y-along*dy) - width/2
	}
}

// far is a distance, without the care of math.Hypot for numbers that no picture has.
func far(dx, dy float64) float64 { return math.Sqrt(dx*dx + dy*dy) }

// canvas is a picture in the making, with its colours by number: that is quick to paint, and to encode. It has at most 256 of them.
type canvas struct {
	*image.Paletted
	numbers map[color.NRGBA]uint8
}

func newCanvas(width, height int, ground color.NRGBA) canvas {
	c := canvas{image.NewPaletted(image.Rect(0, 0, width, height), nil), map[color.NRGBA]uint8{}}
	c.number(ground) // the first, which all pixels have
	return c
}

// number of a colour.
func (c canvas) number(paint color.NRGBA) uint8 {
	n, known := c.numbers[paint]
	if !known {
		n = uint8(len(c.Palette))
		c.numbers[paint], c.Palette = n, append(c.Palette, paint)
	}
	return n
}

// softness is how many steps the edge of a shape has, from nothing to all of a pixel: few, so that a picture has few colours.
const softness = 4

// fill paints a shape within bounds. No pixel is nearer to the outline than the distance of another less what lies between them: most of a
// row is passed over, or painted, in one go.
func (c canvas) fill(within image.Rectangle, s shape, paint color.NRGBA) {
	within = within.Intersect(c.Bounds())
	var becomes [softness + 1]map[uint8]uint8 // colour by colour, for each step
	for y := within.Min.Y; y < within.Max.Y; y++ {
		for x := within.Min.X; x < within.Max.X; {
			distance := s(point{float64(x) + 0.5, float64(y) + 0.5})
			alike := min(1+int(max(math.Abs(distance)-0.5, 0)), within.Max.X-x)
			if step := int(math.Round(softness * min(max(0.5-distance, 0), 1))); step > 0 {
				if becomes[step] == nil {
					becomes[step] = map[uint8]uint8{}
				}
				at := c.PixOffset(x, y)
				c.paint(c.Pix[at:at+alike], becomes[step], float64(step)/softness, paint)
			}
			x += alike
		}
	}
}

// paint mixes a colour into pixels of a row. becomes remembers what a colour turned into.
func (c canvas) paint(row []uint8, becomes map[uint8]uint8, covered float64, paint color.NRGBA) {
	last, turned := -1, uint8(0)
	for i, under := range row {
		if int(under) != last {
			known := false
			if turned, known = becomes[under]; !known {
				turned = c.number(mixed(c.Palette[under].(color.NRGBA), paint, covered*float64(paint.A)/255))
				becomes[under] = turned
			}
			last = int(under)
		}
		row[i] = turned
	}
}

// mixed is a colour over another, which shows through as far as it is not covered.
func mixed(under, over color.NRGBA, covered float64) color.NRGBA {
	below := float64(under.A) / 255 * (1 - covered)
	part := func(over, under uint8) uint8 {
		return uint8((float64(over)*covered+float64(under)*below)/(covered+below) + 0.5)
	}
	return color.NRGBA{part(over.R, under.R), part(over.G, under.G), part(over.B, under.B), uint8((covered+below)*255 + 0.5)}
}

// box paints a box with round corners.
func (c canvas) box(left, top, right, bottom, radius float64, paint color.NRGBA) {
	c.fill(image.Rect(int(left)-1, int(top)-1, int(right)+2, int(bottom)+2), rounded(left, top, right, bottom, radius), paint)
}

// dot paints a disc.
func (c canvas) dot(x, y, radius float64, paint color.NRGBA) {
	c.fill(image.Rect(int(x-radius)-1, int(y-radius)-1, int(x+radius)+2, int(y+radius)+2), disc(x, y, radius), paint)
}

// line paints strokes from point to point.
func (c canvas) line(width float64, paint color.NRGBA, through ...point) {
	reach := width/2 + 2
	for i := 1; i < len(through); i++ {
		a, b := through[i-1], through[i]
		within := image.Rect(int(min(a.x, b.x)-reach), int(min(a.y, b.y)-reach), int(max(a.x, b.x)+reach), int(max(a.y, b.y)+reach))
		c.fill(within, stroke(width, a, b), paint)
	}
}

// file is the picture as a PNG.
func (c canvas) file() []byte {
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, c.Paletted); err != nil { // it is encoded anew before it is kept
		panic(err) // the drawings are part of the program
	}
	return out.Bytes()
}

// ink is a colour by its six digits.
func ink(rgb uint32) color.NRGBA {
	return color.NRGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 255}
}

// faint is a colour that lets through what is beneath.
func faint(rgb uint32, alpha uint8) color.NRGBA {
	c := ink(rgb)
	c.A = alpha
	return c
}
