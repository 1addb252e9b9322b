package contract_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"image/gif"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"

	"daybook/internal/base/db"
	"daybook/test/harness"
)

// TestAssets proves how pictures come in, how they are shown, and when they go (CONS-02, T-AS-1).
func TestAssets(t *testing.T) {
	eachHook(t, func(t *testing.T, n *apiNode) {
		s := n.newStand(t)
		t.Run("life", func(t *testing.T) { assetLife(t, s) })
		t.Run("forms", func(t *testing.T) { assetForms(t, s) })
		t.Run("hostile", func(t *testing.T) { hostileAssets(t, s) })
		t.Run("pixels", func(t *testing.T) { onlyPixels(t, s) })
		t.Run("open revisions", func(t *testing.T) { assetsInUse(t, s) })
		t.Run("ceiling", func(t *testing.T) { assetCeiling(t, n.newStand(t)) })
	})
}

func get(t *testing.T, c *http.Client, address string) harness.Answer {
	t.Helper()
	return harness.Get(t, c, address)
}

func assetLife(t *testing.T, s *stand) {
	made := said(t, s.upload(t, "ICON", pngOf(512, 512)), http.StatusCreated)
	has(t, made, "id kind url mediaType width height size hash createdAt")
	if made["kind"] != "ICON" || made["mediaType"] != "image/png" || made["width"] != 512.0 || made["height"] != 512.0 || made["url"] != s.n.BaseURL+"/assets/"+made["hash"].(string)+".png" {
		t.Errorf("%v", made)
	}
	if again := said(t, s.upload(t, "ICON", pngOf(512, 512)), http.StatusCreated); !same(again, made) {
		t.Errorf("the same picture is kept twice: %v", again)
	}
	if list := rowsOf(s.dan.get(t, s.path+"/assets")); len(list) != 1 || !same(list[0], made) {
		t.Errorf("%v", list)
	}
	path := strings.TrimPrefix(made["url"].(string), s.n.BaseURL)
	for _, host := range []string{s.n.BaseURL, s.n.AuthURL} {
		t.Run("T-AS-1 served as what it is and nothing else", func(t *testing.T) {
			a := harness.Get(t, signedIn(t, s.n.Node, "dan"), host+path)
			sum := sha256.Sum256([]byte(a.Body))
			if a.Status != http.StatusOK || hex.EncodeToString(sum[:]) != made["hash"] || float64(len(a.Body)) != made["size"] {
				t.Errorf("%d, %d bytes", a.Status, len(a.Body))
			}
			for name, want := range map[string]string{
				"Content-Type": "image/png", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox", "Set-Cookie": "",
				"Cache-Control": "public, max-age=31536000, immutable", "Cross-Origin-Resource-Policy": "cross-origin",
				"Content-Disposition": `attachment; filename="` + made["hash"].(string) + `.png"`, "ETag": `"` + made["hash"].(string) + `"`,
			} {
				if got := a.Header.Get(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			same := harness.Send(t, plain(t), "GET", host+path, http.Header{"If-None-Match": {a.Header.Get("ETag")}}, "")
			if same.Status != http.StatusNotModified || same.Body != "" {
				t.Errorf("who has it already: %d, %d bytes", same.Status, len(same.Body))
			}
			head := harness.Send(t, plain(t), "HEAD", host+path, nil, "")
			if head.Status != http.StatusOK || head.Body != "" || head.Header.Get("Content-Type") != "image/png" {
				t.Errorf("HEAD: %d", head.Status)
			}
			for _, wrong := range []string{strings.Replace(path, ".png", ".jpg", 1), strings.Replace(path, ".png", ".svg", 1), strings.TrimSuffix(path, ".png"), "/assets/" + s.n.id(made), "/assets/..%2fx"} {
				if a := harness.Get(t, plain(t), host+wrong); a.Status != http.StatusNotFound {
					t.Errorf("%s: %d", wrong, a.Status)
				}
			}
			if a := harness.Send(t, plain(t), "POST", host+path, nil, ""); a.Status != http.StatusMethodNotAllowed {
				t.Errorf("POST: %d", a.Status)
			}
		})
	}
	gone(t, s.dan.do(t, "DELETE", s.path+"/assets/"+s.n.id(made), nil))
	refused(t, s.dan.do(t, "DELETE", s.path+"/assets/"+s.n.id(made), nil), http.StatusNotFound, "NOT_FOUND")
	refused(t, harness.Get(t, plain(t), s.n.BaseURL+path), http.StatusNotFound, "NOT_FOUND")
}

// form is a multipart body; what the file is said to be does not count.
func form(parts ...[2]string) (contentType, body string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		h := textproto.MIMEHeader{"Content-Disposition": {`form-data; name="` + p[0] + `"; filename="../../x.html"`}, "Content-Type": {"text/html"}}
		part, _ := w.CreatePart(h)
		_, _ = part.Write([]byte(p[1]))
	}
	_ = w.Close()
	return w.FormDataContentType(), b.String()
}

func assetForms(t *testing.T, s *stand) {
	send := func(contentType, body string) harness.Answer {
		return s.dan.and("Content-Type", contentType).do(t, "POST", s.path+"/assets", body)
	}
	made := said(t, send(form([2]string{"kind", "SCREENSHOT"}, [2]string{"file", jpegOf(800, 600)})), http.StatusCreated)
	if made["mediaType"] != "image/jpeg" || made["kind"] != "SCREENSHOT" || made["width"] != 800.0 {
		t.Errorf("%v", made)
	}
	offends(t, send(form([2]string{"file", jpegOf(800, 600)})), "kind")
	offends(t, send(form([2]string{"kind", "BANNER"}, [2]string{"file", jpegOf(800, 600)})), "kind")
	offends(t, send(form([2]string{"kind", "ICON"}, [2]string{"file", "x"}, [2]string{"name", "y"})), "body")
	offends(t, send("multipart/form-data; boundary=x", "nothing of the sort"), "kind")
	offends(t, send("multipart/form-data", "--x--"), "body")
	refused(t, send(form([2]string{"kind", "ICON"})), http.StatusBadRequest, "ASSET_INVALID")
	offends(t, s.dan.and("Content-Type", "image/png").do(t, "POST", s.path+"/assets?kind=ICON&size=1", pngOf(512, 512)), "size")
	// A JPEG that is called a PNG is a JPEG.
	if made := said(t, s.upload(t, "SCREENSHOT", jpegOf(640, 480)), http.StatusCreated); made["mediaType"] != "image/jpeg" {
		t.Errorf("%v", made)
	}
}

// bomb is a PNG of a few bytes that says it has that size.
func bomb(width, height uint32) string {
	var b bytes.Buffer
	b.WriteString("\x89PNG\r\n\x1a\n")
	chunk := func(name string, data []byte) {
		_ = binary.Write(&b, binary.BigEndian, uint32(len(data)))
		body := append([]byte(name), data...)
		b.Write(body)
		_ = binary.Write(&b, binary.BigEndian, crc32.ChecksumIEEE(body))
	}
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	chunk("IHDR", append(head, 8, 2, 0, 0, 0))
	chunk("IDAT", []byte{0x78, 0x9c, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01})
	chunk("IEND", nil)
	return b.String()
}

func hostileAssets(t *testing.T, s *stand) {
	before := len(rowsOf(s.dan.get(t, s.path+"/assets")))
	var animation bytes.Buffer
	must(t, gif.Encode(&animation, drawing(512, 512), nil))
	for name, c := range map[string]struct{ kind, content, says string }{
		"a GIF":              {"ICON", animation.String(), "neither a PNG nor a JPEG"},
		"an SVG":             {"ICON", `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`, "neither a PNG nor a JPEG"},
		"a page and a PNG":   {"ICON", "<html>" + pngOf(512, 512), "neither a PNG nor a JPEG"},
		"nothing":            {"ICON", "", "nothing was sent"},
		"a bomb":             {"SCREENSHOT", bomb(30000, 30000), "30000 × 30000"},
		"a lie":              {"ICON", bomb(512, 512), "damaged"},
		"half of one":        {"ICON", pngOf(512, 512)[:900], "damaged"},
		"an icon too small":  {"ICON", pngOf(256, 256), "512 × 512"},
		"a tall screenshot":  {"SCREENSHOT", pngOf(640, 2161), "640 × 360 to 3840 × 2160"},
		"an icon of 1 MiB":   {"ICON", pngOf(512, 512) + strings.Repeat("\x00", 1<<20), "at most 1048576"},
		"passes without end": {"SCREENSHOT", jpegOf(640, 360) + strings.Repeat("\xff\xda", 100), "passes"},
	} {
		t.Run("T-AS-1 "+name, func(t *testing.T) {
			if r := refused(t, s.upload(t, c.kind, c.content), http.StatusBadRequest, "ASSET_INVALID"); !strings.Contains(r.text, c.says) {
				t.Errorf("%s", r.text)
			}
		})
	}
	t.Run("T-AS-1 more than any picture may have", func(t *testing.T) {
		refused(t, s.upload(t, "SCREENSHOT", strings.Repeat("x", 4<<20+32<<10)), http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE")
	})
	if after := len(rowsOf(s.dan.get(t, s.path+"/assets"))); after != before {
		t.Errorf("%d pictures, then %d", before, after)
	}
}

// onlyPixels proves that nothing rides along with a picture.
func onlyPixels(t *testing.T, s *stand) {
	picture := jpegOf(640, 360)
	data := "Exif\x00\x00GPS 52.3702 canary"
	exif := picture[:2] + "\xff\xe1" + string(binary.BigEndian.AppendUint16(nil, uint16(len(data)+2))) + data + picture[2:]
	for name, c := range map[string][2]string{
		"a PNG with a page behind it": {"ICON", pngOf(512, 512) + "<script>canary()</script>"}, "a JPEG with a position": {"SCREENSHOT", exif},
		"a JPEG with an archive behind it": {"SCREENSHOT", picture + "PK\x03\x04canary"},
	} {
		t.Run("T-AS-1 "+name, func(t *testing.T) {
			made := said(t, s.upload(t, c[0], c[1]), http.StatusCreated)
			if served := harness.Get(t, plain(t), made["url"].(string)); served.Status != http.StatusOK || strings.Contains(served.Body, "canary") || strings.Contains(served.Body, "Exif") {
				t.Errorf("%d, it is still there", served.Status)
			}
		})
	}
}

// assetsInUse tries to delete a picture while a revision in every open state shows it.
func assetsInUse(t *testing.T, s *stand) {
	s.saved(t, "assets-in-use")
	is := s.dan.get(t, s.at(""))
	icon, shot := is["iconAssetId"].(string), is["screenshotAssetIds"].([]any)[0].(string)
	for _, state := range []string{"DRAFT", "SUBMITTED", "IN_REVIEW", "CHANGES_REQUESTED", "REJECTED", "PUBLISHED"} {
		t.Run("CONS-02 "+state, func(t *testing.T) {
			s.n.sql(t, `UPDATE listing_revisions SET state = $2 WHERE id = $1`, s.revision, state)
			for _, id := range []string{icon, shot} {
				refused(t, s.dan.do(t, "DELETE", s.path+"/assets/"+id, nil), http.StatusBadRequest, "ASSET_IN_USE")
			}
		})
	}
	t.Run("CONS-02 taken out of the draft", func(t *testing.T) {
		s.n.sql(t, `UPDATE listing_revisions SET state = 'DRAFT' WHERE id = $1`, s.revision)
		said(t, s.dan.do(t, "PATCH", s.at(""), object{"iconAssetId": nil}), http.StatusOK)
		gone(t, s.dan.do(t, "DELETE", s.path+"/assets/"+icon, nil))
		refused(t, s.dan.do(t, "DELETE", s.path+"/assets/"+shot, nil), http.StatusBadRequest, "ASSET_IN_USE")
	})
	for _, state := range []string{"SUPERSEDED", "DISCARDED"} {
		t.Run("CONS-02 "+state, func(t *testing.T) {
			other := s.picture(t, "SCREENSHOT", 700, 400)
			s.n.sql(t, `UPDATE listing_revisions SET state = 'DRAFT' WHERE id = $1`, s.revision)
			said(t, s.dan.do(t, "PATCH", s.at(""), object{"screenshotAssetIds": []string{other}}), http.StatusOK)
			s.n.sql(t, `UPDATE listing_revisions SET state = $2 WHERE id = $1`, s.revision, state)
			gone(t, s.dan.do(t, "DELETE", s.path+"/assets/"+other, nil))
		})
	}
}

func assetCeiling(t *testing.T, s *stand) {
	ctx := context.Background()
	must(t, s.n.store(t).Write(ctx, func(tx *db.Tx) error {
		for i := range 40 {
			if _, err := tx.Exec(ctx, `INSERT INTO assets (id, app_id, kind, hash, media, width, height, size, created_at, content) VALUES ($1, $2, 'ICON', $1, 'image/png', 1, 1, 1, 0, $3)`,
				fmt.Sprint("ast_filler_", i), s.appID, []byte("x")); err != nil {
				return err
			}
		}
		return nil
	}))
	refused(t, s.upload(t, "ICON", pngOf(512, 512)), http.StatusBadRequest, "ASSET_LIMIT_REACHED")
}
