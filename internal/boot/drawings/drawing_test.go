package drawings

import (
	"bytes"
	"image/png"
	"testing"
)

func TestDrawings(t *testing.T) {
	for _, name := range Names() {
		d, _ := Find(name)
		for _, c := range []struct {
			what          string
			draw          func() []byte
			width, height int
		}{{"icon", d.Icon, 512, 512}, {"screenshot", d.Screenshot, 1280, 720}} {
			t.Run(name+" "+c.what, func(t *testing.T) {
				file := c.draw()
				made, err := png.Decode(bytes.NewReader(file))
				if err != nil {
					t.Fatal(err)
				}
				if size := made.Bounds().Size(); size.X != c.width || size.Y != c.height {
					t.Errorf("it is %v", size)
				}
				if len(file) > 32<<10 {
					t.Errorf("it has %d bytes", len(file))
				}
				if !bytes.Equal(file, c.draw()) {
					t.Error("it is another one the second time")
				}
			})
		}
	}
	if _, known := Find("NOTHING"); known {
		t.Error("there is a drawing of nothing")
	}
}

// A shape is painted where it is, and nowhere else, however much of a row is done in one go: pixel by pixel it is the same.
func TestAShapeIsPaintedWhereItIs(t *testing.T) {
	for name, s := range map[string]shape{
		"box": rounded(10, 8, 51, 40, 9), "disc": disc(30.5, 24, 17), "stroke": stroke(7, point{8, 9}, point{50, 33}),
	} {
		t.Run(name, func(t *testing.T) {
			ground, paint := ink(0xffffff), ink(0x102030)
			c := newCanvas(64, 48, ground)
			c.fill(c.Bounds(), s, paint)
			inside := 0
			for y := range 48 {
				for x := range 64 {
					distance, got := s(point{float64(x) + 0.5, float64(y) + 0.5}), c.At(x, y)
					switch {
					case distance <= -0.5 && got != paint:
						t.Fatalf("%d, %d is inside, and %v", x, y, got)
					case distance >= 0.5 && got != ground:
						t.Fatalf("%d, %d is outside, and %v", x, y, got)
					case distance <= -0.5:
						inside++
					}
				}
			}
			if inside < 100 {
				t.Errorf("only %d pixels are inside", inside)
			}
		})
	}
}
