package asset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
)

// picture is what is left of an upload: pixels, in an encoding of our own.
type picture struct {
	media         string
	width, height int
	content       []byte
}

func (p picture) hash() string {
	sum := sha256.Sum256(p.content)
	return hex.EncodeToString(sum[:])
}

// codec reads a type of pictures.
type codec struct {
	media  string
	magic  string // what every file of it begins with
	config func(r *bytes.Reader) (image.Config, error)
	decode func(r *bytes.Reader) (image.Image, error)
}

// codecs are all that is ever decoded. SVG is a document with scripts, and the others are nobody's screenshots.
var codecs = []codec{
	{PNG, "\x89PNG\r\n\x1a\n",
		func(r *bytes.Reader) (image.Config, error) { return png.DecodeConfig(r) },
		func(r *bytes.Reader) (image.Image, error) { return png.Decode(r) }},
	{JPEG, "\xff\xd8\xff",
		func(r *bytes.Reader) (image.Config, error) { return jpeg.DecodeConfig(r) },
		func(r *bytes.Reader) (image.Image, error) { return jpeg.Decode(r) }},
}

// sniff finds out by its first bytes what an upload is.
func sniff(upload []byte) (codec, bool) {
	for _, c := range codecs {
		if bytes.HasPrefix(upload, []byte(c.magic)) {
			return c, true
		}
	}
	return codec{}, false
}

// maxScans of a JPEG. A progressive one may have any number of passes over all of its pixels, each in a few bytes: without a bound, a
// small file would be decoded for hours. Programs write about ten.
const maxScans = 64

// scans counts the passes of a JPEG. The two bytes stand before each, and nowhere inside of one.
func scans(upload []byte) int { return bytes.Count(upload, []byte{0xff, 0xda}) }

// judge looks at the outside of an upload: size, type and dimensions. It costs nothing, whatever was sent.
func judge(k Kind, upload []byte) (codec, error) {
	r := rules[k]
	if len(upload) == 0 {
		return codec{}, ErrInvalid.With("nothing was sent; send a PNG or JPEG file")
	}
	if len(upload) > r.maxBytes {
		return codec{}, ErrInvalid.With(fmt.Sprintf("it has %d bytes, and a picture of this kind at most %d; make the file smaller", len(upload), r.maxBytes))
	}
	c, known := sniff(upload)
	if !known {
		return codec{}, ErrInvalid.With("it is neither a PNG nor a JPEG file; convert it to one of them")
	}
	config, err := c.config(bytes.NewReader(upload))
	if err != nil {
		return codec{}, unreadable(err)
	}
	if c.media == JPEG && scans(upload) > maxScans {
		return codec{}, ErrInvalid.With(fmt.Sprintf("it has more than %d passes; save it as an ordinary JPEG", maxScans))
	}
	return c, r.measure(config.Width, config.Height)
}

// measure says whether a picture has the right dimensions.
func (r rule) measure(width, height int) error {
	if width >= r.minWidth && width <= r.maxWidth && height >= r.minHeight && height <= r.maxHeight {
		return nil
	}
	want := fmt.Sprintf("%d × %d", r.maxWidth, r.maxHeight)
	if r.minWidth != r.maxWidth {
		want = fmt.Sprintf("%d × %d to %s", r.minWidth, r.minHeight, want)
	}
	return ErrInvalid.With(fmt.Sprintf("it has %d × %d pixels, and must have %s", width, height, want))
}

func unreadable(err error) error {
	return ErrInvalid.With("it is damaged, or of a sort that is not supported; save it anew as an ordinary PNG or JPEG").Because(err)
}

// remake decodes an upload that was judged, and encodes it anew: of polyglots, comments, positions and previews nothing is left. Icons
// become PNG, screenshots keep their type.
func remake(k Kind, c codec, upload []byte) (picture, error) {
	decoded, err := c.decode(bytes.NewReader(upload))
	if err != nil {
		return picture{}, unreadable(err)
	}
	p := picture{media: c.media, width: decoded.Bounds().Dx(), height: decoded.Bounds().Dy()}
	if err := rules[k].measure(p.width, p.height); err != nil { // what is decoded counts, not what was announced
		return picture{}, err
	}
	var out bytes.Buffer
	if k == Icon {
		p.media = PNG
	}
	if p.media == PNG {
		err = png.Encode(&out, eightBits(decoded))
	} else {
		err = jpeg.Encode(&out, decoded, &jpeg.Options{Quality: quality})
	}
	if err != nil {
		return picture{}, fmt.Errorf("encoding a picture: %w", err)
	}
	if most := keptFactor * rules[k].maxBytes; out.Len() > most {
		return picture{}, ErrInvalid.With("it cannot be kept in so few bytes; send one with fewer colours or pixels")
	}
	p.content = out.Bytes()
	return p, nil
}

const (
	// quality of the JPEGs that are written: nobody sees a difference, and they do not outgrow what was sent by much.
	quality = 90
	// keptFactor is how much larger than the largest upload a picture may be that is kept: our encoder packs less tightly than some.
	keptFactor = 2
)

// eightBits makes a picture of 8 bits per channel of one that has 16, which no screen shows.
func eightBits(i image.Image) image.Image {
	switch i.(type) {
	case *image.Paletted, *image.Gray, *image.NRGBA, *image.RGBA:
		return i
	}
	out := image.NewNRGBA(i.Bounds())
	draw.Draw(out, out.Bounds(), i, i.Bounds().Min, draw.Src)
	return out
}

var errPanic = errors.New("the decoder panicked")

// safely keeps a mistake in a decoder from ending more than one upload.
func safely(do func() (picture, error)) (p picture, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = picture{}, unreadable(fmt.Errorf("%w: %v", errPanic, r))
		}
	}()
	return do()
}
