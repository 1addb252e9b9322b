package asset

import (
	"context"
	"errors"
	"maps"
	"regexp"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/trail"
	"daybook/internal/platform/app"
	"daybook/internal/tenancy/organization"
)

const (
	// maxDecoding is how many pictures are decoded at a time: each may take some 100 MB while it is.
	maxDecoding = 2
	// maxWaiting is how many more wait for their turn. Others are sent away at once: what they brought takes memory, too.
	maxWaiting = 16
	// busyFor is how long those are told to wait.
	busyFor = 2 * time.Second
)

// Service has the verbs of pictures.
type Service struct {
	DB  *db.DB
	IDs *id.Source
	// Users know which pictures are shown somewhere.
	Users Users
	// Trail, if not nil, keeps who did what.
	Trail trail.Keeper

	admitted, decoding chan struct{}
}

// New is a Service. Users and Trail are for the caller to fill.
func New(d *db.DB, ids *id.Source) *Service {
	return &Service{DB: d, IDs: ids, admitted: make(chan struct{}, maxDecoding+maxWaiting), decoding: make(chan struct{}, maxDecoding)}
}

// Users refer to pictures. Listings fill it.
type Users interface {
	// Shows reports whether the live listing of an app, or an open revision of it, refers to a picture. The app's row is locked.
	Shows(ctx context.Context, tx *db.Tx, appID, assetID string) (bool, error)
}

// What is done to pictures that is kept.
const (
	actUploaded trail.Action = "asset.uploaded"
	actDeleted  trail.Action = "asset.deleted"
)

// Upload keeps a picture for an app. One that the app has already is not kept twice.
func (s *Service) Upload(ctx context.Context, appID, by string, k Kind, upload []byte) (Asset, error) {
	if err := checkKind(k); err != nil {
		return Asset{}, err
	}
	// Whoever may not keep one has none decoded either.
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) error {
		_, err := app.Authorize(ctx, tx, appID, by, organization.Build)
		return err
	})
	if err != nil {
		return Asset{}, err
	}
	keep, err := s.Prepare(ctx, k, upload)
	if err != nil {
		return Asset{}, err
	}
	var a Asset
	err = s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		a, err = keep(ctx, tx, appID, by)
		return err
	})
	return a, err
}

// Keep keeps a picture for an app, in a transaction of somebody who may change the app.
type Keep func(ctx context.Context, tx *db.Tx, appID, by string) (Asset, error)

// Prepare judges a picture and makes it anew, which takes a while, and returns the rest.
func (s *Service) Prepare(ctx context.Context, k Kind, upload []byte) (Keep, error) {
	if err := checkKind(k); err != nil {
		return nil, err
	}
	c, err := judge(k, upload)
	if err != nil {
		return nil, err
	}
	p, err := s.decode(ctx, k, c, upload)
	if err != nil {
		return nil, err
	}
	made := Asset{ID: s.IDs.New(id.Asset), Kind: k, Hash: p.hash(), Media: p.media, Width: p.width, Height: p.height, Size: len(p.content)}
	return func(ctx context.Context, tx *db.Tx, appID, by string) (Asset, error) {
		a := made
		a.AppID, a.CreatedAt = appID, tx.Now()
		of, err := lockApp(ctx, tx, appID, by)
		if err != nil {
			return a, err
		}
		switch same, err := findByHash(ctx, tx, appID, k, a.Hash); {
		case err == nil:
			return same, nil
		case !errors.Is(err, db.ErrNoRows):
			return a, err
		}
		switch have, err := countOf(ctx, tx, appID); {
		case err != nil:
			return a, err
		case have >= MaxPerApp:
			return a, ErrLimit.With(MaxPerApp)
		}
		if err := insert(ctx, tx, a, p.content); err != nil {
			return a, err
		}
		return a, s.leave(ctx, tx, of, by, actUploaded, a)
	}, nil
}

