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
	maxDocumentURIs = 5 // as for registration
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

// Resolve makes sure that the app behind a document's address is there and fresh; false means that there is no such client
// now. Any other client id is none of its business.
func (s *Service) Resolve(ctx context.Context, clientID, place string) (bool, error) {
	if !IsDocument(clientID) {
		return true, nil
	}
	fresh, err := s.documentFresh(ctx, clientID)
	if err != nil || fresh {
		return fresh, err
	}
	if _, err, _ := s.fetching.Do(clientID, func() (any, error) { return nil, s.fetchDocument(ctx, clientID, place) }); err != nil {
		return false, err
	}
	return s.documentFresh(ctx, clientID)
}

func (s *Service) documentFresh(ctx context.Context, clientID string) (fresh bool, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		fresh, err = documentFresh(ctx, tx, clientID)
		return err
	})
	return fresh, err
}

// fetchDocument is single-flight per address. A document that is refused leaves what was there before, but not fresh.
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
			err = s.keepDocument(ctx, clientID, document, freshFor(answer.Header.Get("Cache-Control")))
		}
	}
	var failed *outbound.Error
	if errors.Is(err, errDocument) || errors.As(err, &failed) || fault.From(err) != nil { // the document's fault, not ours
		s.Log.Info("client metadata document not taken", "clientId", clientID, "reason", err.Error())
		return nil
	}
	return err
}

func (s *Service) keepDocument(ctx context.Context, clientID string, n app.New, fresh time.Duration) error {
	appID := s.IDs.New(id.App)
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		a, err := s.Apps.PutDocument(ctx, tx, appID, clientID, n)
		if err != nil {
			return err
		}
		return putDocument(ctx, tx, clientID, a.ID, tx.Now().Add(fresh))
	})
}

// parseDocument judges a fetched document: 200, JSON, whole, its client_id the very address, no secret, good redirect URIs.
func parseDocument(clientID string, status int, contentType string, body []byte, truncated bool) (app.New, error) {
	media, _, err := mime.ParseMediaType(contentType)
	if status != 200 || truncated || err != nil || media != "application/json" && !strings.HasSuffix(media, "+json") {
		return app.New{}, errDocument
	}
	// A map keeps names as they are written; a struct would take CLIENT_ID for client_id.
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		return app.New{}, errDocument
	}
	var d struct {
		ClientID, Name, Scope string
		RedirectURIs          []string
		AuthMethod            *string
	}
	for name, into := range map[string]any{
		"client_id": &d.ClientID, "client_name": &d.Name, "scope": &d.Scope, "redirect_uris": &d.RedirectURIs, "token_endpoint_auth_method": &d.AuthMethod,
	} {
		if raw, sent := members[name]; sent && json.Unmarshal(raw, into) != nil {
			return app.New{}, errDocument
		}
	}
	if _, secret := members["client_secret"]; secret || d.ClientID != clientID || d.AuthMethod != nil && *d.AuthMethod != "none" {
		return app.New{}, errDocument
	}
	if len(d.RedirectURIs) == 0 || len(d.RedirectURIs) > maxDocumentURIs {
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
