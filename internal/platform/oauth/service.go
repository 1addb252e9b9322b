package oauth

import (
	"log/slog"

	"golang.org/x/sync/singleflight"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/base/limit"
	"daybook/internal/base/outbound"
	"daybook/internal/base/secret"
	"daybook/internal/platform/app"
	"daybook/internal/platform/install"
)

// Service has the verbs of authorization.
type Service struct {
	DB       *db.DB
	IDs      *id.Source
	Keys     *secret.Keys
	Apps     *app.Service
	Installs *install.Service
	// Issuer is the API origin: who signs, and whom resources must belong to.
	Issuer string
	// Outbound and Limits fetch client metadata documents.
	Outbound *outbound.Client
	Limits   limit.Limiter
	Log      *slog.Logger
	// Frames decides which records and extensions a session token may name.
	Frames Frames

	fetching singleflight.Group
	uses     uses
	memory   memory
}
