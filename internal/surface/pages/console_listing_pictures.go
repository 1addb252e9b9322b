package pages

import (
	"net/http"
	"slices"
	"strconv"

	picture "daybook/internal/platform/asset"
	"daybook/internal/platform/listing"
)

type consolePicturesView struct {
	Save                         savingView
	Back, Here                   string
	UploadIcon, UploadScreenshot string
	Exists, Frozen, Full         bool
	Icon                         *pictureLine
	Screenshots                  []pictureLine
	MaxScreenshots               int
	MaxIcon, MaxScreenshot       int           // bytes
	Spare                        []pictureLine // not in this revision
	May                          may
	Saved                        string
}

// pictureLine is a picture that the app has.
type pictureLine struct {
	Rest, Name string
	Picture    pictureView
	Facts      string
	// What to write when it is made the icon, or the screenshots are put in another order; what is empty is not offered, but for Out.
	Icon                string
	Earlier, Later, Out []string
	Into                []string
	Held                string // why it cannot be deleted
}

// maxIcon is how many bytes an icon has at most. The service judges it, too.
const maxIcon = 1 << 20

var consolePicturesPage = newPage[consolePicturesView]("console-listing-pictures.html")

func (s *Site) consolePictures(w http.ResponseWriter, r *http.Request, in inApp) error {
	at, err := s.atListing(r.Context(), in)
	if err != nil {
		return err
	}
	all, err := s.Assets.List(r.Context(), in.app.ID, in.who.user.ID)
	if err != nil {
		return err
	}
	v := consolePicturesView{
		Save: at.saving(), Back: in.path("/listing"), Here: in.path("/listing/pictures"), UploadIcon: in.path("/assets?kind=%s", picture.Icon), UploadScreenshot: in.path("/assets?kind=%s", picture.Screenshot),
		Exists: at.exists(), Frozen: at.frozen(), Full: len(all) >= picture.MaxPerApp, MaxScreenshots: listing.MaxScreenshots, MaxIcon: maxIcon, MaxScreenshot: picture.MaxBytes, May: in.may(),
		Saved: saved(r, map[string]string{"uploaded": "The picture is uploaded. Show it in the listing below.", "saved": "Your changes are saved.", "deleted": "The picture is deleted."}),
	}
	at.arrange(all, &v)
	consolePicturesPage.write(w, r, s, http.StatusOK, in.frame("Listing", "Pictures", crumb{"Pictures", ""}), v)
	return nil
}

// arrange puts pictures where the revision has them.
func (at atListing) arrange(all []picture.Asset, v *consolePicturesView) {
	icon, shots := pick(at.content(), byID(all))
	order := make([]string, len(shots))
	for i, a := range shots {
		order[i] = a.ID
	}
	if icon != nil {
		line := at.pictureLine(*icon, "Icon")
		v.Icon = &line
	}
	for i, a := range shots {
		line := at.pictureLine(a, "screenshot "+strconv.Itoa(i+1))
		line.Earlier, line.Later = swapped(order, i, i-1), swapped(order, i, i+1)
		line.Out = slices.Delete(slices.Clone(order), i, i+1)
		v.Screenshots = append(v.Screenshots, line)
	}
	icons, others := 0, 0
	for _, a := range all {
		if icon != nil && a.ID == icon.ID || slices.Contains(order, a.ID) {
			continue
		}
		var line pictureLine
		if a.Kind == picture.Icon {
			icons++
			line = at.pictureLine(a, "spare icon "+strconv.Itoa(icons))
			line.Icon = a.ID
		} else {
			others++
			line = at.pictureLine(a, "spare screenshot "+strconv.Itoa(others))
			if len(order) < listing.MaxScreenshots {
				line.Into = append(slices.Clone(order), a.ID)
			}
		}
		v.Spare = append(v.Spare, line)
	}
}

func (at atListing) pictureLine(a picture.Asset, name string) pictureLine {
	line := pictureLine{
		Rest: at.path("/assets/%s", a.ID), Name: name, Picture: pictureView{Path: a.Path(), Words: name, Width: a.Width, Height: a.Height},
		Facts: strconv.Itoa(a.Width) + " × " + strconv.Itoa(a.Height) + " pixels, " + bytesOf(int64(a.Size)),
	}
	if live := at.listing.Live; live != nil && shows(live.Content, a.ID) {
		line.Held = "The published listing shows it. It can be deleted once a revision without it is published."
	}
	return line
}

func shows(c listing.Content, assetID string) bool {
	return c.IconAssetID != nil && *c.IconAssetID == assetID || slices.Contains(c.ScreenshotAssetIDs, assetID)
}

// swapped is an order with two of its places exchanged; nil where there is no such place.
func swapped(order []string, i, j int) []string {
	if j < 0 || j >= len(order) {
		return nil
	}
	out := slices.Clone(order)
	out[i], out[j] = out[j], out[i]
	return out
}
