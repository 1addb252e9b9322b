package asset_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"sync"
	"sync/atomic"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/platform/app"
	"daybook/internal/platform/asset"
	"daybook/internal/tenancy/organization"
)

func (w *world) upload(t *testing.T, k asset.Kind, upload []byte) asset.Asset {
	t.Helper()
	a, err := w.assets.Upload(ctx, w.app, w.developer, k, upload)
	must(t, err)
	return a
}

func (w *world) served(t *testing.T, a asset.Asset) asset.File {
	t.Helper()
	f, err := w.assets.Serve(ctx, a.Path()[len("/assets/"):])
	must(t, err)
	return f
}

func TestAPictureFromUploadToDeletion(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		icon := w.upload(t, asset.Icon, jpegOf(drawing(512, 512, 1)))
		if icon.Media != asset.PNG || icon.Width != 512 || icon.Height != 512 || !id.Valid(id.Asset, icon.ID) || !icon.CreatedAt.Equal(w.Clock.Now()) {
			t.Errorf("%+v", icon)
		}
		shot := w.upload(t, asset.Screenshot, jpegOf(drawing(640, 360, 2)))
		if shot.Media != asset.JPEG || shot.Path() != "/assets/"+shot.Hash+".jpg" {
			t.Errorf("%+v", shot)
		}
		f := w.served(t, icon)
		sum := sha256.Sum256(f.Content)
		if f.Media != asset.PNG || len(f.Content) != icon.Size || hex.EncodeToString(sum[:]) != icon.Hash {
			t.Errorf("%s, %d bytes", f.Media, len(f.Content))
		}
		if again := w.upload(t, asset.Icon, jpegOf(drawing(512, 512, 1))); again.ID != icon.ID {
			t.Error("the same picture was kept twice")
		}
		list, err := w.assets.List(ctx, w.app, w.viewer)
		if err != nil || len(list) != 2 || list[0] != icon || list[1] != shot {
			t.Fatalf("%+v, %v", list, err)
		}
		w.shown[icon.ID] = true
		want(t, w.assets.Delete(ctx, w.app, w.developer, icon.ID), asset.ErrInUse)
		want(t, w.assets.Delete(ctx, w.newApp(t), w.developer, icon.ID), asset.ErrNotFound) // another app of the organization
		delete(w.shown, icon.ID)
		must(t, w.assets.Delete(ctx, w.app, w.developer, icon.ID))
		want(t, w.assets.Delete(ctx, w.app, w.developer, icon.ID), asset.ErrNotFound)
		_, err = w.assets.Serve(ctx, icon.Hash+".png")
		want(t, err, asset.ErrNotFound)
	})
}

func TestNamesThatAreNoPictures(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		icon := w.upload(t, asset.Icon, pngOf(drawing(512, 512, 1)))
		for _, name := range []string{"", icon.Hash, icon.Hash + ".jpg", icon.Hash + ".svg", icon.Hash[1:] + ".png", "x" + icon.Hash[1:] + ".png", icon.Hash + ".png\n", icon.ID} {
			_, err := w.assets.Serve(ctx, name)
			want(t, err, asset.ErrNotFound)
		}
	})
}

