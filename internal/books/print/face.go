package print

import (
	"sync"

	"github.com/signintech/gopdf"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// face is a typeface: what it is called inside the PDF, and how wide its letters are, in thousandths of the size.
type face struct {
	family string
	widths map[rune]int
}

func (f *face) has(r rune) bool { return f.widths[r] > 0 }

// units is the width of a text that has only letters of the face, in thousandths of the size.
func (f *face) units(text string) (sum int) {
	for _, r := range text {
		sum += f.widths[r]
	}
	return sum
}

func (f *face) width(text string, size float64) float64 { return float64(f.units(text)) * size / 1000 }

// faces are read once: that takes longer than to print a page.
type faces struct {
	regular, bold face
	container     gopdf.FontContainer
}

var typefaces = sync.OnceValue(func() *faces {
	f := &faces{}
	// A subset's name begins with six letters and a plus, which the library makes of a space.
	f.regular = f.load("DAYBKA GoRegular", goregular.TTF)
	f.bold = f.load("DAYBKB GoBold", gobold.TTF)
	return f
})

func (f *faces) load(family string, data []byte) face {
	loaded := face{family: family, widths: map[rune]int{}}
	parsed, err := sfnt.Parse(data)
	if err == nil {
		err = f.container.AddTTFFontData(family, data)
	}
	if err != nil {
		panic(err) // the typefaces are part of the program
	}
	var b sfnt.Buffer
	em := parsed.UnitsPerEm()
	for r := rune(' '); r <= 0xFFFF; r++ {
		glyph, err := parsed.GlyphIndex(&b, r)
		if err != nil || glyph == 0 {
			continue
		}
		advance, err := parsed.GlyphAdvance(&b, glyph, fixed.I(int(em)), font.HintingNone)
		if err != nil {
			continue
		}
		loaded.widths[r] = advance.Round() * 1000 / int(em) // as the library writes it into the PDF
	}
	return loaded
}
