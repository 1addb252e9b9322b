// Package oauth owns authorization: requests held for consent, codes, device codes, token families, session tokens and
// the keys that sign them.
//
// Tables: authorization_requests, authorization_codes, device_codes, device_guesses, token_families, refresh_tokens,
// session_tokens, signing_keys, client_documents. It reads, and never writes, users, apps, app_secrets, installations and
// consents: whether a token counts is asked of those rows at every use, in one statement, so that suspension, uninstall
// and revoked consent act on the next call and nothing has to fan out. What was read is remembered for as long as the
// database's own count of changes to access stands still (memory.go).
//
// A family is everything that came from one consent: its row carries the hash of the one access token and the one
// refresh token that count now. Rotation is one conditional update of that row, so of any number of simultaneous uses
// exactly one wins; a refresh token that is known but is not the family's present one has been used before. A burnt
// family is one revoked_at.
//
// A protocol refusal is a value (*Denial), a malfunction an error. A denial that must leave a trace (reuse burns the
// family) is committed.
package oauth