func TestHostileUploads(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		good := pngOf(drawing(512, 512, 1))
		many := jpegOf(drawing(640, 360, 1))
		for range 70 { // a progressive file may have any number of passes
			many = append(many, 0xff, 0xda)
		}
		for name, c := range map[string]struct {
			kind   asset.Kind
			upload []byte
			why    string
		}{
			"nothing":                     {asset.Icon, nil, "nothing was sent"},
			"a GIF":                       {asset.Icon, gifOf(drawing(512, 512, 1)), "neither a PNG nor a JPEG"},
			"an SVG":                      {asset.Icon, []byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`), "neither a PNG nor a JPEG"},
			"a page":                      {asset.Screenshot, []byte("<!doctype html><script>alert(1)</script>"), "neither a PNG nor a JPEG"},
			"a page before a PNG":         {asset.Icon, append([]byte("<script>"), good...), "neither a PNG nor a JPEG"},
			"a bomb":                      {asset.Screenshot, bomb(30000, 30000), "30000 × 30000 pixels"},
			"a bomb that fits in 32 bits": {asset.Screenshot, bomb(1<<31-1, 1), "pixels"},
			"a PNG that lies":             {asset.Icon, bomb(512, 512), "damaged"},
			"half of a PNG":               {asset.Icon, good[:len(good)/2], "damaged"},
			"the first bytes of a PNG":    {asset.Icon, good[:10], "damaged"},
			"half of a JPEG":              {asset.Screenshot, jpegOf(drawing(640, 360, 1))[:400], "damaged"},
			"too many passes":             {asset.Screenshot, many, "passes"},
			"too many bytes":              {asset.Icon, append(bytes.Clone(good), make([]byte, 1<<20)...), "at most 1048576"},
			"an icon too large":           {asset.Icon, pngOf(drawing(513, 512, 1)), "must have 512 × 512"},
			"an icon too small":           {asset.Icon, pngOf(drawing(512, 511, 1)), "must have 512 × 512"},
			"a screenshot too small":      {asset.Screenshot, pngOf(drawing(639, 360, 1)), "640 × 360 to 3840 × 2160"},
			"a screenshot too large":      {asset.Screenshot, pngOf(image.NewGray(image.Rect(0, 0, 3841, 360))), "640 × 360 to 3840 × 2160"},
		} {
			t.Run(name, func(t *testing.T) {
				_, err := w.assets.Upload(ctx, w.app, w.developer, c.kind, c.upload)
				says(t, err, c.why)
			})
		}
		_, err := w.assets.Upload(ctx, w.app, w.developer, "BANNER", good)
		if fault.KindOf(err) != fault.Invalid {
			t.Errorf("%v", err)
		}
		if list, _ := w.assets.List(ctx, w.app, w.viewer); len(list) != 0 {
			t.Errorf("kept %+v", list)
		}
	})
}

// TestOnlyPixelsAreLeft proves that nothing rides along: what is behind a picture, or in its comments, is gone.
func TestOnlyPixelsAreLeft(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for name, c := range map[string]struct {
			kind   asset.Kind
			upload []byte
		}{
			"a PNG with a page behind it":  {asset.Icon, append(pngOf(drawing(512, 512, 1)), "<script>canary</script>"...)},
			"a JPEG with a page behind it": {asset.Screenshot, append(jpegOf(drawing(640, 360, 1)), "<script>canary</script>"...)},
			"a JPEG with a position":       {asset.Screenshot, withEXIF(jpegOf(drawing(640, 360, 3)))},
			"an icon with a position":      {asset.Icon, withEXIF(jpegOf(drawing(512, 512, 3)))},
		} {
			t.Run(name, func(t *testing.T) {
				if !bytes.Contains(c.upload, []byte("canary")) {
					t.Fatal("the upload itself has nothing in it")
				}
				f := w.served(t, w.upload(t, c.kind, c.upload))
				for _, word := range []string{"canary", "script", "Exif"} {
					if bytes.Contains(f.Content, []byte(word)) {
						t.Errorf("%q is still there", word)
					}
				}
			})
		}
	})
}

// TestSortsOfPictures keeps every sort that a program may write, with its pixels.
func TestSortsOfPictures(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		size := image.Rect(0, 0, 512, 512)
		palette := image.NewPaletted(size, color.Palette{color.NRGBA{1, 2, 3, 255}, color.NRGBA{200, 100, 50, 128}})
		deep := image.NewNRGBA64(size)
		for i := range 512 {
			palette.SetColorIndex(i, i, 1)
			deep.Set(i, i, color.NRGBA64{0xffff, uint16(i), 0, 0xffff})
		}
		for name, m := range map[string]image.Image{"a palette": palette, "16 bits": deep, "grey": image.NewGray(size), "grey of 16 bits": image.NewGray16(size), "with alpha": image.NewNRGBA(size)} {
			f := w.served(t, w.upload(t, asset.Icon, pngOf(m)))
			kept, _, err := image.Decode(bytes.NewReader(f.Content))
			must(t, err)
			for i := range 512 {
				a, b := color.NRGBAModel.Convert(m.At(i, i)), color.NRGBAModel.Convert(kept.At(i, i))
				if a != b {
					t.Fatalf("%s: at %d it is %v, was %v", name, i, b, a)
				}
			}
		}
	})
}

func TestWhoMayLookAtPicturesAndChangeThem(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		icon := w.upload(t, asset.Icon, pngOf(drawing(512, 512, 1)))
		for name, verb := range map[string]struct {
			needs organization.Ability
			do    func(by string) error
		}{
			"List": {organization.Look, func(by string) error { _, err := w.assets.List(ctx, w.app, by); return err }},
			"Upload": {organization.Build, func(by string) error {
				_, err := w.assets.Upload(ctx, w.app, by, asset.Icon, pngOf(drawing(512, 512, 2)))
				return err
			}},
			"Delete": {organization.Build, func(by string) error { w.shown[icon.ID] = true; return w.assets.Delete(ctx, w.app, by, icon.ID) }},
		} {
			want(t, verb.do(w.stranger), app.ErrNotFound)
			want(t, verb.do(""), app.ErrNotFound)
			if err := verb.do(w.viewer); verb.needs > organization.Look {
				want(t, err, organization.ErrRoleTooLow)
			} else if err != nil {
				t.Errorf("CONS-06 %s: %v", name, err)
			}
			if err := verb.do(w.developer); fault.KindOf(err) == fault.Forbidden || fault.KindOf(err) == fault.NotFound {
				t.Errorf("CONS-06 %s: %v", name, err)
			}
		}
	})
}

func TestTheCeilingOfPicturesHoldsWhoeverRaces(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		must(t, w.Write(ctx, func(tx *db.Tx) error {
			for i := range asset.MaxPerApp - 2 {
				if _, err := tx.Exec(ctx, `INSERT INTO assets (id, app_id, kind, hash, media, width, height, size, created_at, content) VALUES ($1, $2, 'ICON', $1, 'image/png', 1, 1, 1, 0, $3)`,
					fmt.Sprint("ast_", i), w.app, []byte("x")); err != nil {
					return err
				}
			}
			return nil
		}))
		var kept, refused atomic.Int32
		var wait sync.WaitGroup
		for i := range 8 {
			wait.Go(func() {
				_, err := w.assets.Upload(ctx, w.app, w.developer, asset.Icon, pngOf(drawing(512, 512, i+2)))
				switch {
				case err == nil:
					kept.Add(1)
				case fault.From(err) != nil && fault.From(err).Code == "ASSET_LIMIT_REACHED":
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if kept.Load() != 2 || refused.Load() != 6 {
			t.Errorf("%d kept, %d refused", kept.Load(), refused.Load())
		}
	})
}

// TestWhoHasLeftIsNotWaitedFor fills the places for decoding: a caller who goes away gets no turn.
func TestWhoHasLeftIsNotWaitedFor(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		free := w.assets.Occupy()
		defer free()
		gone, cancel := context.WithCancel(ctx)
		done := make(chan error)
		go func() {
			_, err := w.assets.Upload(gone, w.app, w.developer, asset.Icon, pngOf(drawing(512, 512, 1)))
			done <- err
		}()
		cancel()
		if err := <-done; err == nil {
			t.Error("it was decoded without a place")
		}
		leave := w.assets.Crowd()
		_, err := w.assets.Upload(ctx, w.app, w.developer, asset.Icon, pngOf(drawing(512, 512, 1)))
		want(t, err, asset.ErrBusy)
		if f := fault.From(err); f != nil && f.RetryAfter == 0 {
			t.Error("nobody says how long to wait")
		}
		leave()
	})
}
