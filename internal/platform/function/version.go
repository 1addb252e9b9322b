package function

import (
	"context"
	"errors"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/platform/app"
)

// Version is a source that was uploaded. It never changes.
type Version struct {
	ID         string
	FunctionID string
	Number     int
	Source     string
	Size       int // of the source, in bytes
	CreatedBy  string
	CreatedAt  time.Time
}

// MaxVersions of a function are kept: the newest ones, and the active one.
const MaxVersions = 50

// Upload adds a version. It does not run before it is activated.
func (s *Service) Upload(ctx context.Context, appID, by, functionID, source string) (Version, error) {
	err := s.look(ctx, appID, by, functionID, func(*db.Tx, Function) error { return nil })
	if err == nil {
		err = s.mayBuild(ctx, appID, by)
	}
	if err != nil {
		return Version{}, err
	}
	if err := CheckSource(source); err != nil {
		return Version{}, err
	}
	v := Version{ID: s.IDs.New(id.FunctionCode), FunctionID: functionID, Source: source, Size: len(source), CreatedBy: by}
	err = s.build(ctx, appID, by, func(tx *db.Tx, of app.App) error {
		f, err := current(ctx, tx, appID, functionID, 0)
		if err != nil {
			return err
		}
		newest, err := newestVersion(ctx, tx, functionID)
		if err != nil && !errors.Is(err, db.ErrNoRows) {
			return err
		}
		v.Number, v.CreatedAt = newest.Number+1, tx.Now()
		if err := insertVersion(ctx, tx, v); err != nil {
			return err
		}
		if err := dropVersions(ctx, tx, f, v.Number-MaxVersions); err != nil {
			return err
		}
		return s.leave(ctx, tx, of, by, actUploaded, objectOf(functionID), map[string]any{"versionId": v.ID, "number": v.Number})
	})
	return v, err
}

// Versions lists what was uploaded, the newest first, without sources.
func (s *Service) Versions(ctx context.Context, appID, by, functionID string) ([]Version, error) {
	var all []Version
	err := s.look(ctx, appID, by, functionID, func(tx *db.Tx, f Function) (err error) {
		all, err = listVersions(ctx, tx, f.ID)
		return err
	})
	return all, err
}

// VersionOf reads a version with its source.
func (s *Service) VersionOf(ctx context.Context, appID, by, functionID, versionID string) (Version, error) {
	var v Version
	err := s.look(ctx, appID, by, functionID, func(tx *db.Tx, f Function) (err error) {
		if v, err = chosen(ctx, tx, f.ID, versionID); err != nil {
			return err
		}
		v.Source, err = readSource(ctx, tx, v.ID)
		return err
	})
	return v, err
}

// maxSources are remembered; when there are more, it begins anew.
const maxSources = 64

// source is the text of a version, remembered since it never changes.
func (s *Service) source(ctx context.Context, tx *db.Tx, versionID string) (string, error) {
	s.mu.Lock()
	text, known := s.sources[versionID]
	s.mu.Unlock()
	if known {
		return text, nil
	}
	text, err := readSource(ctx, tx, versionID)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sources == nil || len(s.sources) >= maxSources {
		s.sources = map[string]string{}
	}
	s.sources[versionID] = text
	return text, nil
}
