package guides

import "testing"

func TestIntoTheMarketplace(t *testing.T) {
	follow(t, "listing.md", `"kind": "ICON"`, `"width": 640`, `"slug": "ledger-sync"`, `"state": "DRAFT"`, "FAIL PRIVACY_EVENTS_REQUIRED: ", "FAIL API_VERSION_NOT_PINNED: ", "WARN NO_SANDBOX_ACTIVITY: ",
		`"pinnedApiVersion": "2026-06-01"`, `"code": "PRIVACY_EVENTS_REQUIRED"`, `"PRIVACY_WEBHOOK_UNVERIFIED"`)
}
