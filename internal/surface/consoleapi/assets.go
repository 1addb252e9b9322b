package consoleapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"

	"daybook/internal/base/fault"
	"daybook/internal/platform/asset"
	"daybook/internal/tenancy/organization"
)

// maxUpload leaves room for what a form puts around a picture.
const maxUpload = asset.MaxBytes + 16<<10

// assetRoutes are an app's pictures.
func (a *API) assetRoutes() []Route {
	const all, build = "/developer/apps/{appId}/assets", organization.Build
	return []Route{
		{Method: "GET", Path: all, Summary: "List an app's pictures", verb: list(a.listAssets, a.newAssetDoc)},
		{Method: "POST", Path: all, Needs: build, Summary: "Upload a picture",
			About: "An icon is 512 × 512 pixels, at most 1 MiB; a screenshot 640 × 360 to 3840 × 2160, at most 4 MiB. PNG or JPEG, by its content: it is encoded anew. " +
				"Send the file itself with ?kind=, or a form with the parts kind and file.",
			Params: []Param{{"kind", "ICON or SCREENSHOT, when the body is the file itself."}},
			verb:   uploads(http.StatusCreated, maxUpload, a.uploadAsset)},
		{Method: "DELETE", Path: all + "/{assetId}", Needs: build, Summary: "Delete a picture", About: "Refused while the live listing or an open revision shows it.", verb: remove(a.deleteAsset)},
	}
}

type assetDoc struct {
	ID        string `json:"id"`
	Kind      string `json:"kind" enum:"ICON,SCREENSHOT"`
	URL       string `json:"url" doc:"Where anybody may see it, for good."`
	MediaType string `json:"mediaType" enum:"image/png,image/jpeg"`
	Width     int    `json:"width"`
	Height    int    `json:"height"`
	Size      int    `json:"size" doc:"In bytes."`
	Hash      string `json:"hash" doc:"SHA-256 of the bytes."`
	CreatedAt string `json:"createdAt"`
}

func (a *API) newAssetDoc(one asset.Asset) assetDoc {
	return assetDoc{
		ID: one.ID, Kind: string(one.Kind), URL: a.BaseURL + one.Path(), MediaType: one.Media, Width: one.Width, Height: one.Height, Size: one.Size, Hash: one.Hash,
		CreatedAt: instant(one.CreatedAt),
	}
}

func (a *API) listAssets(ctx context.Context, c *call) ([]asset.Asset, error) {
	return a.Assets.List(ctx, c.app.ID, c.by())
}

func (a *API) uploadAsset(ctx context.Context, c *call) (assetDoc, error) {
	kind, file, err := c.readPicture()
	if err != nil {
		return assetDoc{}, err
	}
	one, err := a.Assets.Upload(ctx, c.app.ID, c.by(), asset.Kind(kind), file)
	if err != nil {
		return assetDoc{}, err
	}
	return a.newAssetDoc(one), nil
}

// readPicture finds the picture in a body: the file itself, or a part of a form. What it is said to be does not count.
func (c *call) readPicture() (kind string, file []byte, err error) {
	if k := c.param("kind"); k != nil {
		kind = *k
	}
	media, params, err := mime.ParseMediaType(c.request.Header.Get("Content-Type"))
	if err != nil || media != "multipart/form-data" {
		return kind, c.body, nil
	}
	form := multipart.NewReader(bytes.NewReader(c.body), params["boundary"])
	for range maxParts {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return kind, file, nil
		}
		if err != nil {
			return "", nil, errForm
		}
		content, err := io.ReadAll(part) // the whole body is bounded, and so is each of its parts
		if err != nil {
			return "", nil, errForm
		}
		switch part.FormName() {
		case "kind":
			kind = string(content)
		case "file":
			file = content
		default:
			return "", nil, errForm
		}
	}
	return "", nil, errForm
}

// maxParts of a form: two, and its end.
const maxParts = 3

var errForm = fault.InvalidFields("body must be a form with the parts kind and file, and no others")

func (a *API) deleteAsset(ctx context.Context, c *call) error {
	return a.Assets.Delete(ctx, c.app.ID, c.by(), c.at("assetId"))
}
