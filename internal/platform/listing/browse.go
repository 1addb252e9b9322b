package listing

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"daybook/internal/base/clock"
	"daybook/internal/base/cursor"
	"daybook/internal/base/db"
	"daybook/internal/platform/app"
	"daybook/internal/platform/asset"
	"daybook/internal/platform/scope"
)

// MaxPage is how many listings a page has at most.
const MaxPage = 100

// maxSearch is how many words of a search count.
const maxSearch = 8

// Search narrows what is browsed; an empty member does not.
type Search struct {
	Category Category
	// Text is words, or beginnings of words, that the listing has in its name, its tagline or its description: all of them.
	Text string
}

// Entry is a listing as everybody sees it.
type Entry struct {
	ListingID   string
	RevisionID  string
	Slug        string
	AppID       string
	ClientID    string
	AppURL      *string
	Scopes      scope.Set // that the app may ask for
	Publisher   string    // the organization's name
	Content     Content   // without what is for reviewers
	Icon        *asset.Asset
	Screenshots []asset.Asset
	PublishedAt time.Time

	sortKey string
}

// Page is a part of what is browsed.
type Page struct {
	Entries []Entry
	// Next is the cursor of the page that follows; nil at the end.
	Next *string
}

// Browse lists what is live and listed, of apps that run, by name. Anybody may. limit is at most MaxPage.
func (s *Service) Browse(ctx context.Context, f Search, at string, limit int) (Page, error) {
	behind, err := cursor.Read(at, "marketplace", f)
	if err != nil {
		return Page{}, err
	}
	sortKey, listingID, _ := strings.Cut(behind, "\n")
	words := wordsOf(f.Text)
	if len(words) > maxSearch {
		words = words[:maxSearch]
	}
	if len(words) == 0 && strings.TrimSpace(f.Text) != "" {
		return Page{Entries: []Entry{}}, nil // nothing of what was asked for is a word
	}
	var page Page
	err = s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		page.Entries, err = browse(ctx, tx, f.Category, words, sortKey, listingID, limit+1)
		if err != nil {
			return err
		}
		if len(page.Entries) > limit {
			page.Entries = page.Entries[:limit]
			last := page.Entries[limit-1]
			next := cursor.Write(last.sortKey+"\n"+last.ListingID, "marketplace", f)
			page.Next = &next
		}
		return illustrate(ctx, tx, page.Entries)
	})
	return page, err
}

// BySlug finds one listing that is live and listed, of an app that runs.
func (s *Service) BySlug(ctx context.Context, slug string) (Entry, error) {
	var e Entry
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if e, err = findBySlug(ctx, tx, slug); err != nil {
			return err
		}
		one := []Entry{e}
		err = illustrate(ctx, tx, one)
		e = one[0]
		return err
	})
	if errors.Is(err, db.ErrNoRows) {
		err = ErrNotFound
	}
	return e, err
}

// illustrate finds the pictures of entries, all at once.
func illustrate(ctx context.Context, tx *db.Tx, entries []Entry) error {
	var ids []string
	for _, e := range entries {
		ids = append(ids, e.Content.assets()...)
	}
	found, err := asset.Find(ctx, tx, ids)
	for i := range entries {
		entries[i].Icon, entries[i].Screenshots = picturesOf(entries[i].Content, found)
	}
	return err
}

// picturesOf are the icon and the screenshots that a content shows.
func picturesOf(c Content, found map[string]asset.Asset) (icon *asset.Asset, screenshots []asset.Asset) {
	if c.IconAssetID != nil {
		if a, ok := found[*c.IconAssetID]; ok {
			icon = &a
		}
	}
	screenshots = []asset.Asset{}
	for _, one := range c.ScreenshotAssetIDs {
		if a, ok := found[one]; ok {
			screenshots = append(screenshots, a)
		}
	}
	return icon, screenshots
}

// QueueItem is a revision that waits for reviewers, or is with one.
type QueueItem struct {
	Revision     Revision
	App          app.App
	Slug         string
	Organization string // its name
}

// QueuePage is a part of the queue.
type QueuePage struct {
	Items []QueueItem
	// Next is the cursor of the page that follows; nil at the end.
	Next *string
}

// Queue lists what waits for reviewers and what is with one, the longest waiting first; state narrows it to one of the two. The caller
// has proved to be a reviewer. limit is at most MaxPage.
func (s *Service) Queue(ctx context.Context, state State, at string, limit int) (QueuePage, error) {
	key, err := cursor.Read(at, "queue", state)
	if err != nil {
		return QueuePage{}, err
	}
	var behind queued
	if key != "" {
		ms, revisionID, _ := strings.Cut(key, " ")
		n, err := strconv.ParseInt(ms, 10, 64)
		if err != nil {
			return QueuePage{}, cursor.ErrInvalid
		}
		behind = queued{clock.FromMillis(n), revisionID}
	}
	var page QueuePage
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		page.Items, err = listQueue(ctx, tx, state, behind, limit+1)
		return err
	})
	if len(page.Items) > limit {
		page.Items = page.Items[:limit]
		last := page.Items[limit-1].Revision
		next := cursor.Write(strconv.FormatInt(clock.Millis(*last.SubmittedAt), 10)+" "+last.ID, "queue", state)
		page.Next = &next
	}
	return page, err
}