// decode remakes a picture when it is its turn. Where too many wait already nobody begins to; and nobody waits longer than the caller
// does.
func (s *Service) decode(ctx context.Context, k Kind, c codec, upload []byte) (picture, error) {
	select {
	case s.admitted <- struct{}{}:
	default:
		return picture{}, ErrBusy.After(busyFor)
	}
	defer func() { <-s.admitted }()
	select {
	case s.decoding <- struct{}{}:
	case <-ctx.Done():
		return picture{}, ErrBusy.After(busyFor).Because(ctx.Err())
	}
	defer func() { <-s.decoding }()
	return safely(func() (picture, error) { return remake(k, c, upload) })
}

// List reads the pictures of an app, the oldest first, for a member of its organization.
func (s *Service) List(ctx context.Context, appID, by string) ([]Asset, error) {
	var list []Asset
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = app.Authorize(ctx, tx, appID, by, organization.Look); err != nil {
			return err
		}
		list, err = listOf(ctx, tx, appID)
		return err
	})
	return list, err
}

// Delete removes a picture that nothing shows any more (CONS-02).
func (s *Service) Delete(ctx context.Context, appID, by, assetID string) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		of, err := lockApp(ctx, tx, appID, by)
		if err != nil {
			return err
		}
		a, err := find(ctx, tx, appID, assetID)
		if errors.Is(err, db.ErrNoRows) {
			return ErrNotFound
		}
		if err != nil {
			return err
		}
		switch shown, err := s.Users.Shows(ctx, tx, appID, assetID); {
		case err != nil:
			return err
		case shown:
			return ErrInUse
		}
		if err := remove(ctx, tx, appID, assetID); err != nil {
			return err
		}
		return s.leave(ctx, tx, of, by, actDeleted, a)
	})
}

// lockApp takes the row of an app for someone who may change its pictures, as whoever refers to a picture does: so the ceiling holds, and
// nobody begins to show a picture that is just being deleted.
func lockApp(ctx context.Context, tx *db.Tx, appID, by string) (app.App, error) {
	if _, err := app.Authorize(ctx, tx, appID, by, organization.Build); err != nil {
		return app.App{}, err
	}
	return app.FindLocked(ctx, tx, appID)
}

func (s *Service) leave(ctx context.Context, tx *db.Tx, of app.App, by string, what trail.Action, a Asset) error {
	act := trail.Act{UserID: by, Action: what, Object: trail.Object{Type: "asset", ID: a.ID}, Details: map[string]any{"appId": a.AppID, "kind": a.Kind, "hash": a.Hash}}
	if of.OrganizationID != nil {
		act.OrganizationID = *of.OrganizationID
	}
	return trail.Leave(ctx, tx, s.Trail, act)
}

// Of finds pictures of an app by their ids, in a transaction of somebody who is about to refer to them, or to show them. Those that are
// not there are left out.
func Of(ctx context.Context, tx *db.Tx, appID string, ids []string) (map[string]Asset, error) {
	found, err := Find(ctx, tx, ids)
	maps.DeleteFunc(found, func(_ string, a Asset) bool { return a.AppID != appID })
	return found, err
}

// Find finds pictures of whatever app by their ids, for who has settled that they may be seen.
func Find(ctx context.Context, tx *db.Tx, ids []string) (map[string]Asset, error) {
	found := map[string]Asset{}
	if len(ids) == 0 {
		return found, nil
	}
	list, err := listAny(ctx, tx, ids)
	for _, a := range list {
		found[a.ID] = a
	}
	return found, err
}

// File is a picture as it is served.
type File struct {
	Hash, Media string
	Content     []byte
}

var fileName = regexp.MustCompile(`^([0-9a-f]{64})\.(png|jpg)$`)

// Serve finds a picture by the last part of its path. Whoever knows it may see it: it cannot be guessed.
func (s *Service) Serve(ctx context.Context, name string) (File, error) {
	m := fileName.FindStringSubmatch(name)
	if m == nil {
		return File{}, ErrNotFound
	}
	f := File{Hash: m[1]}
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		f.Media, f.Content, err = findContent(ctx, tx, f.Hash)
		return err
	})
	if errors.Is(err, db.ErrNoRows) || err == nil && endings[f.Media] != m[2] {
		return File{}, ErrNotFound
	}
	return f, err
}
