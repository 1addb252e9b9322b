// Package partnerapi serves a business's books over REST: to apps with an access token, and to our own pages with the
// session cookie.
//
// The routes are data (table.go and the files of the resources): one row says who may call it, how it is read, and what it
// does; the OpenAPI document is made of the same rows. Every call takes the same way (pipeline.go), in the order that the
// contract fixes: token, limits, version, exposure, scope, permission, idempotency, shape; then the feature decides.
// What is not in the table does not exist for an app.
//
// Handlers speak the newest version of the API. Older ones are brought up before and down after (platform/apiversion).
package partnerapi
