package guides

import "testing"

func TestEmbeddedApps(t *testing.T) {
	follow(t, "embedded-apps.md", `"address": "http://localhost:3000/grade"`, `"hiddenBy": null`, `"aud": "cli_demosync"`, `"ext": "ext_`, `"type": "CUSTOMER"`, `"life": 60`, `"displayName": "Café Zon"`, `{"error":"invalid_grant"}`)
}
