package asset_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/asset"
	"daybook/internal/platform/scope"
	"daybook/internal/schema/dbtest"
	"daybook/internal/tenancy/organization"
)

var ctx = context.Background()

// world is an organization with an app, and pictures that somebody shows.
type world struct {
	*dbtest.Store
	assets                             *asset.Service
	apps                               *app.Service
	organization                       string
	owner, developer, viewer, stranger string
	app                                string
	shown                              shown
}

// shown are the pictures that are in use.
type shown map[string]bool

// Shows implements asset.Users.
func (s shown) Shows(_ context.Context, _ *db.Tx, _, assetID string) (bool, error) {
	return s[assetID], nil
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		w := &world{Store: s, shown: shown{}, assets: asset.New(s.DB, s.IDs), apps: &app.Service{DB: s.DB, IDs: s.IDs, Keys: secret.RandomKeys()}}
		w.assets.Users = w.shown
		organizations := &organization.Service{DB: s.DB, IDs: s.IDs}
		w.owner, w.developer, w.viewer, w.stranger = s.Person(t), s.Person(t), s.Person(t), s.Person(t)
		o, err := organizations.Create(ctx, "Acme", w.owner)
		must(t, err)
		w.organization = o.ID
		must(t, organizations.AddMember(ctx, o.ID, w.owner, w.developer, organization.Developer))
		must(t, organizations.AddMember(ctx, o.ID, w.owner, w.viewer, organization.Viewer))
		w.app = w.newApp(t)
		test(t, w)
	})
}

func (w *world) newApp(t *testing.T) (appID string) {
	t.Helper()
	a, err := w.apps.Create(ctx, w.organization, w.owner, app.New{
		Name: "Ledger Sync", ClientType: app.Public, RedirectURIs: []string{"https://app.example/callback"}, Scopes: scope.Of(scope.ProfileRead),
	})
	must(t, err)
	return a.ID
}

// drawing is a picture of that size; what is drawn depends on the seed.
func drawing(width, height, seed int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetNRGBA(x, y, color.NRGBA{uint8(x / 8 * seed), uint8(y / 8), uint8(seed), 255})
		}
	}
	return m
}

func pngOf(m image.Image) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func jpegOf(m image.Image) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func gifOf(m image.Image) []byte {
	var b bytes.Buffer
	if err := gif.Encode(&b, m, nil); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// bomb is a PNG of a few bytes that says it has that size.
func bomb(width, height uint32) []byte {
	var b bytes.Buffer
	b.WriteString("\x89PNG\r\n\x1a\n")
	chunk := func(name string, data []byte) {
		_ = binary.Write(&b, binary.BigEndian, uint32(len(data)))
		body := append([]byte(name), data...)
		b.Write(body)
		_ = binary.Write(&b, binary.BigEndian, crc32.ChecksumIEEE(body))
	}
	head := binary.BigEndian.AppendUint32(nil, width)
	head = binary.BigEndian.AppendUint32(head, height)
	chunk("IHDR", append(head, 8, 2, 0, 0, 0))
	chunk("IDAT", []byte{0x78, 0x9c, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01})
	chunk("IEND", nil)
	return b.Bytes()
}

// withEXIF puts a segment with a position into a JPEG.
func withEXIF(jpg []byte) []byte {
	data := append([]byte("Exif\x00\x00"), "GPS 52.3702 4.8952 canary"...)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(data)+2))
	return bytes.Join([][]byte{jpg[:2], segment, data, jpg[2:]}, nil)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// want checks for a refusal.
func want(t *testing.T, err error, refusal *fault.Fault) {
	t.Helper()
	if !errors.Is(err, refusal) {
		t.Errorf("got %v, want %v", err, refusal)
	}
}

// says checks for a refusal of a picture that tells why.
func says(t *testing.T, err error, why string) {
	t.Helper()
	if !errors.Is(err, asset.ErrInvalid) || !strings.Contains(err.Error(), why) {
		t.Errorf("got %v, want one that says %q", err, why)
	}
}
