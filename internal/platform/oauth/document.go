package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/limit"
	"daybook/internal/base/outbound"
	"daybook/internal/platform/app"
	"daybook/internal/platform/scope"
)

// The bounds of a client metadata document (CIMD-02).
const (
	maxDocument     = 5 << 10
	documentTimeout = 5 * time.Second
	leastFresh      = 5 * time.Minute
	mostFresh       = 24 * time.Hour
	maxDocumentURL  = 512
)

// Fetches are limited rather than failures cached: per document and per place.
var (
	documentRule = limit.Rule{Name: "document", Max: 6, Per: time.Minute}
	placeRule    = limit.Rule{Name: "document-ip", Max: 30, Per: time.Minute}
)

// IsDocument reports whether a client id is the address of a metadata document: https, a path, no dot segments, query,
// fragment or user info. Our own client ids never begin so.
func IsDocument(clientID string) bool {
	if !strings.HasPrefix(clientID, "https://") || len(clientID) > maxDocumentURL ||
		strings.ContainsFunc(clientID, func(r rune) bool { return r <= ' ' || r > '~' }) || strings.ContainsAny(clientID, `\?#`) {
		return false
	}
	u, err := url.Parse(clientID)
	if err != nil || u.User != nil || u.Host == "" || u.Path == "" || u.Path == "/" {
		return false
	}
	return !slices.ContainsFunc(strings.Split(u.EscapedPath(), "/"), func(segment string) bool {
		decoded, err := url.PathUnescape(segment)
		return err != nil || decoded == "." || decoded == ".."
	})
}

// errDocument says why a document was not taken, for the log; people see "Invalid client_id".
var errDocument = errors.New("client metadata document refused")

// Resolve makes sure that the app behind a document's address is there and fresh. For any other client id, and for a
// document that cannot be had, it does nothing: the look-up that follows finds nobody.
func (s *Service) Resolve(ctx context.Context, clientID, place string) error {
	if !IsDocument(clientID) {
		return nil
	}
	fresh := false
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		fresh, err = documentFresh(ctx, tx, clientID)
		return err
	})
	if err != nil || fresh {
		return err
	}
	_, err, _ = s.fetching.Do(clientID, func() (any, error) { return nil, s.fetchDocument(ctx, clientID, place) })
	return err
}

// fetchDocument is single-flight per address. A refusal leaves what was there before.
func (s *Service) fetchDocument(ctx context.Context, clientID, place string) error {
	for _, w := range s.Limits.Take(ctx, limit.Hit{Rule: documentRule, Key: clientID}, limit.Hit{Rule: placeRule, Key: place}) {
		if !w.Allowed {
			return nil
		}
	}
	answer, err := s.Outbound.Do(ctx, outbound.Request{
		Method: "GET", URL: clientID, Timeout: documentTimeout, BodyTime: documentTimeout, MaxBody: maxDocument,
	})
	if err == nil {
		var document app.New
		if document, err = parseDocument(clientID, answer.Status, answer.Header.Get("Content-Type"), answer.Body, answer.Truncated); err == nil {
			return s.keepDocument(ctx, clientID, document, freshFor(answer.Header.Get("Cache-Control")))
		}
	}
	s.Log.Info("client metadata document not taken", "clientId", clientID, "reason", err.Error())
	return nil
}

func (s *Service) keepDocument(ctx context.Context, clientID string, n app.New, fresh time.Duration) error {
	appID := s.IDs.New(id.App)
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		a, err := s.Apps.PutDocument(ctx, tx, appID, clientID, n)
		if err != nil {
			return err
		}
		return putDocument(ctx, tx, clientID, a.ID, tx.Now().Add(fresh))
	})
	if fault.From(err) != nil { // such as a name made to deceive
		s.Log.Info("client metadata document not taken", "clientId", clientID, "reason", err.Error())
		return nil
	}
	return err
}

// parseDocument judges a fetched document: 200, JSON, whole, its client_id the very address, no secret, good redirect URIs.
func parseDocument(clientID string, status int, contentType string, body []byte, truncated bool) (app.New, error) {
	media, _, err := mime.ParseMediaType(contentType)
	if status != 200 || truncated || err != nil || media != "application/json" && !strings.HasSuffix(media, "+json") {
		return app.New{}, errDocument
	}
	var d struct {
		ClientID     string   `json:"client_id"`
		Name         string   `json:"client_name"`
		RedirectURIs []string `json:"redirect_uris"`
		AuthMethod   *string  `json:"token_endpoint_auth_method"`
		Secret       *string  `json:"client_secret"`
		Scope        string   `json:"scope"`
	}
	if json.Unmarshal(body, &d) != nil || d.ClientID != clientID || d.Secret != nil || d.AuthMethod != nil && *d.AuthMethod != "none" {
		return app.New{}, errDocument
	}
	if len(d.RedirectURIs) == 0 || len(d.RedirectURIs) > app.MaxRedirectURIs {
		return app.New{}, errDocument
	}
	for _, uri := range d.RedirectURIs {
		if app.CheckRedirectURI(uri) != "" {
			return app.New{}, errDocument
		}
	}
	scopes := scope.Of(scope.ProfileRead)
	if strings.TrimSpace(d.Scope) != "" {
		scopes = scope.Parse(d.Scope)
	}
	return app.New{Name: d.Name, ClientType: app.Public, RedirectURIs: d.RedirectURIs, Scopes: scopes}, nil
}

// freshFor reads how long a document may be kept, within our own bounds.
func freshFor(cacheControl string) time.Duration {
	fresh := leastFresh
	for _, word := range strings.Split(cacheControl, ",") {
		if value, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(word)), "max-age="); ok {
			if seconds, err := strconv.Atoi(strings.Trim(value, `"`)); err == nil && seconds > 0 && seconds < 1<<30 {
				fresh = time.Duration(seconds) * time.Second
			}
		}
	}
	return min(max(fresh, leastFresh), mostFresh)
}
