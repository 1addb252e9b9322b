package app

import (
	"context"
	"strings"

	"daybook/internal/base/cursor"
	"daybook/internal/base/db"
)

// MaxPage is how many apps a page has at most.
const MaxPage = 100

// Search narrows a list of all apps; an empty member does not.
type Search struct {
	// Text is a part of the name, in whatever case, or the whole of the app's id, client id or organization's id.
	Text   string
	Status Status
}

// Page is a part of a list.
type Page struct {
	Apps []App
	// Next is the cursor of the page that follows; nil at the end.
	Next *string
}

// Search lists apps of all organizations for an operator, newest first; the caller has proved to be one. limit is at most MaxPage.
func (s *Service) Search(ctx context.Context, f Search, at string, limit int) (Page, error) {
	before, err := cursor.Read(at, "apps", f)
	if err != nil {
		return Page{}, err
	}
	var page Page
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		page.Apps, err = search(ctx, tx, f, before, limit+1)
		return err
	})
	if len(page.Apps) > limit {
		page.Apps = page.Apps[:limit]
		next := cursor.Write(page.Apps[limit-1].ID, "apps", f)
		page.Next = &next
	}
	return page, err
}

// ofStatus says which apps have a status; see App.Status.
var ofStatus = map[Status]string{
	"":          ``,
	Active:      ` AND a.suspended_at IS NULL AND a.deactivated_at IS NULL`,
	Deactivated: ` AND a.suspended_at IS NULL AND a.deactivated_at IS NOT NULL`,
	Suspended:   ` AND a.suspended_at IS NOT NULL`,
}

// search reads the whole table when it must: operators do it now and then.
func search(ctx context.Context, tx *db.Tx, f Search, before string, limit int) ([]App, error) {
	return db.All(ctx, tx, scan, `SELECT `+columns+` FROM apps a
		WHERE ($1 = '' OR a.id < $1) AND ($2 = '' OR a.id = $2 OR a.client_id = $2 OR a.organization_id = $2 OR lower(a.name) LIKE $3 ESCAPE '\')`+ofStatus[f.Status]+`
		ORDER BY a.id DESC LIMIT $4`, before, f.Text, `%`+wildcards.Replace(strings.ToLower(f.Text))+`%`, limit)
}

// wildcards takes their meaning from the signs that LIKE knows.
var wildcards = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
