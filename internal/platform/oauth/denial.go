package oauth

// Denial is a refusal by the protocol, to be answered in OAuth's own shape.
type Denial struct {
	// Code is the error member clients branch on.
	Code string
	// Description is absent where the contract says nothing may be told.
	Description string
}

// The codes of RFC 6749, 7591, 8628 and 8707.
const (
	CodeInvalidRequest       = "invalid_request"
	CodeInvalidClient        = "invalid_client"
	CodeInvalidGrant         = "invalid_grant"
	CodeInvalidScope         = "invalid_scope"
	CodeInvalidTarget        = "invalid_target"
	CodeUnsupportedGrantType = "unsupported_grant_type"
	CodeAuthorizationPending = "authorization_pending"
	CodeSlowDown             = "slow_down"
	CodeAccessDenied         = "access_denied"
	CodeExpiredToken         = "expired_token"
	CodeInvalidRedirectURI   = "invalid_redirect_uri"
	CodeInvalidMetadata      = "invalid_client_metadata"
)

// The denials of a grant. Their descriptions are the contract's, byte for byte.
var (
	denyGrant        = &Denial{Code: CodeInvalidGrant}
	denyCodeUsed     = &Denial{CodeInvalidGrant, "code already used"}
	denyExpired      = &Denial{CodeInvalidGrant, "expired"}
	denyRedirectURI  = &Denial{CodeInvalidGrant, "redirect_uri mismatch"}
	denyPKCE         = &Denial{CodeInvalidGrant, "PKCE verification failed"}
	denyRevoked      = &Denial{CodeInvalidGrant, "revoked"}
	denyReuse        = &Denial{CodeInvalidGrant, "refresh token reuse detected"}
	denyPending      = &Denial{CodeAuthorizationPending, "the user has not decided yet"}
	denySlowDown     = &Denial{CodeSlowDown, "polled faster than the interval"}
	denyAccess       = &Denial{CodeAccessDenied, "the user denied the request"}
	denyDeviceExpiry = &Denial{CodeExpiredToken, "the device code is older than 10 minutes"}
)

func invalidRequest(description string) *Denial { return &Denial{CodeInvalidRequest, description} }
