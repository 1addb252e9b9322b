package guides

import "testing"

func TestAppData(t *testing.T) {
	follow(t, "app-data.md", `"choices": [`, `"value": "THURSDAY"`, `"amount": 50000`, `"code": "INVALID_APP_DATA_VALUE"`, `"delivery_day: not_a_choice"`, `"credit_line: below_min"`,
		`"credit_line: currency_not_allowed"`, "204", `"deleted": true`)
}
