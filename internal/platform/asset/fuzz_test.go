package asset

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"testing"
)

// FuzzPicture feeds the judge: whatever passes is encoded anew and is a picture of the right size, and nothing else ever comes out.
func FuzzPicture(f *testing.F) {
	small := image.NewGray(image.Rect(0, 0, 512, 512))
	var p, j bytes.Buffer
	if png.Encode(&p, small) != nil || jpeg.Encode(&j, small, nil) != nil {
		f.Fatal("the seeds were not made")
	}
	for _, seed := range [][]byte{p.Bytes(), j.Bytes(), p.Bytes()[:40], j.Bytes()[:200], []byte("\x89PNG\r\n\x1a\n"), []byte("\xff\xd8\xff")} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, upload []byte) {
		c, err := judge(Icon, upload)
		if err != nil {
			return
		}
		made, err := safely(func() (picture, error) { return remake(Icon, c, upload) })
		if err != nil {
			return
		}
		config, err := png.DecodeConfig(bytes.NewReader(made.content))
		if err != nil || config.Width != 512 || config.Height != 512 || made.media != PNG {
			t.Errorf("%s of %d × %d, %v", made.media, config.Width, config.Height, err)
		}
	})
}
